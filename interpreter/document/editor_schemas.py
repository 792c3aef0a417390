"""Generates the two schemas for editors: one self-contained file each, in the draft that YAML language servers support.

Takes the schemas that Umpire validates with; returns schemas that accept the same files in other programs. To Umpire
every value is text; to them `4` is a number, `no` may be a boolean and an empty value is null. This module does not
know games.
"""

from __future__ import annotations

from typing import Any

from interpreter.document.shape import RULE_FILE, SITUATION, schema

Json = dict[str, Any]
_DRAFT = "http://json-schema.org/draft-07/schema#"
_SHOWING = ("^example \\S", "^typical \\S")


def editor_schema(name: str) -> Json:
    """The schema `RULE_FILE`, `SITUATION` or `SWEEP` for editors. That of situations accepts files of examples too."""
    own = schema(name)
    every = own["$defs"] | schema(SITUATION)["$defs"] | schema(RULE_FILE)["$defs"]
    definitions = {key: _relax_types(each) for key, each in every.items()}
    for each in definitions.values():
        each.pop("description", None)  # an editor would show it instead of the description at the reference
    _add_snippets(definitions["section"])
    shape = _file_of_examples() if name == SITUATION else own
    made: Json = {"$schema": _DRAFT, "title": own["title"], "description": own["description"], "type": "object"}
    made |= {key: shape[key] for key in ("required", "additionalProperties") if key in shape}
    made |= {key: _relax_each(shape[key]) for key in ("properties", "patternProperties")}
    return {**made, "definitions": definitions}


def _file_of_examples() -> Json:
    """Return the schema of a situation with examples; therefore no kind may be called `example` or `typical`."""
    situation: Json = schema(SITUATION)["$defs"]["situation"]
    cards = {f"^(?!example |typical ){key[1:]}": each for key, each in situation["patternProperties"].items()}
    titles = schema(RULE_FILE)["$defs"]["section"]["patternProperties"]
    shown = {t: {"description": titles[t]["description"], "$ref": "#/$defs/situation"} for t in _SHOWING}
    return {**situation, "patternProperties": {**shown, **cards}}


def _relax_types(rule: Any) -> Any:
    """Return a schema that also accepts the numbers, booleans and nulls that YAML makes of plain texts."""
    if isinstance(rule, list):
        return [_relax_types(each) for each in rule]
    if not isinstance(rule, dict):
        return rule
    made: Json = {}
    for key, value in rule.items():
        if key in ("properties", "patternProperties"):
            made[key] = _relax_each(value)
        else:
            made[key] = value if key in ("examples", "written") else _relax_types(value)
    if "type" in made:
        made["type"] = _accept_yaml_types(made["type"], empty="minLength" not in made)
    if "$ref" in made:  # this draft ignores all keys beside a reference
        reference = {"$ref": "#/definitions/" + str(made.pop("$ref")).rsplit("/", 1)[1]}
        return {**made, "allOf": [reference]} if made else reference
    return made


def _relax_each(rules: Json) -> Json:
    return {name: _relax_types(each) for name, each in rules.items()}


def _accept_yaml_types(types: Any, empty: bool) -> Any:
    kinds = [types] if isinstance(types, str) else list(types)
    if "string" in kinds:
        kinds += ["number", "boolean", *(["null"] if empty else [])]
    return kinds if len(kinds) > 1 else kinds[0]


def _add_snippets(section: Json) -> None:
    """Add the snippets that an editor offers under a heading, one for each kind of definition."""
    snippets = []
    for pattern, rule in section["patternProperties"].items():
        written = rule.pop("written")
        rule["examples"] = list(written.values())
        word = pattern.removeprefix("^").removesuffix(" \\S")
        snippets.append({"label": word, "description": rule["description"], "body": written})
    section["defaultSnippets"] = snippets
