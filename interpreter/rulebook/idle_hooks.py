"""Reports hooks that can never apply: rules and mark endings at moments that never occur for them.

Enters: a hook that was woven in nowhere. Leaves: a problem at the word that prevents it, with what to write instead.
Knows nothing of how rules are woven in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.document.nodes import Entry, Mapping
from interpreter.language import nodes as n
from interpreter.source import Problems

from .book import Book
from .construct import with_article
from .definitions import line_name
from .symbols import Attribute, Hook, Kind

TABLE_MOMENTS = ("move", "turn", "battle")
_FORK = r", *by |\bpicks one\b"  # in the key of a line with cases or options


def report_idle(book: Book, hook: Hook, problems: Problems) -> None:
    """Report why a hook can never apply; nothing where its moment is not part of any procedure, but occurs on the
    table.
    """
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
        said = hook.scalar.text[moment.start : moment.end]
        problems.add("P031", hook.scalar.at(node.start, node.end), name=name, moment=said, hint=hint)


def cases_of(entries: Iterable[tuple[Entry, str]], above: str = "") -> Iterator[str]:
    """The addresses of cases and options: nothing sets in at these, only at lines below them."""
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
    said = hook.scalar.text[moment.start : moment.path.end]
    asked = held is not None and moment.path.parts[0].name in TABLE_MOMENTS
    title = f"rule {hook.rule.name}{f' for each {held.name}' if asked and held is not None else ''} {said}"
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
    if inside and ".".join(part.name for part in moment.path.parts[1:]) in cases_of(book.owners[procedure].entries):
        *fork, case = moment.path.parts
        said = ".".join(part.name for part in fork)
        own = "give what it does a line of its own below it"
        return moment, f"`{case.name}` is one of the cases there, and no line: say `{hook.when} {said}`, or {own}"
    if hook.mark is None:
        return moment, f"nothing of `{procedure.name}` is done there"
    whose = hook.mark.kind
    parts = [p.name for p in procedure.params[1:] if isinstance(p.type.of, Kind) and _holds(p.type.of, whose)]
    roles = " or ".join(f"`as {name}`" for name in parts)
    end = f": say who it is, {roles}" if roles else ""
    return moment, f"who does `{procedure.name}` has no {hook.mark.name}, which is {with_article(whose.name)}'s{end}"


def _holds(kind: Kind, whose: Kind) -> bool:
    holder = whose.held_in() if whose.counted and not kind.counted else whose
    return holder is not None and (kind.is_a(holder) or holder.is_a(kind))
