"""The comparison sees an altered digit, a missing field and a new one, and nothing else."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from tests.results.cases import fixtures
from tests.results.compare import differences, reduced, stored

NAME = "kind: table_risk"


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    """A result of this version."""
    found: dict[str, Any] = json.loads(json.dumps(fixtures()[NAME]()))
    return found


@pytest.mark.parametrize(
    "name", [NAME, "kind: text_risk", "population: risk: by county", "gold: comparison: two"]
)
def test_results_are_those_that_were_stored(name: str) -> None:
    made = json.loads(json.dumps(fixtures()[name]()))
    assert list(differences(stored()[name], reduced(made))) == []


def test_one_altered_digit_is_seen(table: dict[str, Any]) -> None:
    changed = deepcopy(table)
    changed["prosecutor"]["average"] += 1e-6
    assert list(differences(stored()[NAME], reduced(changed))) == [".prosecutor.average: differs"]


def test_one_altered_digit_in_a_sentence_is_seen(table: dict[str, Any]) -> None:
    changed = deepcopy(table)
    changed["reasons"][0] = changed["reasons"][0].replace("0", "1", 1)
    assert len(list(differences(stored()[NAME], reduced(changed)))) == 1


def test_a_reworded_sentence_is_the_same(table: dict[str, Any]) -> None:
    changed = deepcopy(table)
    changed["reasons"][0] = changed["reasons"][0].replace("risk", "chance")
    assert list(differences(stored()[NAME], reduced(changed))) == []


def test_missing_and_new_fields_are_seen_but_for_those_announced(table: dict[str, Any]) -> None:
    changed = deepcopy(table)
    del changed["unique_share"]
    changed |= {"surprise": 1}
    before = {name: value for name, value in stored()[NAME].items() if name != "holds"}
    assert list(differences(before, reduced(changed))) == [".unique_share: missing", ".surprise: new"]
