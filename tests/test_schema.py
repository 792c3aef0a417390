"""`umpire schema`: checkers and editors that know nothing of Umpire find every file right, and a planted mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typed import CliRunner

from interpreter.document.editor_schemas import editor_schema
from interpreter.document.shape import RULE_FILE, SITUATION, SWEEP, schema
from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.rules import open_rules

ROOT = Path(__file__).parent.parent
RULES = [*(ROOT / "rules").glob("*.yaml"), *(ROOT / "examples" / "house-rules").glob("*.yaml")]
SITUATIONS = [*(ROOT / "rules" / "tests").glob("*.yaml"), *(ROOT / "examples").glob("*.yaml")]
SITUATIONS = [path for path in SITUATIONS if not path.name.endswith(".slips.yaml")]
SITUATIONS.remove(ROOT / "examples" / "mistake.yaml")  # that is a rule file
SWEEPS = [ROOT / "examples" / "sweeps" / "rifles.yaml"]
KINDS = {"rules": RULE_FILE, "situation": SITUATION, "sweep": SWEEP}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("schemas")
    for kind in KINDS:
        done = CliRunner().invoke(main, ["schema", kind, "--output", str(made / f"{kind}.json")])
        assert done.exit_code == 0, done.output
    return made


def check(kind: str, folder: Path, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(folder / f"{kind}.json"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, encoding="utf-8")


@pytest.mark.parametrize(("kind", "files"), [("rules", RULES), ("situation", SITUATIONS), ("sweep", SWEEPS)])
def test_every_file_here_is_right(kind: str, files: list[Path], folder: Path) -> None:
    assert len(files) > 20 or kind == "sweep"
    done = check(kind, folder, *files)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("rules", "game: Ours\nextend: modern\n", "extend"),
        ("rules", "extends: modern\n", "game"),
        ("rules", "game: Ours\nFiring:\n  tabel weapons (range):\n    rifle: 24\n", "tabel weapons"),
        ("rules", "game: Ours\nFiring:\n  example one:\n    facst: none\n", "facst"),
        ("situation", "rules: modern\nthan: hits = 1\n", "than"),
        ("sweep", "sweep: Ours\nrules: modern\nvaries: 1\n", "varies"),
        ("sweep", "sweep: Ours\nrules: modern\nsituation one:\n  than: 1\n", "than"),
        ("situation", "rules: modern\nexample one:\n  than: hits = 1\n", "than"),
    ],
)
def test_a_planted_mistake_is_found(kind: str, text: str, told: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "planted.yaml").write_text(text, "utf-8")
    done = check(kind, folder, tmp_path / "planted.yaml")
    assert done.returncode == 1
    assert told in done.stdout


@pytest.mark.parametrize("name", KINDS.values())
def test_every_key_is_explained(name: str) -> None:
    """Where a key can stand there is a description, and an example of most."""
    made = editor_schema(name)
    jsonschema.Draft7Validator.check_schema(made)
    keys = [rule for place in (made, *made["definitions"].values()) for rule in every_key(place)]
    assert len(keys) > 20
    assert all(rule["description"] for rule in keys)
    assert not any("description" in each for each in made["definitions"].values()), "editors show that one instead"
    assert sum("examples" in rule for rule in keys) > len(keys) // 2


def every_key(place: dict[str, Any]) -> list[dict[str, Any]]:
    return [*place.get("properties", {}).values(), *place.get("patternProperties", {}).values()]


@pytest.mark.parametrize("name", KINDS.values())
def test_it_says_what_umpire_itself_goes_by(name: str) -> None:
    ours, theirs = schema(name), editor_schema(name)
    top = ours["$defs"]["situation"] if name == SITUATION else ours
    assert theirs["properties"].keys() == top["properties"].keys()
    assert "$ref" in json.dumps(theirs)
    assert ".json#" not in json.dumps(theirs), "it needs no other file"


def test_what_is_offered_is_how_it_is_written(tmp_path: Path) -> None:
    """Every snippet, alone under a heading, is right in shape and in grammar, whatever it speaks of."""
    validator = jsonschema.Draft7Validator(editor_schema(RULE_FILE))
    snippets = editor_schema(RULE_FILE)["definitions"]["section"]["defaultSnippets"]
    assert len(snippets) == 17
    for snippet in snippets:
        text = json.dumps({"game": "Toy", "Firing": snippet["body"]})
        assert validator.is_valid(json.loads(text)), snippet["label"]
        (tmp_path / "toy.yaml").write_text(as_yaml(snippet["body"]), "utf-8")
        problems = Problems()
        open_rules(tmp_path / "toy.yaml", problems)
        assert not [p.message for p in problems if p.code[0] in "YSL"], snippet["label"]


def as_yaml(body: dict[str, Any], indent: str = "  ") -> str:
    """As an author writes it: no quotes."""
    lines = ["game: Toy", "Firing:"] if indent == "  " else []
    for key, value in body.items():
        inner = as_yaml(value, indent + "  ") if isinstance(value, dict) else ""
        said = f" {value}" if isinstance(value, str) else ""
        lines.append(f"{indent}{key}:{said}" + (f"\n{inner}".rstrip() if inner else ""))
    return "\n".join(lines) + "\n"
