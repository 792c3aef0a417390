"""What the benchmarks time can be asked: the value of a unit as one function."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import ours


def test_an_expression_is_one_function_of_a_state_and_a_unit() -> None:
    function, asked, values = ours.expression()
    due = [v["hits"] >= v["expertise"] + v["cover"] - (2 if v["aimed"] else 0) for v in values]
    assert [function(state, unit) for state, unit in asked] == due
    assert set(due) == {True, False}
