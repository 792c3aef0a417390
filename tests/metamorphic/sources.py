"""Where games come from: examples that are shipped, pages of the manual, and games that nobody wrote.

Enters: a number. Leaves: a game with questions that can be answered; the same one for the same number.
"""

from __future__ import annotations

import re
import tempfile
from functools import lru_cache
from pathlib import Path
from random import Random

import games
from test_engines_twin import end_state

from interpreter.document.alternatives import first_alternatives
from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.source import Problems
from interpreter.workbench.default_questions import worth_asking
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rules import open_rules

from .answers import TOLD, Mistaken, TooLarge, Unanswered, case_of, weigh
from .game import Game, NotApplicable, Plain, tree, written

ROOT = Path(__file__).parent.parent.parent
HERE = Path(__file__).parent
SHIPPED = ("modern", "vbcw", "vsf", "imperial", "modern + morale", "vsf + morale", "imperial + morale")
EXPECTED = ("rules", "then", "odds", "trace", "error", "dice", "ask", "about")
BLOCK = re.compile(r"^```yaml\n(# ([\w-]+)\.yaml(, further down)?\n.*?)^```$", re.MULTILINE | re.DOTALL)


def a_game(dice: Random, shipped: bool = True) -> Game:
    """A game of any source, with some questions."""
    kinds = ["made", "made", "made", "made", "pages", "toys"] + ["shipped"] * shipped
    kind = dice.choice(kinds)
    if kind == "made":
        game = made_up(dice.randrange(10**6))
    elif kind == "toys":
        game = a_toy(dice)
    elif kind == "pages":
        game = dice.choice(pages())
    else:
        game = dice.choice(of_rules(dice.choice(SHIPPED)))
    return with_questions(game, dice)


def made_up(seed: int) -> Game:
    """A game of every pair of constructs, perhaps of several files."""
    made = games.game(seed)
    with tempfile.TemporaryDirectory() as folder:
        made.write(Path(folder))
        problems = Problems()
        rules = open_rules(made.rules, problems, folder)
        if rules is None or problems.has_errors:
            raise NotApplicable
        files = tuple((s.name, s.root.span.source.text) for s in rules.sheets)
    (situation,) = made.situations
    stated = {k: v for k, v in tree(made.files[situation.file]).items() if k not in EXPECTED}
    return Game(files, written(stated), situation.asks, f"game {seed}")


# ---- what comes along
def plain_of(node: Node | None) -> Plain:
    if isinstance(node, Mapping):
        return {entry.key.text: plain_of(entry.value) for entry in node}
    if isinstance(node, Scalar) or node is None:
        return node.text if node is not None else ""
    return [plain_of(item) for item in node.items]


def from_examples(files: tuple[tuple[str, str], ...], found: list, about: str) -> list[Game]:
    games = []
    for example in found:
        body = plain_of(example.body)
        if example.body.get("force") is None and first_alternatives(example.body) is None and "error" not in body:
            body = {key: value for key, value in body.items() if key not in EXPECTED}
            games.append(Game(files, written(body), about=f"{about}, {example.name}"))
    return games


@lru_cache
def of_rules(name: str) -> list[Game]:
    """Every example of a shipped set that does something."""
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None and not problems.has_errors
    files = tuple((s.name, s.root.span.source.text) for s in rules.sheets)
    return from_examples(files, examples_of(rules, problems), name)


def of_file(path: Path) -> list[Game]:
    """The examples of a rule file, with all that it extends; none of a file with mistakes."""
    problems = Problems()
    rules = open_rules(path, problems)
    if rules is None or problems.has_errors:
        return []
    files = tuple((s.name, s.root.span.source.text) for s in rules.sheets)
    return from_examples(files, examples_of(rules, problems), path.stem)


def of_folder(folder: Path) -> list[Game]:
    return [game for path in sorted(folder.glob("*.yaml")) for game in of_file(path)]


def toys() -> list[Game]:
    """Small games for laws about words that few games say."""
    return of_folder(HERE / "toys")


@lru_cache
def that_come_along(path: Path) -> list[Game]:
    return of_file(path)


def a_toy(dice: Random) -> Game:
    """One of these, or of the house rules and other genres that come along. `NotApplicable` for a file without examples."""
    folders = (HERE / "toys", ROOT / "examples" / "new-genre", ROOT / "examples" / "house-rules")
    games = that_come_along(dice.choice([path for folder in folders for path in sorted(folder.glob("*.yaml"))]))
    if not games:
        raise NotApplicable
    return dice.choice(games)


@lru_cache
def pages() -> list[Game]:
    """Examples of the rule files that the manual shows."""
    games = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        texts: dict[str, str] = {}
        for block in BLOCK.finditer(page.read_text("utf-8")):
            texts[block[2]] = texts.get(block[2], "") + block[1] if block[3] else block[1]
        rule_files = {name: text for name, text in texts.items() if re.search(r"^game:", text, re.MULTILINE)}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in rule_files.items():
                (Path(folder) / f"{name}.yaml").write_text(text, "utf-8")
            games += of_folder(Path(folder))
    assert games
    return games


# ---- questions
def with_questions(game: Game, dice: Random) -> Game:
    """The game with one to four questions; `NotApplicable` where it cannot be asked, or only at great cost."""
    try:
        case = case_of(game, ())
    except Mistaken as why:
        raise NotApplicable from why
    able = [*game.asks, *worth_asking(case)[:12]]
    able += dice.sample(ends := [text.text for _, text in end_state(case)], min(4, len(ends)))
    asks: list[str] = []
    for ask in dice.sample(able, min(len(able), 8)):
        try:
            asked = case_of(game, (ask,))
            if asked.asks[0].type.name in TOLD and ask not in asks:
                weigh(asked)
                asks.append(ask)
        except (Mistaken, Unanswered, TooLarge):
            continue
        if len(asks) == dice.choice([1, 2, 3, 4]):
            break
    if not asks:
        raise NotApplicable
    made = game.asking(tuple(asks))
    try:
        weigh(case_of(made))
    except (Mistaken, Unanswered, TooLarge) as why:
        raise NotApplicable from why
    return made
