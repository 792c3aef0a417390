"""Selects mutants by the option `--at`: a name, a path, or the number of a line of the file.

Takes rule sets, one of their sheets, its mutants, and the texts of `--at`. Gives numbers of mutants; a problem for a
text that names nothing, or a place without mutants. Knows nothing of verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.document.nodes import Entry, Mapping, Scalar, scalars
from interpreter.rulebook.definitions import SHOWING, line_name
from interpreter.rulebook.layers import HEAD, entries_below
from interpreter.source import Problems, Span, nearest
from interpreter.source.values import Struct
from interpreter.workbench.rule_sets import RuleSet

from .mutants import Mutant


class Place(Struct, eq=False):
    """A place in the file: its `path` (`shoot.men.hits`), its `span`, and the numbers of the mutants in its own line
    and below it (`held`).
    """

    path: tuple[str, ...]
    key: Scalar
    span: Span
    held: frozenset[int]

    @property
    def name(self) -> str:
        return ".".join(self.path)


class Narrowing:
    """Selects mutants of one sheet by the texts of `--at`."""

    def __init__(self, sets: Sequence[RuleSet], sheet: str, mutants: Sequence[Mutant]) -> None:
        self.mutants, self.sheet = mutants, sheet
        self._at: dict[int, list[int]] = {}
        for mutant in mutants:
            self._at.setdefault(id(mutant.scalar), []).append(mutant.number)
        self._names = {  # over each of its bases, a supplement may define other names
            part.key.span: part.names
            for rules in sets
            for definition in rules.book.pages.definitions
            for part in (definition, *definition.added)
        }
        roots = {s.name: s.root for s in sets[0].sheets}
        self.source = roots[sheet].span.source
        self.places = list(self._of(roots[sheet]))
        self._beneath = {name: {p.name for p in self._of(root)} for name, root in roots.items() if name != sheet}

    def numbers(self, said: Sequence[str], problems: Problems) -> set[int]:
        return {number for each in said for number in self._held(each, problems)}

    def _held(self, said: str, problems: Problems) -> frozenset[int]:
        if said.isdigit():
            return self._line(int(said), problems)
        found = self.places_of(said)
        if not found:
            self._unknown(said, problems)
        held: frozenset[int] = frozenset().union(*(p.held for p in found))
        if found and not held:
            self._still(f"`{said}`", found[0].key.span, self._around(found[0]), problems)
        return held

    def places_of(self, said: str) -> list[Place]:
        """The places with that path; if there is none, those whose path contains its parts in order and ends in its
        last part.
        """
        path = tuple(said.split("."))
        return [p for p in self.places if p.path == path] or [p for p in self.places if _leads_to(path, p.path)]

    def _line(self, row: int, problems: Problems) -> frozenset[int]:
        held = frozenset(m.number for m in self.mutants if m.span.place[0] == row)
        if not held:
            here = [p for p in self.places if p.key.span.place[0] == row]
            above = [p for p in self.places if p.key.span.place[0] < row]
            near = next((p for p in here if p.held), None) or next(map(self._around, here or above[-1:]), None)
            span = here[0].key.span if here else None
            last = len(self.source.text.splitlines())
            self._still(f"line {row}", span, near, problems, f"the file has {last} lines" if row > last else "")
        return held

    def _around(self, place: Place) -> Place | None:
        """The innermost enclosing place with mutants."""
        outer = [p for p in self.places if p.path == place.path[: len(p.path)] and p.held]
        return max(outer, key=lambda p: len(p.path), default=None)

    def _still(self, where: str, span: Span | None, near: Place | None, problems: Problems, hint: str = "") -> None:
        if near is not None and not hint:
            many = len(near.held)
            hint = f"`--at {near.name}` holds {many} slip{'' if many == 1 else 's'}"
        problems.add("X011", span, where=where, hint=hint or "it only gives a name: ask of the lines that say it")

    def _unknown(self, said: str, problems: Problems) -> None:
        below = next((name for name, names in self._beneath.items() if said in names), None)
        hint = self.advice(said) or "a definition, a line, or the number of a line of the file"
        if below is not None:
            hint = f"it stands in another file: `umpire test --mutate {below} --at {said}`"
        problems.add("N001", None, what=f"line or definition of {self.sheet}", name=said, hint=hint)

    def advice(self, said: str) -> str | None:
        """A hint for a path that names nothing."""
        known = {name for p in self.places for name in (p.name, f"{p.path[0]}.{p.path[-1]}", p.path[-1])}
        close = nearest(said, known)
        if not close and "." in said:
            close = [name for name in (said.rpartition(".")[0],) if name in known]
        return f"did you mean `{close[0]}`?" if close else None

    def _of(self, root: Mapping) -> Iterator[Place]:
        last: Entry | None = None
        for section, entry, change in entries_below(root):
            if section is not last and section.key.text not in HEAD:
                yield self._place((section.key.text,), section)
            last = section
            paths: list[tuple[str, ...]] = [(name,) for name in self._names.get(entry.key.span, ())]
            if change:
                paths = [tuple(entry.key.text.split("[")[0].strip().split("."))]
            elif entry.key.text.split(" ")[0] in SHOWING:
                paths = []
            for path in paths:
                yield self._place(path, entry)
                yield from self._lines(path, entry)

    def _lines(self, above: tuple[str, ...], entry: Entry) -> Iterator[Place]:
        for line in entry.value if isinstance(entry.value, Mapping) else ():
            path = (*above, line_name(line.key.text))
            yield self._place(path, line)
            yield from self._lines(path, line)

    def _place(self, path: tuple[str, ...], entry: Entry) -> Place:
        texts = [entry.key, *scalars(entry.value)]
        span = Span(self.source, entry.key.span.start, max(text.span.end for text in texts))
        return Place(path, entry.key, span, frozenset(n for text in texts for n in self._at.get(id(text), ())))


def _leads_to(path: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether `whole` contains the parts of `path` in order and ends in the last of them."""
    left = iter(whole)
    return path[-1] == whole[-1] and all(any(name == word for name in left) for word in path)
