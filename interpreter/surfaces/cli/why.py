"""`umpire why`: where a value comes from, and who changed it last.

Enters: a path of a rule set, such as `weapons.lmg.shots`. Leaves: every line of every file that had a say in it.
"""

from __future__ import annotations

import click

from interpreter.places import shipped
from interpreter.source import Problems
from interpreter.surfaces.as_json import origins as plain
from interpreter.surfaces.as_json import text as json_text
from interpreter.workbench.rules import open_rules
from interpreter.workbench.why import Why
from interpreter.workbench.why import why as origins

from .examples import Command
from .terminal import nearby, paint, refuse, say


@click.command(cls=Command)
@click.argument("path")
@click.argument("rules", required=False)
@click.option("--json", "as_json", is_flag=True, help="Plain data on standard output.")
def why(path: str, rules: str | None, as_json: bool) -> None:
    """Every line that had a say in a value, a line or a whole definition, in the order they came to be.

    Without RULES, in each rule set that comes along and has it.
    """
    problems = Problems()
    told: list[tuple[str, Why]] = []
    for name in [rules] if rules else shipped():
        missed = Problems()
        opened = open_rules(name, missed if rules is None else problems)
        found = origins(opened, path, missed) if opened is not None else None
        if opened is not None and found is not None:
            told.append((opened.name, found))
        elif opened is not None and (not len(problems) or path.split(".")[0] not in str(next(iter(missed)).message)):
            problems = missed  # the one that knows most of the path
    if not told:
        refuse(problems, as_json)
    if as_json:
        say(json_text(plain(told)))
    else:
        for name, found in told:
            _show(name, found)
    if rules and problems.has_errors:  # it is as said all the same
        refuse(problems, False)


def _show(name: str, found: Why) -> None:
    now = f" is {paint(found.now, 'bold')}" if found.now is not None else ""
    say(f"{paint(found.path, 'cool')}{now} in {name}")
    rows = [(o.what, f"{nearby(o.file)}:{o.row}", o.text) for o in found.origins]
    first, second = (max((len(r[i]) for r in rows), default=0) for i in (0, 1))
    for what, place, text in rows:
        say(f"  {what:<{first}}  {paint(f'{place:<{second}}', 'dim')}  {text}")
    for clause, says in found.clauses.items():
        say(paint(f"  {clause}: {says}", "dim"))
