"""Opens the input of a command: a rule set by name; a situation from a file or from short arguments, with overrides.

Takes the arguments and options of a command. Gives a checked rule set and the tree of a situation; or exits the
command, reporting every problem.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, NoReturn, TypeVar

from interpreter.source import Problem, Problems, nearest
from interpreter.source.values import Record
from interpreter.surfaces.as_json import Json
from interpreter.workbench.arguments import compose, procedure_named
from interpreter.workbench.file_kinds import action_line, is_rule_file, is_situation_file
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.texts import settings, with_entries, with_settings

from .commands import argument, several
from .options import json_option
from .terminal import echo, lacking, needed, refuse, rendered

T = TypeVar("T")
Texts = tuple[str, ...]


def opened(name: str, as_json: bool = False) -> RuleSet:
    """Read and check a rule set; exit the command if it has errors."""
    problems = Problems()
    return needed(open_rules(name, problems), problems, as_json)


class Scene(Record):
    """A situation to run. `said` is its procedure call in the words of the rules; `from_file` tells whether a file
    described it; `as_json` whether the answer is output as JSON.
    """

    rules: RuleSet
    root: Any
    said: str
    from_file: bool
    problems: Problems
    asks: Texts = ()
    as_json: bool = False

    @property
    def plain(self) -> Json:
        """The first entries of the JSON of every answer."""
        return {"rules": self.rules.name, "do": self.said}

    def remark(self) -> None:
        """Report warnings on standard error after the answer; with JSON they are part of the data."""
        if self.problems and not self.as_json:
            echo(f"\n{rendered(self.problems, sys.stderr)}", err=True)

    def refuse(self, problems: Iterable[Problem] | None = None) -> NoReturn:
        """Exit the command with the given problems, by default those of the situation."""
        refuse(self.problems if problems is None else problems, self.as_json, typed=not self.from_file)

    def needed(self, found: T | None, problems: Problems | None = None) -> T:
        """Return `found`; exit the command if it is None or there are errors."""
        if found is None or self.problems.has_errors:
            self.refuse(problems)
        return found

    def lacks(self, wanted: str, hint: str) -> NoReturn:
        """Exit the command because its arguments lack something."""
        lacking(wanted, hint, self.as_json, self.problems)


_SITUATION: tuple[Callable[[Any], Any], ...] = (
    argument("words", nargs="*", default=(), metavar="RULES PROCEDURE [THINGS]... | RULES EXAMPLE | SITUATION.yaml"),
    several("--ask", dest="asks", metavar="EXPR", help="What to work out; may be repeated."),
    several(
        "--choose",
        metavar="LINE=WAY",
        help="How a choice is made: shoot.down=most; or a policy of the rules: careful, A=careful.",
    ),
    several("--ruling", dest="rulings", metavar="NAME=VALUE", help="Another reading of the rules."),
    several("--over", metavar="FILE", help="A supplement to lay over the rules; may be repeated."),
    json_option,
)


def of_a_situation(run: Callable[..., int | None]) -> Callable[..., int | None]:
    """Decorator that adds the arguments and options of a situation; the command receives the loaded `Scene` and its own
    options.
    """

    @wraps(run)
    def loading(
        words: Texts, asks: Texts, choose: Texts, rulings: Texts, over: Texts, as_json: bool, **own: Any
    ) -> int | None:
        return run(load(words, asks, choose, rulings, over, as_json), **own)

    made: Callable[..., int | None] = loading
    for declared in reversed(_SITUATION):
        made = declared(made)
    return made


def load(
    words: Texts,
    asks: Texts = (),
    choose: Texts = (),
    rulings: Texts = (),
    over: Texts = (),
    as_json: bool = False,
) -> Scene:
    """The scene described by the arguments; `over` are supplements to lay over the rules. Exits the command with
    problems.
    """
    problems = Problems()
    if not words:
        lacking("a situation: a file, or a rule set and a procedure", "umpire demo shows some", as_json)
    scene = needed((_file if _is_file(words) else _short)(words, over, problems), problems, as_json)
    scene.asks, scene.as_json = asks, as_json
    scene.root = _changed(scene.root, choose, rulings, problems)
    return needed(scene, problems, as_json)


def _is_file(words: Texts) -> bool:
    """Whether the first argument is the path of a situation or a file of examples, not a rule set."""
    plain = words[0].endswith((".yaml", ".yml")) or (os.path.exists(words[0]) and os.sep in words[0])
    return is_situation_file(words[0]) or (len(words) == 1 and plain and not is_rule_file(words[0]))


def _file(words: Texts, over: Texts, problems: Problems) -> Scene | None:
    from interpreter.workbench.files import open_situation  # lazily: imports all checks and engines

    example = words[1] if len(words) > 1 else None
    opened = open_situation(words[0], problems, example=example, over=over, to_run=True)
    if opened is None:
        return None
    if len(words) > 2:
        problems.add("F016", None, wanted="one situation; a file is one already", hint=f"leave out `{words[2]}`")
    rules, root = opened
    return Scene(rules, root, action_line(root), True, problems)


def _short(words: Texts, over: Texts, problems: Problems) -> Scene | None:
    rules = open_rules(" + ".join((words[0], *over)), problems, to_run=True)
    if rules is None or problems.has_errors:
        return None
    if len(words) == 1:
        known = ", ".join([*rules.book.procedures, *rules.book.rolls][:12])
        hint = f"{known} …: umpire show {rules.name}"
        problems.add("F016", None, wanted="a procedure or a roll to carry out", hint=hint)
        return None
    if len(words) == 2:  # a procedure also needs things
        from interpreter.workbench.examples import all_shown, example_named  # lazily: imports the readers

        example = example_named(rules, words[1])
        if example is not None:
            return Scene(rules, example.body, action_line(example.body), True, problems)
        names = {each.name for each in all_shown(rules)} if procedure_named(rules, words[1]) is None else set()
        near = nearest(words[1], [*rules.book.procedures, *rules.book.rolls, *names])[:1]
        if names.intersection(near):
            hint = f"did you mean `{near[0]}`?"
            problems.add("N001", None, what="procedure, roll or example", name=words[1], hint=hint)
            return None
    root = compose(rules, words[1], words[2:], problems)
    return None if root is None else Scene(rules, root, action_line(root), False, problems)


def _changed(root: Any, choose: Texts, rulings: Texts, problems: Problems) -> Any:
    for key, name, texts in (("choose", "--choose", choose), ("rulings", "--ruling", rulings)):
        if texts:
            made = settings(name, texts, problems, "everybody" if key == "choose" else "")
            root = with_entries(root, [(key, with_settings(root.get(key), made))])
    return root
