"""What calls need, where procedures call each other: the least solution, whoever is asked for first."""

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.program.live_calls import LiveCalls
from interpreter.program.liveness import Live
from interpreter.program.terms import Uses

NAMES = "abcdefg"
CELLS = "xyz"


def entry(of, name, own, calls):
    """What `name` needs: its own cells, and what those need that it calls; some it calls only for a cell that the one
    called before it needs.
    """
    found, before = set(own.get(name, ())), set()
    for callee, only_if in calls.get(name, ()):
        if only_if in (None, *before):
            before = of(callee)
            found |= before
    return found


def least(own, calls):
    """By trying again until nothing grows."""
    known = {name: set() for name in NAMES}
    while True:
        more = {name: entry(known.__getitem__, name, own, calls) for name in NAMES}
        if more == known:
            return known
        known = more


def solved(own, calls, first):
    def analyse(name):
        live = Live(())
        live.entry = Uses(
            frozenset(), frozenset(entry(lambda callee: set(lives.needed(callee).cells), name, own, calls))
        )
        return live

    lives = LiveCalls(analyse)
    lives.of(first)
    return {name: set(lives.of(name).entry.cells) for name in NAMES}


def test_who_leans_on_an_open_circle_is_part_of_it():
    """`c` was found after `b` was left, which leans on `a`: it may not be taken for solved before `a` is."""
    calls = {"a": [("b", None), ("d", None)], "b": [("c", None), ("a", None)], "c": [("b", None)], "d": [("c", None)]}
    assert solved({"a": "x"}, calls, "a") == {**{name: {"x"} for name in "abcd"}, **{name: set() for name in "efg"}}


@settings(max_examples=300)
@given(
    own=st.dictionaries(st.sampled_from(NAMES), st.sets(st.sampled_from(CELLS), max_size=2), max_size=3),
    calls=st.dictionaries(
        st.sampled_from(NAMES),
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([None, None, *CELLS])), max_size=3),
    ),
    first=st.sampled_from(NAMES),
)
def test_the_least_solution(own, calls, first):
    assert solved(own, calls, first) == least(own, calls)


def test_what_is_within_is_what_it_leads_to():
    """Those that it calls, and those that they call, each once; not who calls it, and not whose answer nobody needs."""
    calls = {"a": ["b", "c"], "b": ["c", "a"], "c": ["d"], "e": ["a"]}
    told = {}

    def analyse(name):
        for callee in calls.get(name, ()):
            lives.needed(callee)
        live = told[name] = Live((), dropped=name == "d")
        return live

    lives = LiveCalls(analyse)
    for name in NAMES:
        lives.of(name)
    within = {
        name: [each for each, live in told.items() for found in lives.within(name) if found is live] for name in NAMES
    }
    assert {name: "".join(sorted(found)) for name, found in within.items()} == {
        "a": "abcd", "b": "abcd", "c": "cd", "d": "d", "e": "abcde", "f": "f", "g": "g",
    }  # fmt: skip
    assert [name for name in NAMES if any(live.dropped for live in lives.within(name))] == list("abcde")
