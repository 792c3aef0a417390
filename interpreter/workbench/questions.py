"""What a person asks in few words → a situation's tree: arguments of a command, a situation file, questions, a condition.

Enters: a rule set and short texts such as `A: 6 of them, seasoned` or `distance 20"`. Leaves: the same `Mapping` that a file would give, with
each text its own source, so that problems point into `argument 2`; and helpers that a surface needs to speak about an answer. Knows
nothing of terminals.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.document import Entry, Mapping, Node, Scalar, check_situation_shape
from interpreter.document import Sequence as Items
from interpreter.document.offsets import Piece
from interpreter.places import rule_file
from interpreter.program.words import Words
from interpreter.rulebook.procedures import third_person, verb_forms
from interpreter.rulebook.symbols import Fact, Kind, Param, Procedure, Roll
from interpreter.source import Problems, Source, Span, nearest
from interpreter.vocabulary.types import Type

from .cases import Answer, Case, _after, _ready, prepare
from .examples import Example, Result, from_file, run, run_all
from .rules import RuleSet, open_rules, read_text, read_tree

Asks = list[tuple[str, Scalar]]

_THING = re.compile(r"\s*(?:([a-z][a-z0-9-]*)\s+)?([A-Z][A-Za-z0-9-]*)\s*(:|$)\s*")
_VALUE = re.compile(r"\s*([a-z][a-z0-9-]*)\s*:\s*(?=\S)")
_PLAIN = re.compile(r"\s*(?:[+-]?\d+(?:\.\d+)?\"?|[a-z][a-z0-9-]*)\s*")
_IS = re.compile(r"\s*([A-Z][A-Za-z0-9-]*)\s+is\s+(?=\S)")
_FACT = re.compile(r"\s*(not\s+)?([a-z][a-z0-9-]*)\s*(\([^()]*\))?\s*(?:is\s+)?")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*(?:in|ins|inch|inches|')?\s*")
_DIE = re.compile(r"(?<![a-z])\d*d\d")
_TRUTHS = {"yes": "", "no": "not ", "true": "", "false": "not "}


# ---- texts with places
def scalar(name: str, text: str) -> Scalar:
    """A text of its own, as if a file called `name` held nothing else."""
    source = Source(name, text)
    return Scalar(text, Span(source, 0, len(text)), "plain", [Piece(c, i, i + 1) for i, c in enumerate(text)])


def _joined(source: Source, parts: Iterable[str | tuple[int, int]]) -> Scalar:
    """Stretches of a source (start, end) and words put between them; those point at the stretch that follows."""
    table: list[Piece] = []
    parts = list(parts)
    for index, part in enumerate(parts):
        if isinstance(part, tuple):
            table += [Piece(source.text[i], i, i + 1) for i in range(*part)]
        else:
            near = next((p for p in parts[index + 1 :] if isinstance(p, tuple)), (0, len(source.text)))
            table += [Piece(c, *near) for c in part]
    return Scalar("".join(p.text for p in table), Span(source, 0, len(source.text)), "plain", table)


def asked(kind: str, name: str, texts: Sequence[str]) -> Asks:
    """Questions for `prepare`: `name` is what a problem calls them."""
    return [(kind, scalar(f"{name} {i}" if len(texts) > 1 else name, text)) for i, text in enumerate(texts, 1)]


def with_entries(root: Mapping, entries: Iterable[tuple[str, Node]], without: Iterable[str] = ()) -> Mapping:
    """The tree with keys set anew and others left out."""
    made = [Entry(scalar(key, key), value) for key, value in entries]
    gone = {*without, *(e.key.text for e in made)}
    return Mapping((*(e for e in root if e.key.text not in gone), *made), root.span)


def settings(name: str, texts: Sequence[str], problems: Problems) -> Mapping:
    """`LINE=POLICY` texts as named texts; `name` is what a problem calls them."""
    entries = []
    for i, text in enumerate(texts, 1):
        source = Source(f"{name} {i}" if len(texts) > 1 else name, text)
        key, sign, value = text.partition("=")
        if not sign or not key.strip() or not value.strip():
            problems.add("F016", Span(source, 0, len(text)), wanted=f"a name, `=` and what it is to be: `{name} NAME=VALUE`")
            continue
        start = len(key) + 1
        at = start + len(value) - len(value.lstrip())
        entries.append(Entry(_joined(source, [(0, len(key.rstrip()))]), _joined(source, [(at, len(text.rstrip()))])))
    source = Source(name, " ".join(texts))
    return Mapping(tuple(entries), Span(source, 0, len(source.text)))


def with_settings(old: Node | None, new: Mapping) -> Node:
    """What a situation settles, with more settled: the new ones win."""
    if isinstance(old, Mapping):
        gone = {e.key.text for e in new}
        return Mapping((*(e for e in old if e.key.text not in gone), *new), old.span)
    if old is None or (isinstance(old, Scalar) and not old.text):
        return new
    texts = old.items if isinstance(old, Items) else (old,)
    more = tuple(scalar("settings", f"{e.key.text} {e.value.text}") for e in new if isinstance(e.value, Scalar))
    return Items((*texts, *more), old.span)


# ---- situations in files and texts
def open_situation(
    what: str | os.PathLike[str] | dict[str, Any], problems: Problems, name: str = "situation", example: str | None = None
) -> tuple[RuleSet, Mapping] | None:
    """The rule set and tree of a situation: the path of a file, a text of YAML (with a line break), or plain data.

    `example` names one in a file of examples.
    """
    folder: Path | None = None
    if isinstance(what, dict):
        root = read_text(name, as_yaml(what), problems)
    elif isinstance(what, str) and "\n" in what:
        root = read_text(name, what, problems)
    else:
        folder = Path(what).parent
        root = read_tree(Path(what), problems)
    if root is None or problems.has_errors:
        return None
    rules = rules_of(root, folder, problems)
    if rules is None:
        return None
    if example is not None or _examples(root):
        found = _example(root, example, problems)
        if found is None:
            return None
        root = found
    check_situation_shape(root, problems)
    return None if problems.has_errors else (rules, root)


def _examples(root: Mapping) -> dict[str, Node]:
    return {(e.key.text.split(" ") + [""])[1]: e.value for e in root if e.key.text.startswith("example ")}


def _example(root: Mapping, name: str | None, problems: Problems) -> Mapping | None:
    known = _examples(root)
    found = known.get(name or "")
    if isinstance(found, Mapping):
        return found
    close = nearest(name or "", known)
    hint = f"did you mean `{close[0]}`?" if close else "examples here: " + ", ".join(list(known)[:6]) if known else None
    if name is None:
        problems.add("F016", None, wanted="the name of one of its examples", hint=hint)
    else:
        problems.add("N001", None, what="example", name=name, hint=hint)
    return None


def is_situation_file(name: str) -> bool:
    path = rule_file(name)
    root = read_tree(path, Problems()) if path is not None else None
    return root is not None and root.get("game") is None and _is_situation(root)


def is_rule_file(name: str) -> bool:
    path = rule_file(name)
    root = read_tree(path, Problems()) if path is not None else None
    return root is not None and root.get("game") is not None


def said(root: Mapping) -> str:
    """What a situation does, on one line."""
    node = root.get("do")
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Mapping):
        return ", ".join(f"{e.key.text}: {e.value.text}" if isinstance(e.value, Scalar) else e.key.text for e in node)
    return ""


def rules_of(root: Mapping, folder: Path | None, problems: Problems) -> RuleSet | None:
    """The rule set that a file names under `rules:`: a shipped one, or a file beside it."""
    node = root.get("rules")
    if not isinstance(node, Scalar) or not node.text.strip():
        problems.add("F016", node.span if node else None, wanted="`rules:` and the name of a rule set")
        return None
    said = node.text.strip()
    beside = [p for p in ((folder / said), (folder / f"{said}.yaml")) if p.is_file()] if folder is not None else []
    if beside and rule_file(said) is None:
        return open_rules(beside[0], problems)
    found = Problems()
    rules = open_rules(said, found)
    for problem in found:
        if problem.code == "F015" and problem.span is None:
            problems.add("F015", node.span, name=said, hint=problem.hint)
        else:
            problems.extend([problem])
    return rules


def as_yaml(data: dict[str, Any], indent: str = "") -> str:
    """Plain data as YAML; every text is quoted, so that nothing in it is YAML's."""
    lines = []
    for key, value in data.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}:" + ("" if value else " {}"), *([as_yaml(value, indent + "  ")] if value else [])]
        elif isinstance(value, list | tuple):
            lines.append(f"{indent}{key}:" + ("" if value else " []"))
            lines += [f"{indent}  - {_quoted(item)}" for item in value]
        else:
            lines.append(f"{indent}{key}: {_quoted(value)}")
    return "\n".join(lines) + ("\n" if not indent else "")


def _quoted(value: Any) -> str:
    text = {True: "yes", False: "no", None: ""}.get(value, value) if value is None or isinstance(value, bool) else value
    return "'" + str(text).replace("'", "''") + "'"


# ---- a situation of short arguments
@dataclass(eq=False, slots=True)
class _Asked:
    """What is to be carried out: a procedure, an outcome table, or a roll, and what it is handed."""

    symbol: Procedure | Roll
    params: tuple[Param, ...]
    things: list[tuple[Kind, str]] = field(default_factory=list)  # all that are described, in order
    slots: list[str | None] = field(default_factory=list)  # by parameter: what stands there
    entries: dict[str, list[Scalar]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    trees: dict[str, Node] = field(default_factory=dict)
    facts: list[Scalar] = field(default_factory=list)
    dice: list[tuple[str, Scalar]] = field(default_factory=list)


def compose(rules: RuleSet, name: str, arguments: Sequence[str], problems: Problems) -> Mapping | None:
    """The tree of a situation that carries out `name` with the things and facts of the arguments."""
    symbol = procedure_named(rules, name)
    if symbol is None:
        known = [*rules.book.procedures, *rules.book.rolls]
        close = nearest(name, known)
        hint = "did you mean " + " or ".join(f"`{c}`" for c in close) + "?" if close else f"umpire show {rules.name}"
        problems.add("N001", None, what="procedure or roll", name=name, hint=hint)
        return None
    params = symbol.params
    if isinstance(symbol, Roll) and symbol.subject is not None:
        params = (Param(symbol.subject.name, _of(symbol.subject), None, symbol.where), *params)
    work = _Asked(symbol, params, slots=[None] * len(params))
    sources = [Source(f"argument {i}", _straight(text)) for i, text in enumerate(arguments, 1)]
    later: list[Source] = []
    for source in sources:
        if not _thing(work, rules, source, problems) and not _value(work, source, problems):
            later.append(source)
    for source in later:
        _fact(work, rules, source, problems)
    _open_slots(work, problems)
    if problems.has_errors:
        return None
    return _tree(work, rules)


def procedure_named(rules: RuleSet, name: str) -> Procedure | Roll | None:
    """A procedure or outcome table by its name or verb, or a roll."""
    book = rules.book
    found = book.procedures.get(name) or book.rolls.get(name)
    return found or next((p for p in book.procedures.values() if name in verb_forms(p.name)), None)


def _of(kind: Kind) -> Type:
    return Type("figure" if kind.counted else "thing", kind)


def _straight(text: str) -> str:
    for curled in "\u201c\u201d\u2033":
        text = text.replace(curled, '"')
    return text


def _holder(type_: Type) -> Kind | None:
    """The kind of the thing that must be described for a parameter; None where a plain value stands."""
    if type_.name in ("thing", "things"):
        return type_.of  # type: ignore[no-any-return]
    if type_.name in ("figure", "figures"):
        return type_.of.held_in()  # type: ignore[no-any-return]
    return None


def _thing(work: _Asked, rules: RuleSet, source: Source, problems: Problems) -> bool:
    match = _THING.match(source.text)
    if match is None or (match[3] != ":" and match[1] is None):
        return False
    word, name = match[1], match[2]
    kinds = rules.book.kinds
    if word is not None and (word not in kinds or kinds[word].counted):
        known = [k.name for k in kinds.values() if not k.counted]
        close = nearest(word, known)
        hint = f"did you mean `{close[0]}`?" if close else "kinds: " + ", ".join(known)
        problems.add("N001", Span(source, *match.span(1)), what="kind", name=word, hint=hint)
        return True
    if name in work.kinds:
        problems.add("F011", Span(source, *match.span(2)), name=name)
        return True
    kind = _take_slot(work, kinds[word] if word is not None else None, name)
    if kind is None:
        example = next((k.name for k in kinds.values() if not k.counted), "kind")
        problems.add("F016", Span(source, *match.span(2)), wanted=f"what {name} is", hint=f"`{example} {name}: …`")
        return True
    work.things.append((kind, name))
    work.kinds[name] = kind.name
    rest = source.text[match.end() :]
    if rest.lstrip()[:1] in ("{", "["):
        inner = read_text(source.name, source.text, problems)
        if inner is not None and inner.entries:
            work.trees[name] = inner.entries[0].value
    work.entries[name] = [_joined(source, [(match.end(), len(source.text.rstrip()))])]
    return True


def _take_slot(work: _Asked, kind: Kind | None, name: str) -> Kind | None:
    """The next parameter that such a thing can stand for; what its kind is."""
    last: Kind | None = None
    for index, param in enumerate(work.params):
        holder = _holder(param.type)
        if holder is None:
            continue
        last = holder
        if work.slots[index] is not None or (param.type.name in ("figures", "things") and index > 0):
            continue
        if kind is not None and not kind.is_a(holder):
            return kind
        work.slots[index] = _stands_for(param, name)
        return kind or holder
    return kind or last


def _stands_for(param: Param, name: str) -> str:
    if param.type.name == "figures":
        return f"{name}.{param.type.of.plural}"
    return f"first({name}.{param.type.of.plural})" if param.type.name == "figure" else name


def _value(work: _Asked, source: Source, problems: Problems) -> bool:
    """`reach: 6` for a parameter by name, or a bare value for the next one."""
    match = _VALUE.match(source.text)
    start, index = 0, -1
    if match is not None:
        index = next((i for i, p in enumerate(work.params) if p.name == match[1]), -1)
        if index < 0:
            known = [p.name for p in work.params if _holder(p.type) is None]
            hint = "plain values wanted: " + ", ".join(known) if known else 'a thing has a capital: `A: …`; a fact none of `:`'
            problems.add("N001", Span(source, *match.span(1)), what="value asked for", name=match[1], hint=hint)
            return True
        start = match.end()
    elif _PLAIN.fullmatch(source.text):
        text = source.text.strip()
        index = next((i for i, p in enumerate(work.params) if work.slots[i] is None and _fits(p, text)), -1)
    if index < 0:
        return False
    said = source.text[start:].strip()
    if _DIE.search(said):
        work.dice.append((work.params[index].name, _joined(source, [(start, len(source.text))])))
        said = work.params[index].name
    if work.params[index].type.name == "inches" and re.fullmatch(r"\d+(\.\d+)?", said):
        said += '"'
    work.slots[index] = said
    return True


def _fits(param: Param, text: str) -> bool:
    type_ = param.type
    if text[:1].isdigit() or text[:1] in "+-":
        return type_.name in ("number", "inches", "target")
    return type_.name == "row" and text in type_.of.rows or type_.name == "truth" and text in _TRUTHS


def _fact(work: _Asked, rules: RuleSet, source: Source, problems: Problems) -> None:
    text, end = source.text, len(source.text.rstrip())
    card = _IS.match(text)
    if card is not None and card[1] in work.entries:
        work.entries[card[1]].append(_joined(source, [(card.end(), end)]))
        return
    match = _FACT.match(text)
    name = match[2] if match is not None else ""
    fact = rules.book.facts.get(name)
    if match is None or (fact is None and match[3] is None):
        words = [*rules.book.facts, *(f.name for f in _attributes(rules))]
        close = nearest(name, words) if name else []
        hint = f"did you mean `{close[0]}`?" if close else "a thing: `A: …`; a fact: " + (", ".join(rules.book.facts) or "none")
        problems.add("N001", Span(source, *(match.span(2) if match else (0, end))), what="fact", name=name or text, hint=hint)
        return
    rest = text[match.end() : end]
    negated, value = bool(match[1]), [(match.end(), end)] if rest else []
    if fact is not None and fact.type.name == "truth" and rest in _TRUTHS:
        negated, value = negated is not (_TRUTHS[rest] != ""), []
    if fact is not None and fact.type.name == "inches" and (number := _NUMBER.fullmatch(rest)):
        at = match.end()
        value = [(at + number.start(1), at + number.end(1)), '"']  # type: ignore[list-item]
    things = "" if match[3] is not None or fact is None else _whose(fact, work, source, problems)
    said: list[str | tuple[int, int]] = ["not "] if negated else []
    said += [match.span(2), match.span(3) if match[3] is not None else things]
    work.facts.append(_joined(source, [*said, *([" is ", *value] if value else [])]))


def _attributes(rules: RuleSet) -> Iterable[Any]:
    return (a for k in rules.book.kinds.values() if not k.counted for a in k.all_attributes())


def _whose(fact: Fact, work: _Asked, source: Source, problems: Problems) -> str:
    """`(A, B)`: the things described, in order, each where its kind can stand. Never a guess between two."""
    wanted = [fact.kind, *(p.type.of for p in fact.params if p.type.name == "thing")]
    left = list(work.things)
    found = []
    for kind in wanted:
        fits = [x for x in left if x[0].is_a(kind)]
        if not fits:
            break
        left.remove(fits[0])
        found.append(fits[0][1])
    span = Span(source, 0, len(source.text))
    could = [name for kind, name in work.things if kind.is_a(fact.kind)]
    if len(found) < len(wanted) or len(wanted) < 1 + len(fact.params):
        params = ", ".join(p.name for p in (fact.params or ()))
        said = f"{fact.name}({fact.kind.name}{', ' + params if params else ''})"
        problems.add("F016", span, wanted=f"whom `{fact.name}` speaks of", hint=f"say `{said} is …`")
    elif len(wanted) == 1 and len(could) > 1:
        options = " or ".join(f"`{fact.name}({name}) is …`" for name in could)
        problems.add("F016", span, wanted=f"whose `{fact.name}` it is", hint=f"say {options}")
    return f"({', '.join(found)})"


def _open_slots(work: _Asked, problems: Problems) -> None:
    """Parameters that nobody filled: those that hold many take what the first thing holds; others must be said."""
    for index, param in enumerate(work.params):
        if work.slots[index] is not None:
            continue
        holder = _holder(param.type)
        owner = next((name for kind, name in work.things if holder is not None and kind.is_a(holder)), None)
        if param.type.name == "figures" and owner is not None:
            work.slots[index] = f"{owner}.{param.type.of.plural}"
        elif holder is not None:
            letter = chr(ord("A") + len(work.things))
            what = param.name if param.name == holder.name else f"{param.name}, a {holder.name}"
            problems.add("F016", None, wanted=f"somebody as the {what}", hint=f"describe it: `{letter}: …`")
        else:
            problems.add("F016", None, wanted=f"the {param.name}, {param.type.words()}", hint=f"say `{param.name}: …`")


def _tree(work: _Asked, rules: RuleSet) -> Mapping:
    entries = [Entry(scalar("rules", "rules"), scalar("rules", rules.name))]
    for kind, name in work.things:
        texts = work.entries[name]
        key = _joined(texts[0].span.source, [f"{kind.name} ", _name_span(texts[0].span.source, name)])
        made: Node = work.trees.get(name, texts[0])
        if len(texts) > 1:
            made = Items((made, *texts[1:]), texts[0].span)
        entries.append(Entry(key, made))
    if work.facts:
        entries.append(Entry(scalar("facts", "facts"), Items(tuple(work.facts), work.facts[0].span)))
    done = _do(work, rules)
    entries.append(Entry(scalar("do", "do"), done))
    lines = [e.value for e in done if isinstance(e.value, Scalar)] if isinstance(done, Mapping) else [done]
    return Mapping(tuple(entries), lines[-1].span if lines else done.span)


def _name_span(source: Source, name: str) -> tuple[int, int]:
    start = source.text.find(name)
    return start, start + len(name)


def _do(work: _Asked, rules: RuleSet) -> Node:
    """`A shoots at B`; for a roll or an outcome table, a line that throws it."""
    symbol, slots = work.symbol, [s or "" for s in work.slots]
    lines = [Entry(scalar("do", name), value) for name, value in work.dice]
    inner = f"({', '.join(slots[1:])})" if slots[1:] else ""
    if isinstance(symbol, Roll):
        if symbol.subject is not None and symbol.subject.counted:
            owner = slots[0].partition("(")[2].rstrip(")")
            one = Entry(scalar("do", "passed"), scalar("do", f"1 passing each-one.{symbol.name}{inner}"))
            lines.append(Entry(scalar("do", f"tries, for each each-one in {owner}"), Mapping((one,), one.key.span)))
        else:
            lines.append(Entry(scalar("do", "passed"), scalar("do", f"{slots[0]} passes {symbol.name}{inner}")))
    elif symbol.table is not None:
        lines.append(Entry(scalar("do", "outcome"), scalar("do", f"{slots[0]}.{symbol.name}{inner}")))
    else:
        said = scalar("do", sentence(rules, symbol.name, slots))
        if not lines:
            return said
        lines.append(Entry(scalar("do", "done"), said))
    return Mapping(tuple(lines), lines[0].key.span)


def sentence(rules: RuleSet, name: str, arguments: Sequence[str]) -> str:
    """A call as the rules say it: `A shoots at B`; an outcome table is called by its name."""
    symbol = rules.book.procedures.get(name)
    if symbol is None or not arguments or len(arguments) != len(symbol.params):
        return f"{name} ({', '.join(arguments)})"
    if symbol.table is not None:
        return f"{arguments[0]}: {name} ({', '.join(arguments[1:])})"
    head, dash, tail = symbol.name.partition("-")
    pairs = list(zip(symbol.params, arguments, strict=True))[1:]
    plain = ", ".join(said for param, said in pairs if param.word is None)
    words = [f"{param.word} {said}" for param, said in pairs if param.word is not None]
    return " ".join(x for x in (arguments[0], third_person(head) + dash + tail, plain, *words) if x)


# ---- questions
EXPECTATIONS = ("then", "odds", "trace", "error", "dice", "ask")
_COUNTED = ("number", "truth", "figures", "row", "target", "inches")


def worth_asking(case: Case) -> list[str]:
    """Lines of what was done that can be counted, the nearest first: the procedure's own, then those of its calls."""
    lines = case.rules.checker.procedure(case.situation.procedure).lines
    records = [v for v in lines.values() if v.type.name == "record"]
    found: list[str] = []
    queue: list[tuple[str, Type, int]] = []
    for address, variable in lines.items():
        if variable.type.name == "record":
            queue.append(("" if len(records) == 1 else f"{address}.", variable.type, 0))
        elif variable.type.name in _COUNTED and not address.startswith("ask "):
            found.append(address)
    while queue:
        prefix, type_, depth = queue.pop(0)
        for address, variable in case.rules.checker.procedure(type_.of).lines.items():
            if "?" in address or " " in address:
                continue
            if variable.type.name == "record" and depth < 3:
                queue.append((f"{prefix}{address}.", variable.type, depth + 1))
            elif variable.type.name in _COUNTED:
                found.append(prefix + address)
    for thing in case.situation.things:
        if thing.name[:1].isupper():
            found += [f"{thing.name}.{held.plural}" for k in thing.kind.lineage() for held in k.bags]
    return list(dict.fromkeys(found))


def askable(case: Case, root: Mapping, text: str, given: Asks) -> Case | None:
    """The same case with one question, or None where it cannot be asked so."""
    quiet = Problems()
    bare = with_entries(root, (), EXPECTATIONS)
    made = prepare(case.rules, bare, quiet, [*given, *asked("show", "question", [text])])
    return made if made is not None and not quiet.has_errors else None


def conditional(answer: Answer, index: int) -> tuple[Answer, Fraction] | None:
    """The answer where question `index` holds, and how likely that is; None where it never holds."""
    kept = [(v[:index] + v[index + 1 :], w) for v, w in answer.joint if v[index]]
    total = sum(w for _, w in kept)
    if not total:
        return None
    asks = answer.asks[:index] + answer.asks[index + 1 :]
    merged: dict[tuple[Any, ...], int] = {}
    for values, amount in kept:
        merged[values] = merged.get(values, 0) + amount
    return Answer(asks, total, list(merged.items()), answer.words, answer.worlds), Fraction(total, answer.total)


def before(case: Case) -> dict[str, dict[str, str]]:
    """What every thing is as the situation begins, in the words of `Outcome.after`."""
    made = _ready(case, False)
    return _after(case, made, Words(case.rules.book, made.start.names)) if made is not None else {}


# ---- files of any kind
def shipped() -> list[str]:
    """The names of the rule sets that come with Umpire."""
    from interpreter.places import RULES

    return sorted(path.stem for path in RULES.glob("*.yaml"))


def check_file(name: str, problems: Problems) -> str:
    """Check a rule set by name or path, a situation, or a file of examples; what it was, in words."""
    path = rule_file(name)
    quiet = Problems()
    root = read_tree(path, quiet) if path is not None else None
    if root is None or root.get("game") is not None or not _is_situation(root):
        rules = open_rules(name, problems)
        return rule_words(rules) if rules is not None else "unreadable"
    problems.extend(quiet)
    assert path is not None
    found = rules_of(root, path.parent, problems)
    if found is None:
        return "a situation"
    if not any(e.key.text.split(" ")[0] == "example" for e in root):
        check_situation_shape(root, problems)
        if not problems.has_errors:
            prepare(found, root, problems)
        return f"a situation for {found.name}"
    examples = from_file(path, found, problems)
    for example in examples:
        own = Problems()
        check_situation_shape(example.body, own)
        if not own.has_errors:
            prepare(found, example.body, own)
        if example.body.get("error") is None:
            problems.extend(own)
    return f"{len(examples)} examples for {found.name}"


def _is_situation(root: Mapping) -> bool:
    keys = [e.key.text for e in root]
    return "rules" in keys or "do" in keys or any(k.startswith("example ") for k in keys)


def rule_words(rules: RuleSet) -> str:
    """`FUBAR: 12 tables, 7 rolls, 30 procedures`."""
    book = rules.book
    plain = [t for t in book.tables.values() if t.name not in book.procedures]
    counts = ((len(plain), "table"), (len(book.rolls), "roll"), (len(book.procedures), "procedure"))
    return f"{rules.title}: " + ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts)


def test_file(name: str, problems: Problems) -> tuple[RuleSet, list[Result]] | None:
    """The examples of a rule set (by name or path), of a file of examples, or the one that a situation is; each run."""
    path = rule_file(name)
    root = read_tree(path, Problems()) if path is not None else None
    if path is None or root is None or root.get("game") is not None or not _is_situation(root):
        rules, results = run_all(name, problems)
        return None if rules is None or problems.has_errors else (rules, results)
    rules = rules_of(root, path.parent, problems)
    if rules is None or problems.has_errors:
        return None
    if any(e.key.text.split(" ")[0] == "example" for e in root):
        examples = from_file(path, rules, problems)
    else:
        examples = [Example(path.stem, root, (), root.entries[0].key)]
    return rules, [run(rules, e) for e in examples]
