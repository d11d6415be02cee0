"""Whatever the tables hold, an attack ends with figures that can be."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr

KNOWN: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "whole": (pa.int64(), st.integers(-3, 3)),
    "real": (pa.float64(), st.sampled_from([0.0, -1.5, 2.25, float("inf"), float("nan")])),
    "word": (pa.string(), st.sampled_from(["", "a", "ab", "b", " b", "*", "2019-01-02"])),
    "yes": (pa.bool_(), st.booleans()),
    "day": (pa.date32(), st.sampled_from([date(2019, 1, 2), date(2019, 6, 1), date(1, 1, 1)])),
    "time": (pa.timestamp("us"), st.sampled_from([datetime(2019, 1, 2, 3), datetime(2020, 1, 1)])),  # noqa: DTZ001
}
TEXTS = st.sampled_from(
    ["*", "", "0-2", "<1", "a*", "{a, b}", "2019", "2019-Q1", "[0, 9)", "true", "odd", "-1"]
)


@st.composite
def tables(
    draw: st.DrawFn,
) -> tuple[list[str], dict[str, pa.Array], dict[str, pa.Array], dict[str, pa.Array]]:
    names = draw(st.lists(st.sampled_from(sorted(KNOWN)), min_size=2, max_size=4, unique=True))
    sizes = [draw(st.integers(1, 12)) for _ in range(3)]

    def column(name: str, rows: int) -> pa.Array:
        kind, values = KNOWN[name]
        return pa.array(draw(st.lists(st.none() | values, min_size=rows, max_size=rows)), kind)

    known = [{name: column(name, rows) for name in names} for rows in sizes]
    for name in names:
        if draw(st.booleans()):
            cells = draw(st.lists(st.none() | TEXTS, min_size=sizes[0], max_size=sizes[0]))
            known[0][name] = pa.array(cells, pa.string())
    return names, known[0], known[1], known[2]


@given(tables(), st.integers(0, 9))
@settings(max_examples=10)
def test_an_attack_ends_with_figures_that_can_be(
    given_tables: tuple[list[str], dict[str, pa.Array], dict[str, pa.Array], dict[str, pa.Array]], seed: int
) -> None:
    names, released, against, control = given_tables
    plan = rr.AttackPlan(quasi=tuple(names[:-1]), secret=(names[-1],), guesses=20)
    found = rr.attack_table(pa.table(released), pa.table(against), plan, control=pa.table(control), seed=seed)
    result = found.to_dict()
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    made = [*result["linkage"].values(), *result["singling_out"], result["linkability"], *result["inference"]]
    for one in made:
        for tally in (one["main"], one["control"], one["baseline"]):
            assert tally is None or 0 <= tally["successes"] <= tally["guesses"]
        if one["risk"] is not None:
            assert 0 <= one["risk"]["low"] <= one["risk"]["value"] <= one["risk"]["high"] <= 1
    assert 0 <= result["predicted"]["marketer"]["average"] <= 1
    assert str(found)
