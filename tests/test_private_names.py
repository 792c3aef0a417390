"""Names of lines are private to the file that gives them: supplements that do not know each other never meet over one.

Stacks of small supplements, in both orders, are worked out by the odds and by the reference (tests/reference), and
compared with the same supplements under names that nobody else has.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.source import Problem, Problems, render
from interpreter.surfaces.cli.group import main
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.histories import resolve
from interpreter.workbench.rules import open_rules
from interpreter.workbench.trees import read_text
from tests.reference.questions import laws, question
from tests.reference.situations import cases
from tests.sampled import sampled

TOY = """\
game: Toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
    nerve: number
  mark tired of unit:
Doing:
  to shoot (unit):
    aim: d3
    volleys, repeat 2 times:
      hits: d3
    harm: unit suffers hits
    worth: hits
    close, if worth > 3:
      second: 1
    rest: unit gains aim nerve
  to suffer (unit), (amount number):
    dead: amount
    felt: unit gains dead pins
"""
# Each speaks of lines called NAME of its own, and of those of the page.
PARTS = {
    "behind": "  add to shoot before harm:\n    NAME: 10\n    extra: unit gains NAME + volleys.hits pins\n",
    "twice": "  add to shoot before harm:\n    NAME: d2\n    doubled: unit gains NAME + NAME nerve\n",
    "inside": "  add to shoot.volleys after hits:\n    NAME: aim * 100\n    more: unit gains NAME pins\n",
    "block": "  add to shoot after volleys:\n    own, repeat 2 times:\n      NAME: 1000\n    told: unit gains NAME nerve\n",
    "rule": "  rule RULE for each unit after shoot.volleys:\n    NAME: 20000\n    felt: unit gains NAME pins\n",
    "asked": "  add to suffer after dead:\n    NAME: 300000, if any: unit gains NAME pins\n".replace(
        ", if any: unit", "\n    sum: unit"
    ),
    "hooked": "  add to shoot before rest:\n    NAME: 1\n  rule RULE for each unit after shoot.NAME:\n    late: unit gains 4000000 pins\n",
    "changing": "  add to shoot before harm:\n    NAME: 7\n  add to shoot after NAME:\n    then: unit gains NAME * 50000000 nerve\n",
    "rans": "  add to shoot after rest:\n    NAME, if aim > 1: unit gains 1 pins\n    also, if ran(NAME): unit gains 600000000 pins\n",
}
SITUATION = "rules: {}\nunit A: \ndo: A shoots\n"
ASKED = ["A.pins", "A.nerve"]


def supplement(part: str, name: str) -> str:
    text = PARTS[part].replace("NAME", name).replace("RULE", f"rule-of-{part}")
    for word in ("extra", "doubled", "more", "told", "also", "then", "sum", "late"):
        text = re.sub(rf"\b{word}:|\b{word}(?=, if)", lambda found: f"{part}-{found[0]}", text)
    return f"game: {part}\nover: toy\nHouse:\n{text}"


def answer(stack: str) -> dict[tuple[object, ...], object] | list[str]:
    """The joint law of the questions; or the codes of what is wrong."""
    problems = Problems()
    rules = open_rules(stack, problems)
    if rules is None or problems.has_errors:
        return sorted({p.code for p in problems})
    root = read_text("situation", SITUATION.format(stack) + f"ask: [{', '.join(ASKED)}]\n", problems)
    assert root is not None
    case = prepare(rules, root, problems)
    assert case is not None, render(problems)
    found = odds(case)
    assert found is not None, render(case.problems)
    return {values: Fraction(weight, found.total) for values, weight in found.joint}


def by_reference(folder: Path, stack: str) -> dict[tuple[object, ...], object]:
    """The same joint law, by the evaluator that shares nothing with the engines."""
    (folder / "said.yaml").write_text(SITUATION.format(stack), encoding="utf-8")
    (case,) = cases(folder / "said.yaml")
    leaves = laws(case, [question(text) for text in ASKED], 3000).leaves
    found: Counter[tuple[object, ...]] = Counter()
    for values, weight in leaves:
        found[tuple(values)] += weight
    return dict(found)


def told(stack: str, ask: str) -> list[Problem]:
    problems = Problems()
    rules = open_rules(stack, problems)
    assert rules is not None and not problems.has_errors, render(problems)
    root = read_text("situation", SITUATION.format(stack) + f"ask: [{ask}]\n", problems)
    assert root is not None
    prepare(rules, root, problems)
    return list(problems)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy.yaml").write_text(TOY, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["hits", "lucky", "aim-x", "second", "dead"])
def test_pairs_in_both_orders_say_what_they_say_under_names_of_their_own(name: str, folder: Path) -> None:
    for part in PARTS:
        (folder / f"{part}.yaml").write_text(supplement(part, name), encoding="utf-8")
        (folder / f"{part}-plain.yaml").write_text(
            supplement(part, f"only-{part}").replace(f"game: {part}", f"game: {part} plain"), encoding="utf-8"
        )
    alone = {part: answer(f"toy+{part}") for part in PARTS}
    usable = [part for part in PARTS if isinstance(alone[part], dict)]
    assert len(usable) >= len(PARTS) - 2, alone
    for part in usable:
        assert alone[part] == answer(f"toy+{part}-plain"), part
    for one, two in itertools.combinations(usable, 2):
        plain = answer(f"toy+{one}-plain+{two}-plain")
        assert isinstance(plain, dict), (one, two, plain)
        assert answer(f"toy+{one}+{two}") == plain == answer(f"toy+{two}+{one}"), (one, two)
        if name in ("hits", "lucky"):
            assert by_reference(folder, f"toy + {two} + {one}") == plain, (one, two)


ONE = """\
game: One
over: toy
House:
  add to shoot before harm:
    lucky: d3
    few: unit.side picks 0 to 2 usually most
    paid: unit gains lucky + few pins
  policy meek: {few: fewest}
  example its-own:
    unit A:
    do: A shoots
    choose: {few: 1}
    odds: [1/3 that lucky = 3, 1/3 that shoot.lucky = 3, 1/1 that few = 1, 1/1 that ran(few)]
"""
TWO = """\
game: Two
over: toy
House:
  add to shoot before harm:
    lucky: d2
    few: unit.side picks 0 to 5 usually fewest
    kept: unit gains 10 * lucky + few nerve
"""


@pytest.fixture
def both(folder: Path) -> Path:
    (folder / "one.yaml").write_text(ONE, encoding="utf-8")
    (folder / "two.yaml").write_text(TWO, encoding="utf-8")
    return folder


@pytest.mark.parametrize("stack", ["toy+one+two", "toy+two+one"])
def test_a_question_that_could_mean_two_lines_is_refused_with_both(stack: str, both: Path) -> None:
    for ask, first, second in (
        ("lucky", "from-one.lucky", "from-two.lucky"),
        ("shoot.lucky", "shoot.from-one.lucky", "shoot.from-two.lucky"),
        ("ran(few)", "from-one.few", "from-two.few"),
    ):
        (problem,) = told(stack, ask)
        assert problem.code == "N002"
        assert all(f"`{said}`" in (problem.hint or "") for said in (first, second)), problem.hint
    assert (
        told(stack, "shoot.from-one.lucky, from-two.lucky, from-one.few, shoot.from-two.few, ran(from-two.few)") == []
    )


@pytest.mark.parametrize("stack", ["toy+one+two", "toy+two+one"])
def test_dice_and_choices_go_to_a_line_by_its_address(stack: str, both: Path) -> None:
    problems = Problems()
    rules = open_rules(stack, problems)
    assert rules is not None and not problems.has_errors
    dice = "dice: aim 1, hits 1 1, from-one.lucky 3, shoot.from-two.lucky 2"
    said = f"rules: {stack}\nunit A:\ndo: A shoots\n{dice}\nchoose: {{from-one.few: 1, from-two.few: 4}}\nask: [A.pins, A.nerve]\n"
    root = read_text("situation", said, problems)
    assert root is not None
    case = prepare(rules, root, problems)
    assert case is not None, render(problems)
    outcome = resolve(case)
    assert outcome is not None, render(case.problems)
    assert list(outcome.values.values()) == [2 + 3 + 1, 10 * 2 + 4 + 1]
    for unclear, code in (("dice: aim 1, hits 1 1, lucky 1 2", "N002"), ("choose: {few: 1}", "N002")):
        problems = Problems()
        root = read_text("situation", f"rules: {stack}\nunit A:\ndo: A shoots\n{unclear}\n", problems)
        assert root is not None
        case = prepare(rules, root, problems)
        assert case is None or resolve(case) is None
        assert code in {p.code for p in (case.problems if case is not None else problems)}


def test_examples_and_policies_of_a_supplement_mean_its_own_lines(both: Path) -> None:
    for stack in ("one", "toy+two+one"):
        done = CliRunner().invoke(main, ["test", stack])
        assert (done.exit_code, "1 example" in done.output) == (0, True), done.output
    means = {}
    for stack in ("toy+one", "toy+two+one", "toy+one+two"):
        problems = Problems()
        rules = open_rules(stack, problems)
        assert rules is not None, render(problems)
        root = read_text("situation", SITUATION.format(stack) + "choose: meek\nask: [A.pins, A.nerve]\n", problems)
        assert root is not None
        case = prepare(rules, root, problems)
        assert case is not None, render(problems)
        found = odds(case)
        assert found is not None, render(case.problems)
        means[stack] = [found.mean(0), found.mean(1)]
    assert [pins for pins, _ in means.values()] == [Fraction(6)] * 3  # 4 hits, and 2 of the die
    assert means["toy+two+one"] == means["toy+one+two"]
    assert means["toy+two+one"][1] - means["toy+one"][1] == 15


def test_a_line_of_the_page_does_not_hear_what_is_added_beside_it(folder: Path) -> None:
    """The total of the loop stays what the page means by `hits`; whoever asks says which of the two."""
    (folder / "cap.yaml").write_text(
        "game: Cap\nover: toy\nHouse:\n  add to shoot before harm:\n    hits: 50\n", "utf-8"
    )
    assert answer("toy+cap") == answer("toy")
    (problem,) = told("toy+cap", "hits")
    assert problem.code == "N002"
    assert "`volleys.hits` or `shoot.hits`" in (problem.hint or "")
    assert told("toy+cap", "shoot.hits, volleys.hits") == []


def test_what_stands_in_the_place_of_a_line_is_heard_as_that_was(folder: Path) -> None:
    (folder / "anew.yaml").write_text(
        "game: Anew\nover: toy\nchange:\n  shoot.volleys:\n    hits: 7\nHouse:\n  remove suffer.dead:\n"
        "  add to suffer before felt:\n    dead: amount * 10\n",
        "utf-8",
    )
    found = answer("toy+anew")
    assert isinstance(found, dict)
    assert {pins for pins, _ in found} == {70}
    assert by_reference(folder, "toy + anew") == found


def test_a_strange_line_is_heard_by_its_address_alone(folder: Path) -> None:
    (folder / "one.yaml").write_text(ONE, encoding="utf-8")
    text = "game: Bare\nover: toy\nHouse:\n  add to shoot before rest:\n    heard: {0} + 1\n"
    for said, wrong in (("lucky", True), ("from-one.lucky", False)):
        if not wrong:
            (folder / "two.yaml").write_text(TWO, encoding="utf-8")
        (folder / "bare.yaml").write_text(text.format(said), encoding="utf-8")
        problems = Problems()
        open_rules("toy+one+bare" if wrong else "toy+one+two+bare", problems)
        assert ["N001"] * wrong == [p.code for p in problems if p.severity == "error"], render(problems)
        if wrong:
            assert "a line of one, which this file does not name" in " ".join(render(problems).split())


@pytest.mark.parametrize(
    ("over", "patch", "code"),
    [
        ("toy + one", "  add to shoot after lucky:\n    late: lucky\n", None),
        ("toy + one", "  change:\n    shoot.lucky: 3\n", None),
        ("toy + one", "  remove shoot.paid:\n", None),
        ("toy + one + two", "  add to shoot after lucky:\n    late: 1\n", "N002"),
        ("toy + one + two", "  change:\n    shoot.lucky: 3\n", "N002"),
        ("toy + one + two", "  remove shoot.lucky:\n", "N002"),
        ("toy + one", "  add to shoot before harm:\n    lucky: 1\n", "N003"),
        ("toy", "  add to shoot before harm:\n    aim: 1\n", "N003"),
    ],
)
def test_patches_mean_the_line_that_their_file_hears(over: str, patch: str, code: str | None, both: Path) -> None:
    (both / "third.yaml").write_text(f"game: Third\nover: {over}\nHouse:\n{patch}", encoding="utf-8")
    for stack in ("toy+one+two+third", "toy+two+one+third"):
        problems = Problems()
        open_rules(stack, problems)
        assert [p.code for p in problems if p.severity == "error"][:1] == ([code] if code else []), render(problems)


def test_one_file_cannot_say_what_two_mean(both: Path) -> None:
    done = CliRunner().invoke(main, ["flat", "toy+one+two"])
    assert (done.exit_code, "error N021: `lucky`" in done.output) == (1, True), done.output
    assert CliRunner().invoke(main, ["flat", "toy+one"]).exit_code == 0


def test_a_stack_in_the_cache_says_the_same(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(both / "cache"))
    asked = ["odds", "toy+one+two", "shoot", "A:", "--ask", "from-one.lucky", "--ask", "from-two.lucky"]
    first, second = (CliRunner().invoke(main, asked) for _ in range(2))
    assert first.exit_code == second.exit_code == 0, first.output
    assert first.output == second.output
    for line in ("lucky", "shoot.lucky"):
        done = CliRunner().invoke(main, [*asked[:4], "--ask", line])
        assert "N002" in done.output, done.output


HOUSE_RULES = Path(__file__).parent.parent / "examples" / "house-rules"
VOLLEYS = {
    "modern": (
        "unit A: seasoned, 2 figures, weapon rifle\nunit B: green, spotted, 4 figures, terrain soft, light armour\n"
        'facts: distance(A, B) is 10"\n',
        ["harm.down", "harm.dead", "B.figures"],
    ),
    "vbcw": (
        "unit A:\n  figures: [1 with weapon rifle, 1 with weapon lmg]\nunit B: 4 figures\n"
        'facts: distance(A, B) is 12", cover(B) is soft\n',
        ["volley.harm.dead", "B.pins", "B.figures"],
    ),
    "vsf": (
        "unit A: seasoned, 3 figures, weapon rifle\nunit B: green, 4 figures, terrain soft\n"
        'facts: distance(A, B) is 12"\n',
        ["volley.hits", "harm.saving.unsaved", "B.figures"],
    ),
    "imperial": (
        'unit A: regular, 3 figures, weapon laser-rifle\nunit B: veteran, 4 figures\nfacts: distance(A, B) is 12"\n',
        ["volleys.hits", "harm.toll.lost", "B.figures"],
    ),
}
COUNTED = "\nWhat is counted here:\n  add to shoot:\n    hits: {}\n    dead: hits + 1\n    harm-of-it: hits + dead\n"


@pytest.mark.parametrize("base", VOLLEYS)
def test_house_rules_that_call_lines_alike_lie_over_each_other_in_any_order(base: str, folder: Path) -> None:
    """Each of the examples' house rules gets lines called as those of the page, and as those of all others; of their
    pairs a few are tried, and `make thorough` tries all.
    """
    who, asked = VOLLEYS[base]
    names = [path.stem for path in sorted(HOUSE_RULES.glob(f"{base}-*.yaml"))]
    for number, name in enumerate(names):
        text = (HOUSE_RULES / f"{name}.yaml").read_text("utf-8")
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        (folder / f"{name}-more.yaml").write_text(text + COUNTED.format(1000 * (number + 1)), encoding="utf-8")

    def law(stack: str, asks: list[str]) -> dict[tuple[object, ...], object] | None:
        problems = Problems()
        rules = open_rules(stack, problems)
        if rules is None or problems.has_errors:
            return None
        root = read_text("situation", f"rules: {stack}\n{who}do: A shoots at B\nask: [{', '.join(asks)}]\n", problems)
        assert root is not None
        case = prepare(rules, root, problems)
        assert case is not None, render(problems)
        found = odds(case)
        assert found is not None, render(case.problems)
        return {values: Fraction(weight, found.total) for values, weight in found.joint}

    together = 0
    pairs = list(itertools.combinations(enumerate(names), 2))
    for (i, one), (j, two) in sampled(pairs, 2):
        plain = law(f"{base}+{one}+{two}", asked)
        if plain is None:
            continue  # they change the same thing
        together += 1
        own = [f"from-{name}-more.{line}" for name in (one, two) for line in ("hits", "dead", "harm-of-it")]
        counted = tuple(n * 1000 * (k + 1) + more for k in (i, j) for n, more in ((1, 0), (1, 1), (2, 1)))
        wanted = {(*values, *counted): chance for values, chance in plain.items()}
        for stack in (f"{base}+{one}-more+{two}-more", f"{base}+{two}-more+{one}-more"):
            assert law(stack, [*asked, *own]) == wanted, stack
    assert together >= 1
