"""Corrections of rejected sentences: the one small change that would make a text a sentence.

Takes the text, the start symbol and the refusal; returns a `Correction` with offsets into the text, or None. Every
change is parsed before it is suggested, so that it cannot lead to the next mistake. This module does not know YAML, and
of games only that people write `when` for `if`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from interpreter.source import nearest
from interpreter.source.values import Struct

from .lr_parser import NoParse
from .parse import OF_LINES, Refusal, _alternatives, parser_for

# Frequent mistakes as pattern and replacement; each is suggested only if it makes a sentence. Compiled after a mistake
# only: compiling all takes as long as a check of a small file.
_SLIPS = (
    (r"[‘’‚‛]([^‘’‚‛']*)[‘’‚‛]", r"'\1'"),
    (r'"([0-9]+\+?|[a-z][\w-]*)"', r"\1"),
    (r"\bnot not\b", "not"),
    (r"\bnot ([a-z][\w.-]*) (?:is )?(?!is\b)([a-z][\w-]*)", r"\1 is not \2"),
    (r"(?<!\bis )\bnot (?=[a-z])", "is not "),
    (r"^(\S+ (?:failing|passing|where) \S.*?)(?= (?:gains?|loses?|leaves?)\b)", r"(\1)"),
    (r"\busually no ([a-z][\w-]*)", r"usually \1 is none"),
    (r"(?<=[a-z]) (?:on|of|at)(?= [0-9])", ""),
    (r" to [a-z-]+(?= if\b)", ""),
    (r"==", "="),
    (r"\broll (?=[0-9]*d[0-9])", ""),
    (r"\b([0-9]+) (?=d[0-9])", r"\1"),
    (r'(?<=d[0-9])"|(?<=d[0-9][0-9])"', ""),
    (r"\bmost common\b", "most-common"),
    (r"\bor nothing\b", "or none"),
    (r">>", ">"),
    (r"<<", "<"),
    (r"=<|≤", "<="),
    (r"=>|≥", ">="),
    (r"!=|<>|≠", "is not"),
    (r"!(?=\w)", "not "),
    (r"&&?", "and"),
    (r"\|\|?", "or"),
    (r"[×·]|\bx\b", "*"),
    (r"÷", "/"),
    (r"(?<=[0-9])=(?=[0-9])", "-"),
    (r"(?<=^[0-9])=(?=[a-z])", " "),
    (r"=", "is"),
    (r"\b([0-9]*)D([0-9]+)\b", r"\1d\2"),
    (r"\b([0-9]+)D\b", r"\1 dice"),
    (r"([0-9]+) ?(?:''|inch(?:es)?\b|in\b)", r'\1"'),
    (r"(?<=[0-9]) \+", "+"),
    (r'(?<=[+-][0-9])"', ""),
    (r"\+([0-9])\b", r"\1+"),
    (r"(?<=[0-9]) (?=\+)", ""),
    (r"([+-]) +([0-9])", r"\1\2"),
    (r"(?<=[0-9]) ?- ?(?=[0-9])", "-"),
    (r"(?<=[0-9]) ?- ?(?=[0-9])", " to "),
    (r"(?<=[\w\")]) ?([+-]) ?(?=[\w(])", r" \1 "),
    (r"([0-9]+)\+? or (?:better|higher|more)\b", r"\1+"),
    (r"([0-9]+) or (?:lower|worse)\b", r"\1 or less"),
    (r"\[([0-9][0-9., ]*)$", r"[\1]"),
    (r"(?<![\[0-9., ])([ ])([0-9][0-9., ]*)\]$", r"\1[\2]"),
    (r"\(([0-9]+(?:, ?[0-9]+)*)\)$", r"[\1]"),
    (r"\[\s*\]$", ""),
    (r"\bwhen(?:ever)?\b|\bwhile\b|\bin case\b", "if"),
    (r"\bunless\b", "if not"),
    (r"\belse\b", "otherwise"),
    (r"\botherwise\b", "else"),
    (r"\botherwise,? if\b|\belse,? if\b|\belif\b", "otherwise, if"),
    (r"\b(?:for ?each|for (?:every|all|any)|foreach|each)\b", "for each"),
    (r"\bhalf (?:of )?(?:the )?([a-z][\w.-]*)", r"half(\1)"),
    (r"\brandom ([0-9]+) (?:of|from) ([a-z][\w.-]*)", r"\1 of \2 at random"),
    (r"\bof\b", "in"),
    (r"\b(?:in|for)\b", "of"),
    (r"\b(?:is )?(?:greater|more|higher|larger) than\b|\bover\b|\babove\b", ">"),
    (r"\b(?:is )?(?:less|fewer|lower|smaller) than\b|\bunder\b|\bbelow\b", "<"),
    (r"\b(?:is )?at least\b", ">="),
    (r"\b(?:is )?at most\b|\bup to\b", "<="),
    (r"\bequals?(?: to)?\b", "="),
    (r"\bminus ([0-9])", r"-\1"),
    (r"\bplus ([0-9])", r"+\1"),
    (r"\bminus\b", "-"),
    (r"(?<=[a-z]),(?=[a-z])", "."),
    (r"\bplus\b", "+"),
    (r"\b(?:gets?|receives?|takes?|becomes?|is)\b", "gains"),
    (r"\b(?:removes?|drops?)\b", "loses"),
    (r"\b(?:chooses?|selects?|picks?)(?! up to| 1\b| one\b)\b", "picks 1 from"),
    (r"\b(?:chooses?|selects?)\b", "picks"),
    (r"\bpicks? (?:from )?(?:one|a|an)(?: of| from)?\b", "picks 1 from"),
    (r"\bpicks one(?: of| from)?\b", "picks 1 from"),
    (r"\b(?:may|can|might)\b", "wishes"),
    (r"\baway(?! from)\b", "away from"),
    (r"\btoward\b", "towards"),
    (r"\binto\b", "into contact with"),
    (r"\bis no\b", "is not a"),
    (r"\bis no\b|\bisn't\b|\bnot is\b", "is not"),
    (r"\bare\b", "is"),
    (r"\bdoes not\b|\bdon't\b", "not"),
    (r"\bneeding\b|\bneed\b", "needs"),
    (r"(?:(?<=passes )|(?<=fails )|(?<=[st]ing )|(?<=ling ))(?:an? |the )?roll (?=[a-z])", ""),
    (r"\brolls?\b|\bdie\b", "roll"),
    (r"\bre-?rolls?\b", "again"),
    (r"\b(?:the|a|an|then|do|must|will|some)\b ?", ""),
    (r"[.;!?)]$", ""),
    (r";", ","),
    (r" and ", ", "),
    (r"\b([0-9]+) (?:die|dices|d)\b", r"\1 dice"),
    (r"\btimes\b", "*"),
    (r"\b(?:nobody|null|nil|-)\b", "none"),
    (r"\busually (?:yes|no)\b", "usually most"),
    (r"\bfor (?:each|every)\b", "per"),
    (r"([+-]) (?=[a-z(])", r"\1"),
    (r"\bset (?:the )?([a-z][\w.-]*(?:\([^()]*\))?) to\b", r"\1 becomes"),
    (r", ?(?=(?:at|if|per|up to)\b)", " "),
    (r"\bwith\b", "where"),
    (r"([0-9]+) ?\.\. ?([0-9]+)", r"\1 to \2"),
    (r"\bfrom (?=[0-9])", ""),
    (r"\b(?:below|less|lower)\b", "under"),
    (r"\b(?:above|more|better|higher)\b", "over"),
    (r"(?<=\.)needs?\b", "needed"),
    (r"_", "-"),
    (r"\bnever\b", "until"),
    (r"\bafter\b", "until after"),
    (r"\buntil\b", "until after"),
    (r"\buntil (?:the )?(?:end of )?(?:the )?([a-z][\w-]*)(?: ends)?", r"until after \1"),
    (r"\btill?\b", "until"),
    (r"\bor none\b|\boptional\b", ""),
    (r"\bdefault(?:s to)?\b|\bstarts? at\b", "first"),
    (r"\b(?:bool|boolean|yes/no|true or false|flag)\b", "yes or no"),
    (r"\b(?:int|integer|count)\b", "number"),
    (r"\b(?:distance|inch)\b", "inches"),
    (r"\blist of\b|\bset of\b", "many"),
    (r"\bor more\b", "or over"),
    (r"\bor less\b", "or under"),
    (r"\bor over\b", "or more"),
    (r"\bor under\b", "or less"),
    (r"\bor (?:more|better|higher)\b", "at or over"),
    (r"\bor (?:less|lower)\b", "at or under"),
)

# Those patterns whose replacement is only another spelling, wherever the result is a sentence.
_SPELLINGS = frozenset(
    (
        r"[‘’‚‛]([^‘’‚‛']*)[‘’‚‛]",
        r"==",
        r"=<|≤",
        r"=>|≥",
        r"!=|<>|≠",
        r"&&?",
        r"\|\|?",
        r"÷",
        r"\b([0-9]*)D([0-9]+)\b",
        r"([0-9]+) ?(?:''|inch(?:es)?\b|in\b)",
    )
)

# Words that are often missing, the likeliest first.
_MISSING = (
    "if",
    "from",
    "1 from",
    "is",
    "in",
    "each",
    "of",
    "one of",
    "number",
    "repeat",
    "to",
    "up to",
    "times",
    "until",
    "for",
    "with",
    "by",
    ")",
    ",",
    "(",
    "at",
    "needs",
    "and",
    "*",
)

_WORD = re.compile(r"[^\W\d_][\w'-]*|[0-9]+[+\"]?|\S")
_NAMING_STARTS = (
    "title",
    "line_key",
    "row_key",
    "case_key",
    "words",
    "attribute",
)  # where a name of two words needs a hyphen
_WORDS_BEFORE = 4  # how many words before the refusal may contain the mistake


class Correction(Struct):
    """Replaces the text from `start` up to `end` by `instead`; an insertion if start = end.

    `safe` if it is only another spelling, so that the author cannot have meant anything else.
    """

    start: int
    end: int
    instead: str
    safe: bool = False


def find_correction(
    text: str,
    start: str,
    why: Refusal,
    grammar: str,
    names: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    called: frozenset[str] = frozenset(),
) -> Correction | None:
    """Return the first change, likeliest first, with which all of `text` can be parsed; None if there is none.

    `names` maps the names of the rules to the prepositions that may follow them, if they are verbs (`""`: none).
    `called` are the words of the language that the file uses as names of lines.
    """

    def reads(change: Correction) -> bool:
        if change.instead in OF_LINES and start in ("line_key", "case_key"):
            for_a_name = apply_correction(text, Correction(change.start, change.end, "name"))
            if not isinstance(parser_for(grammar).read(for_a_name, start, called), NoParse):
                return False  # the correction would make it the name of the line
        return not isinstance(parser_for(grammar).read(apply_correction(text, change), start, called), NoParse)

    if start == "line" and (reordered := _argument_behind(text, names)) is not None and reads(reordered):
        return reordered
    if why.kind not in ("word", "character") or len(text) > 200:
        return None
    words = [w for w in _WORD.finditer(text) if w.start() <= why.start][-_WORDS_BEFORE - 1 :]
    words += [w for w in _WORD.finditer(text) if w.start() > why.start][:4]
    for pair in re.finditer(r"(?=\b([a-z][a-z0-9-]*) ([a-z][a-z0-9-]*))", text):
        whole = f"{pair[1]}-{pair[2]}"  # a name that lost its hyphen
        change = Correction(pair.start(1), pair.end(2), whole)
        if whole in names and reads(change):
            return change
    for change in _dotted_names(text, words, names):
        if reads(change):
            return change
    if why.found in ("+", "-", "*", "/") and start == "line":
        for change in _bracket_sums(text, words):
            if reads(change):
                return change
    for change in _candidates(text, start, words, why, grammar, names):
        if reads(change):
            return change
    return None


def _argument_behind(text: str, names: Mapping[str, tuple[str, ...]]) -> Correction | None:
    """`A snipes at B 2` → `A snipes 2 at B`, if the verb takes an argument without a preposition."""
    match = re.search(r"(?<= )([a-z][\w-]*) ((?:(?:against|at|into|through|with) [\w.-]+ )+)([\w.-]+)$", text)
    if match is None or "" not in names.get(match[1], ()):
        return None
    return Correction(match.start(2), len(text), f"{match[3]} {match[2].rstrip()}")


def _dotted_names(text: str, words: list[re.Match[str]], names: Mapping[str, tuple[str, ...]]) -> Iterator[Correction]:
    """`target,cover`, `target's cover` → `target.cover`, if `cover` is a name of the rules."""
    until = words[-1].end() if words else 0
    for pair in re.finditer(r"\b([A-Za-z][\w-]*?)(?:'s |->|[,:_])(?=([a-z][a-z0-9-]*))", text):
        if pair.start() <= until and pair[2] in names:
            yield Correction(pair.start(), pair.end(2), f"{pair[1]}.{pair[2]}")


def _bracket_sums(text: str, words: list[re.Match[str]]) -> Iterator[Correction]:
    """Parentheses around a sum where a single term is expected, the shortest first."""
    for first in reversed(words):
        for last in words:
            part = text[first.start() : last.end()]
            if re.search(r" [+*/-] ", part) and part.count("(") == part.count(")"):
                yield Correction(first.start(), last.end(), f"({part})")


def _candidates(
    text: str, start: str, words: list[re.Match[str]], why: Refusal, grammar: str, names: Mapping[str, tuple[str, ...]]
) -> Iterator[Correction]:
    """Yield all changes to try, the likeliest first."""
    known = keywords(grammar)
    if start == "row":
        apart, gaps = re.subn(r"(?<=[0-9+\"]) *;? (?=[0-9a-z-])", ", ", text)
        if gaps > 1:
            yield Correction(0, len(text), apart)
        for empty in re.finditer(r"(?<=/)-|-(?=/)", text):  # near or far, it does not fire
            yield Correction(empty.start(), empty.end(), "0")
    if start == "line":
        for becoming in re.finditer(r"\bis now\b", text):
            yield Correction(becoming.start(), becoming.end(), "becomes")
    if start == "adjust":  # `if C then +1`: the change must come first
        turned = re.sub(r"^if (.+?),? (?:then )?((?:roll|needs|[+-][0-9]).*?)( \[[^\]]*\])?$", r"\2 if \1\3", text)
        yield Correction(0, len(text), turned)
    if start == "odds_of":  # `1.2 mean hits`, `50% that won`, `mean hits 6/5`
        for share in re.finditer(r"[0-9]+(?:\.[0-9]+)?(?: ?%|(?<=\.[0-9])|(?<=\.[0-9][0-9]))", text):
            yield Correction(share.start(), share.end(), _fraction(share.group()))
        behind = r"(mean|that) (.+?)(?: is| =|,)? ([0-9.]+ ?%|[0-9]+(?:/[0-9]+|\.[0-9]+)?)"
        if (order := re.fullmatch(behind, text)) is not None:
            yield Correction(0, len(text), f"{_fraction(order[3])} {order[1]} {order[2]}")
    until = max(why.end, words[-1].end() if words else 0)
    first = words[0].start() if words else 0
    for word in sorted(words, key=lambda w: (abs(w.start() - why.start), -w.start())):
        token = word.group()
        if token[0].isalpha() and token not in known and token not in names and len(token) > 1:
            yield from (Correction(word.start(), word.end(), close) for close in nearest(token.lower(), known))
            if not token.islower():
                yield Correction(word.start(), word.end(), token.lower())
    for pattern, instead in _SLIPS:
        for found in re.finditer(pattern, text):
            if found.end() >= first and found.start() <= until:
                safe = pattern in _SPELLINGS and not found.group().endswith("in")  # "3 in cover"
                yield Correction(found.start(), found.end(), found.expand(instead), safe)
    if start == "title" and text.startswith("to "):  # each parameter has its own parentheses
        inner = re.compile(r"(?<=\().*(?=\))").search(text)
        if inner is not None and ", " in inner.group():
            yield Correction(inner.start(), inner.end(), inner.group().replace(", ", "), ("))
    # A word behind a dot is an attribute of what is before it: a name is missing there, not a keyword.
    places = [w.start() for w in words if w.start() <= why.start and text[: w.start()].rstrip()[-1:] != "."]
    if start == "row" and why.found[:1].isdigit() and len(places) > 1:
        yield Correction(places[-2], places[-2], ",")  # `heavy reload 1`: a named cell is a cell of its own
    if why.start >= len(text):
        places.append(len(text))
    inside = text[: why.start].count("(") > text[: why.start].count(")")
    for place in reversed(places):
        if inside:  # parentheses contain a list
            yield Correction(place, place, ",")
        closing = len(text[:place].rstrip())
        first_of_all = (",",) if start == "line" and text[:closing][-1:].isdigit() else ()  # `B endures 1 front`
        yield from (Correction(p := closing if word == ")" else place, p, word) for word in (*first_of_all, *_MISSING))
    for gap in re.finditer(r"(?<=[a-z0-9]) (?=[a-z])", text[: why.end]) if start in _NAMING_STARTS else ():
        yield Correction(gap.start(), gap.end(), "-")
    if why.found[:1].isalpha() and why.found not in known:
        yield Correction(why.start, why.end, "")


def _fraction(text: str) -> str:
    """`1.2` → `6/5`, `50%` → `1/2`."""
    return str(Fraction(text.rstrip(" %")) / (100 if text.endswith("%") else 1))


@cache
def keywords(grammar: str) -> tuple[str, ...]:
    """Return every keyword of the grammar."""
    words: set[str] = set()
    for plain, spelling in parser_for(grammar).tables.spelt.values():
        words.update([spelling] if plain else _alternatives(spelling))
    return tuple(sorted(w for w in words if w.replace(" ", "").isalpha()))


def apply_correction(text: str, change: Correction) -> str:
    """Return the text with the change applied, with blanks around an inserted word."""
    before, after = text[: change.start], text[change.end :]
    if change.start < change.end or change.instead in "()":
        return (before + change.instead + after).strip()
    glue, after = "" if change.instead == "," else " ", after.lstrip()
    return f"{before.rstrip()}{glue}{change.instead}{'' if after[:1] == ',' else ' '}{after}".strip()
