"""What a command opens: a rule set by its name; a situation from a file or from short arguments, and what changes it.

Enters: the words of a command, and what its options say. Leaves: a checked rule set and the tree of a situation, or the
end of the command with every problem shown.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, NoReturn, TypeVar

import click

from interpreter.source import Problem, Problems
from interpreter.source.values import Record
from interpreter.surfaces.as_json import Json
from interpreter.workbench.arguments import compose
from interpreter.workbench.file_kinds import is_rule_file, is_situation_file, said
from interpreter.workbench.files import open_situation
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.texts import settings, with_entries, with_settings

from .options import json_option
from .terminal import echo, lacking, needed, refuse, rendered

T = TypeVar("T")
Texts = tuple[str, ...]


def opened(name: str, as_json: bool = False) -> RuleSet:
    """A rule set, read and checked; the end of the command where there is an error in it."""
    problems = Problems()
    return needed(open_rules(name, problems), problems, as_json)


class Scene(Record):
    """`said` is what is done, in the words of the rules; `from_file` where a file told it. Its answer is told as data
    where `as_json` is set.
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
        """What the data of every answer begins with."""
        return {"rules": self.rules.name, "do": self.said}

    def remark(self) -> None:
        """What is odd about what was asked, on standard error: the answer stands, as its data says, too."""
        if self.problems and not self.as_json:
            echo(f"\n{rendered(self.problems, sys.stderr)}", err=True)

    def refuse(self, problems: Iterable[Problem] | None = None) -> NoReturn:
        """The end of the command, with the problems of the situation or with others: where it was typed, too little or
        too much was.
        """
        refuse(self.problems if problems is None else problems, self.as_json, typed=not self.from_file)

    def needed(self, found: T | None, problems: Problems | None = None) -> T:
        """What was found; the end of the command where nothing was, or an error in it."""
        if found is None or self.problems.has_errors:
            self.refuse(problems)
        return found

    def lacks(self, wanted: str, hint: str) -> NoReturn:
        """The end of the command, for which too little was asked."""
        lacking(wanted, hint, self.as_json, self.problems)


_SITUATION: tuple[Callable[[Any], Any], ...] = (
    click.argument("words", nargs=-1, metavar="RULES PROCEDURE [THINGS]... | SITUATION.yaml"),
    click.option("--ask", "asks", multiple=True, metavar="EXPR", help="What to work out; may be repeated."),
    click.option(
        "--choose",
        multiple=True,
        metavar="LINE=WAY",
        help="How a choice is made: shoot.down=most; or a policy of the rules: careful, A=careful.",
    ),
    click.option("--ruling", "rulings", multiple=True, metavar="NAME=VALUE", help="Another reading of the rules."),
    click.option("--over", multiple=True, metavar="FILE", help="A supplement to lay over the rules; may be repeated."),
    json_option,
)


def of_a_situation(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """A command that is given a scene, and its own options: all that says what situation is meant and what is asked of
    it stands before these.
    """

    @wraps(command)
    def loading(
        words: Texts, asks: Texts, choose: Texts, rulings: Texts, over: Texts, as_json: bool, **own: Any
    ) -> int | None:
        return command(load(words, asks, choose, rulings, over, as_json), **own)

    made: Callable[..., int | None] = loading
    for option in reversed(_SITUATION):
        made = option(made)
    return made


def load(
    words: Texts,
    asks: Texts = (),
    choose: Texts = (),
    rulings: Texts = (),
    over: Texts = (),
    as_json: bool = False,
) -> Scene:
    """What is typed of a situation, alike for every command; `over` are supplements to lay over the rules."""
    problems = Problems()
    if not words:
        lacking("a situation: a file, or a rule set and a procedure", "umpire demo shows some", as_json)
    scene = needed((_file if _is_file(words) else _short)(words, over, problems), problems, as_json)
    scene.asks, scene.as_json = asks, as_json
    scene.root = _changed(scene.root, choose, rulings, problems)
    return needed(scene, problems, as_json)


def _is_file(words: Texts) -> bool:
    """A path where no rule set is named: a situation, or a file of examples and the name of one."""
    plain = words[0].endswith((".yaml", ".yml")) or (os.path.exists(words[0]) and os.sep in words[0])
    return is_situation_file(words[0]) or (len(words) == 1 and plain and not is_rule_file(words[0]))


def _file(words: Texts, over: Texts, problems: Problems) -> Scene | None:
    example = words[1] if len(words) > 1 else None
    opened = open_situation(words[0], problems, example=example, over=over, to_run=True)
    if opened is None:
        return None
    if len(words) > 2:
        problems.add("F016", None, wanted="one situation; a file is one already", hint=f"leave out `{words[2]}`")
    rules, root = opened
    return Scene(rules, root, said(root), True, problems)


def _short(words: Texts, over: Texts, problems: Problems) -> Scene | None:
    rules = open_rules(" + ".join((words[0], *over)), problems, to_run=True)
    if rules is None or problems.has_errors:
        return None
    if len(words) == 1:
        known = ", ".join([*rules.book.procedures, *rules.book.rolls][:12])
        hint = f"{known} …: umpire show {rules.name}"
        problems.add("F016", None, wanted="a procedure or a roll to carry out", hint=hint)
        return None
    root = compose(rules, words[1], words[2:], problems)
    return None if root is None else Scene(rules, root, said(root), False, problems)


def _changed(root: Any, choose: Texts, rulings: Texts, problems: Problems) -> Any:
    for key, option, texts in (("choose", "--choose", choose), ("rulings", "--ruling", rulings)):
        if texts:
            made = settings(option, texts, problems, "everybody" if key == "choose" else "")
            root = with_entries(root, [(key, with_settings(root.get(key), made))])
    return root
