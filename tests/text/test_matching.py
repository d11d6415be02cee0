from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reidrisk.text.corpus import Annotation
from reidrisk.text.matching import IgnoredWords, Mask, WordCounter, masked_words

spans = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 15)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    max_size=12,
)
EVERY = WordCounter(IgnoredWords.none())
TEXT = "ab cd, efg hi-jkl m 12/34 nop q.rs tuv wx yz 9 ab cd efg hij klm nop qrs tuv"


def marked(pairs: list[tuple[int, int]]) -> list[Annotation]:
    return [Annotation(start, end, "X") for start, end in pairs]


@given(spans, st.integers(0, 60), st.integers(1, 15))
def test_a_mask_is_the_set_of_covered_characters(
    pairs: list[tuple[int, int]], start: int, length: int
) -> None:
    mask = Mask(marked(pairs))
    covered = {place for low, high in pairs for place in range(low, high)}
    wanted = set(range(start, start + length))
    assert mask.covers(start, start + length) == (wanted <= covered)
    assert mask.touches(start, start + length) == bool(wanted & covered)


@given(spans, spans)
def test_order_and_overlap_of_predictions_do_not_matter(
    gold: list[tuple[int, int]], pairs: list[tuple[int, int]]
) -> None:
    forth, back = Mask(marked(pairs)), Mask(marked([*pairs[::-1], *pairs]))
    for mark in marked(gold):
        if TEXT[mark.start : mark.end].strip():
            counts = masked_words(TEXT, mark, forth, EVERY)
            assert counts == masked_words(TEXT, mark, back, EVERY)


@given(spans, st.integers(0, 60), st.integers(1, 15))
def test_words_are_masked_when_every_character_is(
    pairs: list[tuple[int, int]], start: int, length: int
) -> None:
    """A second way: character by character, without intervals."""
    import re

    mark = Annotation(start, start + length, "X")
    covered = {place for low, high in pairs for place in range(low, high)}
    pattern = r"\w+" if re.search(r"\w", TEXT[start : mark.end]) else r"\S+"
    places = [
        set(range(start + match.start(), start + match.end()))
        for match in re.finditer(pattern, TEXT[start : mark.end])
    ]
    expected = (len(places), sum(place <= covered for place in places))
    assert masked_words(TEXT, mark, Mask(marked(pairs)), EVERY)[:2] == expected


def test_a_word_masked_by_two_touching_predictions_is_masked() -> None:
    mask = Mask(marked([(0, 3), (3, 7)]))
    assert masked_words("Johnson", Annotation(0, 7, "NAME"), mask, EVERY)[:2] == (1, 1)


def test_a_word_masked_in_part_is_not_masked() -> None:
    mask = Mask(marked([(0, 4)]))
    assert masked_words("Johnson", Annotation(0, 7, "NAME"), mask, EVERY) == (1, 0, False)


def test_a_visible_title_is_excused_and_counted() -> None:
    counter = WordCounter(IgnoredWords.default())
    seen = masked_words("Dr. Doe", Annotation(0, 7, "NAME"), Mask(marked([(4, 7)])), counter)
    assert seen == (1, 1, True)
    assert seen.caught


def test_the_gap_of_a_discontinuous_annotation_need_not_be_masked() -> None:
    text = "St. Mary's Hospital, ward 3, Graz"
    mark = Annotation(0, 33, "HOSPITAL", fragments=((0, 19), (29, 33)))
    assert masked_words(text, mark, Mask(marked([(0, 19), (29, 33)])), EVERY)[:2] == (5, 5)
    assert masked_words(text, mark, Mask(marked([(0, 19)])), EVERY)[:2] == (5, 4)
