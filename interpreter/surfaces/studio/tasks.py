"""The tasks of the studio's worker processes: functions of the name and the unsaved text of a file.

Takes names of files of the folder, and texts. Gives plain values. Runs in the process of a `worker`, and caches the
last rules. Knows nothing of pages.
"""

from __future__ import annotations

from typing import Any

from interpreter.editor.analysis import Analysis, analyse
from interpreter.editor.carets import caret
from interpreter.editor.completing import Offer, offers, unfinished
from interpreter.source import Problems, Source
from interpreter.source.values import Record, Struct
from interpreter.surfaces.as_charts import Page
from interpreter.surfaces.as_picture.picture_files import html as picture_page
from interpreter.surfaces.as_sheet import html as sheet_page
from interpreter.workbench.checked import checked
from interpreter.workbench.effect import below
from interpreter.workbench.file_kinds import situation_named
from interpreter.workbench.files import rules_of
from interpreter.workbench.house_rules import house_rule
from interpreter.workbench.menus import Question, Slot, questions_inside, questions_of, situation_text, slots_of
from interpreter.workbench.patches import Patches
from interpreter.workbench.progress import Progress
from interpreter.workbench.reading import read
from interpreter.workbench.reference_sheet import reference_sheet
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.stacks import stacks_of
from interpreter.workbench.starting import advice_on
from interpreter.workbench.witness import find_witness
from interpreter.workbench.work_folder import WorkFolder, overlay_texts

from . import answers, findings, story

# Limits for untrusted files.
MOST_OFFERED = 100  # completions
MOST_QUESTIONS, MOST_MENUS, MOST_CLAUSES = 500, 100, 500
MOST_ASKED = 4  # questions of a witness, the largest differences first


class File(Struct):
    """A file of the folder, and its unsaved text."""

    name: str
    text: str


class _Open(Record):
    """The rules that a file is or names, and its patches if it is laid over a base."""

    key: Any
    rules: RuleSet | None
    patches: Patches | None
    root: Any


_last: list[_Open] = []


def _opened(file: File) -> _Open:
    """The rules of a file, reread if anything in the folder has changed. Without lint, which `check` does."""
    key = (file, WorkFolder(".").state())
    if _last and _last[0].key == key:
        return _last[0]
    with overlay_texts({file.name: file.text}):
        problems = Problems()
        named = situation_named(file.name, Problems())
        if named is not None:
            rules = rules_of(named[1], _folder(file.name), problems)
        else:
            rules = read(stacks_of(file.name)[0], problems, None, frozenset(), odd=False)
        rules = rules if rules is not None and not problems.has_errors else None
        base = below(rules) if rules is not None and named is None else None
        patches = Patches(base, rules) if base is not None and rules is not None else None
    _last[:] = [_Open(key, rules, patches, named[1] if named is not None else None)]
    return _last[0]


def _folder(name: str) -> str:
    return name.rpartition("/")[0] or "."


def ready(_: Progress) -> None:
    """Do nothing: used to wait until the process has started."""


# ---- the file
def check(_: Progress, file: File) -> findings.Checkup:
    """The findings of a file with its unsaved text, and the other files of the folder as saved."""
    known = _analysed(file)
    if known is not None:
        return findings.checkup(known.problems, file.name)
    with overlay_texts({file.name: file.text}):  # not a file of Umpire: report that
        return findings.checkup([p for each in checked(file.name, anew=True) for p in each.problems], file.name)


_known: list[Analysis] = []  # the last analysis with names, maybe of an older text


def _analysed(file: File) -> Analysis | None:
    """The analysis of the text of a file; None if it is not a file of Umpire."""
    found = analyse(file.name, {file.name: file.text})
    if found is not None and (found.index is not None or not _knows(file)):
        _known[:] = [found]
    return found


def _knows(file: File) -> bool:
    return bool(_known) and _known[0].source.name == file.name


class Fitting(Struct):
    """The completions that replace the word at `start`, the likeliest first."""

    start: int
    offers: tuple[Offer, ...]


def fitting(_: Progress, file: File, at: int, asked: bool) -> Fitting | None:
    """The completions at an offset of the text. Unless they were `asked` for, there are none where a sentence may end,
    as the next key may be Enter, nor for a complete word.
    """
    source = Source(file.name, file.text)
    here = caret(source, at)
    known = _known[0] if _knows(file) else _analysed(file)
    if known is None or here is None:
        return None
    word = here.word.lower()
    if not (asked or word or here.before.endswith(".") or unfinished(known, source, at)):
        return None
    found = [offer for offer in offers(known, source, at) if word in offer.label]
    found.sort(key=lambda offer: not offer.label.startswith(word))
    if not found or (not asked and any(offer.label == word for offer in found)):
        return None
    return Fitting(at - len(word), tuple(found[:MOST_OFFERED]))


class Choices(Struct):
    """The questions for a file, and the annotations of its lines. `rules` is the title of its rules, "" if they cannot
    be read.
    """

    rules: str = ""
    questions: tuple[Question, ...] = ()
    clauses: tuple[findings.Clause, ...] = ()
    words: tuple[tuple[str, str], ...] = ()  # names that a line can use, each with its kind
    layers: tuple[str, ...] = ()  # the sets that the file is laid over, and itself


def choices(_: Progress, file: File) -> Choices:
    """The questions for a file, and the annotations of its lines; empty if its rules cannot be read."""
    found = _opened(file)
    if found.rules is None:
        return Choices()
    asked = questions_inside(found.root) if found.root is not None else []
    if not asked or found.root is None:
        asked += questions_of(found.rules, file.name)
    book = found.rules.book
    words = {row: tables[0].name for row, tables in book.words.items() if tables}
    for what, names in (
        ("table", book.tables),
        ("roll", book.rolls),
        ("procedure", book.procedures),
        ("fact", book.facts),
    ):
        words.update(dict.fromkeys(names, what))
    own = findings.clauses(found.rules, file.name) if found.root is None else ()
    layers = tuple(sheet.name for sheet in found.rules.sheets) if found.root is None else ()
    return Choices(
        found.rules.title, tuple(asked[:MOST_QUESTIONS]), own[:MOST_CLAUSES], tuple(sorted(words.items())), layers
    )


# ---- a situation
def slots(_: Progress, file: File, situation: str) -> tuple[Slot, ...]:
    """The menus of a situation under the rules of a file; empty if either cannot be read."""
    rules = _opened(file).rules
    return tuple(slots_of(rules, situation))[:MOST_MENUS] if rules is not None else ()


def odds(progress: Progress, file: File, situation: str) -> answers.Reply | None:
    """The odds of a situation under the rules of a file; None if these cannot be read."""
    found = _opened(file)
    if found.rules is None:
        return None
    return answers.reply(found.rules, found.patches, file.name, situation, progress)


class Sight(Struct):
    """A situation in which a house rule matters: as a `question`, and as the lines of an `example`. Without one, `says`
    tells the extent of the search.
    """

    says: str
    question: Question | None = None
    example: tuple[str, ...] = ()


def witness(progress: Progress, file: File) -> Sight | None:
    """A small situation in which the changes of the file matter; None if it changes nothing."""
    patches = _opened(file).patches
    if patches is None or not patches.changes:
        return None
    found = find_witness(patches.none(), patches.ours, patches.changes[0].path, progress=progress)
    seen = found.witness
    if seen is None:
        return Sight(f"Of {found.tried:,} situations that were tried none is otherwise with it.")
    asks = () if seen.force else [told.ask for told in seen.told[:MOST_ASKED]]
    question = Question("where it matters", "found", "", situation_text(seen.lines, asks)) if asks else None
    return Sight("It matters here:", question, found.example)


def play(_: Progress, file: File, situation: str, seed: int, faces: tuple[int, ...]) -> story.Story | None:
    """One play of a situation under the rules of a file; None if these cannot be read."""
    rules = _opened(file).rules
    return story.story(rules, file.name, situation, seed, faces) if rules is not None else None


# ---- new files, and sharing
class Begun(Struct):
    """The text of a new house rule, or the reason for none."""

    text: str = ""
    why: str = ""


def begin(_: Progress, name: str, base: str, edits: tuple[str, ...]) -> Begun:
    """A house rule called `name` over a shipped set, with these edits."""
    if (advice := advice_on(name)) is not None:
        return Begun(why=advice)
    problems = Problems()
    rules = open_rules(base, problems)
    if rules is None or problems.has_errors:
        return Begun(why=f"{base} cannot be read")
    return Begun(house_rule(rules, name, edits, f"{name}.yaml").text)


def sheet(_: Progress, file: File) -> str | None:
    """The reference sheet of the file's rules, as a page to print; None if they cannot be read."""
    rules = _opened(file).rules
    return sheet_page(reference_sheet(rules)) if rules is not None else None


def shared(_: Progress, page: Page) -> str:
    """The page as one self-contained HTML file."""
    return picture_page(page)
