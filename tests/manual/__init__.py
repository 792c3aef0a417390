"""The manual is the specification: what each paragraph of the guide promises, and what proves it.

Enters: the guide's pages, `promises.yaml` and the rule files of `probes`. Leaves: their parts, their files, and promises. A part
is a paragraph, a bullet or a row of a table. Each promise quotes how its sentence begins (`says`) and names

- `by:` examples that prove it, `FILE EXAMPLE` of `probes` or of the page itself, or a test, `tests/test_x.py`;
- `wrong:` files of which `check` must say exactly this code: `{CODE: text}`, or `{CODE: [text, text]}`; a text without
  a head extends the page's `skirmish`;
- `nothing:` why the sentence promises nothing that could be tried.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("language", "steps", "rounds", "moments")]
PROBES = HERE / "probes"
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```yaml\n(# ([\w-]+\.yaml)(, further down)?(, wrong \w+)?\n.*?)^```$", re.MULTILINE | re.DOTALL)


def parts(text: str) -> list[str]:
    """The paragraphs, bullets and rows of a page, each on one line; headings and what is fenced are none."""
    found: list[list[str]] = [[]]
    for line in FENCE.sub("\n", text).splitlines():
        if not line.strip() or line.startswith("#"):
            found.append([])
        elif line.startswith(("|", "- ")):
            found.append([line])
        else:
            found[-1].append(line)
    told = [flat(" ".join(lines)) for lines in found if lines]
    return [part for part in told if not re.match(r"\|[-|]+$|\| (title|key|line|sentence|function) \|", part)]


def flat(text: str) -> str:
    return " ".join(text.split())


def promises() -> list[dict[str, Any]]:
    found = yaml.safe_load((HERE / "promises.yaml").read_text("utf-8"))
    assert isinstance(found, list)
    return found


def lay_out(folder: Path) -> None:
    """The rule files of the page, as they are when it ends, and the probes beside them."""
    right: dict[str, str] = {}
    for page in PAGES:
        for found in FILE.finditer(page.read_text("utf-8")):
            if found[4] is None:
                right[found[2]] = (right[found[2]] if found[3] else "") + found[1]
    for name, text in right.items():
        (folder / name).write_text(text, "utf-8")
    for path in PROBES.glob("*.yaml"):
        assert path.name not in right
        (folder / path.name).write_text(path.read_text("utf-8"), "utf-8")
