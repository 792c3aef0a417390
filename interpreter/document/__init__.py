"""Reads YAML files into trees with source positions and checks their shape.

Takes paths and sources; returns `Mapping`s whose scalars know the position of each character, and problems. This
package does not know what the texts mean, nor any game.
"""
