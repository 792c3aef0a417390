"""Checks the shape of a file: which keys are allowed where, and whether a text, a mapping or a list is under them.

Takes a tree; adds one problem for each violation, at its key or value. The JSON Schemas beside this file are the only
definition of shape; editors use them too. The meaning of texts is not checked here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from interpreter.document.nodes import Mapping, Node, Scalar, Sequence
from interpreter.document.quick_validation import QuickValidator
from interpreter.source import Fix, Problems, Span, nearest

RULE_FILE = "rulefile.schema.json"
SITUATION = "situation.schema.json"
SWEEP = "sweep.schema.json"

Steps = tuple[str | int, ...]  # from the root to a node: keys and numbers of items


@cache
def schema(name: str) -> dict[str, Any]:
    """Return one of the published schemas, `RULE_FILE`, `SITUATION` or `SWEEP`."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        loaded: dict[str, Any] = json.load(file)
    return loaded


def check_shape(root: Mapping, problems: Problems) -> None:
    """Add a problem for each violation of the schema in a rule file."""
    _validate(root, RULE_FILE, problems)


def check_situation_shape(root: Mapping, problems: Problems) -> None:
    """Add a problem for each violation of the schema in the file of a situation."""
    _validate(root, SITUATION, problems)


def check_sweep_shape(root: Mapping, problems: Problems) -> None:
    """Add a problem for each violation of the schema in the file of a sweep."""
    _validate(root, SWEEP, problems)


def title_words() -> tuple[str, ...]:
    """Return the words that the title of a definition can begin with, in the order of the schema."""
    patterns = schema(RULE_FILE)["$defs"]["section"]["patternProperties"]
    return tuple(pattern.removeprefix("^").removesuffix(" \\S") for pattern in patterns)


@cache
def _validator(name: str) -> Any:
    import jsonschema  # imported here: the import takes as long as a whole check

    # Each schema includes the others, so that a `$ref` to their files is resolved without disk access.
    others = {each: schema(each) for each in (RULE_FILE, SITUATION, SWEEP) if each != name}
    return jsonschema.Draft202012Validator(
        schema(name) | {"$defs": schema(name)["$defs"] | others},
    )


@cache
def _quick_validator() -> QuickValidator:
    return QuickValidator(schema)


def _validate(root: Mapping, name: str, problems: Problems) -> None:
    if _quick_validator().accepts(root, name):
        return
    for error in _validator(name).iter_errors(_to_json(root)):
        path = tuple(error.absolute_path)
        node, key = _locate(root, path)
        if error.validator == "additionalProperties" and isinstance(node, Mapping):
            for extra in _unknown_keys(node, error.schema):
                _report_unknown(extra, node.get(extra.text), path, name, problems)
        elif error.validator == "required" and isinstance(node, Mapping):
            for missing in error.validator_value:
                if node.get(missing) is None:
                    _report_missing(node, missing, problems)
        elif error.validator == "minLength":
            problems.add("S007", key.span if key else node.span, key=key.text if key else "")
        else:
            _report_kind(node, key, path, error.validator_value, problems)


def _to_json(node: Node) -> object:
    """The tree as JSON Schema expects it: dictionaries, lists and strings only."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [_to_json(item) for item in node]
    return {entry.key.text: _to_json(entry.value) for entry in node}


def _locate(root: Mapping, path: Steps) -> tuple[Node, Scalar | None]:
    """Return the node at a path and its key; None for the root and for items of a list without a key."""
    node: Node = root
    key: Scalar | None = None
    for step in path:
        if isinstance(node, Mapping):
            entry = node.entry(str(step))
            assert entry is not None, f"{step!r} is not in the tree that was validated"
            node, key = entry.value, entry.key
        elif isinstance(node, Sequence):
            node = node.items[int(step)]
    return node, key


def _unknown_keys(node: Mapping, rule: dict[str, Any]) -> Iterator[Scalar]:
    """The keys that `additionalProperties: false` rejects: jsonschema names them only in its English text."""
    patterns = [re.compile(pattern) for pattern in rule.get("patternProperties", {})]
    for entry in node:
        text = entry.key.text
        if text not in rule.get("properties", {}) and not any(p.search(text) for p in patterns):
            yield entry.key


def _report_unknown(key: Scalar, value: Node | None, path: Steps, name: str, problems: Problems) -> None:
    if name == SWEEP and not path:
        known = list(schema(SWEEP)["properties"])
        hint = f"it can be {_join_words([*known, 'situation NAME'])}"
        _add_unknown_key("B004", key, problems.nearest(key.text, known, key.span), problems, hint)
    elif problems.full(key.span):
        code = "S008" if name != RULE_FILE or len(path) > 1 else "S006" if path else "S001"
        problems.add(code, key.span, key=key.text, first=key.text)
    elif name != RULE_FILE or len(path) > 1:
        known = schema(SITUATION)["$defs"]["situation"]["properties"]
        close = problems.nearest(key.text, known, key.span)
        _add_unknown_key("S008", key, close, problems, None if close else _unknown_key_hint(key.text, value))
    elif path:
        _report_title(key, problems)
    elif title_word(key.text):
        hint = "put it under a heading that begins with a capital letter, such as `Firing:`"
        problems.add("S001", key.span, hint=hint, key=key.text)
    elif key.text in title_words():
        hint = f"put it under a heading that begins with a capital letter, with what it is about: `{key.text} NAME:`"
        problems.add("S001", key.span, hint=hint, key=key.text)
    elif isinstance(value, Mapping) and not nearest(key.text, schema(RULE_FILE)["properties"]):
        large = key.text[:1].upper() + key.text[1:]
        fix = Fix(key.span, large, False, f"write `{large}`")
        problems.add("S001", key.span, hint="a heading begins with a capital letter", fix=fix, key=key.text)
    else:
        _add_unknown_key("S001", key, nearest(key.text, schema(RULE_FILE)["properties"]), problems)


def _unknown_key_hint(key: str, value: Node | None) -> str | None:
    """Return a hint for an unknown key of a situation: most often it is a fact, or a thing without its kind."""
    name = re.fullmatch(r"([a-z][a-z0-9-]*)(\(.*\))?", key)
    if name is not None and isinstance(value, Scalar) and value.text:
        return f"what the table tells stands under `facts:`, as `facts: {name[1]}{name[2] or '(A, B)'} is {value.text}`"
    return "a thing begins with what it is: `unit A: …`" if re.fullmatch(r"[A-Z]\w*", key) else None


def _add_unknown_key(code: str, key: Scalar, close: list[str], problems: Problems, hint: str | None = None) -> None:
    hint = f"did you mean {_join_words(close)}?" if close else hint
    fix = Fix(key.span, close[0], False, f"write `{close[0]}`") if close else None
    problems.add(code, key.span, hint=hint, fix=fix, key=key.text)


def title_word(title: str) -> str | None:
    """Return the word of the language that a title begins with, such as `roll`; None if it begins with none."""
    return next((word for word in title_words() if title.startswith(f"{word} ")), None)


def _report_title(key: Scalar, problems: Problems) -> None:
    """Report a title whose first word is not one of them, at that word."""
    words = title_words()
    first = key.text.split(" ")[0]
    place = key.at(0, len(first))
    if key.text in words:
        problems.add("S006", key.span, hint=f"give it a name: `{key.text} NAME:`", first=key.text)
        return
    lower = first[:1].lower() + first[1:]
    short = {word.split(" ")[0]: word for word in reversed(words)}
    if first in short:
        return  # such as `add too unit:`; its second word is rejected where the title is parsed
    near = [lower] if lower in short else nearest(lower, short)
    close = list(dict.fromkeys(short[word] for word in near))
    if first == "change":
        path = key.text[len(first) :].strip() or "NAME.LINE"
        problems.add("S006", place, hint=f"`change:` stands alone, and below it what changes: `{path}: …`", first=first)
    elif close:
        rest = key.text[len(first) :].removeprefix(close[0].removeprefix(close[0].split(" ")[0]))
        fix: Fix | None = Fix(place, close[0], False, f"write `{close[0]}{rest}`")
        fix = fix if " " not in close[0] else None
        problems.add("S006", place, hint=f"did you mean {_join_words(close)}?", fix=fix, first=first)
    else:
        problems.add("S006", place, hint=f"it can be {_join_words(list(words))}", first=first)


def _report_missing(node: Mapping, missing: str, problems: Problems) -> None:
    """Report a missing key at the first key, since the span of the mapping is the whole file."""
    start = node.entries[0].key.span if node.entries else node.span
    found = nearest(missing, (entry.key.text for entry in node))
    if found and found[0] not in schema(RULE_FILE)["properties"]:
        return  # it was reported as an unknown key, with the missing one as its hint
    problems.add("S002", start, hint=f"begin the file with `{missing}: NAME`", missing=missing)


_KINDS = {"string": "a text", "object": "named lines", "array": "a list"}


def _report_kind(node: Node, key: Scalar | None, path: Steps, wanted: Any, problems: Problems) -> None:
    kinds = [wanted] if isinstance(wanted, str) else list(wanted)
    what = f"`{key.text}`" if key else "this"
    situated = schema(SITUATION)["$defs"]["situation"]["properties"]
    if isinstance(node, Sequence) and "object" in kinds and key and key.text in situated:
        first = next((item.text for item in node.items if isinstance(item, Scalar)), "…")
        hint = f"below it, each on a line with a name: `first-of-all: {first}`"
        problems.add("S004", _head_span(node), hint=hint, what=what)
    elif isinstance(node, Sequence) and "array" not in kinds:
        problems.add("S004", _head_span(node), fix=_fix_bracketed_text(node), what=what)
    elif len(path) == 1 and key and kinds == ["object"] and key.text[:1].isupper():
        text = node.text if isinstance(node, Scalar) else ""
        lower = key.text[:1].lower() + key.text[1:]
        hint = None
        if lower in schema(RULE_FILE)["properties"]:
            hint = f"if it belongs to the head of the file, write it small: `{lower}`"
        elif title_word(text):
            hint = f"a title ends with a colon: `{text}:`"
        problems.add("S005", node.span if text else key.span, hint=hint, heading=key.text)
    else:
        more: dict[str, Any] = suggest_colon(node) if "string" not in kinds else {}
        if more and key and key.text in situated and isinstance(node, Scalar):  # the value is on the line of its key
            flow = f"{{{more['fix'].text.removeprefix('write `').removesuffix('`')}}}"
            more = {"fix": Fix(node.span, flow, False, f"write `{flow}`")}
        if key and isinstance(node, Scalar) and not node.text and _cut_by_comma(key):
            more["hint"] = "in braces a comma begins the next entry: quote what belongs together, or write it below"
        elif key and len(path) > 1 and path[-2] == "choose" and isinstance(node, Mapping) and node.entries:
            line, value = node.entries[0].key.text, node.entries[0].value
            line += f": {value.text}" if isinstance(value, Scalar) else ": …"
            more["hint"] = f"each on a line of its own, with whose it is before it: `{key.text}.{line}`"
        elif key and len(path) > 1 and path[-2] == "odds" and isinstance(node, Scalar):
            more = {"hint": _table_hint(key.text, node.text)}
        elif "hint" not in more and key and (form := _example_form(key.text, kinds)) is not None:
            more["hint"] = f"it is written {form}"
        place = _head_span(node) if not isinstance(node, Scalar) or node.text else None
        problems.add(
            "S003",
            place or (key.span if key else node.span),
            what=what,
            wanted=" or ".join(_KINDS[kind] for kind in kinds),
            found=_describe_node(node),
            **more,
        )


def _table_hint(key: str, text: str) -> str:
    """A hint for a key under `odds:` that is not a row of a table."""
    if key in schema(SITUATION)["$defs"]["situation"]["properties"]:
        return f"`{key}:` stands beside `odds:`, not below it"
    whole = re.match(r"[0-9/]+ (?:that|mean) ", key)
    share = text if re.fullmatch(r"[0-9]+(?:/[0-9]+)?", text) else "1/2"
    single = key if whole else f"{share} that {key}"
    return f"a single chance is said as `odds: {single}`; a table has a row for each outcome below it"


def _cut_by_comma(key: Scalar) -> bool:
    """Return whether a comma ends this key: in `{a, b: …}` it is an entry of its own."""
    return key.span.source.text[key.span.end :].lstrip()[:1] == ","


def situation_key_hint(key: str, name: str, text: str) -> str | None:
    """Return a hint on how to write `KEY: NAME: SAID`, where KEY is a key of a situation; else None."""
    rule = schema(SITUATION)["$defs"]["situation"]["properties"].get(key)
    if rule is None or "$ref" not in rule:
        return None
    file, _, place = rule["$ref"].partition("#/$defs/")
    kinds = schema(file or SITUATION)["$defs"][place].get("type", ())
    if "object" in kinds:
        return f"what has a name stands below `{key}:`, further right, on a line of its own: `{name}: {text}`"
    form = _example_form(key, kinds)
    return f"it is written {form}" if form is not None else None


def _example_form(key: str, kinds: list[str]) -> str | None:
    """Return the first example of a key of a situation in the schema, as written in a file; None without one."""
    shown = schema(SITUATION)["$defs"]["situation"]["properties"].get(key, {}).get("examples", [None])[0]
    shown = shown[0] if isinstance(shown, list) else shown
    if isinstance(shown, dict):
        return "`" + f"{key}: {{" + ", ".join(f"{name}: {text}" for name, text in shown.items()) + "}`"
    return f"`{key}: {shown}`" if shown is not None and "string" in kinds else None


_NAMED_LINE = r"(?P<name>[a-z][\w.-]*)(?P<sign>\s*(?::=|=>|->|=)\s*|\s+is\s+|\s+)(?P<rest>\S.*)"


def suggest_colon(node: Node) -> dict[str, Any]:
    """Return hint and fix for a text that was meant as a named line: `lmg = 4`, `lmg 4`, `lmg:4`."""
    found = re.fullmatch(_NAMED_LINE, node.text) if isinstance(node, Scalar) else None
    if found is None:
        return {}
    assert isinstance(node, Scalar)
    line = f"{found['name']}: {found['rest']}"
    fix = Fix(node.at(found.start("sign"), found.end("sign")), ": ", False, f"write `{line}`")
    return {"hint": f"a line is a name, a colon and a blank, and what it says: `{found['name']}: …`", "fix": fix}


def _describe_node(node: Node) -> str:
    if isinstance(node, Scalar):
        return "a text" if node.text else "nothing"
    return "a list" if isinstance(node, Sequence) else "named lines"


def _head_span(node: Node) -> Span:
    """A span short enough to underline: a value in brackets whole, else the first thing in it."""
    if isinstance(node, Mapping) and node.entries and node.span.text[:1] != "{":
        return node.entries[0].key.span
    if isinstance(node, Sequence) and node.span.text[:1] != "[":
        return Span(node.span.source, node.span.start, node.span.start + 1)
    return node.span


def _fix_bracketed_text(node: Sequence) -> Fix | None:
    """A fix for `[1, 2]` at the start of a value: to YAML it is a list, but it was most likely meant as text."""
    text = node.span.text
    if not text.startswith("[") or "\n" in text or "\r" in text:
        return None
    texts = [item.text if isinstance(item, Scalar) else "" for item in node.items]
    if all(texts) and not all(re.fullmatch(r"[A-Z0-9.-]+", word) for word in texts):  # else these are clauses
        words = text[1:-1].strip()
        return Fix(node.span, words, False, f"without the brackets: {words}")
    quoted = "'" + text.replace("'", "''") + "'"
    return Fix(node.span, quoted, False, f"as text: {quoted}")


def _join_words(words: list[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
