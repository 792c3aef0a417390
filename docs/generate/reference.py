"""The language reference, `docs/reference.md`, generated from the tables that Umpire itself uses.

Takes `grammar/rules.lark`, the JSON Schemas, the rows of the builtin functions, and the YAML files in the guides,
from which each form takes its example. Gives Markdown; run as a program, it writes the page. Nothing is written here
twice: a form is on the page exactly if it is in the grammar.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import yaml  # noqa: E402
from lark import Lark, Tree  # noqa: E402
from lark.exceptions import UnexpectedInput  # noqa: E402

from interpreter.folders import GRAMMAR  # noqa: E402
from interpreter.vocabulary.operations import FUNCTIONS, sentence  # noqa: E402

PAGE = ROOT / "docs" / "reference.md"
GUIDES = [
    ROOT / "docs" / f"{name}.md" for name in ("language", "steps", "rounds", "moments", "new-genre", "first-house-rule")
]
LARK = GRAMMAR / "rules.lark"
SCHEMAS = ROOT / "interpreter" / "document"

# What begins a rule, an alternative, a section of the grammar.
_SECTION = re.compile(r"// -+ (.+?) -+$")
_RULE = re.compile(r"([?!]*)([a-z_0-9]+): (.*)")
_TERMINAL = re.compile(r"([A-Z_0-9]+)(?:\.\d+)?: (.*)")
_PART = re.compile(r'"[^"]*"|/(?:\\.|[^/])*/|->|[A-Za-z_0-9]+|[][()|*+?]')


# Terminals that would not be readable in a form, or that the messages have no words for.
MEANT = {
    "ART": "`a` or `an`",
    "CMP": "a comparison: `>=`, `<=`, `>`, `<` or `=`",
    "ADD": "`+` or `-` between blanks",
    "MUL": "`*` or `/`",
    "SIGN": "`+` or `-` before a name",
    "DASH": "`-` alone in its cell",
    "BAND": 'near and far such as `12"/24"`',
    "SIGNED_DIST": 'a change of inches such as `+2"`',
    "DICE_DIST": 'dice that throw inches, such as `2d6"`',
}


@dataclass
class Form:
    """One way to write a rule of the grammar: its parts, and the name of its branch of a tree."""

    parts: list[str]
    branch: str


@dataclass
class Rule:
    name: str
    section: str
    forms: list[Form] = field(default_factory=list)


@dataclass
class Grammar:
    rules: dict[str, Rule] = field(default_factory=dict)
    terminals: dict[str, str] = field(default_factory=dict)


def read(text: str) -> Grammar:
    """The rules and the terminals of a grammar of Lark, in their order."""
    grammar, section, rule = Grammar(), "", ""
    for line in text.splitlines():
        if found := _SECTION.match(line):
            section = found[1].strip()
            continue
        line = line.strip() if line.startswith(" ") else line
        if found := _RULE.match(line):
            rule = found[2]
            grammar.rules[rule] = Rule(rule, section)
            line = found[3]
        elif found := _TERMINAL.match(line):
            grammar.terminals[found[1]] = found[2]
            continue
        elif not line.startswith("|"):
            continue
        grammar.rules[rule].forms += _forms(line, rule)
    return grammar


def _forms(line: str, rule: str) -> Iterator[Form]:
    parts: list[str] = []
    branch, depth = rule, 0
    tokens = _PART.findall(re.sub(r"\s//.*", "", line))
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token == "->":
            branch = tokens[at + 1]
            at += 1
        elif token == "|" and not depth:
            if parts:
                yield Form(parts, branch)
            parts, branch = [], rule
        else:
            depth += (token in "([") - (token in ")]")
            parts.append(token)
        at += 1
    if parts:
        yield Form(parts, branch)


class Writer:
    """Forms in words: typed text as it is, terminals in capitals, rules between pointed brackets."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def form(self, form: Form) -> str:
        parts = [self.part(p) for p in form.parts]
        text = " ".join(parts)
        text = re.sub(r"\[ cite \]|\bcite\b", "", text.replace("‹cite›", "cite"))
        text = text.replace("( ", "(").replace(" )", ")").replace("[ ", "[").replace(" ]", "]")
        text = re.sub(r"\((‹[^()]*(?:\([^()]*\)[^()]*)*)\) \?", r"[\1]", text)
        text = re.sub(r"([)\w›\]]) \*", r"\1…", text)
        text = re.sub(r"([)\w›\]]) \+(?= |\)|\]|$)", r"\1…", text)
        text = re.sub(r"\((\w+ / \w+) / \1\)", r"(\1)", text)  # one word as two terminals
        text = text.replace("⟨", "(").replace("⟩", ")")
        text = re.sub(r" +", " ", text).strip()
        text = re.sub(r" ,", ",", text)
        return re.sub(r"\( ?\)|\[ ?\]", "", text)

    def part(self, part: str) -> str:
        if part == "|":
            return "/"
        if part.startswith('"'):
            return part[1:-1].replace("(", "⟨").replace(")", "⟩")
        if part in self.grammar.rules:
            return f"‹{part.replace('_', ' ').strip()}›"
        if part in self.grammar.terminals:
            words = [] if part in MEANT else self.words(part)
            return " / ".join(words) if words else part.strip("_")
        return part

    def words(self, terminal: str) -> list[str]:
        """`(passes|fails)(?![\\w-])` → passes, fails; none where a pattern is no plain word."""
        pattern = self.grammar.terminals[terminal]
        if pattern.startswith('"'):
            return re.findall(r'"([^"]+)"', pattern)
        behind = re.sub(r"^\^|^\(\?<=[^)]*\)", "", pattern.strip("/")).replace(" +", " ")  # a lookbehind is no word
        head = re.split(r"\(\?[!=<]", behind)[0].strip("()")
        if group := re.fullmatch(r"(\w+) \((\w+)\|(\w+)", head):  # `usually (yes|no)`
            return [f"{group[1]} {group[2]}", f"{group[1]} {group[3]}"]
        found = [re.sub(r"(\w)\?", r"[\1]", w).replace("[s]", "(s)") for w in head.split("|")]
        return found if all(re.fullmatch(r"[a-z ()]+", w.replace("an?", "a")) for w in found) else []


class Examples:
    """Each branch of the grammar with the shortest text of the guide that is read so."""

    def __init__(self) -> None:
        text = LARK.read_text("utf-8")
        self.parser = Lark(text, parser="lalr", lexer="basic", start=STARTS, maybe_placeholders=True)
        self.found: dict[str, str] = {}
        for text, start in texts("\n".join(guide.read_text("utf-8") for guide in GUIDES)):
            try:
                tree = self.parser.parse(text, start=start)
            except UnexpectedInput:
                continue
            for branch in {str(t.data) for t in tree.iter_subtrees()} if isinstance(tree, Tree) else ():
                known = self.found.get(branch)
                if known is None or _telling(text) < _telling(known):
                    self.found[branch] = text


def _telling(text: str) -> tuple[bool, int, str]:
    """A sort key for examples: short ones first, but not those that are too short to show anything."""
    return len(text) < 6, len(text), text


_BODIES = {
    "kind": "attribute",
    "value": "adjust",
    "roll": "adjust",
    "limit": "line",
    "mark": "ending",
    "dice": "convention",
    "ruling": "options",
    "to": "line",
    "rule": "line",
    "fact": "attribute",
}
_SITUATION = {"do": "line", "facts": "stated", "dice": "throws", "then": "line", "odds": "odds_of", "choose": "policy"}
_OTHERS = ("title", "row", "words", "line_key", "case_key", "thing")
STARTS = sorted({*_OTHERS, *_BODIES.values(), *_SITUATION.values()})


def texts(markdown: str) -> Iterator[tuple[str, str]]:
    """The texts of the guide's files, each with the start symbol of the grammar that parses it."""
    for block in re.findall(r"^```yaml\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL):
        if re.match(r"# \S+, wrong", block):
            continue
        for _, section in _entries(yaml.compose(block)):
            for title, body in _entries(section):
                yield title, "title"
                word = title.split(" ")[0]
                if word == "example":
                    yield from _situation(body)
                elif word == "table":
                    yield from _rows(title, body)
                elif word in _BODIES:
                    yield from _lines(body, _BODIES[word])
                elif title.startswith("add to "):
                    yield from _lines(body, "row")
                    yield from _lines(body, "adjust")


def _entries(node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield key.value, value


def _lines(node: Any, start: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, yaml.ScalarNode) and node.value:
        yield node.value, start
    for key, value in _entries(node):
        yield key, "case_key" if re.match(r"-?\d", key) else "line_key"
        yield from _lines(value, start)


def _rows(title: str, node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, yaml.ScalarNode):
        yield node.value, "words"
    for key, value in _entries(node):
        if " by " in title:
            yield key, "case_key"
            yield from _lines(value, "line")
        elif isinstance(value, yaml.ScalarNode):
            yield value.value, "row"


def _situation(node: Any) -> Iterator[tuple[str, str]]:
    for key, value in _entries(node):
        start = _SITUATION.get(key, "thing" if " " in key else "")
        if not start:
            continue
        if isinstance(value, yaml.SequenceNode):
            for each in value.value:
                yield str(each.value), start
        elif isinstance(value, yaml.ScalarNode):
            yield value.value, start
        else:
            yield from ((v.value, start) for _, v in _entries(value) if isinstance(v, yaml.ScalarNode))


def page() -> str:
    """The whole page."""
    grammar = read(LARK.read_text("utf-8"))
    rulefile = json.loads((SCHEMAS / "rulefile.schema.json").read_text("utf-8"))
    situation = json.loads((SCHEMAS / "situation.schema.json").read_text("utf-8"))
    rows = [
        "# Reference",
        "",
        "This page is generated from the grammar, the schemas and the table of functions that Umpire itself uses, "
        "with examples from [the guide](language.md) and other pages. So it cannot disagree with the program. "
        "`python docs/generate/reference.py` writes it again.",
        "",
        "## The head of a file",
        "",
        *_table(("key", "holds"), _described(rulefile["properties"])),
        "",
        "## Under a heading",
        "",
        "A heading begins with a capital. Each definition below it begins with one of these words.",
        "",
        *_table(("begins with", "is"), _titles(rulefile)),
        "",
        "## A situation, or an example",
        "",
        *_table(("key", "holds"), _described(situation["$defs"]["situation"]["properties"])),
        "",
        "## A sweep",
        "",
        *_table(
            ("key", "holds"), _described(json.loads((SCHEMAS / "sweep.schema.json").read_text("utf-8"))["properties"])
        ),
        "",
        "## Functions",
        "",
        *_table(
            ("function", "is"), ((f"`{w}`", _cell(sentence(w).split(": ", 1)[-1], sentence(w))) for w in FUNCTIONS)
        ),
        "",
        "## Every sentence",
        "",
        "Type words in small letters as they stand. You may leave out a part in `[ ]`, repeat a part before `…`, and "
        "choose between parts with `/`. A word between ‹ › has its own entry on this page. Words in capitals "
        "stand for:",
        "",
        *_table(("", "is"), _meanings(grammar)),
        "",
        "Nearly all sentences may end with the clauses that they carry out, `[41, 42]`.",
        *_sentences(grammar),
    ]
    return "\n".join(rows) + "\n"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [" | ".join(heads), "|".join("---" for _ in heads), *(" | ".join(row) for row in rows)]
    return [f"| {line} |" if "---" not in line else f"|{line}|" for line in lines]


def _described(properties: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in properties.items():
        yield f"`{key}:`", value.get("description", "")


def _titles(rulefile: dict[str, Any]) -> Iterator[tuple[str, str]]:
    section = rulefile["$defs"]["section"]
    for pattern, value in section["patternProperties"].items():
        yield f"`{pattern.lstrip('^').split(' ')[0] if 'add to' not in pattern else 'add to'}`", value["description"]
    yield from _described(section["properties"])


def _cell(text: str, whole: str) -> str:
    """A function's sentences, each form in backticks."""
    forms = re.split(r"; (?=[\w-]+\()", whole)
    return "; ".join(re.sub(r"^([\w-]+\([^)]*\)): ", r"`\1`: ", form) for form in forms) or text


def _meanings(grammar: Grammar) -> Iterator[tuple[str, str]]:
    from interpreter.language.parse import MEANINGS

    writer = Writer(grammar)
    for name in grammar.terminals:
        if name in MEANT or not writer.words(name):
            meaning = MEANT.get(name) or MEANINGS.get(name, "")
            if name != "CITE":
                yield f"`{name.strip('_')}`", meaning


def _sentences(grammar: Grammar) -> Iterator[str]:
    writer, examples, section = Writer(grammar), Examples(), ""
    branches = Counter(f.branch for rule in grammar.rules.values() for f in rule.forms)
    for rule in grammar.rules.values():
        if rule.name == "cite":
            continue
        if rule.section != section:
            section = rule.section
            yield from ("", f"### {section[0].upper()}{section[1:]}")
        forms = [
            (writer.form(f), examples.found.get(f.branch, "") if branches[f.branch] == 1 else "") for f in rule.forms
        ]
        yield from ("", f"**‹{rule.name.replace('_', ' ').strip()}›**", "")
        for form, example in forms:
            if form:
                yield f"- {_code(form)}" + (f" as in {_code(example)}" if example else "")


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
