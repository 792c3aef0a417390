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
from typing import Any

import pytest
import yaml

from tests.sampled import sampled

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
    "docs/recipes",
    "pyproject.toml",
    "hatch_build.py",
    "README.md",
    "LICENSE",
    ".pre-commit-hooks.yaml",
)
# The five house rules, what is played together, and what looks after them; and a file that is none of Umpire's.
CLUB = ("core.yaml", "night.yaml", "guns.yaml", "steady.yaml", "cards.yaml", "umpire.yaml")
KEPT = (*CLUB, ".pre-commit-config.yaml", ".github/workflows/umpire.yaml")
# What goes wrong, how, which hook says so, and where; the last is the step of the Action.
WRONG = {
    "a slip of the pen": ("guns.yaml", "lmg.shots: 4", "lgm.shots: 4", "umpire check", "guns.yaml:5:11", "Check"),
    "a row renamed upstream": ("core.yaml", "    militia: 5+", "    levy: 5+", "umpire check", "steady.yaml:6:37", "Check"),
    "a stale lock": ("guns.yaml", "lmg.shots: 4", "lmg.shots: 5", "umpire lock", "core+guns.lock:", "Compare with locks"),
    "a failing example": ("night.yaml", "odds: 1/1", "odds: 1/2", "umpire test", "night.yaml:13:20", "Run examples"),
    "a stack that conflicts": (
        "night.yaml", "House rules:", "change:\n  weapons.lmg.shots: 2, was 3\nHouse rules:", "umpire check", "night.yaml:5:3", "Check",
    ),
    "an unformatted file": ("cards.yaml", "game: Cards", "game:   Cards", "umpire fmt", "cards.yaml:2", "Layout"),
}  # fmt: skip


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
    assert len(commands) > 4
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


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, programs: Path, published: tuple[Path, dict[str, str]]) -> Path:
    """The repository of the page, with its hooks and a lock: green as it stands."""
    folder = tmp_path_factory.mktemp("club")
    for name in KEPT:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(FILES[name], "utf-8")
    (folder / "compose.yaml").write_text("services: {a: 1}\n", "utf-8")
    hooked(folder, published[0])
    assert shell("umpire lock guns", folder, programs).returncode == 0
    git(folder)
    commands = re.findall(r"^pre-commit .*$", PAGE, re.MULTILINE)
    assert commands == ["pre-commit install", "pre-commit run --all-files"]
    for command in commands:
        done = shell(command, folder, programs, **published[1])
        assert done.returncode == 0, done.stdout + done.stderr
    hooks = ("umpire check", "umpire test", "umpire lock", "umpire fmt")
    assert outcome(done.stdout) == dict.fromkeys(hooks, "Passed")
    return folder


@pytest.fixture
def repository(club: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(club, tmp_path / "repository")


def spoilt(folder: Path, what: str) -> None:
    name, right, wrong, *_ = WRONG[what]
    text = (folder / name).read_text("utf-8")
    assert text.count(right) == 1
    (folder / name).write_text(text.replace(right, wrong), "utf-8")


@pytest.mark.parametrize("what", sampled(WRONG, 2))
def test_a_commit_is_stopped_where_it_is_wrong(
    what: str, repository: Path, programs: Path, published: tuple[Path, dict[str, str]]
) -> None:
    """Only the file that is wrong is committed; what it breaks elsewhere is told all the same."""
    name, _, _, hook, place, _ = WRONG[what]
    spoilt(repository, what)
    subprocess.run(["git", "add", name], cwd=repository, check=True)
    done = shell("pre-commit run", repository, programs, **published[1])
    assert done.returncode == 1, done.stdout + done.stderr
    assert outcome(done.stdout)[hook] == "Failed", done.stdout
    assert place in done.stdout, done.stdout


def test_the_page_says_what_stops_a_commit() -> None:
    rows = re.findall(r"^\| [^|]+ \| `(umpire-\w+)`[^|]* \| ([^|]+) \|$", PAGE, re.MULTILINE)
    told = [(hook.replace("umpire ", "umpire-"), place) for _, _, _, hook, place, _ in list(WRONG.values())[1:]]
    assert len(rows) == len(told)
    for (hook, said), (named, place) in zip(rows, told, strict=True):
        assert hook == named
        assert place.rstrip(":") in said


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
    clean = steps(repository, programs, **as_on_the_page())
    done = [(name, each.returncode) for name, each in clean.items()]
    assert done == [(name, 0) for name in ("Check", "Run examples", "Compare with locks", "Layout")]
    assert clean["Check"].stdout.endswith(": no problems\n")

    spoilt(repository, "a slip of the pen")
    wrong = steps(repository, programs, sarif="umpire.sarif", files="*.yaml $(touch pwned) ;touch pwned")
    assert wrong["Write SARIF"].returncode != 0, "names of files are no commands"
    assert not (repository / "pwned").exists()
    wrong = steps(repository, programs, sarif="umpire.sarif")
    assert [(name, each.returncode) for name, each in wrong.items()] == [("Write SARIF", 0), ("Check", 1)]
    assert wrong["Check"].stdout.startswith(
        "::error file=guns.yaml,line=5,endLine=5,col=11,endColumn=14,title=umpire N001::"
    )
    assert '"startLine": 5' in (repository / "umpire.sarif").read_text("utf-8")


@pytest.mark.parametrize("what", WRONG)
def test_the_action_fails_where_it_is_wrong(what: str, repository: Path, programs: Path) -> None:
    *_, place, step = WRONG[what]
    spoilt(repository, what)
    done = steps(repository, programs, **as_on_the_page())
    assert list(done)[-1] == step and done[step].returncode == 1, done[step].stdout + done[step].stderr
    file, row, *_ = place.split(":")
    assert f"file={file},line={row}" in done[step].stdout or place in done[step].stdout, done[step].stdout


def as_on_the_page() -> dict[str, str]:
    """What the workflow of the page sets."""
    given = yaml.safe_load(FILES[".github/workflows/umpire.yaml"])["jobs"]["umpire"]["steps"][-1]["with"]
    return {name: str(each).lower() for name, each in given.items()}
