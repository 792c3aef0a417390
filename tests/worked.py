"""What tests of meaning share: an answer worked out by hand, found by every way that Umpire has of finding it.

Odds asked for one thing at a time and for everything together, of rules cut down to the situation and of the whole
rules, and play under every script of dice, traced and untraced: each must give the law that was worked out.
"""

from collections import Counter
from fractions import Fraction

from reference import odds
from test_engines_kit import case_of, law_of_odds, law_of_play, rules_of

from interpreter.source.values import replace
from interpreter.workbench.answers import NOT_RUN


def worked(rules_text, situation, laws):
    """`laws`: what is asked → its law, as {value: chance}; a plain value is certain."""
    rules = rules_of(rules_text)
    expected = {text: law if isinstance(law, dict) else {law: 1} for text, law in laws.items()}
    for text, law in expected.items():
        one = case_of(rules, f"{situation}ask: [{_quoted(text)}]\n")
        _same("asked alone", text, {v[0]: w for v, w in law_of_odds(one).items()}, law)
        whole = law_of_odds(replace(one, cut=False))
        _same("asked alone, of the whole rules", text, {v[0]: w for v, w in whole.items()}, law)
    case = case_of(rules, f"{situation}ask: [{', '.join(map(_quoted, expected))}]\n")
    ways = {
        "asked together": law_of_odds(case),
        "asked together, of the whole rules": law_of_odds(replace(case, cut=False)),
        "played": law_of_play(case)[0],
        "played and traced": law_of_play(case, traced=True)[0],
    }
    for way, joint in ways.items():
        for index, (text, law) in enumerate(expected.items()):
            found = Counter()
            for values, weight in joint.items():
                found[values[index]] += weight
            _same(way, text, found, law)


def _quoted(text):
    return '"' + text.replace('"', '\\"') + '"'


def _same(way, text, found, law):
    wanted = {value: Fraction(chance) for value, chance in law.items()}
    assert dict(found) == wanted, f"`{text}` {way}"


def agreed(folder, rules_text, situation, laws):
    """As `worked`, and the reference evaluator finds the same."""
    worked(rules_text, situation, laws)
    (folder / "game.yaml").write_text(rules_text)
    (folder / "situation.yaml").write_text(f"rules: game\n{situation}")
    for answer in odds(folder / "situation.yaml", list(laws)):
        law = laws[answer.question]
        found = {NOT_RUN if value is None else value: weight for value, weight in answer.law.items()}
        _same("by the reference", answer.question, found, law if isinstance(law, dict) else {law: 1})
