"""Whole pipelines: only the original and what came out; what survives is found, nothing is guessed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.demo import clinical_notes, simulate_tool
from reidrisk.errors import MisalignedOffsets
from reidrisk.text.alignment.result import MaskedSpan
from reidrisk.text.alignment.surrogate import align_surrogate, whole_identifiers
from reidrisk.text.alignment.tokens import Tokens
from reidrisk.text.matching import Mask
from tests.text.alignment.markings import in_doubt, masked_by, scrambled, visible

TEXT = "Seen by Dr. Ann Lee 😀 on 3 May 2019.\r\nMs. Roe lives in Graz and works in a bakery.\n"


def gone(original: str, released: str, *identifiers: str) -> list[str]:
    spans = [(original.index(one), original.index(one) + len(one)) for one in identifiers]
    found = align_surrogate(original, released, spans)
    assert not found.doubts
    return [original[one.start : one.end] for one in found.masked]


def test_surrogates_of_any_length() -> None:
    released = TEXT.replace("Ann Lee", "Bo").replace("Roe", "van der Berg").replace("Graz", "Linz")
    assert gone(TEXT, released) == ["Ann Lee", "Roe", "Graz"]
    assert gone(TEXT, TEXT.replace("\r\n", " \n  ")) == []
    assert gone(TEXT, TEXT.replace("Ms. Roe lives in Graz and", "She")) == ["Ms", "Roe lives in Graz and"]


def test_a_surrogate_that_equals_the_original_is_a_leak() -> None:
    assert gone(TEXT, TEXT.replace("Ann Lee", "Bo Lee")) == ["Ann"]
    assert gone(TEXT, TEXT.replace("3 May 2019", "9 May 2019")) == ["3"]


@pytest.mark.parametrize(
    "released",
    [
        TEXT.upper(),
        TEXT.replace("Roe", "ROE"),
        TEXT.replace("Lee ", "Lee  \n"),
        TEXT.replace("Lee", "DrLee").replace("Graz", "Grazer"),
    ],
)
def test_case_and_glue_hide_nothing_that_can_be_read(released: str) -> None:
    assert {"Roe", "Graz"}.isdisjoint(gone(TEXT, released))


def test_letters_are_compared_as_they_are_read() -> None:
    assert gone("Frau Zoë Weiß kam", "Frau Zoe\u0308 WEISS kam") == []


def test_the_parts_of_a_glued_word_are_seen_one_by_one() -> None:
    text = "MRN719435 and NameRoe came in the morning"
    assert gone(text, text.replace("719435", "880011"), "719435") == ["719435"]
    assert gone(text, text.replace("NameRoe", "NameEks"), "Roe") == ["Roe"]
    assert gone(text, text.replace("NameRoe", "XxxxRoe"), "Roe") == ["Name"]


def test_scripts_without_spaces() -> None:
    assert gone("患者王小明入院治疗", "患者李大同入院治疗", "王小明") == ["王小明"]
    assert len(Tokens.of("患者 abc_d")) == 5


def test_a_word_that_may_have_survived_is_in_doubt_and_counts_as_visible() -> None:
    text = "With Roe Roe came a friend of the family today"
    found = align_surrogate(text, text.replace("Roe Roe", "Roe Eks"))
    assert not masked_by(found, text) & visible(text, [(5, 12)])
    assert [(one.start, one.end, one.ways) for one in found.doubts] == [(5, 12, 2)]


def test_whole_identifiers_count_as_soon_as_a_word_is_replaced() -> None:
    masked = [MaskedSpan(0, 3), MaskedSpan(20, 24)]
    more = whole_identifiers(masked, [(0, 8), (4, 9), (18, 30), (24, 26)])
    assert [(one.start, one.end) for one in more] == [(0, 3), (20, 24), (0, 8), (18, 30)]


@pytest.mark.parametrize("released", ["", "Something else altogether, of about the same length.", TEXT[:20]])
def test_strangers_are_refused(released: str) -> None:
    with pytest.raises(MisalignedOffsets, match="words outside the gold standard") as info:
        align_surrogate(TEXT, released)
    assert "Roe" not in str(info.value)


def test_generated_notes_with_surrogates_have_no_wrong_span() -> None:
    rng = np.random.default_rng(3)
    notes = clinical_notes(seed=12, documents=40)
    for note, output in zip(notes, simulate_tool(notes, recall=0.9, seed=5), strict=True):
        text = note.text or ""
        mask = Mask(output.annotations)
        places = list(zip(mask.starts, mask.ends, strict=True))
        edges = [0, *(edge for place in places for edge in place), len(text)]
        pieces = [text[start:end] for start, end in pairwise(edges)]
        pieces[1::2] = [scrambled(piece, rng=rng) for piece in pieces[1::2]]
        found = align_surrogate(
            text, "".join(pieces), [piece for m in note.annotations for piece in m.pieces]
        )
        words = {at for at, sign in enumerate(text) if sign.isalnum()}
        truth = visible(text, places) & words
        got = masked_by(found, text) & words
        assert got <= truth
        # a digit or letter that stands nearby as well may be what survived
        assert len(truth - got - in_doubt(found, text)) <= 0.05 * len(truth)


WORDS = st.lists(st.sampled_from(["ann", "roe", "came", "on", "may", ",", "3"]), min_size=1, max_size=12)


@given(WORDS, st.sets(st.integers(0, 11)))
def test_what_stayed_is_never_called_gone(words: list[str], places: set[int]) -> None:
    """With surrogates that occur nowhere, the kept words are all visible."""
    text = " ".join(words)
    after = [f"zz{at}" if at in places else word for at, word in enumerate(words)]
    starts = np.cumsum([0, *(len(word) + 1 for word in words[:-1])])
    spans = [(int(starts[at]), int(starts[at]) + len(words[at])) for at in places if at < len(words)]
    kept = visible(
        text, [(int(start), int(start) + len(word)) for start, word in zip(starts, words, strict=True)]
    )
    kept -= visible(text, spans)
    found = align_surrogate(text, " ".join(after), spans)
    assert not masked_by(found, text) & kept
    signs = {at for at, sign in enumerate(text) if sign == ","}
    assert visible(text, spans) - masked_by(found, text) - signs <= in_doubt(found, text)


@pytest.mark.parametrize(
    ("original", "released"),
    [
        ("roe came " * 60_000, "roe came " * 40_000),
        ("a" * 500_000, "a" * 500_001),
        ("a " * 9000, "a " * 8000),
    ],
    ids=["two words", "one long word", "one letter"],
)
def test_texts_that_repeat_themselves_do_not_take_for_ever(original: str, released: str) -> None:
    found = align_surrogate(original, released, [(0, len(original))])
    assert not found.masked
