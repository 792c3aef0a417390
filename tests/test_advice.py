"""Policies by name, and advice: against every way to choose, tried one by one.

The toy has a choice of each sort that is put to somebody: yes or no, a row, how many, and which. Every way to choose is
a function from the questions that can come up to answers; there are few enough to try them all.
"""

import json
import re
from fractions import Fraction
from itertools import product

import pytest
from test_engines_kit import Mistaken, case_of, codes, law_of_odds, rules_of
from typed import CliRunner

from interpreter.engines.best import Best
from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.advice import advise
from interpreter.workbench.answers import odds
from interpreter.workbench.bands import find_bounds
from interpreter.workbench.rules import open_rules
from interpreter.workbench.run_setup import set_up

TOY = """
game: A toy
Toys:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    nerve: number 0 to 9
  kind figure, many to a unit:
  mark casualty of figure: out of play
  mark tired, proud of figure:
  value foes of unit: units where it.side is not unit.side
  roll steady of unit: needs 3+
  roll lucky of unit: needs 5+
  to gamble (unit):
    dare: owner wishes usually no
    safe, if not dare: unit passes steady
    risk, if dare: unit passes lucky
    won, if safe: unit gains 1 nerve
    big, if risk: unit gains 3 nerve
  to bet (unit):
    first-bet: unit gambles
    second-bet: unit gambles
  to shed (unit), (hits number):
    dead: owner picks min(hits, figures) from figures usually tired
    gone: dead gain casualty
  policy daring:
    gamble.dare: yes
  policy vain:
    shed.dead: not proud
    gamble.dare: no
"""
BETS = """
unit A: nerve 0
do: A bets
ask: {ask}
"""


def toy():
    return rules_of(TOY)


# ---- policies by name
def mean(text, rules=None):
    case = case_of(rules or toy(), text)
    answer = odds(case)
    assert answer is not None, codes(case)
    return answer.mean(0)


def test_a_policy_is_what_its_lines_say():
    usual, dared = Fraction(2 * 4, 6), Fraction(2 * 3 * 2, 6)
    assert mean(BETS.format(ask="A.nerve")) == usual
    for said in ("choose: daring", "choose: [daring]", "choose: {everybody: daring}", "choose: {A: daring}"):
        assert mean(BETS.format(ask="A.nerve") + said) == dared, said


def test_a_line_goes_before_a_policy_and_a_side_before_everybody():
    usual, dared = Fraction(2 * 4, 6), Fraction(2 * 3 * 2, 6)
    assert mean(BETS.format(ask="A.nerve") + "choose: {everybody: daring, dare: no}") == usual
    assert mean(BETS.format(ask="A.nerve") + "choose: {everybody: daring, A: vain}") == usual
    assert mean(BETS.format(ask="A.nerve") + "choose: {A: daring, everybody: vain}") == dared


def test_each_side_follows_its_own():
    text = """
unit A: nerve 0
unit B: nerve 0
do:
  ours: A gambles
  theirs: B gambles
choose: {B: daring}
ask: [A.nerve, B.nerve]
"""
    safe, risky = {1: Fraction(2, 3), 0: Fraction(1, 3)}, {3: Fraction(1, 3), 0: Fraction(2, 3)}
    assert law_of_odds(case_of(toy(), text)) == {(a, b): safe[a] * risky[b] for a, b in product(safe, risky)}


def test_conditions_of_a_policy_are_asked_of_what_is_picked():
    text = """
unit A:
  nerve: 1
  figures: [2 with proud and tired, 1]
do: A sheds 1
ask: A.figures where proud
"""
    text = text.replace("  nerve: 1\n", "  is: nerve 1\n")
    assert mean(text) == 1
    assert mean(text + "choose: vain") == 2


@pytest.mark.parametrize(
    ("said", "code", "word"),
    [
        ("choose: darring", "N001", "darring"),
        ("choose: {A: dare}", "N001", "dare"),
        ("choose: {C: daring}", "N001", "C"),
        ("choose: {everybody: no}", "N001", "no"),
    ],
)
def test_a_policy_that_is_not_there_is_told_at_the_word(said, code, word):
    with pytest.raises(Mistaken) as told:
        case_of(toy(), BETS.format(ask="A.nerve") + said)
    assert (code, word) in told.value.args[0]


def test_a_policy_that_says_nothing_of_what_is_done_is_told():
    case = case_of(toy(), "unit A: nerve 0, 2 figures\ndo: A sheds 1\nask: A.figures\nchoose: daring")
    assert odds(case) is None
    assert codes(case) == ["F009"]


def test_one_side_has_one_policy():
    text = "side Red:\nunit A: nerve 0, side Red\nunit B: nerve 0, side Red\ndo: A gambles\nask: A.nerve\n"
    case = case_of(toy(), text + "choose: {A: daring, B: vain}")
    assert odds(case) is None
    assert codes(case) == ["F010"]


def test_a_line_of_a_policy_must_name_a_choice():
    with pytest.raises(Mistaken) as told:
        rules_of(
            TOY.replace("    gamble.dare: yes", "    gamble.dair: yes").replace(
                "  table stances (need): calm, wild\n", ""
            )
        )
    assert told.value.args[0] == [("F009", "gamble.dair")]


# ---- advice
def tried(wants):
    """Every way to choose twice, knowing how the first bet came out; and what it is worth, by hand."""
    outcomes = {False: {1: Fraction(2, 3), 0: Fraction(1, 3)}, True: {3: Fraction(1, 3), 0: Fraction(2, 3)}}
    found = []
    for first in (False, True):
        for then in product((False, True), repeat=len(outcomes[first])):
            worth = Fraction(0)
            for (nerve, w), second in zip(outcomes[first].items(), then, strict=True):
                worth += sum(w * v * wants(nerve + more) for more, v in outcomes[second].items())
            found.append(worth)
    return found


@pytest.mark.parametrize("least", [2, 3, 4])
def test_the_best_is_the_best_of_all_ways_to_choose(least):
    case = case_of(toy(), BETS.format(ask=f"A.nerve >= {least}"))
    every = tried(lambda nerve: nerve >= least)
    most, fewest = advise(case, 0, "A", True), advise(case, 0, "A", False)
    assert (fewest.best, most.best) == (min(every), max(every))
    assert most.usual == {2: Fraction(4, 9), 3: 0, 4: 0}[least]


def test_where_the_best_depends_on_the_moment_it_is_said():
    """For two: dare first; who has won it need not care, and who has not must dare again. For a line all is one."""
    advice = advise(case_of(toy(), BETS.format(ask="A.nerve = 1 or A.nerve = 4")), 0, "A", True)
    every = tried(lambda nerve: nerve in (1, 4))
    assert advice.best == max(every)
    assert advice.reached <= advice.best
    assert advice.whole is (advice.reached == advice.best)
    assert bool(advice.moments) is not advice.whole


def test_each_way_has_what_comes_of_it_alone():
    advice = advise(case_of(toy(), BETS.format(ask="A.nerve >= 3")), 0, "A", True)
    (line,) = advice.lines
    assert line.address == "gamble.dare"
    assert [(w.said, w.value, w.usual) for w in line.ways] == [("yes", Fraction(5, 9), False), ("no", 0, True)]
    assert advice.whole


def test_the_advice_for_casualties_is_the_band_of_the_page():
    """Four shots with a chance of 5/12 each, at three who may lie down by two: none or as many as may be."""
    problems = Problems()
    rules = open_rules("modern", problems)
    text = """
unit A: veteran, 4 figures, weapon rifle
unit B: seasoned, 3 figures, armour light
facts: distance(A, B) is 20"
do: A shoots at B
ask: 3 - B.figures
"""
    least, most = [advise(case_of(rules, text), 0, "B", aim) for aim in (False, True)]
    assert (least.best, most.best) == (Fraction(5375, 20736), Fraction(33935, 20736))
    assert least.whole
    assert most.whole
    assert [line.best.said for line in least.lines] == ["most"]
    assert [line.best.said for line in most.lines] == ["fewest"]


# ---- one side against the other
DUEL = (
    TOY
    + """
  to race (unit) against (foe unit):
    mine: unit gambles
    yours: foe gambles
    mine-too: unit gambles
"""
)
RACE = "unit A: nerve 0\nunit B: nerve 0\ndo: A races against B\nask: A.nerve > B.nerve\n"


def by_hand(opposed):
    """A bets, B bets seeing it, A bets seeing both; from the last back to the first."""
    outcomes = {False: {1: Fraction(2, 3), 0: Fraction(1, 3)}, True: {3: Fraction(1, 3), 0: Fraction(2, 3)}}

    def last(a, b):
        return max(sum(w * (a + x > b) for x, w in outcomes[dare].items()) for dare in outcomes)

    def reply(a):
        worths = [sum(w * last(a, x) for x, w in outcomes[dare].items()) for dare in outcomes]
        return min(worths) if opposed else worths[0]

    return max(sum(w * reply(x) for x, w in outcomes[dare].items()) for dare in outcomes)


@pytest.mark.parametrize("opposed", [False, True])
def test_the_other_side_does_what_is_usual_or_what_is_worst(opposed):
    rules = rules_of(DUEL.replace(" against (foe unit)", " with (foe unit)"))
    case = case_of(rules, RACE.replace("against", "with"))
    assert advise(case, 0, "A", True, opposed=opposed).best == by_hand(opposed)


def test_two_who_choose_against_each_other_for_ever_are_refused():
    text = """
unit A: nerve 0
unit B: nerve 0
do:
  race, repeat until A.nerve > 2 or B.nerve > 2:
    mine: A gambles
    yours: B gambles
    slip: A loses 1 nerve
    slip-too: B loses 1 nerve
ask: A.nerve > 2
"""
    case = case_of(toy(), text)
    assert advise(case, 0, "A", True, opposed=True) is None
    assert codes(case) == ["E012"]
    assert advise(case_of(toy(), text), 0, "A", True).best > 0


def test_what_each_option_leads_to_is_noted():
    case = case_of(toy(), BETS.format(ask="A.nerve"))
    made = set_up(case, certain=True, opened=(None,))
    engine = Best(made.program, made.start.keys)
    engine.overrides = {a: change for a, (_, change) in made.overrides.items()}
    engine.explore(case.situation.procedure, frozenset(a.address for a in case.asks), made.args, made.start.state)
    assert engine.choices
    for world, choice in engine.choices.items():
        assert set(choice.then) == set(engine.moves[world][0])
        assert choice.options == (True, False)


# ---- the law: a line is worth what comes of following it, and nothing else is called the best
PARTS = {  # ways to choose, each with and without a word on what is usual
    "wish": """
  to gamble (unit):
    dare: owner wishes{ usually no}
    safe, if not dare: unit passes steady
    risk, if dare: unit passes lucky
    won, if safe: unit gains 1 nerve
    big, if risk: unit gains 3 nerve
""",
    "count": """
  to gamble (unit):
    sent: owner picks up to 2 from figures{ usually most}
    held: sent passing sturdy
    won, if any held: unit gains 1 nerve
    big, if held > 1: unit gains 2 nerve
    slack, if no held: unit loses 1 nerve
    gone: sent gain casualty
""",
    "which": """
  to gamble (unit):
    sent: owner picks min(1, figures) from figures{ usually tired}
    weary: sent where tired
    fresh: sent where not tired
    safe, if any weary: unit passes steady
    risk, if any fresh: unit passes lucky
    won, if safe: unit gains 1 nerve
    big, if risk: unit gains 3 nerve
    gone: sent gain casualty
""",
}
HEAD = """
game: A toy
Toys:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    nerve: number 0 to 9
  kind figure, many to a unit:
  mark casualty of figure: out of play
  mark tired of figure:
  roll steady of unit: needs 3+
  roll lucky of unit: needs 5+
  roll sturdy of figure: needs 4+
  to bet (unit) with (foe unit):
    first-bet: unit gambles
    second-bet, if DOUBLE: unit gambles
    answer: foe gambles
"""
THERE = """
unit A:
  is: nerve 1
  figures: [1 with tired, 2]
unit B:
  is: nerve 1
  figures: [1 with tired, 1]
do: A bets with B
ask: ASK
"""
ASKED = ("A.nerve > B.nerve", "A.nerve = 2", "A.nerve - B.nerve")


def toy_of(part, said, double, policy=""):
    lines = re.sub(r"\{(.*?)\}", r"\1" if said else "", PARTS[part])
    text = HEAD.replace("DOUBLE", double) + lines
    return rules_of(text + (f"  policy advised:\n{policy}" if policy else ""))


def worth_of(case, most):
    """What comes of it at least for who wants it: bounds where the other side chooses."""
    found = find_bounds(case)
    assert found is not None, codes(case)
    least, greatest = found.mean(0) if found.asks[0].type.name == "number" else found.chance(0)
    return least if most else greatest


@pytest.mark.parametrize("double", ["unit.nerve > 1", "unit.nerve = unit.nerve"])
@pytest.mark.parametrize("said", [True, False], ids=["usual", "open"])
@pytest.mark.parametrize("part", list(PARTS))
def test_a_line_is_worth_what_comes_of_following_it(part, said, double):
    adaptive = 0
    for ask, most in product(ASKED, (True, False)):
        text = THERE.replace("ASK", ask)
        found = advise(case_of(toy_of(part, said, double), text), 0, "A", most)

        def followed(lines, text=text, most=most):
            policy = "".join(f"    {address}: {word}\n" for address, word in lines.items())
            rules = toy_of(part, said, double, policy)
            return worth_of(case_of(rules, text + ("choose: {A: advised}\n" if policy else "")), most)

        assert found.reached == followed(found.follow)
        for line in found.lines:
            others = {a: word for a, word in found.follow.items() if a != line.address}
            for way in line.ways:
                assert way.value == followed({**others, line.address: way.said} if way.said else others), way
        if said:
            assert found.usual == followed({})
        else:
            assert found.usual is None
            assert list(found.against.values()) == ["side of B"]
        # whether anything is better is asked of all ways to choose, worked out another way
        opened = toy_of(part, said, double, "    gamble.dare: any\n" if part == "wish" else "    gamble.sent: any\n")
        bounds = find_bounds(case_of(opened, text + "choose: {A: advised}\n"))
        if said:
            best = bounds.mean(0) if bounds.asks[0].type.name == "number" else bounds.chance(0)
            assert found.best == best[1 if most else 0]
        assert found.whole is (found.reached == found.best)
        assert found.reached <= found.best if most else found.reached >= found.best
        assert bool(found.moments) is not found.whole
        adaptive += not found.whole
    assert adaptive or part != "wish", "in some of these the best depends on what has happened"


def test_the_value_of_a_line_of_a_shipped_set_is_the_odds_of_it():
    text = """
unit A: seasoned, 6 figures, weapon rifle
unit B: green, 8 figures, armour light
facts: distance(A, B) is 20"
do: A shoots at B
ask: harm.dead
"""
    rules = open_rules("modern", Problems())
    found = advise(case_of(rules, text), 0, "B", False)
    (line,) = found.lines
    for way in line.ways:
        assert way.value == odds(case_of(rules, text + f"choose: {{{line.address}: {way.said}}}")).mean(0)


def test_the_best_is_told_by_what_it_depends_on_where_it_does():
    """A wins a point with a safe bet and wants one or four: who has one dares for the four, and who has four, or none,
    does not.
    """
    rules = rules_of(TOY.replace(" usually no", ""))
    found = advise(case_of(rules, BETS.format(ask="A.nerve = 1 or A.nerve = 4")), 0, "A", True)
    assert (found.usual, found.best, found.reached) == (None, Fraction(8, 9), Fraction(4, 9))
    assert not found.whole
    assert found.follow == {"gamble.dare": "no"}
    told = {(m.condition, m.take) for m in found.moments}
    assert told == {("A.nerve is 0", "no"), ("A.nerve is 1", "yes")}


def test_no_line_is_called_the_best_where_a_guess_follows_the_die():
    """Nothing is usual, and what is guessed is the last that happens: one number for all moments meets one throw in
    six, also when it is played; who sees the die guesses right each time.
    """
    text = (
        TOY
        + """  to guess (unit):
    die: d6
    n: owner picks 1 to 6
    score: 1 if n = die else 0
"""
    )
    guess = "unit A: 1 figures\ndo: A guesses\nask: score\n"
    found = advise(case_of(rules_of(text), guess), 0, "A", True)
    assert (found.usual, found.best, found.reached, found.whole) == (None, 1, Fraction(1, 6), False)
    assert {(m.condition, m.take) for m in found.moments} == {(f"die is {n}", str(n)) for n in range(1, 7)}
    ((address, said),) = found.follow.items()
    assert odds(case_of(rules_of(text), guess + f"choose: {{{address}: {said}}}\n")).mean(0) == Fraction(1, 6)


def test_a_line_that_leaves_something_open_is_none():
    """Which go first says nothing of how many."""
    rules = rules_of(TOY.replace("picks min(hits, figures) from figures usually tired", "picks up to 2 from figures"))
    text = "unit A:\n  is: nerve 1\n  figures: [2 with tired, 1]\ndo: A sheds 1\nask: A.figures where tired\n"
    found = advise(case_of(rules, text.replace("A.figures where tired", "any (A.figures where tired)")), 0, "A", True)
    told = [word for line in found.lines for way in line.ways for word in (way.said, *way.same)]
    assert set(told) <= {"most", "fewest"}


def test_others_that_choose_freely_choose_what_is_worst_and_that_is_said():
    rules = rules_of(DUEL.replace(" usually no", "").replace(" against (foe unit)", " with (foe unit)"))
    found = advise(case_of(rules, RACE.replace("against", "with")), 0, "A", True)
    assert found.best == by_hand(opposed=True)
    assert found.against == {"gamble.dare": "side of B"}
    assert found.shared == {"gamble.dare": "side of B"}


@pytest.mark.parametrize("ask", ["first-bet.dare", "A.figures"])
def test_what_is_asked_has_a_number(ask):
    case = case_of(toy(), BETS.format(ask=ask))
    found = advise(case, 0, "A", True)
    assert found is not None, codes(case)


def test_what_has_no_number_is_refused():
    text = TOY.replace("  kind side:", "  table moods (cost):\n    calm: 1\n    wild: 2\n  kind side:")
    rules = rules_of(text.replace("nerve: number 0 to 9", "nerve: number 0 to 9\n    mood: one of moods"))
    case = case_of(rules, "unit A: nerve 0, mood calm\ndo: A bets\nask: A.mood\n")
    assert advise(case, 0, "A", True) is None
    assert codes(case) == ["F016"]


# ---- the command
VOLLEY = ["modern", "shoot", "A: seasoned, 6 figures, rifle", "B: green, 8 figures", 'distance 20"']


def told(*words):
    return CliRunner().invoke(main, ["advise", *words])


def test_plain_data_has_every_fraction():
    found = told(*VOLLEY, "--ask", "harm.dead > 1", "--for", "B", "--json")
    assert found.exit_code == 0
    data = json.loads(found.stdout)
    assert data["best"]["fraction"] == data["choices"][0]["ways"][0]["fraction"]
    assert [w["choose"] for w in data["choices"][0]["ways"]] == ["fewest", "most"]
    assert data["usual"]["fraction"] == data["choices"][0]["ways"][1]["fraction"]
    assert data["lines_are_best"] is True


def test_who_is_not_there_cannot_be_advised():
    found = told(*VOLLEY, "--ask", "harm.dead", "--for", "C")
    assert found.exit_code == 2
    assert "no thing here is called `C`" in found.output


def test_advice_needs_a_question():
    found = told(*VOLLEY, "--for", "B")
    assert found.exit_code == 2
    assert "--ask" in found.output


def test_a_policy_can_stand_behind_the_command():
    with_policy = CliRunner().invoke(
        main, ["odds", *VOLLEY, "--ask", "harm.dead", "--choose", "steadfast", "--fraction"]
    )
    with_line = CliRunner().invoke(
        main, ["odds", *VOLLEY, "--ask", "harm.dead", "--choose", "suffer.split.down=fewest", "--fraction"]
    )
    assert with_policy.exit_code == with_line.exit_code == 0
    assert with_policy.output == with_line.output


POT = """
game: Pots
Tables:
  kind side:
  kind unit of side:
    pot: number 0 to 20 first 6
  to bet (unit):
    dare: owner wishes
    die, if dare: d6
    win, if die >= 4: unit gains 6 pot
    bust, if ran(die) and die < 4: unit loses 6 pot
  to stake-some (unit):
    stake: owner picks 0 to unit.pot
    die: d6
    win, if die >= 4: unit gains stake pot
    bust, otherwise: unit loses stake pot
  to play-on (unit):
    rounds, repeat 2 times:
      go: unit {does}
    rich: unit.pot >= 12
"""


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("bets", {("A.pot is 12", "no")}),
        # of 6, all; of the 12 that are won with these, none: who followed the line would stake all again
        ("stakes-some", {("", "6"), ("", "0")}),
    ],
)
def test_where_lines_fall_short_it_is_said_when_to_leave_them(does, told):
    """Who follows the line as long as it is as good as any: when he leaves it, though a lazier way is as good."""
    found = advise(case_of(rules_of(POT.format(does=does)), "unit A:\ndo: A plays-on\nask: [rich]\n"), 0, "A", True)
    assert (found.best, found.reached) == (Fraction(1, 2), Fraction(1, 4))
    assert {(m.condition, m.take) for m in found.moments} == told


PEEK = """
game: Peeks
Tables:
  kind side:
  kind unit of side:
    cash: number first 5
  to bet (unit), (stake number):
    peek: d4
    dare: owner wishes
    face, if dare: d4
    win, if dare and face > peek: unit gains stake cash
    lost, if dare and face <= peek: unit loses stake cash
  to play-on (unit):
    small: unit bets 2
    large: unit bets 3
    rich: unit.cash >= 7
"""


def test_what_decides_may_be_what_a_call_was_told():
    """The small bet is worth it where it is won more often than the large one is, three times in eight; then one stops."""
    found = advise(case_of(rules_of(PEEK), "unit A:\ndo: A plays-on\nask: [rich]\n"), 0, "A", True)
    assert found.best == Fraction(1, 4) * (Fraction(3, 4) + Fraction(1, 2)) + Fraction(1, 2) * Fraction(3, 8)
    assert {(frozenset(m.when), m.take) for m in found.moments} == {
        (frozenset({("stake", ("2",)), ("peek", ("1", "2")), ("A.cash", ("5",))}), "yes"),
        (frozenset({("stake", ("2",)), ("peek", ("3", "4")), ("A.cash", ("5",))}), "no"),
        (frozenset({("stake", ("3",)), ("peek", ("1", "2", "3")), ("A.cash", ("5",))}), "yes"),
        (frozenset({("stake", ("3",)), ("peek", ("1", "2", "3", "4")), ("A.cash", ("7",))}), "no"),
    }
