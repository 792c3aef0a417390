"""No option is read and dropped: two that cannot both be done are refused, by name; so is one that would mean nothing."""

import itertools

import pytest
from typed import CliRunner

from interpreter.surfaces.cli import COMMANDS
from interpreter.surfaces.cli.group import command_named, main

SHOOT = ["modern", "shoot", "A: seasoned, 6 figures, rifle", "B: green, 8 figures", 'distance 20"']
WORDS = {
    "resolve": SHOOT,
    "odds": [*SHOOT, "--ask", "hits", "--ask", "harm.dead"],
    "check": ["modern"],
    "lock": ["modern"],
    "muster": ["no-such.yaml"],
    "diff": ["modern", "no-such"],
    "test": ["modern"],
    "coverage": ["modern"],
    "sweep": ["no-such.yaml"],
}
VALUES = {
    "--seed": "1", "--dice": "6", "--format": "github", "--output": "out.txt", "--fail-on": "error", "--jobs": "2", "--cluster": "tcp://127.0.0.1:8786",
    "--at": "shoot", "--sample": "1", "--quantiles": "10", "--reach": "90%", "--since": "HEAD",
}  # fmt: skip
FORMATS = {"muster": "text"}


def typed(command, option):
    if option == "--format":
        return [option, FORMATS.get(command, VALUES[option])]
    return [option, *([VALUES[option]] if option in VALUES else [])]


FOUND = {name: command_named(name) for name in COMMANDS}
APARTS = [(name, *pair) for name, command in FOUND.items() if name != "new" for pair in command.apart]
BESIDE = [(name, *row) for name, command in FOUND.items() if name != "new" for row in command.beside.items()]


@pytest.mark.parametrize(("command", "one", "other"), [*APARTS, *((c, b, a) for c, a, b in APARTS)])
def test_of_two_that_cannot_both_be_done_none_wins(command, one, other, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = [command, *WORDS[command], *typed(command, one), *typed(command, other)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert f"{one} and {other} cannot both" in done.output or f"{other} and {one} cannot both" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("command", "option", "others"), BESIDE)
def test_what_would_mean_nothing_is_refused(command, option, others):
    done = CliRunner().invoke(main, [command, *WORDS[command], *typed(command, option)])
    assert done.exit_code == 2
    assert f"{option} goes with {' or '.join(others)}" in done.output


def test_the_same_said_twice_is_no_matter():
    done = CliRunner().invoke(main, ["check", "modern", "--json", "--format", "json"])
    assert done.exit_code == 0, done.output


def test_every_option_that_is_named_is_one():
    assert {name for name, *_ in APARTS} <= set(WORDS) and {name for name, *_ in BESIDE} <= set(WORDS)
    named = [*APARTS, *((name, option, *others) for name, option, others in BESIDE)]
    for name, *options in named:
        known = set(itertools.chain(*(names for names, _ in FOUND[name].options)))
        assert set(options) <= known, name


def test_two_questions_against_each_other_need_one_situation():
    words = ["modern", "shoot", "A: seasoned, <4, 6> figures, rifle", "B: green, 8 figures", 'distance 20"']
    done = CliRunner().invoke(main, ["odds", *words, "--ask", "hits", "--ask", "harm.dead", "--joint"])
    assert done.exit_code == 2
    assert "--joint" in done.output
