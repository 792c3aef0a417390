"""Supplements that miss what they want to change, or lie where they do not fit: each mistake is one problem, at the word,
with the nearest that is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.source import Problem, Problems
from interpreter.workbench.rules import open_rules

HEAD = "game: House\nover: modern\n"
RULES = "House rules:\n  "


def found(folder: Path, stack: str = "house", **files: str) -> list[Problem]:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    open_rules(stack, problems, folder)
    return list(problems)


def told(problem: Problem) -> str:
    return " ".join([problem.message, problem.label, problem.hint or "", *(x.text for x in problem.others)])


# the patch; its code, and the word it stands at (`|` before it); what must be said
MISSES = [
    ("change:\n  |shoting.aimed: roll +2\n", "N001", "shoting", "did you mean `shooting`?"),
    ("change:\n  shooting.|amed: roll +2\n", "N001", "amed", "did you mean `aimed`?"),
    ("change:\n  weapons.|lgm.shots: 4\n", "N001", "lgm", "did you mean `lmg`?"),
    ("change:\n  weapons.lmg.|shost: 4\n", "N001", "shost", "did you mean `shots`?"),
    ("change:\n  shoot.men.|stoped: 0\n", "N001", "stoped", "did you mean `stopped`?"),
    ("change:\n  shoot.|man.stopped: 0\n", "N001", "man", "did you mean `men`?"),
    ("change:\n  shoot.|stopped: 0\n", "N001", "stopped", "there is `shoot.men.stopped`"),
    ("change:\n  shoot.known.|deeper: 0\n", "N001", "deeper", "`shoot.known` is one line of text"),
    ("change:\n  shoot.|men: 0\n", "N001", "men", "`shoot.men` has lines of its own"),
    ("change:\n  |shoot: 0\n", "N001", "shoot", "it has lines of its own"),
    ("change:\n  damage.|1-2: vehicle gains stunned\n", "N001", "1-2", "by its name: `damage.stunned`"),
    ("change:\n  weapons.lmg.shots: 4, was |5\n", "N011", "5", "but the rules now say `3`"),
    ("change:\n  shoot.men.stopped: 0, was |hits\n", "N011", "hits", "it says something else now"),
    (RULES + "remove |guard-mov:\n", "N001", "guard-mov", "did you mean `guard-move`?"),
    (RULES + "remove guard-move, shooting.|amed:\n", "N001", "amed", "did you mean `aimed`?"),
    (RULES + "remove shoot.men.|stoped:\n", "N001", "stoped", "did you mean `stopped`?"),
    ("House rules:\n  |remove spot\n", "S005", "remove spot", "a title ends with a colon: `remove spot:`"),
    (RULES + "remove guard-move:\n  change:\n    |guard-move: nothing\n", "N001", "guard-move", "removed here"),
    (RULES + "remove shooting.aimed:\n  change:\n    shooting.|aimed: roll +2\n", "N001", "aimed", "removed here"),
    (RULES + "add to |shotting:\n    x: roll +1\n", "N001", "shotting", "did you mean `shooting`"),
    (RULES + "add to training after |gren:\n    militia: 5+, 5+, 1\n", "N001", "gren", "did you mean `green`?"),
    (RULES + "add to shoot.|man after stopped:\n    x: 0\n", "N001", "man", "did you mean `men`?"),
    (RULES + "add to shoot.men before |unsavd:\n    x: 0\n", "N001", "unsavd", "did you mean `unsaved`?"),
    (RULES + "add to shoot after |stopped:\n    x: 0\n", "N001", "stopped", "there is `shoot.men.stopped`"),
    (RULES + "add to shoot.|known:\n    x: 0\n", "N001", "known", "say `before` or `after` it"),
    (RULES + "add to training:\n    |green: 5+, 5+, 1\n", "N003", "green", "declared here"),
    (RULES + "add to shooting:\n    |aimed: roll +1\n", "N003", "aimed", "say it under `change:`"),
    (RULES + "add to shoot.men after stopped:\n    |unsaved: 0\n", "N003", "unsaved", "say it under `change:`"),
    (RULES + "mark |grounded of unit:\n", "N003", "grounded", "or `remove grounded:` first"),
    (RULES + "rule x after |shot: nothing\n", "N001", "shot", "did you mean `shoot`"),
    (RULES + "rule x after shoot.men.|stoped: nothing\n", "N001", "stoped", "did you mean `stopped`?"),
    (RULES + "rule x after shoot.|man.stopped: nothing\n", "N001", "man", "did you mean `men`?"),
    (RULES + "rule x after |shoot.stopped: nothing\n", "N001", "shoot.stopped", "say `shoot.men.stopped`"),
    (RULES + "|change shooting.aimed: roll +2\n", "S006", "change", "below it what changes: `shooting.aimed: …`"),
    ("|remove: spot\n", "S001", "remove", "under a heading"),
    ("Over |vfs:\n  mark quick of unit:\n", "N001", "vfs", "there is `modern`"),
]


@pytest.mark.parametrize(("text", "code", "word", "said"), MISSES)
def test_a_patch_that_misses_is_one_problem_at_the_word(
    tmp_path: Path, text: str, code: str, word: str, said: str
) -> None:
    problems = found(tmp_path, house=HEAD + text.replace("|", ""))
    assert [(p.code, p.span and p.span.text) for p in problems] == [(code, word)]
    span = problems[0].span
    assert span is not None
    assert span.start == len(HEAD) + text.index("|")
    assert said in told(problems[0])


@pytest.mark.parametrize(
    ("removed", "still"),
    [
        ("spot", "spots"),
        ("training.elite", "elite"),
        ("shoot.men.stopped", "stopped"),
        ("spot.finder", None),
        ("spotting", "spotting"),
    ],
)
def test_what_still_speaks_of_a_removed_thing_is_told_with_both_places(
    tmp_path: Path, removed: str, still: str | None
) -> None:
    problems = found(tmp_path, house=f"{HEAD}{RULES}remove {removed}:\n")
    if still is None:  # nothing speaks of it
        assert not problems
        return
    assert [p.span and p.span.text for p in problems] == [still]
    (label,) = [x for x in problems[0].others if x.text == "removed here"]
    assert label.span.text == removed
    assert label.span.source.name.endswith("house.yaml")


def test_a_line_that_is_worth_nothing_any_more_is_told_with_the_change(tmp_path: Path) -> None:
    (problem,) = found(tmp_path, house=HEAD + "change:\n  damage.destroyed.escape: nothing\n")
    assert problem.span is not None and problem.span.source.name.endswith("modern.yaml")
    assert [x.span.text for x in problem.others if x.text == "changed here"] == ["damage.destroyed.escape"]


# ---- where a supplement lies
@pytest.mark.parametrize(
    ("stack", "head", "code", "word", "said"),
    [
        ("house", "over: moderm\n", "F015", "moderm", "did you mean `modern`?"),
        ("moderm + house", "over: moderm\n", "F015", "moderm", "did you mean `modern`?"),
        ("house", "over: modern, or vbcw\n", "N015", None, "`modern + house`"),
        ("vbcw + house", "over: modern\n", "N012", "modern", "made for modern"),
        ("modern + house", "over: modern + garden\n", "N012", "modern + garden", "made for modern + garden"),
        ("modern + house + house", "over: modern\n", "N012", None, "in the stack already"),
        ("vsf + house", "over: modern, or vsf\nnot over:\n  vsf: it has no weapons\n", "N012", "it has no weapons", ""),
        ("modern + house", "extends: fubar\n", "N012", None, "a supplement says `over: modern`"),
        ("house", "", "N001", "shooting", "nothing lies below this file"),
    ],
)
def test_where_a_supplement_does_not_fit(
    tmp_path: Path, stack: str, head: str, code: str, word: str | None, said: str
) -> None:
    problems = found(tmp_path, stack, house=f"game: House\n{head}{RULES}add to shooting:\n    x: roll +1\n")
    (problem,) = problems
    # A stack that was typed has no place in a file; the line that it does not fit is shown as a second one.
    places = [problem.span, *(label.span for label in problem.others)]
    assert (problem.code, next((span.text for span in places if span is not None), None)) == (code, word)
    assert said in told(problem)


# ---- two supplements that meet
LMG = "change:\n  weapons.lmg.shots: {}\n"


def two(folder: Path, garden: str, house: str, stack: str = "modern + garden + house") -> list[Problem]:
    return found(folder, stack, garden=f"game: Garden\nover: modern\n{garden}", house=HEAD + house)


@pytest.mark.parametrize(
    ("garden", "house", "at"),
    [
        (LMG.format(4), LMG.format(5), "weapons.lmg.shots"),
        (LMG.format(4), 'change:\n  weapons.lmg: 30", 4, small\n', "weapons.lmg"),
        (LMG.format(4), RULES + "remove weapons.lmg:\n", "weapons.lmg"),
        (RULES + "remove weapons.lmg:\n", LMG.format(5), "weapons.lmg.shots"),
        (RULES + "remove guard-move:\n", "change:\n  guard-move: nothing\n", "guard-move"),
        (RULES + "remove spot.finder:\n", "change:\n  spot.finder: nothing, was something\n", "spot.finder"),
        ("change:\n  guard-move: nothing\n", RULES + "remove guard-move:\n", "guard-move"),
        (LMG.format(4), LMG.format(5) + "  weapons.lgm.shots: 5\n", None),
    ],
)  # fmt: skip
def test_two_that_set_the_same_are_one_problem_with_both_places(
    tmp_path: Path, garden: str, house: str, at: str | None
) -> None:
    problems = two(tmp_path, garden, house)
    if at is None:  # a conflict does not hide another mistake, and draws no third
        assert sorted(p.code for p in problems) == ["N001", "N013"]
        return
    assert [(p.code, p.span and p.span.text) for p in problems] == [("N013", at)]
    (other,) = problems[0].others
    assert other.span.source.name.endswith("garden.yaml")


def test_who_knows_the_other_says_which_is_meant(tmp_path: Path) -> None:
    assert not two(tmp_path, LMG.format(4), LMG.format("5, over garden"))
    (problem,) = two(tmp_path, LMG.format(4), LMG.format("5, over gardn"))
    assert problem.code == "N013" and "`…, over garden`" in told(problem)
    knowing = "game: House\nover: modern, or modern + garden\n" + LMG.format(5)
    files = {"garden": "game: Garden\nover: modern\n" + LMG.format(4), "house": knowing}
    assert not found(tmp_path, "modern + garden + house", **files)
    (problem,) = found(tmp_path, "modern + house + garden", **files)
    assert problem.code == "N013" and "house is made to lie over garden" in told(problem)
