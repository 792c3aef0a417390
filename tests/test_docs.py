"""What the pages say is so: every example runs, every command works, every name that is pointed at is there.

A block of YAML is told apart by its first line: `# NAME.yaml` is a rule file (it has `game:`) or a situation
(it has `rules:`), kept under that name for all blocks; `# NAME.yaml, wrong CODE` must give exactly that code;
`# rules/NAME.yaml` is an excerpt of a shipped file. In a block of `console`, a line `$ umpire …` is run, and
what follows must be in its output, in this order (`…` stands for what is left out). In a block of `sh`, lines
that begin with `umpire` must succeed. A block of `pycon` must answer as shown.
"""

from __future__ import annotations

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.document import Mapping
from interpreter.language import Refusal, parse
from interpreter.source import CATALOGUE, Problems, render
from interpreter.workbench import (
    Case,
    Example,
    examples_of,
    odds,
    open_rules,
    prepare,
    read_text,
    read_tree,
    resolve,
    run,
    walk,
)
from interpreter.workbench.files import check_file

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CHANGELOG")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLI = ROOT / "interpreter" / "surfaces" / "cli"


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


BLOCKS = [block for page in PAGES for block in blocks(page)]
YAML = [b for b in BLOCKS if b.language == "yaml" and not b.head.startswith(".")]  # those are other programs'
COMMANDS = [b for b in BLOCKS if b.language in ("console", "sh")]


def shown(problems: Problems) -> str:
    return render(problems)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files that the pages name, in one folder."""
    made = tmp_path_factory.mktemp("docs")
    for block in YAML:
        named = re.fullmatch(r"([\w-]+\.yaml)(, wrong \w+)?", block.head)
        if named is not None:
            file = made / named[1]
            assert not file.exists(), f"{block}: two blocks are called {named[1]}"
            file.write_text(block.text, "utf-8")
    return made


# ---- YAML
@pytest.mark.parametrize("block", YAML, ids=str)
def test_every_block_of_yaml_holds(block: Block, folder: Path) -> None:
    problems = Problems()
    name, _, code = block.head.partition(", wrong ")
    if code:
        check_file(str(folder / name), problems)
        assert [p.code for p in problems] == [code], shown(problems)
    elif name.startswith("rules/"):
        whole = excerpt((ROOT / name).read_text("utf-8"))
        for part in re.split(r"^ *# …\n", block.text, flags=re.MULTILINE):
            assert excerpt(part) in whole, f"{block}: not in {name}:\n{part}"
    elif re.search(r"^game:", block.text, re.MULTILINE):
        rules = open_rules(folder / block.head, problems)
        assert rules is not None, shown(problems)
        assert not len(problems), shown(problems)
        for example in examples_of(rules, problems):
            failed = run(rules, example).problems
            assert not len(failed), f"{example.name}\n{shown(failed)}"
        assert not len(problems), shown(problems)
    else:
        situation(folder / block.head, folder)


def excerpt(text: str) -> str:
    """Lines without the remark that names the file, and without remarks at their ends."""
    lines = [re.sub(r"(^|\s+)#.*", "", line).rstrip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line)


def situation(file: Path, folder: Path) -> None:
    problems = Problems()
    root = read_tree(file, problems)
    assert isinstance(root, Mapping), shown(problems)
    named = root.entry("rules")
    assert named is not None, f"{file.name} is neither a rule file nor a situation"
    name = named.value.text  # type: ignore[union-attr]
    rules = open_rules(name, problems, folder)
    assert rules is not None, shown(problems)
    assert not len(problems), shown(problems)
    expects = any(root.entry(key) for key in ("then", "odds", "trace", "error"))
    result = run(rules, Example(file.stem, root, (), root.entries[0].key))
    found = [p for p in result.problems if expects or p.code != "X005"]
    assert not found, shown(result.problems)


def test_the_pages_show_examples() -> None:
    assert len(YAML) > 8
    assert {b.page.name for b in YAML} >= {"README.md", "language.md"}


# ---- commands
def umpire(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "100"}
    program = [sys.executable, "-c", "from interpreter.surfaces.cli import main; main()"]
    return subprocess.run(
        [*program, *shlex.split(command, comments=True)[1:]],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, encoding="utf-8",
    )  # fmt: skip


@pytest.mark.skipif(not CLI.exists(), reason="there is no command line yet")
@pytest.mark.parametrize("block", COMMANDS, ids=str)
def test_every_command_works(block: Block, folder: Path) -> None:
    for command, expected in sessions(block):
        done = umpire(command, folder)
        status = re.search(r"# exit (\d)$", command)
        assert done.returncode == int(status[1] if status else 0), f"{command}\n{done.stdout}{done.stderr}"
        rest = [plain(line) for line in (done.stdout + done.stderr).splitlines()]
        for line in expected:
            for part in filter(None, (plain(p) for p in line.split("…"))):
                at = next((i for i, have in enumerate(rest) if part in have), None)
                assert at is not None, f"{command} does not say\n  {part}\nbut\n{done.stdout}{done.stderr}"
                rest = rest[at:]


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "pycon"], ids=str)
def test_python_answers_as_shown(block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
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


def plain(line: str) -> str:
    """Without what may change: blanks, and the numbers of rows of files."""
    return re.sub(r"\s+", " ", re.sub(r"\.yaml:\d+", ".yaml", line)).strip()


# ---- what the pages point at
POINTED = re.compile(
    r"`((?:interpreter|tests|grammar|rules|docs|examples|benchmarks)/[\w./-]*|[\w-]+\.md|Makefile|pyproject\.toml)(?:::([\w.]+))?`"
)
LINKS = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_files_and_functions_pointed_at_are_there(page: Path) -> None:
    lost = []
    for found in POINTED.finditer(page.read_text("utf-8")):
        name, inside = found[1], found[2]
        path = ROOT / name
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
    assert "../" not in page.read_text("utf-8")
    assert "shared/" not in page.read_text("utf-8")


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
