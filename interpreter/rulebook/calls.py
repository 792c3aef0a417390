"""Checks a sentence that calls a procedure: `A shoots at B`.

Input: its syntax. Output: the call with its arguments converted to the parameter types, or a problem that shows the
correct form.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix
from interpreter.vocabulary.types import ANY, DICE, Type

from . import typed as t
from .book import SAID_BY_THE_GRAMMAR, verb_forms
from .expressions import Expressions
from .moments import SPANS
from .scope import Scope
from .symbols import Procedure

_COUNTED = {"pass": "passing", "fail": "failing", "meet": "meeting", "miss": "missing"}


def _counting(verb: str, of: Type) -> str | None:
    """The participle for counting, for a verb such as `meet`: `meeting` for dice that are already thrown, else
    `passing`, which throws a die for each. None for another verb.
    """
    word = next((counting for name, counting in _COUNTED.items() if verb in verb_forms(name)), None)
    thrown = {"meeting": "passing", "missing": "failing"}
    return word if word is None or of == DICE else thrown.get(word, word)


class Calls:
    """Checks calls of procedures as sentences: `check` returns the call with its arguments converted to the parameter
    types, or reports the correct sentence.
    """

    def __init__(self, expressions: Expressions) -> None:
        self.expressions, self.expect, self.env = expressions, expressions.expect, expressions.env
        self.problems = self.env.problems

    def check(self, node: n.Does, at: Scalar, scope: Scope) -> t.Expr | None:
        """Check the call; return None or a literal of type `any` if it is wrong, after reporting it."""
        subject = self.expect.expr(node.subject, at, scope)
        procedure = self._verb(node.verb.text)
        if procedure is None:
            known = [f for p in self.env.book.procedures.values() if p.table is None for f in verb_forms(p.name)]
            known += SAID_BY_THE_GRAMMAR
            if {word for name in self.problems.lost for word in verb_forms(name)} & {node.verb.text}:
                return t.Lit(None, type=ANY)
            gone = (x for name, x in self.problems.removed.items() if node.verb.text in verb_forms(name))
            if (label := next(gone, None)) is not None:
                self.problems.removed[node.verb.text] = label
            if subject.type.name != "thing" and (counting := _counting(node.verb.text, subject.type)):
                self._report_counting(node, at, counting)
                return t.Lit(None, type=ANY)
            verbs = [verb_forms(p.name)[1] for p in self.env.book.procedures.values() if p.table is None]
            hint = "the procedures of this game: " + ", ".join(verbs[:12]) + (", …" if len(verbs) > 12 else "")
            self.expressions.unknown.tell(node.verb.text, at, node.verb, "procedure", known, hint if verbs else None)
            return t.Lit(None, type=ANY)
        given = {p.word: p.value for p in node.prepositional}
        plain = list(node.args)
        args: list[t.Expr] = []
        for index, param in enumerate(procedure.params):
            if index == 0:
                args.append(self.expect.fitting(subject, param.type, at, node.subject))
            elif param.word is not None and param.word in given:
                args.append(self.expect.argument(param.type, given.pop(param.word), at, scope))
            elif param.word is None and plain:
                args.append(self.expect.argument(param.type, plain.pop(0), at, scope))
            else:
                self._usage(procedure, node, at)
                return t.Lit(None, type=ANY)
        if plain or given:
            self._usage(procedure, node, at)
        return t.Call(procedure, tuple(args), type=Type("record", procedure))

    def _report_counting(self, node: n.Does, at: Scalar, instead: str) -> None:
        """Report `hits meet save`, where a count was meant: `hits meeting save`."""
        verb, span = node.verb.text, at.at(node.verb.start, node.verb.end)
        fix = Fix(span, instead, False, f"write `{instead}`")
        hint = f"did you mean `{instead}`? It counts those that do"
        self.problems.add("N001", span, about=verb, name=verb, what="procedure", hint=hint, fix=fix)

    def _verb(self, word: str) -> Procedure | None:
        for procedure in self.env.book.procedures.values():
            if procedure.table is None and word in verb_forms(procedure.name):
                return procedure
        return None

    def _usage(self, procedure: Procedure, node: n.Does, at: Scalar) -> None:
        args = sorted((*node.args, *(p.value for p in node.prepositional)), key=lambda each: each.start)
        complete = len(args) == len(procedure.params) - 1
        names = (
            [at.text[each.start : each.end] for each in args] if complete else [p.name for p in procedure.params[1:]]
        )
        subject = at.text[node.subject.start : node.subject.end] if complete else procedure.params[0].name
        by_parameter = dict(zip(procedure.params[1:], names, strict=True))
        plain = ", ".join(name for p, name in by_parameter.items() if p.word is None)
        others = [f"{p.word} {name}" for p, name in by_parameter.items() if p.word is not None]
        instead = " ".join([subject, verb_forms(procedure.name)[1], *([plain] if plain else []), *others])
        span = at.at(node.start, node.end)
        fix = Fix(span, instead, False, f"write `{instead}`") if complete else None
        self.problems.add("T009", span, verb=node.verb.text, hint=f"say `{instead}`", fix=fix)


def table_span(node: n.Does, scope: Scope) -> str:
    """The name of the built-in span that `turn begins` or `turn ends` refers to; empty if it is another sentence."""
    path, verb = node.subject, node.verb.text
    name = path.parts[0].name if isinstance(path, n.Path) and len(path.parts) == 1 else ""
    if name not in SPANS or verb not in ("begins", "ends") or node.args or node.prepositional:
        return ""
    return name if scope.name(name) is None else ""
