"""Games made up at random: play under every script of dice, odds asked together and one by one, are one law.

The same hundred in each run; `fuzz/games.py` judges as many as there is time for.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from games import PAIRS, Game, game, pair
from games.driver import Verdict, judge, reference
from games.report import Report, all_productions, noting_sentences
from games.shrink import smaller

SEEDS = 96
PARTS = 4
TESTED = 40  # of so many games one is tested with examples that are written from the reference; fuzz tests them all


@pytest.fixture(scope="module")
def report() -> Report:
    return Report()


@pytest.mark.parametrize("part", range(PARTS))
def test_every_engine_finds_one_law(part: int, tmp_path: Path, report: Report) -> None:
    other = reference()
    for seed in range(part, SEEDS, PARTS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with noting_sentences() as read:
            verdict = judge(game(seed), folder, other, tested=seed % TESTED == part)
        report.add(seed, verdict)
        report.read(read)
        assert not verdict.failed, (
            f"game {seed}: {verdict.why}: {verdict.told}; `python fuzz/games.py --from {seed} --count 1`"
        )
    assert report.clean >= 0.85, report.written()
    assert report.verdicts["agreed"] >= 0.75 * report.verdicts.total(), report.written()


def test_a_seed_is_one_game() -> None:
    for seed in (0, 17, 4711):
        assert game(seed) == game(seed)


def test_each_pair_of_constructs_has_its_game() -> None:
    assert {pair(seed) for seed in range(len(PAIRS))} == set(PAIRS)


def test_productions_are_counted() -> None:
    found = Report()
    found.read({("unit gains 2 pins", "line"): None})
    assert "statement -> postfix GAINS sum NAME" in found.productions
    assert set(found.productions) <= set(all_productions())


def told(text: str, ask: str = "n1") -> Game:
    """A game of one procedure, as a test writes it."""
    from games import Situation

    rules = (
        f"game: Told\nThings:\n  dice high: d2 at or over\n  kind side:\n  kind unit of side:\n    heat: number\n{text}"
    )
    asks = f"rules: game\nunit A:\nunit B:\ndo: A acts with B\nask:\n  - {ask}\n"
    return Game(
        0, "game", {"game.yaml": rules, "situation.yaml": asks}, (Situation("situation.yaml", (ask,), False),), {}
    )


ACT = "  to act (unit) with (target unit):\n    n1: d2\n    n2: d2 + n1\n    n3: 1\n"


def test_what_cannot_be_read_is_refused_by_its_code(tmp_path: Path) -> None:
    found = judge(told("  to act (unit) with (target unit):\n    n1: nobody-knows\n"), tmp_path)
    assert (found.how, found.why) == ("refused", "N001")


def test_a_difference_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from games import driver

    from interpreter.workbench.bands import answer_case

    assert judge(told(ACT), tmp_path).how == "agreed"

    def wrong(case, **more):  # type: ignore[no-untyped-def]
        answer = answer_case(case, **more)
        answer.joint[0] = ((answer.joint[0][0][0] + 1,), answer.joint[0][1])
        return answer

    monkeypatch.setattr(driver, "answer_case", wrong)
    found = judge(told(ACT), tmp_path)
    assert (found.how, found.why) == ("failed", "odds and play")


def test_a_failure_is_made_small() -> None:
    def fails(one: Game) -> bool:
        return "d2 + n1" in one.files["game.yaml"] and "n1: d2" in one.files["game.yaml"]

    small = smaller(told(ACT), fails)
    assert small.files["game.yaml"].split() == ["n1:", "d2", "n2:", "d2", "+", "n1"]


def test_a_verdict_says_what_a_play_passed(tmp_path: Path) -> None:
    verdict: Verdict = judge(game(3), tmp_path)
    assert set(pair(3)) & {tag for play in verdict.met for tag in play}
