"""The record of which example shows which clause: `tests/NAME.shown`, one line per clause, written by `coverage
--refresh`.

Takes a rule set, and the text of its record. Gives `Evidence`, each valid or stale by a digest of the example, and of
the definitions that cite the clause. Knows nothing of how evidence is found.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from interpreter import disk
from interpreter.digests import digest
from interpreter.document.alternatives import spread
from interpreter.document.file_io import read_file, write_file
from interpreter.document.nodes import Entry, Node, Scalar
from interpreter.document.nodes import Mapping as Lines
from interpreter.rulebook.situation import Group, Thing
from interpreter.source import Problems, Span
from interpreter.source.values import Struct

from .cases import prepare
from .examples import Example, folder_beside
from .rule_sets import RuleSet

COMPANY, ALONE = "company", "alone"
SEVERAL = 3  # least number of things with counted parts, in company
_LINE = re.compile(rf"(\S+) ({COMPANY}|{ALONE}) (\S+) ([0-9a-f]{{10}}) (.+?): (\S.*)")
_IN_COMPANY = "-company.yaml"  # file name suffix: all its examples are in company


class Evidence(Struct):
    """The `example` fails if `change` is made at `address`, in a line that cites `clause`; `where` is `company` or
    `alone`.
    """

    clause: str
    where: str
    example: str
    address: str
    change: str
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.clause} {self.where} {self.example} {self.digest} {self.address}: {self.change}"


class Site(Struct, eq=False):
    """A citation of a clause: an entry of a sheet, with all nested entries, in a definition."""

    sheet: str
    entry: Entry
    definition: Entry

    @property
    def span(self) -> Span:
        """From the start of its key to the end of the nested entries."""
        key = self.entry.key.span
        return Span(key.source, key.start, max(text.span.end for text in _texts(self.entry)))


class Recorded(Struct):
    """The valid lines of a record, and the stale ones, whose example or rule has changed."""

    evidence: tuple[Evidence, ...] = ()
    stale: tuple[Evidence, ...] = ()


def record_file(rules: RuleSet) -> str:
    """The path of the record of a rule set."""
    return os.path.join(folder_beside(rules.sheets[-1]), f"{rules.name.replace(' ', '')}.shown")


def recorded(rules: RuleSet, examples: Iterable[Example], problems: Problems) -> Recorded:
    """The lines of the record of a rule set, valid or stale."""
    path = record_file(rules)
    source = read_file(path, problems) if disk.is_file(path) else None
    if source is None:
        return Recorded()
    named, sites = {example.name: example for example in examples}, sites_of(rules)
    found: list[Evidence] = []
    stale: list[Evidence] = []
    for number in range(1, source.lines + 1):
        line, start = source.line(number), source.offset(number, 1)
        if not line or line.startswith("#"):
            continue
        read = _LINE.fullmatch(line)
        if read is None:
            problems.add("X029", Span(source, start, start + len(line)), hint=_anew(rules))
            continue
        clause, where, example, digest, address, change = read.groups()
        said = Evidence(clause, where, example, address, change, digest)
        holds = example in named and digest == digest_of(said, named[example], sites.get(clause, ()))
        (found if holds else stale).append(said)
    return Recorded(tuple(found), tuple(stale))


def text_of(rules: RuleSet, evidence: Iterable[Evidence]) -> str:
    """The text of a record."""
    head = (
        f"# Which example of {rules.name} fails without a line that cites the clause: written by `{_command(rules)}`.\n"
        f"# A line: clause, {COMPANY} (three units or more, figures that are not alike, a file of such) or {ALONE}, "
        "example, digest of both, line and what was done to it.\n"
    )
    return head + "".join(f"{each}\n" for each in evidence)


def write_record(rules: RuleSet, evidence: Iterable[Evidence], problems: Problems) -> bool:
    """Write the record. Return whether it differs from the previous one. Adds a problem if it cannot be written."""
    path, new = record_file(rules), text_of(rules, evidence)
    source = read_file(path, problems) if disk.is_file(path) else None
    before = source.text if source is not None else None
    if before != new:
        write_file(path, new, problems, was=before)
    return before != new


def _command(rules: RuleSet) -> str:
    return f"umpire coverage {rules.name.replace(' ', '')} --refresh"


def _anew(rules: RuleSet) -> str:
    return f"`{_command(rules)}` writes the whole file anew"


def digest_of(said: Evidence, example: Example, sites: Iterable[Site]) -> str:
    """A digest of everything that evidence depends on: ten hexadecimal digits."""
    whole = [said.clause, said.where, said.example, said.address, said.change, *map(_said, example.body)]
    whole += dict.fromkeys(_said(site.definition) for site in sites)
    return digest("\n".join(whole).encode("utf-8", "surrogatepass"))[:10]


def _said(entry: Entry) -> str:
    return "\n".join(text.text for text in _texts(entry))


def _texts(entry: Entry) -> Iterator[Scalar]:
    """Every text of an entry, its key first."""
    left: list[Node | Entry] = [entry]
    while left:
        node = left.pop()
        if isinstance(node, Entry):
            yield node.key
            left.append(node.value)
        elif isinstance(node, Scalar):
            yield node
        else:
            left += reversed(list(node.entries if isinstance(node, Lines) else node.items))


# ---- citations
def sites_of(rules: RuleSet) -> Mapping[str, tuple[Site, ...]]:
    """The places that cite each clause, in the order of the files."""
    entries: dict[int, Site] = {}
    for sheet in rules.sheets:
        for section in sheet.root:
            for definition in section.value if isinstance(section.value, Lines) else ():
                for entry in _below(definition):
                    site = Site(sheet.name, entry, definition)
                    entries[id(entry.key)] = entries[id(entry.value)] = site
    found: dict[str, dict[int, Site]] = {}
    for clause, where in rules.book.pages.cites:
        site_ = entries.get(id(where.scalar))
        if site_ is not None:
            found.setdefault(clause, {})[id(site_)] = site_
    return {clause: tuple(sites.values()) for clause, sites in found.items()}


def _below(entry: Entry) -> Iterator[Entry]:
    yield entry
    for inner in entry.value if isinstance(entry.value, Lines) else ():
        yield from _below(inner)


# ---- in company
def in_company(rules: RuleSet, example: Example) -> bool:
    """Whether an example is in company: with three or more things that have counted parts, or a thing with unlike
    parts, or by the name of its file.
    """
    if example.key.span.source.name.endswith(_IN_COMPANY):
        return True
    quiet = Problems()
    several = spread(example.body, quiet, rules.rows)
    root = next((one for _, one in several.told()), None) if several is not None else None
    case = prepare(rules, root, quiet) if root is not None else None
    if case is None:
        return False
    things = [thing for thing in case.situation.things if thing.described]
    holders = [thing for thing in things if any(kind.bags for kind in thing.kind.lineage())]
    return len(holders) >= SEVERAL or any(map(_unlike, things))


def _unlike(thing: Thing) -> bool:
    def said(group: Group) -> dict[str, str]:
        return {attribute.name: repr(value) for attribute, value in group.values.items()}

    groups = [group for group in thing.groups if group.count]
    return any(one.kind is other.kind and said(one) != said(other) for one, other in pairwise(groups))
