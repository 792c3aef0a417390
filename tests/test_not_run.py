"""A line that was not run has no value: not 0, not no, not nobody. Asked for, it is an outcome of its own.

Each test holds a law over every question below, in both engines; none over a single case alone.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typed import CliRunner

import interpreter
from interpreter.source import Problems
from interpreter.surfaces.as_answers import question
from interpreter.surfaces.cli.group import main
from interpreter.workbench.answers import NOT_RUN
from tests.test_engines_kit import agree, case_of, rules_of

RULES = """\
game: Not run
Things:
  dice high: d2 at or over
  kind side:
  kind unit of side:
    skill: number first 2
  kind figure, many to a unit:
    weapon: one of weapons or none
  table weapons: rifle, gun
  mark casualty of figure: out of play
  mark shaken of unit:
  roll shot of unit: needs skill
  to shoot (unit) at (target unit):
    hits: unit.figures passing unit.shot
    all-down, if hits >= target.figures: target.figures gain casualty
    some, otherwise:
      dead: target.owner picks hits from target.figures usually weapon is gun
      any-dead: any dead
      fall, if any-dead: dead gain casualty
      gun: target.owner picks up to 1 from dead where weapon is gun usually most
    rounds, repeat hits times, if hits > 1:
      face: d2
      six, if face = 2: 1
    fright, if any target.figures: target cowers
  to cower (unit):
    die: d2
    worse, if die = 1: d2
    shaken, if die = 1: unit gains shaken
  to look-on (unit):
    die: d6
    sorted, by die:
      1-2 low:
        sum: die + 10
        same: unit.figures
      3 middle: nothing
      4-6 high:
        sum: die + 20
        same: 3
    halved, if die = 1:
      sum: 1
    told: sorted.sum + 0
    low, if told < 20: unit gains shaken
    picked, owner picks one usually one-way:
      one-way:
        far: 3"
      other-way:
        far: 5"
    went: far + 1"
"""
SITUATION = """\
rules: not-run
unit A: 2 figures
unit B:
  figures: [1 with weapon rifle, 1 with weapon gun]
do: A shoots at B
"""
PLAIN = ["some.dead", "hits", "some.dead + hits", "min(some.dead, 1)", "some.any-dead", "rounds.six", "fright.worse"]
TESTS = [
    "some.dead = 0",
    "some.dead > 0",
    "any some.dead",
    "no some.dead",
    "some.any-dead",
    "some.dead + hits = 2",
    "rounds.six = 0",
    "rounds.six > 0",
    "fright.worse > 1",
    "fright.worse < 3 and some.dead = 1",
    "fright.worse > 1 or some.dead = 0",
    "some.dead = hits if fright.worse > 1 else some.dead = 1",
    "(2 if some.dead = 1 else 3) = 3",
    "any (some.dead where weapon is gun)",
    "some.gun is none",
    "some.gun is not none",
    "some.dead <= hits",
    "ran(some.dead)",
    "ran(rounds.six) and not ran(some.dead)",
    "ran(fright.worse)",
]


LINES = {  # single lines, and in how much of all ways each is run
    "some.dead": Fraction(3, 4),
    "hits": Fraction(1),
    "some.any-dead": Fraction(3, 4),
    "rounds.six": Fraction(1),
    "fright.worse": Fraction(3, 8),
}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "not-run.yaml"
    path.write_text(RULES, encoding="utf-8")
    return path


@pytest.fixture
def scene(rules: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(rules.parent)
    return SITUATION


def chances(scene: str, asks: list[str], given: str | None = None) -> list[Fraction]:
    answer = interpreter.odds(scene, ask=asks, given=given)
    return [answer.chance(i) for i in range(len(asks))]


def histories(scene: str, asks: list[str]) -> dict[tuple[Any, ...], Fraction]:
    """Every history by its dice, each played, with how likely it is: what they answer, all added up."""
    found: dict[tuple[Any, ...], Fraction] = {}
    todo: list[list[int]] = [[]]
    for dice in todo:
        try:
            outcome = interpreter.resolve(scene, dice=dice, ask=asks)
        except interpreter.Trouble as why:
            assert [p.code for p in why.problems] == ["F005"]
            todo += [[*dice, face] for face in (1, 2)]
            continue
        if not outcome.dice_left:
            key = tuple(outcome.values[ask] for ask in asks)
            found[key] = found.get(key, Fraction(0)) + Fraction(1, 2 ** len(dice))
    return found


def test_the_file_is_clean(rules: Path) -> None:
    assert not interpreter.check(rules)


def test_a_test_and_its_opposite_are_all_there_is(scene: str) -> None:
    for one, other in zip(chances(scene, TESTS), chances(scene, [f"not ({t})" for t in TESTS]), strict=True):
        assert one + other == 1


def test_a_test_of_what_is_not_run_is_false(scene: str) -> None:
    asks = [
        f"({test}) and not ran(some.dead)" for test in TESTS if test.startswith(("some.dead", "any some", "no some"))
    ]
    assert len(asks) >= 5
    assert set(chances(scene, asks)) == {Fraction(0)}


def test_rows_add_up_and_not_run_is_one_of_them(scene: str) -> None:
    answer = interpreter.odds(scene, ask=PLAIN)
    for i, ask in enumerate(PLAIN):
        found = answer.of(i)
        assert sum(found.values()) == 1
        assert answer.runs(i) == 1 - found.get(NOT_RUN, 0)
        if ask in LINES:
            assert answer.runs(i) == LINES[ask]
    assert chances(scene, [f"ran({line})" for line in LINES]) == list(LINES.values())


def test_plays_and_odds_agree_whatever_the_dice_show(scene: str) -> None:
    asks = [*PLAIN, *TESTS]
    answer = interpreter.odds(scene, ask=asks)
    types = [ask.type for ask in answer.asks]
    exact: dict[tuple[Any, ...], Fraction] = {}
    for values, weight in answer.joint:
        key = tuple(answer.words.plain(v, type_) for v, type_ in zip(values, types, strict=True))
        exact[key] = exact.get(key, Fraction(0)) + Fraction(weight, answer.total)
    assert histories(scene, asks) == exact


def test_asked_alone_is_asked_together(scene: str) -> None:
    asks = [*PLAIN, *TESTS]
    together = interpreter.odds(scene, ask=asks)
    for i, ask in enumerate(asks):
        assert interpreter.odds(scene, ask=[ask]).of(0) == together.of(i)


def test_under_a_condition(scene: str) -> None:
    """Where it was run, it has a number; the mean there is what is told of it everywhere."""
    whole, kept = (
        interpreter.odds(scene, ask=["some.dead"]),
        interpreter.odds(scene, ask=["some.dead"], given="ran(some.dead)"),
    )
    assert kept.runs(0) == 1
    assert kept.mean(0) == whole.mean_where_run(0)
    with pytest.raises(ValueError, match="may be not run"):
        whole.mean(0)


def test_json_says_null(scene: str) -> None:
    answer = interpreter.odds(scene, ask=["some.dead", "hits"])
    told, always = question(answer, 0), question(answer, 1)
    assert [o["value"] for o in told["outcomes"]] == [None, 0, 1]
    assert told["mean"] is None
    assert told["run"]["mean"] == "2/3"
    assert always["mean"] == "1/1"
    assert "run" not in always
    outcome = interpreter.resolve(scene, dice=[2, 2, 1, 1], ask=["some.dead", "some.dead = 0"])
    assert outcome.values == {"some.dead": None, "some.dead = 0": False}
    assert outcome.words["some.dead"] == "not run"


def test_a_band_keeps_it_apart(scene: str) -> None:
    """Whether the gun falls is a choice; whether anybody falls so is none."""
    text = scene + "choose: {shoot.some.gun: any}\n"
    found = interpreter.band(text, ask=["some.gun is none", "some.dead", "no some.gun", "not (no some.gun)"])
    quarter = Fraction(1, 4)
    assert found.of(1)[NOT_RUN] == (quarter, quarter)
    assert found.runs(1) == (1 - quarter, 1 - quarter)
    assert found.mean_where_run(1) == (Fraction(2, 3), Fraction(2, 3))
    least, most = found.chance(2)
    assert found.chance(3) == (1 - most, 1 - least)
    with pytest.raises(ValueError, match="may be not run"):
        found.mean(1)


def test_a_sample_keeps_it_apart(scene: str) -> None:
    found = interpreter.sample(scene, ask=["some.dead", "not some.dead = 0"], plays=400)
    assert found.runs(0).least < 0.75 < found.runs(0).greatest
    assert found.mean(0).least < 2 / 3 < found.mean(0).greatest
    assert found.chance(1).least < 0.75 < found.chance(1).greatest


EXAMPLE = """
  example of-it:
    unit A: 2 figures
    unit B:
      figures: [1 with weapon rifle, 1 with weapon gun]
    do: A shoots at B
    odds: {}
"""


@pytest.mark.parametrize("asked", ["some.dead", "some.dead + hits", "fright.worse"])
def test_a_mean_of_what_may_be_not_run_is_refused_and_the_hint_mends_it(asked: str, tmp_path: Path) -> None:
    path = tmp_path / "refused.yaml"
    path.write_text(RULES + EXAMPLE.format(f"1/1 mean {asked}"), encoding="utf-8")
    (problem,) = interpreter.test(path)[0].problems
    assert (problem.code, problem.span.text if problem.span else "") == ("X030", asked)
    instead = re.findall(r"`(mean .*)`", problem.hint or "")[0]
    path.write_text(RULES + EXAMPLE.format(f"1/1 {instead}"), encoding="utf-8")
    assert [p.code for p in interpreter.test(path)[0].problems] in (["X001"], [])


def test_a_mean_of_what_could_be_not_run_and_never_is(tmp_path: Path) -> None:
    """What a line may be in other situations is no matter here: one man cannot kill two."""
    path = tmp_path / "always.yaml"
    text = RULES + EXAMPLE.format("1/2 mean some.dead").replace("unit A: 2", "unit A: 1")
    path.write_text(text, encoding="utf-8")
    assert interpreter.test(path)[0].passed


def test_rounds_that_nobody_began_come_to_nought(scene: str) -> None:
    found = interpreter.odds(scene.replace("A: 2", "A: 1"), ask=["rounds.six", "ran(rounds.six)"])
    assert found.of(0) == {0: 1}
    assert found.chance(1) == 1


@pytest.mark.parametrize(
    "order", [("rounds.first-line", "rounds.second-line"), ("rounds.second-line", "rounds.first-line")]
)
def test_two_lines_of_a_loop_that_may_be_left_out(order: tuple[str, str], tmp_path: Path) -> None:
    """Whichever is asked first, both were run when the loop was."""
    path = tmp_path / "loops.yaml"
    lines = [
        "to try (unit):",
        "  rounds, if skill > 1, for each man in figures:",
        "    first-line: d2",
        "    second-line: 3",
    ]
    odds = ["3/1" if "first" in name else "6/1" for name in order]
    asked = f"odds: [{odds[0]} mean {order[0]}, {odds[1]} mean {order[1]}]"
    text = RULES.split("  to shoot")[0] + "".join(f"  {line}\n" for line in lines)
    path.write_text(f"{text}  example both:\n    unit A: 2 figures\n    do: A tries\n    {asked}\n", encoding="utf-8")
    assert [p.message for p in interpreter.test(path)[0].problems] == []


def test_nothing_is_noted_of_what_nobody_asks(rules: Path, scene: str) -> None:
    from interpreter.workbench.cases import prepare
    from interpreter.workbench.files import open_situation
    from interpreter.workbench.rules import open_rules
    from interpreter.workbench.texts import asked

    problems = Problems()
    opened = open_rules("not-run", problems)
    situation = open_situation(scene, problems)
    assert opened is not None and situation is not None

    def noted() -> set[str]:
        lines = opened.checker.procedure(opened.book.procedures["shoot"]).lines
        return {address for address in lines if "?" in address}

    assert prepare(opened, situation[1], problems, asked("show", "ask", ["hits", "rounds.six"])) is not None
    assert noted() == set()
    assert prepare(opened, situation[1], problems, asked("show", "ask", ["some.dead"])) is not None
    assert noted() == {"some.dead?ran"}


# ---- one name on several branches
def test_branches_that_exclude_each_other_give_one_name(scene: str) -> None:
    looking = scene.replace("A shoots at B", "A looks-on")
    asks = ["sorted.sum", "told", "sorted.same", "far", "went", "halved.sum", "sorted.low.sum"]
    answer = interpreter.odds(looking, ask=asks)
    sixth = Fraction(1, 6)
    sums = {NOT_RUN: sixth, 11: sixth, 12: sixth, 24: sixth, 25: sixth, 26: sixth}
    assert answer.of(0) == sums
    assert answer.of(1) == {0 if v is NOT_RUN else v: p for v, p in sums.items()}  # inside rules it counts as nothing
    assert answer.of(2) == {NOT_RUN: sixth, 2: 2 * sixth, 3: 3 * sixth}  # counted, where it is a number elsewhere
    assert [answer.of(i) for i in (3, 4)] == [{3: 1}, {4: 1}]
    assert answer.of(5) == {NOT_RUN: 5 * sixth, 1: sixth}
    assert answer.of(6) == {NOT_RUN: 4 * sixth, 11: sixth, 12: sixth}  # what a branch calls its own stays its own


@pytest.mark.parametrize("second", ["high, if any units", "high"])
def test_branches_that_may_both_be_run_do_not(second: str, tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    lines = [
        "to try (unit):",
        "  die: d6",
        "  low, if die = 1:",
        "    sum: 1",
        f"  {second}:",
        "    sum: 2",
        "  told: sum",
    ]
    text = RULES.split("  to shoot")[0] + "".join(f"  {line}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    assert [p.code for p in interpreter.check(path) if p.severity == "error"] == ["N002"]
    path.write_text(text.replace(f"    {second}:", "    high, otherwise:"), encoding="utf-8")
    assert not [p for p in interpreter.check(path) if p.severity == "error"]


@pytest.mark.parametrize(
    ("place", "share"), [("out", Fraction(1, 2)), ("back", Fraction(1, 2)), ("either", Fraction(3, 4))]
)
def test_a_rule_at_several_places_was_run_where_one_of_its_runs_was(
    place: str, share: Fraction, tmp_path: Path
) -> None:
    rule = {
        "out": "rule snap after patrol.out:\n    lost, if out = 1: d2",
        "back": "rule snap after patrol.back:\n    lost, if back = 1: d2",
        "either": "rule snap after step.foot:\n    lost, if foot = 1: d2",
    }[place]
    text = RULES + "  to patrol (unit):\n    out: d2\n    back: d2\n"
    if place == "either":
        text += "  to step (unit):\n    foot: d2\n"
        text = text.replace("    out: d2\n    back: d2\n", "    out: unit steps\n    back: unit steps\n")
    text += f"  {rule}\n  example of-it:\n    unit A: 1 figures\n    do: A patrols\n    odds:\n"
    text += f"      - {share} that ran(snap.lost)\n      - {1 - share} that not ran(snap.lost)\n"
    text += f"      - {share / 2 if place != 'either' else Fraction(1, 2)} that snap.lost > 1\n"
    path = tmp_path / "several.yaml"
    path.write_text(text, encoding="utf-8")
    (result,) = interpreter.test(path)
    assert not [p.message for p in result.problems]


def test_everybody_dead_is_told_as_so_many_dead() -> None:
    """The share in which a whole unit falls is the share in which nobody of it is left."""
    scene = "rules: modern\nunit A: elite, 24 figures, weapon rifle\nunit B: green, 8 figures\n"
    scene += 'facts: distance(A, B) is 20"\ndo: A shoots at B\n'
    answer = interpreter.odds(scene, ask=["harm.dead", "no B.figures", "8 - B.figures", "harm.down"])
    assert answer.of(0) == answer.of(2)
    assert answer.of(0)[8] == answer.chance(1)
    assert answer.of(3)[NOT_RUN] == answer.chance(1)


# ---- the lines of rules
WHERE = {
    "one place": "to work (unit):\n    pay: unit gains 1 gold",
    "two places": "to work (unit):\n    pay: unit steps\n    twice: unit steps",
    "a loop of the page": "to work (unit):\n    pay, for each other in units: unit steps",
}
AT = {
    "one place": "after work",
    "two places": "after work.pay, after work.twice",
    "a loop of the page": "after work.pay",
}
WHO = {
    "for each": "for each unit {} if unit is actor{}",
    "of its own": "{} if actor is actor{}",
    "as part": "for each unit {} as unit if gold >= 0{}",
    "after a mark": "for each unit after lit if gold >= 0{}",
}


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(
    ("condition", "inner", "share"),
    [
        (" and gold > 9", "", Fraction(0)),
        ("", "", Fraction(1)),
        (" and luck = 1", "", Fraction(1, 2)),
        ("", ", if luck = 1", Fraction(1, 2)),
        (" and luck = 1", ", if luck = 2", Fraction(0)),
    ],
)
def test_a_rule_that_never_set_in_was_run_nowhere(
    where: str, who: str, condition: str, inner: str, share: Fraction, tmp_path: Path
) -> None:
    """Its own `if`, and that of its line: whom it passes over has no part in what it comes to."""
    condition, inner = condition.replace("luck", "actor.luck"), inner.replace("luck", "actor.luck")
    if who == "after a mark":
        condition, inner = condition.replace("actor", "unit"), inner.replace("actor", "unit")
    title = WHO[who].format(*([] if who == "after a mark" else [AT[where]]), condition)
    text = RULES.split("  roll shot")[0].replace("    skill:", "    gold: number\n    luck: number\n    skill:")
    text += "  mark lit of unit:\n  to step (unit):\n    lights: unit gains lit\n"
    page = WHERE[where].replace("unit gains 1 gold", "unit steps")
    page = page.replace(":\n    pay", ":\n    die: d2\n    noted: unit.luck becomes die\n    pay", 1)
    text += f"  {page}\n  rule paid {title}:\n    tip{inner}: d4\n"
    text += "  example of-it:\n    unit A:\n    unit B:\n    do: A works\n    odds:\n"
    text += f"      - {share} that ran(paid.tip)\n      - {1 - share} that not ran(paid.tip)\n"
    text += f"      - {share} that paid.tip > 0\n      - 0/1 that paid.tip = 0\n"
    path = tmp_path / "paid.yaml"
    path.write_text(text, encoding="utf-8")
    (result,) = interpreter.test(path)
    assert not [p.message for p in result.problems]
    case = case_of(rules_of(text), "unit A:\nunit B:\ndo: A works\nask: [ran(paid.tip)]")
    assert agree(case) >= 1


def test_of_a_rule_at_several_places_the_hint_of_a_mean_asks_whether_any_was_run(tmp_path: Path) -> None:
    """Twice 1 in 3, and then 5 in 9, a pin is there when the unit has hit: 8/9 in the mean."""
    text = """game: Twice
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
Doing:
  to hit (unit):
    d: d6
    big, if d >= 5: unit gains 1 pin
  to hit-twice (unit):
    once: unit hits
    then-again: unit hits
  rule ow for each unit after hit.big if pins > 0:
    cnt: 1
  example both:
    unit A:
    do: A hits-twice
    odds: 8/9 mean ow.cnt
"""
    said = "mean (ow.cnt if ran(ow.cnt) else 0)"
    (tmp_path / "twice.yaml").write_text(text, "utf-8")
    assert f"`{said}`" in CliRunner().invoke(main, ["test", str(tmp_path / "twice.yaml")]).output
    (tmp_path / "twice.yaml").write_text(text.replace("mean ow.cnt", said), "utf-8")
    assert CliRunner().invoke(main, ["test", str(tmp_path / "twice.yaml")]).exit_code == 0


def test_a_case_for_0_is_that_of_a_line_that_was_not_run(tmp_path: Path) -> None:
    """So nothing may say that no number leads to it; a case that nothing leads to is told all the same."""
    text = """game: Walls
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  mark wall, tired of unit:
Doing:
  to hit (unit):
    d: 2d6
    worse: unit gains d pins
  to blow (unit):
    h: unit hits
    c, by h.d:
      0: unit gains tired
      1 or more: nothing
  rule block for each unit instead of hit if wall:
    off: unit loses wall
  example blocked:
    unit A: wall
    do: A blows
    then: [A is tired, A.pins = 0]
"""
    file = tmp_path / "walls.yaml"
    file.write_text(text, "utf-8")
    assert [p.code for p in interpreter.check(str(file))] == []
    assert CliRunner().invoke(main, ["test", str(file)]).exit_code == 0
    file.write_text(text.replace("1 or more: nothing", "1-12: nothing\n      13 or more: unit gains tired"), "utf-8")
    assert [p.code for p in interpreter.check(str(file))] == ["K010"]


@pytest.mark.parametrize("left_out", ["go-on", "die > 3"])
def test_a_mean_of_what_a_die_or_an_open_choice_may_leave_out_is_told_and_not_a_crash(
    left_out: str, tmp_path: Path
) -> None:
    text = f"""\
game: Bold
Things:
  kind side:
  kind unit of side:
  to dare (unit):
    go-on: owner wishes
    die: d6
    bonus, if {left_out}: d6
  example e:
    unit A:
    do: A dares
    odds: 7/2 mean bonus
"""
    (tmp_path / "bold.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "one.yaml").write_text("rules: bold\nunit A:\ndo: A dares\nodds: 7/2 to 7/2 mean bonus\n")
    for words in (["test", "bold.yaml"], ["test", "one.yaml"], ["odds", "one.yaml"]):
        done = CliRunner().invoke(main, [words[0], str(tmp_path / words[1])])
        assert (done.exit_code, "error X030: `bonus` has no mean" in done.output) == (1, True), done.output
