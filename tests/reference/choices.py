"""Choices: what the rules, the situation or a policy decide, and what is left open."""

from __future__ import annotations

from itertools import product
from typing import Any

from interpreter.language import nodes as n

from .chance import fits
from .rolls import Rolls
from .scopes import Scope
from .things import Faces, Many, Thing
from .trees import parse


class Choices(Rolls):
    def for_whom(self, node: n.Path, who: Any, scope: Scope) -> Any:
        """The unit, where its owner chooses for it; else who chooses."""
        last = node.parts[-1].name
        if len(node.parts) == 1 and any(last in each.vars for each in scope.chain()):
            return who
        unit = self.path(n.Path(0, 0, node.parts[:-1]), scope) if len(node.parts) > 1 else scope.subject()
        if isinstance(unit, Thing) and last in ("owner", self.book.owner_kind(unit.sort)):
            return unit
        return who

    def wished(self, node: n.Path, usually: tuple[Any, ...], scope: Scope) -> tuple[list[str], list[Any], bool]:
        """What decides here: words (`most`, `yes`, a number), what is taken first, and whether anything was said."""
        who = self.value(node, scope)
        side = who if isinstance(who, Thing) else None
        unit = self.for_whom(node, who, scope)
        said: list[Any] = []
        own = self.address[self.begun[-1] if self.begun else 0 :]  # whoever calls the procedure in which it stands
        for whose, line, text in self.wishes:
            if (whose is None or whose is side or whose is unit) and fits(own, line):
                said = list(parse(text, "policy").wishes)
                break
        words, prefer = _sorted(said)
        if "any" in words:
            return [], [], False
        more, others = _sorted(usually)
        return words or more, prefer or others, bool(said or usually)

    def v_wishes(self, node: n.Wishes, scope: Scope) -> bool:
        words, _, _ = self.wished(node.who, node.usually, scope)
        if "yes" in words or "no" in words:
            return "yes" in words
        return self.chance.choice(2, self.address) == 1

    def how_many(self, low: int, high: int, words: list[str]) -> int:
        if low >= high:
            return low
        if "most" in words or "fewest" in words:
            return high if "most" in words else low
        for word in words:
            if word.isdigit():
                return max(low, min(high, int(word)))
        return low + self.chance.choice(high - low + 1, self.address)

    def v_picknumber(self, node: n.PickNumber, scope: Scope) -> int:
        words, _, _ = self.wished(node.who, node.usually, scope)
        low, high = self.whole(self.number(node.low, scope)), self.whole(self.number(node.high, scope))
        return self.how_many(low, high, words)

    def v_pick(self, node: n.Pick, scope: Scope) -> Any:
        source = self.value(node.source, scope)
        items = self.things(source)
        many = min(self.whole(self.number(node.count, scope)), len(items))
        words, prefer, said = self.wished(node.who, node.usually, scope)
        if node.up_to:
            many = self.how_many(0, many, words)
        if isinstance(source, Faces):
            picked = self.picked_faces(items, many, prefer, said, scope)
            return (picked[0] if picked else 0) if _one(node) else Faces(picked, 0, source.thrown, source.inches)
        chosen = self.picked(items, many, prefer, said, scope)
        if _one(node) and not chosen:
            return 0 if self.of_dice(node.source, scope) else None
        return chosen[0] if _one(node) else Many(chosen)

    def preferred(self, items: list[Any], prefer: list[Any], scope: Scope) -> list[list[Any]]:
        """Groups of alike items, those that are taken first in front; ties in the order of the tables."""
        groups: dict[Any, list[Any]] = {}
        for item in items:
            key = self.world.alike(item) if isinstance(item, Thing) else (getattr(item, "place", 0), id(item))
            groups.setdefault(key, []).append(item)
        ranked = []
        for key, group in groups.items():
            rank = tuple(not self.fits(wish, group[0], scope) for wish in prefer)
            ranked.append((rank, key, group))
        return [group for _, _, group in sorted(ranked, key=lambda r: r[:2])]

    def picked(self, items: list[Any], many: int, prefer: list[Any], said: bool, scope: Scope) -> list[Any]:
        groups = self.preferred(items, prefer, scope)
        if not said:
            ways = [w for w in product(*(range(len(g) + 1) for g in groups)) if sum(w) == many]
            counts = ways[self.chance.choice(len(ways), self.address)] if len(ways) > 1 else ways[0]
            return [x for group, count in zip(groups, counts, strict=True) for x in self.take(group, count)]
        found: list[Any] = []
        for group in groups:
            found += self.take(group, min(len(group), many - len(found)))
        return found

    def picked_faces(self, faces: list[int], many: int, prefer: list[Any], said: bool, scope: Scope) -> list[int]:
        if not said:
            different = sorted(set(faces))
            ways = [w for w in product(*(range(faces.count(f) + 1) for f in different)) if sum(w) == many]
            counts = ways[self.chance.choice(len(ways), self.address)] if len(ways) > 1 else ways[0]
            return [f for f, count in zip(different, counts, strict=True) for _ in range(count)]
        inner = [Scope(scope, {"it": f}) for f in faces]
        ranks = [tuple(not self.truth(wish, s) for wish in prefer) for s in inner]
        return [f for _, f in sorted(zip(ranks, faces, strict=True))][:many]


def _one(node: n.Pick) -> bool:
    return isinstance(node.count, n.Number) and node.count.value == 1


def _sorted(wishes: Any) -> tuple[list[str], list[Any]]:
    """Words that say how many, or yes or no; and what is taken first."""
    words = [w.word for w in wishes if isinstance(w, n.Keyword)]
    words += [str(w.value) for w in wishes if isinstance(w, n.Number)]
    return words, [w for w in wishes if not isinstance(w, n.Keyword | n.Number)]
