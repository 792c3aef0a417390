"""Which names a sentence can say: parameters, lines so far, loop names, and the open cards.

Enters: variables and subjects as they come into view. Leaves: what a name stands for, or every candidate when two
answer. Knows nothing of how an answer is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.source import Source
from interpreter.source.values import Record, field
from interpreter.vocabulary.addresses import addressed
from interpreter.vocabulary.types import Type

from .sheets import Ear
from .symbols import Where
from .typed import Expr, Variable

NO_NAMES: Mapping[str, Expr] = {}


class Lines(Record):
    """The lines of one block by address; a line is found by any ending of its address that is its alone.

    `here` is the block in hand (`volleys.`): what stands in it goes before what stands elsewhere. `deeds` are the
    lines that do something and are worth nothing; what stands for these, and for such cases, is `done`. `named` are all
    that stand in these blocks, also those to come; `words` are those of the addresses of lines and deeds. Lines that
    rules `brought` stand behind the others: no rule takes a name from what stands here. Those `joined` are all their
    runs at several places, and `runs` are the single ones, by addresses that begin with the place. `shared` are names
    that several branches give, of which one is run: the address of each in every branch. In an outcome table the names
    of its `rows` mean these, not the lines of other rows, of which only one is ever run. `givers` are the files that
    say the names of the lines: whether a sentence hears them by these, its `Ear` knows.
    """

    by_address: dict[str, Variable] = field(default_factory=dict)
    seen: dict[str, Where] = field(default_factory=dict)
    deeds: set[str] = field(default_factory=set)
    done: dict[str, Variable] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    here: str = ""
    words: set[str] = field(default_factory=set)
    brought: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)
    runs: dict[str, Variable] = field(default_factory=dict)
    shared: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rows: set[str] = field(default_factory=set)
    givers: dict[str, Source] = field(default_factory=dict)

    def is_row(self, names: list[str]) -> bool:
        """Whether these words are a row of the outcome table in hand, and no line in one of its rows."""
        return len(names) == 1 and names[0] in self.rows and {*self.nearest(names[0])} <= {*names}

    def add(self, address: str, variable: Variable) -> None:
        self.by_address[address] = variable
        self.words.update(address.split("."))

    def bring(self, address: str, variable: Variable) -> None:
        """A line of a rule."""
        self.add(address, variable)
        self.brought.add(address)

    def run(self, address: str, variable: Variable) -> None:
        """What a line of a rule came to at one of its places."""
        self.runs[address] = variable
        self.words.update(address.split("."))

    def all(self) -> dict[str, Variable]:
        """Every line, and every single run of one that has several."""
        return {**self.by_address, **self.runs}

    def __getitem__(self, address: str) -> Variable:
        return self.by_address[address] if address in self.by_address else self.runs[address]

    def did(self, *addresses: str) -> None:
        self.deeds.update(addresses)
        for address in addresses:
            self.words.update(address.split("."))

    def does(self, address: str) -> Variable:
        """What stands for a line that does something: nobody reads it, but it may be asked whether that was run."""
        return self.done.setdefault(address, Variable(address, Type("block")))

    def find(self, name: str, ear: Ear | None = None) -> list[str]:
        """The address, or every address that ends in `name`; those that are heard, with an `ear`."""
        found = self._find(name, ear)
        if ear is not None:
            ear.note(name, found, self._find(name, None))
        return found

    def _find(self, name: str, ear: Ear | None) -> list[str]:
        exact = (name in self.by_address and name not in self.shared) or name in self.runs
        if exact and (ear is None or name in self.runs):
            return [name]
        found = self.apart([a for a in self.by_address if a == name or a.endswith("." + name)])
        if ear is not None:
            found = ear.heard(found, self.givers, whole="." in name)
        found = [a for a in found if a not in self.brought] or found
        if ear is not None:
            if exact and name in found and ear.sure(found, self.givers):
                return [name]
            found = self._own(found, ear)
        return found or [a for a in self.runs if a.endswith("." + name)]

    def apart(self, found: list[str]) -> list[str]:
        """Without the lines of branches that stand in one name which is found as well."""
        held = {a for one in found for a in self.shared.get(one, ()) if a != one}
        return [a for a in found if a not in held]

    def _own(self, found: list[str], ear: Ear) -> list[str]:
        """Those that the asking file gives itself, on one branch of several too; else all."""
        return [a for a in found if ear.owns_one((a, *self.shared.get(a, ())), self.givers)] or found

    def through(self, names: list[str]) -> tuple[list[str], int]:
        """Lines of a block by some of the words above them, from the block's own on; and how many words these are."""
        for size in range(len(names), 1, -1):
            said = ".".join(names[:size])
            found = [a for a, v in self.by_address.items() if v.type.name != "block" and addressed(said, a, last=True)]
            if found:
                return self.apart(found), size
        return [], 0

    def nearest(self, name: str, ear: Ear | None = None) -> list[str]:
        """The same, said in the block in hand."""
        found = self._nearest(name, ear)
        if ear is not None:
            ear.note(name, found, self._nearest(name, None))
        return found

    def _nearest(self, name: str, ear: Ear | None) -> list[str]:
        block = self.here
        while block:
            for address in (block + name, f"{block}{ear.file}.{name}") if ear is not None else (block + name,):
                if address in self.by_address and (ear is None or ear.hears(self.givers.get(address))):
                    return [address] if address not in self.shared else self._inside(block, name, ear)
            block = block[: block.rfind(".", 0, -1) + 1]
        return self._find(name, ear)

    def _inside(self, block: str, name: str, ear: Ear | None) -> list[str]:
        """What a name of several branches of a block could mean there: other lines of that name may stand beside it."""
        found = self.apart([a for a in self.by_address if a.startswith(block) and a.endswith("." + name)])
        found = [a for a in found if a not in self.brought]
        return found if ear is None else self._own(ear.heard(found, self.givers, whole="." in name), ear)

    def deed(self, names: list[str], ear: Ear | None = None) -> int:
        """How many of some names, from the first, lead to a line that does something and is worth nothing."""
        for size in range(len(names), 0, -1):
            said = ".".join(names[:size])
            found = [a for a in self.deeds if a == said or a.endswith("." + said)]
            if found and (ear is None or ear.heard(found, self.givers, whole=size > 1)):
                return size
        return 0

    def all_done(self) -> dict[str, Variable]:
        """Every line that is worth nothing, and every block."""
        return {**self.done, **{a: v for a, v in self.all().items() if v.type.name == "block"}}

    def doing(self, name: str, ear: Ear | None = None) -> dict[str, Variable]:
        """What a name can mean of lines that are worth nothing, and of blocks."""
        every = self.all_done()
        if ear is not None:
            heard = ear.heard([a for a in every if a == name or a.endswith("." + name)], self.givers, whole="." in name)
            every = {a: every[a] for a in heard}
        if name in every and (ear is None or ear.sure(every, self.givers)):
            return {name: every[name]}
        block = self.here
        while block:
            if block + name in every:
                return {block + name: every[block + name]}
            block = block[: block.rfind(".", 0, -1) + 1]
        return {a: v for a, v in every.items() if a.endswith("." + name)}

    def names(self) -> list[str]:
        return [*self.by_address, *(a.rsplit(".", 1)[-1] for a in self.by_address)]


def which(found: Sequence[str], shared: Mapping[str, Sequence[str]]) -> str:
    """The hint where a name could mean several lines. A name of several branches cannot be said more fully."""
    fuller = [f"`{a}`" for a in found if a not in shared]
    one = next((shared[a] for a in found if a in shared), ())
    if not one:
        return f"say {' or '.join(fuller)}"
    branches = " and ".join(f"`{a}`" for a in one)
    other = fuller[0] if fuller else "the other"
    return f"say {' or '.join(fuller)}; or give {other} another name, to mean what {branches} are together"


class Scope(Record):
    """One level; `cards` are subjects whose attributes are written bare, nearest last."""

    parent: Scope | None = None
    names: Mapping[str, Expr] = field(default=NO_NAMES)
    lines: Lines | None = None
    card: Expr | None = None
    card_name: str = ""
    pure: bool = True
    record: Expr | None = None  # the one call of a situation: its lines are said without its name
    runs: Any = None  # of a situation: what finds lines of the rules by their whole addresses

    def name(self, name: str) -> Expr | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def every_name(self) -> dict[str, Expr]:
        """All names that mean something here, the innermost of each."""
        found: dict[str, Expr] = {}
        scope: Scope | None = self
        while scope is not None:
            for name, e in scope.names.items():
                found.setdefault(name, e)
            scope = scope.parent
        return found

    def cards(self) -> list[tuple[Expr, str]]:
        """Open cards, innermost first."""
        found: list[tuple[Expr, str]] = []
        scope: Scope | None = self
        while scope is not None:
            if scope.card is not None:
                found.append((scope.card, scope.card_name))
            scope = scope.parent
        return found

    def all_lines(self) -> list[Lines]:
        found: list[Lines] = []
        scope: Scope | None = self
        while scope is not None:
            if scope.lines is not None:
                found.append(scope.lines)
            scope = scope.parent
        return found

    def all_runs(self) -> Any:
        """What finds lines by their whole addresses, where somebody asks of what was done."""
        scope: Scope | None = self
        while scope is not None and scope.runs is None:
            scope = scope.parent
        return scope.runs if scope is not None else None

    def things(self) -> list[str]:
        """The things of a situation, which begin with a capital."""
        return [word for word in self.known() if word[:1].isupper()]

    def known(self) -> list[str]:
        words: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            words += scope.names
            if scope.lines is not None:
                words += scope.lines.names()
            scope = scope.parent
        return words
