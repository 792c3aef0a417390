"""Makes the parse tables of a grammar with Lark.

Takes the text of a grammar; gives `Tables`. The only module that imports Lark, and itself imported late, as tables are
seldom made. Knows nothing of sentences.
"""

from __future__ import annotations

import re
from typing import Any

import lark
from lark.grammar import Rule as LarkRule
from lark.lexer import BasicLexer, TerminalDef, UnlessCallback

from .parse_tables import STARTS, UNKNOWN, Rule, Tables, format_rule

_KEYWORDS = r"\(?([a-z |]+\??(?<!\|))\)?\(\?!\[\\w-\]\)"
_SET, _TWICE = re.compile(r"^(\[[^]\\]+\])\+"), r"\1\1*"


def make_tables(text: str) -> Tables:
    """The parse tables of a grammar."""
    return _convert(lark_parser(text))


def lark_parser(text: str) -> lark.Lark:
    """Lark's own parser of a grammar, from which the tables are taken."""
    return lark.Lark(
        text, parser="lalr", lexer="basic", start=list(STARTS), propagate_positions=True, maybe_placeholders=True
    )


def _convert(built: lark.Lark) -> Tables:
    data, memo = built.memo_serialize([TerminalDef, LarkRule])
    lexer: Any = built.parser.lexer
    assert isinstance(lexer, BasicLexer)
    patterns, alone = _separate_keywords([(t.name, t.pattern.to_regexp()) for t in lexer.scanner.terminals])
    words: dict[str, dict[str, str]] = {}
    for name, others in lexer.callback.items():
        assert isinstance(others, UnlessCallback)
        words[name] = {t.pattern.value: t.name for t in others.scanner.terminals}
    spelt = {t.name: (t.pattern.type == "str", str(t.pattern.value)) for t in built.terminals}

    parse: dict[str, Any] = data["parser"]["parser"]
    rules: dict[str, str] = {}
    numbers: dict[str, int] = {}
    places = {state: i for i, state in enumerate(parse["states"])}
    rows = []
    for moves in parse["states"].values():
        row: list[str] = []
        for token, (reduces, what) in moves.items():
            if reduces:
                rule = what["@"]
                if rule not in numbers:
                    numbers[rule] = len(numbers)
                    rules[rule] = format_rule(_rule(memo[rule]))
                row += parse["tokens"][token], str(-1 - numbers[rule])
            else:
                row += parse["tokens"][token], str(places[what])
        rows.append(" ".join(row))
    starts = {s: (places[parse["start_states"][s]], places[parse["end_states"][s]]) for s in STARTS}
    ignored = sorted(lexer.ignore_types)
    lines = "\n".join(rows), starts, "\n".join(rules.values())
    return Tables(_token_pattern(patterns, ignored), words, alone, ignored, *lines, spelt)


def _separate_keywords(patterns: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], dict[str, dict[str, str]]]:
    """The patterns apart from those that only spell keywords, and these keywords with their terminals, by first word.

    The first word of every keyword also matches a pattern that is left (that of names), and is looked up among its
    matches: compiling all patterns takes as long as reading a page.
    """
    left, alone = [], dict[str, dict[str, str]]()
    for i, (name, pattern) in enumerate(patterns):
        said = re.fullmatch(_KEYWORDS, pattern)
        words = [form for word in said[1].split("|") for form in _forms(word)] if said is not None else []
        others = [other for _, other in patterns[i + 1 :] if not re.fullmatch(_KEYWORDS, other)]
        taken = [[m[0] for other in others if (m := re.match(other, word))] for word in words]
        if words and taken == [[word.split()[0]] for word in words]:
            for word in words:
                alone.setdefault(word.split()[0], {}).setdefault(word, name)
        else:
            left.append((name, pattern))
    return left, alone


def _forms(word: str) -> list[str]:
    return [word[:-1], word[:-2]] if word.endswith("?") else [word]


def _rule(made: dict[str, Any]) -> Rule:
    """A rule as Lark's ParseTreeBuilder applies it."""
    symbol, expansion, options = made["origin"]["name"], made["expansion"], made["options"]
    assert options["template_source"] is None
    assert expansion, f"{symbol} may be nothing at all, and then has no place"
    empty = list(options["empty_indices"]) or [False] * len(expansion)
    absent = [0]  # how many absent parts stand before each symbol, and behind the last
    for nothing in empty:
        if nothing:
            absent[-1] += 1
        else:
            absent.append(0)
    takes: tuple[tuple[int, bool, int], ...] = ()
    before = 0
    for i, part in enumerate(expansion):
        before += absent[i]
        terminal = part["__type__"] == "Terminal"
        if options["keep_all_tokens"] or not (terminal and part["filter_out"]):
            takes += ((i, not terminal and part["name"].startswith("_"), before),)
            before = 0
    name = "" if symbol.startswith("_") else made["alias"] or symbol
    alone = options["expand1"] and not made["alias"]
    return Rule(symbol, len(expansion), name, alone, takes, before + absent[-1])


def _token_pattern(patterns: list[tuple[str, str]], ignored: list[str]) -> str:
    """One pattern for any token.

    What is ignored begins no token, so it is tried first, and taken with the token before it. `re` skips a branch that
    begins with a letter or a set of them at once, but not one that begins with a group: so the group that names a
    terminal is empty and stands where the token ends.
    """
    space = "|".join(pattern for name, pattern in patterns if name in ignored)
    words = [f"(?:{_SET.sub(_TWICE, pattern)})(?P<{name}>)" for name, pattern in patterns if name not in ignored]
    each = "|".join([f"(?:{space})(?P<{ignored[0]}>)", *words, f".(?P<{UNKNOWN}>)"])
    return f"(?:{each})(?:{space})*"
