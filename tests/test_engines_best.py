"""The least and the greatest over all ways to choose: against a slow and obvious twin.

The twin plays: it gives `play` a script of faces and choices, and where the script ends, tries everything that may come
next. Faces are averaged, of choices the best is taken. It remembers nothing and knows nothing of worlds.
"""

from fractions import Fraction

from test_engines_kit import TooLong, TooMany, case_of, codes, rules_of

from interpreter.engines.choices import UNDECIDED, options, preferred
from interpreter.engines.play import Play
from interpreter.workbench import bands, cases


class Fork(Exception):
    def __init__(self, ways, chosen):
        self.ways, self.chosen = ways, chosen


class Script:
    """Faces and choices in the order in which they are asked for."""

    def __init__(self, told):
        self.told, self.at = told, 0

    def next(self, ways, chosen):
        if self.at == len(self.told):
            raise Fork(ways, chosen)
        self.at += 1
        return self.told[self.at - 1]

    def throw(self, line, n, sides, *who):
        return [self.next(range(1, sides + 1), False) for _ in range(n)]


class Twin:
    def __init__(self, case, budget=30_000, longest=10_000):
        self.case, self.left, self.longest = case, budget, longest
        self.ready = cases.made_ready(case, False)
        self.place = [self.ready.places[a.address] for a in case.asks]

    def end(self, told):
        """What this script leads to, or the Fork where it ends."""
        self.left -= 1
        if self.left < 0:
            raise TooMany
        if len(told) > self.longest:
            raise TooLong
        script = Script(told)

        def decide(site, question, state):
            if site.line.address in self.ready.overrides:
                question = self.ready.overrides[site.line.address][1](state, question)
            wish = site.kind == "wish"
            chosen = question[1] if wish else preferred(question)
            if chosen is None if wish else chosen is UNDECIDED:
                return script.next([True, False] if wish else options(question), True)
            return chosen

        ready = self.ready
        play = Play(ready.program, ready.start.keys, list(ready.start.state), script, decide)
        results = play.run(self.case.situation.procedure, ready.args)
        return tuple(results[p] for p in self.place)

    def tree(self, told=()):
        """Every history: an end, or `(chosen, [tree…])`."""
        try:
            return self.end(list(told))
        except Fork as fork:
            return Fork([self.tree((*told, way)) for way in fork.ways], fork.chosen)


def value(tree, worth, best):
    if not isinstance(tree, Fork):
        return Fraction(worth(tree))
    found = [value(way, worth, best) for way in tree.ways]
    return best(found) if tree.chosen else sum(found) / len(found)


def agree(case, budget=30_000, longest=10_000):
    """Bounds of everything that a case asks are those of the twin; the tree of all histories, and the band."""
    found = bands.band(case)
    assert found is not None, codes(case)
    tree = Twin(case, budget, longest).tree()
    for i, _ in enumerate(case.asks):

        def bounds(worth, i=i):
            return value(tree, lambda end: worth(end[i]), min), value(tree, lambda end: worth(end[i]), max)

        assert found.mean(i) == bounds(lambda x: x or 0)
        assert set(found.of(i)) == set(values(tree, i))
        for v, known in found.of(i).items():
            assert known == bounds(lambda x, v=v: x == v)
        for v, known in found.at_least(i).items():
            assert known == bounds(lambda x, v=v: x >= v)
    return found


def values(tree, i):
    if not isinstance(tree, Fork):
        return {tree[i]}
    return set().union(*[values(way, i) for way in tree.ways])
