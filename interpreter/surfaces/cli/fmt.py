"""`umpire fmt`: formats rule files.

Takes paths of files and folders, or `-` for standard input. Rewrites the files, lists them, or prints a diff; gives an
exit code. Knows nothing of the layout rules.
"""

from __future__ import annotations

import sys

from interpreter.source import Problems
from interpreter.workbench.file_discovery import files_below
from interpreter.workbench.formatting import format_file, format_text, write_formatted

from .commands import UsageError, argument, command, flag
from .diffs import show_diff
from .ends import CLEAN, FINDINGS
from .terminal import counted, echo, ending, nearby, paint, rendered, say


@command()
@argument("files", nargs="*", default=())
@flag("--check", dest="only_check", help="Name the files that would change; write nothing.")
@flag("--diff", help="Show what would change; write nothing.")
def fmt(files: tuple[str, ...], only_check: bool, diff: bool) -> int:
    """Lay out rule files, situations and files of examples: two blanks an indent, one round a sign, rows and remarks in
    columns. No word changes, and no remark. Without FILES, all below this folder; `-` is standard input.

    \b
    umpire fmt ours.yaml        write it anew where it needs it
    umpire fmt --check rules    name the files below a folder that would change

    A sentence that cannot be read, or a file that YAML cannot, is left as it is, and told: exit code 1.
    """
    if "-" in files:
        if len(files) > 1:
            raise UsageError("`-` stands alone: standard input is one text.")
        return _stream(only_check, diff)
    problems = Problems()
    forms = [form for path in files_below(files or (".",)) if (form := format_file(path, problems)) is not None]
    changed = [form for form in forms if form.changed]
    if diff:
        for form in changed:
            show_diff(form.path, form.before, form.after)
    elif only_check:
        for form in changed:
            say(f"{paint('would change', 'warm')}  {nearby(form.path)}:{form.row}")
    else:
        for form in changed:
            if write_formatted(form, problems):
                say(f"{paint('laid out', 'good')}  {nearby(form.path)}:{form.row}")
    return _end(problems, FINDINGS if changed and (diff or only_check) else CLEAN, len(forms) - len(changed), diff)


def _stream(only_check: bool, diff: bool) -> int:
    """Format standard input to standard output; the bytes are unchanged if the format is right."""
    problems = Problems()
    form = format_text("<stdin>", sys.stdin.buffer.read(), problems)
    if form is not None and diff:
        show_diff(form.path, form.before, form.after)
    elif form is not None and not only_check:
        sys.stdout.buffer.write(form.after.encode("utf-8"))
        sys.stdout.buffer.flush()
    return _end(problems, FINDINGS if form is not None and form.changed and (only_check or diff) else CLEAN, 0, True)


def _end(problems: Problems, code: int, fine: int, quiet: bool) -> int:
    """Report problems on standard error, or the number of files that needed no change. Return the exit code."""
    if len(problems):
        echo(rendered(problems, sys.stderr), err=True)
        return ending(problems)
    if fine and not quiet:
        say(f"{paint('clean', 'good')}  {counted(fine, 'file')}")
    return code
