"""Comments to Umpire: `# umpire: allow CODE because …`, or `allow CODE (words of its message; of another) because …`.

Takes a source and its tree; adds the allowances of its comments to the problems, and problems of the comments
themselves. This module does not know how a finding is made.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.source import CATALOGUE, PIECE, Allowance, Problems, Source, Span, nearest, suggest

MOST_COMMENTS = 400  # the most comments in a file: each is compared with each finding
_COMMENT = r"(?<![^\s])#[ \t]*umpire[ \t]*:[^\r\n]*"
_ALLOW = r"#\s*umpire\s*:\s*allow(?=\s)"
_WHY = r"\sbecause\s(?=.*\S)"
_ALL = r"\sin\s+this\s+file$"
_FURTHER = r"[ \t]*#[ \t]*(.*\S)"
_CODE = r"[^\s,]+"


def report_allowances(source: Source, root: Mapping, texts: Sequence[tuple[int, int]], problems: Problems) -> None:
    """Read the comments of a file; `texts` are the start and end offsets of its scalars, which may contain `#`."""
    if "umpire" not in source.text:
        return
    texts = sorted(texts)
    starts = [start for start, _ in texts]
    entries: list[tuple[int, int]] = []
    many = 0
    for found in re.finditer(_COMMENT, source.text):
        before = bisect_right(starts, found.start()) - 1
        if before < 0 or texts[before][1] <= found.start():
            many += 1
            if many > MOST_COMMENTS:
                hint = "`# umpire: allow CODE in this file because …` is one for all of them"
                problems.add("A005", Span(source, *found.span()), most=MOST_COMMENTS, hint=hint)
                return
            entries = entries or list(_entries(root))
            _read_comment(Span(source, *found.span()), entries, problems)


def _read_comment(comment: Span, entries: Sequence[tuple[int, int]], problems: Problems) -> None:
    """Read one comment, in parts: a single pattern would take quadratic time on a long comment."""
    head, why = re.match(_ALLOW, comment.text), re.search(_WHY, comment.text)
    what = comment.text[head.end() : why.start()].rstrip() if head and why else ""
    everywhere = re.search(_ALL, what)
    what = what[: everywhere.start()].rstrip() if everywhere else what
    codes, opened, words = what.partition("(")
    between = words[:-1] if words.endswith(")") else ""
    if head is None or why is None or not codes.strip() or bool(opened) != bool(between.strip()):
        hint = "say which code: " if why else "say why: "
        if why and opened:
            hint = "words of its message stand between parentheses behind the code, or leave them out: "
        problems.add("A002", comment, hint=hint + "`# umpire: allow K010 because the page prints it so`")
        return
    scope = Span(comment.source, 0, len(comment.source.text) + 1) if everywhere else _scope(comment, entries)
    start = comment.start + head.end()
    reason = " ".join([comment.text[why.end() :].strip(), *_continued_reason(comment)])
    phrases = [(at[0], _match_span(comment, start + len(codes) + 1, at)) for at in re.finditer(PIECE, between)]
    for word in re.finditer(_CODE, codes):
        code, place = word[0], _match_span(comment, start, word)
        entry = CATALOGUE.get(code)
        if entry is None:
            close = nearest(code, CATALOGUE)[:1]
            problems.add("A003", place, wanted=code, **suggest(place, close, "`umpire explain` lists all codes"))
        elif entry.severity == "error":
            problems.add("A004", place, wanted=code, hint=f"`umpire explain {code}` says how to mend it")
        else:
            for only, there in phrases or [("", place)]:
                problems.allow(Allowance(code, reason, there, (scope,), only))


def _continued_reason(comment: Span) -> Iterator[str]:
    """The comment lines directly below a comment on a line of its own, which continue its reason."""
    source = comment.source
    line, column = comment.place
    if source.line(line)[: column - 1].strip():
        return
    while (below := re.match(_FURTHER, source.line(line := line + 1))) and not re.search(_COMMENT, below[0]):
        yield below[1]


def _match_span(comment: Span, start: int, found: re.Match[str]) -> Span:
    return Span(comment.source, start + found.start(), start + found.end())


def _scope(comment: Span, entries: Sequence[tuple[int, int]]) -> Span:
    """The range to which a comment applies: its line, or the entry below a comment that has a line of its own."""
    source = comment.source
    line, column = comment.place
    if source.line(line)[: column - 1].strip():
        return Span(source, source.offset(line, 1), comment.end)
    below = bisect_left(entries, comment.end, key=lambda entry: entry[0])
    return Span(source, *entries[below]) if below < len(entries) else comment


def _entries(node: Node) -> Iterator[tuple[int, int]]:
    """The start and end offset of each entry or item, in the order of the text."""
    if isinstance(node, Scalar):
        return
    if isinstance(node, Mapping):
        for entry in node:
            yield entry.key.span.start, max(entry.key.span.end, _end(entry.value))
            yield from _entries(entry.value)
    else:
        for item in node:
            yield _start(item), _end(item)
            yield from _entries(item)


def _start(node: Node) -> int:
    while isinstance(node, Mapping) and node.entries:
        node = node.entries[0].key
    return node.span.start


def _end(node: Node) -> int:
    """The end of the last text of a node. YAML's own end mark lies behind the comments that follow."""
    while not isinstance(node, Scalar):
        parts: Sequence[Node] = [e.value for e in node] if isinstance(node, Mapping) else node.items
        if not parts:
            break
        node = parts[-1]
    return node.span.end
