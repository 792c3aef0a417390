"""Formats the result of a search for a witness: a situation in which two rule sets differ.

Takes a `WitnessSearch`. Gives lines for a screen, or plain data.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.source import Span
from interpreter.surfaces.as_json import Json
from interpreter.workbench.pricing import measure
from interpreter.workbench.witness import WitnessSearch

from .balance import GONE, plain_law, titled, told
from .terminal import counted, nearby, paint

_SHOWN = 3  # most questions shown


def plain_witness(found: WitnessSearch | None) -> Json | None:
    """The result as plain data; None without a search; `told` is empty if nothing was found."""
    if found is None:
        return None
    told_ = found.witness.told if found.witness is not None else ()
    return {
        "tried": found.tried,
        "done": list(found.deeds),
        "example": "\n".join(found.example) or None,
        "told": [
            {
                "ask": each.ask,
                "before": plain_law(each.before) if each.before is not None else None,
                "after": plain_law(each.after),
            }
            for each in told_
        ],
    }


def witness_lines(found: WitnessSearch | None, place: Span | None, exact: bool) -> Iterator[str]:
    """The answers before and after; and the situation as an example, to paste at `place`."""
    if found is None:
        return
    if found.witness is None:
        deeds = ", ".join(f"`{deed}`" for deed in found.deeds)
        looked = f"among {counted(found.tried, 'situation')} of {deeds}" if found.deeds else "and nothing leads there"
        yield _hint(f"    no situation was found in which it matters, {looked}: write one as `typical NAME:`")
        return
    yield f"    it matters here, where nothing can be left out ({counted(found.tried, 'situation')} looked at):"
    for each in found.witness.told[:_SHOWN]:
        how = measure(each.before or each.after, each.after)
        before = told(each.before, how, exact) if each.before is not None else GONE
        if found.witness.force:
            before, after = ("kept" if law and law.certain == "yes" else "broken" for law in (each.before, each.after))
            yield f"      the limit {each.ask}: {before if each.before is not None else GONE} → {after}"
        else:
            yield f"      {titled(each.ask, how)}: {before} → {told(each.after, how, exact)}"
    yield _hint(f"    to keep it, put this below a heading of {nearby(place.source.name) if place else 'your file'}:")
    yield from (paint(f"      {line}", "cool") for line in found.example)


def _hint(said: str) -> str:
    return paint(said, "dim")
