from __future__ import annotations

from pathlib import Path
from random import Random

import pikepdf
import pytest

from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.reading import read_pdf
from reidrisk.errors import UnreadableFile
from tests.documents.pdf.building import line, one_page, texts


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "0 bytes"),
        (b"PK\x03\x04 and so on", "zip file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office file"),
        (b"Once upon a time", "something else"),
        (b"%PDF-1.7\nand nothing more", "damaged"),
        (b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer <</Root 1 0 R>>\n%%EOF", "damaged"),
    ],
)
def test_what_is_no_pdf_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=said):
        list(read_pdf(path))
    with pytest.raises(UnreadableFile, match=said):
        write_pdf(path, tmp_path / "out.pdf", [])
    assert not (tmp_path / "out.pdf").exists()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        list(read_pdf(tmp_path / "none.pdf"))


def test_a_password_is_asked_for_by_name_only(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Kowalski"))
    locked = tmp_path / "locked.pdf"
    with pikepdf.open(source) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="o", user="u"))
    with pytest.raises(UnreadableFile, match="password") as refused:
        list(read_pdf(locked))
    assert "Kowalski" not in str(refused.value)


def test_encryption_without_a_password_to_read_is_lifted(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Kowalski"))
    locked = tmp_path / "locked.pdf"
    with pikepdf.open(source) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="o", user=""))
    assert texts(locked) == ["Kowalski"]
    write_pdf(locked, tmp_path / "out.pdf", [])
    with pikepdf.open(tmp_path / "out.pdf") as pdf:
        assert not pdf.is_encrypted


def test_a_truncated_file_is_read_as_far_as_it_goes_or_refused(tmp_path: Path) -> None:
    data = one_page(tmp_path / "in.pdf", line("Kowalski")).read_bytes()
    for size in range(20, len(data), 97):
        path = tmp_path / "cut.pdf"
        path.write_bytes(data[:size])
        try:
            found = texts(path)
        except UnreadableFile:
            continue
        assert found in (["Kowalski"], [""])


def test_the_source_is_never_changed(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Kowalski"))
    before = source.read_bytes()
    write_pdf(source, tmp_path / "out.pdf", [])
    assert source.read_bytes() == before
    write_pdf(source, source, [])
    assert texts(source) == ["Kowalski"]


def test_damage_anywhere_is_said_or_survived(tmp_path: Path) -> None:
    plain = one_page(tmp_path / "in.pdf", line("Kowalski") * 3)
    with pikepdf.open(plain, allow_overwriting_input=True) as pdf:
        pdf.save(plain, compress_streams=False)
    data, rng, path = plain.read_bytes(), Random(7), tmp_path / "hurt.pdf"  # noqa: S311
    outcomes = set()
    for _ in range(60):
        hurt = bytearray(data)
        for _ in range(rng.choice((1, 3, 10))):
            hurt[rng.randrange(len(hurt))] = rng.choice(b"0/[]<>() TjB-.")
        path.write_bytes(hurt)
        try:
            list(read_pdf(path))
            write_pdf(path, tmp_path / "out.pdf", [])
            outcomes.add("written")
        except UnreadableFile:
            outcomes.add("refused")
    assert outcomes == {"written", "refused"}
