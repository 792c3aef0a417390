"""The kind of file that a name leads to, and a short description of a situation.

Takes names of files, or trees. Gives booleans and texts. Knows nothing of rules.
"""

from __future__ import annotations

from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.places import is_shipped, rule_file
from interpreter.rulebook.definitions import SHOWING
from interpreter.source import Problems

from .trees import read_tree


def situation_named(name: str, problems: Problems) -> tuple[str, Mapping] | None:
    """The path and the tree of a situation or a file of examples. None for a shipped rule set, which is not read."""
    path = rule_file(name) if not is_shipped(name) else None
    root = read_tree(path, problems) if path is not None else None
    if path is None or root is None or root.get("game") is not None or not has_situation_keys(root):
        return None
    return path, root


def is_situation_file(name: str) -> bool:
    """Whether a name leads to a situation, a sweep, or a file of examples. A shipped rule set is not read."""
    return situation_named(name, Problems()) is not None


def is_rule_file(name: str) -> bool:
    """Whether a name leads to a file with a `game` in its head."""
    path = rule_file(name)
    root = read_tree(path, Problems()) if path is not None else None
    return root is not None and root.get("game") is not None


def action_line(root: Mapping) -> str:
    """What a situation does, on one line."""
    node = root.get("do")
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Mapping):
        return ", ".join(f"{e.key.text}: {e.value.text}" if isinstance(e.value, Scalar) else e.key.text for e in node)
    return ""


_NOT_THERE = ("rules", "do", "ask", "odds", "given", "then", "dice", "trace", "error", "about", "cites")


def description_lines(root: Mapping) -> list[str]:
    """The things and facts of a situation, one line each."""
    found: list[str] = []
    for entry in root:
        key = entry.key.text
        if key in ("facts", "choose", "rulings"):
            found += _lines(entry.value)
        elif key not in _NOT_THERE and not key.startswith("example "):
            found.append(f"{key.split()[-1]}: {', '.join(_lines(entry.value))}")
    return found


def _lines(node: Node) -> list[str]:
    if isinstance(node, Scalar):
        return [" ".join(node.text.split())]
    if isinstance(node, Mapping):
        lines = ((e.key.text, ", ".join(_lines(e.value))) for e in node)
        return [said if key == "is" else f"{key}: {said}" for key, said in lines]
    return [line for item in node for line in _lines(item)]


def has_situation_keys(root: Mapping) -> bool:
    """Whether a tree has `rules` or `do`, is a sweep, or has examples. A rule file may have these too, so test for
    `game` first.
    """
    keys = [e.key.text for e in root]
    return "rules" in keys or "do" in keys or is_sweep(root) or of_examples(root)


def is_sweep(root: Mapping) -> bool:
    """Whether a tree has the key `sweep`."""
    return any(e.key.text == "sweep" for e in root)


def of_examples(root: Mapping) -> bool:
    """Whether a tree has examples or typical situations at its top."""
    return any(e.key.text.split(" ")[0] in SHOWING for e in root)
