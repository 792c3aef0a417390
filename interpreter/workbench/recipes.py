"""House rules that players have asked for: searched by words, and inserted into a rule file or used as a new one.

Takes the recipe pages of the manual, words, and the text of a rule file. Gives `Recipe`s and texts. A page has the name
and the story of a recipe; its lines are a file of the examples, which the tests run. Knows nothing of the meaning of
lines: callers check the result.
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
_OPEN = re.compile(r"^(?P<indent> *+)(?P<title>[^\s#:][^:#]*+):\s*+(?:#.*)?$")  # the head of a block; no backtracking
_ENDING = re.compile(r"(?:ings?|ed|e?rs?|es?|s)$")
_IDLE = {
    "a", "an", "and", "are", "at", "be", "but", "by", "do", "for", "from", "get", "has", "have", "he", "i", "if", "in",
    "is", "it", "my", "no", "of", "on", "or", "so", "that", "the", "their", "they", "to", "we", "when", "who", "with",
}  # fmt: skip


class Recipe(Struct):
    """`name` is that of its file, `over` the games that it is laid over, `text` the content of the file."""

    name: str
    title: str
    story: str
    over: tuple[str, ...]
    about: str
    text: str


@cache
def recipes() -> tuple[Recipe, ...]:
    """All recipes of the distribution, page by page."""
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
    """The prose of a page without the markup of links and emphasis."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", story)
    return " ".join(re.sub(r"\*(\w[^*]*)\*", r"\1", text).split())


# ---- search
def search(words: str, among: Sequence[Recipe]) -> list[Recipe]:
    """The recipes that contain most of the words, in any form; those with them in the title first."""
    wanted = [_stem(word) for word in _words(words) if word not in _IDLE]
    if not wanted:
        return list(among)
    ranked = [(_worth(wanted, each), each) for each in among]
    best = max(found for (found, _), _ in ranked)
    fits = [pair for pair in ranked if pair[0][0] == best and best]
    return [each for _, each in sorted(fits, key=lambda pair: pair[0], reverse=True)]


def _worth(wanted: Sequence[str], recipe: Recipe) -> tuple[int, int]:
    """The number of the words in a recipe, and a score of their prominence."""
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
    """A word without its ending: `exploding` and `explodes` have the same stem."""
    short = _ENDING.sub("", word)
    return short if len(short) > 2 else word


# ---- insertion
def insert_recipe(text: str, recipe: Recipe) -> str:
    """A rule file with the lines of a recipe, inserted below the headings and in the blocks of the same names; missing
    headings are added at the end.
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
    """The definitions below a heading, each a title with its indented lines."""
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
    """The index after the last line that is indented deeper than line `start`."""
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
    """The lines, indented so that the first has the indentation `deep`."""
    by = deep - _depth(block[0])
    return [f"{' ' * by}{line}" if by >= 0 else line[-by:] for line in block]


def _renamed(line: str, text: str) -> str:
    """The title of an example, renamed if the file has an example of that name."""
    found = re.match(r"( *example )([\w-]+)(:.*)", line)
    if found is None:
        return line
    name, number = found[2], 2
    while re.search(rf"^ *example {re.escape(name)}:", text, re.MULTILINE):
        name, number = f"{found[2]}-{number}", number + 1
    return f"{found[1]}{name}{found[3]}"
