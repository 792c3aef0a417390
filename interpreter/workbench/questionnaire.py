"""The questions for a new rule set, and the page that the answers produce; both are data, in `starting/ruleset.yaml`.

Takes a name, and answers by question. Gives `Question`s, and the text of a rule file with the computed odds of its
examples. Knows neither the questions nor any word of a game.
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
from .reading import with_file_on_top
from .rule_sets import RuleSet
from .rules import open_rules
from .starting import fill_placeholders, page_form, titled

PAGE = "ruleset.yaml"


class Answer(Struct):
    """An answer. `says` is its text for the reader; `words` are the values of placeholders such as `{die}`."""

    name: str
    says: str
    words: dict[str, str]


class Question(Struct):
    """A question with its answers; the first is the default."""

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
    """The questions for a new rule set, in page order."""
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
    """The page for these answers; missing ones get the default. Raises KeyError for an unknown answer."""
    said = {q.name: answers.get(q.name, q.first) for q in questions()}
    words = {"title": titled(name), "file": file or f"{name}.yaml"}
    for question in questions():
        words |= {a.name: a for a in question.answers}[said[question.name]].words
    text = "\n".join(_written(_text(page_form(PAGE), "page").split("\n"), said))
    text = fill_placeholders(text, words)
    return "\n".join(_in_columns(line.rstrip() for line in text.strip("\n").split("\n"))).rstrip("\n") + "\n"


class Drafted(Struct):
    """The text of a rule file and its problems. There are none, unless Umpire has a bug."""

    text: str
    problems: Problems


def ruleset(name: str, answers: Mapping[str, str], file: str = "") -> Drafted:
    """A complete rule file: the page for these answers, with the computed odds of its examples."""
    base = _parent()
    assert base is not None, "what the page extends comes with Umpire"
    return with_odds(base, name, page(name, answers, file))


def with_odds(base: RuleSet, name: str, text: str) -> Drafted:
    """A text that extends a base, with the computed value of each fraction under `odds:` in its examples. A fraction
    stays if its value depends on a choice or cannot be computed.
    """
    problems = Problems()
    made = with_file_on_top(base, f"{name}.yaml", text, problems, laid=False)
    edits: list[tuple[int, int, Fraction]] = []
    for example in made.book.pages.examples if made is not None and not problems.has_errors else ():
        if made is not None and isinstance(example.body, Tree):
            edits += _odds(made, example.body, problems)
    for start, end, odds in sorted(edits, reverse=True):
        text = f"{text[:start]}{odds.numerator}/{odds.denominator}{text[end:]}"
    return Drafted(text, problems)


def _odds(rules: RuleSet, body: Tree, problems: Problems) -> Iterator[tuple[int, int, Fraction]]:
    """(start, end, value) of every fraction that an example expects."""
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
    """The lines of the page whose conditions these answers satisfy."""
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
    """The lines of rolls, values and tables with their texts aligned, as the answers determine the length of the
    names.
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
    """Evaluate a condition such as `dice=d6 and save!=none or turn=sides`."""

    def one(test: str) -> bool:
        name, no, answer = re.fullmatch(r"\s*(\w+)(!?)=([\w-]+)\s*", test).groups()  # type: ignore[union-attr]
        return (said[name] == answer) is not bool(no)

    return any(all(one(t) for t in part.split(" and ")) for part in condition.split(" or "))
