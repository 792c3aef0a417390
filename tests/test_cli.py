"""The command line: what it prints, what it ends with. Never a traceback, whatever it is given."""

import json
import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from typed import CliRunner, Result

from interpreter.surfaces.as_json import fraction
from interpreter.surfaces.cli.group import main

ROOT = Path(__file__).parent.parent
VOLLEY = str(ROOT / "examples" / "modern-volley.yaml")
SHOT = ("modern", "shoot", "A: 6 figures, seasoned, rifle", "B: 8 figures, green, light armour", 'distance 20"')


def run(*words: str, typed: str = "") -> Result:
    done = CliRunner().invoke(main, list(words), input=typed)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Traceback" not in done.output
    assert "mistake in Umpire" not in done.output
    assert done.exit_code in (0, 1, 2)
    return done


def said(code: int, *words: str, typed: str = "") -> str:
    done = run(*words, typed=typed)
    assert done.exit_code == code, done.output
    return done.output


def data(*words: str, code: int = 0) -> dict:
    return json.loads(said(code, *words, "--json"))


# ---- check
def test_check_knows_what_a_file_is() -> None:
    out = said(0, "check", VOLLEY, str(ROOT / "rules" / "tests" / "modern-melee.yaml"))
    assert "a situation for modern" in out
    assert "examples for modern" in out


def test_a_mistake_is_shown_with_its_place() -> None:
    out = said(1, "check", str(ROOT / "examples" / "mistake.yaml"))
    line = next(x for x in out.splitlines() if "mistake.yaml:6:27 | " in x)
    carets = out.splitlines()[out.splitlines().index(line) + 1]
    assert line[carets.index("^") :].startswith("distence")
    assert "did you mean `distance`?" in out


def test_check_as_json() -> None:
    found = json.loads(said(1, "check", "--format", "json", str(ROOT / "examples" / "mistake.yaml")))
    assert found["errors"] == 1
    assert found["problems"][0]["line"] == 6
    assert found["files"][0]["clean"] is False


# ---- resolve
def test_a_situation_carried_out_with_its_own_dice() -> None:
    out = said(0, "resolve", VOLLEY)
    assert "hits: shooting on d6, needs 6+: 6 1 5 6 2 3 → 2 of 6 pass" in out
    assert "- aimed: roll +1 if unit is aiming" in out
    assert "MOD-028" in out
    assert out.count("holds  ") == 5
    assert "1 \u00d7 figure (soft, light) gains suppressed" in out


def test_what_changed_nothing_is_left_out() -> None:
    assert "loses" not in said(0, "resolve", VOLLEY)


def test_seeds_repeat() -> None:
    one = data("resolve", *SHOT, "--seed", "evening")
    assert one == data("resolve", *SHOT, "--seed", "evening")
    assert one["seed"] == "evening"
    out = said(0, "resolve", *SHOT)
    seed = out.partition("--seed ")[2].split()[0]
    assert said(0, "resolve", *SHOT, "--seed", seed) == out


def test_dice_are_given_in_order_or_by_line() -> None:
    wanted = ("--ask", "hits", "--ask", "unsaved")
    listed = data("resolve", *SHOT, "--dice", "6,1,5,4,2,3/1,6", *wanted)
    assert listed["values"] == {"hits": 2, "unsaved": 1}
    named = data("resolve", *SHOT, "--dice", "unsaved 1 6, hits 6 1 5 4 2 3", *wanted)
    assert named["values"] == listed["values"]


@pytest.mark.parametrize(
    ("dice", "code", "problem"),
    [("6,1", 2, "F005"), ("7,1,1,1,1,1", 2, "F006"), ("1,1,1,1,1,1,1", 1, "F007"), ("6,x", 2, "L001")],
)
def test_wrong_dice(dice: str, code: int, problem: str) -> None:
    assert problem in said(code, "resolve", *SHOT, "--dice", dice)


def test_dice_are_asked_for() -> None:
    out = said(0, "resolve", *SHOT, "--ask-dice", "--ask", "hits", typed="7 6 1 5 1 1\n615111\n11\n")
    assert "7 is no face of a d6" in out
    assert "hits: 2" in out


def test_choices_are_asked_for() -> None:
    out = said(0, "resolve", *SHOT, "--dice", "6,1,1,1,1,1,1", "--ask-choices", typed="1\n")
    assert "(usually)" in out
    assert "B: figures 8 \u00d7 figure (light) → 7 \u00d7 figure (light)\n" in out


def test_more_is_told_when_asked() -> None:
    few, many = said(0, "resolve", VOLLEY), said(0, "resolve", VOLLEY, "-v")
    assert "- no " not in few
    assert "- no " in many
    assert len(many.splitlines()) > 1.5 * len(few.splitlines())


def test_the_trace_as_json() -> None:
    found = data("resolve", VOLLEY)
    assert found["then"] == [{"text": t["text"], "held": True} for t in found["then"]]
    call = found["trace"][0]
    assert call["kind"] == "call"
    throws = [e for e in call["children"] if e["kind"] == "throw"]
    assert throws[0]["data"]["dice"] == [6]
    assert throws[0]["clauses"] == ["MOD-037", "MOD-038"]
    assert any(m["data"].get("applied") is False for m in throws[0]["children"])


# ---- odds
def test_bars() -> None:
    out = said(0, "odds", *SHOT, "--ask", "hits")
    assert "hits  mean 2" in out
    row = next(x for x in out.splitlines() if x.startswith("  2 "))
    assert row.split()[:2] == ["2", "32.9%"]
    assert row.endswith("64.9% or more")


def test_exact_fractions() -> None:
    assert "80/243" in said(0, "odds", *SHOT, "--ask", "hits", "--fraction")
    assert fraction(Fraction(1, 10**5000)).endswith("0" * 5000)


def test_odds_as_json_sum_to_one() -> None:
    found = data("odds", *SHOT, "--ask", "hits", "--ask", "unsaved", "--ask", "B.figures")
    for question in found["questions"]:
        whole = sum(Fraction(o["probability"]) for o in question["outcomes"])
        assert whole == 1
        assert Fraction(question["mean"]) == sum(
            o["value"] * Fraction(int(o["numerator"]), int(o["denominator"])) for o in question["outcomes"]
        )
    assert sum(Fraction(o["probability"]) for o in found["joint"]["outcomes"]) == 1
    assert found["joint"]["asks"] == ["hits", "unsaved", "B.figures"]


def test_lines_are_asked_when_nothing_is() -> None:
    found = data("odds", *SHOT)
    asked = [q["ask"] for q in found["questions"]]
    assert "men.unsaved" in asked
    assert "B.figures" in asked
    assert "shooters" not in asked  # certain: no chart of its own
    assert len(asked) <= 8
    assert all(sum(Fraction(o["probability"]) for o in q["outcomes"]) == 1 for q in found["questions"])


def test_what_adds_up_without_end_is_not_asked_unless_somebody_does() -> None:
    """A brawl goes on until somebody has won it: a die added up over its rounds has endlessly many answers."""
    man = ["A: 1 figures", "B: 1 figures", "distance 0"]
    told = run("odds", "vbcw", "brawl", *man)
    assert told.exit_code == 0
    assert "better  also worse" in told.output
    assert "blow" not in told.output
    asked = run("odds", "vbcw", "brawl", *man, "--ask", "rounds.blows.outnumbered.bouts.bout.blow", "--limit", "2000")
    assert asked.exit_code == 2
    assert "E001" in asked.output


def test_what_nobody_asked_is_worked_out_in_parts_where_all_at_once_is_too_much() -> None:
    men = ["vbcw", "brawl", "A: 2 figures", "B: 2 figures", "distance 0", "--json"]
    whole, parts = (json.loads(run("odds", *men, "--limit", limit).output) for limit in ("100000", "300"))
    assert (whole["questions"], whole["left out"]) == (parts["questions"], [])
    assert whole["worlds"] < parts["worlds"]
    assert "E001" in run("odds", *men, "--limit", "200").output  # not one of them


def shown_in_help() -> list[str]:
    """Examples of the help that need no file of one's own."""
    text = (ROOT / "examples" / "commands.txt").read_text(encoding="utf-8")
    text = re.sub(r"\\\n +", "", text)
    lines = [line.strip().partition("   ")[0] for line in text.splitlines() if line.startswith("  umpire")]
    return [line for line in lines if not re.search(r"ours|garden|pulp|shot|duel|--ask-|rulings|\*", line)]


@pytest.mark.parametrize("line", shown_in_help())
def test_what_the_help_shows_works(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert run(*shlex.split(line)[1:]).exit_code == 0


def test_the_help_of_each_command_shows_its_examples_once() -> None:
    pages = re.split(r"\n\n", (ROOT / "examples" / "commands.txt").read_text(encoding="utf-8"))[1:]
    assert len(pages) > 10
    for page in pages:
        name, *lines = page.strip().split("\n  ")
        told = run(*name.removeprefix("umpire").split(), "--help").output
        shown = [line.strip() for line in told.splitlines()]
        assert shown.count(lines[0].strip()) == 1
        at = shown.index(lines[0].strip())
        assert shown[at : at + len(lines)] == [line.strip() for line in lines]
    assert "umpire odds" not in run("fmt", "--help").output


def test_odds_under_a_condition() -> None:
    found = data("odds", *SHOT, "--ask", "hits", "--given", "hits >= 1")
    assert Fraction(found["given"]["probability"]) == 1 - Fraction(2, 3) ** 6
    first = found["questions"][0]["outcomes"][0]
    assert first["value"] == 1
    assert Fraction(first["probability"]) == 6 * Fraction(1, 3) * Fraction(2, 3) ** 5 / (1 - Fraction(2, 3) ** 6)
    assert "never does" in said(2, "odds", *SHOT, "--given", "hits > 6")


def test_a_roll_has_odds() -> None:
    found = data("odds", "modern", "activation", "A: seasoned, 5 figures")
    assert found["questions"][0]["outcomes"][1] == {
        "value": True, "probability": "2/3", "numerator": "2", "denominator": "3", "percent": 66.6667,
    }  # fmt: skip


def test_a_roll_of_each_has_odds() -> None:
    found = data("odds", "modern", "shooting", "A: seasoned, 5 figures, rifle", "B: green, 4 figures")
    assert Fraction(found["questions"][0]["mean"]) == Fraction(5, 3)


def test_an_outcome_table_has_odds() -> None:
    found = data("odds", "modern", "damage", "V: seasoned, light hull, 2 figures", "face: d6", "--ask", "outcome")
    chances = {o["value"]: Fraction(o["probability"]) for o in found["questions"][0]["outcomes"]}
    assert chances["destroyed"] >= Fraction(1, 6)
    assert sum(chances.values()) == 1


def test_choices_and_rulings_change_odds() -> None:
    one = data("odds", *SHOT, "--ask", "harm.dead")
    two = data("odds", *SHOT, "--ask", "harm.dead", "--choose", "suffer.down=fewest")
    assert Fraction(two["questions"][0]["mean"]) > Fraction(one["questions"][0]["mean"])
    burst = ("odds", "vbcw", "fire", "A: 2 figures, smg", "B: 5 figures", "distance 5", "--ask", "hits")
    assert data(*burst) != data(*burst, "--ruling", "pair-jams=3")


OPEN = ("odds", *SHOT, "--choose", "suffer.down=any", "--ask", "harm.dead")


def test_an_open_choice_has_a_band() -> None:
    found = data(*OPEN)
    assert found["open"] == [{"line": "suffer.split.down", "who": "side of B"}]
    question = found["questions"][0]
    assert question["outcomes"] is None
    assert question["mean"] is None
    fewest = data("odds", *SHOT, "--ask", "harm.dead", "--choose", "suffer.down=fewest")
    most = data("odds", *SHOT, "--ask", "harm.dead", "--choose", "suffer.down=most")
    ends = [m["questions"][0]["mean"] for m in (most, fewest)]
    assert [question["band"]["mean"][k] for k in ("least", "greatest")] == ends
    first = question["band"]["outcomes"][0]
    assert Fraction(first["least"]["probability"]) < Fraction(first["greatest"]["probability"])
    assert first["at_least"] is None


def test_a_band_says_what_is_open_and_how_to_close_it() -> None:
    told = said(0, *OPEN)
    assert " to " in told.splitlines()[3]
    assert "suffer.split.down (side of B)" in told
    assert "--choose suffer.split.down=" in told
    assert "in 53.1% to 85.8%" in said(0, *OPEN, "--given", "harm.dead > 0")
    assert "never does" in said(2, *OPEN, "--given", "hits > 6")


def test_one_file_serves_all_three() -> None:
    found = data("odds", VOLLEY)
    assert found["questions"][0]["outcomes"][1]["probability"] == "31031/46656"
    assert data("resolve", VOLLEY)["values"]["hits"] == 2
    assert "1 passed" in said(0, "test", VOLLEY)


def test_an_example_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "examples.yaml"
    lines = "".join(f"  {x}\n" for x in Path(VOLLEY).read_text("utf-8").splitlines() if not x.startswith("rules"))
    file.write_text(f"rules: modern\nexample six-rifles:\n{lines}", "utf-8")
    assert "as expected" in said(0, "odds", str(file), "six-rifles")
    assert "did you mean `six-rifles`" in said(2, "odds", str(file), "six-rifle")
    assert "1 passed" in said(0, "test", str(file))


# ---- short arguments
@pytest.mark.parametrize(
    ("words", "held"),
    [
        (("distance 20",), "5+"),
        (('distance(A, B) is 20"', "A is aiming"), "5+, +1 on the die"),
        (("distance 20 inches", "B is ducking"), "6+"),
        (("distance 20\u201d", "B is spotted", "sight yes"), "5+"),
    ],
)
def test_facts_in_few_words(words: tuple[str, ...], held: str) -> None:
    out = said(0, "resolve", "modern", "shoot", "A: 2 figures, seasoned, rifle", "B: 8 figures, green", *words)
    assert f"needs {held}: " in out


def test_a_fact_may_be_denied() -> None:
    out = said(0, "resolve", *SHOT, "not sight", "--ask", "shooters")
    assert out.endswith("shooters: 0\n")
    assert said(0, "resolve", *SHOT, "sight no", "--ask", "shooters").endswith("shooters: 0\n")


def test_kinds_may_be_said() -> None:
    out = said(0, "resolve", "modern", "shoot", "A: 2 figures, elite, rpg", "vehicle V: green, light hull",
               "distance 9", "facing rear", "--seed", "1")  # fmt: skip
    assert "A shoots at V" in out


def test_a_mixed_lot_in_an_argument() -> None:
    mixed = "A: {is: seasoned, figures: [4 with weapon rifle, 1 with weapon lmg]}"
    assert (
        data("odds", "modern", "shoot", mixed, SHOT[3], "distance 9", "--ask", "hits")["questions"][0]["mean"] == "7/3"
    )


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("modern", "shooot"), "did you mean `shoot`"),
        (("moder", "shoot"), "did you mean `modern`"),
        (("modern",), "umpire show modern"),
        (("modern", "shoot", "A: green, 3 figures"), "describe it: `B: …`"),
        (("modern", "shoot", "A: gren, 3 figures", "B: green, 1 figures"), "argument 1:1:4"),
        (("modern", "shoot", "A: green", "B: green", "distanc 9"), "argument 3:1:1"),
        (("modern", "shoot", "A: green", "A: green"), "described twice"),
        (("modern", "shoot", "unti A: green", "B: green"), "did you mean `unit`"),
        (("modern", "suffer", "A: green, 3 figures"), "`unsaved: …`"),
        (("vbcw", "fire", "A: 3 figures", "B: 3 figures", "cover soft"), "`cover(B) is …`"),
        (("modern", "shoot", "A: green, 3 figures, rifle", "B: green, 3 figures"), "distance(A, B) is not stated"),
    ],
)
def test_arguments_that_say_too_little(words: tuple[str, ...], hint: str) -> None:
    assert hint in " ".join(said(2, "odds", *words).split())


# ---- test, show, coverage, explain, demo
def test_examples_of_a_file() -> None:
    out = said(0, "test", str(ROOT / "rules" / "tests" / "modern-melee.yaml"), "-v")
    assert "examples, " in out
    assert "  failed  " not in out
    assert out.count("  passed  ") == int(out.split()[-2])


def test_a_failing_example(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(Path(VOLLEY).read_text("utf-8").replace("hits = 2", "hits = 3"), "utf-8")
    assert "X001" in said(1, "test", str(file))
    assert data("test", str(file), code=1)["sets"][0]["passed"] == 0
    assert "fails  hits = 3" in said(1, "resolve", str(file))


def test_tables_as_a_person_prints_them() -> None:
    out = said(0, "show", "modern", "weapons").splitlines()
    assert any(x.split() == ["ak47", '12"/24"', "2/1", "small"] for x in out)
    assert len({x.index('"') for x in out if '"' in x and "/" not in x}) == 1
    assert '24"' in said(0, "show", "modern", "rifle")
    page = said(0, "show", "vbcw")
    assert page.index("Leadership Tests") < page.index("Melee")
    assert "modern.yaml" in said(0, "show", "modern", "shooting")
    assert "did you mean `shooting`" in said(2, "show", "modern", "shootin")


def test_coverage_claims_only_what_examples_show() -> None:
    found = data("coverage", "modern")
    assert sum(found["counts"].values()) == len(found["clauses"]) == 100
    assert found["missing"] == found["outdated"] == found["failed"] == []
    for clause in found["clauses"]:
        shown = any(each["where"] == "company" for each in clause["shown_by"])
        assert shown == (clause["status"] == "shown in company")
        assert clause["cited_at"] or clause["status"] not in ("shown in company", "carried out")
        assert not clause["examples"] or clause["status"] in ("shown in company", "carried out")


def test_without_examples_nothing_is_claimed(tmp_path: Path) -> None:
    ours = tmp_path / "ours.yaml"
    ours.write_text("game: Ours\nextends: vbcw\n", "utf-8")
    (tmp_path / "tests").mkdir()
    out = said(0, "coverage", str(ours), "-v")
    assert "○ carried out" in out
    assert "●" not in out


def test_codes_are_explained() -> None:
    assert "N001" in said(0, "explain")
    assert "{" not in said(0, "explain").replace("`{`", "")  # what a message fills in is nobody's yet
    assert said(0, "explain", "n001").startswith("N001 (error)")
    assert "did you mean" in said(2, "explain", "N0011")


def test_the_demonstration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = said(0, "demo")
    assert "clean  modern" in out
    assert "did you mean `distance`" in out
    assert "66.5%" in out
    assert out.count("\n  umpire ") == 4
    page = (ROOT / "examples" / "demo.txt").read_text(encoding="utf-8")
    page = page.replace("examples/", str(ROOT / "examples" / "_")[:-1])  # from here
    shown = [line for line in page.splitlines() if line and not line.startswith(("#", "$ umpire check"))]
    assert [line for line in out.splitlines() if line in shown] == shown


# ---- anything at all
@pytest.mark.parametrize("command", ["check", "odds", "resolve", "test", "show", "coverage"])
def test_whatever_it_is_given(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "empty.yaml").write_text("", "utf-8")
    (tmp_path / "deep.yaml").write_text("rules: modern\ndo: " + "[" * 3000, "utf-8")
    (tmp_path / "huge.yaml").write_text("rules: modern\nabout: " + "x" * 1_000_000, "utf-8")
    (tmp_path / "list.yaml").write_text("- rules\n- modern\n", "utf-8")
    (tmp_path / "nothing.yaml").write_text("rules: modern\n", "utf-8")
    (tmp_path / "lost.yaml").write_text("rules: nowhere\ndo: A shoots at B\n", "utf-8")
    here = tmp_path / "here" / "and-here"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    for file in [*tmp_path.iterdir(), tmp_path, tmp_path / "missing.yaml", "", "\0", "../..", "~", "modern/"]:
        done = run(command, str(file))
        assert done.exit_code in (1, 2), f"{command} {file}: {done.output}"
        assert done.output.strip()


ODD = ["", ":", "A:", "A", "a:", "(", '"', "A: {", "A: [", "is", "A is", "\0", "not", "\U0001d518: x", "-1", "B: " * 50]


@pytest.mark.parametrize("word", ODD)
def test_whatever_an_argument_is(word: str) -> None:
    assert run("odds", "modern", "shoot", "A: green, 2 figures", "--", word).exit_code == 2


def test_commands_that_are_none() -> None:
    assert "Did you mean `odds`?" in said(2, "oods")
    said(2, "odds", *SHOT, "--limit", "0")
    said(2, "resolve", *SHOT, "--seed", "1", "--dice", "6")
    said(2, "odds", *SHOT, "--choose", "shot")
    said(2, "odds", *SHOT, "--ask", "nothing-such")
    said(2, "odds", *SHOT, "--limit", "2")
    said(2, "odds")


def test_check_and_test_take_a_folder(tmp_path: Path) -> None:
    (tmp_path / "house" / "tests").mkdir(parents=True)
    head = "game: House\nextends: modern\nHouse Rules:\n  mark lucky of unit:\n"
    (tmp_path / "house" / "ours.yaml").write_text(head, "utf-8")
    example = "rules: ours\nexample e:\n  unit A: green, 2 figures\n  then: A.figures = 2\n"
    (tmp_path / "house" / "tests" / "ours-more.yaml").write_text(example, "utf-8")
    (tmp_path / "house" / "note.yaml").write_text("a: 1\n", "utf-8")
    tested = CliRunner().invoke(main, ["test", str(tmp_path / "house")])
    # The file of examples is run with the file that it lies beside, and not a second time by itself.
    assert tested.exit_code == 0 and tested.output.count("passed") == 1, tested.output
    checked = CliRunner().invoke(main, ["check", str(tmp_path), "--fail-on", "error"])
    assert "2 checked" in checked.output, checked.output
