"""What may stand where in a rule file and in a situation."""

import json
import re

import jsonschema

from interpreter.document.shape import RULE_FILE, SITUATION, check_shape, check_situation_shape, schema, title_words
from interpreter.source import CATALOGUE
from tests.located import found


def test_the_schemas_are_schemas() -> None:
    for name in (RULE_FILE, SITUATION):
        jsonschema.Draft202012Validator.check_schema(schema(name))
        assert not re.search(r'"(anyOf|oneOf)"', json.dumps(schema(name)))
    described = [*schema(RULE_FILE)["properties"].values()]
    described += schema(RULE_FILE)["$defs"]["section"]["patternProperties"].values()
    described += schema(SITUATION)["$defs"]["situation"]["properties"].values()
    assert all(each["description"] for each in described)


def test_all_kinds_of_definition_stand_under_a_heading() -> None:
    bodies = [": text", ":", ":\n    a: b\n    c:\n      d: e"]
    for number, body in enumerate(bodies):
        section = "".join(f"  {word} x{number}{body}\n" for word in title_words() if word not in ("example", "typical"))
        assert not len(found(f"game: T\nÉlan & co:\n{section}", check_shape)[1])
    assert title_words()[:3] == ("kind", "table", "value")
    assert "add to" in title_words()


def test_a_whole_head() -> None:
    text = (
        "game: T\nclauses: T\nschema: 1\nversion: 1.2.0\nextends: x@1\nover: y\ntable talk: 1, 56\n"
        "about: z\nchange:\n  weapons.lmg.shots: 4, was 3\n"
    )
    assert not len(found(text, check_shape)[1])


SITUATION_TEXT = """\
rules: modern, morale
unit a: 6 figures, weapon rifle
vehicle t-34:
  armour: heavy
facts:
  - distance(a, b) is 20"
  - b sees a
do: shoot(a, b)
dice: {hits: 6 1 5, saves: 2}
then: hits = 2
odds: 1/6 that hits >= 1
"""


def test_a_situation() -> None:
    assert not len(found(SITUATION_TEXT, check_situation_shape)[1])
    inside = "".join(f"    {line}\n" for line in SITUATION_TEXT.splitlines())
    assert not len(found(f"game: T\nFiring:\n  example e:\n{inside}", check_shape)[1])
    wrong = "Unit b: y\nfact: z\nfacts:\n  a:\n    b: c\n"
    got = [(problem.code, problem.hint) for problem in found(wrong, check_situation_shape)[1]]
    hint = 'it is written `facts: distance(A, B) is 20"`'
    assert got == [("S008", None), ("S008", "did you mean `facts`?"), ("S003", hint)]


def test_every_shape_error_in_one_pass() -> None:
    text = "clause: T\nFiring:\n  Table weapons: a\n  foo: b\n  to x:\n    a: [1]\nmelee: x\nMove: y\n"
    _, problems = found(text, check_shape)
    assert [(p.code, p.span and p.span.place, p.hint) for p in problems] == [
        ("S001", (1, 1), "did you mean `clauses`?"),
        ("S002", (1, 1), "begin the file with `game: NAME`"),
        ("S006", (3, 3), "did you mean `table`?"),
        ("S006", (4, 3), hint_of_words()),
        ("S004", (6, 8), None),
        ("S001", (7, 1), None),
        ("S005", (8, 7), CATALOGUE["S005"].hint),
    ]


def hint_of_words() -> str:
    *most, last = (f"`{word}`" for word in title_words())
    return f"it can be {', '.join(most)} or {last}"
