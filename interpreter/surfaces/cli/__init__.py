"""The command `umpire`: one module per command, imported only when that command is run.

Exit codes everywhere: 0 clean, 1 findings, 2 could not run, 130 stopped (`ends`).
"""

from __future__ import annotations

# Commands and their short help, in the order of the help page.
COMMANDS = {
    "demo": "A few seconds of everything.",
    "check": "Check rule files, situations and files of examples.",
    "fmt": "Lay rule files out: indents, blanks, columns.",
    "resolve": "Carry a situation out once and show every die.",
    "odds": "Exact odds: every way that the dice can fall, at once.",
    "advise": "What to choose, and what each choice is worth.",
    "sample": "An estimate of odds, from many plays.",
    "sweep": "Many questions at once: rule sets × situations × values.",
    "muster": "A side's list: its roster, its points, its limits.",
    "test": "Run the examples of rule sets.",
    "show": "A rule set as a printed page.",
    "sheet": "A reference sheet to print, house rules marked.",
    "why": "Where a value comes from, and who changed it.",
    "diff": "What a house rule changes: lines, and exact odds.",
    "rulings": "What each alternative reading of the rules is worth.",
    "lock": "Keep the odds of a rule set in a file, and compare them.",
    "flat": "A stack of rule files as one file.",
    "studio": "House rules in a browser: begin, edit, ask, share.",
    "new": "A house rule or a rule set to begin with.",
    "coverage": "Which clauses are carried out, and shown by an example.",
    "lsp": "Serve an editor: problems, meanings and fixes while you type.",
    "explain": "What a code such as N001 means.",
    "schema": "A JSON Schema of rule files, situations or sweeps, for editors.",
}

# Command → module of this package, where their names differ.
MODULES = {"why": "show", "flat": "show", "schema": "explain"}
