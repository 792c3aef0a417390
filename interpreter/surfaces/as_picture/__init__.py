"""Exact odds as pictures: a drawing (SVG), or a page for a browser (HTML).

Enters: exact answers. Leaves: the text of a file. `reading` and `sweeps` make `pictures` of answers, in the game's
words; `spec` says what the library shall draw, in the `colours` of two themes; `drawn` alone knows the library; `svg`
and `page` write the files. Nothing here is imported unless somebody asks for a picture.
"""
