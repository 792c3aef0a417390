"""What one history knows, and which questions its parts ask of each other."""

from __future__ import annotations

from typing import Any

from .book import Book
from .chance import Chance
from .things import Thing
from .world import World


class NotRun(Exception):
    """A question speaks of a line that was not run."""


class State:
    """One history: the book, the table, where dice come from, what the table tells, who chooses how."""

    def __init__(self, book: Book, chance: Chance) -> None:
        self.book, self.chance, self.world = book, chance, World(book)
        self.facts: dict[tuple[str, tuple[Any, ...]], Any] = {}
        self.facts_of_lines: list[tuple[str, tuple[Any, ...], Any]] = []  # stated of what a line will make
        self.readings: dict[str, Any] = dict(book.rulings)
        self.things_named: dict[str, Thing] = {}
        self.wishes: list[tuple[Thing | None, tuple[str, ...], str]] = []  # whose, of which line, what is wished
        self.asking = False  # a question is asked: what was not run is told from nothing
        self.address: list[str] = []  # of the line in hand: procedures and lines, outermost first
        self.begun: list[int] = []  # where in it each procedure begins that is being done
        self.rule_runs: dict[str, list[Any]] = {}
        self.procedure_runs: dict[str, list[Any]] = {}
        self.name_sets: list[set[int]] = []  # collections that lines gave, for whom is taken where some are alike
        self.root: Any = None  # the block of what the situation does
        self.steps = 0
        self.going: list[str] = []  # the moments of the rule file that have begun and are not over
        self.asker = ""  # the file whose sentence is in hand; none while a question is asked
        self.giver = ""  # the file that names the line at whose place something may set in

    # what the parts ask of each other
    def value(self, node: Any, scope: Any) -> Any:
        raise NotImplementedError

    def number(self, node: Any, scope: Any) -> Any:
        raise NotImplementedError

    def truth(self, node: Any, scope: Any) -> bool:
        raise NotImplementedError

    def function(self, name: str, args: Any, scope: Any) -> Any:
        raise NotImplementedError

    def worked_out(self, definition: Any, thing: Any, told: Any) -> Any:
        raise NotImplementedError

    def number_needed(self, roll: Any) -> Any:
        raise NotImplementedError

    def outcome(self, definition: Any, thing: Any, told: Any, scope: Any) -> Any:
        raise NotImplementedError
