"""Moments: where rules and mark endings attach to a procedure, a line, a move or a gained mark.

Enters: the hooks of a book. Leaves: the hooks of a procedure's moment in page order; problems for moments that do not
exist. Moments on the table (a move, the turn, the battle) need no procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.language import nodes as n
from interpreter.source import Problems, offer

from . import typed as t
from .book import Book
from .definitions import unknown
from .idle_hooks import cases_of, report_idle
from .symbols import Attribute, Hook, MomentDef, Procedure, RuleDef
from .verbs import gerunds, verb_forms

SPANS = ("turn", "battle")  # they begin and end where a line of the rules says so
MOVE = "move"  # it comes with any line that moves somebody
TABLE_MOMENTS = (MOVE, *SPANS)


class Moments:
    def __init__(self, book: Book) -> None:
        self.book = book
        self._by_head: dict[str, list[Hook]] = {}
        for hook in book.hooks:
            self._by_head.setdefault(hook.moment.path.parts[0].name, []).append(hook)

    def at(self, head: str, when: str, rest: str = "") -> list[Hook]:
        """The hooks with `when` (before, after, instead of) at a procedure, or at its line `rest`."""
        found = []
        for hook in self._by_head.get(head, ()):
            if hook.when == when and self._address(hook) == rest:
                found.append(hook)
        return found

    def _address(self, hook: Hook) -> str:
        """The address of a hook's line within its procedure; where several files use it, of the line visible to the
        hook.
        """
        head, *parts = [part.name for part in hook.moment.path.parts]
        asker, history = hook.scalar.span.source, self.book.history
        alike = history.apart.get(".".join((head, *parts)), {})
        heard = [asker] if asker in alike else [giver for giver in alike if history.lies_over(asker, giver)]
        if len(heard) == 1:
            parts.insert(-1, alike[heard[0]])
        return ".".join(parts)

    def several(self, rule: RuleDef) -> bool:
        """Whether a rule may apply at several places of one procedure."""
        heads = [hook.moment.path.parts[0].name for hook in rule.hooks]
        whole = {*self.book.procedures, *self.book.moments}  # these occur once in a procedure
        return (
            len({*heads}) < len(heads)
            or any(head not in whole for head in heads)
            or (len(heads) > 1 and any(head in self.book.moments for head in heads))
        )

    def declared(self, procedure: Procedure, steps: Iterable[t.Step]) -> dict[MomentDef, bool]:
        """The moments of the rule file that a procedure with these steps is, the innermost first, if something waits
        for them; each with whether it is one by its title or by name, and not only by a mark that somebody gains.
        """
        awaited = [m for m in self.book.moments.values() if m.name in self._by_head]
        if not awaited:
            return {}
        gained = {
            s.attribute
            for s in t.by_class(tuple(steps))[t.SetAttr]
            if s.attribute.is_mark and not (isinstance(s.value, t.Lit) and not s.value.value)
        }
        found: dict[MomentDef, bool] = {}
        for moment in sorted(awaited, key=lambda m: len(m.with_inner())):
            said = any(procedure in m.procedures for m in moment.with_inner())
            if said or any(not gained.isdisjoint(m.marks) for m in moment.with_inner()):
                found[moment] = said
        return found

    def of_mark(self, mark: Attribute) -> list[Hook]:
        return [h for h in self._by_head.get(mark.name, ()) if h.when == "after" and h.rule is not None]

    def check(self, problems: Problems, lines_of: Callable[[Procedure], Iterable[str]]) -> None:
        """Report moments that do not exist, and hooks that can attach to nothing."""
        marks = [a.name for k in self.book.kinds.values() for a in k.attributes.values() if a.is_mark]
        known: Iterable[str] = [*self.book.procedures, *TABLE_MOMENTS, *self.book.moments, *marks]
        for hook in self.book.hooks:
            part = hook.moment.path.parts[0]
            if hook.when == "during":
                moment = hook.moment
                problems.add("P014", hook.scalar.at(moment.start, moment.end), label="say before, after or instead of")
            elif part.name not in known:
                name = _as_name(part)
                meant = [p for p in (*self.book.procedures, "move") if part.name in (*verb_forms(p), *gerunds(p))]
                if meant:
                    span = hook.scalar.at(name.start, name.end)
                    problems.add("N001", span, name=name.text, what="procedure or moment", **offer(span, meant))
                else:
                    unknown(problems, hook.scalar, name, "procedure or moment", known)
            elif len(hook.moment.path.parts) > 1 and not hook.used and part.name in self.book.procedures:
                if self._has_line(hook, part, problems, lines_of):
                    report_idle(self.book, hook, problems)
            elif not hook.used or part.name not in self.book.procedures or _without_each(hook):
                report_idle(self.book, hook, problems)

    def _has_line(
        self, hook: Hook, part: n.Part, problems: Problems, lines_of: Callable[[Procedure], Iterable[str]]
    ) -> bool:
        """Whether a moment's line exists; if not, report it."""
        procedure = self.book.procedures[part.name]
        lines = [*lines_of(procedure), *(procedure.table.rows if procedure.table is not None else ())]
        cases = {*cases_of(self.book.owners[procedure].entries)}
        inside, named = "", self._address(hook)
        in_branches = [f"`{procedure.name}.{a}`" for a in dict.fromkeys(lines) if a.endswith(f".{named}")]
        if len(in_branches) > 1:  # the name is shared by several branches: it is not one line that runs
            word = n.Name(hook.moment.path.start, hook.moment.path.end, hook.moment.path.parts[-1].name)
            each = f"it is a line of several branches: say {' or '.join(in_branches)}"
            unknown(problems, hook.scalar, word, f"single line of {procedure.name}", [], each)
            return False
        if named in lines:
            return True
        for part in hook.moment.path.parts[1:]:
            near = [a.removeprefix(inside) for a in lines if a.startswith(inside)]
            if not any(f"{a}.".startswith(f"{part.name}.") for a in near):
                where = f"{procedure.name}.{inside}"
                deeper = [a for a in lines if f".{a}".endswith(f".{part.name}") and a not in cases]
                hint = f"say `{procedure.name}.{deeper[0]}`" if deeper else None
                heads = {a.split(".")[0] for a in near if inside + a not in cases} - {*self.book.rules}
                if inside and not heads and not deeper:
                    hint = f"`{where.rstrip('.')}` has no lines of its own: say `{where.rstrip('.')}`"
                start = part.start if heads and not deeper else hook.moment.path.start
                name = n.Name(start, part.end, part.name)
                unknown(problems, hook.scalar, name, f"line of {where.rstrip('.')}", [] if deeper else heads, hint)
                return False
            inside += f"{part.name}."
        return True


def _without_each(hook: Hook) -> bool:
    """Whether a hook names a role without a `for each` that says who may play it."""
    return hook.rule is not None and hook.rule.each is None and hook.moment.role is not None


def _as_name(part: n.Part) -> n.Name:
    return n.Name(part.start, part.end, part.name)
