"""The manual is built without a warning, and what is generated in it is all there and says what the program says."""

from __future__ import annotations

import html
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from interpreter.source import CATALOGUE

ROOT = Path(__file__).parent.parent
GENERATE = ROOT / "docs" / "generate"
# Codes that no check or example of their own text draws: `umpire test --mutate` does.
ELSEWHERE = {"X010"}


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"manual_{name}", GENERATE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses ask for it
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual, built strictly."""
    made = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(made)],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def test_every_code_has_a_page_that_says_what_umpire_says(site: Path) -> None:
    index = (site / "codes" / "index.html").read_text("utf-8")
    for code, entry in CATALOGUE.items():
        assert f'href="{code}.html"' in index, code
        page = text_of(site / "codes" / f"{code}.html")
        assert bare(entry.meaning).split(".")[0] in page, code
        if entry.bad and code not in ELSEWHERE:
            assert re.search(rf"Umpire says:\s*{entry.severity} {code}: ", page), code
            assert bare(entry.bad.strip().splitlines()[-1]) in page, code


def test_every_family_says_what_it_is_about() -> None:
    codes = loaded("codes")
    for letter in codes.FAMILIES:
        assert len(codes.about(letter)) > 5, letter


def test_a_code_on_a_page_leads_to_its_page(site: Path) -> None:
    assert 'href="codes/D001.html"' in (site / "language.html").read_text("utf-8")


def test_every_page_is_in_the_manual(site: Path) -> None:
    contents = (ROOT / "mkdocs.yml").read_text("utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / f"{page.stem}.html").is_file(), page.name
        assert f": {page.name}\n" in contents, f"mkdocs.yml does not list {page.name}"


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in (site / "index.html", site / "language.html"):
        assert not re.findall(
            r'<(?:script|link|img)[^>]+(?:src|href)="https?://[^"]+\.(?:js|css|woff2?)', page.read_text()
        )


def text_of(page: Path) -> str:
    """What a reader sees of a page, blanks in a row as one."""
    return bare(html.unescape(re.sub(r"<[^>]+>", "", page.read_text("utf-8"))))


def bare(text: str) -> str:
    return re.sub(r" *\s+", " ", text.replace("`", "").replace("\t", "⇥")).strip()


# ---- the reference
def test_the_reference_is_what_the_program_reads_by() -> None:
    reference = loaded("reference")
    assert reference.PAGE.read_text("utf-8") == reference.page(), "run: python docs/generate/reference.py"


def test_the_reference_shows_every_rule_of_the_grammar() -> None:
    reference = loaded("reference")
    lark = reference.LARK.read_text("utf-8")
    rules = set(re.findall(r"^[?!]*([a-z_0-9]+):", lark, re.MULTILINE)) - {"cite"}
    grammar = reference.read(lark)
    assert set(grammar.rules) - {"cite"} == rules
    forms = sum(len(rule.forms) for name, rule in grammar.rules.items() if name != "cite")
    page = reference.page()
    shown = page[page.index("## Every sentence") :]
    assert len(re.findall(r"^- `", shown, re.MULTILINE)) == forms
    for name in set(re.findall(r"\b[A-Z_]{3,}\b", " ".join(re.findall(r"^- `([^`]+)`", shown, re.MULTILINE)))):
        assert re.search(rf"^\| `{name}` \| \S", shown, re.MULTILINE), f"nothing says what {name} stands for"


def test_the_reference_would_show_a_new_word() -> None:
    reference = loaded("reference")
    grammar = reference.read(
        reference.LARK.read_text("utf-8") + '\nboast: "boasts" NAME ["," "loudly"] [cite]   -> boast_\n'
    )
    (form,) = grammar.rules["boast"].forms
    assert reference.Writer(grammar).form(form) == "boasts NAME [, loudly]"


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda p: p.name)
def test_lists_are_lists_in_the_manual_too(page: Path) -> None:
    """GitHub sees a list without an empty line before it; mkdocs makes one paragraph of it."""
    outside = re.sub(r"^```.*?^```$", "\n", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for before, line in zip(outside.splitlines(), outside.splitlines()[1:], strict=False):
        begins = re.match(r"(- |\d+\. |\|)", line)
        assert not begins or not before or re.match(r"(- |\d+\. |\||  |#)", before), f"an empty line before: {line}"
