"""What the pages say is so: every example runs, every command prints what is shown, every name pointed at is there.

A page is read from the top, as a reader types it. A block of YAML begins with the name of its file:

- `# NAME.yaml`: the file from here on; a rule file (it has `game:`), a situation or a file of examples (`rules:`);
- `# NAME.yaml, further down`: added at the end of that file;
- either with `, wrong CODE`: exactly that code is found, once; a later block goes on from what was right before;
- `# NAME.yaml, the whole of examples/PATH.yaml`: the file that is there, given to the page's commands without being shown;
- `# NAME.yaml, the whole of docs/PAGE.md`: the file of that name as it is at the end of the other page;
- `# rules/NAME.yaml` (or `examples/…`): an excerpt of a file of this repository, `# …` where something is left out;
- `# .github/…`, or another file that does not belong to Umpire: it has to be YAML.

In a block of `console`, a line `$ umpire …` is run in a folder with the page's files so far, and what follows has to be
what it prints, whole; `…` stands for what is left out, on a line of its own for any number of lines. Blanks in a row
count as one, and rows of files of this repository may be others. `# exit N` behind a command is its exit code, 0 unless
said. Other commands behind `$` are not run. In a block of `sh`, lines that begin with `umpire` must succeed. A block of
`pycon` must answer as shown.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from typed import CliRunner, Result

from interpreter.document.nodes import Mapping
from interpreter.engines.trace_events import walk
from interpreter.language import Refusal, parse
from interpreter.source import CATALOGUE, Problems, render
from interpreter.surfaces.cli.group import main
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.examples import Example, examples_of, from_file
from interpreter.workbench.file_discovery import DECLARING
from interpreter.workbench.files import check_file, rules_of
from interpreter.workbench.histories import resolve
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from interpreter.workbench.trees import read_text, read_tree
from interpreter.workbench.typical import check_typical

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CHANGELOG")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
PAGES += sorted((ROOT / "interpreter").rglob("*.md"))  # a page for each room
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    page: Path
    row: int
    language: str
    text: str

    @property
    def head(self) -> str:
        return self.text.split("\n", 1)[0].removeprefix("#").strip()

    def __str__(self) -> str:
        return f"{self.page.name}:{self.row}"


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        yield Block(page, text.count("\n", 0, found.start()) + 2, found[1], found[2])


GUIDE = [ROOT / "docs" / f"{name}.md" for name in ("language", "steps", "rounds", "moments")]  # in the order of reading
PAGE_BLOCKS = {page: list(blocks(page)) for page in PAGES}
BLOCKS = [block for page in PAGES for block in PAGE_BLOCKS[page]]
YAML = [b for b in BLOCKS if b.language == "yaml"]
COMMANDS = [b for b in BLOCKS if b.language in ("console", "sh")]
NAMED = re.compile(
    r"(?P<name>[\w-]+\.yaml)(?P<more>, further down)?(, wrong (?P<code>[A-Z]\d{3}))?(, the whole of (?P<whole>\S+))?"
)


def shown(problems: Problems) -> str:
    return render(problems)


def lay_out(block: Block, folder: Path) -> None:
    """The page's files as they are at this block, the block's own with them."""
    for name, text in files_at(block).items():
        (folder / name).write_text(text, "utf-8")


def files_at(block: Block) -> dict[str, str]:
    right: dict[str, str] = {}
    there: dict[str, str] = {}
    for earlier in PAGE_BLOCKS[block.page]:
        if earlier.row > block.row:
            break
        named = NAMED.fullmatch(earlier.head) if earlier.language == "yaml" else None
        if named is None:
            continue
        name = named["name"]
        text = whole(name, ROOT / named["whole"]) if named["whole"] else earlier.text
        if named["more"]:
            assert name in right, f"{earlier}: there is no {name} above"
            text = right[name] + text
        there[name] = text
        if not named["code"]:
            right[name] = text
    return there


def whole(name: str, path: Path) -> str:
    """A file of the repository, or the file of this name that another page makes."""
    return files_at(PAGE_BLOCKS[path][-1])[name] if path.suffix == ".md" else path.read_text("utf-8")


# ---- YAML
@pytest.mark.parametrize("block", YAML, ids=str)
def test_every_block_of_yaml_holds(block: Block, tmp_path: Path) -> None:
    problems = Problems()
    named = NAMED.fullmatch(block.head)
    if named is None:
        assert re.fullmatch(r"\.?[\w.-]+(/[\w.-]+)*\.ya?ml", block.head), f"{block}: what file is this? {block.head}"
        if block.head.startswith(("rules/", "examples/")):
            whole = excerpt((ROOT / block.head).read_text("utf-8"))
            for part in re.split(r"^ *# …\n", block.text, flags=re.MULTILINE):
                assert excerpt(part) in whole, f"{block}: not in {block.head}:\n{part}"
        else:
            assert yaml.compose(block.text) is not None
        return
    lay_out(block, tmp_path)
    file = tmp_path / named["name"]
    if named["code"]:
        check_file(str(file), problems)
        if not len(problems):
            problems.extend(failures(file))
        assert [p.code for p in problems] == [named["code"]], shown(problems)
    elif file.name == DECLARING:
        done = umpire(f"umpire check {DECLARING}", tmp_path)
        assert done.exit_code == 0, done.output
    elif re.search(r"^sweep:", file.read_text("utf-8"), re.MULTILINE):
        check_file(str(file), problems)
        assert not len(problems), shown(problems)
    elif re.search(r"^game:", file.read_text("utf-8"), re.MULTILINE):
        rules = open_rules(file, problems)
        assert rules is not None, shown(problems)
        assert not len(problems), shown(problems)
        for example in examples_of(rules, problems):
            failed = run(rules, example).problems
            assert not len(failed), f"{example.name}\n{shown(failed)}"
        assert not len(problems), shown(problems)
    else:
        situation(file, tmp_path)


def excerpt(text: str) -> str:
    """Lines without the remark that names the file, and without remarks at their ends."""
    lines = [re.sub(r"(^|\s+)#.*", "", line).rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line)


def situation(file: Path, folder: Path) -> None:
    """A situation, or a file of examples, holds what it says."""
    problems = Problems()
    root = read_tree(file, problems)
    assert isinstance(root, Mapping), shown(problems)
    rules = rules_of(root, folder, problems)
    assert rules is not None, shown(problems)
    assert not len(problems), shown(problems)
    if any(entry.key.text.startswith(("example ", "typical ")) for entry in root.entries):
        check_typical(rules, from_file(file, rules, problems, "typical"), problems)
        assert not len(problems), shown(problems)
        for example in from_file(file, rules, problems):
            failed = run(rules, example).problems
            assert not len(failed), f"{example.name}\n{shown(failed)}"
        return
    found = failures(file)
    assert not len(found), shown(found)


def failures(file: Path) -> Problems:
    """What a situation that can be read does not hold."""
    problems = Problems()
    root = read_tree(file, problems)
    assert isinstance(root, Mapping)
    rules = rules_of(root, file.parent, problems)
    assert rules is not None
    expects = any(root.entry(key) for key in ("then", "odds", "trace", "error"))
    found = run(rules, Example(file.stem, root, (), root.entries[0].key)).problems
    problems.extend(p for p in found if expects or p.code != "X005")
    return problems


def test_the_pages_show_examples() -> None:
    assert len(YAML) > 8
    assert {b.page.name for b in YAML} >= {"README.md", "language.md"}


# ---- commands
def umpire(command: str, folder: Path) -> Result:
    """The command as somebody types it in this folder, in a terminal of 100 columns without colours."""
    environment = {"NO_COLOR": "1", "COLUMNS": "100"}
    with contextlib.chdir(folder):
        return CliRunner(env=environment).invoke(main, shlex.split(command, comments=True)[1:])


@pytest.mark.parametrize("block", COMMANDS, ids=str)
def test_every_command_works(block: Block, tmp_path: Path) -> None:
    lay_out(block, tmp_path)
    for command, expected in sessions(block):
        done = umpire(command, tmp_path)
        if block.language == "sh":
            assert done.exit_code == 0, f"{command}\n{done.output}"
        else:
            advice = f"where that is right: python docs/generate/answers.py {block.page.relative_to(ROOT)}"
            assert holds(command, expected, done), (
                f"{block}: {command} ends with {done.exit_code} and prints\n{done.output}\n{advice}"
            )


def holds(command: str, expected: list[str], done: Result) -> bool:
    """Whether the command ended and printed as shown."""
    status = re.search(r"# exit (\d)$", command)
    lines = [line for line in map(plain, done.output.splitlines()) if line]
    shown = [line for line in map(plain, expected) if line]
    return done.exit_code == int(status[1] if status else 0) and prints(lines, shown)


def prints(lines: list[str], expected: list[str]) -> bool:
    """Whether these lines are the ones shown, where `…` stands for anything."""
    pattern = ""
    for line in expected:
        if line == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(map(re.escape, line.split("…"))) + r"\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "pycon"], ids=str)
def test_python_answers_as_shown(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(block, tmp_path)
    monkeypatch.chdir(tmp_path)
    told = doctest.DocTestParser().get_doctest(block.text, {"Fraction": Fraction}, str(block), None, 0)
    wrong: list[str] = []
    doctest.DocTestRunner().run(told, out=wrong.append)
    assert not wrong, "".join(wrong)


def sessions(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command with the lines that it is said to print."""
    command, expected = "", list[str]()
    for line in block.text.splitlines():
        said = line.removeprefix("$ ") if block.language == "sh" or line.startswith("$ ") else ""
        if said.startswith("umpire ") or said == "umpire":
            if command:
                yield command, expected
            command, expected = said, []
        elif line.startswith("$ "):
            if command:
                yield command, expected
            command, expected = "", []
        elif block.language == "console":
            expected.append(line)
    if command:
        yield command, expected


HERE = re.compile(r"\b(" + "|".join(p.stem for p in sorted((ROOT / "rules").glob("*.yaml"))) + r")\.yaml:\d+(:\d+)?")


def plain(line: str) -> str:
    """Without what may change: blanks, and rows of the files of this repository."""
    return re.sub(r"\s+", " ", HERE.sub(r"\1.yaml", line)).strip()


# ---- what the pages point at
POINTED = re.compile(
    r"`((?:interpreter|tests|grammar|rules|docs|examples|benchmarks)/[\w./-]*|[\w-]+\.md|Makefile|pyproject\.toml)(?:::([\w.]+))?`"
)
IN_ITS_ROOM = re.compile(r"`((?:[\w-]+/)?\w+\.py|\w+/)(?:::([\w.]+))?`")
LINKS = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_files_and_functions_pointed_at_are_there(page: Path) -> None:
    lost = []
    text = page.read_text("utf-8")
    pointed = [(ROOT, found) for found in POINTED.finditer(text)]
    if page.parent.parent == ROOT / "interpreter":
        others = {"hatch_build.py", "grammar/", "starting/"}
        pointed += [
            (page.parent, found)
            for found in IN_ITS_ROOM.finditer(text)
            if found[1] not in others and not found[1].startswith("tests/")
        ]
    for place, found in pointed:
        name, inside = found[1], found[2]
        path = place / name
        if not path.exists() or (inside and inside not in definitions(path)):
            lost.append(found[0])
    assert not lost, f"{page.name} points at what is not there: {', '.join(lost)}"


def definitions(path: Path) -> set[str]:
    """Names that a module, and each class in it, defines: `Odds`, `Odds.run`, `RETURN`."""
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        found = list(defined(node))
        names |= set(found)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{inner}" for child in node.body for inner in defined(child)}
    return names


def defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for file, heading in LINKS.findall(page.read_text("utf-8")):
        target = (page.parent / file) if file else page
        assert target.exists(), f"{page.name}: {file}"
        if heading:
            headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}, heading


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_codes_that_are_named_exist(page: Path) -> None:
    codes = set(re.findall(r"`([A-Z]\d{3})`", page.read_text("utf-8")))
    assert codes <= set(CATALOGUE), codes - set(CATALOGUE)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_pages_speak_of_this_repository_only(page: Path) -> None:
    text = page.read_text("utf-8")
    for beside in re.findall(r"\S*\.\./[^\s)#]*", LINKS.sub(lambda link: f" {link[1]} ", text)):
        assert (page.parent / beside).resolve().is_relative_to(ROOT / "docs"), beside
    assert "shared/" not in text


# ---- the words of the grammar
def test_the_reserved_words_are_all_of_them() -> None:
    text = (ROOT / "docs" / "language.md").read_text("utf-8")
    said = re.search(r"<!-- reserved words -->\n((?:> .*\n)+)", text)
    assert said is not None
    listed = set(re.sub(r"^> ", "", said[1], flags=re.MULTILINE).split())
    grammar = ROOT / "grammar" / "rules.lark"
    lark = grammar.read_text("utf-8")
    words = set(re.findall(r'"([a-z]+)"', lark))
    for pattern in re.findall(r"/([^/\n]+)/", lark):
        bare = re.sub(r"\\w|\(\?[!=][^)]*\)|\[[^]]*\]", " ", pattern).replace("?", "")
        words |= set(re.findall(r"[a-z]+", bare))
    words |= {"move", "moves", "gain", "lose", "leave", "a", "an"}

    def refused(word: str) -> bool:
        return isinstance(parse(f"value {word} of unit", "title", grammar), Refusal)

    assert listed == {word for word in words if refused(word)}


# ---- the walk of ARCHITECTURE.md: one `>` of a rule file, from YAML to a message, a die and a probability
FAR = "roll -1 if unit.gap(target) > reach / 2"
SHOT = """rules: vbcw
unit A: 1 figures, weapon rifle
unit B: 8 figures
facts: distance(A, B) is 10"
do: A fires at B
"""


def place_of_it(text: str) -> int:
    assert text.count(FAR) == 1
    return text.index(FAR) + FAR.index(">")


def test_one_characters_walk_to_a_symbol() -> None:
    problems = Problems()
    rules = open_rules("vbcw", problems)
    assert rules is not None
    checked = rules.checker.pure(rules.book.rolls["shooting"])
    (far,) = [c for c in checked.changes if c.line.address == "shooting.far"]
    assert (far.touch, far.what, far.sign, far.line.cites) == ("roll", "add", -1, ("VBCW-071",))
    condition = far.condition
    assert condition is not None
    assert condition.where is not None
    span = condition.where.span
    at = place_of_it(span.source.text)
    assert span.start < at < span.end
    assert getattr(condition, "name", "") == "more"


@pytest.mark.parametrize(("instead", "code"), [(">>", "L001"), ("> 9 or 9 >", "T002")])
def test_one_characters_walk_to_a_message(instead: str, code: str, tmp_path: Path) -> None:
    text = (ROOT / "rules" / "vbcw.yaml").read_text("utf-8")
    at = place_of_it(text)
    (tmp_path / "vbcw.yaml").write_text(text[:at] + instead + text[at + 1 :], "utf-8")
    problems = Problems()
    open_rules(tmp_path / "vbcw.yaml", problems)
    first = problems.sorted()[0]
    assert first.code == code, shown(problems)
    assert first.span is not None
    assert first.span.start <= at + 1 < first.span.end


def test_one_characters_walk_to_a_die_and_a_probability() -> None:
    problems = Problems()
    rules = open_rules("vbcw", problems)
    assert rules is not None

    def case(more: str) -> Case:
        root = read_text("case", SHOT + more, problems)
        made = prepare(rules, root, problems) if root is not None else None
        assert made is not None, shown(problems)
        return made

    outcome = resolve(case("dice: faces 7\nask: volleys.hits\n"))
    assert outcome is not None
    assert outcome.values == {"volleys.hits": 0}
    events = list(walk(outcome.events))
    (thrown,) = [e for e in events if e.line == "fire.arms.volleys.faces" and e.kind == "throw"]
    assert thrown.data["dice"] == [7]
    (told,) = [e for e in events if e.line == "shooting.far"]
    assert told.data["applied"]
    assert FAR in told.text
    assert told.clauses == ("VBCW-071",)

    answer = odds(case("ask: volleys.hits\n"))
    assert answer is not None
    assert answer.of(0) == {0: Fraction(7, 10), 1: Fraction(3, 10)}


# ---- files that a page builds
def test_the_finished_genre_is_the_file_of_the_examples(tmp_path: Path) -> None:
    page, file = ROOT / "docs" / "new-genre.md", ROOT / "examples" / "new-genre" / "galleys.yaml"
    lay_out(PAGE_BLOCKS[page][-1], tmp_path)
    built = (tmp_path / "galleys.yaml").read_text("utf-8")
    assert written(built) == written(file.read_text("utf-8")), (
        "copy what docs/new-genre.md builds to examples/new-genre"
    )
    problems = Problems()
    rules = open_rules(file, problems)
    assert rules is not None, shown(problems)
    assert all(run(rules, example).passed for example in examples_of(rules, problems))
    assert not len(problems), shown(problems)


def written(text: str) -> list[str]:
    """The lines of a file without the remarks that name it on a page, and without empty ones."""
    return [line for line in text.splitlines() if line and not re.fullmatch(r"# galleys\.yaml.*", line)]
