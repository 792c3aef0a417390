"""Reports sentences that do not parse: the exact character, in the author's terms, with a suggestion.

Input: a scalar, its start symbol, the `Refusal`. Output: a problem. It does not know names or types.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from interpreter.document.nodes import Scalar
from interpreter.language import Refusal
from interpreter.language.corrections import Correction, apply_correction, find_correction, keywords
from interpreter.language.parse import OF_LINES
from interpreter.source import Fix, Problems

from .definitions import one_line

_COMPARISONS = (">=", "<=", ">", "<", "=")
_ASKED_ONCE = re.compile(r"([\w.-]+) *(?:>=|<=|>|<|=) *\S+ +(and|or) +$")
_BELOW_NOTHING = re.compile(r"(-\d+) ?(?:-|–|to|\.\.) ?(-?\d+)$")
_SAID_EACH = 12
_SOME = r"([0-9]+) +([a-z][a-z0-9-]*) +with +([^,]+)"
_MADE = ("passes ", "fails ", "passing ", "failing ", "meeting ", "missing ")  # verbs before the name of a roll
_TRUTHS = "as the value of a line, yes is `true` and no is `false`"

_SAYING = ("line_key", "case_key", "line", "adjust", "stated", "policy", "odds_of")  # may refer to a line

_WHAT = {
    "title": "title",
    "attribute": "attribute",
    "row": "row of a table",
    "words": "list of words",
    "ending": "end of a mark",
    "convention": "convention",
    "options": "ruling",
    "line_key": "name of a line",
    "row_key": "name of a line",
    "case_key": "case",
    "line": "line",
    "adjust": "line",
    "thing": "description",
    "counted": "description",
    "stated": "fact",
    "throws": "list of dice",
    "policy": "choice",
    "odds_of": "expected chance",
}

# Correct forms: by the first word of a title, by the last keyword of the sentence, by its start symbol.
_TITLES = {
    "kind": "kind NAME of OWNER",
    "table": "table NAME (COLUMN, COLUMN)",
    "value": "value NAME of KIND (other KIND)",
    "limit": "limit NAME of KIND",
    "roll": "roll NAME of KIND (other KIND) as ROLL on DICE",
    "mark": "mark NAME, NAME of KIND",
    "fact": "fact NAME of KIND (other KIND)",
    "to": "to VERB (KIND), (other KIND)",
    "moment": "moment NAME of KIND",
    "dice": "dice NAME",
    "rule": "rule NAME for each KIND after PROCEDURE if …",
    "ruling": "ruling NAME",
    "add": "add to NAME",
    "remove": "remove NAME, NAME",
    "example": "example NAME",
    "policy": "policy NAME",
    "typical": "typical NAME",
}
_FORMS = {
    "picks": "`WHO picks 1 from THINGS`, `WHO picks up to N from THINGS` or `WHO picks 0 to N`",
    "repeat": "`repeat N times`, `repeat until …` or `repeat up to N times until …`",
    "each": "`for each NAME in THINGS`",
    "for": "`for each NAME in THINGS`",
    "usually": "`usually most`, `usually yes`, or what is taken first",
    "moves": '`X moves up to 6"`, `X moves 6" away from Y` or `X moves into contact with Y`',
    "becomes": "`X.NAME becomes VALUE`",
    "leaves": "`X leaves play`",
    "best": "`best of 2`",
    "worst": "`worst of 2`",
    "umpire": "`umpire 'what to do'`",
    "new": "`new KIND (NAME value, NAME value)`",
}
_WHOLE = {
    "attribute": "`number`, `number 0 to 6`, `inches`, `yes or no`, `one of TABLE`, `many TABLE` or `a KIND`",
    "row": 'with a comma between its cells: `24", 3, 4+, -`',
    "words": "with commas: `front, side, rear`",
    "ending": "`until after PROCEDURE`, `until before PROCEDURE` or `out of play`",
    "convention": "`d6 at or over, always 6, never 1`",
    "options": "`2, or 3`",
    "line_key": "as a name, then what governs it: `NAME, if …`",
    "row_key": "as a name: `NAME`",
    "case_key": "`1`, `1-2`, `3 or more` or a word",
    "adjust": "`+1 if …`, `-1 per …`, `at least …`, or a value by itself",
    "thing": "with commas between the words: `green, 6 figures`",
    "counted": "as a number, and what each of them has: `4`, or `4 with …`",
    "stated": "`NAME(A, B) is VALUE` or `not NAME(A, B)`",
    "throws": "as a line and its faces: `hits 6 1 5`",
    "odds_of": "`1/2 that …`, `7/3 mean …` or `2 mean …`",
}


class SentenceErrors:
    """Explains why a sentence does not parse.

    `names` maps each known name to a tuple: for a verb, the words before its arguments (`""`: none). Of the keywords,
    `called` are those that lines use as names, and `untaken` those that a line tried to use as its name.
    """

    def __init__(
        self,
        grammar: str,
        problems: Problems,
        names: Mapping[str, tuple[str, ...]],
        called: frozenset[str],
        untaken: set[str],
    ) -> None:
        self.grammar, self.problems = grammar, problems
        self.names, self.called, self.untaken = names, called, untaken

    def refuse(self, scalar: Scalar, start: str, why: Refusal) -> None:
        what = _WHAT[start]
        if why.found in self.untaken and start == "line":
            return
        if why.kind in ("long", "deep"):
            self.problems.add("L003" if why.kind == "long" else "L004", scalar.at(why.start, why.end), what=what)
            return
        if self.problems.full(scalar.span):
            code = "L002" if why.kind == "character" else "L001" if why.found else "L005"
            self.problems.add(code, scalar.at(why.start, why.end), what=what, found=why.found)
            return
        if (inches := _other_unit(one_line(scalar), why)) is not None:
            found = re.compile(r"[a-z]+").match(one_line(scalar), why.start)
            assert found is not None
            span, label = scalar.at(why.start, found.end()), "there are inches only"
            self.problems.add("L001", span, what=what, found=found.group(), label=label, hint=inches)
            return
        if start == "line" and (second := _second_line(scalar, why)) is not None:
            advice = "two lines, one text: what happens next has a name and a colon of its own, as `then: …`"
            word = re.compile(r"[\w-]+|\S").match(one_line(scalar), second)
            assert word is not None
            self.problems.add("L001", scalar.at(*word.span()), what=what, found=word.group(), hint=advice)
            return
        if (meant := self._special_hint(scalar, start, why)) is not None:
            advice, fix = meant
            self.problems.add("L001", scalar.at(why.start, why.end), what=what, found=why.found, hint=advice, fix=fix)
            return
        known = self.names, self.called
        change = find_correction(one_line(scalar), start, why, self.grammar, *known)
        if change is not None:
            self._report_correction(scalar, what, why, change)
            return
        span, hint = scalar.at(why.start, why.end), _form(one_line(scalar), start, why)
        if why.kind == "character":
            if why.found.isalpha():
                hint = "words are lower case; things of a situation begin with a capital"
            if why.found in "\"'" or why.found == "”":
                hint = 'inches are written after a number: `6"`'
            if why.found == "%":
                hint = "a share is said as a part of something, such as `start / 2`"
            if why.found == "-":
                hint = "a minus has a space on both sides: `a - b`"
            if why.found == "." and one_line(scalar)[: why.start][-1:].isdigit():
                hint = 'numbers are whole; only inches have halves, as `4.5"`'
            if why.found == "[":
                hint = "a clause stands at the end of the line, in brackets: `[41]`"
            self.problems.add("L002", span, what=what, found=why.found, hint=hint, label="this does not belong here")
        elif not why.found:
            if re.search(r"\b(yes|no)$", one_line(scalar)):
                hint = _TRUTHS
            elif start == "line" and "else" in why.words and " if " in one_line(scalar):
                hint = f"say what it is otherwise, as `… else 0`; or {_condition_first(one_line(scalar))}"
            self.problems.add("L005", span, what=what, label=_wanted(start, why), hint=hint)
        else:
            if re.search(r"\]\s*$", one_line(scalar)[: why.start]):
                hint = "a clause in brackets stands at the very end"
            elif why.found == "." and one_line(scalar)[: why.start][-1:].isdigit():
                hint = 'numbers are whole; only inches have halves, as `4.5"`'
            elif why.found == "," and (reordered := self._before_preposition(one_line(scalar), why)) is not None:
                hint = reordered
            elif start == "adjust" and why.found == ",":
                hint = "one change a line: give the second a line with a name of its own"
            elif start == "adjust" and why.found == "else":
                hint = "a change has no `else`: give the other case a line of its own, with its own `if`"
            elif start == "line" and (why.found == "if" or one_line(scalar)[: why.start].endswith(" when ")):
                hint = _condition_first(one_line(scalar))
            elif start == "adjust" and why.start == 0 and why.found in ("again", "passes", "fails"):
                hint = f"it is written `{why.found} if …`"
            elif start in ("line", "adjust") and why.start == 0 and why.found not in self.called:
                hint = f"something stands before `{why.found}`: who does it, or how many"
            elif (
                start in ("title", "line_key", "row_key") and _naming(start, one_line(scalar), why) and _die(why.found)
            ):
                hint = f"`{why.found}` is a die, so nothing can be called that alone; a longer name may hold it, as "
                hint += f"`die-{why.found}`"
            elif re.fullmatch(r"-\d+", why.found):
                hint = f"a number below nothing is written as a sum: `0 - {why.found[1:]}`"
            elif why.found in _COMPARISONS and (again := _ASKED_ONCE.search(one_line(scalar)[: why.start])):
                one, joined = again.groups()
                hint = f"say on both sides what is compared: `… {joined} {one} {why.found} …`"
            elif why.found in _COMPARISONS and " where " in one_line(scalar)[: why.start]:
                hint = f"what is counted stands in brackets: `(faces where it = 1) {why.found} 2`"
            elif why.found == "one" and re.search(r" (?:where|usually) $", one_line(scalar)[: why.start]):
                hint = "whom a `where` asks is `it`: `… where it = 6` of faces, `… where it is A` of things"
            elif start == "thing" and (some := re.findall(_SOME, one_line(scalar))):
                several = ", ".join(f"{many} with {what.strip()}" for many, _, what in some)
                hint = f"several sorts stand below what it is, as a list: `{some[0][1]}: [{several}]`"
            elif why.found in ("yes", "no") and start in ("line", "adjust"):
                hint = _TRUTHS
            elif why.found in keywords(self.grammar) and any("a name" in wanted for wanted in why.wanted):
                hint = self._keyword_hint(why.found, start, one_line(scalar)[: why.start])
                if start in ("line_key", "row_key") and why.start == 0:
                    hint += f"; a longer name may hold it, as `{why.found}-line`"
                    self.untaken.add(why.found)
                if start == "options":
                    hint = "readings are numbers, distances or rows of a table; for yes or no write `0, or 1`"
                if start in ("thing", "counted") and why.found == "with":
                    hint = "several sorts are a list in a file, in square brackets: `[6, 1 with …]`"
            self.problems.add("L001", span, what=what, found=why.found, label=_wanted(start, why), hint=hint)

    def _special_hint(self, scalar: Scalar, start: str, why: Refusal) -> tuple[str, Fix | None] | None:
        """The hint and fix for `or` between cases, a range below 0, and a parameter called by a keyword, where a
        correction would mislead.
        """
        text = one_line(scalar)
        if start == "case_key" and why.found in ("or", "and") and text[why.start - 1 : why.start] == " ":
            fix = Fix(
                scalar.at(why.start - 1, why.end), ",", True, f"write `{text[: why.start - 1]},{text[why.end :]}`"
            )
            return "cases that do the same stand with commas between them", fix
        if start == "case_key" and (below := _BELOW_NOTHING.match(text)) is not None:
            low, high = sorted(map(int, below.groups()))
            few = high - low < _SAID_EACH
            numbers = ", ".join(map(str, range(low, high + 1))) if few else f"{low}, {low + 1}, …"
            each = Fix(scalar.at(0, below.end()), numbers, False, f"write `{numbers}`") if few else None
            return f"a range begins at 0 or more; from below nothing on, say each: `{numbers}`", each
        if start == "ending" and text.startswith(("both ways", "while ")) and why.found in ("out of play", "up to"):
            wrong = "takes nobody out of play" if why.found == "out of play" else "has no limit"
            ends = "it ends `until before …`, `until after …`, or when a line says so"
            return f"a mark between two {wrong}: {ends}", None
        if start == "line_key" and why.found == "while":
            return "`if …` governs what is done once; a loop says when it ends, `repeat until …`", None
        if start == "line_key" and why.start == 0 and re.match(r"(?:if|for each|repeat) \S|otherwise\b", text):
            return f"the name of the line stands before that, as `NAME, {text}`", None
        parameter = re.compile(r"([a-z]+) [a-z][a-z0-9-]*(?=[,)])").match(text, why.start)
        named = parameter is not None and parameter[1] == why.found and why.found in keywords(self.grammar)
        if start == "title" and named and re.search(r"[(,] *$", text[: why.start]):
            return f"`{why.found}` is a word of the rule language: leave it out, or give another name", None
        return None

    def _before_preposition(self, text: str, why: Refusal) -> str | None:
        """The hint for a call whose further arguments must precede its preposition: `A soaks with B, 2`."""
        before = text[: why.start]
        more = re.fullmatch(r", *([^\[\]]+?)(?: \[.*)?", text[why.start :])
        for match in re.finditer(r"(?=\b([a-z][a-z-]*) ([a-z]+) )", before):
            verb, word = match.groups()
            if more is not None and word in self.names.get(verb, ()):
                who, whom = before[: match.end(1)], before[match.end(2) + 1 :]
                return f"whatever else it takes stands before `{word}`: `{who} {more[1]} {word} {whom}`"
        return None

    def _keyword_hint(self, word: str, start: str, before: str) -> str:
        """The hint for a keyword in the place of a name, behind the text `before`."""
        if word == "roll" and before.endswith(_MADE):
            return "say which: the name that stands behind `roll` in its title"
        some = re.search(r"\b([0-9]+) ([a-z][\w.-]*) $", before)
        if some is not None and word in ("gain", "gains", "lose", "loses"):
            which = f"`those: {some[1]} of {some[2]} at random` or `those: WHO picks {some[1]} from {some[2]}`"
            return f"which of them is said in a line before, {which}; then `those {word} …`"
        if before.endswith("each "):
            return f"`{word}` is a word of the rule language: give whom the loop goes through another name"
        if word == "deals" and before.endswith(", "):
            return "say who deals: `owner deals …`, or the unit whose player does"
        if word not in OF_LINES:
            return f"`{word}` is a word of the rule language, so nothing can be called that alone"
        if word not in self.called or start not in _SAYING:
            return f"`{word}` is a word of the rule language, so only a line can be called that alone"
        return f"`{word}` is a word of the rule language here; the line called so stands in brackets: `({word})`"

    def _report_correction(self, scalar: Scalar, what: str, why: Refusal, change: Correction) -> None:
        """Report the token that the correction changes, which may precede the one that the parser rejected."""
        text = one_line(scalar)
        found = text[change.start : change.end].strip()
        start = change.start + len(text[change.start : change.end]) - len(text[change.start : change.end].lstrip())
        instead, span = scalar.written(change.instead), scalar.at(change.start, change.end)
        safe = change.safe and not (scalar.style == "plain" and change.start == 0) and "\n" not in span.text
        fix = Fix(span, instead, safe, f"write `{_excerpt(text, change)}`")
        if not found and change.start < change.end:  # a superfluous blank
            found = text[change.end :].split(" ")[0].rstrip(",:")
            at = scalar.at(change.end, change.end + len(found))
            hint = "a name of several words is written with hyphens"
            self.problems.add("L001", at, what=what, found=found, hint=hint, fix=fix)
            return
        if not found:
            word = re.compile(r"\s*([\w-]+|\S)").match(text, change.start)
            found = word.group(1) if word else ""
            start = word.start(1) if word else start
            blank = "" if change.instead in "()," else " "
            place = change.start if change.instead == ")" else start
            fix = Fix(scalar.at(place, place), instead + blank, False, fix.text)
            if not found:
                hint = f"`{change.instead}` is missing at the end"
                self.problems.add("L005", scalar.at(start, start), what=what, hint=hint, fix=fix)
                return
            hint = f"`{change.instead}` is missing before `{found}`"
            end = start + len(found)
        else:
            instead = change.instead.strip()
            hint = f"did you mean `{instead}`?" if instead else f"leave `{found}` out"
            if instead == f"({found})":
                hint = f"what is worked out on the way stands in brackets: `{instead}`"
            if instead == found:  # only the blanks around it change
                hint = f"`{found}` stands " + ("between blanks" if change.instead != instead else "without blanks")
            end = start + len(found)
        code = "L002" if why.kind == "character" and (start, end) == (why.start, why.end) else "L001"
        self.problems.add(code, scalar.at(start, end), what=what, found=found, hint=hint, fix=fix)


def _wanted(start: str, why: Refusal) -> str:
    """The label that names what could stand here, without words that are refused further on."""
    words = [w for w in why.words if w != "during" and (start, w) != ("ending", "instead of")]
    shown = [*why.wanted[:3], *(f"`{w}`" for w in words[: max(0, 5 - len(why.wanted[:3]))])]
    if not shown:
        return ""
    more = ", …" if len(why.wanted) + len(words) > len(shown) else ""
    return "here could stand " + ", ".join(shown) + more


def _condition_first(text: str) -> str:
    """The hint on where a condition belongs; for a sentence followed by its condition, with the words of both."""
    match = re.fullmatch(r"(?P<does>\S.*?) (?:if|when) (?P<when>[^\[\]]+?)(?P<cites> \[[^\]]*\])?", text)
    match = match or re.fullmatch(r"if (?P<when>.+?),? then (?P<does>[^\[\]]+)(?P<cites> \[[^\]]*\])?", text)
    form = "NAME, if …: …" if match is None else f"NAME, if {match['when']}: {match['does']}{match['cites'] or ''}"
    return f"a condition stands behind the line's name, before the colon: `{form}`"


def _die(word: str) -> bool:
    return re.fullmatch(r"\d*d\d+", word) is not None


def _naming(start: str, text: str, why: Refusal) -> bool:
    """Whether the rejected word may be a name; in a title, only directly after its first words."""
    return start != "title" or text[: why.start].strip() in _TITLES


def _second_line(scalar: Scalar, why: Refusal) -> int | None:
    """The offset of a line without a key that YAML folded into the one above, if that caused the syntax error."""
    if scalar.style != "plain":
        return None
    text = one_line(scalar)
    for gap in re.finditer(r"(?<=\S) (?=\S)", text):
        if "\n" in scalar.at(gap.start() - 1, gap.end() + 1).text and gap.start() < why.end + 1:
            return gap.end()
    return None


_UNITS = {"mm": 0.03937, "cm": 0.3937, "m": 39.37, "metres": 39.37, "meters": 39.37, "ft": 12.0, "feet": 12.0}


def _other_unit(text: str, why: Refusal) -> str | None:
    """A hint that converts a distance in another unit to inches; None if there is none."""
    found = re.search(r"([0-9]+)(?: ?\.[0-9]+)? ?$", text[: why.start])
    unit = re.compile(r"[a-z]+").match(text, why.start)
    if found is None or unit is None or unit.group() not in _UNITS:
        return None
    inches = round(int(found[1]) * _UNITS[unit.group()])
    return f'a distance is said in inches: `{inches}"` is about {found[1]} {unit.group()}'


def _excerpt(text: str, change: Correction) -> str:
    """The corrected text near the change, short enough to be read in a fix."""
    corrected = apply_correction(text, change)
    if len(corrected) <= 60:
        return corrected
    start = corrected.rfind(" ", 0, max(0, change.start - 20)) + 1
    end = corrected.find(" ", min(len(corrected), change.start + len(change.instead) + 20))
    end = len(corrected) if end < 0 else end
    return ("… " if start else "") + corrected[start:end] + (" …" if end < len(corrected) else "")


def _form(text: str, start: str, why: Refusal) -> str | None:
    """The correct form for the last keyword before the refusal, or for the start symbol."""
    words = re.findall(r"[\w-]+", text[: why.start])
    first = text.split(" ")[0]
    if start == "title":
        name = re.match(r"(?:example|policy|typical|ruling|dice) ([a-z][a-z0-9-]*(?: [a-z0-9-]+)+)(?: \[.*)?$", text)
        if name is not None and why.start < name.end(1):
            return f"a name of several words is written with hyphens: `{name[1].replace(' ', '-')}`"
        return f"it is written `{_TITLES[first]}`" if first in _TITLES else None
    for word in reversed(words):
        if word in _FORMS:
            return f"it is written {_FORMS[word]}"
    return f"it is written {_WHOLE[start]}" if start in _WHOLE else None
