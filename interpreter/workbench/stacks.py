"""Resolves names of rule sets to their sheets: the files that a file extends, and the supplements laid over it.

Takes a name, a path or a stack of them (`BASE + SUPPLEMENT`). Gives `Sheet`s, undermost first, or problems. A
supplement is only laid over the rule sets that it names, and only the current version of the language is read. Knows
nothing of the other content of the files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from interpreter import disk
from interpreter.document.file_io import read_file
from interpreter.document.nodes import Mapping, Scalar
from interpreter.document.shape import check_shape
from interpreter.places import find_in_folder, is_shipped, normalized, rule_file, shipped, stem
from interpreter.rulebook.definitions import header, stack
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Label, Problems, Span
from interpreter.source.nearest import did_you_mean
from interpreter.source.values import Struct

from .trees import read_tree

LANGUAGE_VERSION = 1  # the default and only value of `schema:` in the head of a file
LAYERS = 32  # most files that extend, or are laid over, one another

Find = Callable[[str], str | None]


class _Asked(Struct):
    """The origin of a name: its place, if a file states it, and the function that finds files of that name."""

    find: Find
    at: Callable[[str], Span | None]
    said: frozenset[str] = frozenset()  # names stated by a file, not typed by a user


def parts_of(name: str) -> tuple[str, ...]:
    """The layers of a stack, by name. The name of an existing file is a single layer, even if it contains `+`."""
    return (name,) if "+" not in name or rule_file(name) is not None else stack(name)


def stacks_of(name: str) -> list[str]:
    """The stacks that a name can mean: itself, or for a supplement every stack that it is made for."""
    names = parts_of(name)
    path = rule_file(names[0]) if names else None
    root = read_tree(path, Problems()) if path is not None else None
    over = header(root).over if root is not None else ()
    if path is None or len(over) < 2 or any(each in below for each in names[1:] for below in over):
        return [name]  # a single base is found later; a wrong order is reported later
    beside = {below: _beside(below, path) for stack_ in over for below in stack_}
    found = {b: b if file is None or file == _shipped(b) else file for b, file in beside.items()}
    return [" + ".join((*(found[below] for below in stack_), *names)) for stack_ in over]


def open_sheets(
    name: str, problems: Problems, folder: str | None = None, said: frozenset[str] = frozenset()
) -> list[Sheet] | None:
    """The sheets of a stack, by the names of its layers. Files are also searched in `folder`.

    Names in `said`, stated by a file, are searched nowhere else, since the file may be from an untrusted source.
    """

    def find(part: str) -> str | None:
        if part in said:
            return (
                _shipped(part) or find_in_folder(part, folder or "") or find_in_folder(part, _above_tests(folder or ""))
            )
        found = rule_file(part)
        if found is None and folder is not None:
            beside = [normalized(os.path.join(folder, name)) for name in (part, f"{part}.yaml")]
            found = next(filter(disk.is_file, beside), None)
        return found

    names = parts_of(name)
    if not names:
        _no_such(name.strip(), None, problems)
        return None
    return _stacked(names, _Asked(find, lambda _: None, said), problems, ())


def _stacked(names: Sequence[str], asked: _Asked, problems: Problems, seen: tuple[str, ...]) -> list[Sheet] | None:
    sheets: list[Sheet] = []
    for name in names:
        path = asked.find(name)
        if path is None:
            _no_such(name, asked.at(name) or _said(name, names, asked.find), problems, typed=name not in asked.said)
            return sheets or None
        if path in seen:
            round_ = " → ".join(f"`{stem(p)}`" for p in (*seen[seen.index(path) :], path))
            hint = f"they go round in a circle: {round_}"
            if path == seen[-1]:
                hint = "the file itself has this name" + (": give it another" if name in shipped() else "")
            problems.add("N017", asked.at(name), name=stem(path), hint=hint)
            return sheets or None
        if len(seen) >= LAYERS:
            problems.add("E010", asked.at(name))
            return sheets or None
        root = read_tree(path, problems)
        if root is None:
            return sheets or None
        if not _can_be_read(root, problems):
            return None
        check_shape(root, problems)
        head = header(root)
        if head.over:
            _no_extends(root, problems)
            if not sheets:
                below = _below(path, root, name, asked, problems, (*seen, path))
                if below is None:
                    return None
                sheets = below
            if not _fits(stem(path), root, sheets, asked.at(name), problems):
                return None
            sheets.append(Sheet.of(stem(path), root, laid=True))
        elif sheets:
            bases = ", ".join(s.name for s in sheets if not s.laid)
            if len(set(names)) < len(names):
                hint = "it is said twice: say `" + " + ".join(dict.fromkeys(names)) + "`"
            elif sheets[-1].laid and len(names) > 1:
                hint = "the undermost is said first: `" + " + ".join((name, *(n for n in names if n != name))) + "`"
            else:
                hint = f"a supplement says `over: {sheets[-1].name}` at its head"
            problems.add(
                "N012", asked.at(name), one=stem(path), base=sheets[-1].name, why=f"built on {bases}", hint=hint
            )
            return None
        else:
            elders = _elders(path, root, problems, (*seen, path))
            sheets = [*elders, Sheet.of(stem(path), root)]
    return sheets or None


def _can_be_read(root: Mapping, problems: Problems) -> bool:
    """Whether a file is of this version of the language; adds S009 or S010 if it is not."""
    node = root.get("schema")
    if node is None:
        return True
    if not isinstance(node, Scalar) or not re.fullmatch(r"[1-9]\d{0,3}", node.text.strip()):
        problems.add("S009", node.span, current=LANGUAGE_VERSION)
        return False
    said = int(node.text)
    if said > LANGUAGE_VERSION:
        hint = "`pip install --upgrade tabletop-umpire` brings an Umpire that knows it"
        problems.add("S010", node.span, said=said, current=LANGUAGE_VERSION, hint=hint)
    return said <= LANGUAGE_VERSION


def _elders(path: str, root: Mapping, problems: Problems, seen: tuple[str, ...]) -> list[Sheet]:
    """The sheets that a file extends: a set beside it, a shipped one, or a stack of such."""
    entry = root.entry("extends")
    if entry is None or not isinstance(entry.value, Scalar):
        return []
    return _stacked(stack(entry.value.text), _named_in(entry.value, path), problems, seen) or []


def _below(
    path: str, root: Mapping, name: str, asked: _Asked, problems: Problems, seen: tuple[str, ...]
) -> list[Sheet] | None:
    """The sheets below a supplement that is named alone. Adds N015 if it is made for several stacks."""
    over = header(root).over
    node = root.get("over")
    assert isinstance(node, Scalar)
    if len(over) == 1:
        return _stacked(over[0], _named_in(node, path), problems, seen)
    choices = [" + ".join((*below, name)) for below in over]
    hint = "say `" + "`, or `".join(choices) + "`"
    problems.add("N015", asked.at(name), name=name, hint=hint)
    return None


def _named_in(text: Scalar, path: str) -> _Asked:
    """Names stated by a file. Only bare words are resolved, since untrusted files must not refer to other folders."""

    def find(name: str) -> str | None:
        return _beside(name, path)

    def at(name: str) -> Span:
        start = max(0, text.text.find(name))
        return text.at(start, start + len(name)) if name else text.span

    return _Asked(find, at)


def _no_extends(root: Mapping, problems: Problems) -> None:
    """Report that a supplement also extends a file, as that would be ignored."""
    entry, over = root.entry("extends"), root.entry("over")
    if entry is not None and over is not None:
        hint = "leave this line out; or leave `over:` out, to make it a rule set of its own"
        problems.add("S012", entry.key.span, hint=hint, others=[Label(over.key.span, "it is a supplement")])


def _shipped(name: str) -> str | None:
    return rule_file(name) if is_shipped(name) else None


def _above_tests(folder: str) -> str:
    """The folder of the rule file for a folder `tests` of examples; any other folder unchanged."""
    above, last = os.path.split(os.path.abspath(folder))
    return above if last == "tests" else folder


def _beside(name: str, path: str) -> str | None:
    """The file of a bare word that another file states."""
    return find_in_folder(name, os.path.dirname(path)) if name and all(c.isalnum() or c in "-_" for c in name) else None


def _fits(name: str, root: Mapping, below: list[Sheet], at: Span | None, problems: Problems) -> bool:
    """Whether a supplement may be laid over these sheets; reports the reason if not."""
    head = header(root)
    names = [s.name for s in below]
    if name in names:
        problems.add("N012", at, one=name, base=" + ".join(names), why="in the stack already", hint="say it once")
        return False
    for refused, reason in head.refuses.items():
        if refused in names:
            others = [Label(reason.span, "it says so here")]
            problems.add("N012", at, one=name, base=refused, why=reason.text, others=others)
            return False
    if any(set(stack_) <= set(names) for stack_ in head.over):
        return True
    node = root.get("over")
    made_for = ", or ".join(" + ".join(stack_) for stack_ in head.over)
    why = f"made for {made_for}"
    others = [Label(node.span, "it says so here")] if node is not None else []
    problems.add("N012", at, one=name, base=names[-1], why=why, others=others)
    return False


def _said(name: str, names: Sequence[str], find: Find) -> Span | None:
    """The place where a supplement of a stack states this name in `over:`."""
    for each in names:
        path = find(each)
        root = read_tree(path, Problems()) if path is not None else None
        node = root.get("over") if root is not None else None
        if (
            path is not None
            and root is not None
            and isinstance(node, Scalar)
            and any(name in below for below in header(root).over)
        ):
            return _named_in(node, path).at(name)
    return None


def _no_such(name: str, span: Span | None, problems: Problems, *, typed: bool = True) -> None:
    known = shipped()
    near = [*known, *disk.yaml_files(".")] if span is None else known
    hint = did_you_mean(name, near, "rule sets here: " + ", ".join(known))
    if typed and span is None and (disk.kind(name) != "nothing" or name.endswith((".yaml", ".yml")) or "/" in name):
        before = len(problems)
        read_file(normalized(name), problems)
        if len(problems) > before:
            return
    problems.add("F015", span, name=name, hint=hint)
