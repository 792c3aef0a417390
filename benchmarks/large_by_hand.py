"""Some of the large questions of `large/`, each worked out by somebody who knows what of its rules matters to it.

Each function gives `({answer: weight}, denominator)`; where a question asks for several things the answer is a tuple.
Nothing here is general; that is the point. What may be left out, and why, is said where it is left out. As in Umpire
the table tells how far apart the units are, and who runs away is no farther from the other until it says so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from typing import Any

Law = tuple[dict[Any, int], int]
Worlds = dict[tuple[int, ...], int]


def _binomial(dice: int, good: int, faces: int) -> list[int]:
    """Weights of 0, 1, 2, … successes."""
    return [comb(dice, n) * good**n * (faces - good) ** (dice - n) for n in range(dice + 1)]


def _two_dice() -> dict[int, int]:
    return {n: 6 - abs(n - 7) for n in range(2, 13)}


def forget() -> None:
    """Every table that a run filled: a cold start."""
    for table in (_shot, _fallen, _hit):
        table.cache_clear()


# ---- twelve dice that hit on a 6, and then on a 4 or more
def vehicle_hits() -> Law:
    return dict(enumerate(_binomial(12, 1, 12))), 12**12


# ---- a row of a table of damage: nothing but the row and what ends the throwing counts
def vehicle_row() -> Law:
    """The tables lead to each other and back, so that an unsaved hit breaks the steering in 3 of 17 and wrecks the
    machine in 5 of 34. No other row makes either likelier. Every second hit is saved.
    """
    steering, wreck = Fraction(3, 34), Fraction(5, 68)
    chance = steering * (1 - (1 - steering - wreck) ** 12) / (steering + wreck)
    return {True: chance.numerator, False: chance.denominator - chance.numerator}, chance.denominator


# ---- two dice of dice that hit on a 4 or more, and saves on a 6
def psychic() -> Law:
    law: dict[Any, int] = defaultdict(int)
    for dice, ways in _two_dice().items():
        for hits, w in enumerate(_binomial(dice, 1, 2)):
            for unsaved, u in enumerate(_binomial(hits, 5, 6)):  # one of the green is down, the others die
                law[hits, 20 - max(0, unsaved - 1)] += ways * w * u * 2 ** (12 - dice) * 6 ** (12 - hits)
    return law, 36 * 2**12 * 6**12


# ---- a hundred dice: half of the target has soft cover or better, and as many no armour as light
def hundred() -> Law:
    return {(n, min(n, 1), max(n - 1, 0)): w for n, w in enumerate(_binomial(100, 1, 6))}, 6**100


# ---- flamethrowers: which of the living malfunctions is even chance, so only the dice of each count
def flames() -> Law:
    volley: dict[tuple[int, ...], int] = Counter()  # ones of all, and the hits of each, fewest first
    shots = {  # ones and hits of a man's three dice
        (ones, hits): comb(3, ones) * comb(3 - ones, hits) * 3**hits * 2 ** (3 - ones - hits)
        for ones in range(4)
        for hits in range(4 - ones)
    }
    for men in product(shots, repeat=3):
        ones, hits = zip(*men, strict=True)
        volley[sum(ones), *sorted(hits)] += shots[men[0]] * shots[men[1]] * shots[men[2]]
    law: dict[Any, int] = defaultdict(int)
    part = 6 * 300
    for (ones, *hits), weight in volley.items():
        due = ones // 2
        worlds: Worlds = {(sum(hits), 0): weight}  # hits, and which of the men are dead, as bits
        for _ in range(due):
            after: Worlds = defaultdict(int)
            for (scored, dead), w in worlds.items():
                living = [man for man in range(3) if not dead >> man & 1]
                even = w * 6 // len(living) if living else 0
                for man in living:
                    after[scored + hits[man], dead] += 52 * even  # a surge: 1 in 6, and 1 in 25 where the enemy picks
                    after[scored, dead | 1 << man] += 84 * even  # it explodes: every second of 3 in 6 and 9 in 150
                    after[scored, dead] += 164 * even
                if not living:
                    after[scored, dead] += part * w
            worlds = after
        for (scored, dead), w in worlds.items():
            law[scored, due, 6 - dead.bit_count()] += w * part ** (4 - due)
    return law, 6**9 * part**4


# ---- duels of rifles in two editions of one game: a unit is (alive, down, shaken)
Unit = tuple[int, int, int]
HALVES = 12  # six turns, in each of which one side acts after the other
FIRE = 6**8  # a volley, of eight dice at most, is told in parts of so much


@lru_cache(None)
def _shot(shots: int, good: int, unit: Unit, limit: int, nerves: bool) -> list[tuple[Unit, int]]:
    """What so many shots, each a hit with `good` faces, make of a unit of which no more than `limit` may be down."""
    alive, down, shaken = unit
    law: dict[Unit, int] = defaultdict(int)
    for hits, weight in enumerate(_binomial(shots, good, 6)):
        low = min(hits, limit - down, alive - down)
        dead = alive if hits > alive else hits - low
        after = down + low - min(down, dead)
        marker = nerves and (dead > 0 or (low > 0 and after == alive))
        law[(alive - dead, after, shaken | marker) if dead < alive else (0, 0, 0)] += weight * 6 ** (8 - shots)
    return list(law.items())


def _fire(worlds: dict[Any, int], aim: int, limit: int, nerves: bool) -> dict[Any, int]:
    """Everybody alive of those who act fires, aimed."""
    found: dict[Any, int] = defaultdict(int)
    for (me, foe, guard), w in worlds.items():
        for after, weight in _shot(me[0], aim, foe, limit, nerves):
            found[me, after, guard] += w * weight
    return found


def _answer(worlds: dict[Any, int], good: int, limit: int, nerves: bool) -> dict[Any, int]:
    """A guard who is left upright fires, in haste."""
    found: dict[Any, int] = defaultdict(int)
    for (me, foe, guard), w in worlds.items():
        if guard and foe[0] > foe[1]:
            for after, weight in _shot(foe[0] - foe[1], good, me, limit, nerves):
                found[after, foe, False] += w * weight
        else:
            found[me, foe, False] += w * FIRE  # he will try himself now, and then he is no guard any more
    return found


def _passing(need: int, down: int) -> int:
    """Faces of an activation die that pass: a 6 always does, a 1 never."""
    return max(1, min(5, 7 - need - down))


def _six_turns(half: Callable[[int, Any], tuple[dict[Any, int], int]]) -> Law:
    """A world is (who acts, the other, whether that one is on guard): the guard of who acts is over."""
    worlds: dict[Any, int] = {((8, 0, 0), (8, 0, 0), False): 1}
    ended: dict[Any, int] = defaultdict(int)
    total = 1
    for turn in range(HALVES):
        who = turn % 2
        found, part = half(who, worlds)
        worlds, total = defaultdict(int), total * part
        for left in ended:
            ended[left] *= part
        for (me, foe, guard), w in found.items():
            if me[0] and foe[0] and turn < HALVES - 1:
                worlds[foe, me, guard] += w
            else:
                ended[(foe[0], me[0]) if who else (me[0], foe[0])] += w
    return ended, total


def duel_modern() -> Law:
    need, skill, limit = (4, 5), (5, 6), (2, 1)

    def half(who: int, worlds: dict[Any, int]) -> tuple[dict[Any, int], int]:
        """Who fails stands guard, or goes back, and whoever is on guard fires at him."""
        firing: dict[Any, int] = defaultdict(int)
        going: dict[Any, int] = defaultdict(int)
        found: dict[Any, int] = defaultdict(int)
        for (me, foe, guard), w in worlds.items():
            good, stand = _passing(need[who], me[1]), (me[0], 0, 0)
            firing[stand, foe, guard] += w * good
            if me[0] < 4:
                going[stand, foe, guard] += w * (6 - good) * FIRE
            else:
                found[stand, foe, True] += w * (6 - good) * FIRE**2
        shown = _fire(firing, 8 - skill[who], limit[1 - who], False)
        for world, w in going.items():
            shown[world] += w
        for world, w in _answer(shown, 7 - skill[1 - who], limit[who], False).items():
            found[world] += w
        return found, 6 * FIRE**2

    return _six_turns(half)


def duel_vsf() -> Law:
    need, skill, limit = (3, 5), (4, 6), (3, 1)

    def half(who: int, worlds: dict[Any, int]) -> tuple[dict[Any, int], int]:
        """Activation, morale where there is a marker, and a second roll that makes a guard at best."""
        firing: dict[Any, int] = defaultdict(int)
        going: dict[Any, int] = defaultdict(int)
        found: dict[Any, int] = defaultdict(int)
        for (me, foe, guard), w in worlds.items():
            alive, down, shaken = me
            good = _passing(need[who], down)
            steady = good if shaken else 6
            stand = alive, 0, 0
            firing[stand, foe, guard] += w * good * steady * 6
            if shaken:
                going[(alive, 0, 1), foe, guard] += w * (6 - steady) * 36 * FIRE
            found[stand, foe, True] += w * (6 - good) * good * steady * FIRE**2
            found[stand, foe, False] += w * (6 - good) ** 2 * steady * FIRE**2
        shown = _fire(firing, 8 - skill[who], limit[1 - who], True)
        for world, w in going.items():
            shown[world] += w
        for world, w in _answer(shown, 7 - skill[1 - who], limit[who], True).items():
            found[world] += w
        return found, 216 * FIRE**2

    return _six_turns(half)


# ---- a duel in which nobody wears armour, so that nobody is suppressed, and a guard fires at nobody, for he would have
# to see somebody run before he has tried again
SALVO = 6**16 * 2**8  # of sixteen dice at most, and one for each man who falls


@lru_cache(None)
def _fallen(firing: int, good: int, alive: int) -> list[tuple[int, int, int]]:
    """How many fall to two shots a man, how many of them are killed, and the weight of that."""
    law: dict[tuple[int, int], int] = defaultdict(int)
    for hits, weight in enumerate(_binomial(2 * firing, good, 6)):
        fallen = min(hits, alive)
        for dead in range(fallen + 1):
            law[fallen, dead] += weight * comb(fallen, dead) * 6 ** (16 - 2 * firing) * 2 ** (8 - fallen)
    return [(fallen, dead, weight) for (fallen, dead), weight in law.items()]


def duel_imperial() -> Law:
    passing, hitting, bearing = (3, 4), (4, 5), (4, 6)  # faces that pass, those that hit the other, dead that it bears
    worlds: Worlds = {(8, 0, 8, 0, 0): 1}  # alive and dead of who acts, of the other, and whether who acts is broken
    ended: Worlds = defaultdict(int)
    part, total = 36 * SALVO, 1
    for turn in range(HALVES):
        who, total = turn % 2, total * part
        after: Worlds = defaultdict(int)
        for left in ended:
            ended[left] *= part
        for (me, lost, foe, gone, broken), w in worlds.items():
            idle = w * 6 * SALVO
            if broken:  # it rallies, or runs once more and all is over
                after[foe, gone, me, lost, 0] += idle * passing[who]
                after[foe, gone, me, lost, 1] += idle * (6 - passing[who])
                continue
            after[foe, gone, me, lost, 0] += idle * (6 - passing[who])
            for fallen, dead, weight in _fallen(me, hitting[who], foe):
                many = w * weight * passing[who]
                stand = 6
                if dead and gone + dead >= bearing[1 - who] and fallen < foe:
                    stand = passing[1 - who]
                    after[foe - fallen, gone + dead, me, lost, 1] += many * (6 - stand)
                after[foe - fallen, gone + dead, me, lost, 0] += many * stand
        worlds = defaultdict(int)
        for (me, lost, foe, gone, broken), w in after.items():
            if not me or (broken and who) or turn == HALVES - 1:
                ended[(me, foe) if who else (foe, me)] += w
            else:
                worlds[me, lost, foe, gone, broken] += w
    return ended, total


# ---- a duel on ten-sided dice: losses count against a test only in the turn of the loss
VOLLEY = 100**8  # each man's shot and the save against it


@lru_cache(None)
def _hit(firing: int, alive: int, pins: int) -> list[tuple[int, int, int]]:
    """The fallen, the pins, and the weight. Beyond half range; pins help the target twice."""
    shot, save = (2, 5) if pins else (3, 4)
    law: dict[tuple[int, int], int] = defaultdict(int)
    for hits, weight in enumerate(_binomial(firing, shot, 10)):
        for unsaved, ways in enumerate(_binomial(hits, 10 - save, 10)):
            law[min(alive, unsaved), min(6, pins + hits)] += weight * ways * 10 ** (16 - firing - hits)
    return [(fallen, pinned, weight) for (fallen, pinned), weight in law.items()]


def _leading(alive: int, pins: int, lost: int, routing: int) -> int:
    """Faces of ten that pass."""
    return max(1, min(9, 7 - pins - lost - (alive < 4) - 2 * routing))


def duel_vbcw() -> Law:
    worlds: Worlds = {(8, 0, 0, 0, 8, 0): 1}  # alive, pins, lost this turn, routing; alive and pins of the other
    ended: Worlds = defaultdict(int)
    part, total = 100 * VOLLEY, 1
    for turn in range(HALVES):
        who, total = turn % 2, total * part
        firing: Worlds = defaultdict(int)  # who passes has no pins any more
        after: Worlds = defaultdict(int)
        for left in ended:
            ended[left] *= part
        for (me, pins, lost, routing, foe, pinned), w in worlds.items():
            good = _leading(me, pins, lost, routing)
            firing[me, foe, pinned] += w * good
            idle = w * (10 - good) * 10 * VOLLEY
            if routing:  # it runs once more and all is over
                ended[foe, me] += idle
            else:
                after[foe, pinned, 0, 0, me, max(0, pins - 1)] += idle
        for (me, foe, pinned), w in firing.items():
            for fallen, more, weight in _hit(me, foe, pinned):
                alive, stand = foe - fallen, 10
                if alive and foe <= 4 * fallen:
                    stand = _leading(alive, more, fallen, 0)
                    after[alive, more, fallen, 1, me, 0] += w * weight * (10 - stand)
                after[alive, more, fallen, 0, me, 0] += w * weight * stand
        worlds = defaultdict(int)
        for (me, pins, lost, routing, foe, pinned), w in after.items():
            if not me or (routing and who) or turn == HALVES - 1:
                ended[(me, foe) if who else (foe, me)] += w
            else:
                worlds[me, pins, 0 if who else lost, routing, foe, pinned] += w
    return ended, total
