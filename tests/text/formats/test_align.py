"""Offsets against texts: code points, other countings, and never a silent shift."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import BadData, MisalignedOffsets, UnreadableFile
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.align import fit_offsets
from reidrisk.text.formats.rulers import rulers_for

TEXT = "Née 😀\nAnna Müller,\r\nGraz 😀\tOslo"


def document(*places: tuple[int, int], text: str | None = TEXT) -> Document:
    return Document("d1", tuple(Annotation(start, end, "X") for start, end in places), text, "gold.ann")


def spans(result: Document) -> list[tuple[int, int]]:
    return [(a.start, a.end) for a in result.annotations]


def where(word: str) -> tuple[int, int]:
    return TEXT.index(word), TEXT.index(word) + len(word)


def test_offsets_that_fit_are_left_alone() -> None:
    given_document = document(where("Anna"), where("Graz"))
    assert fit_offsets(given_document, ["Anna", None]) is given_document


def test_without_a_text_the_surfaces_wait_for_it() -> None:
    given_document = document((5, 900), text=None)
    assert fit_offsets(given_document, ["Anna"]).surfaces == ("Anna",)
    assert fit_offsets(given_document, [None]) is given_document


@pytest.mark.parametrize(
    ("unit", "note"),
    [
        (lambda before: len(before.encode("utf-16-le")) // 2, "UTF-16 units"),
        (lambda before: len(before.encode()), "UTF-8 bytes"),
        (lambda before: len(before.replace("\r\n", "\n")), "a line end as one character"),
        (
            lambda before: len(before.replace("\r\n", "\n").replace("\n", "\r\n")),
            "a line end as two characters",
        ),
    ],
)
def test_another_counting_is_used_and_noted_if_it_alone_fits(unit: Callable[[str], int], note: str) -> None:
    words = ["Müller", "Graz", "Oslo"]
    places = [(unit(TEXT[: where(word)[0]]), unit(TEXT[: where(word)[1]])) for word in words]
    result = fit_offsets(document(*places), words)
    assert spans(result) == [where(word) for word in words]
    assert [note in line for line in result.notes] == [True]


def test_a_byte_order_mark_may_not_have_been_counted() -> None:
    result = fit_offsets(document((0, 4), text="\ufeffAnna"), ["Anna"])
    assert spans(result) == [(1, 5)]
    assert "byte order mark" in result.notes[0]


def test_white_space_and_escapes_in_surfaces_are_equal_to_the_text() -> None:
    text = "Anna\nMüller, Tel.\u00a0555\r\nGraz"
    result = fit_offsets(document((0, 11), (13, 21), text=text), [r"Anna\nMüller", "Tel. 555"])
    assert spans(result) == [(0, 11), (13, 21)]
    assert "white space" in result.notes[0]


def test_other_counting_and_loose_surfaces_may_come_together() -> None:
    result = fit_offsets(document((2, 9), text="😀Anna\nBo"), ["Anna Bo"])
    assert spans(result) == [(1, 8)]
    assert "UTF-16" in result.notes[0]
    assert "white space" in result.notes[0]


def test_discontinuous_annotations_are_moved_piece_by_piece() -> None:
    annotation = Annotation(2, 10, "X", fragments=((2, 4), (8, 10)))
    result = fit_offsets(Document("d", (annotation,), "😀Jo or Al", "a"), ["Jo Al"])
    assert result.annotations[0].fragments == ((1, 3), (7, 9))
    assert (result.annotations[0].start, result.annotations[0].end) == (1, 9)


@pytest.mark.parametrize(
    ("place", "surface", "says"),
    [
        ((0, 3), "Xyzq", "does not match"),
        ((7, 900), None, "beyond the"),
        ((0, 900), TEXT, "does not match|beyond the"),
        ((22, 23), None, "only white space"),
    ],
)
def test_what_fits_in_no_way_is_refused_with_its_place(
    place: tuple[int, int], surface: str | None, says: str
) -> None:
    text = TEXT.replace("Graz", "Gr z")
    with pytest.raises(MisalignedOffsets, match=says) as info:
        fit_offsets(document(where("Anna"), place, text=text), ["Anna", surface])
    assert "gold.ann, document 'd1', annotation 2" in str(info.value)
    assert "Hint:" in str(info.value)
    assert "Anna" not in str(info.value)


def test_one_wrong_offset_among_many_is_not_repaired_alone() -> None:
    start, end = where("Oslo")
    with pytest.raises(MisalignedOffsets, match="annotation 2"):
        fit_offsets(document(where("Anna"), (start - 3, end - 3)), ["Anna", "Oslo"])


@pytest.mark.parametrize(("place", "surface"), [((9, 10), None), ((11, 20), None), ((11, 20), "z")])
def test_without_a_surface_that_disagrees_no_other_counting_is_tried(
    place: tuple[int, int], surface: str | None
) -> None:
    with pytest.raises(MisalignedOffsets, match="annotation 2"):
        fit_offsets(document((0, 4), place, text="Anna\r\nab  yz"), ["Anna", surface])


def test_two_countings_that_fit_differently_are_refused() -> None:
    text = "\u00e9\U0001f600Jo\nJo Jo Jo"
    readings = {ruler.note: ruler.position(4) for ruler in rulers_for(text)}
    assert len(set(readings.values())) > 1
    text = "\ufeff\nAlAlAl"
    with pytest.raises(MisalignedOffsets, match="more than one"):
        fit_offsets(document((3, 5), text=text), ["Al"])


def test_a_nul_in_the_text_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="NUL"):
        fit_offsets(document((0, 1), text="a\0"), ["a"])


@given(st.text(alphabet="aé€😀\n\r\ufeff ", max_size=12), st.data())
def test_every_ruler_undoes_its_own_counting(text: str, data: st.DataObject) -> None:
    count: dict[str, Callable[[str], int]] = {
        "UTF-16 units": lambda t: len(t.encode("utf-16-le")) // 2,
        "UTF-8 bytes": lambda t: len(t.encode()),
        "mark": lambda t: len(t.removeprefix("\ufeff")),
        "as two characters": lambda t: len(t) + t.count("\n") - t.count("\r\n"),
    }
    position = data.draw(st.integers(0, len(text)))
    if text.startswith("\ufeff") and position == 0:
        position = 1
    for ruler in rulers_for(text):
        for name, units in count.items():
            if ruler.note.endswith(name):
                assert ruler.position(units(text[:position])) == position


@given(st.text(alphabet="ab😀é \n", min_size=1, max_size=15), st.integers(0, 15), st.integers(1, 15))
def test_whatever_is_settled_holds_its_surface(text: str, start: int, length: int) -> None:
    surface = "ab"
    try:
        result = fit_offsets(document((start, start + length), text=text), [surface])
    except BadData:
        return
    first = result.annotations[0]
    assert text[first.start : first.end] == surface
