"""Real PDFs with a gold standard go through the whole of it: planned, written, proved, verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.documents.anonymize.run import anonymize_documents
from reidrisk.documents.document import sha256_of
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.pdf.reading import read_pdf
from reidrisk.documents.verify import verify_document
from tests.documents.pdf.test_real import NAMES, found_changes, gold_values


@pytest.mark.parametrize("name", NAMES)
def test_gold_values_go_whatever_else_the_pages_say(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "corpora" / "pl_pdf" / f"{name}.pdf"
    values = gold_values(shared, name)
    blocks = {block.name: block.text for block in read_pdf(source)}
    found = tuple(
        DocumentFinding(one.block, one.start, one.end, "OTHER", 1.0, "gold")
        for one in found_changes(source, values)
    )
    file = FindingsFile(1, {}, (DocumentFindings(source.name, sha256_of(source), tuple(blocks), found),))
    done = anonymize_documents([source], tmp_path / "out", findings=file).to_dict()
    assert done["warnings"] == []
    row = done["documents"][0]
    assert row["changes"] == len(found)
    removed = {" ".join(blocks[one.block][one.start : one.end].split()) for one in found}
    assert row["proof"]["values"] <= len(removed)
    left = row["proof"]["values_kept"]
    proof = verify_document(tmp_path / "out" / source.name, sorted(removed)).proof
    assert len({hit.value for hit in proof.hits}) <= left
