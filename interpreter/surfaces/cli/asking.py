"""The questions of one situation and their answers: those given as options, its own, or lines selected automatically.

Takes a scene and the options. Gives answers with the questions of each; or exits the command. Knows nothing of how they
are displayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NoReturn

from interpreter.source import Problems
from interpreter.source.values import Struct
from interpreter.surfaces.as_charts import Chart, Form
from interpreter.surfaces.as_json import Json, bounds, chance
from interpreter.workbench.answers import Known
from interpreter.workbench.bands import Band, answer_case, format_bounds
from interpreter.workbench.cases import prepare
from interpreter.workbench.default_questions import EXPECTATIONS, asking_all, worth_asking
from interpreter.workbench.grids import Spread, apply_condition, spread
from interpreter.workbench.parallel import HERE, Workers
from interpreter.workbench.progress import Progress
from interpreter.workbench.texts import asked, with_entries

from .options import MOST_WORLDS
from .scenes import Scene
from .terminal import lacking

MOST = 8  # questions shown if none are given
TRIED = 30
_NOTHING = ("0", "no", "none", "nobody", "not run")


class Wish(Struct):
    """What to compute and in which form, from the options of a command."""

    given: str | None = None
    worlds: int = MOST_WORLDS
    exact: bool = False
    table: bool = False
    joint: bool = False
    statistics: Mapping[str, Any] = {}  # name of a statistic → the value of its option
    reach: Fraction | None = None
    workers: Workers = HERE
    svg: str | None = None
    html: str | None = None


class Questions:
    """The questions of one situation, and their answers."""

    def __init__(self, scene: Scene, wish: Wish, progress: Progress) -> None:
        self.scene, self.wish, self.progress = scene, wish, progress
        self.held: Json | None = None
        self.likely = Fraction(1), Fraction(1)
        self.known: tuple[Known, ...] = ()  # the conditions of the situation itself
        self.open: dict[str, str] = {}  # lines with an open choice → who chooses
        self.certain: list[tuple[str, str]] = []
        self.tables: list[Any] = []  # the joint tables that the situation expects
        self.too_long: list[str] = []  # automatically selected questions left out because they take too long
        root = scene.root
        self.own = not scene.asks and any(root.get(key) is not None for key in ("then", "odds", "ask"))
        # If the situation has `ask:`, its expectations for scripted dice (`then:`) are not asked.
        leave = ["then"] if root.get("ask") is not None else []
        self.root = with_entries(root, (), leave if self.own else EXPECTATIONS)

    def spread(self) -> Spread:
        """The situation expanded by its alternatives; text output supports at most two axes."""
        scene = self.scene
        several = scene.needed(spread(self.root, scene.problems, scene.rules.rows))
        if len(several.axes) > 2 and not scene.as_json:
            hint = "put one value there, or ask with `--json`, which has all"
            scene.problems.add("G008", several.place_of(2), count=len(several.axes), hint=hint)
            scene.refuse()
        return several

    def answers(self) -> tuple[list[Chart], Any, int]:
        """(answer, question index, other questions with the same odds) for each chart; the joint answer if the
        questions were given; the number of worlds.
        """
        if self.scene.asks or self.own:
            answer = self._answer(self.case(self.said()))
            return (
                [(answer, i, []) for i in range(len(answer.asks))],
                answer if len(answer.asks) > 1 and not self.open else None,
                answer.worlds,
            )
        return self._unasked()

    def given(self, form: Form) -> list[str]:
        """The condition, and its probability, as text."""
        known = [*self.known, *([(self.wish.given, self.likely)] if self.wish.given is not None else [])]
        return [f"given {text}, which is so in {format_bounds(likely, form)}" for text, likely in known]

    def assumed(self) -> list[Json]:
        """The conditions that the situation states as known, as plain data."""
        return [
            {"text": text, **(chance(low) if low == high else bounds((low, high)))} for text, (low, high) in self.known
        ]

    def always(self) -> list[str]:
        """The certain values that are not empty, as text."""
        found = [f"{text} {value}" for text, value in self.certain if value not in _NOTHING]
        return [f"always: {', '.join(found)}"] if found else []

    def chosen(self) -> list[str]:
        """The open choices and who makes them, as text."""
        by = ", ".join(f"{line} ({who})" for line, who in self.open.items())
        return [f"from the least to the greatest, as somebody chooses: {by}"] if by else []

    def said(self, texts: list[str] | None = None) -> list[tuple[str, Any]]:
        """The given questions, or `texts`; and the condition."""
        given = asked("given", "--given", [self.wish.given]) if self.wish.given else []
        found = asked("show", "--ask", list(self.scene.asks)) if texts is None else asked("show", "question", texts)
        return [*found, *given]

    def worth(self, root: Any) -> list[str]:
        """Lines worth asking if no question is given."""
        return self._worth(root)[0]

    def _worth(self, root: Any) -> tuple[list[str], Any]:
        """The lines worth asking, and the case that asks all of them at once; None if they cannot be asked together."""
        condition = self.said([])
        case = self.case(condition, root)
        tried = worth_asking(case)[:TRIED]
        together = asking_all(case, root, tried, condition)
        if together is not None:
            return tried, together
        return [text for text in tried if asking_all(case, root, [text], condition) is not None], None

    def never(self) -> NoReturn:
        lacking("a condition that can hold", f"`{self.wish.given}` never does here", self.scene.as_json)

    def case(self, extra: list[tuple[str, Any]], root: Any = None) -> Any:
        case = self.scene.needed(prepare(self.scene.rules, root or self.root, self.scene.problems, extra))
        case.progress = self.progress
        self.tables = case.situation.tables
        return case

    def _answer(self, case: Any) -> Any:
        return self._where_it_holds(self.scene.needed(answer_case(case, limit=self.wish.worlds), case.problems))

    def _where_it_holds(self, answer: Any) -> Any:
        if isinstance(answer, Band):
            self.open |= answer.open
        self.known = answer.known
        if self.wish.given is None:
            return answer
        kept = apply_condition(answer)
        if kept is None:
            self.never()
        found, self.likely = kept
        told = bounds(self.likely) if isinstance(answer, Band) else chance(self.likely[0])
        self.held = {"text": self.wish.given, **told}
        return found

    def _unasked(self) -> tuple[list[Chart], Any, int]:
        """Automatically selected lines: certain values are collected in one line, questions with equal odds share a
        chart.
        """
        texts, case = self._worth(self.root)
        charts: list[Chart] = []
        walks: dict[int, int] = {}
        for text, answer, index in self._answered(texts, case):
            walks[id(answer)] = answer.worlds
            found, type_ = answer.of(index), answer.asks[index].type
            if len(found) == 1:
                self.certain.append((text, answer.words.say(next(iter(found)), type_)))
                continue
            like = next((c for c in charts if c[0].of(c[1]) == found and c[0].asks[c[1]].type == type_), None)
            if like is not None:
                like[2].append(text)
            else:
                charts.append((answer, index, []))
                if len(charts) == MOST:
                    break
        if self.too_long and not charts:  # answer one of them, or report why it cannot be answered
            only = self._answer(self.case(self.said([self.too_long.pop(0)])))
            charts.append((only, 0, []))
            walks[0] = only.worlds
        return charts, None, sum(walks.values())

    def _answered(self, texts: list[str], case: Any = None) -> Iterator[tuple[str, Any, int]]:
        """The questions with their answers: all in one walk if it is small enough, else split in halves, each with
        its share of the worlds. A question that is too large by itself is left out. `case`, if given, asks all of
        them.
        """
        if case is None:
            case = prepare(self.scene.rules, self.root, Problems(), self.said(texts))
            assert case is not None, "each question can be asked"
        case.progress = self.progress
        answer = answer_case(case, limit=self.wish.worlds // len(texts))
        if answer is not None:
            whole = self._where_it_holds(answer)
            yield from ((text, whole, i) for i, text in enumerate(texts))
        elif any(problem.code != "E001" for problem in case.problems):
            self.scene.refuse(case.problems)
        elif len(texts) == 1:
            self.too_long += texts
        else:
            half = len(texts) // 2
            yield from self._answered(texts[:half])
            yield from self._answered(texts[half:])
