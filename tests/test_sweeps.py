"""`umpire odds` with alternatives, `umpire sample`, and how far they have come: what a person and a program read."""

from __future__ import annotations

import io
import json
import re
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typed import CliRunner

from interpreter.surfaces.cli.charts import columns, shade, shaded
from interpreter.surfaces.cli.group import main
from interpreter.surfaces.cli.terminal import progress_said as told
from interpreter.surfaces.cli.terminal import watched
from interpreter.workbench.progress import Progress

SHOT = ("modern", "shoot", "A: seasoned, <n = 1 to 4> figures, rifle", "B: green, 8 figures", 'distance 20"')
TWO = ("modern", "shoot", "A: seasoned, <n = 1 to 3> figures, rifle", "B: green, 8 figures", "distance <20, 60>")


def said(code: int, *args: str) -> str:
    found = CliRunner().invoke(main, args)
    assert found.exit_code == code, found.output
    return found.output


def data(*args: str) -> Any:
    return json.loads(said(0, *args, "--json"))


def alone(figures: int, ask: str, distance: str = '20"') -> Fraction:
    words = ("modern", "shoot", f"A: seasoned, {figures} figures, rifle", "B: green, 8 figures", f"distance {distance}")
    (question,) = data("odds", *words, "--ask", ask)["questions"]
    if question["mean"] is not None:
        return Fraction(question["mean"])
    return next((Fraction(o["probability"]) for o in question["outcomes"] if o["value"] is True), Fraction(0))


def test_one_alternative_is_a_row_for_each_value() -> None:
    out = said(0, "odds", *SHOT, "--ask", "harm.dead > 0", "--ask", "hits", "--fraction")
    rows = re.findall(r"^ +(\d) +(\d+(?:/\d+)?)", out, re.MULTILINE)
    assert [int(n) for n, _ in rows] == [1, 2, 3, 4] * 2
    assert [Fraction(f) for _, f in rows] == [alone(n, ask) for ask in ("harm.dead > 0", "hits") for n in range(1, 5)]
    assert "harm.dead > 0  by n" in out and "hits  mean by n" in out


def test_two_alternatives_are_a_table() -> None:
    out = said(0, "odds", *TWO, "--ask", "harm.dead > 0", "--fraction")
    lines = [re.sub(r"[░▒▓█]", "", line).split() for line in out.splitlines()]
    at = lines.index(["n", '20"', '60"'])
    for n, line in enumerate(lines[at + 1 : at + 4], 1):
        assert line[0] == str(n)
        assert [Fraction(f) for f in line[1:]] == [alone(n, "harm.dead > 0", d) for d in ('20"', '60"')]


def test_three_are_refused_in_a_table_and_not_as_data() -> None:
    words = (*TWO[:3], "B: <green, veteran>, 8 figures", TWO[4])
    assert "G008" in said(2, "odds", *words, "--ask", "hits")
    found = data("odds", *words, "--ask", "hits")
    assert len(found["points"]) == 12
    assert [axis["name"] for axis in found["axes"]] == ["n", "B", "distance"]


def test_as_data_each_point_is_a_whole_answer() -> None:
    found = data("odds", *TWO, "--ask", "hits", "--ask", "harm.dead", "--given", "hits > 0", "--quantiles", "50")
    assert found["exact"] is True
    assert [p["at"] for p in found["points"][:2]] == [{"n": "1", "distance": '20"'}, {"n": "1", "distance": '60"'}]
    for point in found["points"]:
        if point["at"]["distance"] == '60"':
            assert point["answer"] is None and point["given"]["greatest"]["numerator"] == "0"
            continue
        for question in point["answer"]["questions"]:
            assert sum(Fraction(o["probability"]) for o in question["outcomes"]) == 1
            assert question["quantiles"][0]["share"] == "1/2"
        assert sum(Fraction(o["probability"]) for o in point["answer"]["joint"]["outcomes"]) == 1
    assert found["points"][2]["given"]["probability"] == "5/9"


def test_a_point_without_what_is_given_is_never() -> None:
    out = said(0, "odds", *TWO, "--ask", "harm.dead > 0", "--given", "hits > 0")
    assert re.search(r"^ +2 .*never$", out, re.MULTILINE)
    assert "which is so in 0.0% to 70.4%" in out
    assert "never does" in said(2, "odds", *TWO, "--ask", "hits", "--given", "hits > 9")


def test_what_reaches_a_chance() -> None:
    out = said(0, "odds", *TWO, "--ask", "harm.dead > 0", "--reach", "25%")
    assert re.search(r'25%  distance 20"  with n 3: 25\.9%', out)
    assert re.search(r'25%  distance 60"  never within 1 to 3$', out, re.MULTILINE)
    found = data("odds", *TWO, "--ask", "harm.dead > 0", "--ask", "hits", "--reach", "7/27")["reach"]
    assert (found["chance"], found["axis"], found["questions"][1]) == ("7/27", "n", None)
    assert found["questions"][0] == [
        {"at": {"distance": '20"'}, "surely": "3", "perhaps": "3", "not asked": []},
        {"at": {"distance": '60"'}, "surely": None, "perhaps": None, "not asked": []},
    ]


def test_a_reach_needs_alternatives_and_a_yes_or_no() -> None:
    assert "alternatives" in said(2, "odds", *SHOT[:2], "A: seasoned, 2 figures, rifle", *SHOT[3:], "--reach", "50%")
    assert "yes or no" in said(2, "odds", *SHOT, "--ask", "hits", "--reach", "50%")
    for wrong in ("0", "101%", "many", "3/2", "1/0"):
        assert "no part of all ways" in said(2, "odds", *SHOT, "--ask", "hits > 0", "--reach", wrong)


def test_what_is_open_is_told_and_drawn_as_a_band() -> None:
    words = (*SHOT, "--choose", "suffer.split.down=any", "--ask", "harm.dead > 1", "--reach", "20%")
    out = said(0, "odds", *words)
    assert re.search(r"^ +4  11\.1% to 40\.7%", out, re.MULTILINE)
    assert "with n 3 at best, never whatever is chosen" in out
    assert "suffer.split.down (side of B)" in out


def test_outcomes_in_words_have_a_column_each(tmp_path: Path) -> None:
    words = ("modern", "damage", "V: seasoned, <light, heavy> hull, 2 figures", "face: d6", "--ask", "outcome")
    out = said(0, "odds", *words)
    assert re.search(r"^ +V +\w", out, re.MULTILINE)
    for hull in ("light", "heavy"):
        row = next(line for line in out.splitlines() if line.strip().startswith(hull))
        assert sum(float(p) for p in re.findall(r"(\d+\.\d)%", row)) == pytest.approx(100, abs=0.3)
    far = ("modern", "damage", "V: <green, seasoned>, <light, heavy> hull, 2 figures", "face: d6", "--ask", "outcome")
    assert "ask whether it is one of them" in said(0, "odds", *far)


def test_without_a_question_what_differs_is_asked() -> None:
    out = said(0, "odds", *SHOT)
    assert "harm" in out and "volleys.hits  mean by n" in out
    assert 0 < len(re.findall(r" by n$", out, re.MULTILINE)) <= 4


def test_a_file_says_what_it_expects_at_every_point(tmp_path: Path) -> None:
    path = tmp_path / "shot.yaml"
    text = "rules: modern\nunit A: seasoned, <2, 3> figures, weapon rifle\nunit B: green, 8 figures\n"
    path.write_text(
        text + 'facts: distance(A, B) is 20"\ndo: A shoots at B\nodds: 4/9 that hits = 0\n', encoding="utf-8"
    )
    assert "expected 4/9; 1 are not so" in said(1, "odds", str(path))
    path.write_text(path.read_text(encoding="utf-8").replace("<2, 3>", "<2, 2>"), encoding="utf-8")
    assert "as expected" in said(0, "odds", str(path))


def test_what_is_wrong_points_into_the_brackets(tmp_path: Path) -> None:
    out = said(2, "odds", *SHOT[:3], "B: <green, vetran>, 8 figures", SHOT[4], "--ask", "hits")
    assert "did you mean `veteran`" in out
    assert re.search(r"B: <green, vetran>.*\n +\| +\^{6}$", out, re.MULTILINE)
    assert "`<12 to 1>`" not in said(2, "odds", "modern", "shoot", "A: <12 to 1> figures", *SHOT[3:])


def test_one_situation_is_wanted_by_a_play() -> None:
    assert "G007" in said(2, "resolve", *SHOT)


# ---- more of one question
ONE = ("modern", "shoot", "A: seasoned, 3 figures, rifle", "B: green, 8 figures", 'distance 20"')


def test_figures_in_place_of_bars() -> None:
    out = said(0, "odds", *ONE, "--ask", "hits", "--table", "--fraction", "--deviation", "--quantiles", "50,10")
    assert re.search(r"^ +1 +4/9 +19/27 +20/27$", out, re.MULTILINE)
    assert "deviation 0.82, variance 2/3" in out
    assert "at most 0 in 10%, 1 in 50% of all ways" in out
    (question,) = data("odds", *ONE, "--ask", "hits", "--quantiles", "50")["questions"]
    assert question["variance"] == "2/3"
    assert question["quantiles"] == [{"share": "1/2", "least": 1, "greatest": 1}]


def test_two_questions_against_each_other() -> None:
    out = said(0, "odds", *ONE, "--ask", "hits", "--ask", "harm.dead", "--joint", "--fraction")
    rows = [re.findall(r"\d+/\d+", line) for line in out.splitlines()]
    assert ["2/9", "2/9"] in rows  # two hits: one dead, and how likely two hits are
    assert ["20/27", "2/9", "1/27", "1/1"] in rows
    assert "two questions" in said(2, "odds", *ONE, "--ask", "hits", "--joint")
    assert "name a policy" in said(
        2, "odds", *ONE, "--ask", "hits", "--ask", "harm.dead", "--joint", "--choose", "suffer.split.down=any"
    )


def test_no_option_is_forgotten_over_alternatives() -> None:
    for option in (("--table",), ("--deviation",), ("--quantiles", "50")):
        assert f"`{option[0]}`" in said(2, "odds", *TWO, "--ask", "hits", *option)
        said(0, "odds", *SHOT, "--ask", "hits", *option)
        said(0, "odds", *TWO, "--ask", "hits", *option, "--json")
    assert "leave it out for `--deviation`" in said(2, "odds", *SHOT, "--ask", "hits", "--table", "--deviation")
    said(0, "odds", *SHOT, "--ask", "hits", "--table", "--deviation", "--json")


# ---- tables
def test_shades_tell_more_from_less_without_colour() -> None:
    steps = [shade(Fraction(i, 10)) for i in range(11)]
    assert steps[0] == "  " and len(set(steps)) == 5
    assert sorted(steps, key=lambda step: " ░▒▓█".index(step[0])) == steps
    assert shade(Fraction(1, 10**9)) == "░░"


def test_a_table_too_wide_goes_on_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    heads = [f"column-{i}" for i in range(12)]
    lines = shaded("x", "across", heads, [("row", [(f"{i}%", Fraction(i, 12)) for i in range(12)])])
    assert all(len(re.sub("\x1b\\[[0-9;]*m", "", line)) <= 60 for line in lines)
    assert [h for line in lines for h in re.findall(r"column-\d+", line)] == heads
    assert columns(["", "a"], [["x", "1"], ["long", "22"]])[1:] == ["     x   1", "  long  22"]


# ---- estimates
def test_an_estimate_says_that_it_is_one() -> None:
    out = said(0, "sample", *ONE, "--ask", "hits", "--ask", "hits > 0", "--plays", "500", "--seed", "k")
    assert "an estimate from 500 plays, seed k" in out
    assert re.search(r"yes  \d+\.\d% \(\d+\.\d to \d+\.\d\)", out)
    assert "Wilson" in out and "exact" not in out
    assert out == said(0, "sample", *ONE, "--ask", "hits", "--ask", "hits > 0", "--plays", "500", "--seed", "k")


def test_an_estimate_as_data() -> None:
    found = data("sample", *ONE, "--ask", "hits", "--given", "hits > 0", "--plays", "300")
    assert (found["exact"], found["plays"], found["confidence"]) == (False, 300, 0.95)
    (question,) = found["questions"]
    assert sum(o["count"] for o in question["outcomes"]) == found["given"]["plays"] < 300
    assert all(o["least"] <= o["estimate"] <= o["greatest"] for o in question["outcomes"])
    assert question["mean"]["least"] < question["mean"]["estimate"]


def test_an_estimate_of_what_differs_when_nothing_is_asked() -> None:
    out = said(0, "sample", *ONE, "--plays", "60")
    assert "hits" in out and "shooters" not in out
    assert "never does" in said(2, "sample", *ONE, "--ask", "hits", "--given", "hits > 5", "--plays", "20")


def test_estimates_over_alternatives() -> None:
    out = said(0, "sample", *SHOT, "--ask", "hits", "--ask", "hits > 0", "--plays", "100")
    assert len(re.findall(r"^ +[1-4] +\d\.\d\d \(", out, re.MULTILINE)) == 4
    assert len(re.findall(r"^ +[1-4] +\d+\.\d% \(", out, re.MULTILINE)) == 4
    out = said(0, "sample", *TWO, "--ask", "hits > 0", "--plays", "100", "--given", "B.figures > 0")
    assert len(re.findall(r"\d+\.\d% ±\d+\.\d", out)) == 6
    found = data("sample", *TWO, "--ask", "hits > 0", "--plays", "100", "--given", "hits > 0")
    assert [p["answer"] is None for p in found["points"]] == [False, True] * 3
    alone_ = data("sample", *ONE, "--ask", "hits > 0", "--plays", "100", "--given", "hits > 0")
    assert found["points"][4]["answer"] == {k: alone_[k] for k in ("given", "questions")}
    assert "G008" in said(2, "sample", *TWO[:3], "B: <green, veteran>, 8 figures", TWO[4], "--ask", "hits")


def test_odds_that_give_up_name_the_other_way() -> None:
    out = said(2, "odds", *ONE, "--ask", "harm.dead", "--limit", "2")
    assert "E001" in out and "`umpire sample`" in out


# ---- progress
class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_told_and_wiped_away(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("interpreter.surfaces.cli.terminal.FIRST", 0.0)
    progress = Progress("situations", 3, 72)
    with watched(progress):
        until = time.monotonic() + 10
        while "3 of 72" not in screen.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    assert "3 of 72 situations …" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_what_is_quick_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with watched(Progress()):
        pass
    assert screen.getvalue() == ""


def test_a_pipe_hears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    monkeypatch.setattr("interpreter.surfaces.cli.terminal.FIRST", 0.0)
    with watched(Progress()):
        time.sleep(0.05)
    assert pipe.getvalue() == ""


def test_progress_in_words() -> None:
    class Engine:
        worlds = 12_345

    assert told(Progress()) == "working …"
    assert told(Progress("plays", 1_500, 10_000)) == "1,500 of 10,000 plays …"
    assert told(Progress("plays", 1_500, 10_000), 3) == "1,500 of 10,000 plays, about 17 s more …"
    assert told(Progress("plays", 10, 10_000), 1) == "10 of 10,000 plays, about 17 min more …"
    assert told(Progress("situations", 2, 9, Engine())) == "2 of 9 situations, 12,345 worlds …"


# ---- what cannot be asked
GUSTY = """\
game: Gusty
Play:
  kind unit:
    size: number first 4
    wide: yes or no
  fact wind of unit: number
  to act (unit):
    die: d6
    blow: die + wind(unit) if unit.size > 2 else die
    strong: blow > 4
"""
GUSTS = "rules: gusty\nunit A: {sizes} size\ndo: A acts\n"


def gusts(folder: Path, sizes: str, more: str = "") -> str:
    """The path of a situation; those of a size above 2 want a fact that is not stated."""
    (folder / "gusty.yaml").write_text(GUSTY, "utf-8")
    path = folder / "gusts.yaml"
    path.write_text(GUSTS.format(sizes=sizes) + more, "utf-8")
    return str(path)


@pytest.mark.parametrize("ask", ["strong", "blow", "blow + 0 * die"])
@pytest.mark.parametrize("table", [(), ("--table",)])
def test_a_point_that_cannot_be_asked_is_told_so(ask: str, table: tuple[str, ...], tmp_path: Path) -> None:
    path = gusts(tmp_path, "<1, 3, 2>")
    out = said(1, "odds", path, "--ask", ask, *table)
    rows = dict(re.findall(r"^ +([123]) +(.*)$", out, re.MULTILINE))
    assert rows.keys() == {"1", "2", "3"}
    assert "not asked" in rows["3"] and "%" not in rows["3"]
    assert "not asked" not in rows["1"] + rows["2"]
    assert "error F004" in out and "with A size 3" in out
    found = json.loads(said(1, "odds", path, "--ask", ask, "--json"))
    assert [(p["answer"] is None, p["refused"] and p["refused"]["code"]) for p in found["points"]] == [
        (False, None),
        (True, "F004"),
        (False, None),
    ]
    assert [(p["code"], p["label"]) for p in found["problems"]] == [
        ("F004", "with A size 3: the rules ask for it here")
    ]


def test_of_two_alternatives_too(tmp_path: Path) -> None:
    path = gusts(tmp_path, "<1, 3>")
    Path(path).write_text(Path(path).read_text("utf-8").replace("size", "size, <wide, not wide>"), "utf-8")
    out = said(1, "odds", path, "--ask", "strong")
    assert len(re.findall(r"^ +[13] .*", out, re.MULTILINE)) == 2
    assert re.search(r"^ +3 +not asked +not asked", out, re.MULTILINE)
    pictures = said(1, "odds", path, "--ask", "strong", "--html", str(tmp_path / "x.html"))
    page = (tmp_path / "x.html").read_text("utf-8")
    assert "drawn in" in pictures
    assert page.count("<td>not asked</td>") == 2 and "<td>never</td>" not in page
    assert "Not asked: A size 3" in page


def test_one_alternative_in_a_picture(tmp_path: Path) -> None:
    path = gusts(tmp_path, "<1, 3>")
    said(1, "odds", path, "--ask", "strong", "--ask", "blow", "--html", str(tmp_path / "x.html"))
    assert "Not asked: A size 3 (F004)." in (tmp_path / "x.html").read_text("utf-8")


def test_a_value_with_which_it_never_holds_is_not_left_out_of_a_picture_or_a_table(tmp_path: Path) -> None:
    path = gusts(tmp_path, "<1, 2>", "ask: [strong, blow]\n")
    out = said(0, "odds", path, "--given", "A.size = 2", "--table", "--html", str(tmp_path / "x.html"))
    assert len(re.findall(r"^ +1 +never", out, re.MULTILINE)) == 2
    assert "Never so: A size 1." in (tmp_path / "x.html").read_text("utf-8")


def test_where_a_chance_is_first_reached_those_not_asked_are_named(tmp_path: Path) -> None:
    path = gusts(tmp_path, "<3, 1>")
    out = said(1, "odds", path, "--ask", "strong", "--reach", "30%")
    assert re.search(r"30%  with A size 1: 33\.3%; not asked with 3$", out, re.MULTILINE)
    found = json.loads(said(1, "odds", path, "--ask", "strong", "--reach", "30%", "--json"))["reach"]
    assert found["questions"] == [[{"at": {}, "surely": "1", "perhaps": "1", "not asked": ["3"]}]]


@pytest.mark.parametrize(
    ("sizes", "more", "words", "codes"),
    [
        ("<1, 3>", "odds: 1/3 that strong\n", (), 1),  # one cannot be asked
        ("<1, 2>", "odds: 1/3 that strong\n", ("--given", "A.size = 2"), 1),  # one is never so
        ("<1, 2>", "odds: 1/3 that strong\n", (), 0),
    ],
)
def test_no_expectation_holds_where_nobody_knows(
    sizes: str, more: str, words: tuple[str, ...], codes: int, tmp_path: Path
) -> None:
    out = said(codes, "odds", gusts(tmp_path, sizes, more), *words)
    assert ("as expected" in out) is (codes == 0)
    assert ("of 1 nobody knows" in out) is (codes == 1)


def test_where_none_can_be_asked_nothing_is_shown(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["odds", gusts(tmp_path, "<3, 4>"), "--ask", "strong", "--json"])
    told = json.loads(found.stdout)
    assert (found.exit_code, [p["label"] for p in told["problems"]]) == (
        1,
        ["with A size 3: the rules ask for it here; 1 more"],
    )
    assert "points" not in told


def test_what_takes_too_long_at_one_point_ends_with_two(tmp_path: Path) -> None:
    words = ("modern", "shoot", "A: seasoned, <1, 6> figures, rifle", "B: green, 8 figures", 'distance 20"')
    out = said(2, "odds", *words, "--ask", "B.figures", "--limit", "10")
    assert "error E001" in out and "with A figures 6" in out and re.search(r"^ +6 +not asked", out, re.MULTILINE)


def test_an_estimate_says_at_which_point_it_cannot_be_made(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["sample", gusts(tmp_path, "<1, 3>"), "--ask", "strong", "--plays", "20"])
    assert found.exit_code == 1 and "F004" in found.output and "with A size 3" in found.output
