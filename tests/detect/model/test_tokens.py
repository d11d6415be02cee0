from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.detect.model.layout import lay_out
from reidrisk.detect.model.lexicon import FIELDS, TokenIndex, outline, pieces, properties, shape

TEXTS = st.text(
    alphabet=st.one_of(
        st.sampled_from("aZ9é. -:\r\n\t_@/\u05d0\u0634\u0939\u093f漢👩‍⚕️\u200f"), st.characters()
    ),
    max_size=80,
)


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in pieces(text)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("31/05/1991", ["31", "/", "05", "/", "1991"]),
        ("a.ruiz@h.es", ["a", ".", "ruiz", "@", "h", ".", "es"]),
        ("John_Smith12", ["John", "_", "Smith", "12"]),
        ("-----x..", ["-----", "x", ".", "."]),
        ("Zoe\u0308", ["Zoe\u0308"]),
        ("हिन्दी", ["हिन्दी"]),
        ("張偉は", ["張", "偉", "は"]),
        ("משה", ["משה"]),
        ("👍🏽Ann", ["👍", "🏽", "Ann"]),
    ],
)
def test_words_numbers_and_signs_stand_apart(text: str, tokens: list[str]) -> None:
    assert cut(text) == tokens


@given(TEXTS)
def test_every_visible_character_is_in_exactly_one_token(text: str) -> None:
    layout = lay_out(text, TokenIndex())
    spans = list(zip(layout.start.tolist(), layout.end.tolist(), strict=True))
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@given(TEXTS, TEXTS)
def test_what_was_read_before_changes_nothing(before: str, text: str) -> None:
    used = TokenIndex()
    lay_out(before, used)
    fresh, again = lay_out(text, TokenIndex()), lay_out(text, used)
    for name in ("start", "end", "kind", "glue", "line", "chain"):
        assert getattr(fresh, name).tolist() == getattr(again, name).tolist()


@given(TEXTS)
def test_every_token_has_properties(text: str) -> None:
    for word in cut("".join(text.split())):
        assert len(properties(word)) == len(FIELDS)
        assert shape(word)
    assert len(outline(text)) <= 40


def test_long_numbers_are_known_by_their_length_only() -> None:
    assert properties("48213377")[0] == properties("48999999")[0] == "00000000"
    assert properties("48213377") == properties("48999999")
