"""Exact odds as pictures: a drawing (SVG), or a page for a browser (HTML).

Takes exact answers. Gives the text of a file. `as_charts` and `as_tables` describe answers in the words of the game;
`spec` turns the descriptions into drawing specifications, in the `colours` of two themes; `picture_files` draws and
writes them. Nothing here is imported unless a picture is requested.
"""
