"""Reads YAML files into located trees and checks their shape.

Takes paths and sources; gives `Mapping`s whose texts know the place of each of their characters, and problems. Must not
know what the sentences in those texts mean, nor any game.
"""
