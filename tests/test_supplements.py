"""Files laid over rule sets: what they may be laid over, what they patch, where a value comes from, one file of many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from model import model
from typed import CliRunner

from interpreter.source import Problems, render
from interpreter.surfaces.cli.group import main
from interpreter.workbench.flat import flat
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run_all
from interpreter.workbench.why import why
from tests.sampled import sampled

GARDEN = """\
game: Garden Club
clauses: GAR
over: modern, or vsf

Firing:
  add to shooting after basic:
    point-blank: roll +1 if distance(unit, target) <= 6" [1]
  add to covers:
    wreck: 2
  mark proud of unit [2..4]:                              # of their new uniforms

Over modern:
  change:
    weapons.lmg.shots: 4, was 3                           # our LMGs never frightened anybody
    suffer.split.down: owner picks up to min(room, unsaved) from figures where not suppressed usually fewest [5]
    damage.immobilized:
      5 immobilized, if not immobilized [6]:
        stop: vehicle gains immobilized
  add to shoot.men after stopped:
    dust: 0 [7]
  remove cover.heavy, retreat-threat:
  example two-more-shots:
    unit A: seasoned, 1 figures, weapon lmg
    unit B: green, spotted, 8 figures
    facts: distance(A, B) is 20"
    do: A shoots at B
    odds: 4/3 mean hits

Over vsf:
  remove mark-nothing:
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _open(name: str) -> RuleSet:
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None, render(problems)
    # The turn ends in examples that lie beside a set, and beside a flat file there are none.
    told = [p for p in problems if (name, p.code) != ("flat.yaml", "P032")]
    assert not told, render(told)
    return rules


def _told(name: str) -> list[tuple[str, str]]:
    """Codes, and the words they point at."""
    problems = Problems()
    open_rules(name, problems)
    return [(p.code, p.span.text if p.span else "") for p in problems]


def _garden(folder: Path) -> None:
    fine = GARDEN.replace(", retreat-threat", "").replace("\nOver vsf:\n  remove mark-nothing:\n", "")
    _write(folder, "garden", fine)


def test_a_flattened_file_loads_to_an_equal_model(folder: Path) -> None:
    _garden(folder)
    morale = [f"{base} + morale" for base in ("modern", "vsf", "imperial")]
    for stack in sampled(("modern + garden.yaml", "modern", "vsf", "imperial", "vbcw", *morale), 3):
        rules = _open(stack)
        _write(folder, "flat", flat(rules))
        again = _open("flat.yaml")
        one, two = model(rules), model(again)
        assert one.keys() == two.keys(), stack
        for name in one:
            assert one[name] == two[name], (stack, name)
        assert flat(again).count("flat.yaml") > 50  # origins


def test_a_flattened_file_keeps_remarks_and_examples(folder: Path) -> None:
    _garden(folder)
    text = flat(_open("modern + garden.yaml"))
    assert "our LMGs never frightened anybody" in text
    assert "modern.yaml:" in text
    assert "anybody (garden.yaml:14)" in text
    _write(folder, "flat", text)
    problems = Problems()
    rules, results = run_all("flat.yaml", problems)
    assert rules is not None, render(problems)
    assert [r.example.name for r in results] == ["two-more-shots"]
    assert all(r.passed for r in results)


def test_the_examples_of_a_base_pass_on_the_flattened_file(folder: Path) -> None:
    """The model is equal, so a file that stands for the whole set passes what the set passes."""
    _write(folder, "modern-flat", flat(_open("modern")))
    (folder / "tests").mkdir()
    original = Path(__file__).parent.parent / "rules" / "tests" / "modern-melee.yaml"
    (folder / "tests" / "modern-flat.yaml").write_text(original.read_text("utf-8"), encoding="utf-8")
    problems = Problems()
    rules, results = run_all("modern-flat.yaml", problems)
    assert rules is not None, render(problems)
    assert len(results) > 20
    assert all(r.passed for r in results), [render(r.problems) for r in results if not r.passed][:1]


def test_clauses_of_a_supplement_keep_their_prefix(folder: Path) -> None:
    _garden(folder)
    cites = {clause for clause, _ in _open("modern + garden.yaml").book.pages.cites}
    assert {f"GAR-00{i}" for i in range(1, 8)} <= cites


def test_why_tells_every_file_that_had_a_say(folder: Path) -> None:
    _garden(folder)
    rules = _open("modern + garden.yaml")
    problems = Problems()
    shots = why(rules, "weapons.lmg.shots", problems)
    assert shots is not None
    assert shots.now == "4"
    assert [(o.what, Path(o.file).name) for o in shots.origins] == [("says", "modern.yaml"), ("changed", "garden.yaml")]
    assert "our LMGs never frightened anybody" in shots.origins[1].text
    down = why(rules, "suffer.split.down", problems)
    assert down is not None
    assert [(o.what, Path(o.file).name) for o in down.origins] == [("says", "fubar.yaml"), ("changed", "garden.yaml")]
    assert down.origins[1].clauses == ("GAR-005",) or "[5]" in down.origins[1].text
    gone = why(rules, "cover.heavy", problems)
    assert gone is not None
    assert gone.now is None
    assert [o.what for o in gone.origins] == ["removed"] or [o.what for o in gone.origins] == ["says", "removed"]
    added = why(rules, "covers.wreck", problems)
    assert added is not None
    assert [(o.what, Path(o.file).name) for o in added.origins] == [("added", "garden.yaml")]
    fire = why(rules, "fire", problems)
    assert fire is not None
    assert "acts after" in [o.what for o in fire.origins]
    assert not len(problems)


def test_why_offers_the_nearest_path(folder: Path) -> None:
    for path, close in (
        ("weapons.lmg.shotz", "weapons.lmg.shots"),
        ("weapon.lmg", "weapons"),
        ("shoot.mem.unsaved", "shoot.men"),
        ("shoot.men.unsavd", "shoot.men.unsaved"),
    ):
        problems = Problems()
        assert why(_open("modern"), path, problems) is None
        (problem,) = problems
        assert problem.code == "N001"
        assert problem.hint == f"did you mean `{close}`?", path
    problems = Problems()
    assert why(_open("modern"), "weapons.lmg.shots.far", problems) is None
    assert [p.message for p in problems] == ["no line of weapons.lmg.shots is called `far`"]


def test_why_on_the_command_line(folder: Path) -> None:
    _garden(folder)
    run = CliRunner().invoke(main, ["why", "weapons.lmg.shots", "modern+garden.yaml", "--json"])
    assert run.exit_code == 0, run.output
    (found,) = json.loads(run.output)["found"]
    assert found["now"] == "4"
    assert [o["what"] for o in found["origins"]] == ["says", "changed"]
    run = CliRunner().invoke(main, ["why", "shooting"])
    assert run.exit_code == 0, run.output
    assert "shooting in modern" in run.output
    assert "shooting in vbcw" in run.output
    assert CliRunner().invoke(main, ["why", "no-such-thing"]).exit_code != 0


def test_a_supplement_is_laid_only_over_what_it_is_made_for(folder: Path) -> None:
    _garden(folder)
    _write(folder, "gentle", "game: Gentle\nover: modern\nnot over:\n  vbcw: ten-sided dice\n")
    problems = Problems()
    assert open_rules("vbcw + garden.yaml", problems) is None
    (problem,) = problems
    assert problem.code == "N012"
    assert problem.message == "garden cannot be laid over vbcw: made for modern, or vsf"
    problems = Problems()
    assert open_rules("vbcw + gentle.yaml", problems) is None
    (problem,) = problems
    assert problem.message == "gentle cannot be laid over vbcw: ten-sided dice"
    assert [label.span.text for label in problem.others] == ["ten-sided dice"]


def test_a_stack_of_nothing_is_told_as_such(folder: Path) -> None:
    for command in (["check"], ["test"], ["show"], ["flat"], ["coverage"], ["why", "shoot"]):
        run = CliRunner().invoke(main, [*command, "+"])
        assert run.exit_code in (1, 2), (command, run.output)
        assert "F015" in run.output, command


def test_a_stack_said_the_wrong_way_round(folder: Path) -> None:
    _write(folder, "gentle", "game: Gentle\nover: modern\n")
    problems = Problems()
    assert open_rules("gentle.yaml + modern", problems) is None
    (problem,) = problems
    assert problem.code == "N012"
    assert problem.hint == "the undermost is said first: `modern + gentle.yaml`"
    run = CliRunner().invoke(main, ["check", "morale+modern"])
    assert run.exit_code == 2
    assert run.output.count("error N0") == 1, "once, and not for every base that it has"


def test_one_base_is_found_alone_and_several_are_asked_for(folder: Path) -> None:
    _garden(folder)
    _write(folder, "gentle", "game: Gentle\nover: modern\n")
    assert _open("gentle.yaml").name == "modern + gentle"
    assert _told("garden.yaml") == [("N015", "")]
    _write(folder, "third", "game: Third\nover: modern + gentle\n")
    assert _open("third.yaml").name == "modern + gentle + third"
    _write(folder, "ours", "game: Ours\nextends: modern + gentle\nFiring:\n  mark proud of unit:\n")
    assert _open("ours.yaml").name == "ours"
    run = CliRunner().invoke(main, ["check", "gentle.yaml", "third.yaml", "modern+gentle.yaml"])
    assert run.exit_code == 0, run.output


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # the same leaf, a leaf of what the other wrote anew, what the other took away
        ("weapons.lmg.shots: 4", "weapons.lmg.shots: 5", [("N013", "weapons.lmg.shots")]),
        ("weapons.lmg.shots: 4", "weapons.lmg: 36\", 5, small", [("N013", "weapons.lmg")]),
        ("shooting.aimed: roll +2", "shooting.cover: needs +2", []),
        ("shooting.aimed: roll +2", "shooting.aimed: 'roll +3, over one'", []),
        ("shooting.aimed: roll +2", "shooting.aimed: 'roll +3, was roll +2, over one'", []),
    ],
)  # fmt: skip
def test_two_supplements_that_set_the_same(
    first: str, second: str, expected: list[tuple[str, str]], folder: Path
) -> None:
    _write(folder, "one", f"game: One\nover: modern\nchange:\n  {first}\n")
    _write(folder, "two", f"game: Two\nover: modern\nchange:\n  {second}\n")
    assert _told("modern + one.yaml + two.yaml") == expected
    _write(folder, "two", f"game: Two\nover: modern, or modern + one\nchange:\n  {second}\n")
    assert _told("modern + one.yaml + two.yaml") == []


def test_a_conflict_shows_both_places(folder: Path) -> None:
    _write(folder, "one", "game: One\nover: modern\nFiring:\n  remove guard-fire:\n")
    _write(folder, "two", "game: Two\nover: modern\nchange:\n  guard-fire: unit reacts at actor\n")
    problems = Problems()
    open_rules("modern + one.yaml + two.yaml", problems)
    (problem,) = problems
    assert problem.code == "N013"
    assert problem.span is not None
    assert problem.span.source.name == "two.yaml"
    assert [(x.span.source.name, x.text) for x in problem.others] == [("one.yaml", "one removed it here")]


def test_what_was_removed_is_told_where_it_is_missed(folder: Path) -> None:
    _write(folder, "one", "game: One\nover: modern\nFiring:\n  remove covers:\n")
    problems = Problems()
    open_rules("one.yaml", problems)
    assert {p.code for p in problems} == {"N001"}
    for problem in problems:
        assert ("one.yaml", "removed here") in [(x.span.source.name, x.text) for x in problem.others]


def test_rules_of_two_supplements_at_one_moment(folder: Path) -> None:
    rises = "  rule rises after shoot: figures lose suppressed\n"
    proud = "  mark proud of unit:\n  rule pride after shoot: unit gains proud\n"
    calm = "  rule calm after shoot if any (figures where suppressed): unit gains aiming\n"
    for first, second, codes in ((rises, proud, []), (rises, calm, ["N014"]), (calm, rises, ["N014"])):
        _write(folder, "one", f"game: One\nover: modern\nFiring:\n{first}")
        _write(folder, "two", f"game: Two\nover: modern\nFiring:\n{second}")
        assert [code for code, _ in _told("modern + one.yaml + two.yaml")] == codes


@pytest.mark.parametrize(
    ("patch", "word", "hint"),
    [
        ("change:\n  weapons.lgm.shots: 4", "lgm", "did you mean `lmg`?"),
        ("change:\n  weapons.lmg.shotz: 4", "shotz", "did you mean `shots`?"),
        ("change:\n  weapon.lmg.shots: 4", "weapon", "did you mean `weapons`?"),
        ("change:\n  shoot.men.unsavd: 4", "unsavd", "did you mean `unsaved`?"),
        ("change:\n  shoot.unsaved: 4", "unsaved", "there is `shoot.men.unsaved`"),
        ("Firing:\n  remove shooting.aimd:", "aimd", "did you mean `aimed`?"),
        ("Firing:\n  remove shootin:", "shootin", "did you mean `shooting`?"),
        ("Firing:\n  add to shooting after covr:\n    x: roll +1", "covr", "did you mean `cover`?"),
        ("Firing:\n  add to shoot.mem:\n    x: 1", "mem", "did you mean `men`?"),
    ],
)
def test_a_patch_that_misses_names_the_nearest_target(patch: str, word: str, hint: str, folder: Path) -> None:
    _write(folder, "one", f"game: One\nover: modern\n{patch}\n")
    problems = Problems()
    open_rules("one.yaml", problems)
    (problem,) = problems
    assert (problem.code, problem.span.text if problem.span else "", problem.hint) == ("N001", word, hint)


def test_a_situation_is_asked_under_a_supplement(folder: Path) -> None:
    _garden(folder)
    shot = "unit A: seasoned, 1 figures, weapon lmg\nunit B: green, spotted, 8 figures\n"
    shot += 'facts: distance(A, B) is 20"\ndo: A shoots at B\nask: volleys.hits\n'
    _write(folder, "shot", f"rules: modern\n{shot}")
    _write(folder, "over", f"rules: modern + garden\n{shot}")
    for words, mean in (
        (["shot.yaml"], "1/1"),
        (["shot.yaml", "--over", "garden.yaml"], "4/3"),
        (["over.yaml"], "4/3"),
    ):
        run = CliRunner().invoke(main, ["odds", *words, "--json"])
        assert run.exit_code == 0, run.output
        assert json.loads(run.output)["questions"][0]["mean"] == mean
    run = CliRunner().invoke(main, ["odds", "shot.yaml", "--over", "gardn"])
    assert run.exit_code == 2
    assert "F015" in run.output


def test_an_over_section_names_a_base_of_the_file(folder: Path) -> None:
    _write(folder, "one", "game: One\nover: modern, or vsf\nOver vsff:\n  mark proud of unit:\n")
    assert _told("modern + one.yaml") == [("N001", "vsff")]
