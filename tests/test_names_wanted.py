"""Of the record of a call only the lines that somebody reads name figures: what else it names is not followed, and no
answer is another for that.
"""

import pytest
from test_engines_kit import agree, case_of, law_of_odds, rules_of

from interpreter.program.figure_names import Aliases
from interpreter.program.name_updates import NameUpdates
from interpreter.source import Problems
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.examples import examples_of
from interpreter.workbench.histories import resolve
from interpreter.workbench.rules import open_rules
from tests.sampled import THOROUGH

GAME = rules_of("""\
game: Read and unread
Things:
  dice high: d6 at or over
  kind unit:
  kind figure of unit, many to a unit:
    wounds: number 0 to 3
  mark down of figure:
  mark dead of figure: out of play
  roll hit of figure on high: needs 4+
Doing:
  to fire-at (unit):
    struck: unit picks 2 from figures usually it is not down, it.wounds = 0
    missed: unit picks 1 from figures usually it is not down, it.wounds = 0
    felled: struck gain down
    wounding: unit hurts struck
  to hurt (unit), (men figures):
    hits: men passing hit
    gone: unit picks hits from men usually it is not down, it.wounds = 0
    killed: gone gain dead
  to read-on (unit):
    shots: unit fires-at
    late: (figures where down) gain 1 wounds
    left: shots.struck where wounds > 0
    more: unit fires-at
    still: shots.struck
  to read-nothing (unit):
    shots: unit fires-at
    late: (figures where down) gain 1 wounds
""")
ASKED = {
    "read-on": "left, unit.figures where wounds > 0",
    "read-nothing": "shots.missed where wounds > 0, shots.wounding.gone where down",
}


def asked(do: str, questions: str):
    text = f"unit A: 3 figures\ndo: A {do}\nask: [{questions.replace('unit.', 'A.')}]\n"
    return case_of(GAME, text)


def follow_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, every line of every record is a name."""

    def begin(self, checker, wanted):
        start(self, checker, lambda procedure: frozenset(checker.procedure(procedure).lines))

    start = Aliases.__init__
    monkeypatch.setattr(Aliases, "__init__", begin)


@pytest.mark.parametrize("do", ASKED)
def test_what_is_read_is_followed_by_rule_and_by_question(do, monkeypatch):
    """As by play under every script, and as where every line of every record is followed."""
    agree(asked(do, ASKED[do]))
    found = law_of_odds(asked(do, ASKED[do]))
    follow_everything(monkeypatch)
    assert law_of_odds(asked(do, ASKED[do])) == found


def test_a_question_that_reads_more_is_told_of_what_was_not_followed_before():
    """The same rules, asked one after the other: trees that follow too little are made anew."""
    assert odds(asked("read-nothing", "A.figures")) is not None
    agree(asked("read-nothing", ASKED["read-nothing"]))


def test_what_nobody_reads_is_not_lent(monkeypatch):
    lent = []
    loan = NameUpdates.loan

    def counted(self, e):
        made = loan(self, e)
        if made is not None:
            lent.append(len(made.before[0].act.names))
        return made

    monkeypatch.setattr(NameUpdates, "loan", counted)
    assert odds(asked("read-on", ASKED["read-on"])) is not None
    mine = sum(lent)
    lent.clear()
    follow_everything(monkeypatch)
    assert odds(asked("read-on", ASKED["read-on"])) is not None
    assert 0 < mine < sum(lent)


@pytest.mark.parametrize("name", ["imperial", "modern", *["vbcw", "vsf"] * THOROUGH])
def test_examples_of_shipped_sets_are_the_same(name, monkeypatch):
    """Some examples of each set, played with a trace, as where every line of every record is followed."""

    def played():
        rules = open_rules(name, Problems())
        examples = [e for e in examples_of(rules, Problems()) if e.body.get("dice") is not None]
        for example in examples[:: max(1, len(examples) // 6)]:
            case = prepare(rules, example.body, Problems())
            if case is not None:
                outcome = resolve(case)
                yield example.name, (outcome.values, outcome.words, outcome.after, outcome.asked)

    found = dict(played())
    assert len(found) >= 5
    follow_everything(monkeypatch)
    assert dict(played()) == found
