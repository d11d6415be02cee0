"""Redacted text: every marking aligned back, doubts named, nothing guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.demo import clinical_notes, simulate_tool
from reidrisk.errors import MisalignedOffsets
from reidrisk.text.alignment.marks import find_marks, shows_marks
from reidrisk.text.alignment.redacted import align_redacted
from reidrisk.text.alignment.result import DocumentAlignment, Doubt
from reidrisk.text.corpus import Annotation
from tests.text.alignment.markings import MARKINGS, in_doubt, masked_by, redacted, visible

TEXT = "Seen by Dr. Ann Lee 😀 on 3 May.\r\nMs. Roe lives in Graz.\n"
KNOWN = {"NAME", "DATE"}


def hidden(original: str, released: str) -> list[str]:
    found = align_redacted(original, released, KNOWN)
    assert not found.doubts
    return [original[one.start : one.end] for one in found.masked]


@pytest.mark.parametrize("marking", MARKINGS)
def test_generated_notes_have_no_wrong_span(marking: str) -> None:
    """The benchmark does the same for a thousand notes."""
    notes = clinical_notes(seed=11, documents=40)
    certain = 0
    for note, output in zip(notes, simulate_tool(notes, recall=0.9, seed=5), strict=True):
        text = note.text or ""
        found = align_redacted(text, redacted(text, output.annotations, MARKINGS[marking]), KNOWN)
        truth = visible(text, (piece for mark in output.annotations for piece in mark.pieces))
        got = masked_by(found, text)
        assert got <= truth
        assert truth - got <= in_doubt(found, text)
        assert found.doubts or got == truth
        certain += not found.doubts
    assert certain >= 35


@pytest.mark.parametrize(
    "released",
    [
        "Seen by Dr. [**Name 3**] 😀 on [**5-6**].\r\nMs. [**Last\n Name**] lives in [**Place**].\n",
        "Seen by Dr. <<NAME:Bo Ek>> 😀 on <<DATE:9 Jul>>.\r\nMs. <<NAME:Bo>> lives in <<CITY:Rom>>.\n",
        "Seen by Dr. ███ 😀 on █.\r\nMs. █████ lives in ██.\n",
        "Seen by Dr. [NAME] 😀 on <DATE>.\r\nMs. {{NAME}} lives in {CITY}.\n",
        "Seen by Dr. XXXX 😀 on XX.\r\nMs. XXXX lives in xxx.\n",
        "Seen by Dr. ***** 😀 on *.\r\nMs. ** lives in ****.\n",
        "Seen by Dr. ___ 😀 on ___.\r\nMs. __ lives in _.\n",
        "Seen by Dr. ### 😀 on [DATE].\r\nMs. [[x]] lives in #####.\n",
    ],
)
def test_the_usual_markings(released: str) -> None:
    assert hidden(TEXT, released) == ["Ann Lee", "3 May", "Roe", "Graz"]
    assert shows_marks(released)


def test_labels_are_repeated_only_if_they_are_known() -> None:
    found = align_redacted(
        TEXT, "Seen by Dr. [Ann Lee] 😀 on [date 2].\r\nMs. <NAME_1> lives in [ROM].\n", KNOWN
    )
    assert [one.label for one in found.masked] == ["DATE", "NAME", "REDACTED"]
    assert "Lee" not in repr(find_marks("[Ann Lee]"))


def test_adjacent_marks_hide_one_stretch() -> None:
    found = align_redacted("Ann Lee came", "[NAME][DATE] came", KNOWN)
    assert [(one.start, one.end, one.label) for one in found.masked] == [(0, 7, "REDACTED")]
    with pytest.raises(MisalignedOffsets):
        align_redacted("A came", "[NAME][DATE] came")


def test_white_space_and_line_ends_may_differ() -> None:
    released = "  Seen by   Dr. [NAME] 😀 on 3 May.\nMs. [NAME] lives\tin Graz."
    found = align_redacted(TEXT, released, KNOWN)
    assert found.loose
    assert [TEXT[one.start : one.end] for one in found.masked] == ["Ann Lee", "Roe"]
    assert align_redacted("\ufeff Ann  came ", "[NAME] came", KNOWN).masked[0].start == 2
    assert align_redacted(" \n ", "").masked == ()


def test_what_stood_in_the_original_is_no_mark() -> None:
    form = "Name: Ann Lee\nSigned: ________ [x] yes [ ] no **bold** <5 mg\n"
    assert hidden(form, form) == []
    assert hidden(form, form.replace("Ann Lee", "________")) == ["Ann Lee"]
    assert hidden("see [Ann] there", "see [[NAME]] there") == ["Ann"]


def test_a_mark_that_shows_what_it_hides_hides_nothing() -> None:
    assert hidden(TEXT, TEXT.replace("Ann Lee", "<<NAME:Ann Lee>>")) == []
    assert hidden(TEXT, TEXT.replace("Ann Lee", "[ANN LEE]")) == []
    assert hidden("At Roe Clinic.", "At [CLINIC].") == ["Roe Clinic"]
    assert hidden("The date is near.", "The [DATE] is near.") == ["date"]
    assert hidden(TEXT, TEXT.replace("Ann Lee", "<<NAME:ann Roe>>")) == [" Lee"]


def test_a_place_that_fits_twice_is_in_doubt_and_only_the_common_part_is_masked() -> None:
    original = "To 3 May and on 5 May and 7 May."
    found = align_redacted(original, "To [DATE] and [DATE].", KNOWN)
    assert found.doubts == (Doubt(8, 26, 2),)
    assert [original[one.start : one.end] for one in found.masked] == ["3 May", "on 5 May", "7 May"]


def test_words_in_doubt_are_not_masked() -> None:
    original = "x Roe y Roe z"
    found = align_redacted(original, "[NAME] Roe [NAME]")
    assert [original[one.start : one.end] for one in found.masked] == ["x", "y", "z"]
    assert found.doubts == (Doubt(1, 12, 2),)


def test_white_space_alone_is_no_doubt() -> None:
    found = align_redacted("Ann M Lee came", "*** *** came")
    assert not found.doubts
    assert masked_by(found, "Ann M Lee came") == {0, 1, 2, 4, 6, 7, 8}


@pytest.mark.parametrize(
    ("released", "said"),
    [
        ("Seen by Dr. [NAME] 😀 on [DATE].\r\nMs. [NAME] lived in Graz.\n", "after mark 3 of 3"),
        ("Saw Dr. [NAME]", "before mark 1 of 1"),
        ("Seen by", "no mark"),
        (TEXT + "[NAME]", "is not found"),
    ],
)
def test_texts_that_do_not_belong_together_are_refused(released: str, said: str) -> None:
    with pytest.raises(MisalignedOffsets, match=said) as info:
        align_redacted(TEXT, released)
    assert "surrogate" in str(info.value)
    assert "Lee" not in str(info.value)


SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 6)), max_size=6)


@given(st.text("ab ,.\r\n😀1[*", max_size=60), SPANS, st.sampled_from(sorted(MARKINGS)))
def test_the_truth_is_never_contradicted(text: str, spans: list[tuple[int, int]], marking: str) -> None:
    """What is said to be masked is; what is masked and not said to be is in doubt, or shown by its mark."""
    marks = [Annotation(start, start + size, "X") for start, size in spans if start + size <= len(text)]
    marks = [mark for mark in marks if not text[mark.start : mark.end].isspace()]
    if marking == "asterisks as long" and "*" in text:
        return  # an asterisk under an asterisk is shown
    found = align_redacted(text, redacted(text, marks, MARKINGS[marking]))
    truth = visible(text, ((mark.start, mark.end) for mark in marks))
    got = masked_by(found, text)
    unmarked = {at for at, sign in enumerate(text) if sign in "[*"}
    assert got - unmarked <= truth
    assert truth - got - unmarked <= in_doubt(found, text)


@pytest.mark.parametrize(
    ("original", "released"),
    [
        ("a" * 300_000 + "b", "aa[X]" * 20_000 + "b"),
        ("ab " * 200_000, "[X] ab " * 30_000 + "[X]"),
        (
            "".join(f"w{n % 97} v{n % 89} " for n in range(80_000)),
            "[X 0]" + "".join(f" v{n * 7 % 89} [X {n}]" for n in range(500)),
        ),
    ],
    ids=["one letter", "one word", "two cycles"],
)
def test_texts_that_repeat_themselves_do_not_take_for_ever(original: str, released: str) -> None:
    found = align_redacted(original, released)
    assert isinstance(found, DocumentAlignment)
    assert found.doubts


@given(st.text("ab [*]<>X_\n", max_size=30), st.text("ab [*]<>X_\n", max_size=30))
def test_any_two_texts_are_aligned_or_refused(original: str, released: str) -> None:
    try:
        found = align_redacted(original, released)
    except MisalignedOffsets:
        return
    places = [(one.start, one.end) for one in found.masked]
    assert all(0 <= start < end <= len(original) for start, end in places)
    assert places == sorted(places)
