"""The state of one visitor: a file and its unsaved text, a situation, an answer, a play; and the possible actions.

Takes the actions of a visitor. Gives the state that a page shows. Long tasks run in workers, so that one checks while
another computes odds. Knows nothing of the page.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import re
from collections.abc import Callable

from interpreter.source import Problems
from interpreter.surfaces.as_charts import Page
from interpreter.surfaces.as_picture.picture_files import description
from interpreter.workbench.menus import Question, Slot
from interpreter.workbench.recipes import Recipe, insert_recipe, recipes, search
from interpreter.workbench.work_folder import Text, WorkFolder

from . import tasks
from .answers import Reply
from .findings import Checkup, Finding, Mend, told
from .story import Story
from .worker import Stopped, Worker

CHECKING, ASKING = 60.0, 60.0  # time limits in seconds for a check and for odds, also on a busy machine
KEPT = "Where it matters"  # the heading of saved witnesses
FACES = 400  # most dice that may be typed


class Studio:
    """A folder, and the processes that serve all its visitors."""

    def __init__(self, folder: str) -> None:
        self.folder = WorkFolder(folder)
        self.checker, self.thinker = Worker(self.folder.root), Worker(self.folder.root)
        self.drafts: dict[str, tuple[Text, str]] = {}  # file name → (the file as read, the unsaved text)
        self.opened = ""  # the file opened last; a reopened page resumes with it
        self.drawer = Worker(self.folder.root, None)  # without limit: the drawing library reserves all memory

    async def warm(self) -> None:
        """Start the two main workers, so that the first question does not wait for it."""
        with contextlib.suppress(Stopped):
            await asyncio.gather(*(w.ask(tasks.ready, seconds=CHECKING) for w in (self.checker, self.thinker)))

    def close(self) -> None:
        for worker in (self.checker, self.thinker, self.drawer):
            worker.close()


class Desk:
    """The state of one visitor. `trouble`: text of the last failure; `outside`: another program changed the file."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.saved: Text | None = None
        self.text = ""
        self.trouble = ""
        self.outside = False
        self.checkup: Checkup | None = None
        self.choices = tasks.Choices()
        self.question = ""
        self.situation = ""
        self.slots: tuple[Slot, ...] = ()
        self.reply: Reply | None = None
        self.asked_of = ("", "")  # the text of the file and of the situation that `reply` answers
        self.progress = ""
        self.sight: tasks.Sight | None = None
        self.story: Story | None = None
        self.seed = 1

    # ---- files
    @property
    def name(self) -> str:
        return self.saved.name if self.saved is not None else ""

    @property
    def dirty(self) -> bool:
        return self.saved is not None and self.text != self.saved.shown

    @property
    def file(self) -> tasks.File:
        return tasks.File(self.name, self.text)

    def files(self) -> list[str]:
        return self.studio.folder.files()

    def open(self, name: str, *, anew: bool = False) -> bool:
        """Open a file of the folder, with its unsaved draft if there is one; `anew`: discard the draft. Return whether
        it succeeded.
        """
        problems = Problems()
        if anew:
            self.studio.drafts.pop(name, None)
        kept = self.studio.drafts.get(name)
        if kept is not None:
            self._take(kept[0])
            self.text = kept[1]
            self.look_outside()
            return True
        found = self.studio.folder.read(name, problems)
        if found is None:
            self.trouble = _in_words(problems)
            return False
        self._take(found)
        return True

    def _take(self, found: Text) -> None:
        self.saved, self.text = found, found.shown
        self.studio.opened = found.name
        self.trouble, self.outside = "", False
        self.checkup, self.choices = None, tasks.Choices()
        self.question, self.situation, self.slots = "", "", ()
        self.reply, self.story, self.sight = None, None, None

    def write(self) -> bool:
        """Write the text atomically, unless another program changed the file. Return whether it succeeded."""
        if self.saved is None:
            return False
        problems = Problems()
        found = self.studio.folder.write(self.saved, self.text, problems)
        if found is None:
            self.trouble = _in_words(problems)
            self.look_outside()
            return False
        self.studio.drafts.pop(self.name, None)
        self.saved, self.trouble, self.outside = found, "", False
        return True

    def write_as(self, name: str) -> bool:
        """Write the text into a new file, and continue with that file. Return whether it succeeded."""
        problems = Problems()
        name = name if name.endswith((".yaml", ".yml")) else f"{name}.yaml"
        found = self.studio.folder.create(name, self.text, problems)
        if found is None:
            self.trouble = _in_words(problems)
            return False
        self.studio.drafts.pop(self.name, None)
        self.saved, self.trouble, self.outside = found, "", False
        return True

    def typed(self, text: str) -> None:
        """Set the text. It is kept as a draft until it is saved, also for a page that is opened again."""
        self.text = text
        if self.saved is None:
            return
        if self.dirty:
            self.studio.drafts[self.name] = self.saved, text
        else:
            self.studio.drafts.pop(self.name, None)

    def look_outside(self) -> bool:
        """Whether another program has changed the file."""
        self.outside = self.saved is not None and self.studio.folder.changed_outside(self.saved)
        return self.outside

    async def begin(self, name: str, base: str, edits: tuple[str, ...]) -> bool:
        """Write a new house rule into the folder, and open it. Return whether it succeeded."""
        try:
            made = await self.studio.thinker.ask(tasks.begin, name, base, edits, seconds=ASKING)
        except Stopped as why:
            self.trouble = str(why)
            return False
        if made.why:
            self.trouble = made.why
            return False
        problems = Problems()
        found = self.studio.folder.create(f"{name}.yaml", made.text, problems)
        if found is None:
            self.trouble = _in_words(problems)
            return False
        self._take(found)
        return True

    # ---- recipes
    def recipes(self, words: str) -> list[Recipe]:
        return search(words, recipes())

    def takes(self, recipe: Recipe) -> bool:
        """Whether the file is laid over everything that a recipe is laid over."""
        return bool(recipe.over) and set(recipe.over) <= set(self.choices.layers)

    async def put_in(self, recipe: Recipe) -> bool:
        """Insert the lines of a recipe, unless this causes the first error of the file. Return whether it succeeded."""
        text = insert_recipe(self.text, recipe)
        try:
            found = await self.studio.checker.ask(tasks.check, tasks.File(self.name, text), seconds=CHECKING)
        except Stopped as why:
            self.trouble = str(why)
            return False
        wrong = next((each for each in found.findings if each.severity == "error"), None)
        if wrong is not None and not (self.checkup is not None and self.checkup.errors):
            self.trouble = f"It does not go together with what {self.name} has: {wrong.says} ({wrong.place})"
            return False
        self.typed(text)
        return True

    def begin_with(self, recipe: Recipe) -> bool:
        """Create a file of the folder with the lines of a recipe, and open it. Return whether it succeeded."""
        there = set(self.files())
        numbers = (f"{recipe.name}-{n}.yaml" for n in itertools.count(2))
        name = next(each for each in itertools.chain([f"{recipe.name}.yaml"], numbers) if each not in there)
        problems = Problems()
        found = self.studio.folder.create(name, recipe.text, problems)
        if found is None:
            self.trouble = _in_words(problems)
            return False
        self._take(found)
        return True

    # ---- checks
    async def check(self) -> bool:
        """Check the current text. False if it has changed meanwhile, or could not be checked."""
        file = self.file
        try:
            found = await self.studio.checker.ask(tasks.check, file, seconds=CHECKING)
            choices = await self.studio.checker.ask(tasks.choices, file, seconds=CHECKING)
        except Stopped as why:
            self.trouble = f"{file.name} could not be checked: {why}"
            return False
        if file != self.file:
            return False
        self.checkup = found
        if choices.rules:
            self.choices = choices
            if not self.situation and choices.questions:
                await self.choose(choices.questions[0])
        return True

    async def fits(self, at: int, asked: bool) -> tasks.Fitting | None:
        """The completions at an offset of the text."""
        with contextlib.suppress(Stopped):
            return await self.studio.checker.ask(tasks.fitting, self.file, at, asked, seconds=CHECKING)
        return None

    def mend(self, mend: Mend) -> None:
        self.typed(mend.applied(self.text))

    # ---- odds
    async def choose(self, question: Question) -> None:
        self.question, self.reply = f"{question.sort} {question.name}", None
        self.sight = None
        await self.say(question.text)

    async def say(self, situation: str) -> None:
        """Set the text of the situation; updates its menus, and clears the last play."""
        self.situation, self.story = situation, None
        try:
            self.slots = await self.studio.checker.ask(tasks.slots, self.file, situation, seconds=CHECKING)
        except Stopped as why:
            self.trouble = str(why)

    async def put(self, slot: Slot, value: str) -> None:
        await self.say(slot.put(self.situation, value.strip()))

    async def ask(self, changed: Callable[[], None] = lambda: None) -> None:
        """Compute the odds of the situation; `changed` is called on progress."""

        def news(said: str) -> None:
            self.progress = said
            changed()

        asked = self.text, self.situation
        self.progress = "working it out"
        try:
            reply = await self.studio.thinker.ask(tasks.odds, self.file, self.situation, seconds=ASKING, told=news)
        except Stopped as why:
            empty = Page("", "", (), (), ())
            reply = Reply(empty, findings=(Finding("error", "", str(why)),))
        finally:
            self.progress = ""
        if reply is not None:
            self.reply, self.asked_of = reply, asked

    async def seek(self, changed: Callable[[], None] = lambda: None) -> None:
        """Search for a situation in which the house rule matters, and continue with that situation."""

        def news(said: str) -> None:
            self.progress = said
            changed()

        self.progress = "looking for one"
        try:
            found = await self.studio.thinker.ask(tasks.witness, self.file, seconds=ASKING, told=news)
        except Stopped as why:
            found = tasks.Sight(str(why))
        finally:
            self.progress = ""
        self.sight = found
        if found is not None and found.question is not None:
            self.question = ""
            await self.say(found.question.text)

    def keep_example(self) -> None:
        """Write the witness into the text, as an example below a heading of its own."""
        if self.sight is None or not self.sight.example:
            return
        lines = "".join(f"  {line}\n" for line in self.sight.example)
        before, heading, rest = self.text.partition(f"\n{KEPT}:\n")
        if heading:
            self.typed(f"{before}{heading}{lines}{rest}")
        else:
            self.typed(f"{self.text.rstrip()}\n\n{KEPT}:\n{lines}")
        self.sight = None

    @property
    def stale(self) -> bool:
        """Whether the answer belongs to an older text."""
        return self.asked_of != (self.text, self.situation)

    def stop(self) -> None:
        self.studio.thinker.stop()

    # ---- plays
    async def play(self, seed: int | None = None, faces: str = "") -> None:
        """Play once, with another seed, or with typed dice."""
        self.seed = random.randrange(1_000_000) if seed is None else seed
        said = tuple(int(face) for face in re.findall(r"\d{1,3}", faces)[:FACES])
        try:
            self.story = await self.studio.thinker.ask(
                tasks.play, self.file, self.situation, self.seed, said, seconds=ASKING
            )
        except Stopped as why:
            self.story = Story(findings=(Finding("error", "", str(why)),))

    # ---- sharing
    async def shared(self) -> str | None:
        """The answer as one HTML file; None with a failure."""
        if self.reply is None:
            return None
        try:
            return await self.studio.drawer.ask(tasks.shared, self.reply.page, seconds=ASKING)
        except Stopped as why:
            self.trouble = str(why)
            return None

    async def sheet(self) -> str | None:
        """The reference sheet of the rules, with house rules marked; None with a failure."""
        try:
            return await self.studio.thinker.ask(tasks.sheet, self.file, seconds=ASKING)
        except Stopped as why:
            self.trouble = str(why)
            return None

    def as_text(self) -> str:
        """The answer as plain text, for a chat."""
        if self.reply is None:
            return ""
        page = self.reply.page
        lines = [page.rules, page.heading, *page.lines, ""]
        for picture in page.pictures:
            lines += [picture.title, f"  {description(picture)}"]
        for worth in self.reply.worth:
            lines += [f"{worth.path}: {'; '.join(worth.does) or 'changes nothing here'}"]
        return "\n".join([*lines, *page.remarks]).strip() + "\n"


def _in_words(problems: Problems) -> str:
    return "; ".join(finding.says for finding in told(problems, ""))
