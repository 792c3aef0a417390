"""Judges one game: what play finds under every script of dice, what odds find asked together and one by one, are one law.

Taken: a game, in a folder of its own. Given: a `Verdict`. Whatever Python itself raises is a failure, and so is every
difference; a coded message is none, but where another engine answers.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.engines.odds import Refused
from interpreter.engines.play import Play
from interpreter.engines.trace import Tracer
from interpreter.engines.trace_events import walk
from interpreter.program.state import Unstated
from interpreter.program.words import Words
from interpreter.source import Problems
from interpreter.workbench.answers import NOT_RUN, Answer
from interpreter.workbench.bands import Band, answer_case
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.files import open_situation
from interpreter.workbench.histories import decider
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.run_setup import set_up

from .examples import examples, test_of
from .model import Game, Situation
from .scripts import Every, TooMany, bounds

SCRIPTS = 1500
TRACED = 40
LONGEST = 14
WORLDS = 20_000
LARGE = {"E001", "E004", "E009"}  # codes of what is too large for one engine
ENDLESS = {"E002", "E003", "E007"}  # codes of what odds cannot follow to its end, where plays do not come to it either


@dataclass
class Verdict:
    """`how`: agreed, large (too many scripts, odds agree with themselves), refused, warned (not as the reference, and
    `check` says that it may be so), or failed. `why`: the codes, or
    the kind of failure; `told`: what disagreed. `met`: by play, the constructs that it passed.
    """

    how: str
    why: str = ""
    told: str = ""
    met: list[frozenset[str]] = field(default_factory=list)
    warned: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        return self.how == "failed"


class Failure(Exception):
    def __init__(self, why: str, told: str) -> None:
        super().__init__(f"{why}: {told}")
        self.why, self.told = why, told


def judge(
    game: Game,
    folder: Path,
    reference: Callable[..., Any] | None = None,
    *,
    referred_only: bool = False,
    tested: bool = False,
) -> Verdict:
    """Judges a game that is written to this folder. `referred_only`: odds against the reference, and nothing else;
    `tested`: with examples that are written from what the reference says.
    """
    game.write(folder)
    verdict = Verdict("agreed")
    try:
        for situation in game.situations:
            _judge(game, situation, folder / situation.file, verdict, reference, referred_only, tested)
    except Failure as failure:
        # Where `check` says that of alike figures as few are taken to be the same as must be, real dice share more.
        warned = failure.why == "reference" and "P033" in verdict.warned
        verdict.how, verdict.why, verdict.told = "warned" if warned else "failed", failure.why, failure.told
    except RecursionError:
        verdict.how, verdict.why, verdict.told = "failed", "crash RecursionError", ""
    except Exception as crash:
        where = traceback.extract_tb(crash.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.name}"
        verdict.how, verdict.why, verdict.told = (
            "failed",
            f"crash {type(crash).__name__} {place}",
            traceback.format_exc(),
        )
    return verdict


def reference() -> Callable[..., Any] | None:
    """The independent evaluator, where there is one."""
    try:
        from reference import odds as found  # type: ignore[import-not-found]
    except ImportError:
        return None
    return found  # type: ignore[no-any-return]


def _judge(
    game: Game,
    situation: Situation,
    path: Path,
    verdict: Verdict,
    reference: Callable[..., Any] | None,
    referred_only: bool,
    tested: bool,
) -> None:
    problems = Problems()
    opened = open_situation(str(path), problems)
    if opened is None or problems.has_errors:
        verdict.how, verdict.why, verdict.told = "refused", _first(problems), _all(problems)
        return
    verdict.warned = tuple(p.code for p in problems)
    rules, root = opened
    case = prepare(rules, root, problems)
    if case is None or problems.has_errors:
        verdict.how, verdict.why, verdict.told = "refused", _first(problems), _all(problems)
        return
    refused, found = ("", None) if referred_only else _played(case, game, verdict)
    if refused:
        _both_refuse(case, refused, verdict)
        return
    if found is None:
        verdict.how = "large"
    answer = answer_case(case, limit=WORLDS)
    if answer is None:
        codes = [p.code for p in case.problems if p.severity == "error"]
        endless = found is None or bool(found.lost)
        if not set(codes) & (LARGE | ENDLESS if endless else LARGE):
            raise Failure("refused by odds", f"{codes}, and plays go on")
        verdict.how, verdict.why = "large", codes[-1]
        return
    if found is not None and (isinstance(answer, Band) or found.chosen):
        _band(answer, found)
    elif found is not None and isinstance(answer, Answer):
        _same_law({v: Fraction(w, answer.total) for v, w in answer.joint}, found.law(), found.lost, case)
    if not referred_only:
        _alone(rules, root, situation, answer.of)
    if reference is not None:
        _referred(reference, path, answer, case)
        if tested and not isinstance(answer, Band):
            _tested(game, path, case)


def _first(problems: Problems) -> str:
    return next((p.code for p in problems.sorted() if p.severity == "error"), "?")


def _all(problems: Problems) -> str:
    return "; ".join(
        f"{p.code} {p.message} at {p.span.text if p.span else None}" for p in problems.sorted() if p.severity == "error"
    )


# ---- plays
def _played(case: Case, game: Game, verdict: Verdict) -> tuple[str, Every | None]:
    """The code with which a play is refused, or every history; None where there are too many."""
    plain, traced = _player(case, False), _player(case, True)
    if plain is None or traced is None:
        return _first(case.problems), None
    found = Every(SCRIPTS, LONGEST)
    count = 0

    def play(script: Any) -> tuple[Any, ...]:
        nonlocal count
        results, _ = plain(script)
        count += 1
        if count <= TRACED:
            again, events = traced(script.again())
            if again != results:
                raise Failure("traced play", f"{again} traced, {results} untraced, by {script.told}")
            verdict.met.append(_met(game, events))
        return results

    try:
        found.follow(play)
    except TooMany:
        return "", None
    except Refused as why:
        return why.code, None
    except Unstated:  # of somebody whom a line has made, nothing can be stated
        return "F004", None
    return "", found


def _player(case: Case, traced: bool) -> Callable[[Any], tuple[tuple[Any, ...], list[Any]]] | None:
    ready = set_up(case, traced)
    if ready is None:
        return None
    words = Words(case.rules.book, ready.start.names)
    places = [ready.places[a.address] for a in case.asks]

    def play(script: Any) -> tuple[tuple[Any, ...], list[Any]]:
        def chooser(who: str, line: str, allowed: list[tuple[str, Any]], usual: Any) -> Any:
            return script.next([value for _, value in allowed], True) if usual is None else usual

        decide = decider(ready, words, chooser)
        tracer = Tracer(ready.program, words) if traced else None
        one = Play(
            ready.program, ready.start.keys, ready.start.names, list(ready.start.state), script, decide, tracer, 3000
        )
        results = one.run(case.situation.procedure, ready.args)
        return tuple(results[p] for p in places), list(walk(tracer.root.children)) if tracer is not None else []

    return play


def _met(game: Game, events: list[Any]) -> frozenset[str]:
    """Which constructs a play has passed."""
    done: set[str] = set()
    for event in events:
        if event.line and event.kind != "skip" and event.data.get("applied", True):
            if event.line.endswith(" ends") and not event.data.get("changed", True):
                continue
            done.update(event.line.replace(" ends", "").split("."))
            if event.kind == "call":
                done.add(event.data.get("procedure", ""))
    return frozenset(tag for tag, names in game.uses.items() if names & done) | {"act"}


def _both_refuse(case: Case, code: str, verdict: Verdict) -> None:
    """A play was refused: odds may leave out what nobody asks for, and must not crash."""
    verdict.how, verdict.why = "refused", f"play {code}"
    answer_case(case, limit=WORLDS)


# ---- laws
def _same_law(law: dict[Any, Fraction], played: dict[Any, Fraction], lost: Fraction, case: Case) -> None:
    if not lost and law == played:
        return
    if lost and all(law.get(v, 0) >= p for v, p in played.items()):
        return
    asks = [a.text for a in case.asks]
    different = (
        [i for i, _ in enumerate(asks) if _marginal(law, i) != _marginal(played, i)] if not lost else range(len(asks))
    )
    told = [f"{asks[i]}: odds {_said(_marginal(law, i))}, play {_said(_marginal(played, i))}" for i in different]
    raise Failure("odds and play", "; ".join(told) or f"jointly: odds {_said(law)}, play {_said(played)}")


def _marginal(law: dict[Any, Fraction], index: int) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for values, p in law.items():
        found[values[index]] = found.get(values[index], Fraction(0)) + p
    return found


def _said(law: dict[Any, Fraction]) -> str:
    return "{" + ", ".join(f"{v}: {p}" for v, p in sorted(law.items(), key=lambda x: str(x[0]))) + "}"


def _alone(rules: RuleSet, root: Any, situation: Situation, together: Callable[[int], Any]) -> None:
    """Each question by itself has the answer that it has among the others."""
    from interpreter.workbench.texts import asked, with_entries

    plain = with_entries(root, (), ["ask"])
    for index, ask in enumerate(situation.asks):
        problems = Problems()
        case = prepare(rules, plain, problems, [*asked("show", "ask", [ask])])
        if case is None:
            raise Failure("asked alone", f"{ask}: {[p.code for p in problems]}")
        answer = answer_case(case, limit=WORLDS)
        if answer is None:
            raise Failure("asked alone", f"{ask}: {[p.code for p in case.problems]}")
        found: dict[Any, Any] = answer.of(0)
        wanted = together(index)
        if _wide(found) != _wide(wanted):
            raise Failure("asked alone", f"{ask}: alone {_shown(found)}, together {_shown(wanted)}")


def _wide(law: dict[Any, Any]) -> dict[Any, Any]:
    """A law as a band, without what never comes."""
    wide = {v: p if isinstance(p, tuple) else (p, p) for v, p in law.items()}
    return {v: p for v, p in wide.items() if p[1]}


def _shown(law: dict[Any, Any]) -> str:
    return _said({v: f"{p[0]} to {p[1]}" if p[0] != p[1] else p[0] for v, p in _wide(law).items()})  # type: ignore[misc]


def _band(band: Band | Answer, found: Every) -> None:
    """Bounds of each value, each as some way to choose has it."""
    if found.lost:
        return
    for index, ask in enumerate(band.asks):
        values = found.values(index)
        tree = found.tree
        law = {v: bounds(tree, _showing(index, v)) for v in values}
        if _wide(law) != _wide(band.of(index)):
            raise Failure("band and play", f"{ask.text}: band {_shown(band.of(index))}, play {_shown(law)}")


def _showing(index: int, value: Any) -> Callable[[Any], bool]:
    return lambda end: bool(end[index] == value)


def _referred(reference: Callable[..., Any], path: Path, answer: Any, case: Case) -> None:
    """The independent reference, as far as it goes."""
    import reference as other

    try:
        found = reference(path, limit=SCRIPTS * 4)
    except (other.TooLarge, other.Unsupported):
        return
    except Exception as crash:
        raise Failure("reference crash", f"{type(crash).__name__} {crash}") from crash
    for index, ask in enumerate(case.asks):
        if isinstance(answer, Band):
            _each_value(reference, path, answer, index)
            continue
        law = {_length(answer.words.plain(v, ask.type)): p for v, p in answer.of(index).items()}
        theirs = {_length(v): p for v, p in found[index].law.items()}
        if _wide(law) != _wide(theirs):
            raise Failure("reference", f"{ask.text}: odds {_shown(law)}, reference {_shown(theirs)}")


def _tested(game: Game, path: Path, case: Case) -> None:
    """`umpire test` finds right what the reference says, written as examples."""
    import interpreter

    sorts = [ask.type.name for ask in case.asks]
    said = "".join(game.files.values())
    unordered = ("again", " 2 of ", "best of", "worst of")  # the manual has no order for these dice among the others
    scripted = not any(words in said for words in unordered)
    text = examples(path, [ask.text for ask in case.asks], sorts, game.seed if scripted else None, SCRIPTS * 4)
    if not text:
        return
    file = path.with_name("examples.yaml")
    file.write_text(text, encoding="utf-8")
    for result in interpreter.test(file):
        codes = {p.code for p in result.problems if p.severity == "error"}
        if codes and codes != {"F008"}:  # whom it makes no difference to choose is asked in a play all the same
            told = "; ".join(f"{p.code} {p.message} {p.hint or ''}" for p in result.problems)
            raise Failure("example", f"{result.example.name}: {told}")


def _each_value(reference: Callable[..., Any], path: Path, band: Band, index: int) -> None:
    """Of what is open, the least and the greatest chance of each value, each a test of its own."""
    import reference as other

    ask = band.asks[index]
    if ask.type.name == "number" and (" + " in ask.text or " - " in ask.text):
        return  # in a comparison each of its collections is counted for itself
    bounds_of = _wide(band.of(index))
    for value, ours in bounds_of.items():
        if value is False and NOT_RUN in bounds_of:
            continue  # `not` of a test is also true where its line was not run
        said = band.words.plain(value, ask.type)
        test = test_of(ask.text, None if said == "none" else _length(said), ask.type.name)
        if test is None:
            continue
        try:
            (found,) = reference(path, [test], limit=SCRIPTS * 4)
        except (other.TooLarge, other.Unsupported):
            return
        theirs = found.band or (found.law.get(True, Fraction(0)),) * 2
        if ours != theirs:
            raise Failure("reference", f"{test}: odds {ours[0]} to {ours[1]}, reference {theirs[0]} to {theirs[1]}")


def _length(value: Any) -> Any:
    """Inches as a number; whatever else as it is."""
    return Fraction(value[:-1]) if isinstance(value, str) and value.endswith('"') else value
