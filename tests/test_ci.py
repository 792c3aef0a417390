"""docs/ci.md, followed to the letter: a repository of nothing but rule files, its hooks, its workflow, its commands.

What stands in the page is written down and run as it stands, but for two things: `pre-commit` gets this checkout where
the page says `https://github.com/OWNER/umpire`, and the workflow of GitHub, which nobody can run here, is compared with
the schemas of GitHub, and the commands of the Action are run as a shell runs them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = {text.split("\n")[0].removeprefix("# ").split(",")[0]: text for kind, text in BLOCKS if kind == "yaml"}
# As published: what hatchling builds a wheel of, and what pre-commit looks for.
PARTS = (
    "interpreter",
    "grammar",
    "starting",
    "rules",
    "examples",
    "pyproject.toml",
    "hatch_build.py",
    "README.md",
    "LICENSE",
    ".pre-commit-hooks.yaml",
)
SLIP = ("weapons.lmg.shots: 4, was 3", "weapons.lgm.shots: 4, was 3")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `umpire`, `pre-commit` and `check-jsonschema`, as if they had been installed."""
    folder = tmp_path_factory.mktemp("bin")
    python = shlex.quote(sys.executable)
    for name, module in {
        "umpire": "interpreter",
        "pre-commit": "pre_commit",
        "check-jsonschema": "check_jsonschema",
    }.items():
        own = f"PYTHONPATH={shlex.quote(str(ROOT))} " if name == "umpire" else ""
        (folder / name).write_text(f'#!/bin/sh\n{own}exec {python} -m {module} "$@"\n', "utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with nothing but rule files and what the page says to put beside them."""
    folder = tmp_path / "repository"
    for name in ("club.yaml", ".pre-commit-config.yaml", ".github/workflows/umpire.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(FILES[name], "utf-8")
    git(folder)
    return folder


def git(folder: Path) -> str:
    """Everything in the folder as a commit; its name."""
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "--quiet"], ["add", "--all"], [*who, "commit", "--quiet", "-m", "Rules"]):
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
    found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True)
    return found.stdout.strip()


def shell(command: str, folder: Path, programs: Path, **more: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PYTHON", "PRE_COMMIT"))}
    environment = {**clean, "PATH": f"{programs}{os.pathsep}{clean['PATH']}", "NO_COLOR": "1", **more}
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", command],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=300, encoding="utf-8",
    )  # fmt: skip


# ---- plain commands
def test_every_plain_command_of_the_page_runs(programs: Path, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    commands = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
    assert len(commands) > 6
    for command in commands:
        if not command.startswith("pre-commit"):  # those have a test of their own, and what `console` shows too
            done = shell(command, tmp_path, programs)
            assert done.returncode == 0, command + done.stdout + done.stderr


# ---- pre-commit
@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """This checkout as a repository of its own, and where pre-commit keeps what it installs from it."""
    folder = tmp_path_factory.mktemp("published")
    hooks = folder / "umpire"
    hooks.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, hooks / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, hooks / part)
    git(hooks)
    return hooks, {"PRE_COMMIT_HOME": str(folder / "home"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def hooked(repository: Path, hooks: Path) -> None:
    """The page's configuration, with the checkout in the place of Umpire's address."""
    config = repository / ".pre-commit-config.yaml"
    said = config.read_text("utf-8")
    revision = subprocess.run(["git", "rev-parse", "HEAD"], cwd=hooks, check=True, capture_output=True, text=True)
    for shown, here in (("https://github.com/OWNER/umpire", hooks.as_uri()), ("v0.1.0", revision.stdout.strip())):
        assert said.count(shown) == 1
        said = said.replace(shown, here)
    config.write_text(said, "utf-8")


def outcome(said: str) -> dict[str, str]:
    return dict(re.findall(r"^(umpire \w+)\.+(\w+)", said, re.MULTILINE))


def test_the_real_pre_commit(repository: Path, programs: Path, published: tuple[Path, dict[str, str]]) -> None:
    hooks, home = published
    hooked(repository, hooks)
    commands = re.findall(r"^pre-commit .*$", PAGE, re.MULTILINE)
    assert commands == ["pre-commit install", "pre-commit run --all-files"]

    for command in commands:
        done = shell(command, repository, programs, **home)
        assert done.returncode == 0, done.stdout + done.stderr
    assert outcome(done.stdout) == {"umpire check": "Passed", "umpire test": "Passed"}

    club = repository / "club.yaml"
    club.write_text(club.read_text("utf-8").replace(*SLIP), "utf-8")
    done = shell(commands[-1], repository, programs, **home)
    assert done.returncode == 1, done.stdout + done.stderr
    assert outcome(done.stdout)["umpire check"] == "Failed"
    assert "club.yaml:5:11" in done.stdout
    assert "did you mean `lmg`?" in done.stdout


# Five house rules of a club: one that the others are laid over, and what they play with.
CLUB = {
    "core.yaml": """\
        game: The club's core
        extends: modern
        House rules:
          add to training after green:
            militia: 5+, 5+, 1
          example militia-at-a-wood:
            unit A: militia, 6 figures, weapon rifle
            unit B: green, spotted, 8 figures, terrain soft
            facts: distance(A, B) is 20"
            do: A shoots at B
            odds: 1/1 mean hits
        """,
    "night.yaml": """\
        game: Night
        over: core
        House rules:
          fact night of unit: yes or no first no
          add to shooting:
            night: roll -1 if night(unit)
          example a-shot-in-the-dark:
            unit A: militia, 6 figures, weapon rifle
            unit B: green, 8 figures
            facts: distance(A, B) is 20", night(A)
            do: A shoots at B
            odds: 1/1 mean hits
        """,
    "guns.yaml": """\
        game: Guns
        over: core
        change:
          weapons.lmg.shots: 4, was 3
        """,
    "steady.yaml": """\
        game: Steady
        over: core
        House rules:
          add to activation:
            drilled: roll +1 if training is militia
        """,
    "cards.yaml": """\
        game: Cards
        over: core
        change:
          compete.throws.ours: d10 + bonus, was d6 + bonus
          compete.throws.theirs: d10 + other.bonus, was d6 + other.bonus
        """,
    "umpire.yaml": """\
        stacks:
          - core + night + guns
          - core + steady + cards
        """,
    "compose.yaml": """\
        services: {a: 1}
        """,
}
# What goes wrong, how, and where it is told.
WRONG = {
    "a row renamed upstream": ("core.yaml", "    militia: 5+", "    levy: 5+", "umpire check", "steady.yaml:5:37"),
    "a stale lock": ("guns.yaml", "lmg.shots: 4", "lmg.shots: 5", "umpire lock", "guns.lock:"),
    "a failing example": ("night.yaml", "odds: 1/1", "odds: 1/2", "umpire test", "night.yaml:12:20"),
    "a stack that conflicts": (
        "night.yaml", "House rules:", "change:\n  weapons.lmg.shots: 2, was 3\nHouse rules:", "umpire check", "night.yaml:4:",
    ),
    "an unformatted file": ("cards.yaml", "game: Cards", "game:   Cards", "umpire fmt", "cards.yaml:1"),
}  # fmt: skip


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, programs: Path, published: tuple[Path, dict[str, str]]) -> Path:
    """A repository of five house rules with all hooks of the page, green as it stands."""
    folder = tmp_path_factory.mktemp("club")
    for name, text in CLUB.items():
        (folder / name).write_text(dedent(text), "utf-8")
    said = FILES[".pre-commit-config.yaml"].rstrip("\n") + "\n      - id: umpire-lock\n      - id: umpire-fmt\n"
    (folder / ".pre-commit-config.yaml").write_text(said, "utf-8")
    hooked(folder, published[0])
    assert shell("umpire lock guns", folder, programs).returncode == 0
    git(folder)
    done = shell("pre-commit run --all-files", folder, programs, **published[1])
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(outcome(done.stdout).values()) == {"Passed"} and len(outcome(done.stdout)) == 4
    return folder


@pytest.mark.parametrize("what", WRONG)
def test_a_club_goes_red_where_it_is_wrong(
    what: str, club: Path, programs: Path, published: tuple[Path, dict[str, str]]
) -> None:
    """Only the file that is wrong is committed; what it breaks elsewhere is told all the same."""
    name, right, wrong, hook, place = WRONG[what]
    path = club / name
    before = path.read_text("utf-8")
    assert before.count(right) == 1
    path.write_text(before.replace(right, wrong), "utf-8")
    try:
        subprocess.run(["git", "add", name], cwd=club, check=True)
        done = shell("pre-commit run", club, programs, **published[1])
        assert done.returncode == 1, done.stdout + done.stderr
        assert outcome(done.stdout)[hook] == "Failed", done.stdout
        assert place in done.stdout, done.stdout
    finally:
        path.write_text(before, "utf-8")
        subprocess.run(["git", "add", name], cwd=club, check=True)


def test_hooks_are_commands_that_are_there(programs: Path, tmp_path: Path) -> None:
    done = shell(f"pre-commit validate-manifest {ROOT / '.pre-commit-hooks.yaml'}", tmp_path, programs)
    assert done.returncode == 0, done.stdout
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in hooks] == ["umpire-check", "umpire-test", "umpire-lock", "umpire-fmt"]
    assert all(f"`{hook['id']}`" in PAGE for hook in hooks)
    for hook in hooks:
        skipped = [name for name in (".pre-commit-config.yaml", ".github/workflows/a.yaml", "x/.y/z.yaml", "rules/a.yaml")
                   if re.search(hook["exclude"], name)]  # fmt: skip
        assert skipped == [".pre-commit-config.yaml", ".github/workflows/a.yaml", "x/.y/z.yaml"]


# ---- GitHub
def test_the_workflow_and_the_action_are_what_github_takes(repository: Path, programs: Path) -> None:
    for schema, file in (
        ("vendor.github-workflows", repository / ".github" / "workflows" / "umpire.yaml"),
        ("vendor.github-actions", ROOT / "action.yml"),
    ):
        done = shell(f"check-jsonschema --builtin-schema {schema} {shlex.quote(str(file))}", repository, programs)
        assert done.returncode == 0, done.stdout + done.stderr
    workflow = yaml.safe_load(FILES[".github/workflows/umpire.yaml"])
    given = workflow["jobs"]["umpire"]["steps"][-1]["with"]
    assert given.keys() <= action()["inputs"].keys()


def action() -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    return made


def steps(repository: Path, programs: Path, **inputs: str) -> dict[str, subprocess.CompletedProcess[str]]:
    """The commands of the Action with these inputs, as a runner runs them: until one fails."""
    given = {name: str(each["default"]) for name, each in action()["inputs"].items()} | inputs
    done = {}
    for step in action()["runs"]["steps"]:
        condition = re.fullmatch(r"inputs\.([\w-]+) (==|!=) '(\w*)'", step.get("if", "inputs.files != ''"))
        assert condition is not None, step
        if (given[condition[1]] == condition[3]) != (condition[2] == "=="):
            continue
        if "run" not in step or step["name"] == "Install Umpire":
            continue
        assert "${{" not in step["run"], "an input in a script could be a command"
        values = {
            key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], v)
            for key, v in step.get("env", {}).items()
        }
        done[step["name"]] = shell(step["run"], repository, programs, **values)
        if done[step["name"]].returncode:
            break
    return done


def test_the_commands_of_the_action(repository: Path, programs: Path) -> None:
    clean = steps(repository, programs)
    assert [(name, each.returncode) for name, each in clean.items()] == [("Check", 0), ("Run examples", 0)]
    assert clean["Check"].stdout == "1 checked: no problems\n"

    club = repository / "club.yaml"
    club.write_text(club.read_text("utf-8").replace(*SLIP), "utf-8")
    wrong = steps(repository, programs, sarif="umpire.sarif", files="*.yaml $(touch pwned) ;touch pwned")
    assert wrong["Write SARIF"].returncode != 0, "names of files are no commands"
    assert not (repository / "pwned").exists()
    wrong = steps(repository, programs, sarif="umpire.sarif")
    assert [(name, each.returncode) for name, each in wrong.items()] == [("Write SARIF", 0), ("Check", 1)]
    assert wrong["Check"].stdout.startswith(
        "::error file=club.yaml,line=5,endLine=5,col=11,endColumn=14,title=umpire N001::"
    )
    assert '"startLine": 5' in (repository / "umpire.sarif").read_text("utf-8")
