"""`umpire diff`: what a house rule changes, against numbers worked out by hand; which patch does what."""

import json
from fractions import Fraction as F
from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.difference import Difference, Odds, Row, difference
from interpreter.workbench.patches import Patches
from interpreter.workbench.progress import Progress
from interpreter.workbench.rules import open_rules
from tests.toys import look_less_far, toy


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    look_less_far(monkeypatch)


def found(folder: Path, text: str, *, odds: bool = True) -> Difference:
    problems = Problems()
    toy(folder, house=text)
    made = difference("toy", "house", problems, odds=odds)
    assert made is not None and not len(problems), list(problems)
    return made


def odds_of(folder: Path, text: str) -> Odds:
    made = found(folder, text).odds
    assert made is not None
    return made


HUGE = (
    "Ours:\n  to storm (unit) at (target unit):\n    one-of: d100\n    two-of: d100\n    three-of: d100\n    four-of: d100\n"
    "    all-of: (one-of * 100 + two-of) * (three-of * 100 + four-of)\n"
    "  typical a-storm:\n    unit A: skill 4\n    unit B: skill 4\n    do: A storms at B\n    ask: all-of\n"
)


def row(odds: Odds, name: str, ask: str) -> Row:
    return next(r for r in odds.rows if r.point.name == name and r.ask == ask)


def test_one_patch_by_hand(tmp_path: Path) -> None:
    """3+ in place of 4+ to hit: a shot that wounds goes from 1/2 · 1/2 to 2/3 · 1/2; of three dice, the mean from 3/2 to 2."""
    odds = odds_of(tmp_path, "change:\n  hitting.basic: needs skill - 1, was needs skill\n")
    shot = row(odds, "a-shot: A skill 4", "wound")
    assert (shot.before.yes, shot.after.yes, shot.size) == ((F(1, 4),) * 2, (F(1, 3),) * 2, F(1, 12))
    assert row(odds, "a-shot: A skill 5", "wound").after.yes == (F(1, 4), F(1, 4))
    volley = row(odds, "a-volley", "hits")
    assert (volley.before.mean, volley.after.mean) == ((F(3, 2),) * 2, (F(2),) * 2)
    assert volley.after.likely("3") == (F(8, 27), F(8, 27))
    assert [r.size for r in odds.rows] == sorted((r.size for r in odds.rows), reverse=True)
    assert (odds.asked, odds.changed, odds.unchanged, len(odds.points)) == (4, 3, 0, 3)


def test_who_looks_sees_how_far_it_is(tmp_path: Path) -> None:
    toy(tmp_path, house="change:\n  hitting.basic: needs skill - 1, was needs skill\n")
    looked = Progress()
    assert difference("toy", "house", Problems(), progress=looked) is not None
    assert (looked.done, looked.of, looked.part) == (6, 6, "situations")  # three, before and after


def test_a_patch_that_changes_nothing(tmp_path: Path) -> None:
    odds = odds_of(tmp_path, "change:\n  hitting.hidden: needs +2 if target.hidden\n")
    assert not odds.rows and not odds.of(0)
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds"])
    assert said.exit_code == 0
    assert "hitting.hidden changes nothing that is asked in any of the 3 typical situations" in said.output
    assert "example hitting-hidden:" in said.output  # a witness, to be kept


def test_what_does_not_add_up(tmp_path: Path) -> None:
    """Both 3+: alone each 1/3, together 2/3 · 2/3 = 4/9, which is 7/36 more than 1/4 and not 2/12."""
    text = "change:\n  hitting.basic: needs skill - 1\n  wounding: needs toughness - 1\n"
    odds = odds_of(tmp_path, text)
    shot = row(odds, "a-shot: A skill 4", "wound")
    assert [law and law.yes for law in shot.alone] == [(F(1, 3), F(1, 3))] * 2
    assert [law and law.yes for law in shot.without] == [(F(1, 3), F(1, 3))] * 2
    assert shot.after.yes == (F(4, 9), F(4, 9))
    assert not shot.adds_up(lambda law: law.yes[0] if law.yes else None)
    volley = row(odds, "a-volley", "hits")
    assert volley.touched_by(0) and not volley.touched_by(1)
    assert volley.adds_up(lambda law: law.mean[0] if law.mean else None)
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds", "--fraction"]).output
    assert "+7/36 *" in said and "do not add up" in said


def test_patches_that_undo_each_other_are_told(tmp_path: Path) -> None:
    text = "Ours:\n  add to hitting:\n    keen: roll +1\n    fog: roll -1\n"
    odds = odds_of(tmp_path, text)
    assert len(odds.patches) == 2
    assert (odds.changed, odds.unchanged, odds.rows) == (0, 3, ())
    assert all(r.before == r.after and r.touched_by(0) and r.touched_by(1) for r in odds.undone) and odds.undone
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds"])
    assert said.exit_code == 0
    assert "0 changed, 3 unchanged" in said.output and "undo each other" in said.output


# ---- laws: whatever the patches are
PATCHES = (
    "change:\n  hitting.basic: needs skill - 1\n",
    "Ours:\n  add to hitting:\n    keen: roll +1\n",
    "Ours:\n  add to hitting:\n    keen: roll +1\n    fog: roll -1\n",
    "change:\n  wounding: needs toughness - 1\n  hitting.hidden: needs +2 if target.hidden\n",
    "Ours:\n  remove hitting.hidden:\n  rule spare for each unit as target after volley: target gains hidden\n",
    "change:\n  shoot.wound:\n    graze, if hit: target passes wounding\n",
    "change:\n  volley.shots: 400 dice meeting unit.hitting(target)\n",
    "Ours:\n  remove volley:\n",
)


@pytest.mark.parametrize("text", PATCHES)
def test_each_situation_is_changed_or_unchanged_or_not_asked(tmp_path: Path, text: str) -> None:
    toy(tmp_path, house=text)
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds", "--json"])
    odds = json.loads(said.output).get("odds")
    if odds is None:  # what does not check is refused as a whole
        assert said.exit_code == 1
        return
    changed, refused = ({(each["situation"], each["at"]) for each in odds[key]} for key in ("rows", "refused"))
    assert not changed & refused
    assert len(refused) == odds["not asked"]
    assert odds["changed"] + odds["unchanged"] + odds["not asked"] == odds["situations"] == 3
    assert said.exit_code == (0 if not refused else 2 if any(w["code"] == "E001" for w in odds["refused"]) else 1)


@pytest.mark.parametrize("text", PATCHES)
@pytest.mark.parametrize("over", ["", " + house"])
def test_a_set_beside_itself_is_the_same(tmp_path: Path, text: str, over: str) -> None:
    toy(tmp_path, house=text)
    problems = Problems()
    made = difference(f"toy{over}", f"toy{over}", problems)
    if made is None:
        assert problems.has_errors
        return
    assert made.odds is not None
    assert (made.changes, made.odds.rows, made.odds.undone, made.odds.changed) == ((), (), (), 0)
    said = CliRunner().invoke(main, ["diff", f"toy{over}", f"toy{over}", "--odds"])
    assert "nothing is changed" in said.output and " 0 changed" in said.output


@pytest.mark.parametrize(
    ("patch", "undo"),
    [
        ("  add to hitting:\n    keen: roll +1\n", "  remove hitting.keen:\n"),
        ("  change:\n    hitting.basic: needs skill - 1\n", "  change:\n    hitting.basic: needs skill\n"),
        ("  add to shoot after hit:\n    more-so: 1\n", "  remove shoot.more-so:\n"),
    ],
)
def test_a_patch_and_its_undo_change_nothing(tmp_path: Path, patch: str, undo: str) -> None:
    toy(tmp_path, house=f"Ours:\n{patch}", undone=f"Ours:\n{undo}")
    text = (tmp_path / "undone.yaml").read_text("utf-8")
    (tmp_path / "undone.yaml").write_text(text.replace("over: toy", "over: toy + house"), encoding="utf-8")
    problems = Problems()
    made = difference("toy", "house + undone", problems)
    assert made is not None and made.odds is not None, list(problems)
    assert (made.odds.rows, made.odds.changed, made.odds.unchanged) == ((), 0, 3)


def test_what_could_not_be_asked_is_not_unchanged(tmp_path: Path) -> None:
    """A volley of so many dice that odds are given up: neither changed nor unchanged, and the command could not run."""
    text = "change:\n  volley.shots: 4000 if target.hidden else 3\n" + HUGE
    toy(tmp_path, house=text)
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds"])
    assert "not asked: a-storm" in said.output and "1 not asked" in said.output
    assert said.exit_code == 2


def test_three_patches_each_left_out(tmp_path: Path) -> None:
    text = "Ours:\n  add to hitting:\n    easier: needs -1\n    harder: needs +1\n  change:\n    wounding: needs toughness + 1\n"
    odds = odds_of(tmp_path, text)
    shot = row(odds, "a-shot: A skill 4", "wound")
    assert [law and law.yes and law.yes[0] for law in shot.alone] == [F(1, 3), F(1, 6), F(1, 6)]
    assert [law and law.yes and law.yes[0] for law in shot.without] == [F(1, 9), F(2, 9), F(1, 4)]
    assert shot.after.yes == (F(1, 6), F(1, 6))


def test_what_cannot_stand_alone_is_one_patch(tmp_path: Path) -> None:
    text = (
        "Ours:\n  mark lucky of unit:\n  roll luck of unit: needs 6\n"
        "  add to shoot after hit:\n    spared, if hit and target is lucky: target passes luck\n"
        "  change:\n    shoot.wound:\n      hurt, if hit and not spared: target passes wounding\n    wounding: needs toughness - 1\n"
        "  typical a-lucky-one:\n    unit A: skill 4\n    unit B: lucky\n    do: A shoots at B\n    ask: hurt\n"
    )
    toy(tmp_path, house=text)
    base, house = (open_rules(name, Problems()) for name in ("toy", "house"))
    assert base is not None and house is not None
    patches = Patches(base, house)
    assert [[c.path for c in p.changes] for p in patches.patches] == [["shoot", "shoot.wound"], ["wounding"]]
    assert [c.path for c in patches.changes if not c.acts] == ["mark lucky of unit", "roll luck of unit"]
    assert all(patches.only({i}) is not None for i in range(2))


def test_the_text(tmp_path: Path) -> None:
    text = (
        "change:\n  hitting.basic: needs skill - 1, was needs skill\n"
        "Ours:\n  mark brave of unit:\n  add to hitting:\n    brave: roll +1 if brave\n  remove hitting.hidden:\n"
        "  rule hide for each unit after volley if skill > 9: unit gains hidden\n"
    )
    changes = found(tmp_path, text, odds=False).changes
    assert [(c.what, c.path, c.was, c.now) for c in changes] == [
        ("changed", "hitting.basic", "needs skill", "needs skill - 1"),
        ("new", "mark brave of unit", None, ""),
        ("added", "hitting.brave", None, "roll +1 if brave"),
        ("removed", "hitting.hidden", "needs +1 if target.hidden", None),
        ("acts", "hide for each unit after volley if skill > 9", None, "unit gains hidden"),
    ]


def test_what_only_the_house_rule_knows_can_be_asked(tmp_path: Path) -> None:
    """A situation with its mark is asked without the patch as well: 1/2, and with +1 on the die 2/3."""
    text = (
        "Ours:\n  mark brave of unit:\n  add to hitting:\n    brave: roll +1 if brave\n"
        "  typical a-brave-one:\n    unit A: skill 4, brave\n    unit B: skill 4\n    do: A shoots at B\n    ask: hit\n"
    )
    odds = odds_of(tmp_path, text)
    brave = row(odds, "a-brave-one", "hit")
    assert (brave.before.yes, brave.after.yes) == ((F(1, 2),) * 2, (F(2, 3),) * 2)
    assert len(odds.rows) == 1 and not odds.refused


def test_as_json(tmp_path: Path) -> None:
    toy(tmp_path, house="change:\n  hitting.basic: needs skill - 1\n  hitting.hidden: needs +2 if target.hidden\n")
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds", "--json"])
    data = json.loads(said.output)
    assert said.exit_code == 0 and data["problems"] == []
    assert [c["path"] for c in data["changes"]] == ["hitting.basic", "hitting.hidden"]
    assert data["changes"][0] | {"file": ""} == {
        "what": "changed", "path": "hitting.basic", "was": "needs skill", "now": "needs skill - 1",
        "file": "", "row": 4, "column": 3,
    }  # fmt: skip
    odds = data["odds"]
    assert (odds["situations"], odds["questions"], odds["changed"]) == (3, 4, 3)
    assert [p["situations"] for p in odds["patches"]] == [["a-volley", "a-shot: A skill 4", "a-shot: A skill 5"], []]
    first = odds["rows"][0]
    assert first.keys() == {
        "situation", "at", "file", "row", "column", "ask", "differs", "before", "after", "alone", "without",
    }  # fmt: skip
    assert first["before"]["mean"] == {"least": "3/2", "greatest": "3/2"}
    assert first["alone"][0] == first["after"] and first["alone"][1] == first["before"]


def test_what_is_not_built_on_the_base(tmp_path: Path) -> None:
    toy(tmp_path, house="")
    (tmp_path / "other.yaml").write_text("game: Other\n", encoding="utf-8")
    said = CliRunner().invoke(main, ["diff", "toy", "other"])
    assert said.exit_code == 2 and "N012: other cannot be laid over toy" in said.output
    assert CliRunner().invoke(main, ["diff", "toy", "nowhere"]).exit_code == 2


def test_a_mistake_in_the_house_rule_is_one_of_the_file(tmp_path: Path) -> None:
    toy(tmp_path, house="change:\n  hiting.basic: needs 3\n")
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds"])
    assert said.exit_code == 1 and "did you mean `hitting" in said.output


def test_a_base_without_typical_situations(tmp_path: Path) -> None:
    (tmp_path / "bare.yaml").write_text("game: Bare\nOne:\n  kind unit:\n    skill: number first 4\n", encoding="utf-8")
    (tmp_path / "ours.yaml").write_text(
        "game: Ours\nover: bare\nOne:\n  value grit of unit: skill + 1\n", encoding="utf-8"
    )
    said = CliRunner().invoke(main, ["diff", "bare", "ours", "--odds"])
    assert said.exit_code == 0 and "no typical situation is declared" in said.output
