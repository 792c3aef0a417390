"""YAML files as located trees, and their shape.

Enters: paths and sources.  Leaves: `Mapping`s whose texts know the place of each of their characters,
and problems.  Must not know what the sentences in those texts mean, nor any game.
"""
