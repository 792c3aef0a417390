"""Terms and statements → Python: the one place where an expression becomes text.

Enters: terms and statements. Leaves: Python source of our own making, never the user's text; and which values and rolls
it asks. Nobody reads or changes what was written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .layout import ORIGIN
from .statements import (
    EACH,
    NAMES_LENT,
    Act,
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
)

INDENT = "    "
_OPEN = {"tuple": "tuple([", "list": "[", "set": "{"}
_CLOSE = {"tuple": "])", "list": "]", "set": "}"}


class Printer:
    """Writes terms; `asked` are the values and rolls that they ask, by name."""

    def __init__(self) -> None:
        self.asked: dict[str, Function] = {}

    def text(self, term: Term) -> str:
        return _HOW[type(term)](self, term)

    def texts(self, terms: Iterable[Term]) -> list[str]:
        return [_HOW[type(term)](self, term) for term in terms]

    def listed(self, terms: Iterable[Term]) -> str:
        return ", ".join([_HOW[type(term)](self, term) for term in terms])

    # ---- leaves
    def _const(self, e: Const) -> str:
        return _plain(e.value)

    def _bound(self, e: Bound) -> str:
        return e.name

    def _slot(self, e: Slot) -> str:
        return f"l{e.number}"

    def _local(self, e: Local) -> str:
        return e.name

    def _state(self, e: State) -> str:
        return "S"

    def _itself(self, e: Itself) -> str:
        self.asked[e.function.name] = e.function
        return e.function.name

    # ---- looking inside
    def _cell(self, e: Cell) -> str:
        at = str(e.place) if e.base is None else f"{self.text(e.base)}+{e.place}" if e.place else self.text(e.base)
        return f"{self.text(e.state)}[{at}]"

    def _member(self, e: Member) -> str:
        return f"{self.text(e.of)}[{self.text(e.at)}]"

    def _behind(self, e: Behind) -> str:
        return f"{self.text(e.of)}[1:]"

    # ---- operations
    def _infix(self, e: Infix) -> str:
        said = [self.text(e.parts[0])]
        for operator, part in zip(e.operators, e.parts[1:], strict=True):
            said += [operator, self.text(part)]
        return f"({' '.join(said)})"

    def _and(self, e: And) -> str:
        return f"({' and '.join(self.texts(e.parts))})"

    def _or(self, e: Or) -> str:
        return f"({' or '.join(self.texts(e.parts))})"

    def _not(self, e: Not) -> str:
        return f"(not {self.text(e.of)})"

    def _minus(self, e: Minus) -> str:
        return f"-{self.text(e.of)}"

    def _ifelse(self, e: IfElse) -> str:
        return f"({self.text(e.value)} if {self.text(e.test)} else {self.text(e.other)})"

    def _tuple(self, e: Tuple) -> str:
        return f"({self.listed(e.parts)},)" if e.parts else "()"

    def _spread(self, e: Spread) -> str:
        return f"*{self.text(e.of)}"

    def _setof(self, e: SetOf) -> str:
        return f"{{{self.listed(e.parts)}}}"

    def _gather(self, e: Gather) -> str:
        said = f"{self.text(e.value)} for {', '.join(e.names)} in {self.text(e.items)}"
        if e.inner is not None:
            said += f" for {e.one} in {self.text(e.inner)}"
        if e.test is not None:
            said += f" if {self.text(e.test)}"
        return _OPEN[e.kind] + said + _CLOSE[e.kind]

    def _lambda(self, e: Lambda) -> str:
        return f"(lambda {', '.join(e.names)}: {self.text(e.body)})"

    # ---- functions
    def _call(self, e: Call) -> str:
        given = self.listed(e.args)
        if e.default is not None:
            given += f", default={self.text(e.default)}"
        return f"{e.name}({given})"

    def _apply(self, e: Apply) -> str:
        self.asked[e.function.name] = e.function
        given = e.args if e.state is None else (e.state, *e.args)
        return f"{e.function.name}({self.listed(given)})"

    # ---- statements
    def act(self, act: Act) -> list[str]:
        """What a statement does, as lines."""
        match act:
            case Set():
                return [f"l{act.slot} = {self.text(act.value)}"]
            case Keep():
                return [f"l{act.slot} = tuple(S)"]
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
            case Follow():
                names = self.text(NAMES_LENT)
                return [f"if {names}: {names} = {self.text(act.value)}"]
            case Make():
                made = f"l{act.slot}"
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
                return [f"l{act.slot} = {names}", f"{names} = l{act.slot}[0]"]
            case Told():
                return [f"N.append(({self.listed((act.about, *act.values))},))"]
            case Lend():
                return self.act(act.act(lambda _: False, True))
        raise TypeError(type(act).__name__)

    def function(self, of: Function) -> str:
        """A value or a roll."""
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


_HOW: dict[type[Term], Callable[[Printer, Any], str]] = {
    of: getattr(Printer, f"_{of.__name__.lower()}")
    for of in (
        *(Const, Bound, Slot, Local, State, Itself, Cell, Member, Behind, Infix, And, Or, Not, Minus, IfElse, Tuple),
        *(Spread, SetOf, Gather, Lambda, Call, Apply),
    )
}


def source_of(functions: Iterable[Function], known: set[str]) -> list[str]:
    """Functions as Python, and those that they ask, each once; `known` are those that need not be written again."""
    made, left = list[str](), list(functions)
    while left:
        one = left.pop()
        if one.name not in known:
            known.add(one.name)
            printer = Printer()
            made.append(printer.function(one))
            left += printer.asked.values()
    return made
