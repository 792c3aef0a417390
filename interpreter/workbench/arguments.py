"""Builds a situation from short arguments: `A: 6 of them, tired`, `distance 20"`, and the name of a procedure.

Takes a rule set, a procedure's name, and short texts. Gives the same tree as a situation file would. Knows nothing of
terminals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.document.nodes import Entry, Mapping, Node, Scalar
from interpreter.document.nodes import Sequence as Items
from interpreter.program.words import sentence
from interpreter.rulebook.book import verb_forms
from interpreter.rulebook.symbols import Fact, Kind, Param, Procedure, Roll
from interpreter.source import Problems, Source, Span
from interpreter.source.nearest import did_you_mean
from interpreter.source.values import Record, field
from interpreter.vocabulary.types import Type

from .rule_sets import RuleSet
from .texts import joined, scalar
from .trees import read_text

_THING = r"\s*(?:([a-z][a-z0-9-]*)\s+)?([A-Z][A-Za-z0-9-]*)\s*(:|$)\s*"
_VALUE = r"\s*([a-z][a-z0-9-]*)\s*:\s*(?=\S)"
_PLAIN = r"\s*(?:[+-]?\d+(?:\.\d+)?\"?|[a-z][a-z0-9-]*|<[^<>]*>\"?)\s*"
_IS = r"\s*([A-Z][A-Za-z0-9-]*)\s+is\s+(?=\S)"
_FACT = r"\s*(not\s+)?([a-z][a-z0-9-]*)\s*(\([^()]*\))?\s*(?:is\s+)?"
_NUMBER = r"(\d+(?:\.\d+)?|<[^<>\"]*>)\s*(?:in|ins|inch|inches|')?\s*"
_DIE = r"(?<![a-z])\d*d\d"
_SOME = r"(?<![^,\s])(\d+)\s+(?:([a-z][a-z0-9-]*)\s+)?(?=with\s)"  # `4 with rifle`, `4 men with rifle`
_LISTED = r"([a-z][a-z0-9-]*)\s*:?\s*\[([^\[\]]*)\]"  # `men: [4 with rifle, 1 with gun]`, as in a file
_TRUTHS = {"yes": "", "no": "not ", "true": "", "false": "not "}


class _Asked(Record):
    """A procedure, an outcome table or a roll to run, and its arguments."""

    symbol: Procedure | Roll
    params: tuple[Param, ...]
    things: list[tuple[Kind, str]] = field(default_factory=list)  # the described things, in order
    slots: list[str | None] = field(default_factory=list)  # the argument of each parameter
    entries: dict[str, list[Scalar]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    trees: dict[str, Node] = field(default_factory=dict)
    facts: list[Scalar] = field(default_factory=list)
    dice: list[tuple[str, Scalar]] = field(default_factory=list)


def compose(rules: RuleSet, name: str, arguments: Sequence[str], problems: Problems) -> Mapping | None:
    """The tree of a situation that runs `name` with the given things and facts; None with problems."""
    symbol = procedure_named(rules, name)
    if symbol is None:
        known = [*rules.book.procedures, *rules.book.rolls]
        hint = did_you_mean(name, known, f"umpire show {rules.name}", limit=3)
        if (alone := next((p for word in name.split() if (p := procedure_named(rules, word))), None)) is not None:
            things = " ".join(f"'{letter}: …'" for _, letter in zip(_kinds(alone), "ABCDEF", strict=False))
            hint = f"the procedure stands alone, and who is there behind it: `{alone.name} {things}`"
        problems.add("N001", None, what="procedure or roll", name=name, hint=hint)
        return None
    params = symbol.params
    if isinstance(symbol, Roll) and symbol.subject is not None:
        params = (Param(symbol.subject.name, _of(symbol.subject), None, symbol.where), *params)
    work = _Asked(symbol, params, slots=[None] * len(params))
    sources = [Source(f"argument {i}", _uncurled(text)) for i, text in enumerate(arguments, 1)]
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


def _kinds(symbol: Procedure | Roll) -> list[Kind]:
    """The kinds of the things that a procedure or a roll works on."""
    subject = [symbol.subject] if isinstance(symbol, Roll) and symbol.subject is not None else []
    return [*subject, *(kind for param in symbol.params if (kind := _holder(param.type)) is not None)]


def _of(kind: Kind) -> Type:
    return Type("figure" if kind.counted else "thing", kind)


def _uncurled(text: str) -> str:
    for curled in "\u201c\u201d\u2033":
        text = text.replace(curled, '"')
    return text


def _holder(type_: Type) -> Kind | None:
    """The kind of the thing that must be described for a parameter; None for a plain value."""
    if type_.name in ("thing", "things"):
        return type_.of  # type: ignore[no-any-return]
    if type_.name in ("figure", "figures"):
        return type_.of.held_in()  # type: ignore[no-any-return]
    return None


def _thing(work: _Asked, rules: RuleSet, source: Source, problems: Problems) -> bool:
    match = re.match(_THING, source.text)
    if match is None or (match[3] != ":" and match[1] is None):
        return False
    word, name = match[1], match[2]
    kinds = rules.book.kinds
    if word is not None and (word not in kinds or kinds[word].counted):
        known = [k.name for k in kinds.values() if not k.counted]
        hint = did_you_mean(word, known, "kinds: " + ", ".join(known))
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
    else:
        _mixed(work, kind, name, source, match.end())
    work.entries[name] = [joined(source, [(match.end(), len(source.text.rstrip()))])]
    return True


def _mixed(work: _Asked, kind: Kind, name: str, source: Source, start: int) -> None:
    """Read `trained, 4 with tool saw, 1 with tool axe` like `is:` and a list of counted things in a file."""
    counted = next((c for holder in kind.lineage() for c in holder.bags), None)
    is_said: list[str | tuple[int, int]] = []
    some: list[Scalar] = []
    for listed in re.finditer(_LISTED, source.text[start:]) if "[" in source.text else ():
        if counted is not None and listed[1] in (counted.name, counted.plural):
            some += [_within(source, start + listed.start(2), part) for part in re.finditer(r"[^,]+", listed[2])]
    rest = re.sub(_LISTED, lambda listed: "," * len(listed[0]), source.text[start:]) if some else source.text[start:]
    for part in re.finditer(r"[^,]*[^,\s][^,]*", rest.rstrip()):
        text = part.group().strip()
        begin = start + part.start() + (len(part.group()) - len(part.group().lstrip()))
        group = re.match(_SOME, text) if "with" in text else None
        if group is not None and counted is not None and group[2] in (None, counted.name, counted.plural):
            some.append(joined(source, [(begin, begin + len(group[1])), " ", (begin + group.end(), begin + len(text))]))
        else:
            is_said += [*([", "] if is_said else []), (begin, begin + len(text))]
    if counted is None or not some:
        return
    entries = [Entry(scalar("described", counted.plural), Items(tuple(some), some[0].span))]
    if is_said:
        entries.insert(0, Entry(scalar("described", "is"), joined(source, is_said)))
    work.trees[name] = Mapping(tuple(entries), some[0].span)


def _within(source: Source, start: int, part: re.Match[str]) -> Scalar:
    """The part of a text matched after offset `start`, stripped of blanks."""
    begin = start + part.start() + len(part[0]) - len(part[0].lstrip())
    return joined(source, [(begin, begin + len(part[0].strip()))])


def _take_slot(work: _Asked, kind: Kind | None, name: str) -> Kind | None:
    """Assign a thing to the next parameter that it fits; returns its kind."""
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
    """Read `reach: 6` for a named parameter, or a bare value for the next one. Return whether the text was one."""
    match = re.match(_VALUE, source.text) if ":" in source.text else None
    start, index = 0, -1
    if match is not None:
        index = next((i for i, p in enumerate(work.params) if p.name == match[1]), -1)
        if index < 0:
            known = [p.name for p in work.params if _holder(p.type) is None]
            hint = (
                "plain values wanted: " + ", ".join(known)
                if known
                else "a thing has a capital: `A: …`; a fact none of `:`"
            )
            problems.add("N001", Span(source, *match.span(1)), what="value asked for", name=match[1], hint=hint)
            return True
        start = match.end()
    elif re.fullmatch(_PLAIN, source.text):
        text = source.text.strip()
        index = next((i for i, p in enumerate(work.params) if work.slots[i] is None and _fits(p, text)), -1)
    if index < 0:
        return False
    said = source.text[start:].strip()
    if re.search(_DIE, said):
        work.dice.append((work.params[index].name, joined(source, [(start, len(source.text))])))
        said = work.params[index].name
    if work.params[index].type.name == "inches" and re.fullmatch(r'\d+(\.\d+)?|<[^<>"]*>', said):
        said += '"'
    work.slots[index] = said
    return True


def _fits(param: Param, text: str) -> bool:
    type_ = param.type
    if text.startswith("<"):  # alternatives: test the first one
        first = text[1:].rpartition("=")[2].partition(",")[0].strip().rstrip('>"')
        return (first == f"all {type_.of.name}") if first.startswith("all ") and type_.of else _fits(param, first)
    if text[:1].isdigit() or text[:1] in "+-":
        return type_.name in ("number", "inches", "target")
    return (type_.name == "row" and text in type_.of.rows) or (type_.name == "truth" and text in _TRUTHS)


def _fact(work: _Asked, rules: RuleSet, source: Source, problems: Problems) -> None:
    text, end = source.text, len(source.text.rstrip())
    card = re.match(_IS, text) if " is " in text else None
    if card is not None and card[1] in work.entries:
        work.entries[card[1]].append(joined(source, [(card.end(), end)]))
        return
    match = re.match(_FACT, text)
    name = match[2] if match is not None else ""
    fact = rules.book.facts.get(name)
    if match is None or (fact is None and match[3] is None):
        words = [*rules.book.facts, *(f.name for f in _attributes(rules))]
        other = "a thing: `A: …`; a fact: " + (", ".join(rules.book.facts) or "none")
        place = Span(source, *(match.span(2) if match else (0, end)))
        problems.add(
            "N001", place, what="fact", name=name or text, hint=did_you_mean(name, words if name else (), other)
        )
        return
    rest = text[match.end() : end]
    negated = bool(match[1])
    value: list[str | tuple[int, int]] = [(match.end(), end)] if rest else []
    if fact is not None and fact.type.name == "truth" and rest in _TRUTHS:
        negated, value = negated is not (_TRUTHS[rest] != ""), []
    if fact is not None and fact.type.name == "inches" and (number := re.fullmatch(_NUMBER, rest)):
        at = match.end()
        value = [(at + number.start(1), at + number.end(1)), '"']
    things = "" if match[3] is not None or fact is None else _whose(fact, work, source, problems)
    said: list[str | tuple[int, int]] = ["not "] if negated else []
    said += [match.span(2), match.span(3) if match[3] is not None else things]
    work.facts.append(joined(source, [*said, *([" is ", *value] if value else [])]))


def _attributes(rules: RuleSet) -> Iterable[Any]:
    return (a for k in rules.book.kinds.values() if not k.counted for a in k.all_attributes())


def _whose(fact: Fact, work: _Asked, source: Source, problems: Problems) -> str:
    """The arguments `(A, B)` of a fact: the described things in order, matched by kind. Reports an ambiguity."""
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
    """Fill missing arguments: figures with those of the first thing that holds them. Report all others."""
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
            sort = "" if any(kind.is_a(holder) for kind, _ in work.things) else f"{holder.name} "  # name a new kind
            problems.add("F016", None, wanted=f"somebody as the {what}", hint=f"describe it: `{sort}{letter}: …`")
        else:
            problems.add("F016", None, wanted=f"the {param.name}, {param.type.words()}", hint=f"say `{param.name}: …`")


def _tree(work: _Asked, rules: RuleSet) -> Mapping:
    entries = [Entry(scalar("rules", "rules"), scalar("rules", rules.name))]
    for kind, name in work.things:
        texts = work.entries[name]
        key = joined(texts[0].span.source, [f"{kind.name} ", _name_span(texts[0].span.source, name)])
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
    """`A shoots at B`; for a roll or an outcome table, a line that rolls it."""
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
        said = scalar("do", sentence(rules.book, symbol.name, slots))
        if not lines:
            return said
        lines.append(Entry(scalar("do", "done"), said))
    return Mapping(tuple(lines), lines[0].key.span)
