"""Every hiding place holds a value; afterwards nobody finds it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pikepdf
import pytest

from reidrisk.documents.formats import prove_document
from reidrisk.documents.pdf.format import write_pdf
from tests.documents.pdf.building import changes, line, one_page
from tests.documents.pdf.traps import GLUED, SHOWN, TRAPS, VALUE

VALUES = (VALUE, GLUED, "Zbigniew", "Trapowski")


def redacted(source: Path, out: Path) -> Path:
    write_pdf(source, out, changes(source, *VALUES))
    return out


@pytest.mark.parametrize("name", TRAPS)
def test_nothing_survives(tmp_path: Path, name: str) -> None:
    source = one_page(tmp_path / "in.pdf", line("Rest.") + SHOWN, more=TRAPS[name])
    out = redacted(source, tmp_path / "out.pdf")
    assert [hit.where for hit in prove_document(out, VALUES).hits] == []
    assert "Rest." in pdfium_text(out)


def test_nothing_survives_all_together(tmp_path: Path) -> None:
    def every(pdf: pikepdf.Pdf, page: object) -> None:
        for name, add in TRAPS.items():
            if name not in (
                "notes_in_photographs",
                "nested_forms",
                "names_of_resources",
                "hidden_layer_form",
            ):
                add(pdf, page)

    source = one_page(tmp_path / "in.pdf", line("Rest.") + SHOWN, more=every)
    assert len(prove_document(source, VALUES).hits) > 20
    out = redacted(source, tmp_path / "out.pdf")
    assert [hit.where for hit in prove_document(out, VALUES).hits] == []


def test_an_older_version_at_the_start_of_the_file_goes(tmp_path: Path) -> None:
    source = one_page(tmp_path / "in.pdf", line("Rest.") + SHOWN)
    data = source.read_bytes()
    with pikepdf.open(source) as pdf:
        number = pdf.pages[0].obj.Contents.objgen[0]
        size = len(pdf.objects) + 1
        root = pdf.Root.objgen[0]
    new = line(f"Rest. {VALUE}.").encode()
    body = b"\n%d 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n" % (number, len(new), new)
    at = len(data) + 1
    start = data.rindex(b"startxref") + len(b"startxref")
    before = int(data[start:].split()[0])
    trailer = b"trailer\n<</Size %d/Root %d 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n"
    table = (b"xref\n%d 1\n%010d 00000 n \n" + trailer) % (
        number, at, size, root, before, len(data) + len(body),
    )  # fmt: skip
    source.write_bytes(data + body + table)
    out = redacted(source, tmp_path / "out.pdf")
    assert prove_document(out, VALUES).holds
    assert out.read_bytes().count(b"%%EOF") == 1


def pdfium_text(path: Path) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    text = str(document[0].get_textpage().get_text_range())
    document.close()
    return text


@pytest.mark.skipif(shutil.which("qpdf") is None, reason="qpdf is not installed")
def test_qpdf_finds_nothing_in_the_uncompressed_file(tmp_path: Path) -> None:
    def every(pdf: pikepdf.Pdf, page: object) -> None:
        for name in (
            "info",
            "metadata",
            "bookmarks",
            "form_fields",
            "structure",
            "hidden_layer",
            "attachments",
        ):
            TRAPS[name](pdf, page)

    source = one_page(tmp_path / "in.pdf", line("Rest.") + SHOWN, more=every)
    out = redacted(source, tmp_path / "out.pdf")
    plain = tmp_path / "plain.pdf"
    done = subprocess.run(
        ["qpdf", "--qdf", "--object-streams=disable", out, plain], capture_output=True, check=False
    )
    assert done.returncode == 0
    data = plain.read_bytes().lower()
    assert not any(part in data for part in (b"zbigniew", b"trapowski", VALUE.encode("utf-16-be").lower()))
    assert subprocess.run(["qpdf", "--check", out], capture_output=True, check=False).returncode == 0
