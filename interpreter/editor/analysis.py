"""The analysis of one open file: its problems, its rules, and the meaning of each of its names.

Takes the path of a file, and the unsaved texts. Gives an `Analysis`. Reads files, but computes no odds and writes
nothing. Knows nothing of its callers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from interpreter.disk import overlay_texts
from interpreter.document.file_io import read_file
from interpreter.document.nodes import Mapping as Tree
from interpreter.rulebook.sentences import Noted, noting
from interpreter.source import Problem, Problems, Source
from interpreter.source.values import Struct
from interpreter.workbench.file_discovery import CHECKED
from interpreter.workbench.files import checked_file
from interpreter.workbench.garbage import rare_collections
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.stacks import stacks_of
from interpreter.workbench.trees import read_tree

from .meanings import meanings_of
from .occurrences import Index, index_of

_OURS = re.compile(rf"^({'|'.join(CHECKED)}):", re.MULTILINE)

Texts = Mapping[str, str]  # path → text of a document open in an editor


class Analysis(Struct, eq=False):
    """`rules` and `index` are None if the file could not be read; of a supplement to several bases, they are those of
    the first.
    """

    source: Source
    problems: tuple[Problem, ...]
    rules: RuleSet | None = None
    index: Index | None = None
    noted: Noted | None = None
    root: Tree | None = None

    @property
    def sources(self) -> list[Source]:
        """The texts of the files that it depends on, and its own."""
        sheets = self.rules.sheets if self.rules is not None else ()
        return [*(sheet.root.span.source for sheet in sheets), self.source]


def is_ours(text: str) -> bool:
    """Whether a text is a file of Umpire, and not other YAML."""
    return _OURS.search(text) is not None


def analyse(path: str, texts: Texts) -> Analysis | None:
    """The analysis of a file; None if there is no such file, or it is not a file of Umpire."""
    with overlay_texts(texts), rare_collections():
        source = read_file(path, Problems())
        if source is None or not is_ours(source.text):
            return None
        found, made = Problems(), Analysis(source, ())
        root = read_tree(path, Problems())
        for stack in stacks_of(path):
            own = Problems()
            with noting() as noted:
                _, rules = checked_file(stack, own)
            found.extend(own)
            if made.rules is None and rules is not None:
                others = [root] if root is not None and root.get("game") is None else []
                index = index_of(rules, noted, meanings_of(rules), others)
                made = Analysis(source, (), rules, index, noted, root)
        return Analysis(source, found.sorted(), made.rules, made.index, made.noted, root)
