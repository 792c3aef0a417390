"""House rules that players have asked for: found by their words, and put into a rule file or made a new one.

Enters: the pages of the manual about recipes, words, the text of a rule file. Leaves: `Recipe`s, texts. A page has the
name and the story of a recipe; its lines are a file of the examples, which the tests run. Knows nothing of what lines
mean: whoever puts them in checks the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from interpreter.document.file_io import read_file
from interpreter.folders import EXAMPLES, RECIPES
from interpreter.rulebook.definitions import stack
from interpreter.source import Problems
from interpreter.source.values import Struct

_ON_PAGE = re.compile(
    r"^## (?P<title>.+)\n(?P<story>(?:(?!## ).*\n)*?)```yaml\n# (?P<file>examples/\S+)$", re.MULTILINE
)
_OPEN = re.compile(r"^(?P<indent> *+)(?P<title>[^\s#:][^:#]*+):\s*+(?:#.*)?$")  # the head of a block, in one go
_ENDING = re.compile(r"(?:ings?|ed|e?rs?|es?|s)$")
_IDLE = {
    "a", "an", "and", "are", "at", "be", "but", "by", "do", "for", "from", "get", "has", "have", "he", "i", "if", "in",
    "is", "it", "my", "no", "of", "on", "or", "so", "that", "the", "their", "they", "to", "we", "when", "who", "with",
}  # fmt: skip


class Recipe(Struct):
    """`name` is that of its file, `over` the games it is laid over, `text` the file."""

    name: str
    title: str
    story: str
    over: tuple[str, ...]
    about: str
    text: str


@cache
def recipes() -> tuple[Recipe, ...]:
    """All that come along, page by page."""
    found = []
    for page in sorted(RECIPES.glob("*.md")):
        said = read_file(page, Problems())
        for place in _ON_PAGE.finditer(said.text) if said is not None else ():
            file = EXAMPLES.parent / place["file"]
            lines = read_file(file, Problems())
            if lines is not None:
                head = dict(re.findall(r"^(over|about): *(.*)$", lines.text, re.MULTILINE))
                over = stack(head.get("over", ""))
                story = _plain(place["story"])
                found.append(Recipe(file.stem, place["title"], story, over, head.get("about", ""), lines.text))
    return tuple(found)


def _plain(story: str) -> str:
    """Prose of a page without the signs of its links and stresses."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", story)
    return " ".join(re.sub(r"\*(\w[^*]*)\*", r"\1", text).split())


# ---- to find one
def search(words: str, among: Sequence[Recipe]) -> list[Recipe]:
    """Those that have the most of the words, in any form; those that have them in their title first."""
    wanted = [_stem(word) for word in _words(words) if word not in _IDLE]
    if not wanted:
        return list(among)
    ranked = [(_worth(wanted, each), each) for each in among]
    best = max(found for (found, _), _ in ranked)
    fits = [pair for pair in ranked if pair[0][0] == best and best]
    return [each for _, each in sorted(fits, key=lambda pair: pair[0], reverse=True)]


def _worth(wanted: Sequence[str], recipe: Recipe) -> tuple[int, int]:
    """How many of the words it has, and how prominent they are."""
    places = (f"{recipe.title} {recipe.name}", recipe.about, recipe.story, recipe.text)
    said = [{_stem(word) for word in _words(place)} for place in places]
    ranks = [
        max((len(said) - i for i, has in enumerate(said) if any(s.startswith(word) for s in has)), default=0)
        for word in wanted
    ]
    return sum(rank > 0 for rank in ranks), sum(rank * rank for rank in ranks)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+|\d+", text.lower())


def _stem(word: str) -> str:
    """`exploding` and `explodes` are one word."""
    short = _ENDING.sub("", word)
    return short if len(short) > 2 else word


# ---- to use one
def put_in(text: str, recipe: Recipe) -> str:
    """A rule file with the lines of a recipe: each below the heading of its name and in the block of its title, where
    the file has these; else below a heading of its own at the end.
    """
    lines = text.splitlines()
    for heading, body in _headings(recipe.text):
        where = next((i for i, line in enumerate(lines) if _is(line, heading, 0)), None)
        if where is None:
            lines += ["", f"{heading}:", *(_renamed(line, text) for line in body)]
            continue
        for block in _blocks(body):
            _put_block(lines, where, [_renamed(line, text) for line in block])
    return "\n".join(lines) + "\n"


def _headings(text: str) -> Iterator[tuple[str, list[str]]]:
    lines = text.rstrip().splitlines()
    heads = [i for i, line in enumerate(lines) if (found := _OPEN.match(line)) and not found["indent"]]
    for start, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        body = lines[start + 1 : end]
        yield lines[start].rstrip(": "), body[: max((i + 1 for i, line in enumerate(body) if line.strip()), default=0)]


def _blocks(body: Sequence[str]) -> Iterator[list[str]]:
    """The definitions of a heading: a title and what is deeper."""
    deep = _depth(body[0])
    heads = [i for i, line in enumerate(body) if line.strip() and _depth(line) == deep]
    for start, end in zip(heads, [*heads[1:], len(body)], strict=True):
        yield list(body[start:end])


def _put_block(lines: list[str], heading: int, block: list[str]) -> None:
    end = _end(lines, heading)
    deep = next((_depth(line) for line in lines[heading + 1 : end] if line.strip()), 2)
    title = _OPEN.match(block[0])
    if title is not None and len(block) > 1 and title["title"].startswith(("change", "add to ")):
        for i in range(heading + 1, end):
            if _is(lines[i], title["title"].rstrip(), deep) and (inside := _end(lines, i)) > i + 1:
                inner = next(_depth(line) for line in lines[i + 1 : inside] if line.strip())
                lines[inside:inside] = _indented(block[1:], inner)
                return
    lines[end:end] = _indented(block, deep)


def _is(line: str, title: str, deep: int) -> bool:
    found = _OPEN.match(line)
    return found is not None and found["title"].rstrip() == title and len(found["indent"]) == deep


def _end(lines: Sequence[str], start: int) -> int:
    """Behind the last line that is deeper than the one at `start`."""
    deep, end = _depth(lines[start]), start + 1
    for i in range(start + 1, len(lines)):
        if lines[i].strip() and not lines[i].startswith("#"):
            if _depth(lines[i]) <= deep:
                break
            end = i + 1
    return end


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _indented(block: Sequence[str], deep: int) -> list[str]:
    """The same lines, of which the first is so deep."""
    by = deep - _depth(block[0])
    return [f"{' ' * by}{line}" if by >= 0 else line[-by:] for line in block]


def _renamed(line: str, text: str) -> str:
    """An example that the file has by that name gets another."""
    found = re.match(r"( *example )([\w-]+)(:.*)", line)
    if found is None:
        return line
    name, number = found[2], 2
    while re.search(rf"^ *example {re.escape(name)}:", text, re.MULTILINE):
        name, number = f"{found[2]}-{number}", number + 1
    return f"{found[1]}{name}{found[3]}"
