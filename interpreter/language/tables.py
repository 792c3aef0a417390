"""The grammar's tables: worked out by Lark from the grammar, then kept as plain data in the user's cache folder.

Enters: the grammar's path. Leaves: `Tables`: how a text falls into words, and what may follow what. Lark is imported
here only, and only where the tables of this grammar are not kept. Knows nothing of sentences.
"""

from __future__ import annotations

import re
from functools import cache

from interpreter import disk, kept
from interpreter.hints import TYPE_CHECKING, Any
from interpreter.source import from_data
from interpreter.source.values import Struct

from .parse import STARTS

if TYPE_CHECKING:
    import lark

LARGEST = 1024 * 1024
FORM = "tables by Lark, 2"  # not by all of Umpire, which changes more often than its grammar


class Rule(Struct):
    """`size` symbols become one `symbol`; `name` builds its node of the children in `takes` (which, whether they are
    put in one by one, how many absent ones stand before), with so many absent ones after. `name` "": the children are
    put into the parent. `alone`: an only child stands for the whole.
    """

    symbol: str
    size: int
    name: str
    alone: bool
    takes: tuple[tuple[int, bool, int], ...]
    after: int


class Tables(Struct):
    """All that reading needs. In a row stand symbols, and behind each the next state, or -1 - the number of the rule
    that ends here; as a text, for few rows are ever looked into.
    """

    patterns: list[tuple[str, str]]  # a terminal and its pattern, in the order in which they are tried
    words: dict[str, dict[str, str]]  # of a terminal's texts those that are terminals themselves
    alone: dict[str, str]  # and those that are where no letter, digit or dash follows
    ignored: list[str]
    spelt: dict[str, tuple[bool, str]]  # of each terminal: whether it is a word as it stands; the word or pattern
    rows: list[str]
    states: list[int]  # the row of each state
    starts: dict[str, tuple[int, int]]  # the first and the last state of each start symbol
    rules: list[Rule]


def tables(grammar: str) -> Tables:
    """Those of a grammar, kept or made."""
    question = ("tables", *STARTS, grammar)
    answer = kept.recalled(question, by=FORM)
    if answer is not None:
        known: Tables = from_data.read(answer, _CLASSES)[0]
        return known
    with disk.noting() as watch:
        text = disk.content(grammar, LARGEST).decode("utf-8")
        disk.stamp(__file__)
    made = _made(parser(text))
    from interpreter.source import as_data

    kept.keep(question, watch, as_data.written(made, _CLASSES), by=FORM)
    return made


_CLASSES = (Tables, Rule)


def parser(text: str) -> lark.Lark:
    """Lark's own parser, which the tables are taken from."""
    import lark

    return lark.Lark(
        text, parser="lalr", lexer="basic", start=list(STARTS), propagate_positions=True, maybe_placeholders=True
    )


def _made(built: lark.Lark) -> Tables:
    from lark.grammar import Rule as LarkRule
    from lark.lexer import BasicLexer, TerminalDef, UnlessCallback

    data, memo = built.memo_serialize([TerminalDef, LarkRule])
    lexer: Any = built.parser.lexer
    assert isinstance(lexer, BasicLexer)
    patterns, alone = _without_words([(t.name, t.pattern.to_regexp()) for t in lexer.scanner.terminals])
    words: dict[str, dict[str, str]] = {}
    for name, others in lexer.callback.items():
        assert isinstance(others, UnlessCallback)
        words[name] = {t.pattern.value: t.name for t in others.scanner.terminals}
    spelt = {t.name: (t.pattern.type == "str", str(t.pattern.value)) for t in built.terminals}

    parse: dict[str, Any] = data["parser"]["parser"]
    rules: list[Rule] = []
    numbers: dict[int, int] = {}
    places = {state: i for i, state in enumerate(parse["states"])}
    rows: dict[str, int] = {}
    states = []
    for moves in parse["states"].values():
        row: list[str] = []
        for token, (reduces, what) in moves.items():
            if reduces:
                if what["@"] not in numbers:
                    numbers[what["@"]] = len(rules)
                    rules.append(_rule(memo[what["@"]]))
                row += parse["tokens"][token], str(-1 - numbers[what["@"]])
            else:
                row += parse["tokens"][token], str(places[what])
        states.append(rows.setdefault(" ".join(row), len(rows)))
    starts = {s: (places[parse["start_states"][s]], places[parse["end_states"][s]]) for s in STARTS}
    return Tables(patterns, words, alone, sorted(lexer.ignore_types), spelt, [*rows], states, starts, rules)


def _without_words(patterns: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """The patterns but for those that are words alone, and these words: each is a text of a pattern that is left (a
    name), and is found among names in no time, where compiling all patterns takes as long as reading a page.
    """
    left, alone = [], dict[str, str]()
    for i, (name, pattern) in enumerate(patterns):
        said = re.fullmatch(r"\(?([a-z|]+\??(?<!\|))\)?\(\?!\[\\w-\]\)", pattern)
        words = [form for word in said[1].split("|") for form in _forms(word)] if said is not None else []
        taken = [[re.match(other, word) for _, other in patterns[i + 1 :]] for word in words]
        if words and all([m[0] for m in each if m] == [word] for word, each in zip(words, taken, strict=True)):
            alone |= {word: name for word in words if word not in alone}
        else:
            left.append((name, pattern))
    return left, alone


def _forms(word: str) -> list[str]:
    return [word[:-1], word[:-2]] if word.endswith("?") else [word]


def _rule(made: dict[str, Any]) -> Rule:
    """As Lark's ParseTreeBuilder understands a rule."""
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
    return Rule(symbol, len(expansion), name, alone, _one(takes), before + absent[-1])


@cache
def _one(takes: tuple[tuple[int, bool, int], ...]) -> tuple[tuple[int, bool, int], ...]:
    """The same for all rules that take the same."""
    return takes
