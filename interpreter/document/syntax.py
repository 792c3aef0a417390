"""Translates the syntax errors of YAML parsers for authors of rules.

Takes the error message of either PyYAML parser and its place; adds one problem in plain words at the exact character.
The two parsers describe the same mistake differently, so the characters at the place decide wherever they can. The only
knowledge of rules here is that `>` compares.
"""

from __future__ import annotations

import re

from interpreter.document.characters import is_curled, readable
from interpreter.document.shape import situation_key_hint, title_word
from interpreter.source import Fix, Label, Problems, Source, Span
from interpreter.source.values import Struct


class Complaint(Struct):
    """A parser's message, the offset at which it failed, and the offset at which the current construct began."""

    problem: str
    context: str
    at: int
    opened: int


_COMPARISON = r">=?[ ]*[^\s>|+\-#]|>="
_INDENT_TAB = r"^ *\t[ \t]*[^\s#]"
_VALUE = r"[:?-][ ]+(?=\S)"
_NAMED = r"[A-Za-z][\w-]*:(?=[^\s:/])"
_TIGHT = r"[^\s:]:(?=[^\s:])"


def report_syntax(source: Source, complaint: Complaint, problems: Problems) -> None:
    """Add the problem of a syntax error, unless its cause is a tab in the indentation, which is already reported."""
    if re.compile(_INDENT_TAB, re.MULTILINE).search(source.text, 0, _line_end(source.text, complaint.at)):
        return
    _Translation(source, readable(source.text), complaint, problems).report()


def _line_end(text: str, at: int) -> int:
    found = re.compile(r"[\r\n]").search(text, at)
    return found.start() if found else len(text)


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def report_block_header(header: Span, problems: Problems) -> None:
    """Report a text that begins with `|` or `>` but is not a block; `header` is the sign and what follows it."""
    source, start = header.source, header.start
    if re.match(_COMPARISON, header.text):
        problems.add("Y026", Span(source, start, start + 1 + header.text.startswith(">=")))
    else:
        problems.add("Y032", header, sign=header.text[:1])


class _Translation:
    """Reports one syntax error; each method handles one group of messages."""

    def __init__(self, source: Source, text: str, complaint: Complaint, problems: Problems) -> None:
        self.source, self.text, self.problems = source, text, problems
        self.complaint = complaint
        self.at = min(complaint.at, len(text))
        self.opened = min(complaint.opened, len(text))
        self.here = text[self.at : self.at + 1]

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, min(max(end, start), len(self.text)))

    def word(self, at: int) -> Span:
        """The span from `at` to the end of the word or sign there."""
        found = re.compile(r"[\w-]+|\S").match(self.text, at)
        return self.span(at, found.end() if found else at)

    def rest(self, at: int) -> Span:
        """The span from `at` to the end of the line, without a comment or trailing blanks."""
        line = self.text[at : _line_end(self.text, at)]
        return self.span(at, at + len(re.split(r"\s#", line, maxsplit=1)[0].rstrip()))

    def report(self) -> None:
        problem, context = self.complaint.problem, self.complaint.context
        if "mapping values are not allowed" in problem:
            self.colon()
        elif "could not find expected ':'" in problem:
            self.no_colon(self.rest(self.opened))
        elif "block scalar" in context:
            report_block_header(self.rest(self.opened), self.problems)
        elif "quoted scalar" in context:
            self.quoted()
        elif "while scanning an" in context or "tag" in context or "tag handle" in problem:
            self.indicator(self.at if "tag handle" in problem else self.opened)
        elif "directive" in context:
            self.problems.add("Y007", self.rest(self.opened))
        elif "cannot start any token" in problem or "are not allowed" in problem:
            self.indicator(self.at)
        elif sign := self.closed():
            self.problems.add("Y023", self.rest(self.at), hint=_unclosed(sign), after=sign)
        elif "flow" in context and "node" not in context:
            self.flow()
        elif "node content" in problem:
            self.missing_node()
        elif "document start" in problem and re.search(r"^(\.\.\.|---)", self.text[: self.at], re.MULTILINE):
            self.problems.add("Y006", self.word(self.at))
        elif "block end" in problem or "expected" in problem:
            self.structure()
        else:
            self.other()

    def other(self) -> None:
        self.problems.add("Y039", self.word(self.at), complaint=self.complaint.problem)

    def colon(self) -> None:
        """Report a second `: ` inside a text; `at` is the colon."""
        start = _line_start(self.text, self.at)
        before = self.text[start : self.at]
        value = re.search(_VALUE, before.lstrip())
        if value and not before.lstrip().startswith(("- ", "? ")):
            self.colon_in_value(start + len(before) - len(before.lstrip()) + value.end())
            return
        key = self.span(start + len(before) - len(before.lstrip()), self.at)
        above = self.above(start)
        if above is None:
            self.problems.add("Y020", self.word(self.at))
        elif re.search(r":\s|^- ", above.text):
            others = [Label(above, "this has its text already")]
            self.problems.add("Y021", key, others=others, key=key.text)
        elif tight := re.search(_TIGHT, above.text):
            at = above.start + tight.end()
            named = re.match(_NAMED, above.text)
            safe = named is not None and named.end() == tight.end()
            fix = Fix(self.span(at, at), " ", safe, "put a space behind the colon")
            self.problems.add("Y022", self.span(at - 1, at), fix=fix)
        else:
            self.no_colon(above)

    def no_colon(self, line: Span) -> None:
        """Report a line without the colon of an entry; most often only the blank behind it is missing."""
        tight = re.match(_NAMED, line.text)
        if tight is None:
            sign = re.match(r"[\w.-]+(\s*(?:=>|->|:=|=)\s*)(?=\S)", line.text)
            fix = None
            if sign is not None:
                start, end = (line.start + at for at in sign.span(1))
                fix = Fix(self.span(start, end), ": ", False, "write a colon and a blank")
            hint = "a line is a name, a colon and a space, and what happens: `NAME: …`"
            row, column = line.place
            below = line.source.line(row + 1)
            if fix is None and below.strip() and len(below) - len(below.lstrip(" ")) >= column and "#" not in line.text:
                hint = f"lines of its own stand below it, so it ends in a colon: `{line.text.rstrip()}:`"
                fix = self.colon_behind(line)
            elif fix is None and (word := title_word(line.text)) is not None:
                hint = f"what begins with `{word}` is a title, and ends in a colon: `{line.text.rstrip()}:`"
                fix = self.colon_behind(line)
            elif fix is None and (cells := re.match(r"([a-z][\w-]*) +(?=[-+0-9'\"])", line.text)) is not None:
                named = f"{cells[1]}: {line.text[cells.end() :].rstrip()}"
                hint = f"a line is a name, a colon and a space, and what it says: `{named}`"
                fix = Fix(self.span(line.start, line.end), named, False, f"write `{named}`")
            elif fix is None and " " in line.text.strip():
                hint = f"a line begins with a name of its own, a colon and a space: `NAME: {line.text.rstrip()}`"
            self.problems.add("Y031", line, hint=hint, fix=fix)
            return
        at = line.start + tight.end()
        fix = Fix(self.span(at, at), " ", True, "put a space behind the colon")
        self.problems.add("Y022", self.span(at - 1, at), fix=fix)

    def colon_behind(self, line: Span) -> Fix:
        end = line.start + len(line.text.rstrip())
        return Fix(self.span(end, end), ":", False, "write a colon at its end")

    def colon_in_value(self, start: int) -> None:
        """Report a text from `start` on that YAML parses as an entry; quotes keep it a text."""
        value = self.rest(start)
        fix: Fix | None = None
        if re.search(r"<[a-z][a-z0-9-]*$", self.text[start : self.at]):
            fix = Fix(self.span(self.at, self.at + 1), " =", True, "alternatives are named with `=`")
            self.problems.add("Y020", self.span(self.at, self.at + 1), fix=fix)
            return
        before = self.text[_line_start(self.text, start) : start]
        if value.text.endswith(":") and value.end == self.at + 1 and ":" in before:  # a colon splits a name
            colon = _line_start(self.text, start) + before.rindex(":")
            name = f"{before.strip().rstrip(':')} {value.text}"
            fix = Fix(self.span(colon, colon + 1), "", False, f"as one name: `{name}`")
            if before[:4].isspace() and " " in value.text and " " not in before.strip():  # a clause that governs a line
                name = f"{before.strip().rstrip(':')}, {value.text}"
                fix = Fix(self.span(colon, colon + 1), ",", False, f"with a comma: `{name}`")
            label = [Label(self.span(colon, colon + 1), "the first colon ends the name")]
            self.problems.add("Y020", self.span(self.at, self.at + 1), others=label, fix=fix)
            return
        if value.end > self.at and value.text[:1] not in ("'", '"'):
            inner = value.text
            if is_curled(inner[0]):  # typographic quotes, which YAML does not know
                inner = inner[1 : len(inner) - is_curled(inner[-1])]
            quoted = "'" + inner.replace("'", "''") + "'"
            fix = Fix(value, quoted, False, f"one text: {quoted}")
        hint = None
        if (named := re.match(r"([a-z][\w-]*): +\S", value.text)) is not None and value.start + named.end(1) == self.at:
            key = before.strip().rstrip(":")
            hint = f"if `{named[1]}` is a line of its own, it stands below `{key}:`, further right"
            if (form := situation_key_hint(key, named[1], value.text[named.end() - 1 :])) is not None:
                hint, fix = form, None
            elif before.strip().endswith(":"):
                blanks = re.match(r" *", before)
                below = "\n" + " " * (2 + (blanks.end() if blanks is not None else 0))
                gap = self.span(start - len(before) + len(before.rstrip()), start)
                fix = Fix(gap, below, False, f"put `{value.text}` on a line of its own, below")
        self.problems.add("Y020", self.span(self.at, self.at + 1), hint=hint, fix=fix)

    def above(self, start: int) -> Span | None:
        """The nearest line above `start` that is neither blank nor a comment, without surrounding blanks."""
        while start > 0:
            end = start - 1
            start = _line_start(self.text, end)
            line = self.text[start:end]
            if line.strip() and not line.lstrip().startswith("#"):
                return self.rest(start + len(line) - len(line.lstrip()))
        return None

    def quoted(self) -> None:
        problem = self.complaint.problem
        if "end of stream" in problem or "document" in problem:
            self.problems.add("Y028", self.span(self.opened, self.opened + 1), sign=self.text[self.opened])
            return
        slash = self.text.rfind("\\", self.opened, self.at + 1)
        slash = self.at if slash < 0 else slash
        self.problems.add(
            "Y030",
            self.span(slash, slash + 2),
            hint="in single quotes a \\ is just a \\",
            seen=self.text[slash : slash + 2],
        )

    def indicator(self, at: int) -> None:
        sign = self.text[at : at + 1]
        if sign == ">":
            self.problems.add("Y026", self.span(at, at + 1 + self.text.startswith(">=", at)))
        elif sign == "!":
            self.problems.add("Y004", self.span(at, at + 1), seen=sign)
        elif sign == "-":
            hint = "where there is nothing, write `none`"
            fix = Fix(self.span(at, at + 1), "none", False, "write `none`")
            self.problems.add("Y027", self.span(at, at + 1), hint=hint, fix=fix, sign=sign)
        elif sign:
            self.problems.add("Y027", self.span(at, at + 1), sign=sign)
        else:
            self.other()

    def closed(self) -> str:
        """The closing quote or bracket directly before the place, on its line; else ""."""
        before = self.text[_line_start(self.text, self.at) : self.at].rstrip()
        return before[-1] if before and before[-1] in "\"']}" and self.here not in "\r\n" else ""

    def flow(self) -> None:
        bracket = self.span(self.opened, self.opened + 1)
        if not self.text[self.at :].strip():
            self.problems.add("Y029", bracket, label="opened here", sign=bracket.text)
        else:
            opened = [Label(bracket, "the bracket that is still open")]
            self.problems.add("Y029", self.word(self.at), others=opened, sign=bracket.text)

    def missing_node(self) -> None:
        if not re.sub(r"#.*|^(\.\.\.|---)", "", self.text, flags=re.MULTILINE).strip():
            self.problems.add("Y040", self.span(0, 0))
        elif self.here in ("]", "}", ","):
            self.problems.add("Y027", self.span(self.at, self.at + 1), sign=self.here)
        elif self.here == ":":
            self.problems.add("Y009", self.span(self.at, self.at + 1))
        elif (bracket := max(self.text.rfind("[", 0, self.at), self.text.rfind("{", 0, self.at))) >= 0:
            self.opened = bracket
            self.flow()
        else:
            self.other()

    def structure(self) -> None:
        """Report a line whose indentation matches none of the lines above it."""
        if self.here == ":":
            self.problems.add("Y009", self.span(self.at, self.at + 1))
        elif self.here in ("]", "}", ","):
            self.problems.add("Y027", self.span(self.at, self.at + 1), sign=self.here)
        elif "collection" in self.complaint.context or re.match(r"-\s", self.text[self.at : self.at + 2]):
            self.problems.add("Y025", self.word(self.at))
        else:
            start = _line_start(self.text, self.at)
            above = next((x for x in reversed(self.text[:start].split("\n")) if x.strip() and x.strip()[0] != "#"), "")
            here, there = self.at - start, len(above) - len(above.lstrip())
            hint = (
                f"it begins with {_blanks(here)}, the line above with {there}: lines that belong together begin alike"
            )
            self.problems.add("Y024", self.word(self.at), hint=hint)


def _unclosed(sign: str) -> str:
    if sign in "]}":
        return "quote the whole text in single quotes: '...'"
    return "quote the whole text in single quotes, or look for a quote above that was never closed"


def _blanks(count: int) -> str:
    return f"{count} blank" + ("" if count == 1 else "s")
