"""brat: pairs of files, pieces, attributes, equivalences and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.errors import BadData, MisalignedOffsets, UnreadableFile
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import read_documents

TEXT = "Né 😀 le 3 mai\r\n\tAnna Müller, Graz"
DATE, NAME = "T1\tDATE 8 13\t3 mai\n", "T2\tNAME 16 27\tAnna Müller\n"


def save(folder: Path, ann: str | bytes, text: str | None = TEXT) -> Path:
    if text is not None:
        (folder / "note.txt").write_bytes(text.encode())
    path = folder / "note.ann"
    path.write_bytes(ann if isinstance(ann, bytes) else ann.encode())
    return path


def read(path: Path) -> Document:
    (document,) = read_documents(path, format="brat", settings=ReadSettings())
    return document


def refused(path: Path, kind: type[BadData], says: str) -> None:
    with pytest.raises(kind, match=says) as info:
        read(path)
    message = str(info.value)
    assert "Hint:" in message
    assert path.stem in message
    assert "Müller" not in message


def test_a_pair_of_files_with_emoji_and_windows_line_ends(tmp_path: Path) -> None:
    path = save(tmp_path, (DATE + NAME).replace("\n", "\r\n"))
    marks = (Annotation(8, 13, "DATE"), Annotation(16, 27, "NAME"))
    assert read(path) == Document("note", marks, TEXT, str(path))
    assert read(path.with_suffix(".txt")) == read(path)


def test_attributes_equivalences_and_pieces(tmp_path: Path) -> None:
    more = (
        "T3\tNAME 16 20;29 33\tAnna Graz\nT4\tNAME 21 27\tMüller\n"
        "A1\tIdentifier T2 DIRECT\nA2\tIdentifier T1 NO_MASK\nA3\tNegated T1\nR1\tIs Arg1:T1 Arg2:T2\n"
        "*\tEquiv T2 T3\n*\tEquiv T4 T3\nE1\tX:T1\n#1\tAnnotatorNotes T1\tnote\n\n"
    )
    document = read(save(tmp_path, DATE + NAME + more))
    assert [a.role for a in document.annotations] == ["ignored", "direct", None, None]
    assert [a.fragments for a in document.annotations] == [(), (), ((16, 20), (29, 33)), ()]
    assert document.annotations[0].entity is None
    assert len({a.entity for a in document.annotations[1:]}) == 1


def test_equivalences_that_meet_later_are_one_entity(tmp_path: Path) -> None:
    lines = "".join(f"T{n}\tX {n} {n + 1}\n" for n in range(5))
    groups = "*\tEquiv T0 T1\n*\tEquiv T2 T3\n*\tEquiv T3 T1\n"
    entities = [a.entity for a in read(save(tmp_path, lines + groups, None)).annotations]
    assert entities[4] is None
    assert len(set(entities[:4])) == 1


def test_the_output_of_a_tool_may_lack_text_and_surfaces(tmp_path: Path) -> None:
    document = read(save(tmp_path, "T1\tNAME 16 27\nT2\tNAME 0 4\tJohn\n", None))
    assert document.text is None
    assert [(a.start, a.end) for a in document.annotations] == [(16, 27), (0, 4)]


def test_line_ends_counted_as_one_and_byte_order_marks(tmp_path: Path) -> None:
    document = read(save(tmp_path, "T1\tDATE 8 13\t3 mai\nT2\tNAME 15 26\tAnna Müller\n"))
    assert document.annotations[1].start == 16
    assert document.notes == ("offsets were read as counting a line end as one character",)
    document = read(save(tmp_path, "\ufeff" + DATE + NAME, "\ufeff" + TEXT))
    assert document.annotations[1].start == 17
    assert "byte order mark" in document.notes[0]


def test_a_newline_inside_a_span_may_be_stored_as_a_space(tmp_path: Path) -> None:
    document = read(save(tmp_path, DATE + "T2\tX 10 20\tmai  Anna\n"))
    assert document.annotations[1].end == 20
    assert "white space" in document.notes[0]


def test_other_separators_do_not_cut_a_line(tmp_path: Path) -> None:
    assert read(save(tmp_path, "T1\tX 0 3\ta\u2028b\n", "a\u2028b")).annotations[0].end == 3


@pytest.mark.parametrize(
    ("ann", "kind", "says"),
    [
        (DATE + NAME.replace("16", "17"), MisalignedOffsets, "document 'note', annotation 2"),
        (DATE + DATE, UnreadableFile, "line 2: its id was used"),
        ("T1\tDATE 8\t3 mai\n", UnreadableFile, "line 1: the annotation is not"),
        ("T1 DATE 8 13 Müller\n", UnreadableFile, "line 1: the annotation is not"),
        ("T1\tDATE -8 13\t3 mai\n", UnreadableFile, "line 1"),
        ("T1\tDATE 13 8\t3 mai\n", MisalignedOffsets, "line 1: its end"),
        ("T1\tDATE 8 8\t\n", MisalignedOffsets, "line 1: its end"),
        (f"T1\tDATE 8 {'9' * 6000}\tx\n", MisalignedOffsets, "line 1: its end is beyond"),
        ("T1\tX 8 13;10 15\tx\n", MisalignedOffsets, "line 1: its pieces overlap"),
        ("T1\tX 13 16\t\n", MisalignedOffsets, "annotation 1: it covers only white space"),
        ("T1\tX 8 130\n", MisalignedOffsets, "annotation 1: it ends at 130"),
        (NAME + "A1\tIdentifier T2 Müller\n", UnreadableFile, "line 2: .*not DIRECT"),
        (NAME + "A1\tIdentifier T2\n", UnreadableFile, "line 2: .*not DIRECT"),
        (NAME + "A1\tIdentifier T2 DIRECT\nA2\tIdentifier T2 QUASI\n", UnreadableFile, "line 3: .*two"),
        (NAME + "A1\tIdentifier T9 DIRECT\n", UnreadableFile, "missing annotation"),
        (NAME + "*\tEquiv T2 T9\n", UnreadableFile, "missing annotation"),
        ("Anna Müller was here\n", UnreadableFile, "line 1: this is not a line"),
        (DATE.strip() + "\r" + NAME, UnreadableFile, "line 1: .*carriage return"),
        (b"T1\tDATE 8 13\tM\xfcller\n", UnreadableFile, "byte 14 "),
    ],
)
def test_refusals(tmp_path: Path, ann: str | bytes, kind: type[BadData], says: str) -> None:
    refused(save(tmp_path, ann), kind, says)


def test_a_text_without_annotations_is_refused(tmp_path: Path) -> None:
    save(tmp_path, DATE)
    lost = tmp_path / "lost.txt"
    lost.write_text("Anna Müller")
    refused(lost, UnreadableFile, "has no annotation file")
    with pytest.raises(UnreadableFile, match=r"lost\.txt has no annotation file(.|\n)*Hint: Put NAME.ann"):
        read_documents(tmp_path)


def test_texts_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = save(tmp_path, DATE)
    (tmp_path / "note.txt").write_bytes("Müller".encode("utf-16-le"))
    refused(path, UnreadableFile, "byte 2 |NUL")
    (tmp_path / "note.txt").unlink()
    (tmp_path / "note.txt").mkdir()
    refused(path, UnreadableFile, "cannot be read: Is a directory")


def test_files_above_the_limit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"note\.ann: the file must be loaded as a whole"):
        list(read_documents(save(tmp_path, DATE + NAME), format="brat", settings=ReadSettings(max_bytes=20)))
