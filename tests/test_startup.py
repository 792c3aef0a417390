"""What is not done again: a rule set known to be right is checked as far as a question reaches, an answer is repeated.

Neither may be seen from outside: the same rules, the same words, the same exit codes, whatever has changed meanwhile.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from model import model
from test_kept import BASE, REGISTER, entries, lay_out

from interpreter import disk, kept
from interpreter.places import shipped
from interpreter.source import Problems
from interpreter.surfaces import display, repeated
from interpreter.surfaces.cli import main
from interpreter.surfaces.cli.terminal import heard
from interpreter.workbench.rules import RuleSet, open_rules, sound
from interpreter.workbench.stacks import open_sheets, stacks_of

WORDS = ["odds", "house.yaml", "shoot", "A: strength 3", "B: strength 4"]
CIRCLE = """\
game: Circle
Conventions:
  dice plain: d6 at or over
  kind side:
  kind unit of side:
    strength: number
Firing:
  to waver (unit):
    steps: unit.strength
    far: unit flees
    depth: far.onward
  to flee (unit):
    begun, if unit.strength > 3: unit wavers
    onward: begun.steps + 1
"""


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(tmp_path, monkeypatch)
    return tmp_path


def opened(name: str) -> tuple[RuleSet, RuleSet]:
    """A rule set checked whole, and the same as it is opened to be run once that is known."""
    problems = Problems()
    whole = open_rules(name, problems)
    sheets = open_sheets(name, problems, None, frozenset())
    assert whole is not None and sheets is not None and not problems.has_errors
    known = sound(sheets, problems)
    assert known is not None
    return whole, known


# ---- checked as far as somebody asks
@pytest.mark.parametrize("name", [stack for name in shipped() for stack in stacks_of(name)])
@pytest.mark.parametrize("back", [False, True])
def test_it_says_the_same_wherever_one_begins(
    name: str, back: bool, stack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(stack))
    whole, known = opened(name)
    assert len(known.checker.begun) < len(whole.checker.begun)
    asked = list(known.book.procedures.values())
    for procedure in reversed(asked) if back else asked[len(asked) // 2 :]:
        known.checker.procedure(procedure)
    assert not known.checker.problems.has_errors, list(known.checker.problems)
    assert model(known) == model(whole)


def test_a_circle_is_entered_where_the_check_entered_it(stack: Path) -> None:
    (stack / "circle.yaml").write_text(CIRCLE, "utf-8")
    whole, known = opened("circle.yaml")
    assert [p.name for p in known.checker.begun] == [p.name for p in whole.checker.begun] == ["waver", "flee"]
    assert not known.checker.problems.has_errors, "from `flee` on, what is left of a line would not be known yet"
    assert model(known) == model(whole)


def test_what_is_wrong_is_never_known_to_be_right(stack: Path) -> None:
    text = BASE.replace("clauses: HOU\n", "")
    (stack / "base.yaml").write_text(text.replace("needs 5", "neds 5"), "utf-8")
    for _ in range(2):
        problems = Problems()
        open_rules("base.yaml", problems, to_run=True)
        assert [p.code for p in problems] == ["L001"]
    (stack / "base.yaml").write_text(text, "utf-8")
    problems = Problems()
    assert open_rules("base.yaml", problems, to_run=True) is not None and not len(problems)


def test_another_register_is_another_question(stack: Path) -> None:
    assert open_rules("house.yaml", Problems(), to_run=True) is not None
    (stack / "home/rules/clauses/house.yaml").write_text(REGISTER.replace("HOU-002", "HOU-003"), "utf-8")
    problems = Problems()
    open_rules("house.yaml", problems, to_run=True)
    assert "R001" in {p.code for p in problems}


# ---- answers
def ask(words: list[str]) -> tuple[int, str]:
    done = CliRunner().invoke(main, words, obj=repeated.keeping(words, lambda: heard))
    return done.exit_code, done.output


def repeats(words: list[str], capsys: pytest.CaptureFixture[str]) -> str | None:
    capsys.readouterr()
    said = repeated.said_again(words)
    out = capsys.readouterr().out
    assert said or not out
    return out if said else None


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for the command, which talks to click's runner, and for what talks to pytest."""
    monkeypatch.setattr(repeated, "_screen", lambda: ("False", "utf-8", str(display.width())))


@pytest.mark.usefixtures("screen")
def test_a_question_asked_again_has_the_same_answer(stack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert repeats(WORDS, capsys) is None
    code, said = ask(WORDS)
    assert code == 0 and "%" in said
    assert repeats(WORDS, capsys) == said
    assert repeats([*WORDS, "--json"], capsys) is None
    assert repeats(["resolve", *WORDS[1:]], capsys) is None


@pytest.mark.usefixtures("screen")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("base.yaml", BASE.replace("needs 5", "needs 6")),
        ("home/rules/clauses/house.yaml", REGISTER.replace("HOU-002", "HOU-003")),
        ("home/rules/base.yaml", BASE),
    ],
)
def test_whatever_it_rests_on_may_change(stack: Path, capsys: pytest.CaptureFixture[str], name: str, text: str) -> None:
    ask(WORDS)  # now the rule set is known, so that of its registers only the looks are seen
    ask([*WORDS, "--fraction"])
    assert repeats([*WORDS, "--fraction"], capsys) is not None
    (stack / name).write_text(text, "utf-8")
    assert repeats(WORDS, capsys) is None or name == "home/rules/base.yaml"
    again = ask(WORDS)
    for file in entries(stack):
        file.unlink()
    assert ask(WORDS) == again


@pytest.mark.usefixtures("screen")
def test_another_screen_is_another_question(
    stack: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    ask(WORDS)
    assert repeats(WORDS, capsys) is not None
    monkeypatch.setenv("COLUMNS", "70")
    assert repeats(WORDS, capsys) is None


@pytest.mark.usefixtures("screen")
def test_findings_refusals_and_pipes_are_not_kept(stack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = [*WORDS[:3], "A: strenth 3"]
    assert ask(wrong)[0] == 2
    assert repeats(wrong, capsys) is None
    with repeated.keeping(WORDS, lambda: ["from a pipe"]):
        disk.kind("/dev/null")
    assert repeats(WORDS, capsys) is None
    with repeated.keeping(WORDS, lambda: ["\x1b[31mred"]):
        disk.kind("base.yaml")
    assert repeats(WORDS, capsys) is None, "colours that this screen does not want"


def test_a_look_at_what_is_as_before_is_a_look(stack: Path) -> None:
    with disk.noting() as watch:
        disk.content("base.yaml", 100)
    kept.keep(("a question",), watch, "an answer")
    with disk.noting() as again:
        assert kept.recall(("a question",)) == "an answer"
    assert again.looks == watch.looks
