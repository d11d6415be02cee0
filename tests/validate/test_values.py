"""The values in the package: each has a source, belongs to a check, and is that of the reference files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reidrisk.validate.checks import CHECKS, REQUIREMENTS
from reidrisk.validate.values import agree, compare_values, formula, reference_values

GROUPS = dict.fromkeys(case["group"] for case in reference_values())


@pytest.mark.parametrize("group", GROUPS)
def test_every_value_is_reproduced(group: str) -> None:
    seen = compare_values(group)
    assert seen.holds, seen.text
    assert len(seen.values) == sum(case["group"] == group for case in reference_values())


def test_every_value_has_a_source_and_a_function() -> None:
    for case in reference_values():
        assert case["source"].strip()
        assert callable(formula(case["function"]))
    ids = [case["id"] for case in reference_values()]
    assert len(set(ids)) == len(ids)


def test_values_are_those_of_the_reference_files(shared: Path) -> None:
    own = {case["id"]: case for case in reference_values()}
    values = json.loads((shared / "reference_values.json").read_text(encoding="utf-8"))["cases"]
    limits = json.loads((shared / "reference_limits.json").read_text(encoding="utf-8"))["cases"]
    for case in values:
        mine = own[case["id"]]
        assert [mine[name] for name in ("inputs", "expected", "tolerance")] == [
            case[name] for name in ("inputs", "expected", "tolerance")
        ]
    for case in limits:
        mine = own[f"limit-{case['id']}"]
        assert (mine["inputs"], mine["expected"]) == (case["input"], case["expected"])


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        (0.5, 0.5 + 1e-12, True),
        (0.5, 0.51, False),
        (None, None, True),
        (None, 0.0, False),
        (0.0, None, False),
        (True, 1, False),
        ([1, 2], [1, 2, 3], False),
        ({"a": 1.0}, {"a": 1.0, "b": 2.0}, True),
        ({"a": 1.0}, {"b": 1.0}, False),
        ("refused", "accepted", False),
    ],
)
def test_values_are_compared_strictly(expected: Any, found: Any, same: bool) -> None:
    assert agree(expected, found, {"rel": 1e-9}) is same


def test_every_requirement_has_a_check_and_every_check_a_requirement() -> None:
    known = {one.id for one in REQUIREMENTS}
    used = {name for check in CHECKS for name in check.requirements}
    assert used == known
    ids = [check.id for check in CHECKS]
    assert len(set(ids)) == len(ids)
    assert all(one.source and one.text.endswith(".") for one in REQUIREMENTS)
    assert all(check.test.endswith(".") and check.expected.endswith(".") for check in CHECKS)
