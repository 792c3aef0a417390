"""Laws about lines: what is added beside them, put around them, or put elsewhere.

Must not know what a line means; that a line is a value, an effect or a call is seen in its syntax tree.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from interpreter.language import nodes
from interpreter.language.corrections import keywords
from interpreter.language.parse import OF_LINES, words_called
from interpreter.places import LANGUAGE

from .game import (
    Block,
    Game,
    NotApplicable,
    Tree,
    blocks,
    clauses,
    declared,
    fresh,
    name_of,
    otherwise,
    said,
    swapped,
    uncited,
)
from .law import Changed, changing

EFFECTS = (nodes.Change, nodes.Deals, nodes.Leaves, nodes.Becomes, nodes.Moves, nodes.Does, nodes.Umpire, nodes.Nothing)
SURELY = ("1 = 1", "not 1 = 2", "0 <= 3", "(1 = 1 or 2 = 1)", "min(2, 1) = 1", "true")


def a_file(game: Game, dice: Random) -> tuple[int, Tree, list[Block]]:
    """A file of the game with lines in it, to be changed."""
    order = list(range(len(game.files)))
    dice.shuffle(order)
    for index in order:
        made = game.tree(index)
        found = blocks(made)
        if found:
            return index, made, found
    raise NotApplicable


def value_of(text: object) -> nodes.Node | None:
    """The syntax tree of a line that is worth something by itself."""
    read = said(text, "line") if isinstance(text, str) else None
    if not isinstance(read, nodes.Line) or isinstance(read.action, EFFECTS):
        return None
    return read.action


def values(found: list[Block]) -> list[tuple[Block, int]]:
    """Lines under no clause of their own that are worth something: (block, place)."""
    return [
        (block, i)
        for block in found
        for i, (key, text) in enumerate(block.items())
        if clauses(key) == () and value_of(text) is not None
    ]


def reading(text: str, name: str, other: str) -> str:
    """The sentence, reading another line."""
    return re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", other, text)


@changing
def line_with_two_names(game: Game, dice: Random) -> Changed:
    """A line that only names the answer of the line before it is that answer, for whoever reads it or asks for it."""
    index, made, found = a_file(game, dice)
    many = declared(game)
    able = [(b, i) for b, i in values(found) if many[name_of(b.items()[i][0])] == 1]
    if not able:
        raise NotApplicable
    block, at = dice.choice(able)
    items = block.items()
    name, other = name_of(items[at][0]), fresh(game, dice)
    mine = block.title
    whose = all if dice.random() < 0.5 else (lambda _: dice.random() < 0.5)
    items.insert(at + 1, (other, name))
    block.put(items)
    if dice.random() < 0.7:
        for each in blocks(made):
            if each.title == mine:
                each.put([_read(key, text, name, other, whose) for key, text in each.items()])
    asks = tuple(_asked(ask, name, other) if dice.random() < 0.7 else ask for ask in game.asks)
    return Changed(game.with_tree(made, index).asking(asks))


def _read(key: str, text: object, name: str, other: str, whose: object) -> tuple[str, object]:
    assert callable(whose)
    if name_of(key) == other or not whose([name]):
        return key, text
    head = name_of(key)
    key = head + reading(key[len(head) :], name, other)
    return key, reading(text, name, other) if isinstance(text, str) else text


def _asked(ask: str, name: str, other: str) -> str:
    return swapped(ask, name, other)


# Where the words mean a phrase of the language, and no line.
PHRASES = re.compile(r"\bup +to\b|\bor +(?:more|less)\b|(?<![a-z0-9] )(?:again|passes|fails) +if\b|[a-z] +through\b")


@changing
def line_called_by_a_word_of_the_language(game: Game, dice: Random) -> Game:
    """A line may be called by some words of the language, and is the line that it was."""
    found = a_file(game, dice)[2]
    many = declared(game)
    said_so = {word for phrase in keywords(LANGUAGE) for word in phrase.split()}  # `away` is said in `away from`
    able = [n for block in found for key in block.lines if many[n := name_of(key)] == 1 and n not in said_so]
    words = sorted(OF_LINES - words_called([*game.texts, game.situation]))
    if not able or not words:
        raise NotApplicable
    name, word = dice.choice(able), dice.choice(words)

    def called(text: str) -> str:
        new = swapped(text, name, word)
        if len(PHRASES.findall(new)) != len(PHRASES.findall(text)):
            raise NotApplicable
        return new

    files = tuple((of, called(text)) for of, text in game.files)
    return replace(game, files=files, situation=called(game.situation), asks=tuple(called(ask) for ask in game.asks))


@changing
def line_nobody_reads(game: Game, dice: Random) -> Game:
    """A line that nobody reads changes no answer, whatever stands in it and whatever dice it throws."""
    index, made, found = a_file(game, dice)
    block = dice.choice(found)
    items = block.items()
    at = dice.choice([i for i in range(len(items) + 1) if i == len(items) or not otherwise(items[i][0])])
    names = [name_of(key) for key, text in items[:at] if clauses(key) == () and value_of(text) is not None]
    text = dice.choice(["1", "d6", "2d6", "1 = 1", "d3 + 1", "nothing", "3 dice", "d6 = 1", *names[-2:]])
    governed = dice.choice(["", "", "", ", if 1 = 1", ", if d6 = 1", ", repeat 2 times", ", if 1 = 2"])
    name = fresh(game, dice)
    items.insert(at, (name + governed, {fresh(game, dice, "zr"): text} if "repeat" in governed else text))
    block.put(items)
    return game.with_tree(made, index)


@changing
def condition_that_always_holds(game: Game, dice: Random) -> Game:
    """A condition that is always so, or more of one that says nothing new, changes no answer."""
    index, made, found = a_file(game, dice)
    able = [(b, i) for b in found for i in range(len(b.lines))]
    block, at = dice.choice(able)
    items = block.items()
    key, text = items[at]
    governing = clauses(key)
    if governing is None:
        raise NotApplicable
    following = at + 1 < len(items) and otherwise(items[at + 1][0])
    ifs = [c for c in governing if isinstance(c, nodes.If)]
    if ifs:
        items[at] = (with_more(key, ifs[-1].condition, dice), text)
    elif following or any(
        isinstance(c, nodes.By | nodes.PicksOne | nodes.Otherwise | nodes.DealsOut) for c in governing
    ):
        raise NotApplicable
    else:
        head, cites = uncited(key)
        items[at] = (f"{head}, if {dice.choice(SURELY)}{cites}", text)
    block.put(items)
    return game.with_tree(made, index)


def with_more(text: str, condition: nodes.Node, dice: Random) -> str:
    """A sentence whose condition says more, and nothing new."""
    old, true = text[condition.start : condition.end], dice.choice(SURELY)
    if isinstance(condition, nodes.Extreme) or re.search(r" is (least|most)$", old):
        raise NotApplicable
    new = dice.choice(
        [f"({old}) and {true}", f"{true} and ({old})", f"({old}) or 1 = 2", f"1 = 2 or ({old})", f"({old})"]
        + [f"not (not ({old}))", f"not not_({old})".replace("not_", "not ")]
    )
    return text[: condition.start] + new + text[condition.end :]


@changing
def line_in_a_block_of_its_own(game: Game, dice: Random) -> Game:
    """A line put into a block that is run once is worth what it was."""
    index, made, found = a_file(game, dice)
    able = [
        (b, i)
        for b in found
        if nodes.Together not in b.within
        for i, (key, _) in enumerate(b.items())
        if clauses(key) is not None
        and not otherwise(key)
        and not (i + 1 < len(b.lines) and otherwise(b.items()[i + 1][0]))
    ]
    if not able:
        raise NotApplicable
    block, at = dice.choice(able)
    items = block.items()
    last = dice.choice([at + 1, at + 1, at + 2])
    if (
        last > len(items)
        or any(otherwise(key) for key, _ in items[at:last])
        or (last < len(items) and otherwise(items[last][0]))
    ):
        raise NotApplicable
    around = dice.choice(["", ", if 1 = 1", ", repeat 1 times", ", repeat up to 1 times until 1 = 1"])
    if "repeat" in around and any(isinstance(v, str) and re.search(r"\bdice\b|\d?d\d", v) for _, v in items[at:last]):
        around = ""  # dice of several rounds are no throw
    asked = set(re.findall(r"[a-z][\w-]*", " ".join(game.asks)))
    if "repeat" in around and any(name_of(key) in asked for key, _ in items[at:last]):
        around = ""  # a line that was not run is an answer of its own, but adds nothing to the total of a loop that was
    head = fresh(game, dice) + around
    items[at:last] = [(head, dict(items[at:last]))]
    block.put(items)
    return game.with_tree(made, index)


@changing
def lines_of_one_text(game: Game, dice: Random) -> Game:
    """A procedure of one text is one line, and a line's text may be a line of a block."""
    index, made, found = a_file(game, dice)
    texts = [
        (body, title)
        for heading, body in made.items()
        if heading[:1].isupper() and isinstance(body, dict)
        for title, text in body.items()
        if isinstance(text, str) and text and re.match(r"(to|rule) ", title)
    ]
    name = fresh(game, dice)
    if texts and dice.random() < 0.5:
        body, title = dice.choice(texts)
        body[title] = {name: body[title]}
        return game.with_tree(made, index)
    many = declared(game)
    asked = set(re.findall(r"[a-z][\w-]*", " ".join(game.asks) + game.situation))
    able = [
        (b, key)
        for b in found
        for key, text in b.items()
        if isinstance(text, str)
        and clauses(key)
        and many[name_of(key)] == 1
        and name_of(key) not in asked
        and sum(len(re.findall(rf"(?<![\w-]){name_of(key)}(?![\w-])", t)) for t in game.texts) == 1
        and not any(isinstance(c, nodes.By | nodes.PicksOne) for c in clauses(key) or ())
    ]
    if not able:
        raise NotApplicable
    block, key = dice.choice(able)
    block.lines[key] = {name: block.lines[key]}
    return game.with_tree(made, index)


@changing
def call_in_the_place_of_lines(game: Game, dice: Random) -> Game:
    """Lines that are called are what they were."""
    index, made, _ = a_file(game, dice)
    able = [
        (body, title, read)
        for heading, body in made.items()
        if heading[:1].isupper() and isinstance(body, dict)
        for title in body
        if title.startswith("to ") and isinstance(body[title], dict)
        if isinstance(read := said(title, "title"), nodes.Title)
    ]
    if not able:
        raise NotApplicable
    body, title, read = dice.choice(able)
    old, new, part = read.names[0].text, fresh(game, dice), fresh(game, dice, "zs")
    lines = body[title]
    subject, *others = read.params
    plain = ", ".join(p.name.text for p in others if p.word is None)
    more = " ".join(f"{p.word} {p.name.text}" for p in others if p.word is not None)
    call = " ".join(x for x in (subject.name.text, f"{new}s", plain, more) if x)
    entries = list(body.items())
    at = list(body).index(title)
    body.clear()
    body.update(entries[:at])
    body[title] = {part: call}
    lent = uncited(title)[0] if read.part_of is None else title[: read.part_of.start].rpartition(",")[0]  # one moment
    body[re.sub(rf"^to {re.escape(old)}(?![\w-])", f"to {new}", lent)] = lines
    body.update(entries[at + 1 :])
    moved = game.with_tree(made, index)
    files = tuple((name, _at_home(text, old, new)) for name, text in moved.files)
    records = _records(moved, old)
    files = tuple((name, _through(text, records, part)) for name, text in files)
    own = [name_of(key) for key in lines]
    doing = re.search(rf"(?<![\w-]){re.escape(old)}(s|es)(?![\w-])", str(game.stated().get("do", "")))
    asks = tuple(_inner(ask, own, part) if doing and isinstance(game.stated()["do"], str) else ask for ask in game.asks)
    if doing and not isinstance(game.stated()["do"], str):
        raise NotApplicable
    return Game(files, _at_home(game.situation, old, new), asks, game.about)


def _at_home(text: str, old: str, new: str) -> str:
    """Addresses of lines that have moved: `shoot.hits`."""
    return re.sub(rf"(?<![\w.-]){re.escape(old)}\.(?=[a-z])", f"{new}.", text)


def _records(game: Game, old: str) -> list[str]:
    """The names of lines that call the procedure."""
    found = []
    for index in range(len(game.files)):
        for block in blocks(game.tree(index)):
            for key, text in block.items():
                read = said(text, "line") if isinstance(text, str) else None
                if isinstance(read, nodes.Line) and isinstance(read.action, nodes.Does):
                    if read.action.verb.text in (f"{old}s", f"{old}es", old, re.sub("y$", "ies", old)):
                        found.append(name_of(key))
    return found


def _through(text: str, records: list[str], part: str) -> str:
    for name in records:
        text = re.sub(rf"(?<![\w-]){re.escape(name)}\.(?=[a-z])(?!{part})", f"{name}.{part}.", text)
    return text


def _inner(ask: str, own: list[str], part: str) -> str:
    """What was asked of a line by its name is asked of the call's."""
    for name in own:
        ask = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", f"{part}.{name}", ask)
    return ask
