"""What mkdocs calls while it builds the manual: pages that are generated, and links from codes to their pages.

Enters: mkdocs' events. Leaves: files and Markdown. Must not know what a code means.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE)]

import codes  # noqa: E402 - found beside this file, where mkdocs does not look
from mkdocs.structure.files import File, Files  # noqa: E402

# A code in backticks, not inside a fenced block and not already a link.
CODE = re.compile(r"(?<![\[`])`([A-Z]\d{3})`(?!`|\])")
FENCES = re.compile(r"^(```+)[^\n]*\n.*?^\1[ ]*$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    for path, text in codes.pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    return linked(markdown, page.file.src_uri)


def linked(markdown: str, page: str) -> str:
    """The Markdown of `page` with each `N001` a link to the page of that code."""
    parts, end = [], 0
    for fence in FENCES.finditer(markdown):
        parts += [_linked(markdown[end : fence.start()], page), fence[0]]
        end = fence.end()
    return "".join([*parts, _linked(markdown[end:], page)])


def _linked(text: str, page: str) -> str:
    def link(found: re.Match[str]) -> str:
        code = found[1]
        path = posixpath.relpath(f"codes/{code}.md", posixpath.dirname(page) or ".")
        return f"[`{code}`]({path})" if code in codes.CATALOGUE else found[0]

    return CODE.sub(link, text)
