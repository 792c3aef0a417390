"""Moments: where rules and mark endings attach to a procedure, a line, a move or a gained mark.

Input: the hooks of a book. Output: the hooks of a procedure's moment in page order; problems for moments that do not
exist, and for hooks that can never apply, at the word that prevents it. Moments on the table (a move, the turn, the
battle) need no procedure. It does not know how rules are woven in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from interpreter.document.nodes import Entry, Mapping
from interpreter.language import nodes as n
from interpreter.source import Problems, suggest

from . import typed as t
from .book import Book, gerunds, verb_forms
from .construct import with_article
from .definitions import line_name, unknown
from .symbols import Attribute, Hook, Kind, MomentDef, Procedure, RuleDef

SPANS = ("turn", "battle")  # begun and ended by lines of the rules
MOVE = "move"  # occurs with every line that moves a thing
TABLE_MOMENTS = (MOVE, *SPANS)
_FORK = r", *by |\bpicks one\b"  # in the key of a line with cases or options


class Moments:
    """The hooks of a book by the first name of their moment; `check` reports those that can never apply."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._by_head: dict[str, list[Hook]] = {}
        for hook in book.hooks:
            self._by_head.setdefault(hook.moment.path.parts[0].name, []).append(hook)

    def at(self, head: str, when: str, rest: str = "") -> list[Hook]:
        """Return the hooks with `when` (before, after, instead of) at a procedure, or at its line `rest`."""
        found = []
        for hook in self._by_head.get(head, ()):
            if hook.when == when and self._address(hook) == rest:
                found.append(hook)
        return found

    def _address(self, hook: Hook) -> str:
        """The address of a hook's line within its procedure; if several files use it, of the line visible to the hook.
        """
        head, *parts = [part.name for part in hook.moment.path.parts]
        asker, history = hook.scalar.span.source, self.book.history
        alike = history.apart.get(".".join((head, *parts)), {})
        heard = [asker] if asker in alike else [giver for giver in alike if history.lies_over(asker, giver)]
        if len(heard) == 1:
            parts.insert(-1, alike[heard[0]])
        return ".".join(parts)

    def several(self, rule: RuleDef) -> bool:
        """Return whether a rule may apply at several places of one procedure."""
        heads = [hook.moment.path.parts[0].name for hook in rule.hooks]
        whole = {*self.book.procedures, *self.book.moments}  # these occur once in a procedure
        return (
            len({*heads}) < len(heads)
            or any(head not in whole for head in heads)
            or (len(heads) > 1 and any(head in self.book.moments for head in heads))
        )

    def declared(self, procedure: Procedure, steps: Iterable[t.Step]) -> dict[MomentDef, bool]:
        """Return the declared moments with a hook that a procedure with these steps belongs to, innermost first. The
        value is True if it does so by declaration, and False if only because it gives a mark.
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
            by_declaration = any(procedure in m.procedures for m in moment.with_inner())
            if by_declaration or any(not gained.isdisjoint(m.marks) for m in moment.with_inner()):
                found[moment] = by_declaration
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
                said = "say before or after" if hook.mark is not None else "say before, after or instead of"
                problems.add("P014", hook.scalar.at(moment.start, moment.end), label=said)
            elif part.name not in known:
                name = _as_name(part)
                meant = [p for p in (*self.book.procedures, "move") if part.name in (*verb_forms(p), *gerunds(p))]
                if meant:
                    span = hook.scalar.at(name.start, name.end)
                    problems.add("N001", span, name=name.text, what="procedure or moment", **suggest(span, meant))
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
        cases = {*cases_of(self.book.pages.owners[procedure].entries)}
        inside, named = "", self._address(hook)
        in_branches = [f"`{procedure.name}.{a}`" for a in dict.fromkeys(lines) if a.endswith(f".{named}")]
        if len(in_branches) > 1:  # several branches share the name, so it is not a single line
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
    """Whether a hook names a role but its rule has no `for each` that says which things may have it."""
    return hook.rule is not None and hook.rule.each is None and hook.moment.role is not None


def _as_name(part: n.Part) -> n.Name:
    return n.Name(part.start, part.end, part.name)


def report_idle(book: Book, hook: Hook, problems: Problems) -> None:
    """Report why a hook can never apply, unless its moment occurs on the table rather than in a procedure."""
    moment, head = hook.moment, hook.moment.path.parts[0].name
    mark = next((a for k in book.kinds.values() for a in k.attributes.values() if a.is_mark and a.name == head), None)
    each = hook.rule.each if hook.rule is not None else None
    kind = book.kinds.get(each.text) if each is not None else None
    found: tuple[n.Node, str] | None = None
    if head in book.procedures:
        found = _procedure_mistake(book, hook, kind)
    elif head in TABLE_MOMENTS or head in book.moments or mark is not None:
        found = _table_mistake(hook, mark)
    if found is None and mark is not None and kind is not None:
        found = _gainer_mistake(hook, mark, kind)
    if found is None and mark is None and kind is not None and kind.counted:
        found = _counted_mistake(hook, kind)
    if found is not None:
        node, hint = found
        name = hook.rule.name if hook.rule is not None else hook.mark.name if hook.mark is not None else ""
        text = hook.scalar.text[moment.start : moment.end]
        problems.add("P031", hook.scalar.at(node.start, node.end), name=name, moment=text, hint=hint)


def cases_of(entries: Iterable[tuple[Entry, str]], above: str = "") -> Iterator[str]:
    """Yield the addresses of cases and options; hooks cannot attach to these, only to lines below them."""
    for entry, prefix in entries:
        address = above + line_name(entry.key.text)
        inside = [(e, prefix) for e in entry.value] if isinstance(entry.value, Mapping) else []
        if re.search(_FORK, entry.key.text):
            yield from (f"{address}.{line_name(e.key.text)}" for e, _ in inside)
        yield from cases_of(inside, f"{address}.")


def _counted_mistake(hook: Hook, kind: Kind) -> tuple[n.Node, str]:
    assert hook.rule is not None
    assert hook.rule.each is not None
    moment, held = hook.moment, kind.held_in()
    text = hook.scalar.text[moment.start : moment.path.end]
    asked = held is not None and moment.path.parts[0].name in TABLE_MOMENTS
    title = f"rule {hook.rule.name}{f' for each {held.name}' if asked and held is not None else ''} {text}"
    whose = f"{moment.role.text}." if moment.role is not None else ""
    line = f"all-of-them, for each one-of-them in {whose}{kind.plural}: …"
    return hook.rule.each, f"{kind.plural} are counted, and a line goes through them: `{title}:`, and below it `{line}`"


def _table_mistake(hook: Hook, mark: Attribute | None) -> tuple[n.Node, str] | None:
    """The mistake in a moment without a procedure: a move, the turn, the battle, a gained mark."""
    moment = hook.moment
    first, *rest = moment.path.parts
    if rest:
        return n.Name(
            rest[0].start, rest[0].end, rest[0].name
        ), f"`{first.name}` has no lines: say `{first.name}` alone"
    if moment.role is not None:
        return moment.role, f"nobody plays a part when it is `{first.name}`: leave `as {moment.role.text}` out"
    if mark is not None and hook.mark is not None:
        kind = mark.kind.name
        hint = f"a rule can end it there: `rule NAME for each {kind} after {mark.name}: {kind} loses {hook.mark.name}`"
        return moment, hint
    if mark is not None and moment.when != "after":
        return moment, f"a rule sets in when a mark was gained: `after {mark.name}`"
    if moment.when == "instead of":
        return moment, f"only a procedure can be replaced: say `before {first.name}` or `after {first.name}`"
    return None


def _gainer_mistake(hook: Hook, mark: Attribute, kind: Kind) -> tuple[n.Node, str] | None:
    """The mistake if `for each` of a rule after a mark names neither the kind of the mark nor its holder."""
    assert hook.rule is not None
    assert hook.rule.each is not None
    theirs = [mark.kind, *([held] if (held := mark.kind.held_in()) is not None else [])]
    if any(kind.is_a(other) or other.is_a(kind) for other in theirs):
        return None
    names = " or ".join(f"`for each {other.name}`" for other in theirs)
    hint = f"`{mark.name}` is a mark of {with_article(mark.kind.name)}: say {names}, and go through others in a line"
    return hook.rule.each, hint


def _procedure_mistake(book: Book, hook: Hook, kind: Kind | None) -> tuple[n.Node, str] | None:
    moment = hook.moment
    procedure = book.procedures[moment.path.parts[0].name]
    inside = len(moment.path.parts) > 1
    if kind is not None and kind.counted:
        return None
    if inside and moment.when == "instead of":
        hint = "`instead of` takes the place of a whole procedure; what a line does is said anew under `change:`"
        return moment, hint
    if inside and procedure.table is not None:
        row = moment.path.parts[1].name
        return moment, f"a row is taken by its face: say `before {procedure.name}`, or `after {procedure.name}.{row}`"
    if hook.rule is not None and hook.rule.each is None and moment.role is not None:
        part = next((p for p in procedure.params if p.name == moment.role.text), None)
        kinds = part.type.of.name if part is not None and isinstance(part.type.of, Kind) else "unit"
        return moment.role, f"say who is asked whether they play it: `rule {hook.rule.name} for each {kinds} …`"
    entries = book.pages.owners[procedure].entries
    if inside and ".".join(part.name for part in moment.path.parts[1:]) in cases_of(entries):
        *fork, case = moment.path.parts
        path = ".".join(part.name for part in fork)
        own = "give what it does a line of its own below it"
        return moment, f"`{case.name}` is one of the cases there, and no line: say `{hook.when} {path}`, or {own}"
    if hook.mark is None:
        return moment, f"nothing of `{procedure.name}` is done there"
    if moment.when == "instead of":
        name = procedure.name
        return moment, f"a mark takes the place of nothing: it ends `until before {name}` or `until after {name}`"
    whose = hook.mark.kind
    parts = [p.name for p in procedure.params[1:] if isinstance(p.type.of, Kind) and _holds(p.type.of, whose)]
    roles = " or ".join(f"`as {name}`" for name in parts)
    end = f": say who it is, {roles}" if roles else ""
    return moment, f"who does `{procedure.name}` has no {hook.mark.name}, which is {with_article(whose.name)}'s{end}"


def _holds(kind: Kind, whose: Kind) -> bool:
    holder = whose.held_in() if whose.counted and not kind.counted else whose
    return holder is not None and (kind.is_a(holder) or holder.is_a(kind))
