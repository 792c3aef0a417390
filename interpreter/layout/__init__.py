"""How a file looks: the blanks, the columns, the fixes that lose no meaning; all as edits of its text.

Enters: the text of a file, or problems that carry fixes.  Leaves: the text with as little changed as does it, so that
remarks, line ends and everything that is right stay letter for letter.  Must not know what a name means, nor any game.
"""

from interpreter.layout.fixing import with_fixes
from interpreter.layout.formatter import Laid, laid_out
from interpreter.layout.text_edits import Edit, edited

__all__ = ["Edit", "Laid", "edited", "laid_out", "with_fixes"]
