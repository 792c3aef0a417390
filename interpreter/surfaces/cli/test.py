"""`umpire test`: the examples of rule sets.

Enters: names of rule sets, files of examples, situations. Leaves: what failed, with its place; how many
passed.
"""

from __future__ import annotations

import click

from interpreter.places import shipped
from interpreter.source import Problems
from interpreter.surfaces.as_json import tests, text
from interpreter.workbench.files import test_file
from interpreter.workbench.stacks import stacks_of

from .examples import Command
from .mutate import Wanted, mutate
from .terminal import COULD_NOT, FINDINGS, ending, nearby, paint, refuse, rendered, say


@click.command(cls=Command)
@click.argument("rules", nargs=-1)
@click.option("-v", "--verbose", is_flag=True, help="Name every example; with --mutate, every slip that is allowed.")
@click.option("--json", "as_json", is_flag=True, help="Plain data on standard output.")
@click.option("--mutate", "mutating", is_flag=True, help="Try every slip in the rules: which does no example notice?")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, help="With --mutate: how many at once.")
@click.option("--at", multiple=True, help="With --mutate: only this line of the file, or this definition.")
@click.option(
    "--quick", is_flag=True, help="With --mutate: ask few examples of each slip, and tell what they let pass."
)
@click.option("--sample", type=click.IntRange(1), help="With --mutate: only so many, drawn by --seed.")
@click.option("--seed", type=int, default=1, show_default=True, help="With --sample.")
def test(
    rules: tuple[str, ...],
    verbose: bool,
    as_json: bool,
    mutating: bool,
    jobs: int,
    at: tuple[str, ...],
    quick: bool,
    sample: int | None,
    seed: int,
) -> None:
    """Run examples: of rule sets by name or path, of a file of examples, or a situation with expectations.

    Without RULES, every rule set that comes along and has examples. Each example is played with its dice,
    and its odds are worked out and compared as fractions.

    With --mutate, every number, comparison, sign and name of the rules is changed by one step, and what no
    example notices is told.
    """
    if mutating:
        mutate(rules, Wanted(jobs, sample, seed, at, as_json, verbose, quick))
        return
    sets = []
    broken = False
    for name in [stack for file in rules or shipped() for stack in stacks_of(file)]:
        problems = Problems()
        found = test_file(name, problems)
        if found is None or problems.has_errors:
            if as_json:
                refuse(problems, True)
            say(rendered(problems))
            if ending(problems) == COULD_NOT:
                raise click.exceptions.Exit(COULD_NOT)
            broken = True
        elif found[1] or rules:
            sets.append((name, found[1]))
            if not as_json:
                _show(name, found[1], verbose)
    if as_json:
        say(text(tests(sets)))
    if broken or any(not r.passed for _, results in sets for r in results):
        raise click.exceptions.Exit(FINDINGS)


def _show(name: str, results: list, verbose: bool) -> None:  # type: ignore[type-arg]
    failed = [r for r in results if not r.passed]
    if verbose:
        for r in results:
            at = r.example.key.span
            mark = paint("failed", "poor") if not r.passed else paint("passed", "good")
            say(f"  {mark}  {r.example.name}  {paint(f'{nearby(at.source.name)}:{at.place[0]}', 'dim')}")
    for r in failed:
        say(paint(f"{r.example.name} failed", "poor"))
        say(rendered(r.problems))
    passed = len(results) - len(failed)
    word = "example" if len(results) == 1 else "examples"
    tail = paint(f"{passed} passed", "good") + (", " + paint(f"{len(failed)} failed", "poor") if failed else "")
    say(f"{nearby(name)}: {len(results)} {word}, {tail}")
