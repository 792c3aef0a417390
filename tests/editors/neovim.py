"""The language server in a real Neovim: a mistake is underlined as it is typed, its fix mends it, a rename goes through.

Run by `make neovim`; not a part of `make test`, for Neovim is not everywhere. Needs Neovim 0.7 or newer, whose own client
of the language server is driven by neovim.lua. Ends with 1 where something is not as it should be. How long it takes until
a mistake is underlined is told, and decides nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from club import BASE, HOUSE  # beside this file

ROOT = Path(__file__).parent.parent.parent


def main(nvim: str, umpire: str) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for file, text in (("base", BASE), ("house", HOUSE)):
            (folder / f"{file}.yaml").write_text(text, "utf-8")
        env = {**os.environ, "UMPIRE_FOLDER": str(folder), "UMPIRE_COMMAND": str(Path(umpire).absolute())}
        script = ROOT / "tests" / "editors" / "neovim.lua"
        command = [nvim, "--headless", "--clean", "-n", "-c", f"luafile {script}"]
        done = subprocess.run(command, cwd=folder, env=env, timeout=300, check=False, stderr=subprocess.DEVNULL)
        texts = {path.stem: path.read_text("utf-8") for path in folder.glob("*.yaml")}
        wanted = {"base": BASE.replace("heavy", "plate"), "house": HOUSE.replace("heavy", "plate")}
        for file, text in wanted.items():
            right = texts[file] == text
            print(f"{'yes' if right else 'NO '}  {file}.yaml says what it should", "" if right else f"\n{texts[file]}")
        checked = subprocess.run([env["UMPIRE_COMMAND"], "check", str(folder)], check=False)
        return 1 if done.returncode or texts != wanted or checked.returncode else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
