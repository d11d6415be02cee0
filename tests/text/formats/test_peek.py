"""Recognising JSON by its first bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.text.formats.peek import first_value

VALUES = st.recursive(
    st.integers() | st.text(max_size=5), lambda s: st.lists(s) | st.dictionaries(st.text(), s)
)


def test_deep_nesting_is_no_problem() -> None:
    assert first_value(b"[" * 5000).complete is False


def test_the_first_line_or_the_whole_is_the_value() -> None:
    assert first_value(b'\xef\xbb\xbf\n{"a": 1}\n{"b":').value == {"a": 1}
    assert first_value(b'[\n {"a": 1}\n]').value == [{"a": 1}]


@pytest.mark.parametrize(
    ("head", "value"),
    [
        ('[{"doc_id": "x", "text": "a, \\" [', [{"doc_id": "x"}]),
        ('{"d": [[1, 2], [3, ', {"d": [[1, 2], [3]]}),
        ('{"d": [{', {"d": [{}]}),
        ("plain text", None),
        ("", None),
    ],
)
def test_what_breaks_off_is_closed(head: str, value: Any) -> None:
    assert first_value(head.encode()).value == value


@given(VALUES, st.integers(0, 100))
def test_any_cut_gives_a_value_or_nothing(value: Any, length: int) -> None:
    head = json.dumps([value]).encode()
    assert first_value(head).value == [value]
    assert isinstance(first_value(head[:length]).value, list | None)
