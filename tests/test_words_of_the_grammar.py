"""Whatever may be given a name can be said by it: a word that the grammar keeps for itself is refused at the title."""

import re
from pathlib import Path

import pytest
from test_engines_kit import Mistaken, case_of, rules_of

from interpreter.language import Refusal, parse
from interpreter.places import LANGUAGE
from interpreter.rulebook import typed as t
from interpreter.rulebook.book import verb_forms

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
Doing:
"""
SINGULARS = {
    "become",
    "begin",
    "deal",
    "end",
    "fail",
    "gain",
    "leave",
    "lose",
    "meet",
    "miss",
    "move",
    "need",
    "pass",
    "pick",
    "wish",
}
MANUAL = (Path(__file__).parent.parent / "docs" / "language.md").read_text("utf-8")
KEPT = set(re.findall(r"[a-z]+", re.search(r"<!-- reserved words -->\n((?:> .*\n)+)", MANUAL)[1]))
WORDS = sorted(
    SINGULARS
    | KEPT
    | set(re.findall(r"\b[a-z]{2,}\b", LANGUAGE if "\n" in LANGUAGE else Path(LANGUAGE).read_text("utf-8")))
)

SAID = {
    "procedure": (
        "  to {0} (unit): unit gains 1 pin\n",
        "  to act (unit):\n    e1: unit {1}\n",
        "do: A {1}\n",
    ),
    "value": (
        "  value {0} of unit: pins + 1\n",
        "  to act (unit):\n    e1: unit.{0}\n    e2: {0} + 1\n    e3, if {0} > 1: nothing\n",
        "do: A acts\nask: A.{0}\n",
    ),
    "roll": ("  roll {0} of unit: needs 4\n", "  to act (unit):\n    e1: unit passes {0}\n", "do: A acts\n"),
    "mark": (
        "  mark {0} of unit:\n",
        "  to act (unit):\n    e1: unit gains {0}\n    e2, if unit is {0}: unit loses {0}\n    e3, if {0}: nothing\n",
        "do: A acts\nask: A.{0}\n",
    ),
    "fact": (
        "  fact {0} of unit (other unit): yes or no\n",
        "  to act (unit) at (other unit):\n    e1, if unit.{0}(other): nothing\n",
        "facts: A.{0}(B)\ndo: A acts at B\n",
    ),
}


def mistakes(text):
    try:
        return rules_of(HEAD + text), []
    except Mistaken as told:
        return None, told.args[0]


@pytest.mark.parametrize("what", SAID)
def test_what_may_be_declared_can_be_said(what):
    title, lines, situation = SAID[what]
    lost = []
    for word in WORDS:
        if mistakes(title.format(word))[1]:
            continue  # it is refused, and where is asked below
        if word == "act":
            continue
        third = verb_forms(word)[1]
        rules, told = mistakes((title + lines).format(word, third))
        if rules is None:
            lost.append((word, told))
            continue
        try:
            case_of(rules, f"unit A: pins 2\nunit B: pins 2\n{situation.format(word, third)}")
        except Mistaken as wrong:
            lost.append((word, wrong.args[0]))
        if what == "procedure":
            calls = rules.checker.procedure(rules.book.procedures["act"]).inside[t.Call]
            if [c.procedure.name for c in calls] != [word]:
                lost.append((word, "is not called"))
    assert lost == []


@pytest.mark.parametrize("what", SAID)
def test_a_word_that_is_kept_is_refused_where_it_stands(what):
    for word in sorted(SINGULARS | KEPT):
        told = mistakes(SAID[what][0].format(word))[1]
        assert told or word in SINGULARS or (what == "procedure" and word in ("instead", "out")), word
        if told:
            code, where = told[0]
            assert code in ("L001", "N019"), word
            assert where.split()[0] == word


@pytest.mark.parametrize("word", ["become", "deal", "fail", "move", "need", "pass", "pick", "wish"])
def test_a_verb_of_the_grammar_is_told_with_what_to_do(word):
    assert mistakes(f"  to {word} (unit): unit gains 1 pin\n")[1] == [("N019", word)]
    assert (
        mistakes(f"  to {word}-on (unit): unit gains 1 pin\n  to act (unit): unit {verb_forms(f'{word}-on')[1]}\n")[1]
        == []
    )


def test_every_line_that_the_manual_names_in_passing_may_be_called_so() -> None:
    """`volleys, for each shooter in firing:` on a page is a key that is read."""
    form = re.compile(r"`([a-z][a-z0-9-]*, (?:if|for each|repeat|by|otherwise|together)\b[^`:…]*):[^`]*`")
    keys = [
        key
        for page in (Path(__file__).parent.parent / "docs").glob("*.md")
        for key in form.findall(page.read_text("utf-8"))
    ]
    assert len(keys) > 10
    assert [key for key in keys if isinstance(parse(key, "line_key", LANGUAGE), Refusal)] == []
