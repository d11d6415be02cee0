"""Each shape of result is computed once."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.report.kinds import KINDS
from tests.report.tiny import CASES, result


@cache
def _result(case: str) -> dict[str, Any]:
    return result(**CASES[case])


@pytest.fixture(params=CASES)
def any_result(request: pytest.FixtureRequest) -> dict[str, Any]:
    return _result(request.param)


@pytest.fixture(scope="session")
def of_case() -> Any:
    return _result


@cache
def _of_kind(kind: str) -> dict[str, Any]:
    return KINDS[kind]()


@pytest.fixture(params=KINDS)
def of_any_kind(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A result of each kind."""
    return _of_kind(request.param)
