"""Exact odds as pictures: a drawing (SVG), or a page for a browser (HTML).

Enters: exact answers. Leaves: the text of a file. `as_charts` and `as_tables` describe answers, in the game's
words; `spec` says what the library shall draw, in the `colours` of two themes; `picture_files` draws and writes it.
Nothing here is imported unless somebody asks for a picture.
"""
