"""Characters that look like others, and characters that are not allowed in a rule file.

Takes the text of a source and the offsets of its scalars; returns a text of the same length that YAML can parse, and
problems with a fix at the exact character. Parsing continues with the intended character, so that the rest of the file
is still checked. This module does not know games.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from interpreter.source import Fix, Problems, Source, Span
from interpreter.source.values import Struct

BOM = "\ufeff"

# The characters that YAML forbids, without the three line ends that editors do not treat as such.
_FORBIDDEN = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff"
_LINE_ENDS = r"\x85\u2028\u2029"
_SPACES = r"\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
# Zero-width characters, the soft hyphen and bidirectional marks: a line with reversed text can display as a different
# rule. Joiners are kept between letters that need them.
_INVISIBLE = r"\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufff9-\ufffb\ufeff"
_JOINERS = r"(?<=[\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\x7f])"

# Patterns as strings, compiled on first use: compiling takes a while, and most files contain no such character.
_BLANKED = f"[{_FORBIDDEN}{_LINE_ENDS}{_SPACES}\t]"
DROPPED = f"[{_INVISIBLE}]|{_JOINERS}"
ESCAPED = f"[{_FORBIDDEN}{_LINE_ENDS}{_INVISIBLE}\r]"
_ODD = (
    f"(?P<tab>\t(?:[ \t]*\t)?)|(?P<space>[{_SPACES}]+)|(?P<unseen>(?:[{_INVISIBLE}]|{_JOINERS})+)"
    f"|(?P<line>[{_LINE_ENDS}])|(?P<control>[{_FORBIDDEN}])"
)

_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\uff02\u275d\u275e"
_INCH = f"(?<=[0-9])[{_DOUBLE}]"
_CURLED = f"[{_DOUBLE}]"
_TEXT = f"[{_DOUBLE}](?P<said>[^{_DOUBLE}'\"0-9][^{_DOUBLE}'\"]*)[{_DOUBLE}]"  # curled on both sides
_NUMBER = f"[{_DOUBLE}](?P<number>[0-9]+(?:\\.[0-9]+)?)(?P<close>[{_DOUBLE}])"  # both quotes curled
# A dash before a number, after a number or where a number may start; a typographic hyphen in a name.
_DASH = r"(?:(?<=[0-9])|(?<=[0-9] )|(?<![^\s(,+]))[\u2012-\u2015\u2212](?= ?[0-9])|(?<=\w)[\u2010\u2011](?=\w)"

_REMARK = r"(?<!\S)#"
_REMARK_NEXT = r"[ \t]*#"
_BLANK = r"[ \t]*\Z"
_LINE_END = r"[ \t]*(?:[\r\n]|\Z)"
_INDENTED = r"(?m)^ +[^\s#]|^\t+ "
_OPENS = r"(?::|[:-] +[|>][0-9+-]*)(?:\s+#.*)?\s*$"


def readable(text: str) -> str:
    """Return `text` for the YAML parser: of the same length, with a space for each character that it would reject.

    A byte order mark inside the text becomes another invisible character, because PyYAML's two parsers disagree on it
    at the start of a line.
    """
    return text if _is_plain_ascii(text) else re.sub(_BLANKED, " ", text).replace(BOM, "\u200b")


def _is_plain_ascii(text: str) -> bool:
    """Return whether a text contains only printable ASCII and line ends."""
    return text.isascii() and text.replace("\n", "").replace("\r", "").isprintable()


class Edit(Struct):
    """Replaces the character at index `at` of a value by `instead`; `code` is "" if another check reports it.

    The problem also covers the `more` characters behind it; `fix` is the text to write in place of all of them.
    """

    at: int
    instead: str
    code: str = ""
    safe: bool = True
    more: int = 0
    fix: str = ""


def edits(value: str, style: str, *, prose: bool) -> list[Edit]:
    """Return the edits, in order, that replace typographic characters in a value by those of the language.

    `prose` marks text for people (a title, an "about"), in which such characters are allowed.
    """
    if value.isascii():
        return []
    found = {drop.start(): Edit(drop.start(), "") for drop in re.finditer(DROPPED, value)}
    if prose:
        return list(found.values())
    for number in re.finditer(_NUMBER, value):  # a number in typographic quotes is reported once
        start, end = number.span()
        found[start] = Edit(start, "", "Y011", False, end - start - 1, f'{number["number"]}"')
        found[end - 1] = Edit(end - 1, '"')
    for text in re.finditer(_TEXT, value):
        start, end = text.span()
        if start not in found and (start, end) != (0, len(value)):
            found[start] = Edit(start, "'", "Y012", False, end - start - 1, f"'{text['said']}'")
            found[end - 1] = Edit(end - 1, "'")
    curled = [mark.start() for mark in re.finditer(_CURLED, value)]
    wrapped = style == "plain" and len(value) > 1 and curled[:1] == [0] and curled[-1] == len(value) - 1
    if wrapped and 0 not in found:  # the outer quotes mark the whole value as a quoted text
        safe = len(curled) == 2 and not set(value) & {'"', "\\"}
        found[0] = Edit(0, "", "Y012", safe)
        found[len(value) - 1] = Edit(len(value) - 1, "", "Y012", safe)
    for at in curled:
        code = "Y011" if re.compile(_INCH).match(value, at) else "Y012"
        # At the start of a plain text a straight quote would open a quoted one.
        found.setdefault(at, Edit(at, '"', code, not (style == "plain" and at == 0)))
    for dash in re.finditer(_DASH, value):
        # At the start of a plain text a dash and a blank would open a list.
        safe = not (style == "plain" and dash.start() == 0 and value[1:2] == " ")
        found.setdefault(dash.start(), Edit(dash.start(), "-", "Y013", safe))
    return [found[at] for at in sorted(found)]


def report_edit(edit: Edit, span: Span, style: str, problems: Problems) -> None:
    """Add the problem of one edit, at its character, with the replacement as a fix."""
    if edit.fix:
        instead = edit.fix.replace('"', '\\"') if style == "double" else edit.fix
        instead = instead.replace("'", "''") if style == "single" else instead
        wanted = "inches stand behind a number" if edit.code == "Y011" else "a text is held by straight single ones"
        hint = f"`{span.text[0]}` and `{span.text[-1]}` are curled quotes; {wanted}: `{edit.fix}`"
        seen = span.text[-1] if edit.code == "Y011" else span.text[0]
        problems.add(edit.code, span, hint=hint, fix=Fix(span, instead, False, f"write {instead}"), seen=seen)
        return
    instead = "-" if edit.code == "Y013" else '\\"' if style == "double" else '"'
    fix = Fix(span, instead, True, f"write {instead} in its place")
    whole = None if edit.safe else "put the whole text in straight single quotes: '...'"
    problems.add(edit.code, span, fix=fix if edit.safe else None, hint=whole, seen=span.text)


def report_characters(source: Source, scalars: Sequence[tuple[int, int]], problems: Problems) -> None:
    """Report every unusual character of the file; `scalars` are the start and end offsets of its texts, in order."""
    text = source.text
    if _is_plain_ascii(text):
        return
    starts = [start for start, _ in scalars]
    for odd in re.finditer(_ODD, text):
        kind, (start, stop) = str(odd.lastgroup), odd.span()
        if start == 0 and text[0] == BOM:
            start = 1  # accepted at the very start, where editors put it
            if start == stop:
                continue
        if kind in ("tab", "space") and _is_ignored(source, start, stop, starts, scalars):
            continue
        _report(kind, Span(source, start, stop), problems)


def _report(kind: str, span: Span, problems: Problems) -> None:
    source, size = span.source, span.end - span.start
    number = f"U+{ord(span.text[0]):04X}"
    if kind == "tab":
        line = span.start - span.place[1] + 1
        indents = re.compile(_BLANK).match(source.text, line, span.start) is not None
        instead = span.text.replace("\t", "  " if indents else " ")
        fix = Fix(span, instead, not indents, "a space" if instead == " " else f"{len(instead)} spaces")
        if indents and (meant := _intended_indent(source, line)) is not None:
            end = line + len(_margin(source.text[line:]))
            fix = Fix(Span(source, line, end), " " * meant, True, f"{meant} spaces")
        problems.add("Y010", span, fix=fix)
    elif kind == "space":
        problems.add("Y014", span, fix=Fix(span, " " * size, True, "an ordinary space"), number=number)
    elif kind == "unseen":
        safe = _can_be_removed(source.text, span.start, span.end)
        problems.add("Y015", span, fix=Fix(span, "", safe, "take it out"), number=number)
    elif kind == "line":
        problems.add("Y016", span, fix=Fix(span, " ", True, "an ordinary space"), number=number)
    else:
        problems.add("Y017", span, fix=Fix(span, "", False, "take it out"), number=number)


def _intended_indent(source: Source, line: int) -> int | None:
    """Return the number of spaces that the tab indentation of a line stands for; None if it is ambiguous.

    The tab width of the author's editor is unknown. In a file indented by tabs alone, their number decides. Otherwise
    the indentation is unambiguous if the lines above and below have the same one, or if the line above opens a block
    that the line below continues.
    """
    before, here = source.text[:line], source.text[line:]
    if not re.search(_INDENTED, source.text):
        return 2 * (len(here) - len(here.lstrip("\t")))
    lines = _content(here)
    tabbed = next((n for n, each in enumerate(lines) if "\t" not in _margin(each)), len(lines))
    above = [each for each in _content(before) if "\t" not in _margin(each)][-1:]
    following = lines[tabbed : tabbed + 1]
    opens = any(re.search(_OPENS, each) or each.lstrip()[:2] == "- " for each in lines[:tabbed])
    if opens or not above or not following:
        return None
    left, right = len(_margin(above[0])), len(_margin(following[0]))
    opened = bool(re.search(_OPENS, above[0]))
    return right if (right > left if opened else right == left) else None


def _content(text: str) -> list[str]:
    return [each for each in re.split(r"\r\n|\r|\n", text) if each.strip() and each.lstrip()[:1] != "#"]


def _margin(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _can_be_removed(text: str, start: int, stop: int) -> bool:
    """Return whether removing a range does not join characters that mean something to YAML."""
    before, after = text[start - 1 : start], text[stop : stop + 1]
    return after not in set("-?:,[]{}#&*!|>'\"%@`") and not (before in set(":-?#") and (after.isspace() or not after))


def _is_ignored(source: Source, start: int, stop: int, starts: list[int], scalars: Sequence[tuple[int, int]]) -> bool:
    """Return whether blanks have no effect: at the end of a line, or within or before a comment."""
    if re.compile(_LINE_END).match(source.text, stop):
        return True
    before = bisect_right(starts, start) - 1
    end = scalars[before][1] if before >= 0 else 0
    if start < end:
        return False
    line = start - source.place(start)[1] + 1
    in_remark = re.compile(_REMARK).search(source.text, max(end, line), start)
    return in_remark is not None or re.compile(_REMARK_NEXT).match(source.text, stop) is not None


def is_curled(character: str) -> bool:
    """Whether a character is a typographic double quote."""
    return re.match(_CURLED, character) is not None
