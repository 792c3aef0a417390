"""Resolves names in sentences (earlier lines, open cards, table words, functions) and the paths after them.

Input: paths. Output: typed expressions; an ambiguous name is a problem that shows both spellings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Source, suggest
from interpreter.source.values import replace
from interpreter.vocabulary.operations import FUNCTIONS, fitting, sentence
from interpreter.vocabulary.types import ANY, DICE, FACES, NUMBER, TRUTH, Type

from . import typed as t
from .construct import op, zero
from .definitions import closest
from .environment import Environment
from .expected_types import ExpectedTypes, sums
from .members import Members
from .run_conditions import RunConditions, named_deeds
from .run_flags import flag_of
from .scope import Scope, ambiguity_hint
from .sentences import meaning
from .sheets import LineVisibility, visibility_at
from .symbols import NEEDED, Kind, Procedure, Table

_OF_DICE = {"max": "highest", "min": "lowest"}


def _nearest_line(name: str, lines: Iterable[str]) -> list[str]:
    """The lines whose last part is similar to `name`."""
    every: dict[str, str] = {}
    for line in lines:
        every.setdefault(line.split(".")[-1], line)
    return [every[word] for word in closest(name, every)]


def _several(scope: Scope) -> Mapping[t.Variable, Sequence[t.Expr]]:
    runs = scope.all_runs()
    return runs.several if runs is not None else {}


def _is_line(of: t.Expr, scope: Scope) -> bool:
    """Return whether an expression is a line with a value: of this procedure or of a call."""
    if not isinstance(of, t.Var):
        return isinstance(of, t.Field)
    lines = {line for lines in scope.all_lines() for line in lines.all().values()}
    return of.variable in lines or of.variable in _several(scope)


class Names:
    """Resolves paths: the first name by the scope of its sentence, those behind a dot by `Members`."""

    def __init__(self, env: Environment, expect: ExpectedTypes, members: Members) -> None:
        self.book, self.problems = env.book, env.problems
        self.expect, self.members = expect, members
        self.definitions, self.cards, self.unknown = members.definitions, members.cards, members.unknown

    def path(self, node: n.Path, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        first_name = node.parts[0].name
        runs = scope.all_runs() if scope.name(first_name) is None else None
        line = None
        if runs is not None and first_name in self.book.rules:  # the name of a rule means all of its runs
            line = self._run(node, at, scope, runs)
        if line is None:
            line = self._line(node, at, scope)
        if line is None and scope.record is not None and scope.name(node.parts[0].name) is None:
            line = self._line_of_record(scope.record, node, at, scope)
        if line is None and runs is not None:
            line = self._run(node, at, scope, runs)
        if line is None and runs is not None and not any(self.cards.has(card, first_name) for card, _ in scope.cards()):
            line = runs.report_missing_line(node, at)
        if line is not None:
            return line
        first = self._first(node.parts[0], at, scope, want, alone=len(node.parts) == 1)
        meaning(at, node.parts[0], first)
        return self.members.follow(first, node.parts[1:], at, scope)

    def _run(self, node: n.Path, at: Scalar, scope: Scope, runs: Any) -> t.Expr | None:
        """A line of the rules by its full address, followed by members of its value."""
        named = runs.line(node, at)
        return self.members.follow(named[0], node.parts[named[1] :], at, scope) if named is not None else None

    def _line_of_record(self, record: t.Expr, node: n.Path, at: Scalar, scope: Scope) -> t.Expr | None:
        lines, words, visibility = (
            self.definitions.lines_of(record.type.of),
            [part.name for part in node.parts],
            self._visibility(at),
        )
        if not any(lines.find(".".join(words[:size]), visibility) for size in range(1, len(words) + 1)):
            return None
        return self.members.follow(record, node.parts, at, scope)

    def _line(self, node: n.Path, at: Scalar, scope: Scope) -> t.Expr | None:
        """An earlier line: the longest prefix that is an address, followed by members of its value."""
        names = []
        for part in node.parts:
            if part.args is not None:
                break
            names.append(part.name)
        if not names:
            return None
        if scope.name(names[0]) is not None:
            return None
        visibility = self._visibility(at)
        for lines in scope.all_lines():
            if names[0] not in lines.words or lines.is_row(names):
                continue
            for size in range(len(names), 0, -1):
                found = lines.nearest(".".join(names[:size]), visibility)
                if len(found) > 1:  # blocks have no value
                    found = [f for f in found if lines[f].type.name != "block"]
                if len(found) > 1:
                    part = node.parts[size - 1]
                    hint = ambiguity_hint(found, lines.shared)
                    about = f"{names[0]}: {hint}"  # so that a repetition is the same problem
                    self.problems.add("N002", at.at(part.start, part.end), about=about, name=names[0], hint=hint)
                    return t.Lit(0, type=ANY)
                if found:
                    variable = lines[found[0]]
                    if variable.type.name == "block":
                        continue
                    self._report_clash(node.parts[0], at, scope, size, lines.givers.get(found[0], ()))
                    line = meaning(at, node.parts[size - 1], t.Var(variable, type=variable.type))
                    return self.members.follow(line, node.parts[size:], at, scope)
            if (deed := lines.deed(names, visibility)) and not any(
                self.cards.has(c, names[0]) for c, _ in scope.cards()
            ):
                self.members.report_deed(node.parts[deed - 1], at)
                return t.Lit(0, type=ANY)
            if len(names) == 1 and visibility is not None and not visibility.sees(lines.givers.get(names[0])):
                continue
            inside = [a for a in lines.by_address if a.startswith(names[0] + ".")]
            through, size = lines.find_by_words(names)
            if len(through) == 1:
                variable = lines[through[0]]
                line = meaning(at, node.parts[size - 1], t.Var(variable, type=variable.type))
                return self.members.follow(line, node.parts[size:], at, scope)
            if inside and not any(self.cards.has(card, names[0]) for card, _ in scope.cards()):
                last = node.parts[1] if len(names) > 1 else node.parts[0]
                known = [a.removeprefix(names[0] + ".") for a in inside] if len(names) > 1 else []
                what = f"line of {names[0]}" if len(names) > 1 else "single line"
                said = [f"`{a}`" for a in inside if lines.by_address[a].type.name != "block"]
                hint = (
                    f"say which of its lines: {', '.join(said[:4])}" if said else "none of its lines is worth anything"
                )
                self.unknown.tell(last.name, at, last, what, known, hint)
                return t.Lit(0, type=ANY)
        return None

    def _report_clash(self, part: n.Part, at: Scalar, scope: Scope, size: int, givers: Iterable[Source]) -> None:
        """Report a line with the name of a member of an open card. If a later file declared that member, the problem is
        reported there, once, because its author cannot rename the line.
        """
        if size > 1:
            return
        for card, name in scope.cards():
            if self.cards.has(card, part.name):
                other, span = f"`{name}.{part.name}`" if name else "", at.at(part.start, part.end)
                declared = self.cards.declared(card, part.name)
                if declared is not None and self.book.history.lies_strictly_over(declared.span.source, givers):
                    others = [Label(span, "here it is a line")]
                    hint = "a line of the rules below is called so already: give this another name"
                    self.problems.add("N002", declared.span, name=part.name, others=others, hint=hint)
                else:
                    hint = f"the line or {other}? give the line another name"
                    self.problems.add("N002", span, name=part.name, hint=hint)
                return

    def _first(self, part: n.Part, at: Scalar, scope: Scope, want: Type | None, alone: bool) -> t.Expr:
        """Resolve the first part of a path that is not a line."""
        name = part.name
        if part.args is None:
            found = scope.name(name)
            if found is not None:
                return replace(found)  # a copy, because each use has its own source position
        if want is not None and want.name == "row" and part.args is None and isinstance(want.of, Table):
            if name in want.of.rows and alone:
                return t.Lit(want.of.rows[name].index, type=want)
        value = self.book.values.get(name)
        if value is not None and value.subject is None:
            return self.members.call_value(None, value, part.args or (), at, part, scope)
        cards = [(c, said) for c, said in scope.cards() if self.cards.has(c, name)]
        if part.args is not None:
            made = self._call(part, at, scope, cards)
            if made is not None:
                return made
        if len(cards) > 1:
            return self._report_two_cards(part, at, cards)
        if cards:
            return self.members.member(cards[0][0], part, at, scope)
        if part.args is None:
            made = self._global(name, want)
            if made is not None:
                return made
        if part.args is None and (things := scope.things()) and name[:1].isupper():
            self.unknown.tell(name, at, part, "thing", things)
        elif part.args is None and len(self.book.words.get(name, ())) > 1:
            self._report_two_tables(part, at)
        elif part.args is None:
            said = "`it` is the item that a `where` speaks of: there is none here" if name == "it" else None
            done = self._sayable_lines(scope)
            if (deeper := [a for a in done if a.split(".")[-1] == name]) and not self.unknown.elsewhere(name, ()):
                said = "a line of what that line calls: say " + " or ".join(f"`{a}`" for a in deeper[:2])
                self.unknown.tell(name, at, part, "line of what is done", [], said)
                return t.Lit(0, type=ANY)
            if (runs := scope.all_runs()) is not None and (advice := self._run_hint(name, runs)) is not None:
                self.unknown.tell(name, at, part, "line with a value", [], advice)
                return t.Lit(0, type=ANY)
            line = name
            if name.startswith("from-") and (behind := re.compile(r"\.[\w-]+").match(at.text, part.end)):
                line += behind.group()
            if scope.things() and (where := self._lines_called(line)):
                said = (
                    f"a line of {' and of '.join(f'`{w}`' for w in where[:3])}: it can be asked where `do:` does that"
                )
                only = self.book.procedures[where[0]]
                if len(where) == 1 and only.table is not None:
                    said = self.members.row_lines(only, name, scope)
                elif (runs := scope.all_runs()) is not None and (sayable := runs.whole(where, line)):
                    said = "a line of what is done: say " + " or ".join(f"`{a}`" for a in sayable[:3])
                self.unknown.tell(name, at, part, "line of what is done", [], said)
                return t.Lit(0, type=ANY)
            known: Iterable[str] = [*self.unknown.sayable(scope), *done]
            if scope.all_runs() is not None and (near := _nearest_line(name, done)):
                span = at.at(part.start, part.end)
                self.problems.add("N001", span, name=name, what="line, value or word", **suggest(span, near))
                return t.Lit(0, type=ANY)
            elif strange := self._foreign_line_hint(name, at, scope):
                said, known = strange, ()
            elif any(name in lines.named for lines in scope.all_lines()):
                said, known = f"a line speaks of what is before it, and `{name}` is worked out only here or later", ()
            elif want is not None and want.name == "row" and isinstance(want.of, Table) and alone:
                rows = list(want.of.rows)
                if not self.unknown.elsewhere(name, ()):
                    said = f"rows of {want.of.name}: " + ", ".join(rows[:8]) + (", …" if len(rows) > 8 else "")
            said = said or self._undeclared_hint(name, scope)
            self.unknown.tell(name, at, part, "line, value or word", known, said, scope)
        else:
            book = self.book
            tables = [p.name for p in book.procedures.values() if p.table]
            known = [*book.values, *book.facts, *book.rolls, *tables, *FUNCTIONS]
            asked = name == NEEDED and len(part.args) == 1
            hint = (
                f"it stands behind the roll: `{at.text[part.args[0].start : part.args[0].end]}.{NEEDED}`"
                if asked
                else None
            )
            self.unknown.tell(name, at, part, "value, roll, fact or function", known, hint, scope)
            for arg in part.args:
                self.expect.expr(arg, at, scope)
        return t.Lit(0, type=ANY)

    def _visibility(self, at: Scalar) -> LineVisibility | None:
        return visibility_at(self.book.history, at.span)

    def _run_hint(self, name: str, runs: Any) -> str | None:
        """In a question: a hint for the name of a procedure, a rule, or a line without a value; None for other names.
        """
        if runs is None:
            return None
        if (below := runs.lines_below(name)) is not None and not self.book.words.get(name):
            what = "a procedure" if name in self.book.procedures else "a rule"
            asked = " or ".join(f"`{line}`" for line in below[:3])
            return (
                f"`{name}` is {what}: ask one of its lines, {asked}"
                if below
                else f"`{name}` is {what}, and nothing of it is worked out here"
            )
        for deed in runs.all_deeds():
            if deed.endswith(f".{name}"):
                return f"`{name}` does something and is worth nothing: ask `ran({deed})`, or what it changed"
        return None

    def _foreign_line_hint(self, name: str, at: Scalar, scope: Scope) -> str | None:
        """A hint for a line of a file that the current file does not name."""
        visibility = self._visibility(at)
        for lines in scope.all_lines() if visibility is not None else ():
            for address in lines.find(name):
                giver = next(
                    (g for g in lines.givers.get(address, ()) if visibility is not None and not visibility.sees((g,))),
                    None,
                )
                if giver is not None:
                    sheet = self.book.history.files[giver]
                    known = f"`over: … + {sheet.name}` makes it known"
                    return f"a line of {sheet.name}, which this file does not name: {known}"
        return None

    def _undeclared_hint(self, name: str, scope: Scope) -> str | None:
        """A hint to declare a new word, if no symbol resembles it and a card is open."""
        card = next((c.type.of for c, _ in scope.cards() if isinstance(c.type.of, Kind)), None)
        if card is None or scope.things() or not name.islower() or self.unknown.elsewhere(name, ()):
            return None
        return (
            f"a new word is declared first, as `mark {name} of {card.name}:` or `fact {name} of {card.name}: yes or no`"
        )

    def _sayable_lines(self, scope: Scope, deep: int = 3) -> list[str]:
        """In a situation: the lines of its one call that can be named, and of nested calls, up to `deep` levels."""
        found: dict[str, None] = {}
        level: list[tuple[str, tuple[Procedure, ...]]] = []
        if scope.record is not None:
            level = [("", (scope.record.type.of,))]
        while level and deep:
            deep -= 1
            following = []
            for lead, calls in level:
                for address, line in self.definitions.lines_of(calls[-1]).by_address.items():
                    spelling = lead + address.split(".")[-1]
                    if line.type.name != "block" and not spelling.endswith("?"):
                        found.setdefault(spelling)
                    if line.type.name == "record" and line.type.of not in calls:  # odds cannot read into recursion
                        following.append((spelling + ".", (*calls, line.type.of)))
            level = following
        return list(found)

    def _lines_called(self, name: str) -> list[str]:
        """The names of procedures with a line of this name."""
        return [p.name for p in self.book.procedures.values() if self.definitions.lines_of(p).find(name)]

    def _global(self, name: str, want: Type | None) -> t.Expr | None:
        book = self.book
        if name in book.rulings:
            return t.RulingOf(book.rulings[name], type=book.rulings[name].type)
        if name in book.plurals:
            kind = book.plurals[name]
            if not kind.counted:
                return t.All(kind, None, type=Type("things", kind))
            return None
        if name in book.tables:
            return t.TableRows(book.tables[name], type=Type("rows", book.tables[name]))
        tables = book.words.get(name, [])
        if len(tables) == 1:
            return t.Lit(tables[0].rows[name].index, type=Type("row", tables[0]))
        return None

    def _report_two_tables(self, part: n.Part, at: Scalar) -> None:
        """Report a word that is a row of several tables, without a context that selects one."""
        tables = self.book.words[part.name]
        others = [Label(t.rows[part.name].where.span, f"a row of {t.name}") for t in tables[:2]]
        asked = " or ".join(f"`… is {part.name}` of what has a row of {t.name}" for t in tables[:2])
        hint = f"which is meant shows where it is compared, {asked}; here one of them needs another name"
        self.problems.add("N002", at.at(part.start, part.end), name=part.name, others=others, hint=hint)

    def _report_two_cards(self, part: n.Part, at: Scalar, cards: list[tuple[t.Expr, str]]) -> t.Expr:
        hint = "say " + " or ".join(f"`{card}.{part.name}`" for _, card in cards)
        about = f"{part.name}: {hint}"
        self.problems.add("N002", at.at(part.start, part.end), about=about, name=part.name, hint=hint)
        return t.Lit(0, type=ANY)

    def _call(self, part: n.Part, at: Scalar, scope: Scope, cards: list[tuple[t.Expr, str]]) -> t.Expr | None:
        """`name(args)`: a built-in function; or a value, fact, roll or table, of its first argument or of an
        open card.
        """
        args = part.args or ()
        name = part.name
        if name == "ran":
            return self._ran(part, at, scope)
        if name in FUNCTIONS:
            return self._function(part, at, scope)
        if (wanted := self._arity(name)) is not None and len(args) == wanted + 1:
            subject = self.expect.expr(args[0], at, scope)
            if subject.type.name == "any":
                return t.Lit(0, type=ANY)
            return self.members.member(subject, n.Part(part.start, part.end, name, args[1:] or None), at, scope)
        if len(cards) > 1:
            return self._report_two_cards(part, at, cards)
        return self.members.member(cards[0][0], part, at, scope) if cards else None

    def _arity(self, name: str) -> int | None:
        """The number of arguments of a value, fact, roll or outcome table besides its subject; None for other names."""
        book = self.book
        symbol = book.facts.get(name) or book.values.get(name) or book.rolls.get(name)
        if symbol is not None:
            return len(symbol.params)
        procedure = book.procedures.get(name)
        return len(procedure.params) - 1 if procedure is not None and procedure.table else None

    def _ran(self, part: n.Part, at: Scalar, scope: Scope) -> t.Expr:
        """`ran(…)`: whether a line above in the procedure, or a line of a call, ran."""
        of = self._ran_argument(part.args[0], at, scope) if len(part.args or ()) == 1 and part.args else None
        if of is not None and of.type.name == "any":
            return t.Lit(False, type=ANY)
        deed = isinstance(of, t.Var) and of.type.name == "block"
        if of is None or not (deed or _is_line(of, scope)):
            found = of.type.words() if of is not None else f"{len(part.args or ())} things"
            self.problems.add("T003", at.at(part.start, part.end), name="ran", found=found, hint=sentence("ran"))
            return t.Lit(False, type=ANY)
        return self._ran_condition(of, scope) or t.Lit(True, type=TRUTH)

    def ran(self, of: t.Expr, scope: Scope) -> t.Expr | None:
        """Return the condition that the line behind an expression ran; None for always, and for other expressions."""
        return self._ran_condition(of, scope) if _is_line(of, scope) else None

    def _ran_condition(self, of: t.Expr, scope: Scope) -> t.Expr | None:
        flags = self.definitions.found.flags
        conditions = RunConditions(
            self.definitions, lambda line: flags.setdefault(line, flag_of(line)), several=_several(scope)
        )
        return conditions.ran(of)

    def _ran_argument(self, node: n.Node, at: Scalar, scope: Scope) -> t.Expr:
        """The argument of `ran(…)`: a line, with or without a value, or a block of lines."""
        if not isinstance(node, n.Path) or len(node.plain_names) < len(node.parts) or scope.name(node.parts[0].name):
            return self.expect.expr(node, at, scope)
        names, runs = node.plain_names, scope.all_runs()
        of_runs = runs is not None and names[0] in self.book.rules
        found = named_deeds(self.definitions, names, scope, self._visibility(at)) if not of_runs else {}
        if not found and runs is not None:
            found = runs.deeds(node, at)
        if len(found) > 1:
            hint = "say " + " or ".join(f"`{address}`" for address in found)
            self.problems.add("N002", at.at(node.start, node.end), name=".".join(names), hint=hint)
            return t.Lit(0, type=ANY)
        return next(iter(found.values())) if found else self.expect.expr(node, at, scope)

    def _function(self, part: n.Part, at: Scalar, scope: Scope) -> t.Expr:
        numbers = any(row.numbers for row in FUNCTIONS[part.name])
        counted = NUMBER if numbers else None
        args = [self.expect.expr(a, at, scope, counted if sums(a) else None) for a in part.args or ()]
        if any(a.type.name == "any" for a in args):
            return t.Lit(0, type=ANY)
        if len(args) == 1 and args[0].type in (DICE, FACES) and (of_dice := _OF_DICE.get(part.name)):
            place = at.at(part.start, part.start + len(part.name))
            fix = Fix(place, of_dice, False, f"write `{of_dice}`")
            got, hint = args[0].type.words(), f"of the faces of dice it is said `{of_dice}(…)`"
            self.problems.add("T003", at.at(part.start, part.end), name=part.name, found=got, hint=hint, fix=fix)
            return t.Lit(0, type=ANY)
        nodes_ = part.args or ()
        if numbers and not (len(args) == 1 and args[0].type.name in ("rows", "list")):
            of_rows = (
                fitting(part.name, tuple(a.type for a in args)) if all(a.type.name == "row" for a in args) else None
            )
            if of_rows is not None:
                return op(of_rows[0].name, tuple(args), of_rows[1]) if len(args) > 1 else args[0]
            args = [self.expect.as_number(a, at, x) for a, x in zip(args, nodes_, strict=True)]
            kinds = {a.type.name for a in args if not zero(a)}
            if {"inches", "number"} <= kinds:
                self.problems.add(
                    "T002", at.at(part.start, part.end), left="inches", right="a number", hint='inches are written `6"`'
                )
                return t.Lit(0, type=ANY)
            if self.expect.report_mixed_dice(part, at, *args):
                return t.Lit(0, type=ANY)
        made = fitting(part.name, tuple(a.type for a in args))
        if made is None:
            got = ", ".join(a.type.words() for a in args)
            hint = sentence(part.name)
            if part.name == "sum" and [a.type.name for a in args] in (["figures"], ["things"]):
                text = at.text[nodes_[0].start : nodes_[0].end]
                hint = f"as many as they are is said without `sum`: `{text}`; {hint}"
            self.problems.add("T003", at.at(part.start, part.end), name=part.name, found=got, hint=hint)
            return t.Lit(0, type=ANY)
        row, type_ = made
        return op(row.name, tuple(args), type_)
