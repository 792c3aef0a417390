"""Laws about files: the order of definitions, names, files laid over each other, `fmt` and `flat`."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from interpreter.language import nodes
from interpreter.layout import format_source
from interpreter.places import LANGUAGE
from interpreter.source import Source
from interpreter.vocabulary.operations import FUNCTIONS
from interpreter.workbench.flat import flat

from .answers import opened
from .game import (
    TOKEN,
    Block,
    Game,
    NotApplicable,
    Plain,
    blocks,
    clauses,
    definitions,
    fresh,
    name_of,
    otherwise,
    said,
    swapped,
    tree,
    uncited,
    written,
)
from .law import Changed, changing

IN_ORDER = ("dice", "rule", "mark", "add", "remove", "typical", "example")  # what comes first of these matters
ADDABLE = ("to", "value", "roll", "limit", "table", "kind")


def what_of(title: str) -> str:
    return title.split(" ", 1)[0]


# ---- one file
@changing
def order_of_definitions(game: Game, dice: Random) -> Game:
    """The order of definitions and of headings changes no answer; the first `dice` stays so, rules and marks keep theirs."""
    index = dice.randrange(len(game.files))
    made = game.tree(index)
    headings = [h for h in made if h[:1].isupper() and isinstance(made[h], dict)]
    kept: dict[str, Plain] = {h: v for h, v in made.items() if h not in headings}
    every = [(h, t, v) for h in headings for t, v in made[h].items()]
    if len(every) < 3:
        raise NotApplicable
    shuffled = every[:]
    dice.shuffle(shuffled)
    for group in (("dice",), ("rule", "mark"), ("add", "remove", "change:", "change")):
        old = iter([d for d in every if what_of(d[1]) in group])
        shuffled = [next(old) if what_of(d[1]) in group else d for d in shuffled]
    order = {t: n for n, (_, t, _) in enumerate(shuffled)}
    if len(order) != len(shuffled) or any(what_of(t) == "change" for _, t, _ in every):
        raise NotApplicable
    for number, (_, title, what) in enumerate(shuffled):  # a heading means nothing: each has its own
        kept.setdefault(f"Part {number // 5}", {})[title] = what
    return game.with_tree(kept, index)


@changing
def the_same_file_laid_out(game: Game, dice: Random) -> Game:
    """`umpire fmt` changes no answer, and neither do quotes."""
    files = []
    for name, text in game.files:
        text = written(tree(text)) if dice.random() < 0.3 else text
        files.append((name, format_source(Source(f"{name}.yaml", text), LANGUAGE).text))
    return Game(tuple(files), game.situation, game.asks)


@changing
def all_files_as_one(game: Game, dice: Random) -> Game:
    """`umpire flat` says what the files say that it is made of."""
    return Game(((game.files[-1][0], flat(opened(game.files))),), game.situation, game.asks)


@changing
def another_name(game: Game, dice: Random) -> Changed:
    """A name changed wherever it stands, in files, situation and questions alike, changes no answer."""
    names: set[str] = set()
    for index in range(len(game.files)):
        made = game.tree(index)
        for _, title, body in definitions(made):
            what = what_of(title)
            if what in ("value", "roll", "fact", "ruling", "policy"):
                names.update(TOKEN.findall(title.split(" ", 2)[1]))
            if what == "mark" and "place" not in title:
                names.update(TOKEN.findall(title.split(" of ")[0].removeprefix("mark ")))
            if what == "table" and isinstance(body, dict):
                names.update(k for k in body if re.fullmatch(r"[a-z][a-z-]*", k))
            if what in ("value", "roll") and isinstance(body, dict):
                names.update(name_of(key) for key in body)
        names.update(name_of(key) for block in blocks(made) for key in block.lines if clauses(key) is not None)
    words = set(re.findall(r"[\w-]+", " ".join([*game.texts, game.situation])))
    able = sorted(n for n in names if re.fullmatch(r"[a-z][a-z0-9-]*", n) and n not in RESERVED and not _bent(n, words))
    if not able:
        raise NotApplicable
    old = dice.choice(able)
    new = fresh(game, dice)
    files = tuple((name, _renamed(text, old, new)) for name, text in game.files)
    asks = tuple(swapped(ask, old, new) for ask in game.asks)
    return Changed(Game(files, _renamed(game.situation, old, new), asks), ((old, new),))


def _renamed(text: str, old: str, new: str) -> str:
    return written(
        {k: v if k in ("game", "about", "rules") else _told(v, old, new) for k, v in _keys(tree(text), old, new)}
    )


def _keys(made: dict[str, Plain], old: str, new: str) -> list[tuple[str, Plain]]:
    return [(swapped(k, old, new) if k[:1].isupper() or " " in k else k, v) for k, v in made.items()]


def _told(data: Plain, old: str, new: str) -> Plain:
    if isinstance(data, dict):
        return {swapped(k, old, new): _told(v, old, new) for k, v in data.items()}
    if isinstance(data, list):
        return [_told(v, old, new) for v in data]
    return swapped(data, old, new)


def _bent(name: str, words: set[str]) -> bool:
    """Whether the name stands somewhere in another form (`pins`, `1 pin`; `try`, `tries`), or in a longer one."""
    forms = {name + "s", name + "es", name.removesuffix("s"), re.sub("y$", "ies", name), f"fresh-{name}"} - {name}
    return not words.isdisjoint(forms)


SPOKEN = """
a add after again against all always an and any are as at becomes before best by deals dice during each else evenly example
except fact failing fails false fewest first for from gain gains if in inches instead into is kind least leave leaves less
limit lose loses many mark mean meeting missing more most moves needs never new no none not nothing number of on one or
otherwise out over passes passing per picks play policy remove repeat roll rule ruling table that through times to together
towards true typical umpire under until up usually value where wishes with worst yes it actor turn battle move row face
begins ends game about side unit figure units figures change random do facts choose ask force rulings breaks then odds trace
error moved rows straight ahead away contact
"""
RESERVED = frozenset(TOKEN.findall(SPOKEN)) | set(FUNCTIONS)


# ---- several files
def on_top(game: Game, dice: Random, head: str) -> tuple[str, dict[str, Plain]]:
    """A name and the head of one more file: one that `extends` the topmost, or lies `over` it."""
    name = fresh(game, dice, "zt")
    return name, {"game": name, head: " + ".join([game.files[-1][0]])}


@changing
def file_that_changes_nothing(game: Game, dice: Random) -> Game:
    """One more file, in which nothing stands that anybody reads, changes no answer."""
    name, made = on_top(game, dice, dice.choice(["extends", "over"]))
    kind = next((t.split(" ")[1].rstrip(",") for _, t, _ in definitions(game.tree(0)) if t.startswith("kind ")), None)
    if kind is None:
        raise NotApplicable
    more: dict[str, Plain] = {}
    new = fresh(game, dice)
    for what in dice.sample(range(8), dice.randint(0, 3)):
        more |= [
            {f"value {new}-v of {kind}": "3"},
            {f"roll {new}-r of {kind}": {"basic": "needs 2"}},
            {f"mark {new}-m of {kind}": ""},
            {f"table {new}-t ({new}-c)": {f"{new}-a": "1", f"{new}-b": "2"}},
            {f"to {new} ({kind})": {f"{new}-l": "d6"}},
            {f"ruling {new}-g": "1, or 2"},
            {f"dice {new}-d": "d6 at or over"},
            {f"fact {new}-f of {kind}": "number first 2"},
        ][what]
    if more:
        made["More"] = more
    return game.with_file(name, made)


@changing
def definitions_in_two_files(game: Game, dice: Random) -> Game:
    """Definitions may stand in a file that extends the one in which the others stand, or lies over it."""
    made = game.tree()
    movable = [
        (h, t)
        for h, t, _ in definitions(made)
        if what_of(t) in ("to", "value", "roll", "table", "fact", "ruling", "limit", "kind")
        and not h.startswith("Over ")
    ]
    if len(movable) < 2:
        raise NotApplicable
    name, top = on_top(game, dice, dice.choice(["extends", "over"]))
    for heading, title in dice.sample(movable, dice.randint(1, max(1, len(movable) // 3))):
        top.setdefault(heading, {})[title] = made[heading].pop(title)
        if not made[heading]:
            del made[heading]
    return game.with_tree(made).with_file(name, top)


@changing
def lines_in_two_files(game: Game, dice: Random) -> Game:
    """What a file says at the end of a definition, or in the midst of it, another may add to it."""
    made = game.tree()
    able = [
        (h, t, body)
        for h, t, body in definitions(made)
        if what_of(t) in ADDABLE and isinstance(body, dict) and len(body) > 1
    ]
    if not able:
        raise NotApplicable
    heading, title, body = dice.choice(able)
    read = said(title, "title")
    if not isinstance(read, nodes.Title):
        raise NotApplicable
    path = read.names[0].text
    if read.what == "procedure" and dice.random() < 0.4:
        inner = [
            b for b in blocks(made) if b.title == title and len(b.path) > 1 and len(b.lines) > 1 and _plain(b, made)
        ]
        if inner:
            block = dice.choice(inner)
            path, body = ".".join(block.path), block.lines
    items = list(body.items())
    first = dice.randint(1, len(items) - 1)
    last = dice.choice([len(items), len(items), dice.randint(first + 1, len(items))])
    if read.what == "procedure" and (otherwise(items[first][0]) or (last < len(items) and otherwise(items[last][0]))):
        raise NotApplicable
    anchor = ""
    if last < len(items):
        by_next = dice.random() < 0.5
        anchor = f" {'before' if by_next else 'after'} {name_of(items[last if by_next else first - 1][0])}"
        if read.what not in ("procedure", "table", "outcomes", "value", "roll"):
            raise NotApplicable
    name, top = on_top(game, dice, dice.choice(["extends", "over"]))
    top[heading] = {f"add to {path}{anchor}": dict(items[first:last])}
    body.clear()
    body.update(items[:first] + items[last:])
    return game.with_tree(made).with_file(name, top)


def _plain(block: Block, made: dict[str, Plain]) -> bool:
    """Whether every part of its address is a name that its definition has once."""
    return all(re.fullmatch(r"[a-z][a-z0-9-]*", p) for p in block.path) and (
        len({b.path for b in blocks(made) if b.title == block.title and b.path == block.path}) == 1
    )


@changing
def lines_that_nobody_below_hears(game: Game, dice: Random) -> Game:
    """A line that a file adds to a block, called as one elsewhere in that procedure, means nothing to the files below."""
    made = game.tree()
    words = set(TOKEN.findall(" ".join([game.situation, *game.asks])))
    able, read = [], []
    for block in blocks(made):
        if what_of(block.title) != "to" or len(block.path) < 2 or not _plain(block, made):
            continue
        if {nodes.By, nodes.PicksOne} & {*block.within[-1:]}:  # its lines are cases
            continue
        others = [b for b in blocks(made) if b.title == block.title and b is not block]
        names = {name_of(k) for b in others for k in b.lines} - {name_of(k) for k in block.lines} - words
        able += [(block.path, name) for name in sorted(names) if re.fullmatch(r"[a-z][a-z0-9-]*", name)]
        said_outside = {w for b in others for text in b.lines.values() for w in TOKEN.findall(str(text))}
        read += [each for each in able if each[0] == block.path and each[1] in said_outside]
    if not able:
        raise NotApplicable
    path, line = dice.choice(read or able)
    name, top = on_top(game, dice, dice.choice(["extends", "over"]))
    top["More"] = {f"add to {'.'.join(path)}": {line: "7"}}
    return game.with_file(name, top)


@changing
def taken_away_and_said_again(game: Game, dice: Random) -> Game:
    """A definition that a file removes and says again is what it was."""
    made = game.tree()
    able = [
        (h, t, b) for h, t, b in definitions(made) if what_of(t) in ("to", "value", "roll", "fact", "ruling", "limit")
    ]
    if not able:
        raise NotApplicable
    heading, title, body = dice.choice(able)
    read = said(title, "title")
    if not isinstance(read, nodes.Title):
        raise NotApplicable
    name, top = on_top(game, dice, dice.choice(["extends", "over"]))
    top[heading] = {f"remove {read.names[0].text}": "", title: body}
    return game.with_file(name, top)


@changing
def changed_to_what_it_was(game: Game, dice: Random) -> Game:
    """A line that is changed to what it says already says it still."""
    made = game.tree()
    able: list[tuple[str, Any]] = []
    for block in blocks(made):
        for key, text in block.items():
            if isinstance(text, str) and clauses(key) is not None and _plain(block, made):
                able.append((".".join([*block.path, name_of(key)]), uncited(text)[0]))
    for _, title, body in definitions(made):
        if re.match(r"(value|roll) ", title) and isinstance(body, dict):
            able += [
                (f"{title.split(' ')[1]}.{name_of(k)}", uncited(v)[0]) for k, v in body.items() if isinstance(v, str)
            ]
    if not able:
        raise NotApplicable
    path, text = dice.choice(able)
    name, top = on_top(game, dice, dice.choice(["extends", "over"]))
    return game.with_file(name, {**top, "change": {path: text}})
