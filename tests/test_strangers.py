"""A stranger changes nothing: a unit far from everybody, whom nobody sees and who sees nobody, is added to the examples of
the shipped sets, and each must hold as before.

So no rule looks at all units where the page means those near, in sight, on one's own side, or in the same melee.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter.source import Problems
from interpreter.workbench.examples import Example
from interpreter.workbench.running import run
from interpreter.workbench.trees import read_text
from tests import shipped
from tests.sampled import sampled

TESTS = Path(__file__).parents[1] / "rules" / "tests"
LEVELS = {"modern": "green", "imperial": "regular", "vsf": "green", "vbcw": ""}
UNIT = re.compile(r"(?:unit|vehicle) ([A-Z][\w-]*)")
# Where the units of a side take turns, or whoever acts chooses a target among all there are, a stranger is one more.
AMONG_ALL = re.compile(r"\b(?:acts|activates|attempts|begins|drives|plays-turn|calls-turn|takes-half|plays|turn|ends|rejoins)\b")


def strangers_to(body: dict[str, Any], name: str) -> dict[str, Any] | None:
    """The example with a stranger: an enemy of everybody, or where sides are named, on a side of its own; None where it
    would be one more to choose from or to count.
    """
    units = [found[1] for key in body if (found := UNIT.fullmatch(key))]
    text = yaml.safe_dump(body)
    if (
        not units
        or AMONG_ALL.search(text)
        or re.search(r"^(?:force|error|side \w+):|\b(?:assailable|foes|units)\b", text, re.M)
    ):
        return None
    side = "side Grey" if re.search(r"\bside [A-Z]", text) else ""
    unseen = ("hidden({}, {})",) if name == "vbcw" else ("not sight({}, {})",)
    facts = body.get("facts", [])
    more = [f'distance(Stranger, {unit}) is 100"' for unit in units]
    more += [
        said.format(*pair) for unit in units for said in unseen for pair in ((unit, "Stranger"), ("Stranger", unit))
    ]
    described = ", ".join(word for word in (LEVELS[name], side, "3 figures") if word)
    return {**body, "unit Stranger": described, "facts": [*([facts] if isinstance(facts, str) else facts), *more]}


def examples(name: str) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for path in sorted(TESTS.glob(f"{name}*.yaml")):
        said = (
            {} if path.name.endswith("slips.yaml") else yaml.load(path.read_text("utf-8"), yaml.BaseLoader)
        )  # `no` stays a word
        if said.get("rules", name) != name:
            continue
        for key, body in said.items():
            if key.startswith("example ") and isinstance(body, dict) and (put := strangers_to(body, name)) is not None:
                found.append((key, put))
    return found


@pytest.mark.parametrize("name", LEVELS)
def test_a_stranger_far_off_and_out_of_sight_changes_nothing(name: str) -> None:
    rules, asked = shipped.opened(name), examples(name)
    assert len(asked) >= 100
    picked = sampled(asked, 8)
    unasked = 0
    for key, body in picked:
        problems = Problems()
        tree = read_text(key, yaml.safe_dump(body, sort_keys=False), problems)
        assert tree is not None, key
        result = run(rules, Example(key, tree, (), tree.entries[0].key), shown=False, alone=False)
        if {p.code for p in result.problems} == {"F004"}:  # how far it is from what is made on the way
            unasked += 1
            continue
        assert result.passed, (key, [str(p.message) for p in result.problems])
    assert unasked <= len(picked) // 10
