"""Exact odds as pictures: a drawing of its own (SVG), or a page for a browser (HTML).

Enters: exact answers. Leaves: the text of a file. `reading` makes a `Page` of answers, in the game's words; `spec` says of
a picture what the library shall draw, in `colours` of two themes; `drawn` alone knows the library; `page` writes HTML.
Nothing here is imported unless somebody asks for a picture.
"""
