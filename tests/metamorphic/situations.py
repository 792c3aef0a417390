"""Laws about situations: who is there under which name, said in which way."""

from __future__ import annotations

import re
from random import Random

from .game import Game, NotApplicable, Plain, fresh, written
from .law import Changed, changing

THING = re.compile(r"([a-z][\w-]*) ([A-Z][\w-]*)$")


def things(made: dict[str, Plain]) -> dict[str, str]:
    """The keys that describe a thing: key → its name."""
    return {key: found[2] for key in made if (found := THING.match(key))}


@changing
def other_names_of_things(game: Game, dice: Random) -> Changed:
    """What a thing is called changes no answer; nor does it that two have changed their names."""
    made = game.stated()
    names = list(things(made).values())
    if not names:
        raise NotApplicable
    new = [fresh(game, dice, "Z") for _ in names] if len(names) < 2 or dice.random() < 0.5 else names[1:] + names[:1]
    said = dict(zip(names, new, strict=True))

    def told(data: Plain) -> Plain:
        if isinstance(data, dict):
            return {told(k): told(v) if k != "rules" else v for k, v in data.items()}
        if isinstance(data, list):
            return [told(v) for v in data]
        return re.sub(r"(?<![\w-])[A-Z][\w-]*", lambda m: said.get(m[0], m[0]), data)

    asks = tuple(told(ask) for ask in game.asks)
    changed = Game(game.files, written(told(made)), asks, game.about)
    return Changed(changed, tuple(said.items()))


@changing
def groups_divided(game: Game, dice: Random) -> Game:
    """Three that are alike are one and two."""
    made = game.stated()
    able = [
        (body["figures"], i, found)
        for key in things(made)
        if isinstance(body := made[key], dict)
        for kind, groups in body.items()
        if kind != "is"
        for i, group in enumerate(groups if isinstance(groups, list) else [])
        if kind == "figures" and (found := re.match(r"(\d+)(.*)$", group)) and int(found[1]) > 1
    ]
    if not able:
        raise NotApplicable
    groups, at, found = dice.choice(able)
    many = int(found[1])
    some = dice.randint(1, many - 1)
    groups[at : at + 1] = [f"{some}{found[2]}", f"{many - some}{found[2]}"]
    if dice.random() < 0.5:
        groups.append(groups.pop(at))
    return game.with_situation(made)


@changing
def traits_said_otherwise(game: Game, dice: Random) -> Game:
    """What is said of a thing in one text may stand behind `is:`, in another order, or among the facts."""
    made = game.stated()
    able = [key for key in things(made) if isinstance(made[key], str) and made[key]]
    ruled = [key for key in things(made) if isinstance(made[key], dict) and made[key].get("is")]
    if not able and not ruled:
        raise NotApplicable
    key = dice.choice(able + ruled)
    text = made[key] if key in able else made[key]["is"]
    traits = [t.strip() for t in text.split(",")]
    how = dice.choice(["is", "order", "fact"])
    if how == "is" and key in able:
        made[key] = {"is": text}
    elif how == "order" and len(traits) > 1:
        dice.shuffle(traits)
        _say(made, key, ", ".join(traits))
    else:
        told = [t for t in traits if re.fullmatch(r"[a-z][a-z-]* -?\d+", t)]
        if not told or re.search(r"\d+ figures", text):
            raise NotApplicable
        trait = dice.choice(told)
        traits.remove(trait)
        _say(made, key, ", ".join(traits))
        name, number = trait.split(" ")
        _fact(made, f"{things(made)[key]}.{name} is {number}")
    return game.with_situation(made)


def _say(made: dict[str, Plain], key: str, text: str) -> None:
    if isinstance(made[key], dict):
        made[key] = {**made[key], "is": text}
        if not text:
            del made[key]["is"]
    else:
        made[key] = text


def _fact(made: dict[str, Plain], fact: str) -> None:
    facts = made.get("facts") or []
    made["facts"] = [*([facts] if isinstance(facts, str) else facts), fact]


@changing
def facts_in_another_order(game: Game, dice: Random) -> Game:
    """Facts are stated in any order, and so is all that is no thing."""
    made = game.stated()
    facts = made.get("facts")
    if isinstance(facts, list) and len(facts) > 1:
        dice.shuffle(facts)
    elif len(made) < 3:
        raise NotApplicable
    others = [key for key in made if key not in things(made)]
    dice.shuffle(others)
    rest = {key: made[key] for key in made if key in things(made)}
    if dice.random() < 0.5:
        return game.with_situation({**{k: made[k] for k in others}, **rest})
    return game.with_situation({**rest, **{k: made[k] for k in others}})


@changing
def what_is_done_by_a_name(game: Game, dice: Random) -> Game:
    """What is done is one sentence, or a line with a name."""
    made = game.stated()
    if not isinstance(made.get("do"), str):
        raise NotApplicable
    made["do"] = {fresh(game, dice): made["do"]}
    return game.with_situation(made)


@changing
def reading_that_is_the_first(game: Game, dice: Random) -> Game:
    """A ruling that is stated as it is anyhow changes no answer."""
    made = game.stated()
    stated = made.get("rulings") or {}
    able = [
        (title.split(" ")[1], text.split(",")[0].strip())
        for index in range(len(game.files))
        for heading, body in game.tree(index).items()
        if heading[:1].isupper() and isinstance(body, dict)
        for title, text in body.items()
        if title.startswith("ruling ") and isinstance(text, str)
    ]
    said = "\n".join(game.texts)
    once = [name for name, _ in able if len(re.findall(rf"^ *(?:ruling )?{name}\b", said, re.MULTILINE)) == 1]
    able = [(name, first) for name, first in able if name not in stated and name in once]  # no file changes it
    if not able or not isinstance(stated, dict):
        raise NotApplicable
    made["rulings"] = {**stated, **dict([dice.choice(able)])}
    return game.with_situation(made)


@changing
def thing_that_nobody_meets(game: Game, dice: Random) -> Game:
    """A side that has nothing, and that nobody speaks of, changes no answer."""
    made = game.stated()
    if "side" not in {key.split(" ")[0] for key in made} or any(re.search(r"\bsides\b", t) for t in game.texts):
        raise NotApplicable
    name = fresh(game, dice, "Z")
    return game.with_situation({**made, f"side {name}": ""})
