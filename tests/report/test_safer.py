"""The headline of a comparison claims no more than the differences show."""

from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.kinds.text_comparison import safer


def role(lower: str | None, *, only: int = 3) -> dict[str, Any]:
    value = {"a": -0.1, "b": 0.1, None: 0.02 if only else 0.0}[lower]
    return {"value": value, "lower": lower, "plain": {"only_a": only, "only_b": 0}}


SAME = role(None, only=0)


@pytest.mark.parametrize(
    ("direct", "quasi", "headline"),
    [
        (role("b"), role("b"), "v2 is safer than v1"),
        (role("a"), role("a"), "v1 is safer than v2"),
        (role("b"), None, "v2 is safer than v1"),
        (role("b"), SAME, "v2 is safer than v1"),
        (role("b"), role(None), "v2 is safer than v1 for direct identifiers"),
        (role(None), role("b"), "v2 is safer than v1 for quasi-identifiers"),
        (role("b"), role("a"), ""),
        (role(None), role(None), ""),
        (SAME, None, ""),
    ],
)
def test_a_tool_is_safer_if_every_role_that_differs_shows_it(
    direct: dict[str, Any], quasi: dict[str, Any] | None, headline: str
) -> None:
    row = {"a": "v1", "b": "v2", "direct": direct, "quasi": quasi}
    assert safer({"differences": [row]}) == headline


def test_among_many_tools_nobody_is_named() -> None:
    row = {"a": "v1", "b": "v2", "direct": role("a"), "quasi": None}
    assert safer({"differences": [row] * 3}) == ""
