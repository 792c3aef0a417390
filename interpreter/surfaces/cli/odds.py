"""`umpire odds`: exact odds of a situation.

Enters: a situation and questions. Leaves: a chart for each question, or plain data with exact fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from .situations import Scene, Texts, load, situation_options
from .terminal import FINDINGS, paint, refuse, say

MOST = 8  # questions that are asked when nobody asks any
TRIED = 30
FEW_WORLDS = 20_000  # worlds up to which many questions are answered in one walk


@click.command(short_help="Exact odds: every way that the dice can fall, at once.")
@situation_options
@click.option("--given", metavar="CONDITION", help="Only the histories in which this holds.")
@click.option("--fraction", "exact", is_flag=True, help="Exact fractions in place of percent.")
@click.option(
    "--limit",
    "worlds",
    type=click.IntRange(min=1),
    default=200_000,
    show_default=True,
    metavar="N",
    help="Give up past so many worlds.",
)
def odds(
    words: Texts,
    asks: Texts,
    choose: Texts,
    rulings: Texts,
    as_json: bool,
    given: str | None,
    exact: bool,
    worlds: int,
) -> None:
    """Exact odds: every way that the dice can fall, at once.

    \b
    umpire odds modern shoot 'A: 6 figures, seasoned, rifle' 'B: 8 figures, green, light armour' 'distance 20'
    umpire odds modern activation 'A: seasoned, 5 figures'
    umpire odds shot.yaml --ask hits --ask harm.dead --given 'hits > 0'

    Each argument after the procedure describes somebody (`A: …`, or with the kind, `vehicle V: …`), says a
    fact (`distance 20"`, `distance(A, B) is 20"`, `B is ducking`), or is a value that the procedure wants
    (`3`, `reach: 6"`). Without --ask, the lines of the procedure are asked. Whatever somebody chooses is
    decided as the rules say by `usually`, or by --choose; where neither says how, the answer is the band from
    the least to the greatest over all ways to choose. --choose LINE=any asks for that in any case.
    """
    exact_odds(load(words, choose, rulings, as_json), asks, given, worlds, as_json, exact)


def exact_odds(
    scene: Scene,
    asks: Texts = (),
    given: str | None = None,
    worlds: int = 200_000,
    as_json: bool = False,
    exact: bool = False,
) -> None:
    asked = _Questions(scene, asks, given, worlds, as_json)
    charts, whole, walked = asked.answers()
    if as_json:
        from interpreter.surfaces.as_json import odds as plain
        from interpreter.surfaces.as_json import question, text

        questions = [{**question(a, i), "same": same} for a, i, same in charts]
        say(text(plain(scene.rules, scene.said, questions, whole, asked.held, walked, asked.open)))
    else:
        _show(scene, charts, asked, exact)
    if _unlike(charts):
        raise click.exceptions.Exit(FINDINGS)


class _Questions:
    """What is asked of one situation, and its answers."""

    def __init__(self, scene: Scene, asks: tuple[str, ...], given: str | None, worlds: int, as_json: bool) -> None:
        from interpreter.workbench.questions import EXPECTATIONS
        from interpreter.workbench.texts import with_entries

        self.scene, self.asks, self.given, self.worlds, self.as_json = scene, asks, given, worlds, as_json
        self.held: dict[str, Any] | None = None
        self.likely = Fraction(1), Fraction(1)
        self.open: dict[str, str] = {}  # lines where a choice is left to somebody
        self.certain: list[tuple[str, str]] = []
        root = scene.root
        self.own = not asks and any(root.get(key) is not None for key in ("then", "odds", "ask"))
        # What a situation wants to know stands for itself; what its dice lead to is another matter.
        leave = ["then"] if root.get("ask") is not None else []
        self.root = with_entries(root, (), leave if self.own else EXPECTATIONS)

    def answers(self) -> tuple[list[tuple[Any, int, list[str]]], Any, int]:
        """(answer, question, others with the same odds) for each chart; all at once where they were asked
        for; worlds.
        """
        from interpreter.workbench.texts import asked

        extra = [*asked("show", "--ask", list(self.asks)), *self._condition()]
        if self.asks or self.own:
            answer = self._answer(self._case(extra))
            return (
                [(answer, i, []) for i in range(len(answer.asks))],
                answer if len(answer.asks) > 1 and not self.open else None,
                answer.worlds,
            )
        return self._unasked()

    def _condition(self) -> list[tuple[str, Any]]:
        from interpreter.workbench.texts import asked

        return asked("given", "--given", [self.given]) if self.given else []

    def _case(self, extra: list[tuple[str, Any]]) -> Any:
        from interpreter.workbench import prepare

        case = prepare(self.scene.rules, self.root, self.scene.problems, extra)
        if case is None or self.scene.problems.has_errors:
            refuse(self.scene.problems, self.as_json, typed=not self.scene.from_file)
        return case

    def _answer(self, case: Any) -> Any:
        from interpreter.workbench import weighed

        answer = weighed(case, limit=self.worlds)
        if answer is None:
            refuse(case.problems, self.as_json, typed=not self.scene.from_file)
        return self._where_it_holds(answer)

    def _where_it_holds(self, answer: Any) -> Any:
        from interpreter.workbench import Band

        if isinstance(answer, Band):
            self.open |= answer.open
        if self.given is None:
            return answer
        kept: Any
        from interpreter.source import Problems
        from interpreter.surfaces.as_json import bounds, chance
        from interpreter.workbench.questions import conditional

        index = next(i for i, ask in enumerate(answer.asks) if ask.kind == "given")
        if isinstance(answer, Band):
            kept = answer.where(index)
        else:
            exact = conditional(answer, index)
            kept = (exact[0], (exact[1], exact[1])) if exact is not None else None
        if kept is None:
            problems = Problems()
            problems.add("F016", None, wanted="a condition that can hold", hint=f"`{self.given}` never does here")
            refuse(problems, self.as_json)
        found, self.likely = kept
        told = bounds(self.likely) if isinstance(answer, Band) else chance(self.likely[0])
        self.held = {"text": self.given, **told}
        return found

    def _unasked(self) -> tuple[list[tuple[Any, int, list[str]]], Any, int]:
        """The lines of what is done; what is certain is told in one line, and odds that are the same are
        told once.
        """
        from interpreter.workbench.questions import askable, worth_asking

        condition = self._condition()
        case = self._case(condition)
        texts = [t for t in worth_asking(case)[:TRIED] if askable(case, self.root, t, condition) is not None]
        answers = self._together(texts)
        charts: list[tuple[Any, int, list[str]]] = []
        for text, (answer, index) in zip(texts, answers, strict=True):
            found, type_ = answer.of(index), answer.asks[index].type
            if len(found) == 1:
                self.certain.append((text, answer.words.say(next(iter(found)), type_)))
                continue
            like = next((c for c in charts if c[0].of(c[1]) == found and c[0].asks[c[1]].type == type_), None)
            if like is not None:
                like[2].append(text)
            elif len(charts) < MOST:
                charts.append((answer, index, []))
        return charts, None, sum({id(a): a.worlds for a, _ in answers}.values())

    def _together(self, texts: list[str]) -> list[tuple[Any, int]]:
        """All questions at once where that is small, for it is one walk in place of many; else one at a
        time.
        """
        from interpreter.source import Problems
        from interpreter.workbench import prepare, weighed
        from interpreter.workbench.texts import asked

        case = prepare(self.scene.rules, self.root, Problems(), [*asked("show", "question", texts), *self._condition()])
        answer = weighed(case, limit=min(self.worlds, FEW_WORLDS)) if case is not None else None
        if answer is not None:
            whole = self._where_it_holds(answer)
            return [(whole, i) for i in range(len(texts))]
        return [(self._answer(self._case([*asked("show", "question", [t]), *self._condition()])), 0) for t in texts]


def _unlike(charts: list[tuple[Any, int, list[str]]]) -> bool:
    """Whether a situation expected other odds than these."""
    return any(a.bounds(i) != a.asks[i].expected for a, i, _ in charts if a.asks[i].expected is not None)


def _show(scene: Scene, charts: list[tuple[Any, int, list[str]]], asked: _Questions, exact: bool) -> None:
    from interpreter.surfaces.as_json import fraction

    from .bars import between, chart, percent

    say(f"{paint(scene.rules.title, 'dim')}")
    say(f"{paint(scene.said, 'bold')}   {paint('exact odds', 'dim')}")
    if asked.held is not None:
        say(f"given {asked.given}, which is so in {between(asked.likely, fraction if exact else percent)}")
    for answer, index, same in charts:
        ask = answer.asks[index]
        say()
        lines = chart(answer, index, ask.text + (paint("  also " + ", ".join(same), "dim") if same else ""), exact)
        if ask.expected is not None:
            fits = answer.bounds(index) == ask.expected
            wanted = " to ".join(str(f) for f in dict.fromkeys(ask.expected))
            lines[0] += "  " + (paint("as expected", "good") if fits else paint(f"expected {wanted}", "poor"))
        say("\n".join(lines))
    certain = [f"{text} {value}" for text, value in asked.certain if value not in ("0", "no", "none", "nobody")]
    if certain:
        say()
        say(paint("always: " + ", ".join(certain), "dim"))
    if asked.open:
        from .bars import opened

        say()
        say("\n".join(opened(asked.open)))
    if not charts:
        say("nothing here depends on dice; ask for something with --ask")
