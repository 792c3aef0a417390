"""The two schemas as editors want them: one file each, in the draft that language servers for YAML know.

Enters: the schemas by which Umpire itself checks shape. Leaves: schemas that say the same of YAML as other programs
read it. To Umpire every value is text, to them `4` is a number, `no` may be a truth value and nothing is null.
Must not know games.
"""

from __future__ import annotations

from typing import Any

from interpreter.document.shape import RULE_FILE, SITUATION, schema

Json = dict[str, Any]
_DRAFT = "http://json-schema.org/draft-07/schema#"
_SHOWING = ("^example \\S", "^typical \\S")


def published(name: str) -> Json:
    """`RULE_FILE` or `SITUATION`, complete in itself. A file of examples is a situation too."""
    own = schema(name)
    both = schema(SITUATION)["$defs"] | schema(RULE_FILE)["$defs"]
    definitions = {key: _as_read(each) for key, each in both.items()}
    for each in definitions.values():
        each.pop("description", None)  # an editor would show it in place of what is said where it is referred to
    _with_snippets(definitions["section"])
    said = own if name == RULE_FILE else _file_of_examples()
    made: Json = {"$schema": _DRAFT, "title": own["title"], "description": own["description"], "type": "object"}
    made |= {key: said[key] for key in ("required", "additionalProperties") if key in said}
    made |= {key: _each_as_read(said[key]) for key in ("properties", "patternProperties")}
    return {**made, "definitions": definitions}


def _file_of_examples() -> Json:
    """What a situation holds, or `rules:` and what shows them; a thing is then of no kind `example` or `typical`."""
    situation: Json = schema(SITUATION)["$defs"]["situation"]
    cards = {f"^(?!example |typical ){key[1:]}": each for key, each in situation["patternProperties"].items()}
    titles = schema(RULE_FILE)["$defs"]["section"]["patternProperties"]
    shown = {t: {"description": titles[t]["description"], "$ref": "#/$defs/situation"} for t in _SHOWING}
    return {**situation, "patternProperties": {**shown, **cards}}


def _as_read(rule: Any) -> Any:
    """A rule of our schema for values that YAML has made numbers, truth values or nothing of."""
    if isinstance(rule, list):
        return [_as_read(each) for each in rule]
    if not isinstance(rule, dict):
        return rule
    made: Json = {}
    for key, value in rule.items():
        if key in ("properties", "patternProperties"):
            made[key] = _each_as_read(value)
        else:
            made[key] = value if key in ("examples", "written") else _as_read(value)
    if "type" in made:
        made["type"] = _types(made["type"], empty="minLength" not in made)
    if "$ref" in made:  # this draft reads nothing beside a reference
        reference = {"$ref": "#/definitions/" + str(made.pop("$ref")).rsplit("/", 1)[1]}
        return {**made, "allOf": [reference]} if made else reference
    return made


def _each_as_read(rules: Json) -> Json:
    return {name: _as_read(each) for name, each in rules.items()}


def _types(said: Any, empty: bool) -> Any:
    kinds = [said] if isinstance(said, str) else list(said)
    if "string" in kinds:
        kinds += ["number", "boolean", *(["null"] if empty else [])]
    return kinds if len(kinds) > 1 else kinds[0]


def _with_snippets(section: Json) -> None:
    """What an editor offers under a heading: each kind of definition, as it may be written."""
    snippets = []
    for pattern, rule in section["patternProperties"].items():
        written = rule.pop("written")
        rule["examples"] = list(written.values())
        word = pattern.removeprefix("^").removesuffix(" \\S")
        snippets.append({"label": word, "description": rule["description"], "body": written})
    section["defaultSnippets"] = snippets
