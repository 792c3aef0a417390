"""Where it decides a number that alike figures are only counted: what is told, what is not, and that the hint mends."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent, indent

import pytest
from typed import CliRunner

from interpreter.source import Problem, Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run_all

HEAD = """\
game: Toy
Club:
  dice flat: d6 at or over
  kind side:
  kind unit of side:
  kind figure, many to a unit:
    hurts: number
  mark casualty of figure: out of play
  mark struck, drum, leader, keen of figure:
  roll luck of figure on flat: needs 4+
"""


def found(folder: Path, text: str) -> tuple[str, list[Problem]]:
    path = folder / "toy.yaml"
    path.write_text(HEAD + indent(dedent(text).strip("\n"), "  ") + "\n", encoding="utf-8")
    problems = Problems()
    open_rules(str(path), problems)
    assert not problems.has_errors, [(p.code, p.message) for p in problems]
    return str(path), [p for p in problems if p.code == "P033"]


# A procedure with its loop or its two names; what is told; what the hint makes of it; and what is so by hand, of three
# alike and of three that differ.
NUMBERS = {
    "each strikes all others": (
        """
        to work (unit):
          v, for each man in figures:
            p: (unit.figures - man) gain struck
        """,
        "(unit.figures - man) gain struck",
        """
        mark done of figure: until after work
        to work (unit):
          v, repeat until no (figures where not done):
            man: 1 of (figures where not done) at random
            turn: man gains done
            p: (unit.figures - man) gain struck
        """,
        ["3/1 mean (A.figures where struck)"],
    ),
    "each points at another": (
        """
        to work (unit):
          v, for each man in figures:
            pal: 1 of (unit.figures - man) at random
            p: pal gains struck
        """,
        "pal gains struck",
        """
        mark done of figure: until after work
        to work (unit):
          v, repeat until no (figures where not done):
            man: 1 of (figures where not done) at random
            turn: man gains done
            pal: 1 of (unit.figures - man) at random
            p: pal gains struck
        """,
        ["9/4 mean (A.figures where struck)", "0/1 that (A.figures where struck) = 1"],
    ),
    "not among some of them": (
        """
        to work (unit):
          nah: figures passing luck
          naj: nah passing luck
          nab: (figures - naj) passing luck
          eae: nab gain struck
          eao: nah gain struck
        """,
        "nab gain struck",
        """
        mark picked of figure: until after work
        to work (unit):
          nah: figures passing luck
          told: nah gain picked
          naj: nah passing luck
          nab: (figures - naj) passing luck
          eae: nab gain struck
          eao: (figures where picked) gain struck
        """,
        ["9/4 mean (A.figures where struck)", "27/64 that (A.figures where struck) = 3"],
    ),
    "struck before his turn": (
        """
        to work (unit):
          v, for each man in figures:
            cowed: 1 if man is struck else 0
            w: 1 of unit.figures at random
            s: w gains struck
        """,
        "w gains struck",
        """
        mark done of figure: until after work
        to work (unit):
          v, repeat until no (figures where not done):
            man: 1 of (figures where not done) at random
            turn: man gains done
            cowed: 1 if man is struck else 0
            w: 1 of unit.figures at random
            s: w gains struck
        """,
        ["8/9 mean v.cowed"],
    ),
    "the dead do not shoot": (
        """
        to work (unit):
          v, for each man in figures, if man is not casualty:
            shot: 1
            w: 1 of unit.figures at random
            s: w gains casualty
        """,
        "w gains casualty",
        """
        mark done of figure: until after work
        to work (unit):
          v, repeat until no (figures where not done):
            man: 1 of (figures where not done) at random
            turn: man gains done
            shot: 1
            w: 1 of unit.figures at random
            s: w gains casualty
        """,
        ["13/6 mean v.shot"],
    ),
    "two tests": (
        """
        to work (unit):
          shot: figures failing luck
          shell: figures failing luck
          fallen: shot + shell
          n: fallen + 0
          down: fallen gain casualty
        """,
        "shot + shell",
        """
        mark picked of figure: until after work
        to work (unit):
          shot: figures failing luck
          noted: shot gain picked
          shell: figures failing luck
          fallen: (figures where picked) + shell
          n: fallen + 0
          down: fallen gain casualty
        """,
        ["3/4 mean A.figures", "9/4 mean n", "1/64 that A.figures = 3"],
    ),
    "two arrows": (
        """
        to work (unit):
          a-one: 1 of figures at random
          a-two: 1 of figures at random
          hurt: (a-one + a-two) gain struck
        """,
        "(a-one + a-two) gain struck",
        """
        mark picked of figure: until after work
        to work (unit):
          a-one: 1 of figures at random
          noted: a-one gains picked
          a-two: 1 of figures at random
          hurt: ((figures where picked) + a-two) gain struck
        """,
        ["5/3 mean (A.figures where struck)"],
    ),
    "figures that a procedure is told": (
        """
        to hit (unit) with (men figures):
          other: 1 of figures at random
          both: (men + other) gain struck
        to work (unit):
          chosen: 1 of figures at random
          h: unit hits with chosen
        """,
        "(men + other) gain struck",
        """
        mark picked of figure: until after work
        to hit (unit):
          other: 1 of figures at random
          both: ((figures where picked) + other) gain struck
        to work (unit):
          chosen: 1 of figures at random
          noted: chosen gains picked
          h: unit hits
        """,
        ["5/3 mean (A.figures where struck)"],  # 1 where the second is the first (1/3), else 2
    ),
    "figures that a call hands back": (
        """
        to scout (unit):
          who: 1 of figures at random
        to work (unit):
          chosen: unit scouts
          other: 1 of figures at random
          both: (chosen.who + other) gain struck
        """,
        "(chosen.who + other) gain struck",
        """
        mark picked of figure: until after work
        to scout (unit):
          who: 1 of figures at random
        to work (unit):
          chosen: unit scouts
          noted: chosen.who gains picked
          other: 1 of figures at random
          both: ((figures where picked) + other) gain struck
        """,
        ["5/3 mean (A.figures where struck)"],
    ),
    "the man of a loop is told to a procedure": (
        """
        to duel (unit) with (man figure):
          w: 1 of figures at random
          s: w gains struck
          cowed: 1 if man is struck else 0
        to work (unit):
          v, for each man in figures:
            d: unit duels with man
        """,
        "w gains struck",
        """
        mark done of figure: until after work
        to duel (unit) with (man figure):
          w: 1 of figures at random
          s: w gains struck
          cowed: 1 if man is struck else 0
        to work (unit):
          v, repeat until no (figures where not done):
            man: 1 of (figures where not done) at random
            turn: man gains done
            d: unit duels with man
        """,
        ["43/27 mean v.d.cowed"],  # 1/3 + (1 - 4/9) + (1 - 8/27): nobody missed him in so many lots
    ),
    "the same before and after": (
        """
        to work (unit):
          shot: figures failing luck
          shell: figures failing luck
          before-it: shot + shell
          down: (shot + shell) gain casualty
          after-it: shot + shell
        """,
        "shot + shell",
        """
        mark picked of figure: until after work
        to work (unit):
          shot: figures failing luck
          noted: shot gain picked
          shell: figures failing luck
          before-it: (figures where picked) + shell
          down: (shot + shell) gain casualty
          after-it: shot + shell
        """,
        ["1/1 that before-it = after-it", "0/1 that after-it > 3", "9/4 mean after-it"],
    ),
}

ALIKE = "example alike:\n  unit A: 3 figures\n  do: A works\n  odds: [{0}]\n"
UNLIKE = "example unlike:\n  unit A:\n    figures: [1 with leader, 1 with drum, 1]\n  do: A works\n  odds: [{0}]\n"


@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_told_and_that_the_hint_gives_the_number(tmp_path, name):
    asked, place, mended, numbers = NUMBERS[name]
    _, (problem,) = found(tmp_path, asked)
    assert problem.span is not None
    assert problem.span.text == place
    assert "figure: until after work" in (problem.hint or "")
    shown = (ALIKE + UNLIKE).format(", ".join(numbers))
    path, told = found(tmp_path, dedent(mended).strip("\n") + "\n" + shown)
    assert told == []
    problems = Problems()
    _, results = run_all(path, problems)
    assert len(results) == 2
    assert list(problems) == [], [p.message for p in problems]


def test_the_hint_for_a_loop_is_the_whole_of_it(tmp_path):
    _, (problem,) = found(tmp_path, NUMBERS["struck before his turn"][0])
    assert problem.hint == (
        "give figures a mark, `mark done of figure: until after work`, and let lots say whose turn it is: `v, repeat "
        "until no (figures where not done):`, in it `man: 1 of (figures where not done) at random`, and then `turn: "
        "man gains done`"
    )


@pytest.mark.parametrize(("lines", "mark", "mended"), [
    (
        """
        mark picked of sailor: until after work
        to work (unit):
          picked-2: d6
          first-one: 2 of sailors at random
          second-one: 2 of sailors at random
          all-of: first-one + second-one
          s: all-of gain wet
        """,
        "mark picked-3 of sailor: until after work",
        {"second-one: 2": "told: first-one gain picked-3\n          second-one: 2",
         "first-one + second-one": "(sailors where picked-3) + second-one"},
    ),
    (
        """
        mark done of sailor:
        to work (unit):
          v, for each man in sailors:
            cowed: 1 if man is wet else 0
            w: 1 of unit.sailors at random
            s: w gains wet
        """,
        "mark done-2 of sailor: until after work",
        {"v, for each man in sailors:": "v, repeat until no (sailors where not done-2):\n"
         "            man: 1 of (sailors where not done-2) at random\n            turn: man gains done-2"},
    ),
])  # fmt: skip
def test_the_mark_that_a_hint_proposes_is_new(tmp_path: Path, lines: str, mark: str, mended: dict[str, str]) -> None:
    """No rule and no line here is called so; and it is a mark of those that are meant."""
    kind = "kind sailor, many to a unit:\nmark wet of sailor:\n"
    _, (problem,) = found(tmp_path, kind + dedent(lines))
    assert f"`{mark}`" in (problem.hint or "")
    for old, new in mended.items():
        assert old in lines
        lines = lines.replace(old, new)
    assert found(tmp_path, f"{kind}{mark}\n{dedent(lines)}")[1] == []


TOLD = {
    "one of some put together": """
        to work (unit):
          some: 2 of figures at random
          all-of: some + (figures - some)
          w: 1 of all-of at random
          s: w gains struck
          n: some where struck
        """,
    "in what a round calls": """
        to hit-one (unit):
          who: 1 of figures at random
          s: who gains struck
        to work (unit):
          v, for each man in figures:
            cowed: 1 if man is struck else 0
            s: unit hits-one
        """,
    "what is asked is a value": """
        value fear of figure:
          base: 0
          scared: +1 if struck
        to work (unit):
          v, for each man in figures:
            cowed: man.fear
            w: 1 of unit.figures at random
            s: w gains struck
        """,
    "one is changed and the other asked": """
        to work (unit):
          a-one: 1 of figures at random
          a-two: 1 of figures at random
          s: a-one gains struck
          n: a-two where struck
        """,
    "both are changed": """
        to work (unit):
          a-one: 1 of figures at random
          a-two: 1 of figures at random
          s: a-one gains struck
          z: a-two gains drum
        """,
    "one is taken from the other": """
        to work (unit):
          a-one: figures failing luck
          a-two: figures failing luck
          rest: a-one - a-two
          s: rest gain struck
        """,
    "both from one name": """
        to work (unit):
          men: 2 of figures at random
          a-one: 1 of men at random
          a-two: 1 of men at random
          s: (a-one + a-two) gain struck
        """,
    "a mark that comes too late": """
        to work (unit):
          a-one: 1 of figures at random
          a-two: 1 of figures at random
          s: a-one gains keen
          z: (a-one + a-two) gain struck
        """,
    "rounds together": """
        to work (unit):
          v, for each foe in units, together:
            w: 1 of unit.figures at random
            s: w gains struck
        """,
    "figures of a call that a loop runs": """
        to scout (unit):
          who: 1 of figures at random
        to work (unit):
          v, repeat 2 times:
            a-one: unit scouts
          other: 1 of figures at random
          s: (v.a-one.who + other) gain struck
        """,
    "figures of a call in a call": """
        to scout (unit):
          who: 1 of figures at random
        to look (unit):
          hand: unit scouts
        to work (unit):
          a-one: unit looks
          other: 1 of figures at random
          s: (a-one.hand.who + other) gain struck
        """,
    "two that a procedure is told": """
        to hit (unit) with (men figures) against (others figures):
          s: (men + others) gain struck
        to work (unit):
          a-one: 1 of figures at random
          a-two: 1 of figures at random
          h: unit hits with a-one against a-two
        """,
    "a call changes the other": """
        to hit (unit) with (men figures):
          s: men gain drum
        to work (unit):
          a-one: 1 of figures at random
          a-two: 1 of figures at random
          s: a-one gains struck
          h: unit hits with a-two
        """,
    "what is said in a loop of him and another": """
        to work (unit):
          v, for each man in figures:
            w: 1 of unit.figures at random
            s: (man + w) gain struck
        """,
}
NOT_TOLD = {
    "what a call hands back left play": """
        to scout (unit):
          who: 1 of figures at random
          s: who gains casualty
        to work (unit):
          a-one: unit scouts
          other: 1 of figures at random
          s: (a-one.who + other) gain struck
        """,
    "a call finds the other among the rest": """
        to hit (unit) with (men figures):
          other: 1 of (figures - men) at random
          s: (men + other) gain struck
        to work (unit):
          chosen: 1 of figures at random
          h: unit hits with chosen
        """,
    "a procedure of another unit": """
        to hit (unit) with (men figures):
          other: 1 of figures at random
          s: (men + other) gain struck
        to work (unit), (foe unit):
          chosen: 1 of figures at random
          h: foe hits with chosen
        """,
    "all that are alike are told": """
        to hit (unit) with (men figures):
          other: 1 of figures at random
          s: (men + other) gain struck
        to work (unit):
          h: unit hits with (figures where drum)
        """,
    "a procedure that calls itself": """
        to hit (unit) with (men figures):
          lost: 1 of men at random
          again-it, if men > 1: unit hits with (men - lost)
        to work (unit):
          chosen: 2 of figures at random
          h: unit hits with chosen
        """,
    "two calls, each of its own unit": """
        to hit (unit) with (men figures):
          foe: 1 of units at random
          other: 1 of foe.figures at random
          s: (men + other) gain struck
        to work (unit):
          chosen: 1 of figures at random
          h: unit hits with chosen
          other-time: unit hits with chosen
        """,
    "one made from the other": """
        to work (unit):
          a-one: 2 of figures at random
          a-two: 1 of a-one at random
          s: a-one gain struck
          z: a-two gains drum
          n: a-one - a-two
        """,
    "what the first left over": """
        to work (unit):
          a-one: 1 of figures at random
          others: figures - a-one
          a-two: 1 of others at random
          s: (a-one + a-two) gain struck
        """,
    "those that are no such": """
        to work (unit):
          fit: figures where keen
          a-one: 1 of fit at random
          a-two: 1 of (figures - fit) at random
          s: (a-one + a-two) gain struck
        """,
    "the first left play": """
        to work (unit):
          a-one: 1 of figures at random
          s: a-one gains casualty
          a-two: 1 of figures at random
          z: (a-one + a-two) gain struck
        """,
    "nothing asks": """
        to work (unit):
          a-one: 1 of figures at random
          a-two: 1 of figures at random
          s: a-one gains struck
          n: 1 if any a-two else 0
        """,
    "whole groups": """
        to work (unit):
          a-one: figures where drum
          a-two: figures where leader
          s: (a-one + a-two) gain struck
        """,
    "figures of two units": """
        to work (unit), (foe unit):
          a-one: 1 of figures at random
          a-two: 1 of foe.figures at random
          s: (a-one + a-two) gain struck
        """,
    "only one of two branches": """
        to work (unit):
          good, if any figures:
            a-one: 1 of figures at random
            s: a-one gains struck
          bad, otherwise:
            a-two: 1 of figures at random
            s: a-two gains struck
        """,
    "a loop that changes only him": """
        to work (unit):
          v, for each man in figures:
            n: 1 if man is struck else 0
            s: man gains struck
        """,
    "a loop that changes others": """
        to work (unit), (foe unit):
          v, for each man in figures:
            n: 1 if man is struck else 0
            w: 1 of foe.figures at random
            s: w gains struck
        """,
    "a loop that never asks him": """
        to work (unit):
          v, for each man in figures:
            w: 1 of unit.figures at random
            s: w gains struck
        """,
    "another thing of him is asked": """
        to work (unit):
          v, for each man in figures:
            n: 1 if man is drum else 0
            w: 1 of unit.figures at random
            s: w gains struck
        """,
    "those who had their turn are marked": """
        mark done of figure: until after work
        to work (unit):
          v, for each man in figures:
            turn: man gains done
            pal: 1 of (unit.figures - man) at random
            s: pal gains struck
          n: figures where done
        """,
    "all alike are changed": """
        to work (unit):
          v, for each man in figures:
            n: 1 if man is struck else 0
            s: (unit.figures where drum) gain struck
        """,
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told(tmp_path, name):
    _, told = found(tmp_path, TOLD[name])
    assert len(told) == 1


@pytest.mark.parametrize("name", NOT_TOLD)
def test_what_is_not_told(tmp_path, name):
    _, told = found(tmp_path, NOT_TOLD[name])
    assert told == [], [(p.label, p.span and p.span.text) for p in told]


def test_what_a_situation_asks_of_alike_figures_is_told_beside_the_answer(tmp_path: Path) -> None:
    """The rules decide nothing by it; who asks which of two was hurt does."""
    lines = """
        to work (unit):
          one: 1 of unit.figures at random
          other: 1 of unit.figures at random
          p: other gains struck
    """
    _, problems = found(tmp_path, lines)
    assert problems == []
    for asked, told in (
        ("work.one is struck", True),
        ("work.other is struck", False),
        ("A.figures where struck", False),
    ):
        situation = tmp_path / "asked.yaml"
        situation.write_text(
            f"rules: toy\nunit A: 2 figures\ndo: A works\nask: {asked.removeprefix('work.')}\n", "utf-8"
        )
        done = CliRunner().invoke(main, ["odds", str(situation), "--json"])
        assert done.exit_code == 0, done.output
        assert ["P033"] * told == [p["code"] for p in json.loads(done.stdout)["problems"]]
        done = CliRunner().invoke(main, ["odds", str(situation)])
        assert ("figures of `other` may be among those of `one`" in done.stderr) is told


def test_whom_a_loop_takes_while_a_name_changes_the_same_is_told(tmp_path: Path) -> None:
    """One of two leaves and, in a loop of the same block, gains a mark: it went to the other one."""
    lines = """
        to work (unit):
          one: 1 of unit.figures at random
          t, together:
            a: one gain casualty
            b, for each man in (one + one):
              c: man gain struck
    """
    _, problems = found(tmp_path, lines)
    assert [p.span and p.span.text for p in problems] == ["man gain struck"]
    assert found(tmp_path, lines.replace("a: one gain casualty", "a: unit.figures gain keen"))[1] == []


def test_who_is_left_when_not_the_find_but_the_others_are_taken_out_is_told(tmp_path: Path) -> None:
    """`figures - (figures - one)` is `one`, and names of alike figures do not know it."""
    lines = """
        to work (unit):
          one: 1 of unit.figures at random
          rest: figures - one
          p: (figures - rest) gain struck
          q: one gains casualty
    """
    _, problems = found(tmp_path, lines)
    assert [p.span and p.span.text for p in problems] == ["(figures - rest) gain struck"]
    assert [str(other.text) for other in problems[0].others] == ["found for itself: `one`"]
    assert "it is not kept which of `one` these are" in problems[0].label
    marked = lines.replace("rest: figures - one", "pick: one gains keen").replace(
        "(figures - rest)", "(figures where keen)"
    )
    assert found(tmp_path, marked)[1] == []
    strong = lines.replace("figures - one", "figures - (one where drum)").replace("(figures - rest)", "rest")
    assert found(tmp_path, strong)[1] == []


def test_what_rounds_or_calls_find_anew_is_told_where_it_is_put_together(tmp_path: Path) -> None:
    """Each of four is struck in one of two rounds with 3/4; put together as few as must be are the same."""
    lines = """
        to work (unit):
          rounds, repeat 2 times:
            hits: figures passing luck
          p: rounds.hits gain struck
    """
    _, (problem,) = found(tmp_path, lines)
    assert problem.span is not None and problem.span.text == "rounds.hits gain struck"
    assert "more than once" in problem.label
    mended = lines.replace("luck\n", "luck\n            noted: hits gain struck\n", 1)
    assert found(tmp_path, mended.replace("p: rounds.hits gain struck", "p: (figures where struck) gain keen"))[1] == []
    each_its_own = """
        to work (unit):
          rounds, for each man in figures:
            hits: man passing luck
          p: rounds.hits gain struck
    """
    assert found(tmp_path, each_its_own)[1] == []
    situation = tmp_path / "asked.yaml"
    said = "rules: toy\nunit A: 4 figures\ndo:\n  one: A works\n  two: A works\nask: one.hits + two.hits\n"
    found(tmp_path, "to work (unit):\n  hits: figures passing luck\n")
    situation.write_text(said, "utf-8")
    done = CliRunner().invoke(main, ["odds", str(situation), "--json"])
    assert [p["code"] for p in json.loads(done.stdout)["problems"]] == ["P033"]
