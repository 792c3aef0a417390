"""`umpire new`: whatever is answered, the file checks clean and its example holds; and what stands there as a remark
would check clean as well.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from typed import CliRunner, Result

from interpreter.document.reader import read
from interpreter.source import Problems, Source, render
from interpreter.surfaces.cli.group import main
from interpreter.surfaces.cli.new import new
from interpreter.workbench.examples import examples_of
from interpreter.workbench.house_rules import EDITS, Sketch, house_rule
from interpreter.workbench.likeness import draft_like
from interpreter.workbench.questionnaire import page, questions, ruleset
from interpreter.workbench.reading import with_file_on_top
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.running import run
from interpreter.workbench.starting import advice_on
from tests.sampled import THOROUGH, sampled
from tests.shipped import opened

BASES = ("imperial", "modern + morale", *("modern", "vsf", "vbcw") * THOROUGH)  # the last two have many procedures
ALL_BASES = (*BASES, "fubar", "tabletop")


@pytest.fixture(scope="module", params=ALL_BASES)
def base(request: pytest.FixtureRequest) -> RuleSet:
    return opened(request.param)


@pytest.fixture(scope="module")
def sketch(base: RuleSet) -> Sketch:
    return house_rule(base, "ours")


def clean(base: RuleSet, text: str, *, laid: bool) -> RuleSet:
    problems = Problems()
    rules = with_file_on_top(base, "ours.yaml", text, problems, laid=laid)
    assert not len(problems), render(problems) + text
    assert rules is not None
    return rules


def held(rules: RuleSet) -> int:
    """How many examples there are; each of them holds."""
    results = [run(rules, e) for e in examples_of(rules, Problems()) if e.key.span.source.name == "ours.yaml"]
    for result in results:
        assert result.passed, render(result.problems)
    return len(results)


def switched_on(text: str, number: int) -> str:
    """The text with the remarks of one numbered block made rules, as somebody does in an editor."""
    lines = text.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith(f"## {number}. "))
    end = lines.index("", start)
    assert any(line.startswith("# ") for line in lines[start:end])
    return "\n".join([*lines[:start], *(re.sub(r"^# ", "", line) for line in lines[start:end]), *lines[end:]])


# ---- house rules
def test_it_checks_clean_and_its_example_holds(base: RuleSet, sketch: Sketch) -> None:
    assert held(clean(base, sketch.text, laid=True)) == 1


def test_each_remark_would_check_clean(base: RuleSet, sketch: Sketch) -> None:
    numbers = [int(found) for found in re.findall(r"^## (\d)\. ", sketch.text, re.MULTILINE)]
    assert len(numbers) == len(sketch.edits)
    everything = sketch.text
    for number in numbers[1:]:
        clean(base, switched_on(sketch.text, number), laid=True)
        everything = switched_on(everything, number)
    clean(base, everything, laid=True)
    assert not re.search(r"^# ", everything, re.MULTILINE)


def test_a_whole_game_shows_all_five(base: RuleSet, sketch: Sketch) -> None:
    shown = tuple(e.sort for e in sketch.edits)
    some = {"fubar": ("number", "row", "reading"), "tabletop": ("reading",)}  # neither is a game to be played
    assert shown == some.get(base.name, EDITS)
    assert sketch.without == tuple(edit for edit in EDITS if edit not in shown)


def test_the_example_notices_the_number(base: RuleSet, sketch: Sketch) -> None:
    before = re.search(r"^## Without this file it is (\S+)\.$", sketch.text, re.MULTILINE)
    odds = re.search(r"^    odds: (\S+)", sketch.text, re.MULTILINE)
    if base.name not in BASES:
        assert before is odds is None
        return
    assert before is not None
    assert odds is not None
    assert odds[1] != before[1]
    without = re.sub(r"^  change:\n    .*was .*\n", "  mark other of unit:\n", sketch.text, count=1, flags=re.MULTILINE)
    problems = Problems()
    changed = with_file_on_top(base, "ours.yaml", without, problems, laid=True)
    assert changed is not None
    assert [p.code for p in run(changed, examples_of(changed, problems)[0]).problems] == ["X001"]


def test_all_switched_on_has_its_own_odds() -> None:
    rules = opened("modern")
    text = house_rule(rules, "ours", EDITS).text
    assert not re.search(r"^# ", text, re.MULTILINE)
    assert held(clean(rules, text, laid=True)) == 1


def test_a_name_that_is_taken_is_not_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said("house-rule", "ours", "--on", "modern", "--with", "all")
    said("house-rule", "more", "--on", "./ours.yaml", "--with", "all")
    text = (tmp_path / "more.yaml").read_text("utf-8")
    assert "over: modern + ours\n" in text
    assert "our-reading-2" in text
    done = CliRunner().invoke(main, ["test", "more.yaml"])
    assert done.exit_code == 0, done.output


# ---- rule sets
STRUCTURES = list(itertools.product(*([a.name for a in q.answers] for q in questions()[1:])))
DICE = [a.name for a in questions()[0].answers]


def answers(dice: str, structure: tuple[str, ...]) -> dict[str, str]:
    return dict(zip((q.name for q in questions()), (dice, *structure), strict=True))


def test_there_are_questions() -> None:
    assert [q.name for q in questions()] == ["dice", "activation", "hit", "save", "morale", "vehicles", "turn"]
    assert len(STRUCTURES) * len(DICE) > 1000


@pytest.mark.parametrize("part", range(8))
def test_every_combination_checks_clean_and_holds(part: int) -> None:
    base = opened("tabletop")
    for index, structure in enumerate(sampled(STRUCTURES[part::8], 5)):  # each with one of the dice; see the next test
        made = ruleset("ours", answers(DICE[(index + part) % len(DICE)], structure))
        assert not len(made.problems), render(made.problems) + made.text
        assert "odds: [1/1 " not in made.text
        if index % 4 == 0:
            assert held(clean(base, made.text, laid=False)) == 1


def test_the_die_changes_words_only() -> None:
    """So that what was checked with one die is as clean with another: the same lines, the same forms of number."""
    shapes = {}
    for dice, structure in itertools.product(DICE, STRUCTURES):
        text = page("ours", answers(dice, structure))
        assert not re.search(r"^\s*%|\{[a-z]+\}", text, re.MULTILINE), text
        problems = Problems()
        read(Source("ours.yaml", text), problems)
        assert not len(problems), render(problems)
        shape = re.sub(
            r"\bd?\d+(-\d+)?\+?(?=[\s,]|$)|[+-](?=\d)", "N", re.sub(r"at (over|under)|[+-](?=target|1 )", "", text)
        )
        shape = re.sub(r"at or (over|under)", "", shape)
        assert shapes.setdefault(structure, re.sub(r"N+", "N", shape)) == re.sub(r"N+", "N", shape)


@pytest.mark.parametrize("dice", DICE)
def test_each_die_holds(dice: str) -> None:
    base = opened("tabletop")
    for index in (0, -1):
        made = ruleset("ours", answers(dice, STRUCTURES[index]))
        assert held(clean(base, made.text, laid=False)) == 1


def test_like_another(base: RuleSet) -> None:
    made = draft_like(base, "ours")
    assert not len(made.problems), render(made.problems)
    assert held(clean(base, made.text, laid=False)) == 1
    plain = re.sub(r"^# ", "", made.text, flags=re.MULTILINE)
    assert held(clean(base, plain, laid=False)) == 1  # rolls said again are what they were
    assert set(re.findall(r"^([^#\s].*):$", plain, re.MULTILINE)) <= {d.heading for d in base.book.pages.definitions} | {
        "An Example"
    }


def test_like_another_has_its_numbers() -> None:
    modern = opened("modern")
    text = draft_like(modern, "ours").text.replace('rifle: 24", 1, small', 'rifle: 24", 2, small', 1)
    problems = Problems()
    changed = with_file_on_top(modern, "ours.yaml", text, problems, laid=False)
    assert changed is not None
    assert not run(changed, examples_of(changed, problems)[0]).passed


# ---- the command
def invoke(*words: str, typed: str = "") -> Result:
    done = CliRunner().invoke(main, ["new", *words], input=typed)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
    return done


def said(*words: str, code: int = 0, typed: str = "") -> str:
    done = invoke(*words, typed=typed)
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_words_of_the_command_are_those_of_the_workbench() -> None:
    choices = next(about["choices"] for names, about in new.find("house-rule").options if "--with" in names)
    assert tuple(choices) == (*EDITS, "all")


@pytest.mark.parametrize(
    "words",
    [("house-rule", "ours", "--on", "imperial"), ("ruleset", "ours", "--yes"), ("ruleset", "ours", "--like", "modern")],
)
def test_what_to_do_next_can_be_done(words: tuple[str, ...], here: Path) -> None:
    out = said(*words)
    nexts = re.findall(r"^  umpire (\S.*?)  ", out, re.MULTILINE)
    assert len(nexts) == 3
    for line in nexts:
        done = CliRunner().invoke(main, line.split())
        assert done.exit_code == 0, done.output


def test_what_the_file_says_to_do_can_be_done(here: Path) -> None:
    import shlex

    said("ruleset", "pulp", "--yes")
    for line in re.findall(r"^##   umpire (.*?)(?:  |$)", (here / "pulp.yaml").read_text("utf-8"), re.MULTILINE):
        done = CliRunner().invoke(main, shlex.split(line))
        assert done.exit_code == 0, done.output


def test_questions_are_asked(here: Path) -> None:
    out = said("ruleset", "pulp", "--hit", "weapon", typed="d10\n\ncover\nbreak\nno\nsides\n")
    assert "What decides" not in out
    text = (here / "pulp.yaml").read_text("utf-8")
    assert "dice ordinary: d10 at or over, always 10, never 1" in text
    assert "needs weapon.aim" in text
    assert "Vehicles:" not in text
    assert "all of one side" not in text


def test_nobody_answers(here: Path) -> None:
    out = said("ruleset", "pulp", typed="d10\n", code=2)
    assert "nobody has said `activation`, and nothing is written; `--yes` takes the usual answers" in out
    assert not list(here.iterdir())


def test_no_is_an_answer(here: Path) -> None:
    said("ruleset", "pulp", "--no-vehicles", "--yes")
    assert "vehicle" not in (here / "pulp.yaml").read_text("utf-8")


def test_a_file_that_is_there_stays(here: Path) -> None:
    (here / "ours.yaml").write_text("game: Mine\n", "utf-8")
    out = said("house-rule", "ours", "--on", "modern", code=2)
    assert "there is a file ours.yaml already, and it stays as it is; `--force` writes over it" in out
    assert (here / "ours.yaml").read_text("utf-8") == "game: Mine\n"
    said("house-rule", "ours", "--on", "modern", "--force")
    assert "over: modern" in (here / "ours.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (
            ("house-rule", "Tuesday Club", "--on", "modern"),
            "a name is small letters, digits and hyphens: `tuesday-club`",
        ),
        (("house-rule", "ours.yaml", "--on", "modern"), "`ours`"),
        (("house-rule", "1944", "--on", "modern"), "`our-1944`"),
        (("house-rule", "é", "--on", "modern"), "as `tuesday-club`"),
        (("house-rule", "or", "--on", "modern"), "`our-or`"),
        (("house-rule", "../ours", "--on", "modern"), "`ours`"),
        (("ruleset", "modern", "--yes"), "`modern` comes with Umpire, and a bare name always means that one"),
        (("ruleset", "ours", "--yes", "-o", "vsf.yaml"), "`vsf` comes with Umpire"),
        (("ruleset", "ours", "--yes", "-o", "ours.txt"), "a rule file ends in .yaml: -o ours.yaml"),
        (("ruleset", "ours", "--like", "modern", "--dice", "d6"), "leave `--dice` out, or `--like`"),
        (("ruleset", "ours", "--like", "modrn"), "did you mean `modern`?"),
        (("house-rule", "ours", "--on", "morale"), "N015"),
        (("house-rule", "ours", "--on", "modern", "-o", "no/such/ours.yaml"), "there is no such folder"),
    ],
)
def test_advice(words: tuple[str, ...], advice: str, here: Path) -> None:
    assert advice in " ".join(said(*words, code=2).split())
    assert not list(here.iterdir())


def test_a_base_of_ones_own_lies_beside(here: Path) -> None:
    (here / "club").mkdir()
    said("ruleset", "pulp", "--yes", "-o", "club/pulp.yaml")
    assert "-o club/ours.yaml" in said("house-rule", "ours", "--on", "club/pulp.yaml", code=2)
    said("house-rule", "ours", "--on", "club/pulp.yaml", "-o", "club/ours.yaml")
    done = CliRunner().invoke(main, ["test", "club/ours.yaml"])
    assert done.exit_code == 0, done.output


def test_good_names() -> None:
    assert advice_on("ours") is None
    assert advice_on("tuesday-club-2") is None
