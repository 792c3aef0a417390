"""Nobody imports this: where Python would put its compiled file lies the bundle (bundle.py), so that whoever removes
Umpire removes the bundle with it.

Enters and leaves: nothing. Knows nothing.
"""
