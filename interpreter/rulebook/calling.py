"""One sentence that calls a procedure, or is worth something; its value goes by the address of its line.

Enters: the syntax of a line. Leaves: its steps. What else a sentence can do, and blocks of sentences, are checked by
blocks.py, which is read when one is met: most situations have a call alone.
"""

from __future__ import annotations

from interpreter.document.nodes import Entry, Scalar
from interpreter.language import nodes as n
from interpreter.vocabulary.types import ANY, NONE, Type

from . import typed as t
from .construct import absent, fill
from .moments import SPANS
from .scope import Scope
from .symbols import LineInfo, Procedure
from .verbs import verb_forms
from .work import Steps, Work


class Calling(Work):
    def line_body(
        self, text: Scalar, address: str, info: LineInfo, scope: Scope, shared: t.Variable | None = None
    ) -> tuple[Steps, t.Variable | None]:
        """Steps of one sentence; its value goes to the variable of its address (or to `shared`)."""
        node = self.c.env.sentences.read(text, "line", n.Line)
        if node is None:
            if scope.lines is not None and shared is None:
                scope.lines.add(address, t.Variable(address, ANY))
            return [], None
        steps, value = self.action(node.action, text, info, scope)
        if value is None:
            if scope.lines is None:
                return steps, None
            if shared is None:
                scope.lines.did(address)
            return [t.Done(scope.lines.does(address), line=info), *steps], None
        variable = shared if shared is not None else t.Variable(address, value.type)
        self.c.dice.keep(variable, value)
        if shared is not None:
            if shared.type == NONE:
                shared.type = value.type
            elif shared.type != value.type:
                stand_in = t.Lit(absent(shared.type), type=shared.type)
                shared.type = self.c.expect.unify(stand_in, value, text, node.action)
            value = fill(value, shared.type)
        elif scope.lines is not None:
            scope.lines.add(address, variable)
        return [*steps, t.Assign(variable, value, line=info)], variable

    def action(self, node: n.Node, at: Scalar, info: LineInfo, scope: Scope) -> tuple[Steps, t.Expr | None]:
        """What a sentence does, and what it is worth."""
        if isinstance(node, n.Does) and not of_the_table(node, scope):
            return [], self.does(node, at, scope)
        if isinstance(node, n.Expr):
            return [], self.c.expr(node, at, scope)
        return self._with_all().action(node, at, info, scope)

    def block(self, entries: list[tuple[Entry, str]], scope: Scope, prefix: str) -> Steps:
        return self._with_all().block(entries, scope, prefix)

    def _with_all(self) -> Calling:
        """The same work, with all that there is to know of lines."""
        from .blocks import Blocks

        return Blocks(self.c, self.symbol, self.scope, self.definition)

    def does(self, node: n.Does, at: Scalar, scope: Scope) -> t.Expr | None:
        subject = self.c.expr(node.subject, at, scope)
        procedure = self._verb(node.verb.text)
        if procedure is None:
            known = [f for p in self.c.env.book.procedures.values() if p.table is None for f in verb_forms(p.name)]
            known += ["gains", "loses", "becomes", "leaves", "moves", "picks", "passes", "fails", "wishes"]
            if {word for name in self.problems.lost for word in verb_forms(name)} & {node.verb.text}:
                return t.Lit(None, type=ANY)
            gone = (x for name, x in self.problems.removed.items() if node.verb.text in verb_forms(name))
            if (label := next(gone, None)) is not None:
                self.problems.removed[node.verb.text] = label
            counting = {"pass": "passing", "fail": "failing", "meet": "meeting", "miss": "missing"}
            if subject.type.name != "thing" and (word := counting.get(node.verb.text.rstrip("es"))):
                known, said = [], f"did you mean `{word}`? It throws a die for each"
                self.c.unknown.tell(node.verb.text, at, node.verb, "procedure", known, said)
                return t.Lit(None, type=ANY)
            verbs = [verb_forms(p.name)[1] for p in self.c.env.book.procedures.values() if p.table is None]
            said = "the procedures of this game: " + ", ".join(verbs[:12]) + (", …" if len(verbs) > 12 else "")
            self.c.unknown.tell(node.verb.text, at, node.verb, "procedure", known, said if verbs else None)
            return t.Lit(None, type=ANY)
        given = {p.word: p.value for p in node.prepositional}
        plain = list(node.args)
        args: list[t.Expr] = []
        for index, param in enumerate(procedure.params):
            if index == 0:
                args.append(self.c.expect.fitting(subject, param.type, at, node.subject))
            elif param.word is not None and param.word in given:
                args.append(self.c.expect.argument(param.type, given.pop(param.word), at, scope))
            elif param.word is None and plain:
                args.append(self.c.expect.argument(param.type, plain.pop(0), at, scope))
            else:
                self._usage(procedure, node, at)
                return t.Lit(None, type=ANY)
        if plain or given:
            self._usage(procedure, node, at)
        return t.Call(procedure, tuple(args), type=Type("record", procedure))

    def _verb(self, word: str) -> Procedure | None:
        for procedure in self.c.env.book.procedures.values():
            if procedure.table is None and word in verb_forms(procedure.name):
                return procedure
        return None

    def _usage(self, procedure: Procedure, node: n.Does, at: Scalar) -> None:
        words = [procedure.params[0].name, verb_forms(procedure.name)[1]]
        plain = [p.name for p in procedure.params[1:] if p.word is None]
        words += [", ".join(plain)] if plain else []
        words += [f"{p.word} {p.name}" for p in procedure.params[1:] if p.word]
        self.problems.add("T009", at.at(node.start, node.end), verb=node.verb.text, hint=f"say `{' '.join(words)}`")


def of_the_table(node: n.Does, scope: Scope) -> str:
    """Of which of the table's own spans it is a moment, which come when a line says so: `turn begins`, `turn ends`."""
    path, verb = node.subject, node.verb.text
    name = path.parts[0].name if isinstance(path, n.Path) and len(path.parts) == 1 else ""
    if name not in SPANS or verb not in ("begins", "ends") or node.args or node.prepositional:
        return ""
    return name if scope.name(name) is None else ""
