"""What a rule set must answer, and the page that the answers make: both are data, in `starting/ruleset.yaml`.

Enters: a name, and answers by question. Leaves: `Question`s; the text of a rule file, with the odds of its examples as
the engine finds them. Must not know what is asked, nor any word of a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache

from interpreter.document.nodes import Mapping as Tree
from interpreter.document.nodes import Scalar
from interpreter.folders import RULES
from interpreter.rulebook.situation import texts
from interpreter.source import Problems
from interpreter.source.values import Struct

from .bands import answer_situation
from .reading import with_text
from .rule_sets import RuleSet
from .rules import open_rules
from .starting import filled, page_form, titled

PAGE = "ruleset.yaml"


class Answer(Struct):
    """`says` is for a reader; `words` stand for themselves on the page, `{die}`."""

    name: str
    says: str
    words: dict[str, str]


class Question(Struct):
    """One question, with its answers; the first is the usual one."""

    name: str
    asks: str
    answers: tuple[Answer, ...]

    @property
    def first(self) -> str:
        return self.answers[0].name

    @property
    def yes_or_no(self) -> bool:
        return {a.name for a in self.answers} == {"yes", "no"}


@cache
def questions() -> tuple[Question, ...]:
    """What is asked of every new rule set, in the order of the page."""
    return tuple(
        Question(
            e.key.text,
            _text(e.value, "asks"),
            tuple(
                Answer(
                    a.key.text, _text(a.value, "says"), {w.key.text: _text(a.value, w.key.text) for w in _tree(a.value)}
                )
                for a in _tree(_tree(e.value).get("answers"))
            ),
        )
        for e in _tree(page_form(PAGE).get("questions"))
    )


def page(name: str, answers: Mapping[str, str], file: str = "") -> str:
    """The page for these answers; questions that are not answered get the usual one. KeyError for any other answer."""
    said = {q.name: answers.get(q.name, q.first) for q in questions()}
    words = {"title": titled(name), "file": file or f"{name}.yaml"}
    for question in questions():
        words |= {a.name: a for a in question.answers}[said[question.name]].words
    text = "\n".join(_written(_text(page_form(PAGE), "page").split("\n"), said))
    text = filled(text, words)
    return "\n".join(_in_columns(line.rstrip() for line in text.strip("\n").split("\n"))).rstrip("\n") + "\n"


class Drafted(Struct):
    """A text of a rule file, and what is wrong with it: nothing, or the mistake is ours."""

    text: str
    problems: Problems


def ruleset(name: str, answers: Mapping[str, str], file: str = "") -> Drafted:
    """A rule file of its own: the page for these answers, with the odds of its examples as they are."""
    base = _parent()
    assert base is not None, "what the page extends comes with Umpire"
    return with_odds(base, name, page(name, answers, file))


def with_odds(base: RuleSet, name: str, text: str) -> Drafted:
    """A text that extends a base, each fraction behind `odds:` in its examples as the engine finds it. One that hangs
    on a choice, or cannot be worked out, stays as it is.
    """
    problems = Problems()
    made = with_text(base, f"{name}.yaml", text, problems, laid=False)
    edits: list[tuple[int, int, Fraction]] = []
    for example in made.book.examples if made is not None and not problems.has_errors else ():
        if made is not None and isinstance(example.body, Tree):
            edits += _odds(made, example.body, problems)
    for start, end, odds in sorted(edits, reverse=True):
        text = f"{text[:start]}{odds.numerator}/{odds.denominator}{text[end:]}"
    return Drafted(text, problems)


def _odds(rules: RuleSet, body: Tree, problems: Problems) -> Iterator[tuple[int, int, Fraction]]:
    """(start, end, what it is) of every fraction that an example expects."""
    answer = answer_situation(rules, body, problems)
    if answer is None:
        return
    asked = [i for i, ask in enumerate(answer.asks) if ask.kind in ("chance", "mean")]
    said = [s for s in texts(body.get("odds")) if re.match(r"\d+/\d+ ", s.text)]
    for index, stated in zip(asked, said, strict=False):
        bounds = answer.bounds(index)
        if bounds is not None and bounds[0] == bounds[1]:
            span = stated.at(0, stated.text.index(" "))
            yield span.start, span.end, bounds[0]


@cache
def _parent() -> RuleSet | None:
    """The set that the page extends."""
    found = re.search(r"^extends: (\S+)", _text(page_form(PAGE), "page"), re.MULTILINE)
    return open_rules(RULES / f"{found[1]}.yaml", Problems()) if found else None


def _tree(node: object) -> Tree:
    assert isinstance(node, Tree)
    return node


def _text(node: object, key: str) -> str:
    found = _tree(node).get(key)
    return found.text if isinstance(found, Scalar) else ""


def _written(lines: list[str], said: Mapping[str, str]) -> Iterator[str]:
    """The lines that stand for these answers."""
    open_: list[bool] = []
    for line in lines:
        word, _, condition = line.strip().partition(" ")
        match word:
            case "%if":
                open_.append(_holds(condition, said))
            case "%else":
                open_[-1] = not open_[-1]
            case "%end":
                open_.pop()
            case _:
                if all(open_):
                    yield line


def _in_columns(lines: Iterable[str]) -> Iterator[str]:
    """The lines of rolls, values and tables with their texts below each other: how long their names are, the answers
    decide.
    """
    block: list[tuple[str, str]] = []
    title = False
    for line in [*lines, ""]:
        found = re.fullmatch(r"    ([\w-]+:) +(.*)", line) if title else None
        if found is not None:
            block.append((found[1], found[2]))
            continue
        width = max((len(key) for key, _ in block), default=0)
        yield from (f"    {key:<{width}} {text}" for key, text in block)
        yield line
        block = []
        title = re.fullmatch(r"  (roll|value|table) [^:]*:(  .*)?", line) is not None


def _holds(condition: str, said: Mapping[str, str]) -> bool:
    """`dice=d6 and save!=none or turn=sides`."""

    def one(test: str) -> bool:
        name, no, answer = re.fullmatch(r"\s*(\w+)(!?)=([\w-]+)\s*", test).groups()  # type: ignore[union-attr]
        return (said[name] == answer) is not bool(no)

    return any(all(one(t) for t in part.split(" and ")) for part in condition.split(" or "))
