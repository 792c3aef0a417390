"""What is not done again: a rule set known to be right is neither read nor checked.

That may not be seen from outside: the same rules, the same words, whatever has changed meanwhile.
"""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from model import model
from test_cache import BASE, REGISTER, lay_out
from typed import CliRunner

from interpreter import cache, disk
from interpreter.places import shipped
from interpreter.rulebook.reached import wanted_lines
from interpreter.rulebook.symbols import Procedure
from interpreter.source import Problems
from interpreter.source.values import names
from interpreter.surfaces.cli.group import main
from interpreter.workbench import reading
from interpreter.workbench.garbage import COLLECTION_THRESHOLD
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.stacks import stacks_of

WORDS = ["odds", "house.yaml", "shoot", "A: strength 3", "B: strength 4"]
SHIPPED = ["odds", "modern", "shoot", "A: elite, 6 figures, rifle", "B: green, 8 figures", 'distance 17"']
CIRCLE = """\
game: Circle
Conventions:
  dice plain: d6 at or over
  kind side:
  kind unit of side:
    strength: number
Firing:
  to waver (unit):
    steps: unit.strength
    far: unit flees
    depth: far.onward
  to flee (unit):
    begun, if unit.strength > 3: unit wavers
    onward: begun.steps + 1
"""


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(tmp_path, monkeypatch)
    return tmp_path


def opened(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[RuleSet, RuleSet]:
    """A rule set as it is checked whole and kept by its first run, and as it comes back for the second."""
    whole = open_rules(name, Problems(), to_run=True)
    with monkeypatch.context() as nothing_is_read:
        nothing_is_read.setattr(reading, "open_sheets", None)
        known = open_rules(name, Problems(), to_run=True)
    assert whole is not None and known is not None
    return whole, known


# ---- a book that was checked
@pytest.mark.parametrize("name", [stack for name in shipped() for stack in stacks_of(name)])
def test_a_kept_book_is_the_book(name: str, stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(stack))
    whole, known = opened(name, monkeypatch)
    assert known.checker.definitions.found.working == {} == whole.checker.definitions.found.working
    alike([whole.sheets, whole.book, found_out(whole)], [known.sheets, known.book, found_out(known)])
    assert model(known) == model(whole)
    known.checker.definitions.found.wanted = None
    assert said(wanted_lines(known.book, known.checker)) == said(wanted_lines(whole.book, whole.checker))


def found_out(opened: RuleSet) -> list[Any]:
    """What any check of a situation may ask of the checker, but for the words that are put together when asked for."""
    apart = "woven", "forks", "lines"  # of lint, or compared below
    checker, facts = opened.checker, opened.checker.definitions.found
    found = [(k, getattr(facts, k)) for k in names(type(facts)) if k not in apart]
    found += [("defaults", checker.defaults), *vars(checker.env.dice).items()]
    book = opened.book
    assert book.pages.definitions
    pures = [checker.pure(p) for p in list(facts.pures)]
    lines = [opened.checker.lines_of(p) for p in book.procedures.values()]
    return [found, pures, lines, [opened.checker.procedure(p) for p in book.procedures.values()]]


def said(wanted: dict[Procedure, set[str]]) -> dict[str, set[str]]:
    return {procedure.name: lines for procedure, lines in wanted.items()}


def alike(one: Any, other: Any) -> None:
    """The same in every part, and where one is somewhere twice, so is the other."""
    twins: dict[int, Any] = {}
    back: dict[int, Any] = {}
    sets: list[tuple[Any, Any]] = []
    left = [(one, other)]
    while left:
        a, b = left.pop()
        assert type(a) is type(b)
        if isinstance(a, str | int | Fraction | None):
            assert a == b
            continue
        if isinstance(a, set | frozenset):
            sets.append((a, b))
            continue
        if a == ():
            assert b == ()
            continue
        if id(a) in twins:
            assert twins[id(a)] is b
            continue
        assert id(b) not in back
        twins[id(a)], back[id(b)] = b, a
        parts = (parts_of(a), parts_of(b))
        assert len(parts[0]) == len(parts[1])
        left += zip(*parts, strict=True)
    for these, those in sets:
        assert {twins.get(id(each), each) for each in these} == those


def parts_of(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return list(value) if isinstance(value, tuple | list) else [getattr(value, name) for name in names(type(value))]


def test_of_a_circle_all_is_known(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (stack / "circle.yaml").write_text(CIRCLE, "utf-8")
    whole, known = opened("circle.yaml", monkeypatch)
    assert model(known) == model(whole)
    assert said(wanted_lines(known.book, known.checker)) == {"waver": {"steps"}, "flee": {"onward"}}


def test_what_its_files_allow_and_take_away_is_told_again(stack: Path) -> None:
    less = "  remove shoot.dead, save:  # umpire: allow X010 because nobody saves\n"
    (stack / "less.yaml").write_text(f"game: Less\nover: house\nHouse:\n{less}", "utf-8")
    first, again = Problems(), Problems()
    for problems in (first, again):
        assert open_rules("less.yaml", problems, to_run=True) is not None
    assert first.removed and list(first.removed) == list(again.removed)
    assert len(first.allowances) == 1 and first.allowances == again.allowances


def test_a_book_that_was_used_is_kept_as_it_was(stack: Path) -> None:
    """What is asked of a situation may look at what the rules never do."""
    CliRunner().invoke(main, [*WORDS, "--ask", "A.strength"])
    known = open_rules(WORDS[1], Problems(), to_run=True)
    assert known is not None and not known.book.reads_gone
    assert "situation" not in {procedure.name for procedure in known.checker.definitions.found.lines}


def test_what_is_wrong_is_never_known_to_be_right(stack: Path) -> None:
    text = BASE.replace("clauses: HOU\n", "")
    (stack / "base.yaml").write_text(text.replace("needs 5", "neds 5"), "utf-8")
    for _ in range(2):
        problems = Problems()
        open_rules("base.yaml", problems, to_run=True)
        assert [p.code for p in problems] == ["L001"]
    (stack / "base.yaml").write_text(text, "utf-8")
    problems = Problems()
    assert open_rules("base.yaml", problems, to_run=True) is not None and not len(problems)


def test_another_register_is_another_question(stack: Path) -> None:
    assert open_rules("house.yaml", Problems(), to_run=True) is not None
    (stack / "home/rules/clauses/house.yaml").write_text(REGISTER.replace("HOU-002", "HOU-003"), "utf-8")
    problems = Problems()
    open_rules("house.yaml", problems, to_run=True)
    assert "R001" in {p.code for p in problems}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("base.yaml", BASE.replace("needs 5", "needs 6")),
        ("home/rules/clauses/house.yaml", REGISTER.replace("HOU-002", "HOU-003")),
        ("home/rules/base.yaml", BASE),
    ],
)
def test_whatever_it_rests_on_may_change(stack: Path, name: str, text: str) -> None:
    first = ask(WORDS)
    assert first[0] == 0 and "%" in first[1]
    assert ask(WORDS) == first
    (stack / name).write_text(text, "utf-8")
    again = ask(WORDS)
    shutil.rmtree(stack / "cache")
    assert ask(WORDS) == again


def ask(words: list[str]) -> tuple[int, str]:
    done = CliRunner().invoke(main, words)
    return done.exit_code, done.output


def test_a_look_at_what_is_as_before_is_a_look(stack: Path) -> None:
    with disk.tracking() as watch:
        disk.content("base.yaml", 100)
    cache.store(("a question",), watch, "an answer")
    with disk.tracking() as again:
        assert cache.load(("a question",)) == "an answer"
    assert again.accesses == watch.accesses


def test_garbage_is_looked_for_seldom_while_rules_are_read(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, before, met = gc.get_threshold(), (700, 10, 10), []
    gc.set_threshold(*before)
    read = reading.open_sheets

    def noted(*args: Any) -> Any:
        met.append(gc.get_threshold()[0])
        return read(*args)

    monkeypatch.setattr(reading, "open_sheets", noted)
    assert open_rules("base.yaml", Problems()) is not None
    found = gc.get_threshold()
    gc.set_threshold(*usual)
    assert met == [COLLECTION_THRESHOLD]
    assert found == before


def test_no_garbage_is_looked_for_as_the_process_ends() -> None:
    at_end = "atexit.register(lambda: print(gc.get_freeze_count() > len(gc.get_objects())))"
    code = f"import atexit, gc; {at_end}; from interpreter.__main__ import main; main()"
    said = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout.endswith("True\n") and not said.stderr


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        (["check", "house.yaml"], {"yaml", "interpreter.rulebook"}),
        (
            SHIPPED,
            {"yaml", "interpreter.engines.play", "interpreter.document.reader", "interpreter.surfaces.as_answers"},
        ),
    ],
)
def test_what_is_known_imports_nothing_that_reads_or_plays(words: list[str], spared: set[str], stack: Path) -> None:
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules)); from interpreter.__main__ import main; main()"
    for known in (False, True):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        met = set(done.stdout.splitlines()[-1].split())
        assert "interpreter.places" in met and ("yaml" in met) is not known
    assert not met & spared
