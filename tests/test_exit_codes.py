"""Exit codes are the same in every command for the same mistake: 1 what is in a file, 2 what was typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.surfaces.cli import COMMANDS
from interpreter.surfaces.cli.group import main

THINGS = ("A: green, 2 figures, rifle", "B: green, 2 figures", "distance 9")
# What is said around the name of a rule set, or of a situation, in each command that takes one.
RULES = {
    "check": ("check", "{}"),
    "test": ("test", "{}"),
    "show": ("show", "{}"),
    "sheet": ("sheet", "{}"),
    "flat": ("flat", "{}"),
    "coverage": ("coverage", "{}"),
    "why": ("why", "weapons.lmg.shots", "{}"),
    "odds": ("odds", "{}", "shoot", *THINGS),
    "sample": ("sample", "{}", "shoot", *THINGS),
    "resolve": ("resolve", "{}", "shoot", *THINGS),
    "advise": ("advise", "{}", "shoot", *THINGS),
    "diff": ("diff", "modern", "{}"),
    "rulings": ("rulings", "{}"),
    "lock": ("lock", "{}", "--check"),
}
SITUATIONS = {
    "check": ("check", "{}"),
    "test": ("test", "{}"),
    "odds": ("odds", "{}"),
    "sample": ("sample", "{}"),
    "resolve": ("resolve", "{}"),
    "advise": ("advise", "{}"),
    "muster": ("muster", "{}"),
}
OTHERS = {"demo", "explain", "schema", "new", "fmt", "lsp", "studio", "sweep"}  # they take no rule set, or write files

FILES = {
    "slip": "game: Slip\nextends: modern\nchange:\n  weapons.lgm.shots: 4, was 3\n",
    "empty": "",
    "remarks": "# to be written\n",
    "list": "- one\n- two\n",
    "orphan": "game: Orphan\nextends: nowhere\n",
    "far": "game: Far\nover: vbcw\n",
}
SAID = {
    "lost": "rules: nowhere\ndo: A shoots at B\n",
    "unlike": "rules: modern + far\ndo: A shoots at B\n",
    "backwards": "rules: morale + modern\ndo: A shoots at B\n",
    "misspelt": "rules: modern\nunit A: gren, 3 figures\ndo: A shoots at A\n",
    "ruleless": "do: A shoots at B\nunit A: 3 figures\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("codes")
    for name, text in {**FILES, **SAID}.items():
        (made / f"{name}.yaml").write_text(text, "utf-8")
    (made / "binary.yaml").write_bytes(bytes(range(256)))
    (made / "latin.yaml").write_bytes("game: Füße\n".encode("latin-1"))
    (made / "huge.yaml").write_bytes(b"game: x\nabout: " + b"x" * 5_000_000)
    (made / "folder").mkdir()
    return made


def code(words: tuple[str, ...], name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(main, [word.format(name) if word == "{}" else word for word in words])
    assert "Traceback" not in done.output
    return done.exit_code, done.output


def test_no_command_is_forgotten() -> None:
    assert set(COMMANDS) - OTHERS <= {*RULES, *SITUATIONS}


@pytest.mark.parametrize("command", RULES)
def test_what_is_in_a_rule_file_is_a_finding(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("slip", "empty", "remarks", "list", "orphan", "binary", "latin", "huge"):
        found, said = code(RULES[command], f"{name}.yaml", folder, monkeypatch)
        assert found == 1, f"{name}: {said}"
        assert f"{name}.yaml:" in said or "orphan" in name, said


@pytest.mark.parametrize("command", SITUATIONS)
def test_what_is_in_a_situation_is_a_finding(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SAID:
        found, said = code(SITUATIONS[command], f"{name}.yaml", folder, monkeypatch)
        assert found == 1, f"{name}: {said}"


@pytest.mark.parametrize("words", [*RULES.values(), *SITUATIONS.values()], ids=lambda words: words[0])
def test_what_is_not_there_could_not_run(words: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("nowhere", "missing.yaml", "folder", "no/such/file.yaml"):
        found, said = code(words, name, folder, monkeypatch)
        assert found == 2, f"{name}: {said}"


@pytest.mark.parametrize("command", RULES)
def test_a_stack_that_cannot_be_could_not_run(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert code(RULES[command], "morale+modern", folder, monkeypatch)[0] == 2
    assert code(RULES[command], "modern+far", folder, monkeypatch)[0] == 2


@pytest.mark.parametrize("command", RULES)
def test_a_bare_name_is_a_file_of_this_folder(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, said = code(RULES[command], "slip", folder, monkeypatch)
    assert (found, "slip.yaml:4:11" in said) == (1, True)
    assert "did you mean `slip`?" in code(RULES[command], "slipp", folder, monkeypatch)[1]


def test_what_is_typed_of_a_right_rule_set_could_not_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("odds", "resolve"):
        for more in ((), THINGS[:2], (*THINGS, "gren"), (*THINGS, "--ask", "nothing")):
            words = (command, "{}", "shoot", *more)
            assert code(words, "modern", folder, monkeypatch)[0] == 2, more
    assert code(("odds", "{}", "shoot", *THINGS, "--limit", "2"), "modern", folder, monkeypatch)[0] == 2


# ---- which findings count
@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A file with a warning and nothing else."""
    from interpreter.source import CATALOGUE

    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.yaml").write_text(CATALOGUE["D009"].bad, "utf-8")
    return "odd"


def test_warnings_count_unless_told_otherwise(odd: str) -> None:
    def ended(*words: str) -> int:
        return CliRunner().invoke(main, ["check", odd, *words]).exit_code

    assert "1 warning" in CliRunner().invoke(main, ["check", odd]).output
    assert ended() == 1
    assert ended("--fail-on", "warning") == ended("--fail-on", "style") == 1
    assert ended("--fail-on", "error") == 0
    assert 'failures="0"' in CliRunner().invoke(main, ["check", odd, "--fail-on", "error", "--format", "junit"]).output
    assert ended("--fail-on", "nothing") == 2


def test_quiet_says_what_is_wrong_and_nothing_else(odd: str) -> None:
    done = CliRunner().invoke(main, ["check", "--quiet", odd, "tabletop"])
    assert (done.exit_code, "clean" in done.output, "checked" in done.output) == (1, False, False)
    assert "D009" in done.output
    assert CliRunner().invoke(main, ["check", "--quiet", "tabletop"]).output == ""


def test_the_last_line_counts(odd: str) -> None:
    done = CliRunner().invoke(main, ["check", odd, "tabletop"])
    assert done.output.splitlines()[-1] == "2 checked: 1 warning"
