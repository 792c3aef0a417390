"""What the commands on the pages print now, put in the place of what they printed once.

`python docs/generate/answers.py docs/odds.md …`: each session that no longer shows what its command prints is written
anew, whole; sessions that hold are left as they are. Read the difference before you keep it: a page explains what it
shows. Enters: pages. Leaves: the same pages. What a session is, and when it holds, only tests/test_docs.py knows.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import test_docs as pages  # noqa: E402


def renew(page: Path) -> list[str]:
    """Write the page's sessions anew where they have to be; the commands that this concerned."""
    text, changed = page.read_text("utf-8"), []
    for block in pages.PAGE_BLOCKS[page]:
        if block.language != "console":
            continue
        lines: list[str] = []
        before = len(changed)
        with tempfile.TemporaryDirectory() as folder:
            pages.lay_out(block, Path(folder))
            for command, expected in pages.sessions(block):
                done = pages.umpire(command, Path(folder))
                if not pages.holds(command, expected, done):
                    changed.append(command)
                    status = f" # exit {done.exit_code}" if done.exit_code else ""
                    command = re.sub(r" # exit \d$", "", command) + status
                    printed = done.output.replace(f"{ROOT}/", "…/").strip("\n")
                    expected = [line.rstrip() for line in printed.splitlines()]
                lines += [f"$ {command}", *expected]
        if len(changed) > before:
            text = text.replace(f"```console\n{block.text}```", "```console\n" + "\n".join(lines) + "\n```", 1)
    page.write_text(text, encoding="utf-8")
    return changed


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for said in renew(Path(name).resolve()):
            print(f"{name}: {said}")
