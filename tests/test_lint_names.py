"""Names that nothing reads, lines and conditions that change nothing, lines in each other's way; `choose:` in a check."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.source import Problems, render
from interpreter.workbench.files import check_file
from interpreter.workbench.rules import open_rules

HEAD = """\
game: Lint
Yard:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    level: number 0 to 6
    rank: one of ranks or none
  kind cart, a unit:
  kind boat, a unit:
  kind figure, many to a unit:
    tool: one of tools or none
  table ranks: low, middle, top
  table tools (heft):
    spade: 2
    pick:  3, sharp
    bar:   4, iron
  mark sharp, iron of tools:
  mark wet of unit:
  mark cold of unit:
  fact gap of unit (other unit): inches
"""
SHOWN = """\
  example of-it:
    unit A: 3 figures
    then: A.figures = 3
"""


def _found(folder: Path, text: str, name: str = "own") -> Problems:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    problems = Problems()
    check_file(str(path), problems)
    return problems


def _places(problems: Problems, text: str) -> list[tuple[str, str]]:
    """The code and the text at the place of each finding."""
    return [(p.code, p.span.text) for p in problems if p.span is not None]


# ---- conditions
NEVER = [
    ("wet and not wet", "not wet"),
    ("level > 6", "level > 6"),
    ("level < 0", "level < 0"),
    ("level > 3 and level < 2", "level < 2"),
    ("level > 3 and not level >= 3", "not level >= 3"),
    ("level >= 4 and level <= 4 and level = 5", "level = 5"),
    ("rank is low and rank is top", "rank is top"),
    ("any figures and figures = 0", "figures = 0"),
    ("no figures and figures > 2", "figures > 2"),
    ("any (figures where tool is pick) and no (figures where tool is pick)", "no (figures where tool is pick)"),
    ("level > figures and figures >= level", "figures >= level"),
    ("unit is a cart and not unit is a cart", "not unit is a cart"),
    ("level + 1 > 3 and level + 1 < 2", "level + 1 < 2"),
    ("first(figures).tool is pick and first(figures).tool is iron", "first(figures).tool is iron"),
    ("first(figures).tool is sharp and first(figures).tool is iron", "first(figures).tool is iron"),
    ("first(figures).tool is sharp and first(figures).tool.heft > 3", "first(figures).tool.heft > 3"),
    ("first(figures).tool is sharp and first(figures).tool is not pick", "first(figures).tool is not pick"),
]
SOMETIMES = [
    "wet and not cold",
    "level > 5",
    "level > 3 and level < 5",
    "level > 3 or level < 2",
    "rank is low or rank is top",
    "rank is not low and rank is not top",
    "unit is a cart or unit is a boat",
    "any (figures where tool is pick) and no (figures where tool is spade)",
    "any (figures as man where no (figures where it.tool.heft < man.tool.heft))",
    "first(figures).tool.heft > 2 and not first(figures).tool.heft > 3",
    "(figures where tool is pick) > 1 and (figures where tool is spade) > 1",
    "d6 > 3 and d6 < 3",
    "not (wet and cold) and wet",
    "first(figures).tool is not spade and first(figures).tool is not pick and first(figures).tool is not bar",  # none
    "first(figures).tool is pick and first(figures).tool is sharp",  # as long as no pick is blunt
]
ALWAYS = ["wet or not wet", "figures >= 0", "level <= 6", "level > 2 or level <= 2", "not (wet and not wet)"]


def _ruled(condition: str) -> str:
    return f"{HEAD}  to work (unit):\n    done, if {condition}: unit gains wet\n"


@pytest.mark.parametrize(("condition", "part"), NEVER)
def test_a_condition_that_never_holds_is_told_at_the_part_that_cannot_be(
    condition: str, part: str, tmp_path: Path
) -> None:
    problems = _found(tmp_path, _ruled(condition))
    assert _places(problems, "") == [("P018", part)], render(problems)


@pytest.mark.parametrize("condition", SOMETIMES)
def test_a_condition_that_may_hold_and_may_fail_is_none(condition: str, tmp_path: Path) -> None:
    problems = _found(tmp_path, _ruled(condition))
    assert not len(problems), render(problems)


@pytest.mark.parametrize("condition", ALWAYS)
def test_a_condition_that_cannot_fail(condition: str, tmp_path: Path) -> None:
    problems = _found(tmp_path, _ruled(condition))
    assert [code for code, _ in _places(problems, "")] == ["P019"], render(problems)


@pytest.mark.parametrize(
    ("items", "part"),
    [
        ("mate.figures where unit.wet", "unit.wet"),
        ("mate.figures where unit.level > 2 and unit is not wet", "unit.level > 2 and unit is not wet"),
        ("units where mate.wet", "mate.wet"),
        ("units where mate.level is most", "mate.level"),
        ("mate.figures where it.unit.wet", ""),
        ("mate.figures where tool is pick and unit.wet", ""),  # one part of it is of each: the other may come first
        ("units where unit.gap(it) <= 4\"", ""),
        ("units where it.level is most", ""),
        ("figures as man where any (figures where it.tool.heft < man.tool.heft)", ""),
    ],
)
def test_a_where_asks_something_of_each(items: str, part: str, tmp_path: Path) -> None:
    body = f"  to work (unit) at (mate unit):\n    some: {items}\n    done, if any some: unit gains wet\n"
    problems = _found(tmp_path, f"{HEAD}{body}")
    assert _places(problems, "") == ([("P035", part)] if part else []), render(problems)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # what governs a line is known in it, until something happens
        (["outer, if wet:", "  inner, if not wet: unit gains cold"], [("P018", "not wet")]),
        (["outer, if wet:", "  dry: unit loses wet", "  inner, if not wet: unit gains cold"], []),
        (["outer, if wet:", "  told: unit helps", "  inner, if not wet: unit gains cold"], []),
        (["outer, if wet:", "  others, for each other in units, if not other.wet: other gains cold"], []),
        # `otherwise` knows that the line above was not run
        (["here, if wet: unit loses wet", "there, otherwise, if wet: unit gains cold"], [("P018", "wet")]),
        (["here, if wet: unit loses wet", "there, otherwise, if cold: unit loses cold"], []),
        (["here, if wet: unit loses wet", "there, otherwise, if not wet: unit gains cold"], [("P019", "not wet")]),
        # inside a `where`, and in what is said of one of two
        (["some: figures where tool is pick and tool is spade", "go: some lose damp"], [("P018", "tool is spade")]),
        (["much: 1 if wet and not wet else 2", "rise: unit gains much level"], [("P018", "not wet")]),
    ],
)
def test_what_is_known_where_a_condition_stands(
    lines: list[str], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    more = "  mark damp of figure:\n  to help (unit): unit loses wet\n  to work (unit):\n"
    problems = _found(tmp_path, HEAD + more + "".join(f"    {line}\n" for line in lines))
    assert _places(problems, "") == expected, render(problems)


def test_a_rule_that_sets_in_at_two_moments_is_judged_by_both(tmp_path: Path) -> None:
    text = HEAD + (
        "  to work (unit):\n    go, if wet: unit rests\n"
        "  to rest (unit): unit loses wet\n"
        "  rule chill for each unit after work, after rest if wet and level > 1: unit gains cold\n"
    )
    assert not len(_found(tmp_path, text))


# ---- what nothing reads
def _house(lines: str, shown: str = SHOWN) -> str:
    return "game: House\nextends: base\nHouse rules:\n" + lines + shown


UNREAD = [
    ("  value zeal of unit: level + 1\n", "zeal"),
    ("  roll luck of unit: needs 4+\n", "luck"),
    ("  mark keen of unit:\n", "keen"),
    ("  mark keen of figure: until after work\n", "keen"),
    ("  mark blunt of tools:\n", "blunt"),
    ('  fact slope of unit: inches first 0"\n', "slope"),
    ("  add to unit:\n    credit: number\n", "credit"),
    ("  table moods: glad, glum\n", "moods"),
    ("  add to tools (price):\n    spade: 1\n", "price"),
]


@pytest.mark.parametrize(("lines", "name"), UNREAD)
def test_what_a_file_adds_and_nothing_reads(lines: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(HEAD + "  to work (unit): unit loses wet\n", encoding="utf-8")
    problems = _found(tmp_path, _house(lines))
    assert _places(problems, "") == [("N016", name)], render(problems)
    by_example = SHOWN.replace("of-it", f"of-{name}") + f"    trace: 'not {name}'\n"
    assert not len(_found(tmp_path, _house(lines, by_example)))  # an example asks for it
    assert not len(_found(tmp_path, _house(lines, "")))  # without examples nobody knows what is asked
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "own.yaml").write_text(f"rules: own\nexample b:\n  unit A: 1 figures\n  then: A.{name} = 1\n", "utf-8")
    assert not len(_found(tmp_path, _house(lines)))  # one in a file beside it does


READ = [
    "  value zeal of unit: level + 1\n  roll luck of unit: needs zeal\n  to try (unit): unit passes luck\n",
    "  value worth of unit: level + 1\nroster: [worth]\n",
    "  mark keen of unit:\n  limit keen-ones of side: (units where keen) <= 1\n",
    "  mark fallen of figure: out of play\n",
    "  mark keen of unit:\n  rule cheer after keen: unit loses wet\n",
    "  mark keen of unit:\n  rule cheer for each unit after turn if keen: unit loses wet\n  to rest (unit): turn ends\n",
    "  roll luck of unit: needs 4+\n  roll skill of unit as luck:\n    wet: roll -1 if wet\n"
    "  to try (unit): unit passes skill\n",
    '  add to tools (price by reach, reach):\n    spade: 1, 2"\n  value cost of figure: tool.price at 1"\n'
    "  limit dear of figure: cost < 3\n",
    "  ruling mercy: 0, or 1\n  add to tools (price):\n    spade: price mercy\n  limit dear of figure: tool.price < 3\n",
]


@pytest.mark.parametrize("lines", READ)
def test_what_is_read_in_some_way(lines: str, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(HEAD + "  to work (unit): unit loses wet\n", encoding="utf-8")
    top, _, rest = lines.partition("roster:")
    text = _house(top)
    if rest:
        text = text.replace("extends: base\n", f"extends: base\nroster:{rest}")
    problems = _found(tmp_path, text)
    assert not len(problems), render(problems)


def test_what_lies_below_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(
        HEAD + "  value zeal of unit: level\n" + SHOWN.replace("of-it", "below"), encoding="utf-8"
    )
    assert not len(_found(tmp_path, _house("  to work (unit): unit loses wet\n")))
    problems = Problems()
    open_rules(str(tmp_path / "base.yaml"), problems)
    assert not len(problems), render(problems)  # it builds on nothing, so it may be there to be built upon


def test_a_ruling_is_judged_everywhere(tmp_path: Path) -> None:
    text = HEAD + "  ruling mercy: 0, or 1\n" + SHOWN
    assert _places(_found(tmp_path, text), "") == [("R002", "mercy")]
    assert _places(_found(tmp_path, HEAD + "  ruling mercy: full, or none-at-all, or full\n"), "") == [("R003", "full")]


# ---- lines worked out for nobody
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["lucky: level + 1", "go: unit loses wet"], [("P020", "level + 1")]),
        (["way: d8", "go: unit loses wet"], []),  # for the table to look at
        (["here: 3", "go: unit loses wet"], []),
        (
            ["lucky: unit.owner picks 1 from figures usually most", "go: unit loses wet"],
            [("P020", "unit.owner picks 1")],
        ),
        (["go: unit loses wet", "lucky: d6"], []),  # the last is a result
        (["go: unit loses wet", "lucky: d6", "way: level + 1"], []),
        (["lucky: level + 1", "told: umpire 'which way?'", "go: unit loses wet"], []),
        (['out: unit moves 2"', "go: unit loses wet"], []),
        (["rounds, for each other in units:", "  lucky: 2 * level", "  go: other loses wet"], [("P020", "2 * level")]),
        (
            [
                "rounds, for each other in units:",
                "  lucky: 2 * level",
                "  go: other loses wet",
                "total: rounds.lucky + 1",
            ],
            [],
        ),
        (["lucky, if wet: d6", "other, otherwise: 3", "go, if lucky > other: unit loses wet"], []),
    ],
)
def test_a_line_that_nothing_reckons_with(lines: list[str], expected: list[tuple[str, str]], tmp_path: Path) -> None:
    text = HEAD + "  to work (unit):\n" + "".join(f"    {line}\n" for line in lines)
    problems = _found(tmp_path, text + SHOWN)
    found = _places(problems, "")
    assert [(c, s[: len(e[1])]) for (c, s), e in zip(found, expected, strict=True)] == expected, render(problems)


def test_a_line_of_another_procedure_may_be_read_through_its_call(tmp_path: Path) -> None:
    text = HEAD + (
        "  to tumble (unit):\n    lucky: level + 1\n    go: unit loses wet\n"
        "  to work (unit):\n    fall: unit tumbles\n    extra, if fall.lucky > 3: unit gains cold\n"
    )
    assert not len(_found(tmp_path, text + SHOWN))


def test_a_procedure_in_which_nothing_happens(tmp_path: Path) -> None:
    idle = "  to wait (unit): nothing\n"
    problems = _found(tmp_path, HEAD + idle)
    assert _places(problems, "") == [("P021", "wait")]
    waited = HEAD + idle + "  rule alarm after wait: unit gains wet\n"
    assert [p.code for p in _found(tmp_path, waited)] == ["P032"], "nobody waits"
    assert not len(_found(tmp_path, waited + "  to work (unit): unit waits\n"))


# ---- lines of rolls and values
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["roll +1 if wet", "roll -1 if wet"], [("M010", "roll -1 if wet")]),
        (["roll +1 if wet", "needs +1 if wet"], []),
        (["roll +1 if wet and cold", "roll -1 if cold and wet"], [("M010", "roll -1 if cold and wet")]),
        (["roll +1 per level if wet", "roll -1 if wet"], []),
        (["roll +1 if wet", "roll +1 if cold"], []),
        (["needs 3 if wet", "needs 2 if wet"], [("M011", "needs 3 if wet")]),
        (["needs 3 if wet", "needs 2 if cold"], []),
        (["needs 3 if wet and cold", "needs 2 if cold"], [("M011", "needs 3 if wet and cold")]),
        (["needs 3 if level > 4", "needs 2 if level > 2"], [("M011", "needs 3 if level > 4")]),
        (["needs 3 if level > 2", "needs 2 if level > 4"], []),
        (["needs 3 if wet", "needs 2"], [("M011", "needs 4+")]),
        (["roll +1 if wet and not wet"], [("P018", "not wet")]),
    ],
)
def test_lines_that_get_in_each_others_way(lines: list[str], expected: list[tuple[str, str]], tmp_path: Path) -> None:
    body = "".join(f"    line-{i}: {line}\n" for i, line in enumerate(lines))
    problems = _found(tmp_path, HEAD + "  roll luck of unit:\n    basic: needs 4+\n" + body)
    assert _places(problems, "") == expected, render(problems)


def test_an_addition_may_overrule_what_it_is_added_to(tmp_path: Path) -> None:
    roll = "  roll luck of unit:\n    basic: needs 4+\n    wet: roll -1 if wet\n"
    (tmp_path / "base.yaml").write_text(HEAD + roll, encoding="utf-8")
    more = "  add to luck:\n    now: needs 3+\n    soaked: roll -1 if wet\n"
    assert not len(_found(tmp_path, _house(more, "")))


@pytest.mark.parametrize(
    ("dice", "line", "told"),
    [
        ("d6 at or over", "wet-penalty: needs -1 if wet", True),
        ("d6 at or over", "wet-penalty: needs +1 if wet", False),
        ("d6 at or over", "wet-penalty: roll +1 if wet", True),
        ("d6 at or under", "wet-penalty: needs -1 if wet", False),
        ("d6 at or under", "wet-penalty: roll -1 if wet", True),
        ("d6 at or over", "advantage: roll -1 if wet", True),
        ("d6 at or over", "advantage: roll +1 if wet", False),
        ("d6 at or over", "wet: needs -1 if wet", False),
    ],
)
def test_a_line_that_goes_the_other_way_than_it_is_called(dice: str, line: str, told: bool, tmp_path: Path) -> None:
    text = HEAD.replace("d6 at or over, always 6, never 1", dice)
    problems = _found(tmp_path, f"{text}  roll luck of unit:\n    basic: needs 4\n    {line}\n")
    assert _places(problems, "") == ([("M012", line.partition(": ")[2])] if told else []), render(problems)
    assert all(p.severity == "style" for p in problems)


# ---- hints
def test_a_circle_is_printed_in_full(tmp_path: Path) -> None:
    text = (
        HEAD
        + "  value one of unit: two\n".replace("one", "zeal")
        + ("  value two of unit: fury + 1\n  value fury of unit: rage - 1\n  value rage of unit: two * 2\n")
    )
    (problem,) = _found(tmp_path, text)
    assert problem.code == "M001"
    assert problem.hint == "each of these needs the next: two → fury → rage → two"


def test_a_line_that_speaks_of_one_further_down(tmp_path: Path) -> None:
    text = HEAD + "  to work (unit):\n    first-of-all: later + 1\n    later: d6\n    lated: first-of-all + later\n"
    (problem,) = _found(tmp_path, text)
    assert (problem.code, problem.fix) == ("N001", None)
    assert problem.hint is not None
    assert "`later` is worked out only here or later" in problem.hint


# ---- choices and examples, without carrying them out
CHOOSING = (
    HEAD
    + """\
  to work (unit):
    some: unit.owner picks up to 2 from figures usually most
    sure: unit.owner wishes usually no
    go, if sure: some lose damp
  mark damp of figure:
"""
)


@pytest.mark.parametrize(
    ("choose", "code", "part"),
    [
        ("{work.sme: most}", "F009", "work.sme"),
        ("{go: most}", "F009", "go"),
        ("{sure: most}", "F010", "most"),
        ("{some: tool is pik}", "F010", "pik"),
        ("{some: dmp}", "N001", "dmp"),
    ],
)
def test_a_check_looks_at_choose(choose: str, code: str, part: str, tmp_path: Path) -> None:
    body = f"unit A: 3 figures\ndo: A works\nchoose: {choose}\nthen: A.figures = 3\n"
    inside = "".join(f"    {line}\n" for line in body.splitlines())
    told = _found(tmp_path, f"{CHOOSING}  example it:\n{inside}")
    (tmp_path / "base.yaml").write_text(CHOOSING, encoding="utf-8")
    alone = _found(tmp_path, "rules: base\n" + body, "situation")
    several = _found(tmp_path, "rules: base\nexample it:\n" + inside, "several")
    for problems in (told, alone, several):
        found = _places(problems, "")
        assert found == [("N001" if code == "F010" and part == "pik" else code, part)] or found == [(code, part)], (
            render(problems)
        )


@pytest.mark.parametrize("choose", ["{some: any}", "{some: damp, sure: yes}", "{work.some: fewest}"])
def test_a_choice_that_means_something_is_clean(choose: str, tmp_path: Path) -> None:
    text = f"{CHOOSING}  example it:\n    unit A: 3 figures\n    do: A works\n    choose: {choose}\n    then: A.figures = 3\n"
    problems = _found(tmp_path, text)
    assert not len(problems), render(problems)


def test_a_broken_example_of_a_rule_file_is_found_by_its_check(tmp_path: Path) -> None:
    text = HEAD + "  example it:\n    unit A: 3 figures, wett\n    then: A.figures = 3\n"
    assert _places(_found(tmp_path, text), "") == [("F002", "wett")]
    expected = text.replace("then: A.figures = 3", "error: F002")
    assert not len(_found(tmp_path, expected))
