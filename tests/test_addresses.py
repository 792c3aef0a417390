"""An address that is shown can be said: in questions, dice and choices alike, and it means the same line there."""

import re
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import pytest
from test_engines_kit import case_of, law_of_odds, rules_of
from worked import agreed

from interpreter.document.alternatives import spread
from interpreter.document.reader import read
from interpreter.document.shape import check_situation_shape
from interpreter.engines.trace_events import walk
from interpreter.source import Problems, Source
from interpreter.workbench.answers import NOT_RUN
from interpreter.workbench.cases import prepare
from interpreter.workbench.choice_policies import policies
from interpreter.workbench.histories import resolve
from interpreter.workbench.running import run
from interpreter.workbench.texts import asked, with_entries
from tests import shipped
from tests.sampled import THOROUGH, sampled

RULES = """\
game: Addresses
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
  kind figure, many to a unit:
    hurts: number
  mark fallen of figure: out of play
  roll nerve of unit: needs 4+
  to visit (unit):
    early: unit hums
    late, repeat 2 times:
      again-and-again: unit hums
    pick: unit.owner picks up to 1 from figures
    guess: unit.owner picks 0 to 3
    dare: unit.owner wishes
    tone: d4
  to hum (unit):
    tone: d6
    deep, if tone > 1:
      low: d6
    lost: unit.owner picks 1 from figures usually hurts = 0
  to call (unit):
    ring: unit visits
"""
SITUATION = "unit A: 3 figures\ndo: A visits\n"
CHOICES = "choose: {pick: most, guess: 2, dare: yes}\n"


@pytest.fixture(scope="module")
def rules():
    return rules_of(RULES)


def told(rules, text):
    """The problems of a situation: each code with the words it points at, and its hint."""
    problems = Problems()
    root = read(Source("situation.yaml", text), problems)
    check_situation_shape(root, problems)
    case = prepare(rules, root, problems) if not problems.has_errors else None
    if case is not None:
        policies(rules.choices, case.situation, problems)
    return [(p.code, p.span.text, p.hint or "") for p in problems]


# ---- questions
@pytest.mark.parametrize(
    ("address", "mean"),
    [
        ("tone", "5/2"),
        ("visit.tone", "5/2"),
        ("hum.tone", "21/2"),
        ("early.tone", "7/2"),
        ("late.again-and-again.tone", "7"),
        ("again-and-again.tone", "7"),
    ],
)
def test_a_line_is_asked_by_its_address(rules, address, mean):
    case = case_of(
        rules,
        f"{SITUATION}{CHOICES}odds: {mean}/1 mean {address}".replace("/1 mean", " mean")
        if "/" in mean
        else f"{SITUATION}{CHOICES}odds: {mean}/1 mean {address}",
    )
    law = law_of_odds(case)
    least, greatest = case.asks[0].expected
    assert sum(value * weight for (value,), weight in law.items()) == least == greatest


@pytest.mark.parametrize("address", ["hum.deep.low", "hum.low"])
def test_all_runs_of_a_line_were_run_where_one_of_them_was(rules, address):
    """Three times a die, if another one shows more than 1: in 1 of 216 ways none was thrown, also of those in a loop."""
    law = law_of_odds(case_of(rules, f"{SITUATION}{CHOICES}ask: {address}"))
    assert law.pop((NOT_RUN,)) == Fraction(1, 216)
    assert sum(value * weight for (value,), weight in law.items()) == Fraction(35, 4)


CALLED = {  # how often it is called
    "early: unit hums\n    late: unit hums": 2,
    "early: unit hums\n    late, repeat 2 times: unit hums": 3,
    "late, repeat 2 times: unit hums": 2,
    "late, repeat gold times: unit hums": 0,
    "late, repeat 2 times:\n      again-and-again, if gold = 0: unit hums": 2,
}
HUM = """\
  to hum (unit):
    tone: d2
    deep, if tone > 1:
      low: d2
"""


@pytest.mark.parametrize("lines", CALLED)
def test_where_no_run_ran_a_line_it_was_not_run_whatever_loops_stand_around_the_calls(lines, tmp_path):
    head = RULES.partition("    early: unit hums\n")[0]
    law = Counter()
    for calls in product((0, 0, 1, 2), repeat=CALLED[lines]):  # 0: it was not run
        law[sum(calls) if any(calls) else NOT_RUN] += Fraction(1, 4 ** len(calls))
    ran = {False: law[NOT_RUN], True: 1 - law[NOT_RUN]} if CALLED[lines] else False
    asks = {"hum.deep.low": dict(law), "ran(hum.low)": ran}
    agreed(tmp_path, f"{head}    {lines}\n{HUM}", "unit A:\ndo: A visits\n", asks)


def test_it_does_not_change_because_somebody_else_called_it(rules):
    """`hum.tone` is all runs of that line, one call further up too."""
    here = case_of(rules, f"{SITUATION}{CHOICES}ask: hum.tone")
    above = case_of(rules, f"unit A: 3 figures\ndo: A calls\n{CHOICES}ask: hum.tone")
    assert law_of_odds(here) == law_of_odds(above)


def test_what_could_be_two_lines_is_told_with_both(rules):
    text = "unit A: 3 figures\ndo: A calls\nask: unit.tone\n"
    assert told(rules, text)[0][0] == "N001"
    two = RULES.replace("    deep, if tone > 1:", "    end:\n      low: d6\n    deep, if tone > 1:")
    (code, word, hint), *_ = told(rules_of(two), f"{SITUATION}ask: hum.low\n")
    assert (code, word) == ("N002", "hum.low")
    assert "`hum.end.low`" in hint
    assert "`hum.deep.low`" in hint


# ---- every address that a trace prints
SAYABLE = re.compile(r"[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*")


def anything(_who, _line, allowed, usual):
    return allowed[0][1] if usual is None else usual


def agreeing(rules, root, seed, dice=False):
    """How many addresses of one play, or some of them, were asked, each of which gives what the trace says."""
    bare = with_entries(root, (), ("then", "odds", "trace", "ask"))
    case = prepare(rules, with_entries(root, (), ("odds", "trace", "ask")), Problems())
    outcome = resolve(case, seed=seed, chooser=anything) if case is not None else None
    shown = defaultdict(list)
    for event in walk(outcome.events) if outcome is not None else ():
        value = event.data.get("value", event.data.get("passed", event.data.get("failed")))
        if dice and "asked" in event.data:
            value = sum(event.data["dice"])
        is_line = (
            (dice and "asked" in event.data) or event.kind == "line" or (event.kind == "throw" and "roll" in event.data)
        )
        if is_line and type(value) is int and "." in event.line and SAYABLE.fullmatch(event.line):
            shown[event.line].append(value)
    count = 0
    for address, values in sampled(shown.items(), 12):
        problems = Problems()
        again = prepare(rules, bare, problems, asked("show", "question", [address]))
        if again is None:  # a line of a value, or one of calls within calls: it is told
            assert all(p.code in ("N001", "N002", "N020", "T001") for p in problems), (address, list(problems))
            continue
        found = resolve(again, seed=seed, chooser=anything, traced=False)
        (value,) = found.values.values()
        if type(value) is int:
            assert value == sum(values), address
            count += 1
    return count


TRACED = [("modern", 40, 8), ("vbcw", 40, 10), *[("vsf", 80, 5)] * THOROUGH]  # a turn of vsf takes as long as all others


@pytest.mark.parametrize(("name", "each", "least"), TRACED)
def test_every_address_of_a_trace_gives_what_the_trace_says(name, each, least):
    rules, count = shipped.opened(name), 0
    for example in shipped.examples(name)[::each]:
        body = example.body
        if body.get("error") is None and body.get("force") is None and not spread(body, Problems(), rules.rows).axes:
            count += agreeing(rules, body, None if body.get("dice") is not None else 1)
    assert count >= least


@pytest.mark.parametrize("seed", range(8))
def test_so_it_does_of_lines_that_are_called_from_several_places(rules, seed):
    problems = Problems()
    assert agreeing(rules, read(Source("s.yaml", SITUATION + CHOICES), problems), seed, dice=True) >= 2


# ---- dice
@pytest.mark.parametrize(
    ("dice", "asks"),
    [
        ("visit.tone 3, hum.tone 1 1 1", "visit.tone = 3"),
        ("visit.tone 4, hum.tone 2 3 1, hum.deep.low 5 6", "hum.deep.low = 11"),
        ("visit.tone 4, hum.tone 2 3 1, low 5 6", "hum.low = 11"),
        ("visit.tone 4, hum.tone 2 3 1, deep.low 5 6", "early.deep.low = 5"),
    ],
)
def test_dice_go_to_the_line_that_is_asked(rules, dice, asks):
    case = case_of(rules, f"{SITUATION}{CHOICES}dice: {dice}\nthen: {asks}")
    outcome = resolve(case)
    assert outcome.then[0][1]
    assert outcome.dice_left == 0


@pytest.mark.parametrize(
    ("dice", "code", "word"),
    [
        ("tune 3", "F019", "tune"),
        ("visit.tone 3, pick 1", "F019", "pick"),
        ("early.tone 3", "F019", "early.tone"),
        ("visit.tone 5", "F006", "5"),
        ("hum.tone 6 7", "F006", "7"),
        ("hum.tone 0", "F006", "0"),
        ("3 4 7", "F006", "7"),
        ("hum.tone ²", "L002", "²"),
    ],
)
def test_dice_that_nobody_throws_are_told_at_their_word(rules, dice, code, word):
    assert [(c, w) for c, w, _ in told(rules, f"{SITUATION}{CHOICES}dice: {dice}\nthen: tone = 3")] == [(code, word)]


def test_named_dice_may_be_lines_below_keys_too(rules):
    text = f"{SITUATION}{CHOICES}dice:\n  visit.tone: 3\n  tune: 4\n  hum.tone: 1 9 1\nthen: tone = 3"
    assert [(c, w) for c, w, _ in told(rules, text)] == [("F019", "tune"), ("F006", "9")]


def test_one_name_for_two_lines_that_throw_is_refused(rules):
    """No one can know whose the faces were meant to be; the hint says what can be said instead."""
    game = rules_of(RULES.replace("    tone: d4\n", "    other: unit sings\n") + "  to sing (unit):\n    tone: d6\n")
    case = case_of(game, f"{SITUATION}{CHOICES}dice: tone 1 1 1 4\nthen: A.gold = 0")
    assert resolve(case) is None
    (problem,) = case.problems
    assert (problem.code, problem.span.text) == ("N002", "tone")
    named = re.findall(r"`([^`]+)`", problem.hint)
    assert named == ["hum.tone", "sing.tone"]
    again = case_of(game, f"{SITUATION}{CHOICES}dice: {named[0]} 1 1 1, {named[1]} 4\nthen: {named[1]} = 4")
    assert resolve(again).then[0][1]


def test_too_few_dice_are_told_where_they_are_said(rules):
    case = case_of(rules, f"{SITUATION}{CHOICES}dice: visit.tone 3, hum.tone 1\nthen: tone = 3")
    assert resolve(case) is None
    assert [(p.code, p.span.text) for p in case.problems] == [("F005", "hum.tone")]


# ---- choices
@pytest.mark.parametrize(
    ("choose", "code", "word"),
    [
        ("dare yes", None, ""),
        ("dare: yes", None, ""),
        ("{visit.dare: yes}", None, ""),
        ("{early.lost: hurts = 0}", "F009", "early.lost"),
        ("{dar: yes}", "F009", "dar"),
        ("{tone: 3}", "F009", "tone"),
        ("{dare: maybe}", "F010", "maybe"),
        ("{pick: yes}", "F010", "yes"),
        ("{guess: 4}", "F010", "4"),
        ("{pick: 2}", "F010", "2"),
        ("{pick: hurts hurts}", "L001", "hurts"),
        ("{pick: hurt = 0}", "N001", "hurt"),
        ("pick, most", "L001", ","),
        ("pick; most", "L001", ";"),
        ("pick -> most", "L001", "->"),
        ("pick is most", "L001", "is"),
        ("'{pick: most}'", "N001", "{pick: most}"),
        ("{pick most}", "F016", "pick most"),
        ("{pick: hurts = 0, most}", "F016", "most"),
        ("{pick: }", "F016", "pick"),
        ("most", "N001", "most"),
        ("pick", "N001", "pick"),
        ("[pick, most]", "N001", "pick"),
        ("[pick: most]", "S003", "pick"),
        ("{pick: {hurts: 0}}", "S003", "{hurts: 0}"),
        ("{pick: -1}", "L001", "-1"),
    ],
)
def test_a_slip_under_choose_is_told_at_its_word(rules, choose, code, word):
    found = told(
        rules,
        f"{SITUATION}choose: {choose}\nask: A.gold\n"
        if ": " not in choose[:8] or choose[0] in "{['"
        else f"{SITUATION}choose: '{choose}'\nask: A.gold\n",
    )
    assert [(c, w) for c, w, _ in found[:1]] == ([(code, word)] if code else [])


def test_a_choice_that_could_be_two_is_told_with_both():
    game = RULES.replace("    ring: unit visits", "    ring: unit visits\n    dare: unit.owner wishes")
    found = told(
        rules_of(game),
        "unit A: 3 figures\ndo:\n  first-time: A calls\n  then-so: A visits\nchoose: {dare: yes}\nask: A.gold\n",
    )
    assert [(c, w) for c, w, _ in found] == [("N002", "dare")]
    assert "`call.dare`" in found[0][2]
    assert "`visit.dare`" in found[0][2]


# ---- words
@pytest.mark.parametrize("key", ["then: {}", "odds: 1/1 that {}", "ask: {}"])
@pytest.mark.parametrize(
    "question", ["all A.figures are (hurts = 0)", "not all A.figures are (hurts > 0)", "no A.gold"]
)
def test_a_question_may_begin_with_any_word_of_a_condition(rules, key, question):
    question = question.replace("no A.gold", "no (A.figures where hurts > 0)")
    assert told(rules, f"unit A: 3 figures\n{key.format(question)}\n") == []


@pytest.mark.parametrize("odd", ["²", "§", "٣", "ä", "!"])
def test_the_name_of_a_clause_is_plain(odd):
    problems = Problems()
    text = f"game: x\nclauses: MOD\nThings:\n  kind unit [1{odd}]:\n"
    from interpreter.places import LANGUAGE
    from interpreter.rulebook.check import check_book
    from interpreter.rulebook.sheets import Sheet

    check_book([Sheet.of("x", read(Source("x.yaml", text), problems))], LANGUAGE, problems, None)
    assert [(p.code, p.span.text) for p in problems if p.code == "L002"] == [("L002", odd)]


def test_examples_of_the_shipped_sets_say_whose_dice_they_give():
    """An example whose dice are for two lines under one name does not pass."""
    name = "fire-during-the-charge-comes-before-the-attack"
    (example,) = [e for e in shipped.examples("modern") if e.name == name]
    assert run(shipped.opened("modern"), example).passed
