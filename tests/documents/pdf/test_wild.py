"""Public PDFs that nobody here made, with values that are in them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pypdfium2
import pytest

from reidrisk.documents.anonymize.run import anonymize_documents

FILES = [
    "docling__right_to_left_03",
    "pdf.js__annotation-tx3",
    "pdf.js__issue10640",
    "pdf.js__issue14046",
    "pdf.js__issue5677",
    "pdf.js__operator-in-TJ-array",
    "pdf.js__two_paragraphs",
    "pdf2docx__demo-table",
    "pdfminer.six__AcroForm_TEST",
    "pdfplumber__issue-598-example",
    "pdfplumber__pdf_structure",
    "qpdf__fields-split-2",
    "qpdf__split-content-stream",
]


def plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def words(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path)
    read = [document[number].get_textpage().get_text_range() for number in range(len(document))]
    document.close()
    return re.findall(r"\w+", plain(" ".join(read)))


@pytest.mark.parametrize("name", FILES)
def test_values_go_and_everything_else_stays(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "documents_wild" / "files" / f"{name}.pdf"
    listed = shared / "documents_wild" / "values" / f"{name}.pdf.txt"
    if not source.exists():
        pytest.skip("the public documents are not beside the project")
    values = [line for line in listed.read_text("utf-8").splitlines() if line.strip()]
    (row,) = anonymize_documents([source], tmp_path / "out", values=values).to_dict()["documents"]
    assert row["written"], row.get("error")
    assert not any("pictures" in concern for concern in row["concerns"])
    before, after = words(source), words(tmp_path / "out" / source.name)
    parts = {part for value in values for part in re.findall(r"\w+", plain(value))}
    assert not parts & set(after) - set(words_of_several(values, before))
    kept = [word for word in before if not any(part in word or word in part for part in parts)]
    lost = sum(max(0, kept.count(word) - after.count(word)) for word in set(kept))
    assert lost <= 0.02 * len(before)


def words_of_several(values: list[str], before: list[str]) -> set[str]:
    """Words of values that have several, which may stand alone elsewhere."""
    return {word for value in values if " " in plain(value) for word in plain(value).split()} & set(before)
