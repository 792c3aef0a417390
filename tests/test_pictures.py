"""Pictures of exact odds: every number drawn is the number that was worked out, and nothing is asked of anybody."""

import re
import shlex
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as Tree

import pytest
from typed import CliRunner, Result

from interpreter.surfaces.as_charts import Axis, Bars, Heat, Page, Row, Series, Value, fold_tails, sum_upwards
from interpreter.surfaces.as_picture import colours
from interpreter.surfaces.as_picture.picture_files import html, svg
from interpreter.surfaces.as_tables import describe_difference
from interpreter.surfaces.cli.group import main
from interpreter.workbench.pricing import Law

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
VOLLEY = ("odds", "modern", "shoot", "A: seasoned, 6 figures, rifle", "B: green, 8 figures", 'distance 20"')
DEAD = {0: Fraction(256, 729), 1: Fraction(80, 243), 2: Fraction(160, 729), 3: Fraction(20, 243)}


DIG = """\
game: Dig
Digging:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    skill: number
  to dig (unit) at (target unit):
    die: d6
    deep, if die > unit.skill: d6 + target.skill
"""


def umpire(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def value(number: Fraction) -> Value:
    return Value(number, number)


def page(*pictures: Bars | Heat, heading: str = "A shoots at B") -> Page:
    return Page("Toy", heading, ("A: raw",), pictures)


def bars(*rows: tuple[str, Fraction], title: str = "hits", **more: object) -> Bars:
    made = tuple(Row(label, (value(p),)) for label, p in rows)
    return Bars(title, "outcome", (Series(""),), made, made, **more)  # type: ignore[arg-type]


def heat(down: int, across: int) -> Heat:
    axes = [Axis(name, tuple(map(str, range(n)))) for name, n in (("range", down), ("men", across))]
    cells = tuple(tuple(value(Fraction(i + j, down + across)) for j in range(across)) for i in range(down))
    return Heat("dead > 1", "chance in percent", axes[0], axes[1], cells)


def texts(drawing: str) -> list[str]:
    return [e.text or "" for e in Tree.fromstring(drawing).iter(f"{SVG}text")]


def shapes(drawing: str) -> list[tuple[float, float, str, str]]:
    """(width, height, colour, what is told on it) of every bar and cell."""
    found = []
    for one in Tree.fromstring(drawing).iter(f"{SVG}path"):
        size = re.search(r"h(-?[\d.]+)v(-?[\d.]+)h", one.get("d", ""))
        told = one.find(f"{SVG}title")
        if size and told is not None:
            found.append((float(size[1]), float(size[2]), one.get("fill", ""), told.text or ""))
    return found


class Tables(HTMLParser):
    """The cells of every table of a page, and all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[str] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag in ("td", "th")
        if self.inside:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.cells[-1] += data


# ---- from the command line
def test_what_is_drawn_is_what_was_worked_out(tmp_path: Path) -> None:
    done = umpire(*VOLLEY, "--ask", "harm.dead", "--svg", str(tmp_path / "a.svg"), "--html", str(tmp_path / "a.html"))
    assert done.exit_code == 0, done.output
    assert "drawn in" in done.output
    drawing, written = ((tmp_path / name).read_text("utf-8") for name in ("a.svg", "a.html"))
    said = texts(drawing)
    assert said[:2] == ["FUBAR Modern, Little Wars TV edition of 2025", "A shoots at B"]
    assert {"A: seasoned, 6 figures, rifle", "B: green, 8 figures", "harm.dead", "mean 1.09", "35.1%"} <= set(said)
    drawn = shapes(drawing)
    longest = drawn[0][0]
    for dead, chance in DEAD.items():
        width, _, _, told = drawn[dead]
        assert told == f"{dead}: {float(chance) * 100:.1f}%, exactly {chance}"
        assert width / longest == pytest.approx(float(chance / DEAD[0]), abs=0.001)
    cells = Tables(written).cells
    assert cells[:4] == ["Outcome", "Chance", "or more", "exactly"]
    assert cells[4:8] == ["0", "35.1%", "100%", "256/729"]
    assert cells[8:12] == ["1", "32.9%", "64.9%", "80/243"]


def test_yes_or_no_is_drawn_out_of_the_whole(tmp_path: Path) -> None:
    asks = ("--ask", "harm.dead > 1", "--ask", "hits > 5")
    assert umpire(*VOLLEY, *asks, "--svg", str(tmp_path / "a.svg")).exit_code == 0
    drawing = (tmp_path / "a.svg").read_text("utf-8")
    one, other = shapes(drawing)
    assert one[3] == "harm.dead > 1: 32.0%, exactly 233/729"
    track = max(float(w) for w in re.findall(r'd="M0,[\d.]+h([\d.]+)v', drawing))
    assert one[0] / track == pytest.approx(233 / 729, abs=0.001)
    assert 0 < other[0] < 3  # 1/729 still shows


def test_several_questions_stand_side_by_side(tmp_path: Path) -> None:
    assert umpire(*VOLLEY, "--ask", "harm.dead", "--ask", "hits", "--svg", str(tmp_path / "a.svg")).exit_code == 0
    drawn = shapes((tmp_path / "a.svg").read_text("utf-8"))
    assert [told for *_, told in drawn[:2]] == ["0: harm.dead, 35.1%, exactly 256/729", "0: hits, 8.8%, exactly 64/729"]
    assert [colour for _, _, colour, _ in drawn[:2]] == list(colours.SERIES[:2])


def test_a_choice_left_open_is_drawn_as_a_band(tmp_path: Path) -> None:
    words = (*VOLLEY, "--ask", "harm.dead > 1", "--choose", "suffer.split.down=any", "--svg", str(tmp_path / "a.svg"))
    assert umpire(*words).exit_code == 0
    drawing = (tmp_path / "a.svg").read_text("utf-8")
    assert "32.0% to 64.9%" in texts(drawing)
    assert colours.PALE[0] in drawing
    assert "suffer.split.down" in " ".join(texts(drawing))


def test_alternatives_are_a_heat_map(tmp_path: Path) -> None:
    words = [w.replace("6 figures", "<4 to 6> figures").replace("20", "<20, 30>") for w in VOLLEY]
    done = umpire(
        *words, "--ask", "harm.dead > 1", "--svg", str(tmp_path / "a.svg"), "--html", str(tmp_path / "a.html")
    )
    assert done.exit_code == 0, done.output
    drawn = [told for *_, told in shapes((tmp_path / "a.svg").read_text("utf-8"))]
    assert len(drawn) == 6
    assert 'A figures 6, distance 20": 32.0%, exactly 233/729' in drawn
    assert 'A figures 6, distance 30": 0%, exactly 0/1' in drawn
    assert "32.0% = 233/729" in Tables((tmp_path / "a.html").read_text("utf-8")).cells


def test_one_alternative_has_bars_and_outcomes(tmp_path: Path) -> None:
    words = [w.replace("6 figures", "<1, 6> figures") for w in VOLLEY]
    assert umpire(*words, "--ask", "harm.dead", "--svg", str(tmp_path / "a.svg")).exit_code == 0
    drawn = [told for *_, told in shapes((tmp_path / "a.svg").read_text("utf-8"))]
    assert drawn[1] == "6: 1.09, exactly 793/729"  # 240 + 2 · 160 + 3 · 60 + 4 · 12 + 5
    assert "outcome 2, A figures 6: 21.9%, exactly 160/729" in drawn  # six outcomes go down, two go across


def test_two_questions_against_each_other(tmp_path: Path) -> None:
    asks = ("--ask", "hits", "--ask", "harm.dead", "--joint")
    assert umpire(*VOLLEY, *asks, "--svg", str(tmp_path / "a.svg")).exit_code == 0
    drawn = [told for *_, told in shapes((tmp_path / "a.svg").read_text("utf-8"))]
    assert "hits 2, harm.dead 1: 32.9%, exactly 80/243" in drawn


def test_standard_output_stays_data(tmp_path: Path) -> None:
    done = umpire(*VOLLEY, "--ask", "hits", "--json", "--svg", str(tmp_path / "a.svg"))
    assert done.stdout.startswith("{")
    assert done.stdout.endswith("}\n")
    assert (tmp_path / "a.svg").exists()


@pytest.mark.parametrize("file", ["a.yaml", "nowhere/a.svg"])
def test_no_other_file_is_written_over(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("mine", "utf-8")
    done = umpire(*VOLLEY, "--svg", file)
    assert done.exit_code == 2
    assert "nothing was written" in done.output
    assert (tmp_path / "a.yaml").read_text("utf-8") == "mine"


def test_a_missing_library_is_told_before_anything_is_worked_out(tmp_path: Path) -> None:
    program = (
        "import sys\nsys.modules['vl_convert'] = None\nimport importlib.util as u\n"
        "real = u.find_spec\nu.find_spec = lambda name, *more: None if name == 'vl_convert' else real(name, *more)\n"
        f"sys.argv = ['umpire', 'odds', 'no such rules', '--svg', {str(tmp_path / 'a.svg')!r}]\n"
        "from interpreter.__main__ import main\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 2
    assert "pip install 'tabletop-umpire[pictures]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "a.svg").exists()


def test_nothing_of_pictures_is_imported_unless_asked() -> None:
    program = (
        "import sys\nfrom interpreter.surfaces.cli.group import main\n"
        f"try: main({[*VOLLEY, '--ask', 'hits']!r})\nexcept SystemExit: pass\n"
        "found = [m for m in sys.modules if 'as_picture' in m or m in ('vl_convert', 'xml.etree.ElementTree')]\n"
        "assert not found, found"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_one_file_knows_the_library() -> None:
    files = [p for p in (ROOT / "interpreter").rglob("*.py") if "import vl_convert" in p.read_text("utf-8")]
    assert [p.name for p in files] == ["picture_files.py"]


def test_the_pictures_of_the_manual_are_those_of_its_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    manual = (ROOT / "docs" / "odds.md").read_text("utf-8")
    commands = re.findall(r"^\$ umpire (odds .*--svg (\S+\.svg))$", manual, re.MULTILINE)
    assert len(commands) == 2
    for command, name in commands:
        assert umpire(*shlex.split(command)).exit_code == 0
        assert f"(pictures/{name})" in manual
        kept = (ROOT / "docs" / "pictures" / name).read_text("utf-8")
        assert texts(kept) == texts((tmp_path / name).read_text("utf-8"))


# ---- the drawing
PAGE = page(bars(("0", HALF), ("1", THIRD), ("2", Fraction(1, 6))), heat(3, 2))


def test_the_same_picture_is_the_same_bytes() -> None:
    before = svg(PAGE), html(PAGE)
    svg(page(heat(2, 5)))  # what was drawn meanwhile leaves no trace
    assert (svg(PAGE), html(PAGE)) == before


@pytest.mark.parametrize("text", [svg(PAGE), html(PAGE)], ids=["svg", "html"])
def test_nothing_is_asked_of_anybody(text: str) -> None:
    assert set(re.findall(r"\w*:?//[^\s\"'<]*", text)) == {"http://www.w3.org/2000/svg"}  # a name, not a place
    assert not re.search(r"<script|<link|<iframe|<img|@import|@font-face|url\(|\bon\w+=|href", text)


def test_the_page_forbids_itself_to_ask() -> None:
    tags = Tables(html(PAGE)).tags
    (policy,) = [a["content"] for _, a in tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert ("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}) in tags
    names = [a["id"] for _, a in tags if "id" in a]
    assert len(names) == len(set(names)) == 4  # a title and a description for each of two drawings
    drawings = [a for tag, a in tags if tag == "svg"]
    assert [a["aria-labelledby"] for a in drawings] == [
        "picture-1-title picture-1-text",
        "picture-2-title picture-2-text",
    ]
    assert all(a["role"] == "img" for a in drawings)


def test_who_cannot_see_it_is_told_all_of_it() -> None:
    told = [e.text for e in Tree.fromstring(svg(PAGE)).iter(f"{SVG}desc")]
    assert told[0] == "0 50.0%, 1 33.3%, 2 16.7%."
    assert told[1] == (
        "chance in percent. range 0: men 0 0%, 1 20.0%. range 1: men 0 20.0%, 1 40.0%. range 2: men 0 40.0%, 1 60.0%."
    )


def test_names_are_text_whatever_stands_in_them() -> None:
    odd = "<script>alert('&')</script> \"]}"
    made = page(bars((odd, HALF), ("\\\"'", HALF), title=odd), heading=odd)
    assert odd in texts(svg(made))
    assert odd in [e.text for e in Tree.fromstring(svg(made)).iter(f"{SVG}title")]
    assert "<script" not in html(made)
    assert odd in Tables(html(made)).cells


def test_outcomes_that_are_called_alike_stay_apart() -> None:
    drawing = svg(page(bars(("rifle", HALF), ("rifle", THIRD), ("none", Fraction(1, 6)))))
    assert [told for *_, told in shapes(drawing)] == [
        "rifle: 50.0%, exactly 1/2", "rifle: 33.3%, exactly 1/3", "none: 16.7%, exactly 1/6",
    ]  # fmt: skip
    assert texts(drawing).count("rifle") == 2


def test_a_phone_is_as_wide_as_a_drawing() -> None:
    long = svg(page(bars(("a question as long as people ask them, and longer", HALF), whole=True)))
    assert Tree.fromstring(long).get("width") == "360"
    assert min(float(e.get("font-size", "0px")[:-2]) for e in Tree.fromstring(long).iter(f"{SVG}text")) >= 12
    tall = list(Tree.fromstring(svg(page(heat(3, 12)))).iter(f"{SVG}svg"))[1]
    assert tall.get("width") == "360"  # twelve go down, three go across
    assert 'class="wide"' not in html(page(heat(3, 12)))
    assert 'class="wide"' in html(page(heat(20, 20)))


def test_cells_are_the_darker_the_more_and_empty_where_nothing_is() -> None:
    cells = tuple((value(Fraction(i, 20)),) for i in range(20))
    axes = Axis("men", tuple(map(str, range(20)))), Axis("range", ("6",))
    drawn = shapes(svg(page(Heat("dead", "", *axes, cells))))
    steps = [colours.STEPS.index(colour) for _, _, colour, _ in drawn]
    assert steps == sorted(steps)
    assert (steps[0], steps[-1], len(set(steps))) == (0, 9, 10)
    blank = Heat("dead", "", Axis("men", ("1", "2")), Axis("range", ("6",)), ((None,), (value(HALF),)))
    assert len(shapes(svg(page(blank)))) == 1
    assert "never" in Tables(html(page(blank))).cells


def test_before_and_after() -> None:
    one, other = (THIRD, THIRD), (HALF, HALF)
    rest = (1 - THIRD, 1 - THIRD)
    yes = SimpleNamespace(
        point=SimpleNamespace(name="a volley"), ask="B falls", before=Law((("yes", one),), None),
        after=Law((("yes", other),), None),
    )  # fmt: skip
    hits = SimpleNamespace(
        point=SimpleNamespace(name="a volley"), ask="hits", before=Law((("10", one), ("2", rest)), one),
        after=Law((("2", other), ("9", other)), other),
    )  # fmt: skip
    first, second = describe_difference([yes, hits], ("before", "after"))
    assert isinstance(first, Bars)
    assert isinstance(second, Bars)
    assert [(r.label, [v.exact for v in r.values]) for r in first.rows] == [("B falls", ["1/3", "1/2"])]
    assert [(r.label, [v.exact for v in r.values]) for r in second.rows] == [
        ("2", ["2/3", "1/2"]), ("9", ["0/1", "1/2"]), ("10", ["1/3", "0/1"]),
    ]  # fmt: skip
    assert second.series == (Series("before", Value(THIRD, THIRD)), Series("after", Value(HALF, HALF)))


def test_a_mean_of_what_is_not_always_run_says_how_often_it_is(tmp_path: Path) -> None:
    rules, page = tmp_path / "dig.yaml", tmp_path / "a.html"
    rules.write_text(DIG, "utf-8")
    words = ["odds", str(rules), "dig", "A: skill <0, 3>", "B: skill <0, 1>", "--ask", "deep"]
    done = umpire(*words, "--html", str(page))
    assert done.exit_code == 0, done.output
    assert "4.50 in 50.0%" in done.output
    cells = Tables(page.read_text("utf-8")).cells
    assert "4.50 in 50.0% = 9/2 in 1/2" in cells and "3.50 = 7/2" in cells
    assert "never" not in cells


def test_the_table_has_the_outcomes_that_are_drawn_as_one(tmp_path: Path) -> None:
    words = [w.replace("6 figures", "20 figures").replace("8 figures", "18 figures") for w in VOLLEY]
    assert umpire(*words, "--ask", "harm.dead", "--html", str(tmp_path / "a.html")).exit_code == 0
    text = (tmp_path / "a.html").read_text("utf-8")
    assert ">14+</text>" in text
    exact = [Fraction(cell) for cell in Tables(text).cells if "/" in cell]
    assert len(exact) == 19  # 0 to 17, where the eighteenth is but down; and 18, where all fall
    assert sum(exact) == 1


# ---- colours
def brightness(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    "theme", [dict(zip(colours.DARK, colours.DARK, strict=True)), colours.DARK], ids=["light", "dark"]
)
def test_everything_stands_out_in_both_themes(theme: dict[str, str]) -> None:
    paper = theme[colours.PAPER]
    assert all(contrast(theme[text], paper) >= 4.5 for text in (colours.INK, colours.MUTED))
    assert all(contrast(theme[bar], paper) >= 3 for bar in colours.SERIES)
    assert all(contrast(theme[bar], theme[pale]) >= 3 for bar, pale in zip(colours.SERIES, colours.PALE, strict=True))
    for i, cell in enumerate(colours.STEPS):
        assert contrast(theme[cell], theme[colours.ON_PALE if i < 5 else colours.ON_DEEP]) >= 4.5
    lights = [brightness(theme[cell]) for cell in colours.STEPS]
    assert lights in (sorted(lights), sorted(lights, reverse=True))  # readable without any colour


def test_a_drawing_has_a_dark_colour_for_each_of_its_own() -> None:
    text = svg(PAGE)
    fills = set(re.findall(r'fill="(#\w+)"', text))
    assert fills <= set(colours.DARK)
    style = next(Tree.fromstring(text).iter(f"{SVG}style")).text or ""
    assert style.startswith("@media (prefers-color-scheme:dark)")
    assert set(re.findall(r'\[fill="(#\w+)"\]', style)) == fills
    assert not re.search(r'stroke="#|style="', text.split("</style>")[1])


# ---- rows
def test_tails_are_summed_exactly() -> None:
    rows = [(str(i), (Fraction(1, 2 ** (i + 1)),)) for i in range(19)]
    rows.append(("19", (Fraction(1, 2**19),)))
    short = fold_tails(rows)
    assert short[-1] == ("11+", (Fraction(1, 2**11),))
    assert sum(p for _, (p,) in short) == 1
    assert sum_upwards(rows)[3] == (Fraction(1, 8),)
