"""Real PDFs with a gold standard: all marked values go, and no other word."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from reidrisk.documents.document import Change, Look
from reidrisk.documents.formats import prove_document
from reidrisk.documents.pdf.format import write_pdf
from reidrisk.documents.pdf.reading import read_pdf
from reidrisk.documents.proof.needles import counted

NAMES = [
    "boundary-001", "core-deklaracja-pit-high", "core-faktura-vat-high", "core-kpir-ledger-high",
    "core-odpis-krs-high", "core-pismo-urzedowe-high", "core-protokol-zebrania-high",
    "core-umowa-o-prace-high", "core-umowa-zlecenie-high", "core-wyciag-bankowy-high", "core-wyrok-001",
    "ligature-001", "lowdensity-001", "tabular-001",
]  # fmt: skip


def gold_values(shared: Path, name: str) -> list[str]:
    lines = (shared / "corpora" / "pl_pdf.jsonl").read_text(encoding="utf-8").splitlines()
    record = next(record for record in map(json.loads, lines) if record["doc_id"] == name)
    return sorted({part for entity in record["entities"] for part in entity["text"].split("\n\n")})


def found_changes(path: Path, values: list[str]) -> list[Change]:
    """Every place of every value as a whole word, the longest first."""
    ordered = sorted(values, key=len, reverse=True)
    pattern = re.compile(
        "|".join(r"(?<!\w)" + r"\s+".join(map(re.escape, v.split())) + r"(?!\w)" for v in ordered)
    )
    return [Change(b.name, m.start(), m.end()) for b in read_pdf(path) for m in pattern.finditer(b.text)]


def words(path: Path) -> Counter[str]:
    document = pypdfium2.PdfDocument(path)
    text = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return Counter(re.findall(r"\w+", text))


@pytest.mark.parametrize("name", NAMES)
def test_gold_values_go_and_no_other_word(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "corpora" / "pl_pdf" / f"{name}.pdf"
    values = gold_values(shared, name)
    changes = found_changes(source, values)
    removed: Counter[str] = Counter()
    for block in read_pdf(source):
        for change in changes:
            if change.block == block.name:
                removed += Counter(re.findall(r"\w+", block.text[change.start : change.end]))
    out = tmp_path / "out.pdf"
    write_pdf(source, out, changes, look=Look(labels=False))
    assert words(source) - words(out) == removed
    assert words(out) - words(source) == Counter()
    after = "\n".join(block.text for block in read_pdf(out))
    kept = {value: counted(after, value) for value in values}
    assert prove_document(out, values, kept=kept).holds
    if shutil.which("qpdf"):
        assert subprocess.run(["qpdf", "--check", str(out)], capture_output=True, check=False).returncode == 0
    if shutil.which("pdftotext"):
        assert subprocess.run(["pdftotext", out, "-"], capture_output=True, check=False).stderr == b""
