"""Laws about questions: answers of one game that have something to do with each other."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any
from unittest.mock import patch

from test_engines_kit import Refused, TooMany, law_of_play

from interpreter.engines.odds import Odds
from interpreter.program.liveness import Follow
from interpreter.program.state import Unstated
from interpreter.surfaces.as_answers import question
from interpreter.workbench.answers import Answer
from interpreter.workbench.plays import sample

from .answers import Mistaken, answers, case_of, said_of, weigh, word
from .game import Game, NotApplicable, blocks, definitions, said
from .law import looking
from .sentences import walk
from .situations import things

PLAYS = 400
SCRIPTS = 400


def exact(game: Game, asks: tuple[str, ...], given: tuple[str, ...] = ()) -> Answer:
    """The answer to other questions of the game, and to conditions behind them; a game that cannot be asked them, or only
    for a band, is none.
    """
    try:
        answer = weigh(case_of(game, asks, given=given))
    except Mistaken as why:
        raise NotApplicable from why
    if not isinstance(answer, Answer):
        raise NotApplicable
    return answer


def different(one: Any, what: str, other: Any, than: str) -> str | None:
    return None if one == other else f"{what}: {one}\n{than}: {other}"


@looking
def asked_alone_or_together(game: Game, dice: Random) -> str | None:
    """Asking more never changes the answer to what was asked before; nor does it to ask in another order."""
    alone = answers(game, alone=True).each
    together = answers(game).each
    if alone != together:
        return different(alone, "alone", together, "together")
    mixed = list(range(len(game.asks)))
    dice.shuffle(mixed)
    other = answers(game.asking(tuple(game.asks[i] for i in mixed))).each
    return different(together, "together", tuple(other[mixed.index(i)] for i in range(len(mixed))), "in another order")


@looking
def whole_or_cut_down(game: Game, dice: Random) -> str | None:
    """The rules cut down to a situation and a question answer as the whole rules do."""
    whole = answers(game, cut=False)
    if dice.random() < 0.5:
        return different(answers(game), "cut down", whole, "whole")
    return different(answers(game, alone=True).each, "cut down, alone", whole.each, "whole")


@looking
def everything_or_only_what_is_asked(game: Game, dice: Random) -> str | None:
    """What nothing asked reads is not followed, and that changes no answer."""
    asked = tuple(dice.sample(game.asks, 1)) if dice.random() < 0.5 else game.asks
    lean = said_of(weigh(case_of(game, asks=asked)))
    with patch.object(Odds, "follow", Follow.ALL):
        full = said_of(weigh(case_of(game, asks=asked)))
    return different(lean, "what is asked", full, "everything")


@looking
def plays_under_every_script(game: Game, dice: Random) -> str | None:
    """Odds are what plays come to, weighted, under every script of dice."""
    case = case_of(game)
    answer = weigh(case)
    if not isinstance(answer, Answer):
        raise NotApplicable
    try:
        law, lost, _ = law_of_play(case_of(game), SCRIPTS, 60, traced=dice.random() < 0.3)
    except (TooMany, Unstated) as why:
        raise NotApplicable from why
    except Refused as why:
        if why.code in ("E005", "F008"):  # odds leave out what nobody asks for
            raise NotApplicable from why
        raise
    if lost:
        raise NotApplicable
    played: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for values, chance in law.items():
        played[tuple(word(answer, i, v) for i, v in enumerate(values))] += chance
    return different(dict(said_of(answer).joint or ()), "odds", dict(played), "plays")


@looking
def sampled(game: Game, dice: Random) -> str | None:
    """A sample of plays lies where the odds say, and shows nothing that has none."""
    case = case_of(game)
    answer = weigh(case)
    if not isinstance(answer, Answer):
        raise NotApplicable
    found = sample(case_of(game), PLAYS, dice.randrange(1000))
    if found is None:
        raise NotApplicable
    for i, ask in enumerate(game.asks):
        law, seen = answer.of(i), found.counts[i]
        for value in {*law, *seen}:
            chance, share = float(law.get(value, 0)), seen.get(value, 0) / PLAYS
            bound = 6 * sqrt(chance * (1 - chance) / PLAYS) + 12 / PLAYS
            if abs(chance - share) > bound or (share and not chance):
                return f"{ask} is {word(answer, i, value)}\nodds: {chance}\nin {PLAYS} plays: {share}"
    return None


def truths(game: Game) -> tuple[Any, list[str]]:
    """Questions of the game that are yes or no, some of them made of its numbers."""
    case = case_of(game)
    found = []
    for ask in case.asks:
        if ask.type.name == "truth":
            found.append(ask.text)
        elif ask.type.name == "number":
            found += [f"({ask.text}) > 0", f"({ask.text}) = 1"]
        elif ask.type.name == "figures":
            found.append(f"any ({ask.text})")
    if not found:
        raise NotApplicable
    return case, found


@looking
def what_is_not_so(game: Game, dice: Random) -> str | None:
    """A condition and its opposite: exactly one of them holds, whatever happens."""
    _, found = truths(game)
    condition = dice.choice(found)
    answer = exact(game, (), (condition, f"not ({condition})"))
    wrong = [values for values, _ in answer.joint if sorted(map(repr, values)) != ["False", "True"]]
    return f"({condition}, not so): {wrong}" if wrong else None


@looking
def given_and_not_given(game: Game, dice: Random) -> str | None:
    """What is so under a condition and what is so without it add up to what is so."""
    _, found = truths(game)
    condition, ask = dice.choice(found), dice.choice(game.asks)
    plain = dict(said_of(exact(game, (ask,))).each[0])
    total: dict[str, Fraction] = defaultdict(Fraction)
    for text in (condition, f"not ({condition})"):
        kept = exact(game, (ask,), (text,)).where(1)
        if kept is not None:
            answer, (likely, _) = kept
            for value, chance in said_of(answer).each[0]:
                total[value] += chance * likely
    return different(dict(total), f"given `{condition}` and not", plain, f"{ask} as it is")


@looking
def parts_of_a_list(game: Game, dice: Random) -> str | None:
    """Those of a list of whom something is so and those of whom it is not are all of them."""
    whole = [f"{name}.figures" for name in things(game.stated()).values()]
    if not whole:
        raise NotApplicable
    items = dice.choice(whole)
    condition = dice.choice(_conditions(game))
    answer = exact(
        game,
        (
            f"min({items}, 999)",
            f"min(({items} where {condition}), 999)",
            f"min(({items} where not ({condition})), 999)",
        ),
    )
    wrong = [values for values, _ in answer.joint if values[1] + values[2] != values[0]]
    return f"{items}; of which {condition}; and not: {wrong}" if wrong else None


def _conditions(game: Game) -> list[str]:
    """What the files ask of figures."""
    found = []
    for index in range(len(game.files)):
        made = game.tree(index)
        for block in blocks(made):
            for text in block.lines.values():
                node = said(text, "line") if isinstance(text, str) else None
                for each in walk(node) if node is not None else ():
                    if type(each).__name__ == "Where" and "figures" in text:
                        found.append(text[each.condition.start : each.condition.end])
        for _, title, body in definitions(made):
            if title.startswith("mark ") and " of figure" in title:
                found.append(title.removeprefix("mark ").split(" of ")[0].split(",")[0])
            if re.match(r"kind (figure)\b", title) and isinstance(body, dict):
                found += [f"{k} >= 1" for k, v in body.items() if v.startswith("number")]
                found += [f"any {k}" for k, v in body.items() if "none" in v]
    if not found:
        raise NotApplicable
    return found


@looking
def number_by_number(game: Game, dice: Random) -> str | None:
    """`X = 2` holds as often as X is 2, and `X >= 2` as often as it is 2 or more. In a comparison the parts of a sum are
    counted each for itself, which asked alone would put figures together: so a sum is made a number first.
    """
    numbers = [ask.text for ask in case_of(game).asks if ask.type.name == "number"]
    if not numbers:
        raise NotApplicable
    ask = dice.choice(numbers)
    law = exact(game, (f"({ask}) * 1" if re.search(" [+-] ", ask) else ask,)).of(0)
    able = [v for v in law if isinstance(v, int) and not isinstance(v, bool) and v >= 0]
    if not able:
        raise NotApplicable
    value = dice.choice(able)
    answer = exact(game, (f"({ask}) = {value}", f"({ask}) >= {value}", f"{value} < ({ask})"))
    counted = {v: p for v, p in law.items() if isinstance(v, int | Fraction)}
    wanted = (
        law[value],
        sum(p for v, p in counted.items() if v >= value),
        sum(p for v, p in counted.items() if v > value),
    )
    return different(tuple(answer.chance(i) for i in range(3)), f"= {value}, >=, <", wanted, f"by the law of {ask}")


@looking
def as_json_and_back(game: Game, dice: Random) -> str | None:
    """JSON says each value once with its chance, and all chances are 1."""
    answer = weigh(case_of(game))
    if not isinstance(answer, Answer):
        raise NotApplicable
    for i, ask in enumerate(game.asks):
        rows = question(answer, i)["outcomes"]
        back = [(row["value"], Fraction(int(row["numerator"]), int(row["denominator"]))) for row in rows]
        if sum(p for _, p in back) != 1:
            return f"{ask}: {rows}"
        if len({repr(v) for v, _ in back}) != len(back) and "new thing" not in repr(back):
            return f"{ask}: one value twice: {rows}"
        if [p for _, p in back] != list(answer.of(i).values()):
            return f"{ask}: {rows}"
    return None


@looking
def decided_within_the_band(game: Game, dice: Random) -> str | None:
    """Where a choice is opened, the answer that was decided lies within the band."""
    case = case_of(game)
    decided = weigh(case)
    if not isinstance(decided, Answer):
        raise NotApplicable
    addresses = sorted(case.rules.choices.reached(case.situation.procedure))
    made = game.stated()
    stated = made.get("choose") or {}
    if not addresses or not isinstance(stated, dict):
        raise NotApplicable
    some = dice.sample(addresses, dice.randint(1, min(2, len(addresses))))
    kept = {k: v for k, v in stated.items() if not any(a.endswith(k) for a in some)}
    made["choose"] = {**kept, **dict.fromkeys(some, "any")}
    try:
        band = weigh(case_of(game.with_situation(made)))
    except Mistaken as why:
        raise NotApplicable from why
    for i, ask in enumerate(game.asks):
        bounds, law = dict(said_of(band).each[i]), dict(said_of(decided).each[i])
        for value, chance in law.items():
            low, high = _bounds(bounds.get(value, Fraction(0)))
            if not low <= chance <= high:
                return f"{ask} is {value}: decided {chance}\nopen ({', '.join(some)}): {low} to {high}"
    return None


def _bounds(found: Any) -> tuple[Fraction, Fraction]:
    return found if isinstance(found, tuple) else (found, found)
