"""The quick look at a file's shape says yes exactly where jsonschema finds nothing."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.document.nodes import Mapping
from interpreter.document.quick_validation import QuickValidator, _make_key_test
from interpreter.document.reader import read
from interpreter.document.shape import RULE_FILE, SITUATION, _quick_validator, _to_json, _validator
from interpreter.folders import RULES
from interpreter.source import Problems, Source

ODD = ["[a, b]", "{a: b}", "[[a]]", "", "text", "{a: {b: [c]}}", "''", "{a: [b]}"]


@cache
def texts() -> list[str]:
    return [path.read_text("utf-8") for path in sorted(RULES.rglob("*.yaml"))]


@pytest.mark.parametrize("name", ["modern", "vsf", "morale", "tabletop"])
def test_right_files_are_seen_at_once(name: str) -> None:
    root = read(Source(name, (RULES / f"{name}.yaml").read_text("utf-8")), Problems())
    assert root is not None
    assert _quick_validator().accepts(root, RULE_FILE)


@given(st.randoms(use_true_random=False))
def test_yes_is_never_more_nor_less_than_jsonschema_says(dice: random.Random) -> None:
    lines = dice.choice(texts()).splitlines()
    start = dice.randrange(max(1, len(lines) - 40))
    lines = [*lines[:12], *lines[start : start + 40]]
    for _ in range(dice.randint(0, 3)):
        at = dice.randrange(len(lines))
        key, colon, _ = lines[at].partition(": ")
        changed = [
            key + colon + dice.choice(ODD),
            lines[at].strip(),
            f"  {lines[at]}",
            lines[at].upper(),
            f"odd {lines[at]}",
        ]
        lines[at] = dice.choice(changed)
    root = read(Source("some", "\n".join(lines)), Problems())
    if not isinstance(root, Mapping):
        return
    for name in (RULE_FILE, SITUATION):
        right = not list(_validator(name).iter_errors(_to_json(root)))
        assert _quick_validator().accepts(root, name) == right


def test_what_it_does_not_know_it_leaves_to_jsonschema() -> None:
    root = read(Source("some", "a: b"), Problems())
    assert root is not None
    assert QuickValidator(lambda _: {"type": "object"}).accepts(root, "x")
    assert not QuickValidator(lambda _: {"type": "object", "maxProperties": 5}).accepts(root, "x")


@pytest.mark.parametrize("pattern", [r"^kind \S", r"^add to \S", r"^ \S", r"^x-\S", r"kind \S", r"^k.nd \S", r"^[A-Z]"])
def test_a_pattern_finds_what_it_finds_compiled(pattern: str) -> None:
    for key in (
        "kind a",
        "kind ",
        "kind",
        "kind  a",
        "kind \t",
        "kind \u2003",
        "kind é b",
        "add to x",
        "a kind b",
        "A",
        "",
    ):
        assert bool(_make_key_test(pattern)(key)) == bool(re.search(pattern, key)), key
