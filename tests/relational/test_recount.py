"""Sets of known events counted on written files: a few people by hand, and what cannot be counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reidrisk.relational.recount import recount_sets
from tests.relational.databases import SETTINGS, write_people, write_tables

KEPT: dict[str, Any] = {**SETTINGS, "derive": {}, "repeats": False}
FILES = {name: f"{name}.csv" for name in ("person", "diagnosis", "drug")}


def promise(known: int, **by_table: int) -> dict[str, Any]:
    return {"cell_size": 3, "known": known, "by_table": by_table}


@pytest.mark.parametrize(
    ("promised", "sets", "few"),
    [
        (promise(1), 12, 1),
        (promise(2), 18, 5),
        (promise(2, drug=0), 6, 0),
        (promise(2, diagnosis=0), 6, 1),
        (promise(1, drug=5), 12, 1),
    ],
)
def test_sets_counted_by_hand(tmp_path: Path, promised: dict[str, Any], sets: int, few: int) -> None:
    """Of six people three have x and three y, two m and four n; of the pairs, one or two people each.

    Whoever has one of each table has two sets of one event and one of two.
    """
    content = {**KEPT, "tables": FILES, "events": {"diagnosis": ["code"], "drug": ["drug"]}}
    found = recount_sets(write_people(tmp_path), {**content, "promised": promised})
    assert found is not None
    assert (found.checked, found.violations, found.holds, found.unchecked) == (sets, few, few == 0, "")


def test_a_release_without_a_promise_is_not_checked(tmp_path: Path) -> None:
    content = {**KEPT, "tables": FILES}
    for promised in ({}, {"promised": None}, {"promised": promise(0)}):
        assert recount_sets(tmp_path, {**content, **promised}) is None


def test_what_plain_sql_cannot_count_is_said(tmp_path: Path) -> None:
    """A value that is derived from several rows of a person, and people without their key."""
    folder = write_tables(tmp_path, data=["record,answer", "1,a", "1,b", "2,a", "2,b"])
    derived = {
        "tables": {"data": "data.csv"},
        "person": "data.record",
        "keys": {},
        "quasi": ["first answer"],
        "derive": {"first answer": {"column": "data.answer", "rule": "first"}},
        "events": {"data": ["answer"]},
        "repeats": True,
        "dates": {"know": "nothing"},
        "promised": promise(1),
    }
    nobody = {**derived, "person": "data.patient", "quasi": [], "derive": {}}
    for content, why in (
        (derived, "first answer is derived from several rows"),
        (nobody, "the key of people is not released"),
    ):
        found = recount_sets(folder, content)
        assert found is not None
        assert (found.checked, found.unchecked, found.found) == (0, why, f"not checked: {why}")
