"""`import interpreter`: the same as the command line, for programs."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import interpreter

ROOT = Path(__file__).parent.parent
VOLLEY = ROOT / "examples" / "modern-volley.yaml"
DATA = {
    "rules": "modern",
    "unit A": "seasoned, 6 figures, weapon rifle",
    "unit B": {"is": "green, spotted", "figures": ["8 with terrain soft and armour light"]},
    "facts": 'distance(A, B) is 20"',
    "do": "A shoots at B",
}


def test_importing_imports_nothing() -> None:
    program = "import sys, interpreter\nassert 'interpreter.workbench' not in sys.modules and 'yaml' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, timeout=60)
    assert {"check", "odds", "resolve", "test", "open_rules"} <= set(dir(interpreter))


def test_a_situation_is_a_path_a_text_or_data() -> None:
    wanted = {0: Fraction(5, 6) ** 6, 1: Fraction(5, 6) ** 5}
    for situation in (VOLLEY, str(VOLLEY), VOLLEY.read_text("utf-8"), DATA):
        answer = interpreter.odds(situation, ask=["hits"])
        found = answer.of(0)
        assert {k: found[k] for k in wanted} == wanted
        assert sum(found.values()) == 1


def test_a_condition() -> None:
    found = interpreter.odds(DATA, ask=["hits"], given="hits >= 1").of(0)
    assert min(found) == 1
    assert sum(found.values()) == 1
    with pytest.raises(interpreter.Trouble, match="never"):
        interpreter.odds(DATA, ask=["hits"], given="hits > 6")


def test_one_history() -> None:
    outcome = interpreter.resolve(DATA, dice=[6, 1, 5, 6, 2, 3, 6, 2], ask=["hits", "unsaved"])
    assert outcome.values == {"hits": 2, "unsaved": 1}
    assert "suppressed" in outcome.after["B"]["figures"]
    assert interpreter.resolve(DATA, seed=3).after == interpreter.resolve(DATA, seed=3).after
    assert all(held for _, held in interpreter.resolve(VOLLEY).then)


def test_checking_and_testing() -> None:
    assert interpreter.check("modern") == ()
    (problem,) = interpreter.check(ROOT / "examples" / "mistake.yaml")
    assert problem.code == "N001"
    assert [r.passed for r in interpreter.test(VOLLEY)] == [True]
    assert interpreter.open_rules("modern").name == "modern"


def test_a_supplement_is_checked_over_each_stack_that_it_is_made_for(tmp_path: Path) -> None:
    base = "game: Base\nMen:\n  dice high: d6 at or over\n  kind unit:\n    nerve: number first 2\n  to rest (unit): unit gains 1 nerve\n"
    (tmp_path / "base.yaml").write_text(base)
    (tmp_path / "fog.yaml").write_text(
        "game: Fog\nover: base\nMen:\n  mark lost of unit:\n  to stray (unit): unit gains lost\n"
    )
    own = tmp_path / "calm.yaml"
    own.write_text("game: Calm\nover: base, or base + fog\nchange:\n  rest: unit gains 2 nerve\n")
    assert interpreter.check(own) == ()
    own.write_text("game: Calm\nover: base, or base + fog\nchange:\n  rest: unit loses lost\n")
    (problem,) = interpreter.check(own)  # there is such a mark over the second stack only
    assert (problem.code, problem.span and problem.span.text) == ("N001", "lost")


@pytest.mark.parametrize(
    "situation",
    [
        "/no/such/file.yaml", "rules: modern\n", "rules: nosuch\ndo: A shoots\n", "a:\n - [", {}, {"rules": "modern"},
        {**DATA, "do": "A shoots at C"}, {**DATA, "facts": ""}, {**DATA, "unit A": "'"},
        {**DATA, "x": 1, "y": [None, True]},
    ],
)  # fmt: skip
def test_what_cannot_be_answered(situation: object) -> None:
    with pytest.raises(interpreter.Trouble) as trouble:
        interpreter.odds(situation, ask=["hits"])  # type: ignore[arg-type]
    assert trouble.value.problems
    assert "error" in str(trouble.value)


def test_a_question_is_needed() -> None:
    with pytest.raises(interpreter.Trouble, match="ask"):
        interpreter.odds(DATA)
    with pytest.raises(interpreter.Trouble, match="E001"):
        interpreter.odds(DATA, ask=["hits"], worlds=2)


def test_nothing_else_is_there() -> None:
    with pytest.raises(AttributeError):
        interpreter.nothing  # noqa: B018


def test_the_band_of_an_open_choice() -> None:
    situation = {**DATA, "choose": {"suffer.down": "any"}}
    answer = interpreter.band(situation, ask=["harm.dead", "hits"])
    assert list(answer.open) == ["suffer.split.down"]
    assert answer.mean(0)[0] < answer.mean(0)[1]
    assert answer.mean(1)[0] == answer.mean(1)[1] == interpreter.odds(DATA, ask=["hits"]).mean(0)
    kept = interpreter.band(situation, ask=["harm.dead"], given="hits > 1")
    assert kept.mean(0)[0] > answer.mean(0)[0]
    with pytest.raises(interpreter.Trouble, match="F008"):
        interpreter.odds(situation, ask=["harm.dead"])
    with pytest.raises(interpreter.Trouble, match="never does"):
        interpreter.band(situation, ask=["harm.dead"], given="hits > 60")


def test_a_table_of_situations() -> None:
    found = interpreter.grid(DATA | {"unit A": "seasoned, <n = 1 to 3> figures, weapon rifle"}, ask=["hits"])
    assert [(axis.name, axis.values) for axis in found.axes] == [("n", ("1", "2", "3"))]
    assert [point.worth(0) for point in found.points] == [(Fraction(n, 6),) * 2 for n in (1, 2, 3)]
    alone = interpreter.grid(DATA, ask=["hits"])
    assert (alone.axes, [p.labels for p in alone.points]) == ((), [()])
    with pytest.raises(interpreter.Trouble, match="a question"):
        interpreter.grid(DATA)
    with pytest.raises(interpreter.Trouble, match="G007"):
        interpreter.odds(DATA | {"unit A": "seasoned, <2, 3> figures, weapon rifle"}, ask=["hits"])


def test_an_estimate() -> None:
    found = interpreter.sample(DATA, ask=["hits"], plays=200, seed=2)
    assert found.mean(0).least < 1 < found.mean(0).greatest
    with pytest.raises(interpreter.Trouble, match="hits > 9"):
        interpreter.sample(DATA, ask=["hits"], given="hits > 9", plays=20)
