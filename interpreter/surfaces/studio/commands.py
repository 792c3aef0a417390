"""The terminal command that gives the same answer.

Takes rules, the tree of a situation, and its questions. Gives a text to paste. A short command is given only if it
parses to the same situation; else the command first writes the situation to a file. Knows nothing of how it is shown.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from interpreter.source import Problems
from interpreter.workbench.arguments import compose
from interpreter.workbench.file_kinds import action_line
from interpreter.workbench.rule_sets import RuleSet

_SHOWN = ("ask", "odds", "then", "dice", "trace", "error", "about", "cites", "rules")


def command_of(rules: RuleSet, name: str, text: str, root: Any, asks: Sequence[str]) -> str:
    """The command, such as `umpire odds ours.yaml shoot 'A: …' 'B: …' 'distance 20"' --ask hits`."""
    asked = [word for text in asks for word in ("--ask", text)]
    arguments = _arguments(root)
    if arguments is not None:
        things, others = arguments
        for procedure in rules.book.procedures:
            made = compose(rules, procedure, [*things, *others], Problems())
            if made is not None and action_line(made) == action_line(root):
                return shlex.join(["umpire", "odds", name, procedure, *things, *others, *asked])
    last = shlex.join(["umpire", "odds", "question.yaml", *asked])
    return f"cat > question.yaml <<'END'\nrules: {name}\n{text.rstrip()}\nEND\n{last}"


def _arguments(root: Any) -> tuple[list[str], list[str]] | None:
    """The things and the facts of a situation as arguments; None if they do not fit on a line each."""
    things: list[str] = []
    facts: list[str] = []
    for entry in root:
        key = entry.key.text
        if key in _SHOWN or key == "do":
            continue
        found = _texts(entry.value)
        if found is None or key in ("choose", "rulings"):
            return None
        if key == "facts":
            facts += [part for text in found for part in _apart(text)]
        elif len(found) == 1:
            things.append(f"{key}: {found[0]}")
        else:
            return None
    return things, facts


def _texts(node: Any) -> list[str] | None:
    """The texts of a scalar, or of a list of scalars; None for other nodes."""
    items = (node,) if hasattr(node, "text") else getattr(node, "items", ())
    return [item.text for item in items] if items and all(hasattr(item, "text") for item in items) else None


def _apart(text: str) -> list[str]:
    """Split facts at commas outside brackets."""
    found, deep, start = [], 0, 0
    for i, sign in enumerate(text):
        deep += (sign in "(<[") - (sign in ")>]")
        if sign == "," and not deep:
            found.append(text[start:i].strip())
            start = i + 1
    return [part for part in (*found, text[start:].strip()) if part]
