"""Several situations in one text: what each becomes, where mistakes are shown, and that each is the one written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.document.alternatives import MOST, Rows, Spread, spread
from interpreter.document.nodes import Mapping, Scalar
from interpreter.layout import format_source, with_fixes
from interpreter.places import LANGUAGE
from interpreter.source import Problem, Problems, Source, render
from interpreter.workbench.answers import odds
from interpreter.workbench.arguments import compose
from interpreter.workbench.cases import prepare
from interpreter.workbench.examples import Example
from interpreter.workbench.files import check_file
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from interpreter.workbench.texts import scalar
from interpreter.workbench.trees import read_text

SHOT = """\
rules: modern
unit A: {training}, {shooters} figures, weapon rifle
unit B: green, {targets} figures
facts: distance(A, B) is {distance}"
do: A shoots at B
ask: harm.dead
"""


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    found = open_rules("modern", Problems())
    assert found is not None
    return found


def tree(text: str) -> Mapping:
    problems = Problems()
    root = read_text("shot.yaml", text, problems)
    assert root is not None, render(problems)
    return root


def of(text: str) -> Spread:
    problems = Problems()
    found = spread(tree(text), problems)
    assert found is not None, render(problems)
    return found


def wrong(text: str, rows: Rows = lambda name: None) -> Problem:
    problems = Problems()
    assert spread(tree(text), problems, rows) is None
    assert len(problems) == 1, render(problems)
    return next(iter(problems))


def value(root: Mapping, key: str) -> str:
    node = root.get(key)
    assert isinstance(node, Scalar)
    return node.text


def test_every_alternative_of_one_goes_with_every_one_of_the_other() -> None:
    found = of('unit A: <green, veteran>, <1 to 3> figures\nfacts: distance(A, B) is 6"\n')
    assert [axis.values for axis in found.axes] == [("green", "veteran"), ("1", "2", "3")]
    assert [value(root, "unit A") for root in found] == [
        f"{training}, {count} figures" for training in ("green", "veteran") for count in (1, 2, 3)
    ]


def test_a_name_is_the_same_wherever_it_stands() -> None:
    found = of("unit A: <many> figures\nunit B: <many = 2, 5> figures, spent <many>\ndo: A shoots at B\n")
    assert [axis.name for axis in found.axes] == ["many"]
    assert [(value(r, "unit A"), value(r, "unit B")) for r in found] == [
        (f"{i} figures", f"{i} figures, spent {i}") for i in (2, 5)
    ]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("1 to 3", ("1", "2", "3")),
        ('6" to 18" by 6"', ('6"', '12"', '18"')),
        ("6, 18", ("6", "18")),
        ("1 to 2 by 0.5", ("1", "1.5", "2")),
        ("-1 to 1", ("-1", "0", "1")),
        ("1 to 3, 6, 12 to 13", ("1", "2", "3", "6", "12", "13")),
        ("light armour, none", ("light armour", "none")),
        ("x = 4", ("4",)),
    ],
)
def test_what_values_are(said: str, values: tuple[str, ...]) -> None:
    assert of(f"unit A: <{said}>\n").axes[0].values == values


def test_every_row_of_a_table(rules: RuleSet) -> None:
    problems = Problems()
    found = spread(tree("unit A: <all training>, 4 figures\n"), problems, rules.rows)
    assert found is not None
    assert found.axes[0].values == tuple(rules.book.tables["training"].rows)
    assert wrong("unit A: <all trainnig>\n", rules.rows).code == "N001"


def test_what_an_axis_is_called() -> None:
    text = 'unit A: <green, veteran>, <1 to 3> figures, weapon <rifle, smg>, <far, near>\nfacts: distance(A, B) is <6, 12>"\n'
    text += "rulings:\n  luck: <2, 3>\nchoose:\n  suffer.down: <most, least>\n"
    assert [axis.name for axis in of(text).axes] == [
        "A", "A figures", "A weapon", "A 2", "distance", "luck", "suffer.down",
    ]  # fmt: skip


def test_where_a_sign_compares_it_is_left_alone() -> None:
    text = "unit A: 4 figures\ndo:\n  hits: 2 dice\n  more, if hits <2 and hits >0: A.figures\nask: [A.figures <3, A.figures> 1]\n"
    found = of(text)
    assert found.axes == ()
    assert [r is found.root for r in found] == [True]


def test_what_is_done_may_have_alternatives_also_in_the_names_of_lines() -> None:
    found = of("unit A: 4 figures\ndo:\n  tries, repeat <1 to 3> times:\n    one: <2, 4> dice\n")
    assert len(found.places) == 6
    last = list(found)[-1].get("do")
    assert isinstance(last, Mapping)
    assert last.entries[0].key.text == "tries, repeat 3 times"


@pytest.mark.parametrize(
    ("text", "code", "at", "hint"),
    [
        ("unit A: <2, 4 figures\n", "G001", "<", "between `<` and `>`"),
        ("unit A: <2, 4 > figures\n", "G001", "<", "no blank inside"),
        ("unit A: [green, <2, 4> figures]\n", "G001", "<", "put quotes"),
        ("unit A: <shooter = 2, 4> figures\nunit B: <shooters> figures\n", "G002", "shooters", "`shooter`"),
        ("unit A: <green>\n", "G002", "green", "no brackets"),
        ("unit A: <2, , 4> figures\n", "G003", ",", ""),
        ("unit A: <12 to 1> figures\n", "G003", "12 to 1", "`1 to 12`"),
        ("unit A: <x = 1, 2> figures, reach <x = 1, 2>\n", "G004", "<x = 1, 2>", "another name"),
        ("unit A: <1 to 9999999> figures\n", "G005", "1 to 9999999", "steps"),
        ("unit A: <1 to 100> figures\nunit B: <1 to 99> figures\n", "G005", "<1 to 99>", "wider"),
        ("unit A: <x:1, 2> figures\n", "G006", ":", "`<x = 1, 2>`"),
    ],
)
def test_mistakes(text: str, code: str, at: str, hint: str) -> None:
    problem = wrong(text)
    assert problem.span is not None
    assert (problem.code, problem.span.text) == (code, at)
    assert hint in (problem.hint or "")


def test_the_bound_is_on_what_all_of_them_make() -> None:
    assert len(of(f"unit A: <1 to {MOST}>\n").places) == MOST
    assert wrong(f"unit A: <0 to {MOST}>\n").code == "G005"


def test_a_mistake_in_an_alternative_is_shown_inside_its_brackets(rules: RuleSet) -> None:
    """In quotes, in a list, and where the value stands for others of a range."""
    for text, wanted in (
        ("unit A: '<green, vetran>, 4 figures'\n", ["vetran"]),
        ("unit A: ['<green, vetran>', <2 to 4> figures]\n", ["vetran"]),
        ("unit A: green, 4 figures, weapon <bow, rifle, rfile>\n", ["bow", "rfile"]),
        ("unit A: green, <98 to 99> fgures\n", ["fgures"]),
        ("unit A: <x = green, bow>, 2 figures, weapon <x>\n", ["bow", "<x>"]),
    ):
        found = spread(tree("rules: modern\nask: 1\n" + text), Problems())
        assert found is not None
        problems = Problems()
        for one in found:
            prepare(rules, one, problems)
        places = [p.span.text for p in problems if p.span is not None]
        assert [w for w in wanted if not any(w in place for place in places)] == [], render(problems)
        assert all(p.span is not None and p.span.start > 21 for p in problems), render(problems)


def test_each_point_is_the_situation_written_out(rules: RuleSet) -> None:
    said = {"training": "<green, veteran>", "shooters": "<n = 2, 5>", "targets": "<n>", "distance": "<6, 30>"}
    found = of(SHOT.format(**said))
    assert len(found.places) == 8
    for place, root in zip(found.places, found, strict=True):
        training, count, distance = (label.rstrip('"') for label in found.labels(place))
        written = SHOT.format(training=training, shooters=count, targets=count, distance=distance)
        answers = []
        for one in (root, tree(written)):
            problems = Problems()
            case = prepare(rules, one, problems)
            assert case is not None, render(problems)
            answers.append(odds(case))
        assert answers[0] is not None and answers[1] is not None
        assert answers[0].of(0) == answers[1].of(0)


def test_short_arguments_may_hold_them(rules: RuleSet) -> None:
    problems = Problems()
    arguments = ["A: <n = 1 to 3> figures, seasoned, rifle", "B: <n> figures, green", "distance <6, 12>"]
    root = compose(rules, "shoot", arguments, problems)
    assert root is not None, render(problems)
    found = spread(root, problems, rules.rows)
    assert found is not None
    assert [axis.name for axis in found.axes] == ["n", "distance"]
    for one in found:
        assert prepare(rules, one, problems, [("show", scalar("--ask", "hits"))]) is not None, render(problems)


def test_a_check_looks_at_every_one_of_them(tmp_path: Path) -> None:
    path = tmp_path / "shot.yaml"
    text = SHOT.format(training="<green, seasoned>", shooters="<1 to 3>", targets="8", distance="6")
    path.write_text(text, encoding="utf-8")
    problems = Problems()
    assert check_file(str(path), problems) == "a situation for modern, 6 in one"
    assert not problems
    path.write_text(text.replace("seasoned", "seasonned"), encoding="utf-8")
    check_file(str(path), problems)
    assert [p.code for p in problems] == ["F002"]


def test_an_example_must_hold_for_every_one_of_them(rules: RuleSet) -> None:
    root = tree("unit A: green, <n = 2, 4> figures\nthen: A.figures >= 2\n")
    key = scalar("example", "example few")
    assert run(rules, Example("few", root, (), key)).passed
    root = tree("unit A: green, <n = 2, 4> figures\nthen: A.figures = 2\n")
    found = run(rules, Example("few", root, (), key))
    (problem,) = found.problems
    assert problem.code == "X001" and str(problem.hint).startswith("with n 4;")


def test_where_one_is_wanted_several_are_refused(rules: RuleSet) -> None:
    problems = Problems()
    assert prepare(rules, tree("unit A: green, <n = 2, 4> figures\nask: A.figures\n"), problems) is None
    assert [(p.code, p.span.text if p.span else "") for p in problems] == [("G007", "<n = 2, 4>")]


def test_tidying_leaves_them_as_they_stand() -> None:
    text = 'rules: modern\nunit A:  <green,veteran>, 2 figures\nfacts: distance(A,B) is 6"\n'
    laid = format_source(Source("shot.yaml", text), LANGUAGE)
    assert laid.left == ()
    assert laid.text == text.replace("  <", " <").replace("A,B", "A, B")


def test_a_colon_that_names_them_is_mended_in_a_file() -> None:
    text = "rules: modern\nunit A: <many: 2, 4> figures\n"
    problems = Problems()
    assert read_text("shot.yaml", text, problems) is None
    (problem,) = problems
    assert (problem.code, problem.span.text if problem.span else "") == ("Y020", ":")
    assert problem.span is not None
    assert of(with_fixes(problem.span.source, problems)[0]).axes[0].name == "many"
