"""Family X: examples and what they expect.

The entries of the codes `X001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page, toy


def _case(code: str, message: str, meaning: str, bad: str, good: str, hint: str = "") -> dict[str, Entry]:
    def whole(lines: str) -> str:
        head = "to try (unit):\n  face: d6\nexample volley:\n  unit A: skill 3\n"
        return head + "".join(f"  {line}\n" for line in lines.splitlines())

    return page(code, message, meaning, whole(bad), whole(good), hint)


_TRIED = "to try (unit): d6\nexample volley:\n  do: A tries\n  unit A: skill 4\n  odds: {odds}"

_TRIED = "to try (unit):\n  face: d6\nexample a-try:\n  unit A: skill 3\n  do: A tries\n  odds: {}"

_MORE = (
    "to try (unit):\n  face: d6\n  second, if face > 3: d6\n"
    "example a-try:\n  unit A: skill 3\n  do: A tries\n  odds: {}"
)

_KNOWN = _TRIED.format("0/1 that face = 1\n  given: {}")

_CHOSEN = (
    "to try (unit):\n  face: d6\n  kept: unit picks 1 to 2\nexample a-try:\n  unit A: skill 3\n  do: A tries\n"
    "  {}odds: {{kept: {{2: 1/1}}}}"
)

_TYPICAL = "to try (unit):\n  face: d6\ntypical a-try:\n  unit A: skill 3\n  do: A tries\n  {}"

ENTRIES: dict[str, Entry] = {
    **_case(
        "X001",
        "this example expects {expected}, and it is {found}",
        "The rules give another answer than the example. One of the two is wrong: work the case out by "
        "hand, and mend the one that you do not agree with.",
        "do: A tries\nodds: 1/6 that face >= 3",
        "do: A tries\nodds: 2/3 that face >= 3",
        hint="work it out by hand, and correct the one that you do not agree with",
    ),
    **_case(
        "X002",
        "this example expects {expected}, but its trace says nothing of it",
        "The trace of the example was searched for this text and does not hold it. The nearest line is "
        "shown, so that you can see whether the rules or the words have changed.",
        "do: A tries\ndice: face 4\ntrace: a cat is thrown",
        "do: A tries\ndice: face 4\nthen: face = 4",
    ),
    **_case(
        "X003",
        "this example expects the mistake {expected}, and there is {found}",
        "An example with `error:` shows what the rules refuse. This one was not refused, or for another "
        "reason than it says.",
        "do: A tries\ndice: face 4\nerror: F006",
        "do: A tries\ndice: face 7\nerror: F006",
        hint="take `error:` away, or state something that the rules refuse",
    ),
    "X010": Entry(
        "warning",
        "no example would notice {change}",
        "Every number, comparison, sign and name of the rules is changed by one step (`umpire test --mutate`), and the "
        "examples are run again. This slip changes what the rules do, and every example still holds: an example is "
        "missing that shows this line at work.",
        toy(_TRIED.format("1/1 that face >= 1")),
        toy(_TRIED.format("7/2 mean face")),
        by="mutate",
    ),
    "X011": Entry(
        "error",
        "nothing can slip in {where}",
        "`umpire test --mutate … --at …` tries what stands at one place of the rules, and here nothing can be changed "
        "by one step: there is only a name, a remark, or text for people. Ask of a line that does something, or of all "
        "that lies in a definition.",
    ),
    "X004": Entry(
        "error",
        "this example does nothing",
        "An example describes who is there, says with `do:` what happens, and then what comes of it. "
        "Here is only its name.",
        "rules: modern\nexample volley:\n",
        "rules: modern\nexample volley:\n  side A: bonus 1\n  then: A.bonus = 1\n",
        hint="say with `do:` what happens, and with `then:` or `odds:` what comes of it",
    ),
    **_case(
        "X005",
        "this example expects nothing",
        "An example that expects nothing can never fail, and so shows nothing. Say what must come of it "
        "with `then:`, `odds:`, `trace:` or `error:`.",
        "do: A tries",
        "do: A tries\nodds: 7/2 mean face",
        hint="say what comes of it, with `then:` or `odds:`",
    ),
    "X006": Entry(
        "error",
        "only `example NAME:` and `typical NAME:` stand in a file of examples",
        "A file of examples says at its head which `rules:` it is for, and then holds examples and typical situations "
        "only. Rules stand in the rule file.",
        "rules: modern\nexampel volley:\n  side A: bonus 1\n  then: A.bonus = 1\n",
        "rules: modern\nexample volley:\n  side A: bonus 1\n  then: A.bonus = 1\n",
    ),
    "X020": Entry(
        "error",
        "this typical situation asks nothing",
        "A typical situation says with `do:` what happens and with `ask:` what is worth knowing of it: "
        "`umpire diff --odds` and `umpire lock` work these odds out. One that asks nothing shows nothing.",
        toy(_TYPICAL.format("about: a try")),
        toy(_TYPICAL.format("ask: face >= 3")),
        hint="add `ask:`, with what is worth knowing of it",
    ),
    "X021": Entry(
        "error",
        "a typical situation has no `{what}:`",
        "A typical situation is asked for its odds, whatever they are. What must come of a case is shown by an "
        "example, which stands beside it in the same form.",
        toy(_TYPICAL.format("ask: face >= 3\n  dice: face 4")),
        toy(_TYPICAL.format("ask: face >= 3")),
        hint="take `dice:` away, or make it an `example`",
    ),
    **page(
        "X030",
        "`{ask}` has no mean: in {share} its line is not run",
        "A mean is the average over all that the dice can show. A line that is not run has no number, not even 0, and "
        "what has no number has no part in an average. Say what "
        "it is to count as then, or ask for it only in those ways in which it is run.",
        _MORE.format("7/2 mean second"),
        _MORE.format("7/4 mean (second if ran(second) else 0)"),
    ),
    **page(
        "X031",
        "`{ask}` is taken as known, and it never comes to be so",
        "Behind `given:` stands what is known of the outcome, and odds are those of these ways alone. Here there are "
        "none: whatever the dice show, it is not so.",
        _KNOWN.format("face > 6"),
        _KNOWN.format("face > 3"),
        hint="look for a slip in it, or take it away",
    ),
    **page(
        "X032",
        "the chances of this table sum to {sum}: {left}",
        "A table under `odds:` says of all that can come out how likely it is, so its chances sum to exactly 1. "
        "Outcomes that need no row each are said in one, `otherwise`.",
        _TRIED.format("{face: {1: 1/6, 2-5: 2/3}}"),
        _TRIED.format("{face: {1: 1/6, 2-5: 2/3, 6: 1/6}}"),
    ),
    **page(
        "X033",
        "this row says {found}, and its table asks {many}: {wanted}",
        "Each row of a table under `odds:` says what every question in its heading comes to, in their order and with "
        "commas between them. Here some are missing, or there are too many.",
        _TRIED.format("\n    face, face > 3:\n      1-3, no: 1/2\n      4-6: 1/2"),
        _TRIED.format("\n    face, face > 3:\n      1-3, no: 1/2\n      4-6, yes: 1/2"),
        hint="write as many numbers as there are questions, with commas between them",
    ),
    **page(
        "X034",
        "a table says one chance of each outcome, and here somebody chooses: {who}",
        "Where a choice is open each chance lies between two bounds, and those of two rows need not be reached by the "
        "same choices: they sum to nothing. Say how it is chosen, or expect single chances as `1/4 to 1/2 that …`.",
        _CHOSEN.format(""),
        _CHOSEN.format("choose: {kept: 2}\n  "),
    ),
    "X022": Entry(
        "error",
        "the odds of `{name}` are not those of the lock",
        "A lock holds the odds of all that is typical, so that no change of the rules changes the balance unseen. Here "
        "they differ: take the change of the rules back, or, where it is meant, write the lock anew with `umpire lock` "
        "and keep both together.",
        hint="take the change back; or, if it is meant, write the lock anew with `umpire lock`",
    ),
    "X023": Entry(
        "error",
        "the lock holds `{name}`, and no typical situation is called so",
        "A typical situation was taken away or has another name, so its odds are no longer compared. Where that is "
        "meant, write the lock anew with `umpire lock`.",
    ),
    "X024": Entry(
        "error",
        "the lock does not hold the typical situation `{name}`",
        "It is newer than the lock, so its odds are not compared yet. Write the lock anew with `umpire lock`.",
    ),
    "X025": Entry(
        "error",
        "this is no line of a lock",
        "A lock is written by `umpire lock` and by nobody else: a line a situation, below it a line a fraction. If two "
        "changes met in this file, write it anew.",
    ),
    "X026": Entry(
        "warning",
        "whatever happens in `{name}`, `{ask}` is {what}",
        "A typical situation is there to show what a change of the rules is worth, and whatever the dice show, this "
        "question has the same answer in all its alternatives. Ask something that can go either way, or let the "
        "situation be one in which it can. `umpire lock` looks for this, when it has worked the odds out.",
        hint="ask something that can go either way",
    ),
    "X029": Entry(
        "error",
        "this is no line of a record of what shows the clauses",
        "Such a record is written by `umpire coverage --refresh` and by nobody else: a line a clause, with the example "
        "that fails without a line that cites it. If two changes met in this file, write it anew.",
    ),
}
