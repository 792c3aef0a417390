"""Exact odds as pictures: a drawing (SVG), or a page for a browser (HTML).

Enters: exact answers. Leaves: the text of a file. `reading` and `sweeps` convert answers to `pictures`, in the words of
the game; `spec` describes the drawing for the library, with the `colours` of two themes; only `drawn` knows the
library; `svg` and `page` write the files. Imported only when a picture is requested.
"""
