"""Every page of the catalogue: its bad example draws its code and no other, its good one draws nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_manual import loaded

from interpreter.mutation import campaign, survivor_problems
from interpreter.source import CATALOGUE, Problems, render
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.trees import read_tree

# Found in whole files or in what a system says of them: tests/test_document*.py and tests/test_writing.py draw these.
WHOLE_FILES = {"Y039", "Y042", "Y043", "Y044", "Y050", "Y051", "Y052", "Y053", "Y054", "Y055", "Y056", "Y057"}
# Needs a situation of millions of states, or a file of hundreds of mistakes: other tests draw it.
LARGE = {"E001", "E008", "E010", "E011", "E012", "E013", "A005"}
LOCKS = {"X022", "X023", "X024", "X025", "X026"}  # need two files: tests/test_locks.py draws these
RECORDS = {"X029"}  # likewise: tests/test_coverage.py
# Said by a command of what it is asked, or of a file beside the examples: tests/test_sweeps.py, test_mutation_told.py
# test_slips_that_stay.py and test_private_names.py draw them.
SHOWN = {"A006", "A007", "G008", "N021", "X011"}
CLUSTERS = {"E014"}  # said of machines and not of a file: tests/test_cluster.py


codes = loaded("codes")


def unnoticed(rules: RuleSet, problems: Problems) -> None:
    """What nobody notices is told to who asks for it."""
    problems.extend(survivor_problems(campaign([rules], "toy", only=lambda m: m.definition == "try").survivors))


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_a_page(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    entry = CATALOGUE[code]
    if code in WHOLE_FILES | LARGE | SHOWN | LOCKS | RECORDS | CLUSTERS:
        assert not entry.bad
        return
    also = [unnoticed] if entry.by == "mutate" else []
    drawn = codes.found(entry.bad, *also)
    assert {p.code for p in drawn} == {code}, f"{render(drawn)}\n{entry.bad}"
    assert all(p.span is not None for p in drawn)
    assert all(p.hint or p.fix for p in drawn), render(drawn)
    clean = codes.found(entry.good, *also)
    assert not clean.has_errors and code not in {p.code for p in clean}, f"{render(clean)}\n{entry.good}"


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_a_page_is_written_for_a_person(code: str) -> None:
    entry = CATALOGUE[code]
    assert len(re.findall(r"[.?!](?:\s|$)", entry.meaning)) in (2, 3, 4), entry.meaning
    assert entry.message[:1].islower() or not entry.message[:1].isalpha() or entry.message[:2] == "I "
    assert not entry.message.endswith(".")
    said = entry.message + entry.meaning
    assert not re.search(r"\b(token|node|scalar|mapping|parse|NoneType|str|dict|Exception|schema)\b", said), said


def test_a_file_can_be_read_by_another_name(tmp_path: Path) -> None:
    problems = Problems()
    (tmp_path / "toy.yaml").write_text("game: Toy\n", encoding="utf-8")
    assert read_tree(tmp_path / "toy.yaml", problems) is not None
