"""Renames a symbol in every file of the folder that refers to it.

Takes the analyses of these files, the meaning to rename, and the new name. Gives the edits of each file, or the reason
of a refusal. The edited files are checked first, and must have no new problems. If the meaning of a word is unknown,
both interpretations are tried.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from interpreter.layout.text_edits import Edit, apply_edits
from interpreter.rulebook.book import plural, verb_forms
from interpreter.source import Span
from interpreter.source.values import Struct

from .analysis import Analysis, Texts, analyse
from .meanings import Meaning
from .occurrences import Occurrence

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_THING = re.compile(r"[A-Z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")

Edits = dict[str, list[Edit]]  # by the name of the file


class Refused(Struct):
    """The reason why something cannot be renamed, as a sentence."""

    why: str


def renamable(analysis: Analysis, offset: int, mine: Callable[[str], bool]) -> tuple[Span, Meaning] | Refused:
    """The span and the meaning of the name to rename; `mine` tells whether a file may be edited."""
    found = analysis.index.at(analysis.source.name, offset) if analysis.index is not None else None
    if found is None:
        return Refused("there is no name here that a rule file declares")
    if len(found.meanings) > 1:
        said = " or ".join(f"the {x.what} `{x.path}`" for x in found.meanings)
        return Refused(f"it may be {said}: rename it where it is declared")
    meaning = found.meanings[0]
    if meaning.where is None:
        return Refused(f"`{meaning.name}` is declared in no rule file")
    if not mine(meaning.where.source.name):
        return Refused(f"`{meaning.name}` is declared in a file outside of this folder")
    return found.span, meaning


def renamed(
    analyses: Sequence[Analysis], meaning: Meaning, new: str, texts: Texts, mine: Callable[[str], bool]
) -> Edits | Refused:
    """The edits that rename something in all analysed files; `texts` are those of open files."""
    pattern = _THING if meaning.what == "thing" else _NAME
    if not pattern.fullmatch(new):
        wanted = "a capital and letters" if meaning.what == "thing" else "small letters, digits and single `-`"
        return Refused(f"`{new}` is no name: a name is made of {wanted}")
    said: dict[tuple[str, int], Occurrence] = {}
    for analysis in analyses:
        assert analysis.index is not None or analysis.rules is None
        for each in analysis.index.all_of(meaning.key) if analysis.index is not None else ():
            place = each.span.source.name, each.span.start
            if place not in said or (each.sure and not said[place].sure):
                said[place] = each
    problem = ""
    for unsure in (True, False) if not all(each.sure for each in said.values()) else (True,):
        edits = _edits([each for each in said.values() if each.sure or unsure], meaning, new)
        if (outside := next((file for file in edits if not mine(file)), None)) is not None:
            return Refused(f"it is said in {outside}, which is outside of this folder")
        problem = _worse(analyses, edits, texts)
        if not problem:
            return edits
    return Refused(f"with this name the rules would be wrong: {problem}")


def _edits(said: Sequence[Occurrence], meaning: Meaning, new: str) -> Edits:
    forms = {meaning.name: new, plural(meaning.name): plural(new), verb_forms(meaning.name)[1]: verb_forms(new)[1]}
    forms[meaning.name] = new
    made: dict[str, set[Edit]] = {}
    for each in said:
        form = forms.get(each.span.text)
        if form is not None:
            made.setdefault(each.span.source.name, set()).add(Edit(each.span.start, each.span.end, form))
    return {file: sorted(edits) for file, edits in made.items()}


def _worse(analyses: Sequence[Analysis], edits: Edits, texts: Texts) -> str:
    """The message of the first problem that the edits cause in some file; empty if there is none."""
    sources = {source.name: source.text for analysis in analyses for source in analysis.sources}
    after = {**texts, **{file: apply_edits(sources[file], theirs) for file, theirs in edits.items()}}
    for analysis in analyses:
        now = analyse(analysis.source.name, after)
        before = Counter(problem.code for problem in analysis.problems)
        for problem in now.problems if now is not None else ():
            before[problem.code] -= 1
            if before[problem.code] < 0:
                return problem.message
    return ""
