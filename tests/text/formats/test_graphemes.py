"""Grapheme clusters: what people take for one character."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.text.formats.graphemes import clusters
from reidrisk.text.formats.rulers import grapheme_ruler

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("Graz, \u00e9t\u00e9", []),
        ("e\u0301", [2]),
        ("a\r\nb\n\rc", [2]),
        (FAMILY, [5]),
        ("\U0001f44d\U0001f3fd!", [2]),
        ("\u2764\ufe0f\u200d\U0001f525", [4]),
        ("\U0001f1e6\U0001f1f9\U0001f1e9\U0001f1ea\U0001f1eb", [2, 2]),
        ("\u1112\u1161\u11ab\u1100", [3]),
        ("\uac00\u11a8\uac01\u11a8", [2, 2]),
        ("\u0e01\u0e33", [2]),
        ("\u0600\u0661", [2]),
        ("a\u200db", [2]),
        ("\u0915\u093f", [2]),
        ("\u0301", []),
        ("\n\u0301", []),
        ("", []),
    ],
)
def test_clusters_as_the_annex_has_them(text: str, lengths: list[int]) -> None:
    assert [length for _, length, _ in clusters(text)] == lengths


@given(st.text(st.sampled_from("aé\u0301\r\n\u200d\U0001f468\U0001f3fd\U0001f1e6\u1112\u1161 ")))
def test_clusters_lie_in_order_and_inside_the_text(text: str) -> None:
    last = 0
    for start, length, units in clusters(text):
        assert last <= start
        assert length > 1
        assert units == 1
        last = start + length
    assert last <= len(text)


@given(st.text(st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F)))
def test_decomposed_letters_count_as_composed_ones(word: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, word) for form in ("NFC", "NFD"))
    assert grapheme_ruler(decomposed).position(len(composed)) == len(decomposed)
