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

ROOT = Path(__file__).parent.parent.parent
BASE = """\
game: Base
Conventions:
  dice plain: d6 at or over
  kind side:
  kind unit of side:
    strength: number first 4
    armour: one of armours first light
Armour:
  table armours (save):
    light: 5
    heavy: 3
Firing:
  roll shooting of unit:
    basic: needs 4
  roll save of unit: needs unit.armour.save
  to shoot (unit) at (target unit):
    hits: unit.strength passing unit.shooting
    dead: hits failing target.save
    fall: target loses dead strength
"""
HOUSE = """\
game: House
extends: base
change:
  armours.heavy.save: 2, was 3
House rules:
  add to shooting:
    close: roll +1 if unit.armour is light
  example four-at-four:
    unit A: strength 4
    unit B: strength 4, armour heavy
    do: A shoots at B
    odds: 8/3 mean hits
"""


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
