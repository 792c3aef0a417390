"""Resolves the line addresses that a situation gives for dice, choices and questions.

Input: the procedure that the situation runs, and an address of which parts may be omitted. Output: the full addresses
of the lines that match, or all candidates if it is ambiguous. It does not know what the situation says about a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from interpreter.source.values import Record, field
from interpreter.vocabulary.addresses import addressed, is_place

from .procedures import Checker
from .reached import Reached
from .sheets import Givers, LineVisibility
from .symbols import Procedure


class Named(Record):
    """The result of resolving an address.

    `lines` maps each matching full address to the line's canonical name. If several lines match, `others` lists their
    addresses; if the line belongs to a procedure with several call sites, `callers` lists these.
    """

    lines: dict[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    callers: tuple[str, ...] = ()


class Addressing(Record):
    """Resolves addresses among the lines reached from `root`; lines of `one` may be written without its name."""

    reached: Reached
    root: Procedure
    one: Procedure | None
    _calls: list[tuple[str, Procedure]] = field(default_factory=list)

    @property
    def calls(self) -> list[tuple[str, Procedure]]:
        """All call sites: the address of each calling line, and the procedure that it calls."""
        if not self._calls:
            self._calls += [call for p in self.reached.procedures(self.root) for call in self.reached.own(p).calls]
        return self._calls

    def named(
        self, key: str, known: Collection[str], *, last: bool = False, visibility: LineVisibility | None = None
    ) -> Named:
        """Resolve `key` among the addresses in `known`; parts of an address may be omitted.

        With `last`, the final part of the address must be given. `visibility` restricts the lines to those that its
        file can see.
        """
        fits = [a for a in known if addressed(key, a, last=last)]
        if not fits:
            return self._resolve_by_caller(key, known, last)
        heads = {address: self._line_prefix(key, address) for address in fits}
        if any("." in head or head in known for head in heads.values()):  # the name of a procedure is not a line
            heads = {address: head for address, head in heads.items() if "." in head or head in known}
        else:
            heads = {address: address for address in fits}
        lines: dict[str, list[str]] = {}
        for address, head in heads.items():
            lines.setdefault(self.line(head), []).append(address)
        if len(lines) > 1:
            lines = {line: lines[line] for line in self.disambiguate(key, lines, visibility)}
        found = {address: line for line, several in lines.items() for address in several}
        return Named(found, tuple(lines) if len(lines) > 1 else ())

    def line(self, address: str) -> str:
        """Return the canonical name of a line: a line of a rule has one name, wherever the rule is woven in."""
        return whole_address(address, self.reached.checker.book.rules)

    @staticmethod
    def _line_prefix(key: str, address: str) -> str:
        """The prefix of `address` that names the line itself, without its case."""
        parts = address.split(".")
        size = next(s for s in range(1, len(parts) + 1) if addressed(key, ".".join(parts[:s])))
        named = [s for s in range(size, len(parts) + 1) if parts[s - 1] == key.rpartition(".")[2]]
        return ".".join(parts[: named[-1] if named else size])

    def disambiguate(self, key: str, lines: Iterable[str], visibility: LineVisibility | None) -> list[str]:
        """Disambiguate `lines`: prefer an exact match or a line of the main procedure, else the visible ones.
        """
        lines = list(lines)
        if key in lines and key not in self.shared_names():
            return [key]
        givers = givers_of(self.reached.checker, lines)
        if visibility is not None:
            lines = visibility.visible(lines, givers, whole=True)
        whole = f"{self.one.name}.{key}" if self.one is not None else ""
        sure = visibility is None or visibility.prefers_exact([line for line in lines if line in givers], givers)
        if sure and whole in lines and whole not in self.shared_names():
            return [whole]
        return lines if visibility is None else visibility.nearest(lines, givers)

    def shared_names(self) -> dict[str, list[str]]:
        """Full addresses of names that several branches share, each with the line of every branch."""
        of = {p.name: self.reached.checker.lines_of(p).shared for p in self.reached.procedures(self.root)}
        return {f"{p}.{a}": [f"{p}.{one}" for one in each] for p, shared in of.items() for a, each in shared.items()}

    def _resolve_by_caller(self, key: str, known: Collection[str], last: bool) -> Named:
        """Resolve an address that begins with a call site: `harm.dead`."""
        parts = key.split(".")
        found: dict[str, list[str]] = {}
        for size in range(1, len(parts)):
            head, rest = ".".join(parts[:size]), ".".join(parts[size:])
            for caller, callee in self.calls:
                if addressed(head, caller, last=True):
                    inner = [a for a in known if a.startswith(f"{callee.name}.")]
                    for address in inner:
                        if addressed(f"{callee.name}.{rest}", address, last=last):
                            found.setdefault(self.line(address), []).append(address)
        if len(found) != 1:
            return Named(others=tuple(found))
        line, fits = next(iter(found.items()))
        owner = fits[0].partition(".")[0]
        callers = tuple(dict.fromkeys([self.line(caller) for caller, callee in self.calls if callee.name == owner]))
        if len(callers) > 1:
            return Named(others=(line,), callers=callers)
        return Named(dict.fromkeys(fits, line))


def givers_of(checker: Checker, lines: Iterable[str]) -> Givers:
    """Map the full addresses of lines to the source files that define them."""
    found: Givers = {}
    for line in lines:
        name, _, address = line.partition(".")
        procedure = checker.book.procedures.get(name)
        giver = checker.lines_of(procedure).givers.get(address) if procedure is not None else None
        if giver is not None:
            found[line] = giver
    return found


def whole_address(address: str, rules: Collection[str]) -> str:
    """The address of a rule's line without the place where the rule is woven in; any other address unchanged."""
    parts = address.split(".")
    for at in range(len(parts) - 1, 0, -1):
        if parts[at] in rules and (at == 1 or is_place(parts[at - 1])):
            return ".".join(parts[at:])
    return address
