"""One history: a procedure as one plain Python function, its questions asked of a player object `P`.

Enters: the tree of a procedure. Leaves: Python source of our own making. A traced program also tells the player where
it is. Knows nothing of where dice come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .code import Code, Do, If, Item, Site, Until, While
from .live import unset


class History:
    """Writes one procedure. `constant` gives a value a name; `called` names the function of a procedure."""

    def __init__(
        self, code: Code, traced: bool, constant: Callable[[Any, str], str], called: Callable[[Any], str]
    ) -> None:
        self.code, self.traced = code, traced
        self.constant, self.called = constant, called
        self.out: list[str] = []
        people = [s for s, p in zip(code.params, code.procedure.params, strict=True) if p.type.name != "figure"]
        self.who = "(" + "".join(f"l{s}, " for s in people) + ")"

    def source(self) -> str:
        code = self.code
        given = "".join(f", l{p}" for p in code.params)
        self.put(0, f"def {self.called(code.procedure)}(S, P{given}):")
        for slot in sorted(unset(code)):
            self.put(1, f"l{slot} = {code.first[slot]}")
        self.items(code.items, 1)
        if self.traced:
            self.put(1, "P.notes()")
        found = "".join(f"l{s}, " if s >= 0 else "None, " for s in code.lines.values())
        self.put(1, f"return ({found})")
        return "\n".join(self.out)

    def put(self, depth: int, text: str) -> None:
        self.out += ["    " * depth + line for line in text.split("\n")]

    def items(self, items: Sequence[Item], depth: int) -> None:
        for item in items:
            match item:
                case Do():
                    self.put(depth, item.text)
                case Site():
                    self._site(item, depth)
                case If():
                    self._if(item, depth)
                case While():
                    self.put(depth, f"while {item.test.text}:")
                    self._round(item, depth + 1)
                case Until():
                    self.put(depth, "while True:")
                    self._round(item, depth + 1)
                    self.put(depth + 1, f"if {item.test.text}: break")

    def _round(self, loop: While | Until, depth: int) -> None:
        self.put(depth, f"P.tick({self.constant(loop.line, 'line')})")
        if isinstance(loop, While):
            self.items(loop.first, depth)
        self.items(loop.body, depth)
        self.items(loop.last, depth)

    def _if(self, item: If, depth: int) -> None:
        if item.then:
            self.put(depth, f"if {item.test.text}:")
            self.items(item.then, depth + 1)
            if item.other:
                self.put(depth, "else:")
                self.items(item.other, depth + 1)
        elif item.other:
            self.put(depth, f"if not ({item.test.text}):")
            self.items(item.other, depth + 1)

    def _site(self, site: Site, depth: int) -> None:
        if self.traced:
            self.put(depth, "P.notes()")
        if site.kind == "call":
            self._call(site, depth)
            return
        about = self.constant(site, "site")
        match site.kind:
            case "wish":
                question = f"P.decide({about}, ({site.asks[0]}, {site.asks[1]}), S)"
            case "choose":
                question = f"P.decide({about}, {site.asks[0]}, S)"
            case kind:
                question = f"P.{kind}({about}, {self.who}, {', '.join(site.asks)})"
        self.put(depth, f"l{site.dest} = {question}")

    def _call(self, site: Site, depth: int) -> None:
        """A call; asked of nobody, nothing happens."""
        args = list(site.asks)
        for i in site.unsure:
            self.put(depth, f"a{i} = {args[i]}")
            args[i] = f"a{i}"
        given = "".join(f", {a}" for a in args)
        name = self.called(site.callee)
        if self.traced or site.snapshot >= 0:
            state = f"l{site.snapshot}" if site.snapshot >= 0 else "None"
            call = f"P.call({self.constant(site, 'site')}, {name}, S, {state}{given})"
        else:
            call = f"{name}(S, P{given})"
        known = " and ".join(f"a{i} is not None and a{i} != -1" for i in site.unsure)
        if known:
            nobody = f"P.skipped({self.constant(site, 'site')})" if self.traced else "None"
            call = f"{call} if {known} else {nobody}"
        self.put(depth, f"l{site.dest} = {call}")
