"""Every reference case, through the function of the library that computes it."""

from __future__ import annotations

from math import isnan

import pytest

from reidrisk.validate.formulas import TEXT_FORMULAS
from tests.stats.reference_cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_reference_case(case: Case) -> None:
    _, _, function, given, expected, tolerance = case
    found = TEXT_FORMULAS[function](given)
    if expected is None:
        assert isnan(found)
    elif isinstance(expected, bool):
        assert found is expected
    else:
        assert found == pytest.approx(expected, rel=tolerance.get("rel", 0), abs=tolerance.get("abs", 0))
