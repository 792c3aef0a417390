"""Layout of a file: blanks, columns, and safe fixes, all as edits of its text.

Takes the text of a file, or problems with fixes. Gives the text with minimal changes, so that comments, line ends and
everything correct stay byte for byte. Knows nothing of the meaning of names, nor of any game.
"""

from interpreter.layout.fixing import with_fixes
from interpreter.layout.formatter import FormattedFile, format_source
from interpreter.layout.text_edits import Edit, apply_edits

__all__ = ["Edit", "FormattedFile", "apply_edits", "format_source", "with_fixes"]
