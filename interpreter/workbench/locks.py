"""Lock files: the odds of all typical situations, in a file beside the rules, for later comparison.

Takes a rule set, and the text of its lock. Gives such a text, with one line per fraction in the syntax of `odds:`; or a
problem for each situation whose odds have changed, at its line of the lock, with the changed lines of the rules. Knows
nothing of where the file is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from interpreter import disk
from interpreter.digests import digest
from interpreter.document.file_io import LARGEST, read_file, write_file
from interpreter.document.nodes import Node, scalars
from interpreter.rulebook.situation import texts
from interpreter.source import Label, Problem, Problems, Source, Span
from interpreter.source.digits import any_digits, fraction
from interpreter.source.values import Record, Struct, field, replace

from .bands import format_bounds
from .examples import files_beside
from .grids import with_point_label
from .parallel import HERE, Workers
from .pricing import Law, Prices, prices
from .progress import Progress
from .rule_sets import RuleSet
from .situation_cache import SituationCache
from .typical import Point, points_of, typical_of

FORM = "umpire lock 1"
_LINES = 3  # changed lines of the rules shown per situation
_SITUATION = "situation "
_RULES = "rules "
_TEXTS = "as the rules said it:"
_REFUSED = re.compile(r"  asked (not, \w+)")
_NUMBER = re.compile(r'-?\d+(?:/\d+|\.\d+)?"?')
_LAW = re.compile(r"  (\d+/\d+)(?: to (\d+/\d+))? (that|mean) (.+)")


class Lock(Record):
    """The content of a lock: for each situation its lines (`mean hits` → its fraction) and places; for each
    definition the digests of its lines.
    """

    situations: dict[str, dict[str, tuple[str, Span]]] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)


def text_of(
    rules: RuleSet, problems: Problems, progress: Progress | None = None, workers: Workers = HERE
) -> str | None:
    """The text of the lock of a rule set; None with problems."""
    points, found = _priced(rules, problems, progress, workers)
    if problems.has_errors:
        return None
    _idle(rules, points, found, problems)
    lines = [
        f"# The odds of all that is typical of {rules.name}. `umpire lock` writes this file, `--check` compares it.",
        FORM,
        f"{_RULES}{rules.name}",
    ]
    for point in sorted(points, key=lambda point: point.name):
        lines += ["", f"{_SITUATION}{point.name}"]
        lines += [
            f"  {value} {what}" if what != "asked" else f"  asked {value}"
            for what, value in _lines(point, found).items()
        ]
    lines += ["", _TEXTS]
    lines += [
        f"  {name}: {' '.join(d for d, _ in said)}" for name, said in sorted(_texts(rules, points, found).items())
    ]
    return "\n".join(lines) + "\n"


def write_lock(
    sets: Sequence[RuleSet],
    path: str,
    problems: Problems,
    progress: Progress | None = None,
    workers: Workers = HERE,
) -> tuple[str, int] | None:
    """Write one lock of some rule sets. Return the status of the file in words and its number of situations; None with
    problems.
    """
    texts_ = [text_of(rules, problems, progress, workers) for rules in sets]
    text = "\n".join(each for each in texts_ if each is not None)
    if problems.has_errors:
        return None
    try:
        was = disk.content(path, LARGEST + 1).decode("utf-8", "surrogateescape")
    except OSError:
        was = None
    if text != was and not write_file(path, text, problems, was=was):
        return None
    return "written" if was is None else "as it was" if was == text else "written anew", text.count(f"\n{_SITUATION}")


def locks_below(folder: str) -> list[str]:
    """The lock files in and below a folder."""
    found = [os.path.normpath(os.path.join(folder, name)) for name in disk.names(folder) if not name.startswith(".")]
    inner = [path for path in found if disk.kind(path) == "folder" and not os.path.islink(path)]
    here = [path for path in found if path.endswith(".lock") and disk.is_file(path) and locked_in(path)]
    return [*here, *(path for each in inner for path in locks_below(each))]


def locked_in(path: str) -> list[str]:
    """The names of the rule sets whose odds a file locks; an empty list for a file of another program."""
    source = read_file(path, Problems())
    lines = source.text.splitlines() if source is not None else []
    return [line.removeprefix(_RULES) for line in lines if line.startswith(_RULES)] if FORM in lines else []


class Compared(Struct):
    """The number of situations, and those that were not asked, by name, with the reason."""

    situations: int = 0
    unasked: tuple[tuple[str, Problem], ...] = ()


def compared(
    rules: RuleSet, lock: Source, problems: Problems, progress: Progress | None = None, workers: Workers = HERE
) -> Compared:
    """Compare the rules with a lock. Reports differences and situations that cannot be asked, except those of a base
    that refer to removed definitions.
    """
    points, found = _priced(rules, problems, progress, workers)
    held = read_lock(lock, problems, rules.name)
    if held is None or problems.has_errors:
        return Compared(len(points), tuple(found.refused.items()))
    changed = _changed(held, _texts(rules, points, found))
    named = {point.name: point for point in points}
    for name, lines in held.situations.items():
        if name not in named:
            problems.add("X023", held.places[name], name=name, hint=_anew(rules))
        else:
            _compare(named[name], lines, held.places[name], _lines(named[name], found), changed, rules, problems)
    for name in named.keys() - held.situations.keys():
        problems.add("X024", named[name].where, name=name, hint=_anew(rules))
    return Compared(len(points), tuple(found.refused.items()))


def _anew(rules: RuleSet) -> str:
    return f"where this is meant, `umpire lock {rules.name.replace(' ', '')}` writes it anew"


def _compare(
    point: Point,
    was: dict[str, tuple[str, Span]],
    place: Span,
    now: dict[str, str],
    changed: list[Label],
    rules: RuleSet,
    problems: Problems,
) -> None:
    other = [what for what in dict.fromkeys((*was, *now)) if was.get(what, ("",))[0] != now.get(what, "")]
    if not other:
        return
    first = next((was[what][1] for what in other if what in was), place)
    before, after = was.get(other[0], ("",))[0], now.get(other[0], "")
    one, two = _short(before, other[0]), _short(after, other[0])
    if one == two:
        one, two = before, after
    label = f"was {one}, is {two}" + (f"; so {len(other) - 1} lines more" if len(other) > 1 else "")
    problems.add(
        "X022",
        first,
        name=point.name,
        label=label,
        others=changed[:_LINES],
        hint=_anew(rules),
    )


def _short(said: str, what: str) -> str:
    """A fraction as a decimal; a chance as a percentage."""
    if not said or said.startswith("not"):
        return said or "not there"
    with any_digits():
        values = [float(Fraction(part)) for part in said.split(" to ")]
    return " to ".join(f"{v:.5g}" if what.startswith("mean") else f"{v * 100:.4g}%" for v in values)


# ---- the current odds
def _priced(
    rules: RuleSet, problems: Problems, progress: Progress | None, workers: Workers
) -> tuple[list[Point], Prices]:
    points = points_of(rules, typical_of(rules, problems), problems)
    found = prices(
        rules,
        points if not problems.has_errors else [],
        progress=progress,
        workers=workers,
        kept=SituationCache("laws", rules),
    )
    own = _files(rules)
    for point in points:
        inherited = point.name in found.gone and point.where.source.name not in own  # removed, maybe on purpose
        if point.name in found.refused and not inherited:
            problems.extend([with_point_label(found.refused[point.name], point.name)])
    return points, found


def _idle(rules: RuleSet, points: list[Point], found: Prices, problems: Problems) -> None:
    """Report questions of the rule set itself that have the same certain answer in all alternatives."""
    own = _files(rules)
    certain: dict[tuple[str, str], set[str | None]] = {}
    asks: dict[tuple[str, str], Span] = {}
    for point in points:
        if point.where.source.name not in own or point.name in found.refused:
            continue
        for text in texts(point.typical.body.get("ask")):
            key = point.typical.name, text.text
            law = found.laws.get((point.name, text.text))
            asks[key] = text.span
            certain.setdefault(key, set()).add(law.certain if law is not None else None)
    for (name, ask), answers in certain.items():
        answer = answers.pop() if len(answers) == 1 else None
        if answer is not None:
            what = {"yes": "so", "no": "not so"}.get(answer, answer)
            problems.add("X026", asks[name, ask], name=name, ask=ask, what=what, label=f"never anything but {what}")


def _files(rules: RuleSet) -> set[str]:
    """The rule set's own files, without those of a base."""
    return {rules.path, *map(str, files_beside(rules.sheets[-1]))}


def _lines(point: Point, found: Prices) -> dict[str, str]:
    """The lines of a situation in the syntax of `odds:`, each with its fraction."""
    if point.name in found.refused:
        return {"asked": f"not, {found.refused[point.name].code}"}
    made: dict[str, str] = {}
    for (name, ask), law in found.laws.items():
        if name == point.name:
            made.update(_said(ask, law))
    return made


def _said(ask: str, law: Law) -> Iterator[tuple[str, str]]:
    if law.yes is not None:
        yield f"that {ask}", format_bounds(law.yes, fraction)
        return
    if law.mean is not None:
        yield f"mean {ask}", format_bounds(law.mean, fraction)
    for value, likely in law.values:
        sign = "=" if law.mean is not None or _NUMBER.fullmatch(value) else "is"
        yield f"that {ask} {sign} {value}", format_bounds(likely, fraction)


# ---- digests of the rules, to point at changed lines
def _texts(rules: RuleSet, points: list[Point], found: Prices) -> dict[str, list[tuple[str, Span]]]:
    """The digests and places of lines, for each definition that a situation depends on and for each situation."""
    reach = list(found.reach.values())
    met = frozenset(name for names in reach if names is not None for name in names)
    every = any(names is None for names in reach)
    made: dict[str, list[tuple[str, Span]]] = {}
    for d in rules.book.pages.definitions:
        for name in d.names:
            if d.title.what not in ("example", "typical") and (every or name in met):
                lines = [(_digest(d.text or d.key), d.key.span)]
                made[name] = lines + [(_digest(entry.key, entry.value), entry.key.span) for entry, _ in d.entries]
    for point in points:
        body = point.typical.body
        made[f"typical {point.typical.name}"] = [(_digest(entry.key, entry.value), entry.key.span) for entry in body]
    return made


def _digest(*nodes: Node) -> str:
    said = "\n".join(text.text for node in nodes for text in scalars(node))
    return digest(said.encode("utf-8", "surrogatepass"))[:4]


def _changed(held: Lock, now: dict[str, list[tuple[str, Span]]]) -> list[Label]:
    """Labels at the lines of the rules that have changed since the lock was written."""
    labels = []
    for name, lines in now.items():
        was = held.texts.get(name)
        if was is None:
            labels += [Label(lines[0][1], "new since then")] if lines else []
        elif len(was) != len(lines):
            old = set(was)
            fresh = [span for digest, span in lines if digest not in old]
            labels += [Label(fresh[0] if fresh else lines[0][1], "changed since then")]
        else:
            labels += [Label(span, "changed since then") for (d, span), o in zip(lines, was, strict=True) if d != o]
    return labels


# ---- the file
def read_source(path: str, problems: Problems) -> Source | None:
    """The text of a lock file. The problem of a missing one has a hint how to write it."""
    own = Problems()
    source = read_file(path, own)
    problems.extend(replace(p, hint="`umpire lock` without --check writes it") if p.code == "Y050" else p for p in own)
    return source


def read_lock(source: Source, problems: Problems, name: str | None = None) -> Lock | None:
    """The parsed lock; in a file of several, that of the rule set `name`. None with a problem at an invalid line."""
    several = source.text.count(f"\n{_RULES}") > 1
    mine = not several or name is None
    lock = Lock()
    here: dict[str, tuple[str, Span]] | None = None
    texts = False
    start = 0
    for number in range(1, source.lines + 1):
        line = source.line(number)
        start = source.offset(number, 1)
        span = Span(source, start, start + len(line))
        law = _LAW.fullmatch(line)
        if several and line.startswith(_RULES):
            mine, here, texts = name is None or line == f"{_RULES}{name}", None, False
        if not mine or not line or line.startswith(("#", _RULES)) or line == FORM:
            continue
        if line.startswith(_SITUATION):
            name = line.removeprefix(_SITUATION)
            here = lock.situations.setdefault(name, {})
            lock.places[name] = span
        elif line == _TEXTS:
            texts = True
        elif texts and line.startswith("  ") and ": " in line:
            name, _, said = line[2:].rpartition(": ")
            lock.texts[name] = said.split(" ")
        elif law is not None and here is not None and not texts:
            value = law[1] + (f" to {law[2]}" if law[2] else "")
            here[f"{law[3]} {law[4]}"] = value, span
        elif (refused := _REFUSED.fullmatch(line)) is not None and here is not None:
            here["asked"] = refused[1], span
        else:
            problems.add("X025", span, hint="`umpire lock` writes the whole file anew")
            return None
    if not source.text.strip():
        problems.add("X025", Span(source, 0, 0), hint="`umpire lock` writes the whole file anew")
        return None
    return lock
