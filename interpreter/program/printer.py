"""Prints terms, statements and functions of terms as Python source, which nothing parses or changes afterwards.

Collects the values and rolls that the source calls (`Printer.asked`). The source never contains text of users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .layout import ORIGIN
from .statements import (
    EACH,
    NAMES_LENT,
    Act,
    ChangeBags,
    Effect,
    Follow,
    Give,
    Judge,
    Keep,
    Lend,
    Let,
    Line,
    Make,
    Set,
    SetCell,
    SetEach,
    TakeBack,
    Told,
    When,
)
from .terms import (
    STATE,
    And,
    Apply,
    Behind,
    Bound,
    Call,
    Cell,
    Const,
    Function,
    Gather,
    IfElse,
    Infix,
    Itself,
    Lambda,
    Local,
    Member,
    Minus,
    Not,
    Or,
    SetOf,
    Slot,
    Spread,
    State,
    Term,
    Tuple,
    operands,
)

INDENT = "    "
_OPEN = {"tuple": "tuple([", "list": "[", "set": "{"}
_CLOSE = {"tuple": "])", "list": "]", "set": "}"}


class Printer:
    """Prints terms; `asked` are the functions that they call, by name.

    `place_of(term, inside)` returns the name of the list that keeps a term's value once it is computed, or None;
    `inside` tells whether the term is part of a comprehension. `engine` is the name of the engine in the source, where
    statements are printed.
    """

    def __init__(
        self,
        asked: dict[str, Function] | None = None,
        place_of: Callable[[Term, bool], str | None] | None = None,
        engine: str = "",
    ) -> None:
        self.asked = {} if asked is None else asked
        self._place_of = place_of
        self.engine = engine
        self._inside = 0  # number of enclosing comprehensions

    def text(self, term: Term) -> str:
        if self._place_of is None or (name := self._place_of(term, self._inside > 0)) is None:
            return self._text(term)
        place_of, self._place_of = self._place_of, None
        text = self._text(term)
        self._place_of = place_of
        return f"({name}[0] if {name} else kept({name}, {text}))"

    def _text(self, term: Term) -> str:
        match term:
            case Slot():
                return f"l{term.number}"
            case Local() | Bound():
                return term.name
            case Const():
                return _plain(term.value)
            case Cell(base=base, place=place):
                at = str(place) if base is None else f"{self.text(base)}+{place}" if place else self.text(base)
                return f"{self.text(term.state)}[{at}]"
            case State():
                return "S"
            case Member():
                return f"{self.text(term.of)}[{self.text(term.at)}]"
            case Behind():
                return f"{self.text(term.of)}[1:]"
            case Call():
                default = "" if term.default is None else f", default={self.text(term.default)}"
                return f"{term.name}({self.listed(term.args)}{default})"
            case Apply():
                self.asked[term.function.name] = term.function
                return f"{term.function.name}({self.listed(operands(term))})"
            case Itself():
                self.asked[term.function.name] = term.function
                return term.function.name
            case Infix():
                first, *rest = self.texts(term.parts)
                more = [f" {operator} {part}" for operator, part in zip(term.operators, rest, strict=True)]
                return f"({first}{''.join(more)})"
            case And():
                return f"({' and '.join(self.texts(term.parts))})"
            case Or():
                return f"({' or '.join(self.texts(term.parts))})"
            case Not():
                return f"(not {self.text(term.of)})"
            case Minus():
                return f"-{self.text(term.of)}"
            case IfElse():
                return f"({self.text(term.value)} if {self.text(term.test)} else {self.text(term.other)})"
            case Tuple():
                return f"({self.listed(term.parts)},)" if term.parts else "()"
            case Spread():
                return f"*{self.text(term.of)}"
            case SetOf():
                return f"{{{self.listed(term.parts)}}}"
            case Lambda():
                return f"(lambda {', '.join(term.names)}: {self.text(term.body)})"
            case Gather():
                self._inside += 1
                loop = f"{self.text(term.value)} for {', '.join(term.names)} in {self.text(term.items)}"
                inner = "" if term.inner is None else f" for {term.one} in {self.text(term.inner)}"
                test = "" if term.test is None else f" if {self.text(term.test)}"
                self._inside -= 1
                return f"{_OPEN[term.kind]}{loop}{inner}{test}{_CLOSE[term.kind]}"
        raise TypeError(type(term).__name__)

    def texts(self, terms: Iterable[Term]) -> list[str]:
        return [self.text(term) for term in terms]

    def listed(self, terms: Iterable[Term]) -> str:
        return ", ".join([self.text(term) for term in terms])

    # ---- statements
    def act(self, act: Act) -> list[str]:
        """Return a statement of a procedure as lines of Python."""
        match act:
            case Set():
                return [f"l{act.sets} = {self.text(act.value)}"]
            case Keep():
                return [f"l{act.sets} = tuple(S)"]
            case SetCell():
                return [f"{self.text(Cell(STATE, act.base, act.place))} = {self.text(act.value)}"]
            case SetEach():
                each = self.text(EACH)
                return [
                    f"for {each} in {self.text(act.things)}:",
                    f"{INDENT}if {each} >= 0: S[{each}+{act.place}] = {self.text(act.value)}",
                ]
            case Effect():
                return [self.text(act.call)]
            case ChangeBags():
                return [f"change_bags(S, {self.engine}.places({act.key}, S), {self.text(act.change)})"]
            case Follow():
                names = self.text(NAMES_LENT)
                return [f"if {names}: {names} = {self.text(act.value)}"]
            case Make():
                made = f"l{act.sets}"
                given = zip(act.places, self.texts(act.values), strict=True)
                return [
                    f"{made} = len(S)",
                    f"S.extend({self.text(act.cells)})",
                    f"S[{made}+{ORIGIN}] = ({self.text(act.line)}, {self.text(act.source)})",
                    *[f"S[{made}+{place}] = {value}" for place, value in given],
                    f"S[0] = roomy((*S[0], {made}))",
                ]
            case TakeBack():
                names = self.text(NAMES_LENT)
                return [f"l{act.sets} = {names}", f"{names} = l{act.sets}[0]"]
            case Told():
                return [f"N.append(({self.listed((act.about, *act.values))},))"]
            case Lend():
                return self.act(act.act(lambda _: False, True))
        raise TypeError(type(act).__name__)

    def function(self, of: Function) -> str:
        """Return the definition of a function of terms."""
        given = (["S"] if of.of_state else []) + [p for p, used in zip(of.params, of.used, strict=True) if used]
        return "\n".join([f"def {of.name}({', '.join(given)}):", *self._lines(of.body, INDENT)])

    def _lines(self, body: Sequence[Line], indent: str) -> list[str]:
        made: list[str] = []
        for line in body:
            match line:
                case Let():
                    made.append(f"{indent}{line.name} = {self.text(line.value)}")
                case When():
                    made.append(f"{indent}if {self.text(line.test)}:")
                    made += self._lines(line.then, indent + INDENT)
                    if line.other:
                        made.append(f"{indent}else:")
                        made += self._lines(line.other, indent + INDENT)
                case Told():
                    made += [indent + text for text in self.act(line)]
                case Judge():
                    made += [indent + text for text in self._judged(line)]
                case Give():
                    made.append(f"{indent}return {self.text(line.value)}")
        return made

    def _judged(self, e: Judge) -> list[str]:
        need, change, dice, best, again = self.texts((e.need, e.change, e.dice, e.best, e.again))
        made = [f"mask = succeeding({e.sides}, {e.over}, {e.always}, {e.never}, {need}, {change})"]
        if e.verdict is not None:
            verdict = self.text(e.verdict)
            made.append(f"if {verdict} is not None: mask = {(1 << (e.sides + 1)) - 2} if {verdict} else 0")
        return [*made, f"return ({e.sides}, mask, {dice}, {best}, {again}, {need} is not None)"]


def _plain(value: Any) -> str:
    if isinstance(value, frozenset):
        return f"{{{', '.join(map(_plain, sorted(value)))}}}"
    return repr(value)


def source_of(functions: Iterable[Function], known: set[str]) -> list[str]:
    """Return the definitions of functions and of all that they call, except those named in `known`, to which they are
    added.
    """
    made, left = list[str](), list(functions)
    while left:
        one = left.pop()
        if one.name not in known:
            known.add(one.name)
            printer = Printer()
            made.append(printer.function(one))
            left += printer.asked.values()
    return made
