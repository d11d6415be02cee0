"""What a shared result shows is declared for every figure; anything else is left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reidrisk.core.audience import (
    LeftOut,
    audience_of,
    audience_text,
    check_audience,
    mentions_count,
    rounded_count,
)
from reidrisk.core.shared_figures import SHOWN, rules_of, shared
from reidrisk.errors import InvalidSetting
from reidrisk.report.views import KINDS


def test_every_kind_is_declared() -> None:
    assert set(SHOWN) == set(KINDS)


def test_a_figure_that_is_not_declared_is_left_out() -> None:
    found = shared({"kind": "table_risk", "acceptable": True, "records": 81, "new_figure": 3})
    assert "new_figure" not in found
    assert "new_figure" in found["left_out"]
    with pytest.raises(LeftOut):
        found["new_figure"]
    inner = shared({"kind": "table_risk", "records": 81, "prosecutor": {"highest": 0.1, "at": "Ann"}})
    assert inner["prosecutor"] == {"highest": 0.1}


def test_a_figure_of_another_type_than_declared_is_not_shown() -> None:
    assert shared({"kind": "table_risk", "prosecutor": 3})["prosecutor"] is None


def test_an_unknown_kind_has_only_the_common_keys() -> None:
    found = shared({"kind": "other", "version": "1", "acceptable": False, "records": 3})
    assert found["reasons"] == ["Not acceptable."]
    assert "records" not in found


@pytest.mark.parametrize("base", [3, 5, 11])
def test_every_shown_count_can_stand_for_as_many_numbers_as_the_cell_size(base: int) -> None:
    meant: dict[Any, list[int]] = {}
    for number in range(1, 20 * base):
        meant.setdefault(rounded_count(number, base), []).append(number)
    assert all(len(numbers) >= base - 1 for numbers in meant.values())
    assert not set(meant) & set(range(1, base))


def test_hashes_seeds_and_sentences_with_counts_are_left_out() -> None:
    found = shared(
        {
            "kind": "table_risk",
            "acceptable": True,
            "seed": 7,
            "settings": {"quasi": ["sex"], "table": "/home/me/rx.csv", "key": "abc"},
            "reasons": ["1 record of 81 is suppressed."],
            "notes": ["Rows were shuffled.", "2 rows were left out."],
        }
    )
    assert found["settings"] == {"quasi": ["sex"], "table": "rx.csv"}
    assert (found["reasons"], found["notes"]) == (["Acceptable."], ["Rows were shuffled."])
    assert "seed" not in found


def test_a_shared_result_stays_as_it_is() -> None:
    once = shared(
        {"kind": "table_risk", "acceptable": True, "records": 81, "rows": 3, "unique_share": 1 / 81}
    )
    assert (once["records"], once["rows"]) == (80, "fewer than 5")
    assert once["unique_share"] == "under 7 %"
    assert shared(json.loads(json.dumps(once))) == once
    assert audience_of(once) == "shared"
    assert "multiple of 5" in audience_text(once)


def test_the_texts_that_give_counts_are_found() -> None:
    assert mentions_count("3 records are suppressed")
    assert mentions_count("5.0 % are suppressed")
    assert not mentions_count("age is released as 5-year bands")


def test_clauses_with_counts_are_cut() -> None:
    told = [
        {"column": "age", "treatment": "released per record: 'year' in 4.0 % of the records; 1 record of 81"}
    ]
    found = shared({"kind": "table_deidentified", "acceptable": True, "codebook": told})
    assert found["codebook"][0]["treatment"] == "released per record"


@pytest.mark.parametrize("records", [1, 7, 76, 81, 109, 129])
@pytest.mark.parametrize("rows", [1, 81, 304, 316, 500, 4_217])
def test_rows_are_rounded_to_those_of_a_cell_of_people(records: int, rows: int) -> None:
    once = shared({"kind": "table_risk", "records": records, "rows": rows})
    shown = once["rows"]
    each = max(1, rows / records)
    if isinstance(shown, int):
        assert shown <= rows
        assert shown % 5 == 0
    if rows > 10 * each:
        assert rows - 2 * 5 * each < shown
    other = shared({"kind": "table_risk", "records": records, "rows": rows - rows % 5})
    assert shown == other["rows"] or rows < 5
    assert shared(json.loads(json.dumps(once))) == once


def test_what_a_rule_overwrites_is_rounded() -> None:
    row = {"column": "day", "rule": "first", "people": 93, "rows_changed": 187, "rows": 304}
    result = {"kind": "table_deidentified", "before": {"records": 101, "rows": 304}, "reduced": [row]}
    assert shared(result)["reduced"] == [row | {"people": 90, "rows_changed": 180, "rows": 300}]


def test_notes_on_several_tables_are_left_out() -> None:
    """They begin with the paths of the tables."""
    notes = {"read_as": ["/home/me/rx.csv: encoding: utf-8"], "quasi": ["age"]}
    assert shared({"kind": "table_utility", "settings": notes})["settings"] == {"quasi": ["age"]}


def test_an_audience_has_one_of_two_names() -> None:
    assert check_audience("shared") == "shared"
    with pytest.raises(InvalidSetting, match="internal, shared"):
        check_audience("public")


def test_the_rules_of_a_kind_include_the_common_ones() -> None:
    assert {"kind", "seed", "records"} <= set(rules_of("table_risk"))
