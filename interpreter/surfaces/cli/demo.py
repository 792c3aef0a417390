"""`umpire demo`: what Umpire does, in a few seconds, on rules that come along.

Enters: the situations in examples/. Leaves: checked rule files, a mistake found, a volley with every die,
exact odds, four things to try.
"""

from __future__ import annotations

from pathlib import Path

import click

from .terminal import COULD_NOT, nearby, paint, rendered, say

DICE, PLAIN, MISTAKE = "modern-volley.yaml", "vbcw-volley.yaml", "mistake.yaml"


@click.command(short_help="A few seconds of everything.")
def demo() -> None:
    """A few seconds of everything: rules checked, a mistake found, a volley die by die, exact odds."""
    from interpreter.source import Problems
    from interpreter.workbench.files import check_file

    folder = _examples()
    _title("Rule files, checked: the printed page as YAML")
    for name in ("modern", "vbcw"):
        problems = Problems()
        what = check_file(name, problems)
        say(rendered(problems) if len(problems) else f"{paint('clean', 'good')}  {name}  {paint(what, 'dim')}")
    say()
    _title("A house rule with a slip of the pen")
    problems = Problems()
    check_file(str(folder / MISTAKE), problems)
    say(rendered(problems))
    _title("A volley with dice from the table: every die, what it needed and why")
    _volley(folder / DICE)
    say()
    for name in (DICE, PLAIN):
        _odds(folder / name)
    _title("Four things to try")
    shot = nearby(str(folder / DICE))
    for line, what in (
        (f"umpire resolve {shot} --ask-dice", "the same with your own dice"),
        (f"umpire odds {shot} --given 'hits >= 2' --fraction", "what follows once two have hit"),
        (
            "umpire odds vbcw shoot 'A: 8 figures, rifle' 'B: 10 figures' 'distance 15' 'cover(B) soft'",
            "a situation of your own",
        ),
        ("umpire show modern", "the printed page; then copy it and change it"),
    ):
        say(f"  {line}\n      {paint(what, 'dim')}")


def _examples() -> Path:
    from interpreter import places

    folder: Path = getattr(places, "EXAMPLES", places.RULES.parent / "examples")
    if not (folder / DICE).is_file():
        click.echo(f"umpire: the situations of the demonstration are not here: {folder}", err=True)
        raise click.exceptions.Exit(COULD_NOT)
    return folder


def _title(said: str) -> None:
    say(paint(said, "bold"))
    say()


def _volley(path: Path) -> None:
    from .playing import play, shown_dice
    from .situations import load

    say(f"{paint('$ umpire resolve ' + nearby(str(path)), 'dim')}")
    scene = load((str(path),))
    play(scene, shown_dice(scene))


def _odds(path: Path) -> None:
    from .pricing import exact_odds
    from .situations import load

    say(f"{paint('$ umpire odds ' + nearby(str(path)), 'dim')}")
    exact_odds(load((str(path),)))
    say()
