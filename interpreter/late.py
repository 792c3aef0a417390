"""Names of a package that are imported when somebody asks for them: who asks for none needs none of their modules.

Enters: a package's name, and by name the module where each is at home. Leaves: what the package answers with
(`__getattr__`). Knows nothing of what is in them.
"""

from __future__ import annotations

import sys

from interpreter.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def late(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """`homes` are modules by their whole names, or as the package itself would import them: `.shape`."""

    def found(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = module(package * homes[name].startswith(".") + homes[name])
        value = getattr(home, name)
        setattr(sys.modules[package], name, value)  # from now on it is simply there
        return value

    return found


def module(name: str) -> Any:
    """The module of that name; `importlib`, which finds it too, takes longer to import than most of them."""
    __import__(name)
    return sys.modules[name]
