"""What one visitor has before them: a file and its unsaved text, a situation, an answer, a play; and what may be done.

Enters: what somebody does. Leaves: the state that a page shows. Whatever takes time is asked of workers, of which one
checks while the other works odds out. Knows nothing of the page.
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
from interpreter.workbench.recipes import Recipe, put_in, recipes, search
from interpreter.workbench.work_folder import Text, WorkFolder

from . import tasks
from .answers import Reply
from .findings import Checkup, Finding, Mend, told
from .story import Story
from .worker import Stopped, Worker

CHECKING, ASKING = 60.0, 60.0  # seconds that a check, and that odds may take, on a machine that is busy too
KEPT = "Where it matters"  # the heading of examples that were found and kept
FACES = 400  # dice that may be typed


class Studio:
    """A folder, and the processes that serve all who look at it."""

    def __init__(self, folder: str) -> None:
        self.folder = WorkFolder(folder)
        self.checker, self.thinker = Worker(self.folder.root), Worker(self.folder.root)
        self.drafts: dict[
            str, tuple[Text, str]
        ] = {}  # by name: the file as it was read, and the text that is not there
        self.opened = ""  # the file that was opened last: whoever opens the page again goes on with it
        self.drawer = Worker(self.folder.root, None)  # reads no rule file; what draws reserves all the memory it sees

    async def warm(self) -> None:
        """Begins the two that are asked first, so that the first question does not wait for it."""
        with contextlib.suppress(Stopped):
            await asyncio.gather(*(w.ask(tasks.ready, seconds=CHECKING) for w in (self.checker, self.thinker)))

    def close(self) -> None:
        for worker in (self.checker, self.thinker, self.drawer):
            worker.close()


class Desk:
    """One visitor's. `trouble`: what could not be done, in words; `outside`: somebody else has changed the file."""

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
        """Takes a file of the folder to the desk, with the text that somebody wrote and did not save; `anew`: as it is
        on the disk.
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
        """Writes the text, whole or not at all; a file that somebody else changed stays as they left it."""
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
        """Writes the text into a new file, and goes on with that one."""
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
        """Another text, kept while the studio runs until it is saved: also for a page that is opened again."""
        self.text = text
        if self.saved is None:
            return
        if self.dirty:
            self.studio.drafts[self.name] = self.saved, text
        else:
            self.studio.drafts.pop(self.name, None)

    def look_outside(self) -> bool:
        """Whether somebody else has changed the file meanwhile."""
        self.outside = self.saved is not None and self.studio.folder.changed_outside(self.saved)
        return self.outside

    async def begin(self, name: str, base: str, edits: tuple[str, ...]) -> bool:
        """A new house rule, written into the folder and taken to the desk."""
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
        """Whether the file is laid over all that a recipe is laid over."""
        return bool(recipe.over) and set(recipe.over) <= set(self.choices.layers)

    async def put_in(self, recipe: Recipe) -> bool:
        """Puts the lines of a recipe into the text, unless the file would have its first mistake by that."""
        text = put_in(self.text, recipe)
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
        """A new file of the folder with the lines of a recipe, taken to the desk."""
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

    # ---- what is wrong with it
    async def check(self) -> bool:
        """Checks the text as it is now; False where it has changed meanwhile, or could not be checked."""
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
        """What may be typed at a place of the text."""
        with contextlib.suppress(Stopped):
            return await self.studio.checker.ask(tasks.fitting, self.file, at, asked, seconds=CHECKING)
        return None

    def mend(self, mend: Mend) -> None:
        self.typed(mend.applied(self.text))

    # ---- what it does
    async def choose(self, question: Question) -> None:
        self.question, self.reply = f"{question.sort} {question.name}", None
        self.sight = None
        await self.say(question.text)

    async def say(self, situation: str) -> None:
        """Another text of the situation; its menus follow, and what happened in the last one is gone."""
        self.situation, self.story = situation, None
        try:
            self.slots = await self.studio.checker.ask(tasks.slots, self.file, situation, seconds=CHECKING)
        except Stopped as why:
            self.trouble = str(why)

    async def put(self, slot: Slot, value: str) -> None:
        await self.say(slot.put(self.situation, value.strip()))

    async def ask(self, changed: Callable[[], None] = lambda: None) -> None:
        """Works the odds of the situation out; `changed` is called when there is news of how far that is."""

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
        """Looks for a situation in which the house rule matters, and goes on with that one."""

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
        """Writes what was found into the text, as an example under a heading of its own."""
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
        """Whether the answer is one to another text than the one there is now."""
        return self.asked_of != (self.text, self.situation)

    def stop(self) -> None:
        self.studio.thinker.stop()

    # ---- what happened
    async def play(self, seed: int | None = None, faces: str = "") -> None:
        """One play: with another seed, or with dice that somebody types."""
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
        """The answer as one HTML file."""
        if self.reply is None:
            return None
        try:
            return await self.studio.drawer.ask(tasks.shared, self.reply.page, seconds=ASKING)
        except Stopped as why:
            self.trouble = str(why)
            return None

    async def sheet(self) -> str | None:
        """The printed sheet of the rules, house rules marked."""
        try:
            return await self.studio.thinker.ask(tasks.sheet, self.file, seconds=ASKING)
        except Stopped as why:
            self.trouble = str(why)
            return None

    def as_text(self) -> str:
        """The answer for a chat."""
        if self.reply is None:
            return ""
        page = self.reply.page
        told_ = [page.rules, page.heading, *page.lines, ""]
        for picture in page.pictures:
            told_ += [picture.title, f"  {description(picture)}"]
        for worth in self.reply.worth:
            told_ += [f"{worth.path}: {'; '.join(worth.does) or 'changes nothing here'}"]
        return "\n".join([*told_, *page.remarks]).strip() + "\n"


def _in_words(problems: Problems) -> str:
    return "; ".join(finding.says for finding in told(problems, ""))
