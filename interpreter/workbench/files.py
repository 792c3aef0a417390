"""Files of any kind: rule sets, situations, files of examples; opened, checked, tested by their name.

Takes a name or a path. Gives a rule set with the tree of a situation, a description of a file, or results of examples;
and problems.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from interpreter.document.alternatives import Spread, spread
from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.document.shape import check_situation_shape
from interpreter.places import is_slips_file, local_file, normalized, rule_file, stem
from interpreter.rulebook.citations import check_cites
from interpreter.rulebook.definitions import SHOWING
from interpreter.source import Problems
from interpreter.source.nearest import did_you_mean

from .cases import Case, prepare, report_unstated
from .choice_policies import policies
from .examples import Example, cites_of, examples_inside, from_file
from .file_kinds import is_sweep, of_examples, situation_named
from .parallel import Workers
from .progress import Progress
from .roster import muster
from .rule_sets import RuleSet, register
from .rules import open_rules, rules_named
from .running import Result, run_all, run_examples
from .stacks import parts_of
from .texts import as_yaml
from .trees import read_text, read_tree
from .typical import check_typical


def open_situation(
    what: str | os.PathLike[str] | dict[str, Any],
    problems: Problems,
    name: str = "situation",
    example: str | None = None,
    over: Sequence[str] = (),
    to_run: bool = False,
) -> tuple[RuleSet, Mapping] | None:
    """The rule set and tree of a situation, or None with problems. `what` is the path of a file, a text of YAML (with a
    line break), or plain data.

    `example` names one in a file of examples; `over` are supplements to lay over the rules of the situation; `to_run`
    as for `open_rules`.
    """
    folder: str | None = None
    if isinstance(what, dict):
        root = read_text(name, as_yaml(what), problems)
    elif isinstance(what, str) and "\n" in what:
        root = read_text(name, what, problems)
    else:
        path = local_file(os.fspath(what)) or normalized(os.fspath(what))
        folder = os.path.dirname(path)
        root = read_tree(path, problems)
    if root is None or problems.has_errors:
        return None
    rules = rules_of(root, folder, problems, over, to_run=to_run)
    if rules is None:
        return None
    if example is not None or _examples(root):
        found = _example(root, example, problems)
        if found is None:
            return None
        root = found
    check_situation_shape(root, problems)
    return None if problems.has_errors else (rules, root)


def open_force(what: str | os.PathLike[str] | dict[str, Any], problems: Problems) -> Case | None:
    """The case of a force, opened like a situation; a problem if it has no `force:`."""
    opened = open_situation(what, problems, "force")
    if opened is None:
        return None
    rules, root = opened
    if root.get("force") is None:
        hint = "name it in the first line: `force: The 3rd Foot`"
        problems.add("F016", root.entries[0].key.span, wanted="`force:` and the name of the side's list", hint=hint)
        return None
    return prepare(rules, root, problems)


def _examples(root: Mapping) -> dict[str, Node]:
    found = [(e.key.text.split(" "), e.value) for e in root]
    return {words[1]: value for words, value in found if len(words) > 1 and words[0] in SHOWING}


def _example(root: Mapping, name: str | None, problems: Problems) -> Mapping | None:
    known = _examples(root)
    found = known.get(name or "")
    if isinstance(found, Mapping):
        return found
    hint = did_you_mean(name or "", known, "examples here: " + ", ".join(list(known)[:6]) if known else None)
    if name is None:
        problems.add("F016", None, wanted="the name of one of its examples", hint=hint)
    else:
        problems.add("N001", None, what="example", name=name, hint=hint)
    return None


def rules_of(
    root: Mapping, folder: str | None, problems: Problems, over: Sequence[str] = (), *, to_run: bool = False
) -> RuleSet | None:
    """The rule set that a file names under `rules:`: a shipped one, or a file beside it."""
    if is_sweep(root):
        hint = "this is a sweep, which `umpire sweep` asks; `umpire check` finds its mistakes"
        problems.add("F016", root.entries[0].key.span, wanted="a situation, or a file of examples", hint=hint)
        return None
    node = root.get("rules")
    if not isinstance(node, Scalar) or not node.text.strip():
        at = node.span if node is not None else root.entries[0].key.span if root.entries else root.span
        hint = "say it in the first line: `rules: NAME`"
        if root.get("game") is not None:
            hint = "this is a rule file, with `game:`; a situation or a side's list is a file of its own"
        problems.add("F016", at, wanted="`rules:` and the name of a rule set", hint=hint)
        return None
    return rules_named(node, folder, problems, over, to_run=to_run)


def check_file(name: str, problems: Problems) -> str:
    """Check a rule set by name or path, a situation, or a file of examples. Return what it was, in words."""
    return checked_file(name, problems)[0]


def checked_file(name: str, problems: Problems) -> tuple[str, RuleSet | None]:
    """As `check_file`, also with the rule set that the file is or names; None if that cannot be read."""
    if is_slips_file(name):  # `--mutate` checks its entries
        read_tree(normalized(name), problems)
        return "slips that may stay", None
    words, rules = _checked(name, problems)
    for top in map(rule_file, parts_of(name)[-1:]):
        if top is not None:
            problems.report_unused(str(top))
    return words, rules


def _checked(name: str, problems: Problems) -> tuple[str, RuleSet | None]:
    quiet = Problems()
    named = situation_named(name, quiet)
    if named is None:
        rules = open_rules(name, problems)
        if rules is not None and (rules.book.pages.examples or rules.book.pages.typical) and not problems.has_errors:
            _check_examples(rules, examples_inside(rules), problems)
            check_typical(rules, examples_inside(rules, "typical"), problems)
        return rule_words(rules) if rules is not None else "unreadable", rules
    problems.extend(quiet)
    path, root = named
    if is_sweep(root):
        from .sweeps import read_sweep  # imported late: few files are sweeps

        sweep = read_sweep(path, root, problems)
        many = f", {len(sweep.points):,} points" if sweep is not None else ""
        return f"a sweep{many}", sweep.sets[0][1] if sweep is not None else None
    found = rules_of(root, os.path.dirname(path), problems)
    return _situation_checked(path, root, found, problems) if found is not None else "a situation", found


def _situation_checked(path: str, root: Mapping, found: RuleSet, problems: Problems) -> str:
    if not of_examples(root):
        several, cases = _cases(found, root, problems)
        force = root.get("force") is not None
        for case in cases:
            if force:
                mustered = muster(case)
                problems.extend(mustered.problems if mustered is not None else case.problems)
        many = f", {len(several.places)} in one" if several is not None and several.axes else ""
        return f"a {'force' if force else 'situation'} for {found.name}{many}"
    examples, typical = from_file(path, found, problems), from_file(path, found, problems, "typical")
    _check_examples(found, examples, problems)
    check_typical(found, typical, problems)
    known = {clause for sheet in found.sheets for clause in register(sheet)}
    cites = [cite for one in (*examples, *typical) for cite in cites_of(one.key, found)]
    check_cites(cites, known, found.book.header.game, problems)
    said = [f"{len(each)} {what}" for each, what in ((examples, "examples"), (typical, "typical situations")) if each]
    return f"{' and '.join(said) or 'no examples'} for {found.name}"


def _check_examples(rules: RuleSet, examples: Sequence[Example], problems: Problems) -> None:
    """Check examples without running them; an example that expects an error may have any mistake."""
    for example in examples:
        own = Problems(beside=problems)
        _cases(rules, example.body, own)
        if example.body.get("error") is None:
            problems.extend(own)


def _cases(rules: RuleSet, root: Mapping, problems: Problems) -> tuple[Spread | None, list[Case]]:
    """The alternatives of a situation, and the case of each that can be prepared; the others are reported."""
    check_situation_shape(root, problems)
    several = spread(root, problems, rules.rows) if not problems.has_errors else None
    cases = []
    for one in several or ():
        case = prepare(rules, one, problems)
        if case is not None:
            report_unstated(case)
            policies(rules.choices, case.situation, problems)
            cases.append(case)
    return several, cases


def rule_words(rules: RuleSet) -> str:
    """A summary such as `TITLE: 12 tables, 7 rolls, 30 procedures`."""
    book = rules.book
    plain = [t for t in book.tables.values() if t.name not in book.procedures]
    counts = ((len(plain), "table"), (len(book.rolls), "roll"), (len(book.procedures), "procedure"))
    return f"{rules.title}: " + ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts)


def test_file(
    name: str, problems: Problems, workers: Workers, progress: Progress | None, limit: int
) -> tuple[RuleSet, list[Result]] | None:
    """Run the examples of a rule set (by name or path) or of a file of examples, or a situation as one example, with so
    many worker processes. None with problems.
    """
    if is_slips_file(name):
        hint = f"`umpire test --mutate {stem(stem(name))}` reads this file"
        problems.add("F016", None, wanted="the name of a rule set, or a file of examples", hint=hint)
        return None
    named = situation_named(name, Problems())
    if named is None:
        rules, results = run_all(name, problems, workers, progress, limit)
        return None if rules is None or problems.has_errors else (rules, results)
    path, root = named
    rules = rules_of(root, os.path.dirname(path), problems)
    if rules is None or problems.has_errors:
        return None
    if of_examples(root):
        examples = from_file(path, rules, problems)
    else:
        examples = [Example(stem(path), root, (), root.entries[0].key)]
    return rules, run_examples(rules, examples, workers, progress, limit)
