"""The recipes of the manual: each file of `examples/wishes` stands on one page, whole, and is found from the first page.

That the files hold what their examples say is the business of test_witness.py; that links lead somewhere, of test_docs.py.
"""

import re
from pathlib import Path

import pytest
from test_docs import PAGE_BLOCKS, ROOT, excerpt

WISHES = sorted((ROOT / "examples" / "wishes").glob("*.yaml"))
PAGES = [page for page in PAGE_BLOCKS if page.parent == ROOT / "docs" / "recipes"]
SHOWN = [block for page in PAGES for block in PAGE_BLOCKS[page] if block.head.startswith("examples/wishes/")]


@pytest.mark.parametrize("path", WISHES, ids=lambda path: path.stem)
def test_a_recipe_is_shown_once_and_whole(path: Path) -> None:
    (block,) = [block for block in SHOWN if block.head == f"examples/wishes/{path.name}"]
    assert excerpt(block.text) == excerpt(path.read_text("utf-8"))
    assert re.search(r"^  example ", block.text, re.MULTILINE)


def test_there_is_nothing_else() -> None:
    assert len(SHOWN) == len(WISHES) == 30


def test_every_recipe_is_named_on_the_first_page() -> None:
    first = (ROOT / "docs" / "recipes" / "index.md").read_text("utf-8")
    named = re.findall(r"\[([^]]+)\]\([\w-]+\.md#", first.split("\n## ")[0])
    pages = (page for page in PAGES if page.name != "index.md")
    headings = [head for page in pages for head in re.findall(r"^## (.*)$", page.read_text("utf-8"), re.MULTILINE)]
    assert sorted(named) == sorted(headings)
    assert len(headings) == len(WISHES)
