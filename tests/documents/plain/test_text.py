from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.document import Block, Change, Look
from reidrisk.documents.places import Edit, spliced
from reidrisk.documents.plain.proof import TEXT_TEXTS
from reidrisk.documents.plain.text import read_text, write_text
from reidrisk.errors import UnreadableFile
from tests.documents.searching import places_of


def test_a_text_is_one_block_with_its_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("# Zoë\r\n\r\n<!-- Ann -->\n".encode())
    assert list(read_text(path)) == [Block("text", "# Zoë\r\n\r\n<!-- Ann -->\n")]
    out = tmp_path / "b.md"
    write_text(path, out, [Change("text", 2, 5), Change("text", 14, 17, new="Eve")])
    assert out.read_bytes() == b"# [PPD]\r\n\r\n<!-- Eve -->\n"
    assert not places_of(out, ["Zoë", "Ann"], TEXT_TEXTS)


def test_a_box_without_label_stays_a_box(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ann left", encoding="utf-8")
    write_text(tmp_path / "a.txt", tmp_path / "b.txt", [Change("text", 0, 3)], look=Look(labels=False))
    assert (tmp_path / "b.txt").read_text(encoding="utf-8") == "[] left"


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_byte_order_marks_say_the_encoding(tmp_path: Path, mark: bytes) -> None:
    code = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le"}.get(mark, "utf-16-be")
    (tmp_path / "a.txt").write_bytes(mark + "Zoë".encode(code))
    assert next(read_text(tmp_path / "a.txt")).text == "Zoë"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty: 0 bytes."),
        (b"%PDF-1.4", "is not a text file but PDF."),
        (b"PK\x03\x04", "is not a text file but a zip file, as DOCX is."),
        (b"Zo\xeb", "is not text in UTF-8."),
        (b"a\0b", "is not a text file: it contains zero bytes."),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(UnreadableFile) as raised:
        list(read_text(path))
    assert raised.value.problem == f"{path} {problem}"


def test_markup_inside_a_word_does_not_hide_it_from_the_proof(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("S**mi**th and J&#111;nes", encoding="utf-8")
    found = places_of(tmp_path / "a.md", ["Smith", "Jones"], TEXT_TEXTS)
    assert {value for value, _ in found} == {"Smith", "Jones"}


@given(st.text(), st.sets(st.integers(0, 30), max_size=6))
def test_splicing_changes_only_the_places(text: str, ends: set[int]) -> None:
    places = sorted(end for end in ends if end <= len(text))
    places = places[: len(places) // 2 * 2]
    edits = [Edit(start, end, "|") for start, end in zip(places[::2], places[1::2], strict=False)]
    kept = "".join(
        text[start:end] for start, end in zip([0, *places[1::2]], [*places[::2], len(text)], strict=False)
    )
    assert spliced(text, edits).replace("|", "") == kept.replace("|", "")


def test_many_signs_that_look_like_tags_do_not_slow_the_proof(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("p < 0.05 " * 100_000 + "Smith", encoding="utf-8")
    assert {value for value, _ in places_of(tmp_path / "a.md", ["Smith"], TEXT_TEXTS)} == {"Smith"}
