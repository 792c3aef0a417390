"""`umpire new`: creates a starting file.

Takes a name, and answers from options or prompts. Writes a file that checks clean and has an example that passes, and
prints the next steps; gives an exit code.
"""

from __future__ import annotations

from argparse import BooleanOptionalAction
from pathlib import Path
from typing import Any

from interpreter.source import Problems
from interpreter.workbench.first_register import first_register
from interpreter.workbench.house_rules import EDITS
from interpreter.workbench.house_rules import house_rule as sketched
from interpreter.workbench.likeness import draft_like
from interpreter.workbench.questionnaire import Question, questions
from interpreter.workbench.questionnaire import ruleset as drafted
from interpreter.workbench.rule_sets import register_file
from interpreter.workbench.starting import advice_on, out_of_reach, write_new_file

from .commands import F, Group, argument, command, flag, option, several
from .scenes import opened
from .terminal import cannot, nearby, paint, prompted, refuse, say

_OUT = option("-o", "--out", metavar="FILE", help="Where to write it. [default: NAME.yaml]")
_FORCE = flag("--force", help="Write over a file that is there.")


@command("umpire new house-rule")
@argument("name")
@option("--on", dest="base", metavar="RULES", help="A rule set, or a stack; without it, you are asked.")
@several(
    "--with",
    dest="edits",
    choices=[*EDITS, "all"],
    metavar="EDIT",
    help=f"What is switched on: {', '.join(EDITS)}, or all; may be repeated. The rest are remarks. [default: number]",
)
@_OUT
@_FORCE
def house_rule(name: str, base: str | None, edits: tuple[str, ...], out: str | None, force: bool) -> None:
    """House rules, laid over a set: a number, a row, a modifier, a step between, another reading."""
    path = _path(name, out, force)
    base = base or prompted("Which rules are they laid over: ")
    rules = opened(base)
    if (lost := out_of_reach(base, path)) is not None:
        cannot(f"house rules find a rule set of yours only beside them; write them there: -o {lost.parent / path.name}")
    wanted = EDITS if "all" in edits else edits or ("number",)
    sketch = sketched(rules, name, wanted, nearby(str(path)))
    _written(path, sketch.text, force, f"house rules over {rules.title}")
    if gone := [sort for sort in wanted if sort in sketch.without]:
        say(paint(f"{rules.title} has no place for a {', a '.join(gone)} that could be shown.", "dim"))
    third = next((f"why {e.path}" for e in sketch.edits if e.path and e.sort in wanted), "show")
    _next(path, (third, "where that comes from"))


def _answer_options(made: F) -> F:
    """Decorator: adds an option for each question about a new rule set."""
    for question in reversed(questions()):
        name = f"--{question.name}"
        if question.yes_or_no:
            made = option(name, action=BooleanOptionalAction, help=question.asks)(made)
        else:
            made = option(name, choices=[a.name for a in question.answers], help=question.asks)(made)
    return made


@command("umpire new ruleset")
@argument("name")
@_answer_options
@option(
    "--like", dest="model", metavar="RULES", help="Begin as this set is, and change its numbers; nothing is asked."
)
@flag("--yes", help="Ask nothing: the first answer, where none is given.")
@_OUT
@_FORCE
def ruleset(name: str, model: str | None, yes: bool, out: str | None, force: bool, **answers: Any) -> None:
    """A rule set of your own: what a rule set must answer is asked, or said by options."""
    path = _path(name, out, force)
    given = {key: {True: "yes", False: "no"}.get(said, said) for key, said in answers.items() if said is not None}
    if model is not None:
        if given:
            cannot(f"`--like {model}` has answered all questions; leave `--{next(iter(given))}` out, or `--like`")
        rules = opened(model)
        if (lost := out_of_reach(model, path)) is not None:
            cannot(f"a rule set finds one of yours only beside it; write it there: -o {lost.parent / path.name}")
        made = draft_like(rules, name, nearby(str(path)))
        what = f"a rule set that begins as {rules.title} is"
    else:
        for question in questions():
            if question.name not in given:
                given[question.name] = question.first if yes else _asked(question)
        made = drafted(name, given, nearby(str(path)))
        what = "a rule set: " + ", ".join(f"{key} {said}" for key, said in given.items())
    if len(made.problems):
        refuse(made.problems)
    _written(path, made.text, force, what)
    _next(path, ("show", "the page, table by table"))


@command("umpire new clauses")
@argument("rules")
@_OUT
@_FORCE
def clauses(rules: str, out: str | None, force: bool) -> None:
    """A register of the printed page's clauses, to begin with: each that the file cites, under its heading."""
    found = opened(rules)
    sheet = found.sheets[-1]
    if not sheet.head.prefix:
        cannot(f"{sheet.name} cites nothing; say in its head how its clauses are called, such as `clauses: ABC`")
    text, many = first_register(found)
    if not many:
        cannot(f"no line of {sheet.name} cites a clause yet; `[12]` at the end of a line does")
    path = Path(out) if out else Path(nearby(register_file(sheet)))
    if path.exists() and not force:
        cannot(f"there is a file {path} already, and it stays as it is; `--force` writes over it")
    path.parent.mkdir(parents=True, exist_ok=True)
    _written(path, text, force, f"{many} clauses of {sheet.name}; say each in your own words")
    say()
    say(f"  {f'umpire coverage {rules}':<44}  {paint('what becomes of each?', 'dim')}")


def _asked(question: Question) -> str:
    say()
    say(question.asks)
    for answer in question.answers:
        say(f"  {answer.name:<10} {paint(answer.says, 'dim')}")
    names = [answer.name for answer in question.answers]
    while True:
        try:
            said = prompted(f"{question.name} [{question.first}]: ").strip() or question.first
        except (EOFError, KeyboardInterrupt):
            cannot(f"nobody has said `{question.name}`, and nothing is written; `--yes` takes the usual answers")
        if said in names:
            return said
        say(f"  one of {', '.join(names)}, please")


def _path(name: str, out: str | None, force: bool) -> Path:
    path = Path(out) if out else Path(f"{name}.yaml")
    for each in dict.fromkeys((name, path.stem)):
        if (advice := advice_on(each)) is not None:
            cannot(advice)
    if path.is_dir():
        cannot(f"{out} is a folder; -o wants a file: -o {path / name}.yaml")
    if path.suffix != ".yaml":
        cannot(f"a rule file ends in .yaml: -o {path.with_suffix('.yaml')}")
    if path.exists() and not force:
        cannot(f"there is a file {path} already, and it stays as it is; `--force` writes over it")
    return path


def _written(path: Path, text: str, force: bool, what: str) -> None:
    problems = Problems()
    if not write_new_file(path, text, problems, force=force):
        refuse(problems)
    say(f"{paint('written', 'good')}  {path}  {paint(what, 'dim')}")


def _next(path: Path, third: tuple[str, str]) -> None:
    say()
    command, what = third
    for line, why in (("check", "is every word understood?"), ("test", "do the examples hold?"), (command, what)):
        said = f"umpire {line} {path}"
        say(f"  {said:<44}  {paint(why, 'dim')}")


new = Group(
    "umpire new",
    "A file to begin with: it checks clean, and has an example that runs.",
    {
        "house-rule": "House rules over a set, with the edits that people make most.",
        "ruleset": "A rule set of your own, from a few questions.",
        "clauses": "The register of the clauses that your rule file cites.",
    },
    lambda name: {"house-rule": house_rule, "ruleset": ruleset, "clauses": clauses}[name],
)
