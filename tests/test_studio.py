"""The studio without a browser: its folder, its workers, its gate, and what a desk finds out."""

import asyncio
import os
import re
import time
from pathlib import Path

import pytest
from browser.ours import OURS

from interpreter import disk
from interpreter.editor.carets import caret
from interpreter.source import Problems, Source
from interpreter.surfaces.as_charts import Bars
from interpreter.surfaces.studio import tasks
from interpreter.surfaces.studio.desk import Desk, Studio
from interpreter.surfaces.studio.gate import Gate
from interpreter.surfaces.studio.look import coloured
from interpreter.surfaces.studio.worker import Stopped, Worker
from interpreter.workbench.progress import Progress
from interpreter.workbench.starting import games
from interpreter.workbench.work_folder import WorkFolder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "ours.yaml").write_text(OURS, "utf-8")
    return inside


@pytest.fixture
def desk(folder: Path):
    studio = Studio(str(folder))
    made = Desk(studio)
    assert made.open("ours.yaml")
    yield made
    studio.close()


# ---- the folder
def test_a_file_is_saved_whole_and_never_over_what_somebody_else_wrote(folder: Path) -> None:
    inside, problems = WorkFolder(folder), Problems()
    found = inside.read("ours.yaml", problems)
    assert found is not None and not inside.changed_outside(found)
    saved = inside.write(found, found.shown + "# more\n", problems)
    assert saved is not None and (folder / "ours.yaml").read_text("utf-8") == OURS + "# more\n"
    (folder / "ours.yaml").write_text("theirs: yes\n", "utf-8")
    assert inside.changed_outside(saved)
    assert inside.write(saved, "game: mine\n", problems) is None
    assert [p.code for p in problems] == ["Y056"]
    assert (folder / "ours.yaml").read_text("utf-8") == "theirs: yes\n"
    assert sorted(p.name for p in folder.iterdir()) == ["ours.yaml"]


@pytest.mark.parametrize("whole", ["a: 1\r\nb: 2\r\n", "\ufeffa: 1\nb: 2\n", "a: 1\r\nb: 2\nc: 3\r", "a: 1"])
def test_what_is_not_touched_is_written_as_it_was(folder: Path, whole: str) -> None:
    path, inside = folder / "ends.yaml", WorkFolder(folder)
    path.write_bytes(whole.encode())
    found = inside.read("ends.yaml", Problems())
    assert found is not None and "\r" not in found.shown and not found.shown.startswith("\ufeff")
    assert inside.write(found, found.shown, Problems()) is not None
    assert path.read_bytes() == whole.encode()


def test_line_ends_and_mark_of_order_stay_when_a_line_is_added(folder: Path) -> None:
    path, inside = folder / "ends.yaml", WorkFolder(folder)
    path.write_bytes("\ufeffa: 1\r\nb: 2\r\n".encode())
    found = inside.read("ends.yaml", Problems())
    assert found is not None and inside.write(found, found.shown + "c: 3\n", Problems()) is not None
    assert path.read_bytes() == "\ufeffa: 1\r\nb: 2\r\nc: 3\r\n".encode()


@pytest.mark.parametrize(
    "name",
    [
        "../outside.yaml",
        "/etc/passwd.yaml",
        "link.yaml",
        "far/secret.yaml",
        ".hidden.yaml",
        "ours.txt",
        "a/../ours.yaml",
        "a\\b.yaml",
        "",
    ],
)
def test_nothing_outside_the_folder_is_read_or_written(folder: Path, name: str) -> None:
    outside = folder.parent / "outside.yaml"
    outside.write_text("game: secret\n", "utf-8")
    (folder.parent / "away").mkdir()
    (folder.parent / "away" / "secret.yaml").write_text("game: secret\n", "utf-8")
    (folder / "link.yaml").symlink_to(outside)
    (folder / "far").symlink_to(folder.parent / "away")
    inside = WorkFolder(folder)
    assert inside.files() == ["ours.yaml"]
    assert inside.read(name, Problems()) is None
    assert inside.create(name, "game: mine\n", Problems()) is None
    assert outside.read_text("utf-8") == "game: secret\n"


def test_a_file_that_becomes_a_link_is_not_written_through(folder: Path) -> None:
    inside = WorkFolder(folder)
    found = inside.read("ours.yaml", Problems())
    outside = folder.parent / "outside.yaml"
    outside.write_text(OURS, "utf-8")
    (folder / "ours.yaml").unlink()
    (folder / "ours.yaml").symlink_to(outside)
    assert found is not None and inside.write(found, "game: mine\n", Problems()) is None
    assert outside.read_text("utf-8") == OURS


def test_whoever_keeps_within_a_folder_sees_nothing_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_homes", None)
    outside = folder.parent / "outside.yaml"
    outside.write_text("game: secret\n", "utf-8")
    (folder / "link.yaml").symlink_to(outside)
    assert disk.kind(folder / "link.yaml") == "file"
    disk.restrict_to([str(folder)])
    assert disk.kind(folder / "ours.yaml") == "file"
    assert disk.kind(folder / "link.yaml") == disk.kind(outside) == "nothing"
    assert disk.names(folder.parent) == [] and disk.stamp(outside) == "nothing"
    with pytest.raises(FileNotFoundError):
        disk.content(folder / "link.yaml", 10)


# ---- the workers
def sleeps(_: Progress, seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def eats(_: Progress) -> int:
    return len(bytearray(64 * 1024**3))


def fails(_: Progress) -> None:
    raise KeyError("ours")


def counts(progress: Progress) -> int:
    progress.more(100, "situations")
    progress.done = 40
    time.sleep(1)
    return 40


def where(_: Progress) -> str:
    return os.getcwd()


def test_a_task_is_answered_in_another_process_in_the_folder(folder: Path) -> None:
    worker = Worker(str(folder))
    assert asyncio.run(worker.ask(where, seconds=60)) == str(folder)
    worker.close()


def test_a_task_is_stopped_by_its_budget_by_a_button_and_by_memory(folder: Path) -> None:
    worker = Worker(str(folder))

    async def stopped(task: object, *arguments: object, seconds: float, stop: bool = False) -> str:
        asked = asyncio.create_task(worker.ask(task, *arguments, seconds=seconds))  # type: ignore[arg-type]
        if stop:
            await asyncio.sleep(1)
            worker.stop()
        with pytest.raises(Stopped) as why:
            await asked
        return str(why.value)

    async def all_of_it() -> None:
        assert "after 2 seconds" in await stopped(sleeps, 60, seconds=2)
        assert await stopped(sleeps, 60, seconds=50, stop=True) == "stopped"
        assert "memory" in await stopped(eats, seconds=50)
        assert "KeyError" in await stopped(fails, seconds=50)
        assert await worker.ask(sleeps, 0, seconds=60) == "slept"  # and it goes on

    asyncio.run(all_of_it())
    worker.close()


def test_how_far_a_task_is_comes_before_its_answer(folder: Path) -> None:
    worker, heard = Worker(str(folder)), list[str]()
    assert asyncio.run(worker.ask(counts, seconds=60, told=heard.append)) == 40
    worker.close()
    assert "40 of 100 situations" in heard


# ---- the gate
def ask(
    gate: Gate, path: str = "/", query: str = "", scheme: str = "http", **headers: str
) -> tuple[int, dict[str, str]]:
    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def receive() -> dict[str, object]:
        return {"type": "http.request"}

    given = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    scope = {"type": scheme, "path": path, "query_string": query.encode(), "headers": given}
    asyncio.run(gate(scope, receive, send))  # type: ignore[arg-type]
    first = sent[0]
    told = {k.decode(): v.decode() for k, v in first.get("headers", ())}  # type: ignore[attr-defined]
    return first.get("status", first.get("code", 0)), told  # type: ignore[return-value]


async def behind(scope: object, receive: object, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


def test_only_whoever_has_the_token_comes_in() -> None:
    gate = Gate(behind, "right", 8642)
    host, cookie = "127.0.0.1:8642", "umpire-studio-8642=right"
    assert ask(gate, host=host)[0] == 403
    assert ask(gate, query="token=wrong", host=host)[0] == 403
    assert ask(gate, host=host, cookie="umpire-studio-8642=wrong")[0] == 403
    status, told = ask(gate, query="token=right", host=host)
    assert status == 303 and told["location"] == "/"
    assert "HttpOnly" in told["set-cookie"] and "SameSite=Strict" in told["set-cookie"]
    status, told = ask(gate, host=host, cookie=cookie)
    assert status == 200 and "default-src 'self'" in told["content-security-policy"]


def test_a_page_of_somebody_else_stays_outside() -> None:
    gate = Gate(behind, "right", 8642)
    cookie = "umpire-studio-8642=right"
    assert ask(gate, host="evil.example:8642", cookie=cookie)[0] == 403  # a name that leads to this machine
    assert ask(gate, host="127.0.0.1:8642", origin="http://evil.example", cookie=cookie)[0] == 403
    assert ask(gate, scheme="websocket", host="127.0.0.1:8642", origin="http://evil.example", cookie=cookie)[0] == 1008
    assert ask(gate, scheme="websocket", host="127.0.0.1:8642")[0] == 1008
    assert ask(gate, scheme="websocket", host="127.0.0.1:8642", origin="http://127.0.0.1:8642", cookie=cookie)[0] == 200


# ---- the desk
def test_a_file_is_checked_asked_played_and_told(desk: Desk) -> None:
    async def all_of_it() -> None:
        assert await desk.check() and desk.checkup is not None
        assert desk.checkup.clean, desk.checkup.findings
        assert desk.choices.questions[0].name == "with-our-rules"
        assert {"rifles", "grounded"} <= {q.name for q in desk.choices.questions}
        await desk.ask()
        reply = desk.reply
        assert reply is not None and reply.compares and reply.changes and not reply.findings
        assert [w.path for w in reply.worth] == ["weapons.rifle.shots", "shooting.winded"]
        assert reply.worth[0].does == ("hits, mean: 1 → 2",) and reply.worth[1].does == ()
        assert reply.command.startswith("umpire odds ours.yaml shoot 'unit A: seasoned, 6 figures, weapon rifle'")
        assert "mean 1: " in desk.as_text() and "mean 2: " in desk.as_text()
        await desk.play(seed=7)
        first = desk.story
        await desk.play(seed=7)
        assert first is not None and first == desk.story and len(first.dice) == 12
        await desk.play(seed=7, faces="6 6 6 6 6 6 6 6 6 6 6 6")
        assert desk.story is not None and any("12 of 12 pass" in line.says for line in desk.story.lines)

    asyncio.run(all_of_it())


def test_a_mistake_is_told_with_its_characters_and_mended_by_its_button(desk: Desk) -> None:
    async def all_of_it() -> None:
        desk.text = OURS.replace("weapons.rifle.shots", "weapons.rfile.shots")
        assert await desk.check() and desk.checkup is not None
        (finding,) = desk.checkup.findings
        assert (finding.code, finding.line) == ("N001", 5)
        assert desk.text[finding.start : finding.end] == "rfile"
        assert finding.mend is not None
        desk.mend(finding.mend)
        assert desk.text == OURS and desk.dirty is False
        assert await desk.check() and desk.checkup.clean

    asyncio.run(all_of_it())


def fitting(text: str, asked: bool = False) -> list[str] | None:
    """What fits where `|` stands."""
    file = tasks.File("ours.yaml", text.replace("|", ""))
    found = tasks.fitting(Progress(), file, text.index("|"), asked)
    assert found is None or file.text[found.start : text.index("|")] == re.search(r"[a-z-]*$", text.split("|")[0])[0]
    return [offer.label for offer in found.offers] if found is not None else None


def test_what_fits_at_the_caret_is_offered_as_a_language_server_would(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    tasks.check(Progress(), tasks.File("ours.yaml", OURS))  # what is known is of this text
    line = "roll -1 if unit is winded"
    for said, offered in [
        ("roll -1 if unit.tr|", ["training", "tried", "destroyed", "stragglers", "stride", "struck-arc"]),
        ("roll -1 if unit.training.|", ["activation", "expertise", "suppress"]),
        ("roll -1 if unit.training is g|", ["green"]),
    ]:
        assert fitting(OURS.replace(line, said)) == offered, said
    for said, asked in [("weapon |", True), ("weapon l|", False)]:
        assert "lmg" in (fitting(OURS.replace("weapon rifle", said), asked) or ()), said
    assert "vbcw" in (fitting(OURS.replace("over: modern", "over: v|")) or ())
    assert "weapons.rifle" not in (fitting(OURS.replace("weapons.rifle.shots", "weapons.|")) or ())
    assert "rifle" in (fitting(OURS.replace("weapons.rifle.shots", "weapons.|")) or ())


def test_nothing_is_offered_where_the_next_key_may_be_enter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither behind a whole sentence, nor where none has begun, nor in remarks; by its key it is."""
    monkeypatch.chdir(folder)
    line = "    winded: roll -1 if unit is winded\n"
    for said in (
        "    winded: |roll -1 if unit is winded\n",
        "    |winded: roll -1 if unit is winded\n",
        "    winded: roll -1 if unit is winded |\n",
        "    winded: roll -1 if unit is winded|\n",
        "    winded: roll -1 # if unit.|\n",
    ):
        assert fitting(OURS.replace(line, said)) is None, said
    whole = OURS.replace(line, "    winded: roll -1 if unit is winded |\n")
    assert "and" in (fitting(whole, asked=True) or ())


def test_a_line_of_a_stranger_is_read_in_one_go() -> None:
    """One that goes back at each blank would take hours."""
    text = f"a:\n  b{' ' * 100_000}c\n{' ' * 900}x"
    found = caret(Source("strange.yaml", text), len(text))
    assert found is not None and (found.word, found.above) == ("x", ("a",))
    assert caret(Source("strange.yaml", " " * 100_000 + "x"), 100_001) is None


def test_a_long_play_is_cut(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    long = 'unit A: green, 9 figures, weapon rifle\nunit B: green, 300 figures\nfacts: distance(A, B) is 9"\n'
    long += "do:\n" + "".join(f"  volley-{n}: A shoots at B\n" for n in range(90))
    found = tasks.play(Progress(), tasks.File("ours.yaml", OURS), long, 1, ())
    assert found is not None and not found.findings
    assert len(found.lines) == 600 and found.more > 0 and found.became


def test_what_is_no_file_of_ours_has_nothing_that_fits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    other = tasks.File("other.yaml", "services:\n  web: [a, b]\n")
    (folder / "other.yaml").write_text(other.text, "utf-8")
    assert {f.code for f in tasks.check(Progress(), other).findings} >= {"S001"}
    assert tasks.fitting(Progress(), other, len(other.text) - 2, True) is None


def test_a_recipe_is_put_into_the_file_or_begins_one_and_what_clashes_is_told(desk: Desk, folder: Path) -> None:
    async def all_of_it() -> None:
        assert await desk.check()
        (explode,) = desk.recipes("exploding sixes")
        again = desk.recipes("ones again")[0]
        (upgrades,) = desk.recipes("upgrades")
        assert desk.takes(explode) and not desk.takes(upgrades)
        assert await desk.put_in(explode) and "      more: (faces where it = 6) dice" in desk.text
        assert await desk.check() and desk.checkup is not None and not desk.checkup.errors
        assert {"with-our-rules", "one-pistol"} <= {q.name for q in desk.choices.questions}
        before = desk.text
        assert not await desk.put_in(again) and desk.text == before
        assert "used twice" in desk.trouble
        assert desk.begin_with(again) and desk.name == "reroll-ones.yaml" and desk.trouble == ""
        assert desk.begin_with(again) and desk.name == "reroll-ones-2.yaml"
        assert await desk.check() and desk.checkup.clean

    asyncio.run(all_of_it())
    assert (folder / "reroll-ones.yaml").read_text("utf-8") == (folder / "reroll-ones-2.yaml").read_text("utf-8")


def test_what_is_not_saved_is_there_when_a_file_is_opened_again(desk: Desk, folder: Path) -> None:
    (folder / "other.yaml").write_text(OURS, "utf-8")
    desk.typed(OURS + "# mine\n")
    assert desk.open("other.yaml") and not desk.dirty
    again = Desk(desk.studio)  # the page is opened again
    assert again.open("ours.yaml") and again.dirty and again.text == OURS + "# mine\n"
    (folder / "ours.yaml").write_text("theirs", "utf-8")
    assert again.open("ours.yaml") and again.outside and not again.write()
    assert again.write_as("mine") and (folder / "mine.yaml").read_text("utf-8") == OURS + "# mine\n"
    assert again.open("ours.yaml") and again.text == "theirs" and not again.outside


def test_where_nothing_changes_a_situation_is_found_in_which_it_does_and_kept(desk: Desk) -> None:
    desk.typed(OURS.replace("rifle.shots: 2, was 1", "shotgun.shots: 3"))

    async def all_of_it() -> None:
        assert await desk.check()
        await desk.ask()
        assert desk.reply is not None and desk.reply.compares and not desk.reply.changes
        await desk.seek()
        assert desk.sight is not None and desk.sight.question is not None, desk.sight
        await desk.ask()
        assert desk.reply.changes and not desk.reply.findings, desk.situation
        desk.keep_example()
        assert await desk.check() and desk.checkup is not None and not desk.checkup.errors, desk.text

    asyncio.run(all_of_it())


def test_menus_change_a_situation_and_ranges_make_a_heat_map(desk: Desk) -> None:
    async def all_of_it() -> None:
        await desk.check()
        weapon = next(s for s in desk.slots if s.label == "weapon")
        assert weapon.who == "A" and weapon.value == "rifle" and "lmg" in weapon.options
        await desk.put(weapon, "lmg")
        assert "weapon lmg" in desk.situation
        await desk.ask()
        assert desk.reply is not None and not desk.reply.changes  # the house rule is one of rifles
        await desk.put(next(s for s in desk.slots if s.label == "weapon"), "rifle")
        await desk.put(next(s for s in desk.slots if s.label == "figures"), "2 to 6 by 2")
        await desk.put(next(s for s in desk.slots if s.who == "B" and s.adds), "grounded")
        assert "<2 to 6 by 2> figures" in desk.situation and "terrain soft, grounded" in desk.situation
        await desk.ask()
        assert desk.reply.page.pictures and desk.reply.changes and not desk.reply.findings
        along, *maps = desk.reply.page.pictures
        assert isinstance(along, Bars) and [s.name for s in along.series] == ["before", "with the house rule"]
        assert [[v.exact for v in row.values] for row in along.rows] == [["1/3", "2/3"], ["2/3", "4/3"], ["1/1", "2/1"]]
        assert [p.title for p in maps] == ["hits, before", "hits, with the house rule"]

    asyncio.run(all_of_it())


def test_every_situation_offered_can_be_asked_and_its_command_says_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the game, and of the file: each question has a text that is read, and menus that leave it readable."""
    monkeypatch.chdir(folder)
    file = tasks.File("ours.yaml", OURS)
    found = tasks.choices(Progress(), file)
    assert found.rules and len(found.questions) > 8
    for question in found.questions:
        reply = tasks.odds(Progress(), file, question.text)
        assert reply is not None and not reply.findings, (question.name, reply.findings)
        assert reply.page.pictures, question.name
        for slot in tasks.slots(Progress(), file, question.text):
            assert question.text[slot.start : slot.end] == slot.value
        words = reply.command
        assert words.startswith(("umpire odds ours.yaml ", "cat > question.yaml")), words


def test_a_new_house_rule_is_written_into_the_folder(folder: Path) -> None:
    studio = Studio(str(folder))
    desk = Desk(studio)

    async def all_of_it() -> None:
        assert not await desk.begin("modern", "modern", ("number",)) and "comes with Umpire" in desk.trouble
        assert await desk.begin("tuesday-club", "modern", ("number", "modifier"))
        assert desk.name == "tuesday-club.yaml" and await desk.check()
        assert desk.checkup is not None and desk.checkup.clean
        assert not await desk.begin("tuesday-club", "modern", ("number",)) and desk.trouble

    asyncio.run(all_of_it())
    studio.close()
    assert (folder / "tuesday-club.yaml").read_text("utf-8") == desk.text


def test_house_rules_are_offered_over_what_can_be_played_by_itself() -> None:
    assert set(games()) == {"imperial", "modern", "vbcw", "vsf"}
    assert games()["vbcw"] == "Martin's VBCW Rules"


def test_the_answer_is_shared_as_one_file_that_asks_nobody_for_anything(desk: Desk) -> None:
    async def shared() -> str | None:
        await desk.check()
        await desk.ask()
        return await desk.shared()

    assert "Ours" in (asyncio.run(desk.sheet()) or "")
    text = asyncio.run(shared())
    assert text is not None and text.startswith("<!doctype html>") and "default-src 'none'" in text
    assert not re.search(r"<script|https?://(?!www\.w3\.org)", text)


def test_texts_of_a_file_are_coloured_without_a_sign_left_out() -> None:
    found = {OURS[a:b]: kind for a, b, kind in coloured(OURS + "# remark [3]\n") if b <= len(OURS)}
    assert found["House rules:"] == "u-title" and found["change:"] == "u-key" and found["2"] == "u-number"


def test_no_text_of_a_file_can_become_html_or_script() -> None:
    """The page shows texts by elements of text; whatever could make HTML or script of one is not used."""
    code = "\n".join(
        p.read_text("utf-8") for p in (Path(__file__).parent.parent / "interpreter/surfaces/studio").glob("*.py")
    )
    code += (Path(__file__).parent.parent / "interpreter/surfaces/studio/rule_editor.js").read_text("utf-8")
    wrong = r"eval\(|Function\(|setHTML|ui\.(html|markdown|add_head_html|add_body_html|run_javascript|restructured_text|mermaid)\b|innerHTML|options-html|js_handler|html=True"
    assert not re.findall(wrong, code)
