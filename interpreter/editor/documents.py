"""The documents that are open in an editor, each analysed in the background.

Takes texts as they are edited. Gives results through callbacks. A newer text cancels the work for an older one. A
single thread does all checks, so that neither answers nor keystrokes wait for a check.
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

PAUSE = 0.02  # seconds without a keystroke before the quick check
PATIENCE = 1.5  # seconds that a hover waits for the effect of a line
REST = 0.25  # further seconds before the full analysis

News = Callable[[str, Source, tuple[Problem, ...]], None]


class Document(Record):
    """An open document. `analysis` is the last one with names, maybe of an older text."""

    path: str
    source: Source
    analysis: Analysis | None = None
    coloured: list[Coloured] = field(default_factory=list)  # for the text of `analysis`
    looked: asyncio.Event = field(default_factory=asyncio.Event)  # set after the full analysis of the current text
    task: asyncio.Task[None] | None = None
    numbers: dict[int, Number] = field(default_factory=dict)  # by offset in the current text
    worths: dict[tuple[str, int], asyncio.Task[str]] = field(default_factory=dict)  # by the place of a line

    def forget(self) -> None:
        """Cancel running work, and drop the results for the old text."""
        for task in (self.task, *self.worths.values()):
            if task is not None:
                task.cancel()
        self.numbers.clear()
        self.worths.clear()


class Documents:
    """`news` is called with the problems of a file; `settled` when the analysis of a document is complete, `numbered`
    when a document has a new number.
    """

    def __init__(self, folder: Folder, news: News, settled: Callable[[], None], numbered: Callable[[], None]) -> None:
        self.folder, self.news, self.settled, self.numbered = folder, news, settled, numbered
        self.open: dict[str, Document] = {}
        self._told: set[str] = set()  # files not open whose problems were published
        self.seconds = SECONDS
        self._working = asyncio.Semaphore(1)
        self._thread = ThreadPoolExecutor(1, "umpire-check")

    @property
    def texts(self) -> Texts:
        return {path: document.source.text for path, document in self.open.items()}

    def typed(self, path: str, text: str) -> None:
        """Handle a document that was opened or changed."""
        source = Source(path, text)
        document = self.open.setdefault(path, Document(path, source))
        document.source = source
        self._begin(document)

    def written(self) -> None:
        """Handle changed files of the folder: check all open documents again."""
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
        """Run some work in the checking thread, so that it never runs beside a check."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def whole(self, path: str) -> Analysis | None:
        """The analysis of the current text of a file."""
        document = self.open.get(path)
        if document is not None:
            await document.looked.wait()
            if document.analysis is not None and self._is_of_now(document.analysis):
                return document.analysis
        texts = self.texts
        return await self.ask(lambda: analyse(path, texts))

    def _is_of_now(self, analysis: Analysis) -> bool:
        """Whether an analysis is of the current texts."""
        texts = self.texts
        return all(texts.get(source.name, source.text) == source.text for source in analysis.sources)

    def mine(self, path: str) -> bool:
        """Whether edits of a file may be offered: it is in the folder, or open."""
        return path in self.open or self.folder.has(path)

    async def around(self, path: str, meanings: Iterable[Meaning]) -> list[Analysis]:
        """The analyses of other files that may refer to some meanings: their declaring files, and dependents."""
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
        if found.index is not None or document.analysis is None:  # otherwise keep the old meanings of names
            document.analysis, document.coloured = found, coloured
        self._show(document, found.problems)
        self.settled()
        await asyncio.sleep(REST)
        loop = asyncio.get_running_loop()
        for other in await loop.run_in_executor(None, lambda: self.folder.resting_on(path, texts)):
            await self._look_at_dependent(other)
        await self._work_out(document)

    async def _work_out(self, document: Document) -> None:
        """Compute the numbers beside the text, for one document at a time."""
        async with self._working, aclosing(all_numbers(document.path, self.texts, self.seconds)) as found:
            async for number in found:
                document.numbers[number.offset] = number
                self.numbered()

    async def worth(self, document: Document, line: tuple[str, int], name: str) -> str | None:
        """The effect of a line on the odds, in a sentence; None if not known yet: a later request may get it."""
        texts = self.texts
        task = document.worths.get(line)
        if task is None:
            task = asyncio.get_running_loop().create_task(line_worth(document.path, texts, line, name, self.seconds))
            document.worths[line] = task
        await asyncio.wait([task], timeout=PATIENCE)
        return task.result() if task.done() and not task.cancelled() else None

    async def _look_at_dependent(self, path: str) -> None:
        """Analyse a dependent of an edited file again."""
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
