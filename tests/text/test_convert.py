"""Conversion: a corpus written in any format and read back is the same, or a refusal says why not."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reidrisk.errors import BadData, InvalidSetting, MisalignedOffsets, NothingToMeasure, UnmatchedDocuments
from reidrisk.text.convert import WRITERS, convert, writer_named
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.names import READABLE, WRITABLE
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.formats.writer import AnnotationWriter, DocumentFitter, signature
from reidrisk.text.read import READERS, read_documents

TEXT = "Mr. Ángel Müller 😀 (MRN 719435)\r\nsaw Dr. O'Neil <in> Graz & e\u0301, ID X.\n"
NOTE = Document(
    "7-1",
    (
        Annotation(4, 16, "PATIENT", "direct", "e1", (), 0.5),
        Annotation(24, 30, "ID", None, "e2"),
        Annotation(53, 57, "CITY", "quasi", None, (), 1.0),
    ),
    TEXT,
)
CORPUS = (NOTE, Document("7-2", (), "nothing here"), replace(NOTE, id="8-1"))
BY_NAME = pytest.mark.parametrize("writer", WRITERS, ids=[writer.name for writer in WRITERS])


def target(folder: Path, writer: AnnotationWriter) -> Path:
    return folder / f"out{writer.suffix}"


def as_carried(document: Document, writer: AnnotationWriter) -> Document:
    return DocumentFitter(writer.name, writer.capabilities).fit(document)


def test_names_are_those_of_the_readers_and_writers() -> None:
    assert tuple(reader.name for reader in READERS) == READABLE
    assert {writer.name for writer in WRITERS} == set(WRITABLE)
    assert {writer.reads_as for writer in WRITERS} <= set(READABLE)


@BY_NAME
def test_emoji_and_windows_line_ends_survive(tmp_path: Path, writer: AnnotationWriter) -> None:
    out = target(tmp_path, writer)
    done = convert(CORPUS, writer.name, out)
    assert (done.documents, done.annotations) == (3, 6)
    # a text without tags looks like any text: its format has to be named
    documents = list(read_documents(out, format="inline" if writer.name == "inline" else None))
    ids = [d.id for d in CORPUS] if writer.capabilities.ids else ["1", "2", "3"]
    assert [d.id for d in documents] == ids
    assert [d.text for d in documents] == [d.text for d in CORPUS]
    assert [signature(d) for d in documents] == [signature(as_carried(d, writer)) for d in CORPUS]
    carries = writer.capabilities
    kept = {
        "role": carries.roles,
        "entity id": carries.entities,
        "score": carries.scores,
        "document name": carries.ids,
    }
    assert {word: not any(f" {word}s" in note for note in done.notes) for word in kept} == kept
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@BY_NAME
def test_a_line_end_inside_an_annotation_survives(tmp_path: Path, writer: AnnotationWriter) -> None:
    note = Document("7-1", (Annotation(0, 10, "NAME"),), "Anna\r\nMary lives.")
    convert([note], writer.name, target(tmp_path, writer))
    (document,) = read_documents(target(tmp_path, writer))
    assert (document.text, document.annotations) == (note.text, note.annotations)


@BY_NAME
def test_a_byte_order_mark_that_is_text_survives(tmp_path: Path, writer: AnnotationWriter) -> None:
    note = Document("7-1", (Annotation(1, 5, "NAME"),), "\ufeffAnna lives.")
    convert([note], writer.name, target(tmp_path, writer))
    (document,) = read_documents(target(tmp_path, writer))
    assert (document.text, document.annotations) == (note.text, note.annotations)


words = st.text(st.sampled_from("aé😀ß\u0301.,'&<>|-\"\\"), min_size=1, max_size=6)
gaps = st.sampled_from([" ", "  ", "\n", "\r\n", "\t", "\u00a0", ", ", "\u2028", "\n\n"])


@st.composite
def documents(draw: st.DrawFn, *, overlaps: bool) -> tuple[Document, ...]:
    """A corpus whose annotations cover whole words."""
    found = []
    for number in range(draw(st.integers(1, 3))):
        parts, places, length = [], [], 0
        for word in draw(st.lists(words, max_size=8)):
            places.append((length, length + len(word)))
            parts += [word, draw(gaps)]
            length += len(word) + len(parts[-1])
        spans = draw(st.lists(st.sampled_from(places), max_size=4, unique=not overlaps)) if places else []
        marks = [
            Annotation(
                *span,
                draw(st.sampled_from(["NAME", "DATE", "ID"])),
                draw(st.sampled_from([None, "direct", "quasi", "ignored"])),
                draw(st.sampled_from([None, "e1", "e2"])),
                (),
                draw(st.sampled_from([None, 0.5, 1.0, 0.1])),
            )
            for span in spans
        ]
        found.append(Document(f"{number + 1}-1", tuple(marks), "".join(parts)))
    return tuple(found)


@BY_NAME
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_random_corpus_comes_back(writer: AnnotationWriter, data: st.DataObject) -> None:
    corpus = data.draw(documents(overlaps=writer.capabilities.overlaps))
    with tempfile.TemporaryDirectory() as folder:
        out = target(Path(folder), writer)
        convert(corpus, writer.name, out)
        found = list(read_documents(out, format=writer.reads_as))
    assert [d.text for d in found] == [d.text for d in corpus]
    assert [signature(d) for d in found] == [signature(as_carried(d, writer)) for d in corpus]


@pytest.mark.parametrize("to", ["brat", "uima-xmi", "i2b2-2006"])
def test_a_chain_of_formats_keeps_every_place(tmp_path: Path, to: str) -> None:
    writer = writer_named(to)
    convert(CORPUS, "uima-json", tmp_path / "first")
    convert(tmp_path / "first", to, target(tmp_path, writer))
    convert(target(tmp_path, writer), "jsonl", tmp_path / "last.jsonl")
    last = list(read_documents(tmp_path / "last.jsonl"))
    assert [[(a.start, a.end, a.type) for a in d.annotations] for d in last] == [
        [(a.start, a.end, a.type) for a in d.annotations] for d in CORPUS
    ]


SPLIT = replace(NOTE, annotations=(Annotation(4, 30, "ID", fragments=((4, 16), (24, 30))),))
OVERLAP = replace(
    NOTE, annotations=(Annotation(4, 16, "A"), Annotation(24, 30, "C"), Annotation(10, 16, "B"))
)


@BY_NAME
def test_what_a_format_cannot_carry_is_refused_before_anything_is_there(
    tmp_path: Path, writer: AnnotationWriter
) -> None:
    out = target(tmp_path, writer)
    cases = [(SPLIT, writer.capabilities.fragments, "7-1', annotation 1: .* discontinuous")]
    cases += [(OVERLAP, writer.capabilities.overlaps, "annotation 3: .* overlaps annotation 1")]
    cases += [(replace(NOTE, text=None), writer.capabilities.without_text, "without its text")]
    for document, carried, says in cases:
        if carried:
            folder = tmp_path / says[:5]
            folder.mkdir()
            convert([document], writer.name, target(folder, writer))
            continue
        with pytest.raises(BadData, match=says) as info:
            convert([document], writer.name, out)
        assert "Müller" not in str(info.value)
        assert not out.exists()
    assert all(not path.name.endswith(".work") for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("to", "document", "says"),
    [
        ("i2b2-2014", Document("a", (), "x\x0cy"), "these control characters"),
        ("brat", Document("a/b", (), "x"), "a document with this name"),
        ("brat", Document("a", (Annotation(0, 1, "two words"),), "x"), "a type with this name"),
        ("inline", Document("a", (Annotation(0, 1, "X/Y"),), "x"), "a type with this name"),
        (
            "inline",
            Document("a", (Annotation(0, 1, "X"),), "x <b>bold</b>"),
            "'a' is not the same when read back",
        ),
        ("inline", Document("a", (Annotation(0, 1, "X"),), "x </X>"), "annotation 2: a tag is closed"),
        ("conll", Document("a", (Annotation(0, 2, "X"),), "x y"), "starts or ends with white space"),
        ("physionet", Document("a", (), "x"), "a document with this name"),
        ("physionet", Document("1-1", (), "x||||END_OF_RECORD"), "these control characters"),
        ("gate-xml", Document("a", (Annotation(0, 1, "Token"),), "x"), "a type with this name"),
        ("jsonl", Document("a", (), "\ud83d"), "half of a surrogate pair"),
        ("jsonl", Document("a", (Annotation(0, 9, "X"),), "x"), "it ends at 9, beyond"),
    ],
)
def test_refusals_of_single_formats(tmp_path: Path, to: str, document: Document, says: str) -> None:
    writer = writer_named(to)
    with pytest.raises(BadData, match=says) as info:
        convert([document], to, target(tmp_path, writer))
    assert ".work" not in str(info.value)
    assert list(tmp_path.iterdir()) == []


def test_targets_that_would_overwrite_or_mislead_are_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    with pytest.raises(BadData, match="not an empty folder"):
        convert(CORPUS, "brat", tmp_path / "full")
    with pytest.raises(BadData, match="cannot be written"):
        convert(CORPUS, "brat", tmp_path / "no" / "folder")
    with pytest.raises(InvalidSetting, match=r"ends in \.jsonl"):
        convert(CORPUS, "jsonl", tmp_path / "out.json")
    with pytest.raises(InvalidSetting, match="Did you mean 'brat'"):
        convert(CORPUS, "brad", tmp_path / "out")
    with pytest.raises(NothingToMeasure, match="no document to convert"):
        convert([], "jsonl", tmp_path / "out.jsonl")
    with pytest.raises(UnmatchedDocuments, match="is used twice"):
        convert([Document("a", (), "x"), Document("A", (), "y")], "brat", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["full"]


def test_what_is_read_is_never_written(tmp_path: Path) -> None:
    convert(CORPUS, "jsonl", tmp_path / "in.jsonl")
    convert(CORPUS, "brat", tmp_path / "brat")
    for source, to, out in (
        ("in.jsonl", "jsonl", "in.jsonl"),
        ("brat", "jsonl", "brat/out.jsonl"),
        ("brat/7-1.ann", "brat", "brat"),
    ):
        with pytest.raises(InvalidSetting, match="is the input, contains it, or is inside it"):
            convert(tmp_path / source, to, tmp_path / out)


def test_an_empty_folder_is_filled_and_a_file_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert convert(CORPUS, "brat", tmp_path / "out").documents == 3
    (tmp_path / "out.jsonl").write_text("old")
    convert(CORPUS, "jsonl", tmp_path / "out.jsonl")
    assert len(list(read_documents(tmp_path / "out.jsonl"))) == 3


def test_a_corrupted_offset_stops_the_conversion(tmp_path: Path) -> None:
    convert(CORPUS, "brat", tmp_path / "in")
    path = tmp_path / "in" / "8-1.ann"
    path.write_text(path.read_text(encoding="utf-8").replace("24 30", "24 31"), encoding="utf-8")
    with pytest.raises(MisalignedOffsets, match=r"8-1\.ann, document '8-1', annotation 2"):
        convert(tmp_path / "in", "jsonl", tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_what_was_decided_in_reading_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("Graz B-CITY\n")
    done = convert(
        tmp_path / "a.tsv", "jsonl", tmp_path / "out.jsonl", format="conll", settings=ReadSettings()
    )
    assert "rebuilt from its tokens" in str(done)
    assert "1 document with 1 annotation as jsonl" in str(done)
