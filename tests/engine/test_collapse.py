"""One record per unit."""

from __future__ import annotations

from typing import Any

import pytest

from reidrisk.engine.duckdb.classes import class_sizes, count_rows
from reidrisk.engine.duckdb.collapse import collapse
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.protocol import Rule
from reidrisk.errors import BadData, InvalidSetting

pa = pytest.importorskip("pyarrow")


@pytest.fixture
def visits() -> DuckTable:
    return open_embedded(
        pa.table(
            {
                "person": ["p", "q", "p", "q", "r"],
                "sex": ["F", "M", "F", "M", None],
                "age": [41, 7, 40, 8, None],
                "drug": [None, "SECRET, b", "a", "SECRET, b", "NULL"],
            }
        )
    )


def values(table: DuckTable, column: str) -> dict[Any, Any]:
    tuples = distinct_tuples(table, ["person", column])
    people, found = tuples.values
    return {people[person]: found[code] for person, code in tuples.codes}


def test_constant_columns_need_no_rule(visits: DuckTable) -> None:
    people = collapse(visits, "person", ["sex"])
    assert people.columns == ("person", "sex")
    assert count_rows(people) == 3
    assert class_sizes(people, ["sex"]) == ((1, 3),)
    assert people.notes[-1] == "one record per unit: person"


@pytest.mark.parametrize(
    ("column", "rule", "expected"),
    [
        ("age", "first", {"p": 41, "q": 7, "r": None}),
        ("age", "min", {"p": 40, "q": 7, "r": None}),
        ("age", "max", {"p": 41, "q": 8, "r": None}),
        ("age", "set", {"p": "[40, 41]", "q": "[7, 8]", "r": "[NULL]"}),
        ("drug", "first", {"p": None, "q": "SECRET, b", "r": "NULL"}),
        ("drug", "set", {"p": "[a, NULL]", "q": "['SECRET, b']", "r": "['NULL']"}),
    ],
)
def test_rules(visits: DuckTable, column: str, rule: Rule, expected: dict[str, Any]) -> None:
    people = collapse(visits, "person", ["sex", column], {column: rule})
    assert values(people, column) == expected
    assert people.types["sex"] == "VARCHAR"


def test_the_unit_may_be_among_the_columns(visits: DuckTable) -> None:
    assert collapse(visits, "person", ["person", "sex"]).columns == ("person", "sex")


def test_first_means_first_as_stored_in_a_large_table() -> None:
    rows = 400_000
    table = open_embedded(pa.table({"person": [i % 1000 for i in range(rows)], "n": list(range(rows))}))
    people = collapse(table, "person", ["n"], {"n": "first"})
    assert values(people, "n") == {i: i for i in range(1000)}


def test_a_varying_column_is_named_with_the_number_of_units(visits: DuckTable) -> None:
    with pytest.raises(BadData, match="column 'age' varies within 2 units of 'person'") as caught:
        collapse(visits, "person", ["sex", "age"])
    assert "first, min, max, set" in caught.value.hint
    with pytest.raises(BadData, match="column 'drug' varies within 1 unit of 'person'") as caught:
        collapse(visits, "person", ["drug"])
    assert "SECRET" not in str(caught.value)


def test_refusals(visits: DuckTable) -> None:
    with pytest.raises(InvalidSetting, match="'median'"):
        collapse(visits, "person", ["age"], {"age": "median"})  # type: ignore[dict-item]
    with pytest.raises(BadData, match="no column 'persn'"):
        collapse(visits, "persn", ["age"])
    with pytest.raises(BadData, match="1 row without a value in the unit column 'sex'"):
        collapse(visits, "sex", ["age"])


@pytest.mark.parametrize("rules", [{}, {"age": "min", "sex": "first"}, {"age": "set"}])
def test_units_of_one_row_each_are_as_they_are(rules: dict[str, Rule]) -> None:
    """Whole numbers that all differ need no grouping; the same numbers as texts are grouped."""
    numbers = [3 * at for at in range(5000)]
    columns = {"sex": ["F", None] * 2500, "age": [at % 90 if at % 7 else None for at in range(5000)]}
    found = []
    for unit in (numbers, list(map(str, numbers))):
        with open_embedded(pa.table({"person": unit, **columns})) as table:
            records = collapse(table, "person", ("age", "sex"), rules)
            assert records.columns == ("person", "age", "sex")
            found.append(class_sizes(records, ("age", "sex")))
            assert count_rows(records) == 5000
    assert found[0] == found[1]
