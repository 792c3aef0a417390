"""`umpire fmt`: blanks are laid out, and nothing else is touched (`interpreter/layout`)."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed import CliRunner

from interpreter.document.reader import read
from interpreter.folders import RULES
from interpreter.language.equivalence import are_equivalent
from interpreter.layout import format_source
from interpreter.layout.formatter import same_content
from interpreter.layout.page import Page
from interpreter.places import LANGUAGE
from interpreter.source import Problems, Source
from interpreter.surfaces.cli.group import main
from interpreter.workbench.rules import open_rules
from tests.model import model

ROOT = Path(__file__).parent.parent
SHIPPED = sorted([*(ROOT / "rules").rglob("*.yaml"), *(ROOT / "examples").rglob("*.yaml")])
FILES = [*SHIPPED, *sorted((ROOT / "tests" / "data").rglob("*.yaml")), *sorted((ROOT / "benchmarks").rglob("*.yaml"))]
TEXTS = [path.read_text(encoding="utf-8") for path in FILES]


def laid(text: str) -> str:
    """What `fmt` makes of a text, which must keep every letter and remark, and be at rest when done once more."""
    done = format_source(Source("a.yaml", text), LANGUAGE).text
    assert re.sub(r"\s", "", done) == re.sub(r"\s", "", text)
    assert _remarks(done) == _remarks(text)
    assert format_source(Source("a.yaml", done), LANGUAGE).text == done
    return done


def _remarks(text: str) -> list[str]:
    root = read(Source("a.yaml", text), Problems())
    return Page(Source("a.yaml", text), root).remarks() if root is not None else []


def same(one: str, two: str) -> bool:
    """The same tree, its texts equal, or sentences that the grammar reads alike under each of its start symbols."""
    trees = [read(Source("a.yaml", text), Problems()) for text in (one, two)]
    assert trees[0] is not None and trees[1] is not None
    return same_content(trees[0], trees[1], lambda a, b: are_equivalent(a, b, LANGUAGE))


def test_the_shipped_files_are_laid_out() -> None:
    """When this fails: `umpire fmt rules examples`."""
    runner = CliRunner()
    done = runner.invoke(main, ["fmt", "--check", str(ROOT / "rules"), str(ROOT / "examples")])
    assert (done.exit_code, done.output) == (0, f"clean  {len(SHIPPED)} files\n")


@pytest.mark.parametrize("path", FILES[len(SHIPPED) :], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_says_the_same(path: Path) -> None:
    """Those that come along are as `fmt` leaves them, and so say what they said."""
    text = path.read_text(encoding="utf-8")
    assert same(text, laid(text))


TIDY = """\
game: Toy

Firing:
  dice high: d6 at or over, always 6
  # What is thrown at.
  kind unit:
    reach: inches first 6"                        # far enough
    skill: one of levels
  table levels (hit, save) [1, 2]:
    raw:    5+, 4+                                # a fifth
    steady: 4+, -
  value near of unit:
    basic: 2
    crowd: +1 per max(skill.hit, 3) if reach >= 6"
  to shoot (unit):
    hits: 3 * 2
    said, if hits > 1: umpire 'so,  it   (is)'
  example so-far:
    unit A: raw
    facts: [A.reach is 6", A.near is 2]
    choose: {shoot.hits: 1, b: 2}
    then:
      - A.near = 2
      - near = 2
"""


def test_a_tidy_file_stays_and_an_untidy_one_becomes_it() -> None:
    assert laid(TIDY) == TIDY
    untidy = """\


game :   Toy
Firing:

    
    dice high:  d6 at or over , always 6  
    # What is thrown at.
    kind unit:
      reach: inches first 6"                        # far enough
      skill: one of  levels
    table levels ( hit,save )[1,2]:
            raw: 5+,4+                                # a fifth
            steady:   4+ ,  -
    value near of unit:
      basic: 2
      crowd: +1 per max( skill.hit,3 )  if reach>=6"
    to shoot (unit):
      hits:   3*2
      said, if hits>1: umpire 'so,  it   (is)'
    example so-far:
        unit A: raw
        facts: [ A.reach is 6",A.near is 2 ]
        choose: { shoot.hits : 1,b: 2}
        then:
        -   A.near=2
        - near = 2


"""
    untidy = untidy.replace("choose: { shoot.hits : 1", "choose: { shoot.hits: 1")
    expected = TIDY.replace("Toy\n\nFiring:\n", "Toy\nFiring:\n\n").replace(
        "                        # far", "                       # far"
    )
    assert [line.rstrip() for line in laid(untidy).splitlines() if line] != []
    assert _without_columns(laid(untidy)) == _without_columns(expected)


def _without_columns(text: str) -> str:
    return re.sub(r" +#", " #", text)


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("game: T\nA:\n  value n of unit: 2  +\ufeff 3\n", "2  +\ufeff 3"),
        ("game: T\nA:\n  value n of unit: two  fish, with ,chips and\n", "two  fish, with ,chips and"),
        ("about: two  words ,and more\ngame: T\n", "two  words ,and more"),
        ("game: T\nA:\n  to go (unit): umpire 'move  24 inches ,now'\n", "'move  24 inches ,now'"),
        ("game: T\nabout: |\n  one  two   \n\n\n  three\n", "  one  two   \n\n\n  three"),
        ("game: T\nabout: >-\n    one\n     two   \n", "    one\n     two   "),
        ('game: T\nabout: "one  \n\n\n  two  # three"\n', '"one  \n\n\n  two  # three"'),
        ("game: T\nA:\n  value n of unit: 24  inches\n", "24  inches"),
    ],
)
def test_what_is_left_alone(text: str, stays: str) -> None:
    assert stays in laid(text)


def test_line_ends_and_the_mark_at_the_start_stay() -> None:
    text = "\ufeff" + TIDY.replace("\n", "\r\n")
    assert laid(text) == text
    assert (
        laid("\ufeffgame:  T\r\nA:\r\n    dice high:  d6 at or over")
        == "\ufeffgame: T\r\nA:\r\n  dice high: d6 at or over\r\n"
    )


def test_a_text_of_many_lines_moves_as_a_whole() -> None:
    text = "game: T\nA:\n    to go (unit):\n        a: |\n            umpire 'go'\n        b: nothing\n"
    assert laid(text) == "game: T\nA:\n  to go (unit):\n    a: |\n        umpire 'go'\n    b: nothing\n"


def test_a_remark_moves_with_the_line_that_it_stands_above() -> None:
    text = "game: T\nA:\n    # of A\n    mark tired of unit:\n    kind unit:\n        a: number\n        # of the kind\n    # of b\n    kind b:\n# at the edge\n"
    done = laid(text)
    assert [line for line in done.splitlines() if "#" in line] == [
        "  # of A",
        "    # of the kind",
        "  # of b",
        "# at the edge",
    ]


def test_what_yaml_cannot_read_is_left_alone_and_told() -> None:
    done = format_source(Source("a.yaml", "game:   T\nA:\n  a: [1\n"), LANGUAGE)
    assert done.text == "game:   T\nA:\n  a: [1\n"
    assert [p.code for p in done.left] == ["Y029"]


def test_a_rule_set_laid_out_from_a_mess_is_the_same_rule_set(tmp_path: Path) -> None:
    for name in ("tabletop", "fubar", "modern"):
        text = (RULES / f"{name}.yaml").read_text(encoding="utf-8")
        messy = _mess(text, random.Random(5))
        assert messy != text
        (tmp_path / f"{name}.yaml").write_text(laid(messy), encoding="utf-8")
    problems = Problems()
    ours, theirs = open_rules(str(tmp_path / "modern.yaml"), problems), open_rules("modern", problems)
    assert not len(problems)
    assert ours is not None and theirs is not None
    assert model(ours) == model(theirs)


def _mess(text: str, chance: random.Random) -> str:
    """The same file by somebody untidy: deeper indents, blanks round signs and at ends, empty lines."""
    lines = []
    for line in text.split("\n"):
        margin = len(line) - len(line.lstrip(" "))
        said = line.lstrip(" ")
        if not said.startswith("#"):
            said = re.sub(r"(?<=[a-z]), (?=[a-z])", lambda m: chance.choice([", ", " ,  ", ","]), said)
            said = re.sub(r" (>=|<=|>|<|\*) ", lambda m: chance.choice([m[0], m[1], f"  {m[1]} "]), said)
            said = re.sub(r"(?<=[a-z]): (?=[a-z0-9])", lambda m: ":" + " " * chance.randint(1, 4), said, count=1)
        if "'" in line or "#" in line or '"' in line[:1]:
            said = line.lstrip(" ")
        lines.append(" " * (margin * 3 // 2) + said + " " * chance.choice([0, 0, 0, 3]))
        lines += [""] * chance.choice([0] * 9 + [1, 3])
    return "\n".join(lines)


CHARACTERS = [
    *" \n:,#-[]{}'\"|>()=<*+/.ax19\t\r",
    "  ",
    "\n\n",
    "\n    ",
    "  # x",
    " #",
    ": ",
    "- ",
    "“",
    "é",
    "\ufeff",
]


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(TEXTS), st.integers(0, 2**32))
def test_random_edits_of_shipped_files(text: str, seed: int) -> None:
    chance = random.Random(seed)
    start = chance.randrange(len(text))
    text = text[:200] + text[text.find("\n", start) + 1 :][:1500] if chance.random() < 0.8 else text
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(text) + 1)
        gone = chance.choice([0, 0, 1, 2, 5])
        text = text[:at] + chance.choice(["", *CHARACTERS]) + text[at + gone :]
    done = laid(text)
    if done != text:
        assert same(text, done)


def run(*args: str, stdin: bytes = b"") -> tuple[int, bytes, str]:
    done = CliRunner().invoke(main, list(args), input=io.BytesIO(stdin))
    return done.exit_code, done.stdout_bytes, done.stderr


@pytest.fixture
def messy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "toy.yaml"
    path.write_bytes(b"game:  Toy\r\n")
    path.chmod(0o600)
    (tmp_path / "compose.yaml").write_text("services:  {a: 1}\n")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.yaml").write_text("game:  Toy\n")
    return path


def test_check_and_diff_write_nothing(messy: Path) -> None:
    assert run("fmt", "--check") == (1, b"would change  toy.yaml:1\n", "")
    code, out, _ = run("fmt", "--diff", "toy.yaml")
    assert code == 1
    assert b"-game:  Toy\r\n+game: Toy\r\n" in out
    assert messy.read_bytes() == b"game:  Toy\r\n"


def test_files_are_written_in_place(messy: Path) -> None:
    assert run("fmt") == (0, b"laid out  toy.yaml:1\n", "")
    assert messy.read_bytes() == b"game: Toy\r\n"
    assert messy.stat().st_mode & 0o777 == 0o600
    assert run("fmt", "toy.yaml") == (0, b"clean  1 file\n", "")
    assert (messy.parent / "compose.yaml").read_text() == "services:  {a: 1}\n"
    assert (messy.parent / ".hidden" / "x.yaml").read_text() == "game:  Toy\n"


def test_a_stream_goes_through() -> None:
    assert run("fmt", "-", stdin="\ufeffgame:  Toy\r\n".encode()) == (0, "\ufeffgame: Toy\r\n".encode(), "")
    assert run("fmt", "--check", "-", stdin=b"game:  Toy\n")[:2] == (1, b"")
    code, out, err = run("fmt", "-", stdin=b"game:  Toy\nA: [1\n")
    assert (code, out) == (1, b"game:  Toy\nA: [1\n")
    assert "Y029" in err


def test_what_could_not_be_read_is_told_and_the_rest_is_done(messy: Path) -> None:
    messy.write_text("game:  Toy\nA:\n  value n of unit: 24  inches\n  value m of unit: 1+  2\n")
    code, _, err = run("fmt", "toy.yaml")
    assert code == 1
    assert "toy.yaml:3:24" in err and "L001" in err and "Traceback" not in err
    assert messy.read_text().startswith("game: Toy\nA:\n  value n of unit: 24  inches\n")
    assert run("fmt", "nowhere.yaml")[0] == 2
