"""Names of `typing`, for whoever reads types. Nothing reads them while a command runs, and to import `typing` itself
takes as long as a tenth of a short answer: so it is imported for the type checker alone.

Enters and leaves nothing. A name means to mypy what it means there; to Python it stands for nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any as Any
    from typing import Literal as Literal
    from typing import NoReturn as NoReturn
    from typing import Protocol as Protocol
    from typing import TypeVar as TypeVar
    from typing import cast as cast
else:

    class Any: ...

    class NoReturn: ...

    class Protocol: ...

    class Literal:
        def __class_getitem__(cls, said):
            return cls

    def TypeVar(name, **_):
        return Any

    def cast(kind, found):
        return found
