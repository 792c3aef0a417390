"""What a step of a record may be. A traced program appends records `(steps, values…)`: each step takes some values.

NOTE (number of the note, how many values; 0: one value that holds them all) · KNOWN (notes with their values) · CLEAR
(reasons so far are of nothing) · ASKED (site; question, answer, faces) · CALLED (site, how many arguments; arguments) ·
SKIP (site: asked of nobody) · LEFT (a call is over). A record may also be one note: `(number, values…)`.
"""

NOTE, KNOWN, CLEAR, ASKED, CALLED, SKIP, LEFT = range(7)
