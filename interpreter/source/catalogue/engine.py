"""Family E: what the engines find while a rule is carried out.

The entries of the codes `E001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page

_DO = "example volley:\n  unit A: skill 3\n  do: A tries\n"
_HURT = "mark hurt of trooper:\nmark seen of trooper:\nto shake (unit): troopers gain seen\nto try (unit):\n"
_BOTH = "mark hurt of trooper:\nto calm (unit): troopers lose hurt\nto hit (unit): troopers gain hurt\nto try (unit):\n"
_HELD = "example volley:\n  unit A: skill 3, 2 troopers\n  do: A tries\n  then: (A.troopers where hurt) = 2\n"

ENTRIES: dict[str, Entry] = {
    "E001": Entry(
        "error",
        "this would take too long: more than {limit} worlds at `{step}`",
        "For exact odds I follow every way in which the table can look by then, each of them a world of its own, and "
        "here are too many. Ask for less, make the situation smaller, or throw fewer dice of which each is looked at "
        "by itself. I never guess.",
    ),
    **page(
        "E002",
        "`{step}` may never end",
        "Whatever the dice show, the rules lead back here, so the odds would have no end either. Some way "
        "out of the loop must have a chance.",
        "to try (unit):\n  tries, repeat until tired:\n    weary, if skill > 4: unit gains tired\n"
        + _DO
        + "  odds: 1/6 that A is tired",
        "to try (unit):\n  tries, repeat until tired:\n    weary, if skill < 4: unit gains tired\n"
        + _DO
        + "  odds: 1/1 that A is tired",
        hint="let a line of these rounds bring about what they wait for",
    ),
    **page(
        "E003",
        "`{step}` calls itself and goes on afterwards",
        "A table may send you back to itself as the last thing it does: then I can solve the circle. Here "
        "something follows, and the circle would grow with each round.",
        "to try (unit):\n  face: d6\n  next, if face = 6: unit tries\n  up-one: unit gains 1 skill\n"
        + _DO
        + "  odds: 5/6 that A.skill = 4",
        "to try (unit):\n  face: d6\n  next, if face = 6: unit tries\n" + _DO + "  odds: 1/1 that A.skill = 3",
    ),
    **page(
        "E004",
        "this went on for more than {limit}",
        "The rules were carried out for so long that they must lead in a circle. Look for a loop whose "
        "end never comes, or for two procedures that call each other.",
        "to try (unit):\n  next, if skill > 0: unit tries\n" + _DO + "  then: A.skill = 3",
        "to try (unit):\n  next: unit.skill\n" + _DO + "  then: next > 0",
        hint="give the loop an end that comes, or a condition to one of the calls",
    ),
    **page(
        "E005",
        "of the {named} that `{step}` names, {missed} changed before it in the same `together`",
        "What happens together is done to things as they stood when it began. Here one line or round of it has changed "
        "counted things already, and a later one names them as they were; alike ones are only counted, so I cannot "
        "find them again and I never guess. Take `together` out, and each line follows what those before it did; or "
        "give each line others to change. "
        "(Outside of `together` a name follows what is done to its figures, whoever does it.)",
        _HURT + "  both, together:\n    first-of-all: troopers gain seen\n    then-too: troopers gain hurt\n" + _HELD,
        _HURT + "  first-of-all: unit shakes\n  then-too: troopers gain hurt\n" + _HELD,
    ),
    **page(
        "E015",
        "`{step}` sets what a line before it in the same `together` has changed, and I cannot tell of which figures",
        "What happens together lands one line after the other, and of two lines that set one thing the last decides. "
        "Here a later call sets something of figures back to what it was when the block began, or sets it and adds to "
        "it; which of the alike ones it did that to, and which have been changed before, cannot be told, and I never "
        "guess. Take `together` out, and each line follows what those before it did; or leave it to one of them.",
        _BOTH + "  both, together:\n    first-of-all: unit hits\n    then-too: unit calms\n" + _HELD,
        _BOTH + "  first-of-all: unit calms\n  then-too: unit hits\n" + _HELD,
    ),
    **page(
        "E006",
        "`{step}` throws {count} dice at once, and I throw at most {most}",
        "No table has so many dice. Somewhere a number of dice is worked out that was not meant, or the situation is "
        "larger than any game.",
        "to try (unit):\n  faces: (unit.skill * 1000) dice\n  top: unit gains highest(faces) skill\n"
        + _DO
        + "  then: A.skill > 0",
        "to try (unit):\n  faces: unit.skill dice\n  top: unit gains highest(faces) skill\n"
        + _DO
        + "  then: A.skill > 0",
        hint="look at the number in front of `dice`, and at the numbers of the situation",
    ),
    **page(
        "E007",
        "a number grew past {most}",
        "No game counts so far: the rules multiply what they have multiplied before, or divide it again and again. "
        "Look for a loop in which a number becomes a product of itself.",
        "to try (unit):\n  grow, repeat 50 times:\n    raised: unit.skill becomes unit.skill * unit.skill\n"
        + _DO
        + "  then: A.skill > 0",
        "to try (unit):\n  grow, repeat 50 times:\n    raised: unit.skill becomes unit.skill + 1\n"
        + _DO
        + "  then: A.skill > 0",
        hint="look for the round in which a number is multiplied by itself, and set it anew there",
    ),
    "E008": Entry(
        "error",
        "`{step}` takes more than {most} steps to work out",
        "A value asks other values, which ask others, and all of them are asked again each time. "
        "Say each of them once, on a line of its own, and speak of that line.",
        hint="say each of the values once, on a line of its own, and ask that line",
    ),
    **page(
        "E009",
        "more than {most} things are in play",
        "A rule makes things in a loop that goes on for too long. Look at the line named here: how often is it run, "
        "and who takes the things out of play again?",
        "to try (unit):\n  births, repeat 2000 times:\n    child: new unit (skill 1)\n" + _DO + "  then: A.skill = 3",
        "to try (unit):\n  births, repeat 20 times:\n    child: new unit (skill 1)\n" + _DO + "  then: A.skill = 3",
        hint="make fewer of them, or take those that are no longer needed out of play",
    ),
    "E010": Entry(
        "error",
        "these rules lead too deep",
        "Values ask values, or procedures call procedures, for hundreds of steps, one inside the other; no rule book "
        "does; or files extend files. Let them stand one after the other.",
        hint="let the calls stand one after the other",
    ),
    "E011": Entry(
        "error",
        "{more} here that I do not tell",
        "Of a file I tell a hundred errors, a hundred warnings and a hundred remarks on style, and count the rest; "
        "most often a few mistakes draw all the others. Mend some, and check again. The mark stands at the first that "
        "is not told.",
    ),
    "E012": Entry(
        "error",
        "two sides choose against each other in `{step}`, which may go on for ever",
        "What one side does best depends on what the other does, round after round without a last one. Say how one of "
        "them chooses, by a policy under `choose:`, or let the loop end after so many times: "
        "`repeat up to 6 times until …`.",
        hint="say how one of them chooses, under `choose:`, or let the loop end: `repeat up to 6 times until …`",
    ),
    "E013": Entry(
        "error",
        "asked for itself, `{ask}` is {alone}; asked with the rest it is {together}",
        "This is a mistake in Umpire, and not in your file. All questions of an example are asked together, and each "
        "of them once more for itself, by the rules cut down to what it needs, as `umpire odds` does; both must agree. "
        "Please report it, with the file: neither number is to be trusted.",
    ),
    "E014": Entry(
        "error",
        "the cluster at `{address}` does no work for us: {why}",
        "`--cluster` takes the address of a dask scheduler, such as `tcp://192.168.1.20:8786`; `dask scheduler` prints "
        "it as it starts, and `dask worker ADDRESS` on each machine brings its cores. On all of them the same version "
        "of Umpire is installed, with what `pip install 'tabletop-umpire[cluster]'` adds. Nothing that was done "
        "before is lost; `--jobs 4` does the work with four processes of this machine.",
        hint="look whether the scheduler and its workers run; `--jobs 4` does the work on this machine",
    ),
}
