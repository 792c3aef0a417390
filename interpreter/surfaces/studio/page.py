"""The page: a file, its effect, a play. Each visitor has one `Desk`.

Takes a `Studio`. Gives the elements of the page, which follow the desk. Text of files is always shown as text, never as
HTML; the page has no scripts of its own. The desk makes all decisions.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import accumulate

from nicegui import ui

from interpreter.workbench.house_rules import EDITS
from interpreter.workbench.menus import Question, Slot
from interpreter.workbench.starting import games

from . import tables
from .answers import Reply
from .desk import Desk, Studio
from .findings import Finding
from .look import BRAND, STYLE, coloured
from .parts import Text, button, leads_to
from .recipe_dialog import RecipeDialog
from .rule_editor import RuleEditor
from .story import Happened

WRITES = "Save to the folder"
KEYS = "Ctrl-Space: what fits here · Ctrl-S: save · Ctrl-Enter: work it out · Escape, Tab: out of the text"
PAUSE = 0.35  # seconds without a keystroke before a text is checked
NAMES = 24  # most names shown at a time
LOOK = 2.0  # seconds between two polls for changes by other programs
_EDITS = {
    "number": "another number in a table",
    "row": "one more row of a table",
    "modifier": "one more modifier of a roll",
    "step": "a step between two others",
    "reading": "another reading of the page",
}
_MARKS = {"error": "u-wrong", "warning": "u-odd", "style": "u-style"}
_SORTS = {"error": "Mistake", "warning": "Doubtful", "style": "Style"}


class Page:
    """The page of one visitor. The constructor adds all its elements to the NiceGUI page being built."""

    def __init__(self, studio: Studio) -> None:
        self.desk = Desk(studio)
        self.edits = 0  # number of edits; results for older texts are dropped
        self.exact = False
        self.asking = False
        self.menus_open = False
        self.dark = ui.dark_mode(None)
        ui.add_css(STYLE)
        ui.page_title("Umpire studio")
        ui.colors(primary=BRAND)
        self._head()
        self._navigation()
        with ui.element("main").classes("u-main"):
            with _pane("file", "The file"):
                self.file_pane()
            with _pane("does", "What it does"):
                self.does_pane()
            with _pane("happened", "What happened", "u-wide"):
                self.happened_pane()
        self.begin_dialog = self._begin_dialog()
        self.other_dialog = self._other_file_dialog()
        self.recipes = RecipeDialog(self.desk, self._taken)
        ui.timer(LOOK, self._look_outside)
        if studio.opened in self.desk.files():
            ui.timer(0, lambda: self._open(studio.opened), once=True)

    # ---- the head
    def _head(self) -> None:
        with ui.element("header").classes("u-head"):
            Text("h1", "Umpire studio")
            self.picker()
            ui.element("div").classes("u-grow")
            button("Make a house rule", self._begin_shown, "add").classes("u-quiet")
            button("Recipes", lambda: self.recipes.open(), "menu_book").classes("u-quiet")
            self.writer = button(WRITES, self._write, "task").classes("u-quiet")
            button("Theme", self._theme, "contrast").classes("u-quiet")

    @ui.refreshable_method
    def picker(self) -> None:
        files = self.desk.files()
        chosen = ui.select(files, value=self.desk.name or None, label="A file of this folder", on_change=self._picked)
        chosen.props("dark dense outlined options-dense").style("min-width:220px")
        chosen.set_enabled(bool(files))

    def _navigation(self) -> None:
        with ui.element("nav").classes("u-nav").props('aria-label="Parts of this page"'):
            for name, says in (("file", "The file"), ("does", "What it does"), ("happened", "What happened")):
                ui.link(says, f"#{name}")

    def _theme(self) -> None:
        self.dark.value = {None: True, True: False, False: None}[self.dark.value]
        ui.notify(
            {None: "Colours as the system has them", True: "Always the dark theme", False: "Always the light theme"}[
                self.dark.value
            ]
        )

    # ---- the file
    @ui.refreshable_method
    def file_pane(self) -> None:
        desk = self.desk
        if desk.saved is None:
            ui.label("Begin with a house rule of your own, or open a file of this folder.").classes("u-soft")
            with ui.element("div").classes("u-row"):
                button("Make a house rule", self._begin_shown, "add").classes("u-first")
                button("Look among the recipes", lambda: self.recipes.open(), "menu_book")
            self.trouble()
            return
        ui.label(desk.name).classes("u-soft")
        self.banner()
        self.editor = RuleEditor(
            desk.text,
            f"The text of {desk.name}",
            desk.fits,
            on_change=self._typed,
            indent="  ",
            line_wrapping=True,
            keymap={"Mod-s": self._write, "Mod-Enter": self._ask},
        )
        self._colour()
        ui.label(KEYS).classes("u-soft u-keys")
        self.problems()
        self.clauses()
        self.names()

    @ui.refreshable_method
    def trouble(self) -> None:
        if self.desk.trouble:
            with ui.element("div").classes("u-banner").props("role=alert"):
                ui.label(self.desk.trouble)

    @ui.refreshable_method
    def banner(self) -> None:
        if self.desk.outside:
            with ui.element("div").classes("u-banner").props("role=alert"):
                ui.label(f"{self.desk.name} was changed outside the studio. Nothing is written over it.")
                with ui.element("div").classes("u-row"):
                    button("Show what is there now", self._look_again)
                    button("Keep mine as another file", lambda: self.other_dialog.open())
        self.trouble()

    @ui.refreshable_method
    def problems(self) -> None:
        checkup = self.desk.checkup
        with ui.element("section").props('aria-label="Problems" aria-live=polite').classes("u-list"):
            if checkup is None:
                ui.label("Checking …").classes("u-soft")
                return
            if checkup.clean:
                ui.label("Every word is understood.").classes("u-good")
                return
            with ui.element("ul").classes("u-list"):
                for finding in checkup.findings:
                    self._finding(finding)
            if checkup.more:
                ui.label(f"and {checkup.more} more").classes("u-soft")

    def _finding(self, finding: Finding) -> None:
        with ui.element("li").classes(f"u-item {finding.severity}"):
            Text("span", _SORTS.get(finding.severity, finding.severity)).classes("u-tag")
            Text("span", finding.says)
            with ui.element("div").classes("u-soft"):
                Text("span", finding.place)
                Text("span", f" · {finding.code}" if finding.code else "")
            if finding.hint:
                ui.label(f"Hint: {finding.hint}").classes("u-soft")
            with ui.element("div").classes("u-row"):
                if finding.mend is not None:
                    button(_capital(finding.mend.says), partial(self._mend, finding), "auto_fix_high")
                if finding.line:
                    button(f"Go to line {finding.line}", partial(self._go, finding.line)).classes("u-quiet")

    @ui.refreshable_method
    def clauses(self) -> None:
        found = self.desk.choices.clauses
        if not found:
            return
        folded = ui.expansion("The printed clauses beside its lines").classes("w-full u-fold")
        with folded, ui.element("ul").classes("u-list"):
            for clause in found:
                with ui.element("li").classes("u-item"):
                    Text("span", f"line {clause.line} · {clause.id}").classes("u-tag")
                    Text("span", clause.says)

    @ui.refreshable_method
    def names(self) -> None:
        """Names that a line can use: search as you type, click to copy."""
        words = self.desk.choices.words
        if not words:
            return
        with ui.expansion("Names that a line can use").classes("w-full u-fold"):
            wanted = ui.input("Find a name", on_change=lambda e: found.refresh(str(e.value or "")))
            wanted.props("dense outlined clearable").classes("w-full")

            @ui.refreshable
            def found(part: str) -> None:
                fits = [(name, what) for name, what in words if part.lower() in name or part.lower() in what]
                with ui.element("div").classes("u-row").props("aria-live=polite"):
                    for name, what in fits[:NAMES]:
                        button(f"{name} · {what}", partial(self._copied, name)).classes("u-quiet")
                    if len(fits) > NAMES:
                        ui.label(f"and {len(fits) - NAMES} more").classes("u-soft")

            found("")

    # ---- its effect
    @ui.refreshable_method
    def does_pane(self) -> None:
        desk = self.desk
        if desk.saved is None or not desk.situation:
            said = "Here you see what a house rule changes, as soon as a file is open."
            if desk.checkup is not None and desk.checkup.errors:
                said = "When the mistakes are mended you see here what the file does."
            ui.label(said).classes("u-soft")
            return
        self.question_menu()
        self.menus()
        self.answer()

    @ui.refreshable_method
    def question_menu(self) -> None:
        questions = {f"{q.sort} {q.name}": q for q in self.desk.choices.questions}
        options = {key: f"{q.name}{'' if q.sort == 'own' else ' (typical)'}" for key, q in questions.items()}
        chosen = ui.select(
            options,
            value=self.desk.question if self.desk.question in options else None,
            label="A situation: examples of this file, and what is typical of the game",
            on_change=lambda e: self._chosen(questions.get(e.value)),
        )
        chosen.props("dense outlined options-dense").classes("w-full")

    @ui.refreshable_method
    def menus(self) -> None:
        desk = self.desk
        folded = ui.expansion("Change it: who, with what, how far", value=self.menus_open)
        folded.classes("w-full u-fold").on_value_change(lambda e: setattr(self, "menus_open", bool(e.value)))
        with folded:
            with ui.element("div").classes("u-menus").props('role=group aria-label="Change the situation"'):
                for slot in desk.slots:
                    self._slot(slot)
            area = ui.textarea(label="The same in words", value=desk.situation).classes("w-full")
            area.props("outlined autogrow dense").on("blur", lambda: self._said(area.value))

    def _slot(self, slot: Slot) -> None:
        label = f"{slot.who} {slot.label}".strip()
        if slot.options:
            options = {o: _bare(o) for o in slot.options}
            menu = ui.select(
                options,
                value=None if slot.adds else slot.value,
                label=label,
                with_input=len(options) > 12,
                on_change=lambda e: self._put(slot, e.value),
            )
            menu.props("dense outlined options-dense")
        else:
            entry = ui.input(label, value=slot.value).props("dense outlined")
            for event in ("keydown.enter", "blur"):
                entry.on(event, lambda: self._put(slot, entry.value))

    @ui.refreshable_method
    def answer(self) -> None:
        desk = self.desk
        with ui.element("div").classes("u-row"):
            if self.asking:
                ui.spinner(size="sm")
                Text("span", desk.progress or "working it out").classes("u-soft").props("role=status")
                button("Stop", desk.stop, "stop")
            else:
                button("Work it out", self._ask, "functions").classes("u-first")
                ui.checkbox("exact fractions", value=self.exact, on_change=lambda e: self._exactly(bool(e.value)))
        reply = desk.reply
        if reply is None:
            return
        with ui.element("section").props('aria-label="The answer" aria-live=polite').classes("u-list"):
            if desk.stale and not self.asking:
                ui.label("The text has changed since; this is what it was.").classes("u-soft")
            for finding in reply.findings:
                self._told(finding)
            if reply.compares:
                said = "The house rule changes the odds here." if reply.changes else "Nothing changes here."
                ui.label(said).classes("u-verdict")
            self._sight(reply)
            texts = [line for line in (reply.page.heading, *reply.page.lines) if line]
            if texts:
                ui.label(" · ".join(texts)).classes("u-soft")
            tables.pictures(reply.page.pictures, self.exact)
            for remark in reply.page.remarks:
                ui.label(remark).classes("u-soft")
            if reply.worth:
                Text("h3", "What each line is worth here")
                with ui.element("ul").classes("u-list"):
                    for worth in reply.worth:
                        with ui.element("li").classes("u-item"):
                            Text("span", worth.path).classes("u-tag")
                            Text("span", "; ".join(worth.does) or "changes nothing here")
                            if worth.line:
                                leads_to(worth.line, self._go)
            if reply.page.pictures:
                self._share()

    def _sight(self, reply: Reply) -> None:
        """If nothing changes: offers to search for a situation in which something does, and to save it."""
        sight = self.desk.sight
        if sight is not None:
            with ui.element("div").classes("u-item").props("role=status"):
                ui.label(sight.says)
                if sight.example:
                    button("Keep it as an example", self._keep_example, "bookmark_add")
        elif reply.compares and not reply.changes and not self.asking:
            button("Find a situation in which it matters", self._seek, "search")

    def _share(self) -> None:
        Text("h3", "Share")
        with ui.element("div").classes("u-row"):
            button("As one file", self._download, "download")
            button("The printed sheet", self._sheet, "print")
            button("As text", lambda: self._copied(self.desk.as_text()), "content_copy")
            button("As a command", lambda: self._copied(self.desk.reply.command if self.desk.reply else ""), "terminal")
        if self.desk.reply is not None and self.desk.reply.command:
            with ui.expansion("The command, and the text").classes("w-full u-fold"):
                Text("pre", self.desk.reply.command).classes("u-code")
                Text("pre", self.desk.as_text()).classes("u-code")

    def _told(self, finding: Finding) -> None:
        with ui.element("div").classes(f"u-item {finding.severity}").props("role=alert"):
            Text("span", finding.says)
            if finding.hint:
                ui.label(f"Hint: {finding.hint}").classes("u-soft")

    # ---- the play
    @ui.refreshable_method
    def happened_pane(self) -> None:
        desk = self.desk
        if desk.saved is None or not desk.situation:
            ui.label("One play of it, with every die.").classes("u-soft")
            return
        with ui.element("div").classes("u-row"):
            button("Roll", lambda: self._play(), "casino").classes("u-first")
            faces = ui.input("Your own dice", placeholder="6 1 5").props("dense outlined")
            faces.on("keydown.enter", lambda: self._play(faces.value))
            button("Play these", lambda: self._play(faces.value))
        self.story()

    @ui.refreshable_method
    def story(self) -> None:
        story = self.desk.story
        if story is None:
            return
        with ui.element("section").props('aria-label="The play" aria-live=polite').classes("u-list"):
            for finding in story.findings:
                self._told(finding)
            if story.at:
                ui.label(f"Played: {story.at}").classes("u-soft")
            if story.dice:
                ui.label(f"Dice: {' '.join(map(str, story.dice))}").classes("u-soft")
            with ui.element("div").classes("u-trace"):
                for each in story.lines:
                    self._line(each)
            if story.more:
                ui.label(f"and {story.more:,} lines more; the command `umpire play` has all").classes("u-soft")
            for line in story.became:
                ui.label(line)

    def _line(self, each: Happened) -> None:
        with ui.element("div").classes("u-line").style(f"padding-left:{each.depth * 14}px"):
            Text("span", each.says).classes(f"u-said k-{each.kind}")
            if each.file == self.desk.name:
                leads_to(each.line, self._go)
            for id_, says in each.clauses:
                cited = Text("abbr", id_).classes("u-soft")
                cited.props["title"] = says

    # ---- event handlers
    def _typed(self, event: object) -> None:
        self.desk.typed(self.editor.value)
        self.edits += 1
        self._named()
        edits = self.edits
        ui.timer(PAUSE, lambda: self._check(edits), once=True)

    async def _check(self, edits: int | None = None) -> None:
        if edits is not None and edits != self.edits:
            return
        before, known = self.desk.situation, self.desk.choices
        if await self.desk.check():
            self._colour()
            self.problems.refresh()
            self.clauses.refresh()
            if self.desk.choices.words != known.words:
                self.names.refresh()
            if self.desk.choices.questions != known.questions:
                self.question_menu.refresh()
            if self.desk.situation != before or not before:
                self.does_pane.refresh()
                self.happened_pane.refresh()
            if self.desk.checkup is not None and not self.desk.checkup.errors and self.desk.situation:
                await self._ask()
            else:
                self.answer.refresh()
        self.trouble.refresh()

    def _colour(self) -> None:
        marks: list[dict[str, object]] = [
            {"kind": "mark", "from": start, "to": end, "class": kind} for start, end, kind in coloured(self.desk.text)
        ]
        tips: dict[int, str] = {}
        ends = list(accumulate((len(line) + 1 for line in self.desk.text.split("\n")), initial=-1))
        for clause in self.desk.choices.clauses:
            tips[clause.line] = f"{tips.get(clause.line, '')}{clause.id}: {clause.says}\n"
            if clause.line < len(ends):
                beside: dict[str, object] = {"kind": "widget", "position": ends[clause.line], "text": f"  {clause.id}"}
                marks.append(beside | {"class": "u-clause"})
        for finding in self.desk.checkup.findings if self.desk.checkup is not None else ():
            if finding.line and finding.end <= len(self.desk.text):
                end = max(finding.end, finding.start + 1)
                if end <= len(self.desk.text):
                    marks.append({"kind": "mark", "from": finding.start, "to": end, "class": _MARKS[finding.severity]})
                tips[finding.line] = finding.says
        self.editor.decorations = marks
        self.editor.line_tooltips = tips

    async def _mend(self, finding: Finding) -> None:
        if finding.mend is None:
            return
        self.desk.mend(finding.mend)
        self.editor.value = self.desk.text
        self.edits += 1
        self._named()
        await self._check()

    def _go(self, line: int) -> None:
        self.editor.reveal_line(line)

    async def _write(self) -> None:
        if self.desk.saved is None:
            return
        if self.desk.write():
            ui.notify(f"{self.desk.name} is saved", type="positive")
        self._named()
        self.banner.refresh()

    def _named(self) -> None:
        self.writer.text = f"{WRITES} *" if self.desk.dirty else WRITES

    async def _picked(self, event: object) -> None:
        name = getattr(event, "value", None)
        if not name or name == self.desk.name:
            return
        await self._open(str(name))

    async def _open(self, name: str) -> None:
        if self.desk.open(name):
            if self.desk.dirty:
                ui.notify("what you wrote before and did not save is here")
            await self._shown()
        self.trouble.refresh()

    async def _shown(self) -> None:
        self.edits += 1
        self.picker.refresh()
        self.file_pane.refresh()
        self.does_pane.refresh()
        self.happened_pane.refresh()
        self._named()
        await self._check()

    async def _look_again(self) -> None:
        if self.desk.open(self.desk.name, anew=True):
            await self._shown()
        self.trouble.refresh()

    def _look_outside(self) -> None:
        was = self.desk.outside
        if self.desk.saved is not None and self.desk.look_outside() != was:
            self.banner.refresh()

    async def _chosen(self, question: Question | None) -> None:
        if question is None:
            return
        await self.desk.choose(question)
        await self._changed()

    async def _put(self, slot: Slot, value: object) -> None:
        said = str(value or "")
        if said == slot.value or (not said and not slot.adds):
            return
        await self.desk.put(slot, said)
        await self._changed()

    async def _said(self, text: str) -> None:
        if text != self.desk.situation:
            await self.desk.say(text)
            await self._changed()

    async def _changed(self) -> None:
        self.menus.refresh()
        self.story.refresh()
        await self._ask()

    async def _ask(self) -> None:
        """Compute the odds. A request during a computation is served after it; only the last one counts."""
        if self.asking:
            return
        self.asking = True
        try:
            while True:
                wanted = self.desk.text, self.desk.situation
                self.answer.refresh()
                await self.desk.ask()
                if wanted == (self.desk.text, self.desk.situation):
                    break
        finally:
            self.asking = False
            self.answer.refresh()

    async def _seek(self) -> None:
        if self.asking:
            return
        self.asking = True
        try:
            self.answer.refresh()
            await self.desk.seek()
        finally:
            self.asking = False
        self.question_menu.refresh()
        self.menus.refresh()
        self.story.refresh()
        if self.desk.sight is not None and self.desk.sight.question is not None:
            await self._ask()
        self.answer.refresh()

    async def _keep_example(self) -> None:
        self.desk.keep_example()
        self.editor.value = self.desk.text
        self._named()
        await self._check()

    async def _taken(self, new: bool) -> None:
        """Show the lines of a recipe that was inserted, and the situation of its example."""
        if new:
            await self._shown()
            return
        old, known = self.editor.value, self.desk.choices.questions
        self.editor.value = self.desk.text
        self._named()
        await self._check()
        self._go(_first_difference(old, self.desk.text))
        for question in self.desk.choices.questions:
            if question not in known:
                await self._chosen(question)
                self.question_menu.refresh()
                break

    def _exactly(self, exact: bool) -> None:
        self.exact = exact
        self.answer.refresh()

    async def _play(self, faces: str = "") -> None:
        await self.desk.play(faces=faces or "")
        self.story.refresh()

    async def _download(self) -> None:
        ui.notify("drawing it")
        self._downloaded(await self.desk.shared(), self.desk.question)

    async def _sheet(self) -> None:
        self._downloaded(await self.desk.sheet(), "sheet")

    def _downloaded(self, text: str | None, what: str) -> None:
        if text is None:
            ui.notify(self.desk.trouble or "the file has mistakes", type="warning")
            return
        name = re.sub(r"[^a-z0-9]+", "-", f"{self.desk.name.rpartition('.')[0]} {what}".lower()).strip("-")
        ui.download.content(text, f"{name}.html", "text/html")

    def _copied(self, text: str) -> None:
        ui.clipboard.write(text)
        ui.notify("copied")

    # ---- dialogs
    def _begin_shown(self) -> None:
        self.begin_dialog.open()

    def _begin_dialog(self) -> ui.dialog:
        with ui.dialog() as dialog, ui.card().classes("u-pane").style("max-width:560px;width:100%"):
            Text("h2", "A house rule of your own")
            game = ui.select(games(), value=None, label="Which rules it is laid over").classes("w-full")
            name = ui.input("What it is called", placeholder="tuesday-club").classes("w-full")
            Text("h3", "What it shall have")
            boxes = {edit: ui.checkbox(_EDITS[edit], value=edit == "number") for edit in EDITS}
            said = ui.label("").classes("u-bad").props("role=alert")

            async def begin() -> None:
                if not game.value or not (name.value or "").strip():
                    said.text = "Say which rules, and a name."
                    return
                wanted = tuple(edit for edit, box in boxes.items() if box.value)
                if await self.desk.begin(name.value.strip(), game.value, wanted or ("number",)):
                    dialog.close()
                    await self._shown()
                    self._go(_first_heading(self.desk.text))
                else:
                    said.text = self.desk.trouble
                    self.desk.trouble = ""

            with ui.element("div").classes("u-row"):
                button("Begin", begin, "check").classes("u-first")
                button("Not now", dialog.close).classes("u-quiet")
        return dialog

    def _other_file_dialog(self) -> ui.dialog:
        with ui.dialog() as dialog, ui.card().classes("u-pane"):
            Text("h2", "Keep your text as another file")
            name = ui.input("Its name", placeholder="ours-2").classes("w-full")
            said = ui.label("").classes("u-bad").props("role=alert")

            async def keep() -> None:
                if self.desk.write_as((name.value or "").strip()):
                    dialog.close()
                    await self._shown()
                else:
                    said.text = self.desk.trouble

            with ui.element("div").classes("u-row"):
                button("Keep", keep).classes("u-first")
                button("Not now", dialog.close).classes("u-quiet")
        return dialog


# ---- parts
def _pane(name: str, title: str, more: str = "") -> ui.element:
    pane = ui.element("section").classes(f"u-pane {more}").props(f"id={name} aria-labelledby={name}-title")
    with pane:
        Text("h2", title).props(f"id={name}-title")
    return pane


def _first_difference(old: str, new: str) -> int:
    """The number of the first line that differs."""
    pairs = zip(old.split("\n"), new.split("\n"), strict=False)
    return next((number for number, (was, now) in enumerate(pairs, 1) if was != now), 1)


def _first_heading(text: str) -> int:
    """The number of the first heading below the comments at the head of a new file."""
    return next((number for number, line in enumerate(text.split("\n"), 1) if line[:1].isupper()), 1)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _bare(option: str) -> str:
    return f"all of {option.strip('<>')}" if option.startswith("<") else option
