"""What a situation says by the address of a line: dice, choices, questions.

Enters: what is done, and an address, of which parts may be left out. Leaves: the lines of the rules that it names, by
their whole addresses; or every candidate where it could be several. Knows nothing of what is said of a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from interpreter.source import Source
from interpreter.source.values import Record, field
from interpreter.vocabulary.addresses import addressed, is_place

from .procedures import Checker
from .reached import Reached
from .sheets import Ear
from .symbols import Procedure


class Named(Record):
    """`lines`: those that an address names, each with the name that all its runs have. Where it could be several lines,
    these are `others`, as one would say them; where a line is called from several places, `callers` are these.
    """

    lines: dict[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    callers: tuple[str, ...] = ()


class Addressing(Record):
    """Addresses in what is done by `root`; `one` is the procedure whose lines are said without its name."""

    reached: Reached
    root: Procedure
    one: Procedure | None
    _calls: list[tuple[str, Procedure]] = field(default_factory=list)

    @property
    def calls(self) -> list[tuple[str, Procedure]]:
        """The lines that call something, with what they call."""
        if not self._calls:
            self._calls += [call for p in self.reached.procedures(self.root) for call in self.reached.own(p).calls]
        return self._calls

    def named(self, key: str, known: Collection[str], *, last: bool = False, ear: Ear | None = None) -> Named:
        """The lines among those that are `known` whose address this is, with parts left out; `last`: the line's own
        name is said.
        """
        fits = [a for a in known if addressed(key, a, last=last)]
        if not fits:
            return self._called(key, known, last)
        heads = {address: self._head(key, address) for address in fits}
        if any("." in head or head in known for head in heads.values()):  # a procedure of that name is no line
            heads = {address: head for address, head in heads.items() if "." in head or head in known}
        else:
            heads = {address: address for address in fits}
        lines: dict[str, list[str]] = {}
        for address, head in heads.items():
            lines.setdefault(self.line(head), []).append(address)
        if len(lines) > 1:
            lines = {line: lines[line] for line in self.meant(key, lines, ear)}
        found = {address: line for line, several in lines.items() for address in several}
        return Named(found, tuple(lines) if len(lines) > 1 else ())

    def line(self, address: str) -> str:
        """A line by the name that all its runs have: a rule's line has one, wherever the rule sets in."""
        return whole_address(address, self.reached.checker.book.rules)

    @staticmethod
    def _head(key: str, address: str) -> str:
        """The line itself, of which `address` may be a case."""
        parts = address.split(".")
        size = next(s for s in range(1, len(parts) + 1) if addressed(key, ".".join(parts[:s])))
        named = [s for s in range(size, len(parts) + 1) if parts[s - 1] == key.rpartition(".")[2]]
        return ".".join(parts[: named[-1] if named else size])

    def meant(self, key: str, lines: Iterable[str], ear: Ear | None) -> list[str]:
        """The one that is said in full, or is a line of what is done; else those that are heard."""
        lines = list(lines)
        if key in lines and key not in self.shared():
            return [key]
        givers = givers_of(self.reached.checker, lines)
        if ear is not None:
            lines = ear.heard(lines, givers, whole=True)
        whole = f"{self.one.name}.{key}" if self.one is not None else ""
        sure = ear is None or ear.sure([line for line in lines if line in givers], givers)
        if sure and whole in lines and whole not in self.shared():
            return [whole]
        return lines if ear is None else ear.nearest(lines, givers)

    def shared(self) -> dict[str, list[str]]:
        """By whole addresses, what is one name of several branches, and the line in each of them."""
        of = {p.name: self.reached.checker.lines_of(p).shared for p in self.reached.procedures(self.root)}
        return {f"{p}.{a}": [f"{p}.{one}" for one in each] for p, shared in of.items() for a, each in shared.items()}

    def _called(self, key: str, known: Collection[str], last: bool) -> Named:
        """A line by what calls its procedure: `harm.dead`."""
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


def givers_of(checker: Checker, lines: Iterable[str]) -> dict[str, Source]:
    """Of some lines of procedures, by their whole addresses, the files that call them so."""
    found = {}
    for line in lines:
        name, _, address = line.partition(".")
        procedure = checker.book.procedures.get(name)
        giver = checker.lines_of(procedure).givers.get(address) if procedure is not None else None
        if giver is not None:
            found[line] = giver
    return found


def whole_address(address: str, rules: Collection[str]) -> str:
    """A line of a rule without the place where the rule sets in; any other as it is."""
    parts = address.split(".")
    for at in range(len(parts) - 1, 0, -1):
        if parts[at] in rules and (at == 1 or is_place(parts[at - 1])):
            return ".".join(parts[at:])
    return address
