"""The documents that are open in an editor, and what is known of each: looked at in the background, in steps.

Enters: texts as they are typed. Leaves: what was found, by a call for each news. A newer text ends what is done for an
older one. One thread checks, so that an answer to a question never waits for a check, nor a keystroke for either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import TypeVar

from interpreter.source import Problem, Source
from interpreter.source.values import Record, field

from .analysis import Analysis, Texts, analyse, is_ours
from .background import SECONDS, all_numbers, line_worth
from .colouring import Coloured, colours
from .folder import Folder
from .glancing import glance
from .meanings import Meaning
from .numbers import Number

T = TypeVar("T")

PAUSE = 0.02  # seconds without a keystroke, before mistakes in what was typed are looked for
PATIENCE = 1.5  # seconds that somebody who points at a line waits to hear what it is worth
REST = 0.25  # and before all else is

News = Callable[[str, Source, tuple[Problem, ...]], None]


class Document(Record):
    """`analysis` is the last whole one, perhaps of an older text."""

    path: str
    source: Source
    analysis: Analysis | None = None
    coloured: list[Coloured] = field(default_factory=list)  # of the text of `analysis`
    looked: asyncio.Event = field(default_factory=asyncio.Event)  # whether the text as it is was looked at as a whole
    task: asyncio.Task[None] | None = None
    numbers: dict[int, Number] = field(default_factory=dict)  # by the offset in the text as it is
    worths: dict[tuple[str, int], asyncio.Task[str]] = field(default_factory=dict)  # by the place of a line

    def forget(self) -> None:
        """What was worked out for the text as it was; what is being worked out is ended."""
        for task in (self.task, *self.worths.values()):
            if task is not None:
                task.cancel()
        self.numbers.clear()
        self.worths.clear()


class Documents:
    """`news` is told the problems of a file; `settled` is called when all is known of a document, `numbered` when one
    has a number more.
    """

    def __init__(self, folder: Folder, news: News, settled: Callable[[], None], numbered: Callable[[], None]) -> None:
        self.folder, self.news, self.settled, self.numbered = folder, news, settled, numbered
        self.open: dict[str, Document] = {}
        self._told: set[str] = set()  # files that are not open and were told of
        self.seconds = SECONDS
        self._working = asyncio.Semaphore(1)
        self._thread = ThreadPoolExecutor(1, "umpire-check")

    @property
    def texts(self) -> Texts:
        return {path: document.source.text for path, document in self.open.items()}

    def typed(self, path: str, text: str) -> None:
        """A document was opened or changed."""
        source = Source(path, text)
        document = self.open.setdefault(path, Document(path, source))
        document.source = source
        self._begin(document)

    def written(self) -> None:
        """Files of the folder are not as they were: what rests on them may be wrong, or right again."""
        for document in self.open.values():
            self._begin(document)

    def _begin(self, document: Document) -> None:
        document.forget()
        document.looked.clear()
        document.task = asyncio.get_running_loop().create_task(self._look(document))

    def closed(self, path: str) -> None:
        document = self.open.pop(path, None)
        if document is not None:
            document.forget()
            self.news(path, document.source, ())

    def end(self) -> None:
        for document in self.open.values():
            document.forget()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def ask(self, work: Callable[[], T]) -> T:
        """What some work comes to that must not meet a check."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def whole(self, path: str) -> Analysis | None:
        """All about a file as it is now."""
        document = self.open.get(path)
        if document is not None:
            await document.looked.wait()
            if document.analysis is not None and self._is_of_now(document.analysis):
                return document.analysis
        texts = self.texts
        return await self.ask(lambda: analyse(path, texts))

    def _is_of_now(self, analysis: Analysis) -> bool:
        """Whether it was made of the texts that are open now."""
        texts = self.texts
        return all(texts.get(source.name, source.text) == source.text for source in analysis.sources)

    def mine(self, path: str) -> bool:
        """Whether edits of a file may be offered: it lies in the folder, or is open."""
        return path in self.open or self.folder.has(path)

    async def around(self, path: str, meanings: Iterable[Meaning]) -> list[Analysis]:
        """The other files that may speak of some meanings: those that declare them, and all that rests on these."""
        texts, folder = self.texts, self.folder
        origins = [t.where.source.name for t in meanings if t.where is not None and folder.has(t.where.source.name)]

        def resting() -> list[str]:
            return [file for origin in (path, *origins) for file in (origin, *folder.resting_on(origin, texts))]

        files = await asyncio.get_running_loop().run_in_executor(None, resting)
        others = [file for file in dict.fromkeys(files) if file != path]
        return [known for file in others if (known := await self.whole(file)) is not None]

    # ---- in the background
    async def _look(self, document: Document) -> None:
        path, source = document.path, document.source
        if not is_ours(source.text):
            document.analysis = None
            document.looked.set()
            self._show(document, ())
            return
        texts, known = self.texts, document.analysis
        if known is not None:
            await asyncio.sleep(PAUSE)
            first = await self.ask(lambda: glance(path, texts, known))
            if first is not None:
                self._show(document, first)
            await asyncio.sleep(REST)
        try:
            found = await self.ask(lambda: analyse(path, texts))
            coloured = await self.ask(lambda: colours(found)) if found is not None else []
        finally:
            document.looked.set()
        if found is None:
            return
        if found.index is not None or document.analysis is None:  # else names still mean what they meant
            document.analysis, document.coloured = found, coloured
        self._show(document, found.problems)
        self.settled()
        await asyncio.sleep(REST)
        loop = asyncio.get_running_loop()
        for other in await loop.run_in_executor(None, lambda: self.folder.resting_on(path, texts)):
            await self._look_at_dependent(other)
        await self._work_out(document)

    async def _work_out(self, document: Document) -> None:
        """The numbers beside the text, of one document at a time."""
        async with self._working, aclosing(all_numbers(document.path, self.texts, self.seconds)) as found:
            async for number in found:
                document.numbers[number.offset] = number
                self.numbered()

    async def worth(self, document: Document, line: tuple[str, int], name: str) -> str | None:
        """What a line is worth, in a sentence; None where that is not known yet: whoever asks again may hear it."""
        texts = self.texts
        task = document.worths.get(line)
        if task is None:
            task = asyncio.get_running_loop().create_task(line_worth(document.path, texts, line, name, self.seconds))
            document.worths[line] = task
        await asyncio.wait([task], timeout=PATIENCE)
        return task.result() if task.done() and not task.cancelled() else None

    async def _look_at_dependent(self, path: str) -> None:
        """A file that rests on one that was typed in may be wrong now, or right again."""
        texts = self.texts
        found = await self.ask(lambda: analyse(path, texts))
        if found is None:
            return
        document = self.open.get(path)
        if document is None:
            self._tell(path, found.source, found.problems)
        elif document.source == found.source:
            document.analysis, document.coloured = found, await self.ask(lambda: colours(found))
            self._show(document, found.problems)
            self.settled()

    def _show(self, document: Document, problems: tuple[Problem, ...]) -> None:
        self.news(document.path, document.source, problems)

    def _tell(self, path: str, source: Source, problems: tuple[Problem, ...]) -> None:
        if problems or path in self._told:
            self._told.add(path)
            self.news(path, source, problems)
