from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

import reidrisk as rr
from reidrisk.documents.findings.file import write_findings
from reidrisk.documents.pdf.covered import covered_words
from reidrisk.documents.verify import verify_document
from reidrisk.errors import (
    InvalidSetting,
    NothingToMeasure,
    ReidRiskError,
    UnmatchedDocuments,
    UnreadableFile,
)
from tests.documents.making import DAY, MAKERS, NUMBER, PERSON, found_in, pdf, txt
from tests.documents.pdf.building import line, one_page

BOX = "0 0 0 rg 50 690 300 25 re f\n"


@pytest.mark.parametrize("suffix", MAKERS)
def test_values_that_are_there_are_told_by_number(tmp_path: Path, suffix: str) -> None:
    path = MAKERS[suffix](tmp_path / f"csr{suffix}")
    done = verify_document(path, ["Nobody Else", PERSON, NUMBER.lower()])
    assert not done.acceptable
    assert {hit.value for hit in done.proof.hits} == {2, 3}
    shown = done.to_json() + repr(done)
    assert PERSON not in shown
    assert NUMBER.lower() not in shown.lower()
    assert verify_document(path, ["Nobody Else"]).acceptable


def test_values_come_from_lists_tables_and_findings(tmp_path: Path) -> None:
    path = pdf(tmp_path / "csr.pdf")
    (tmp_path / "values.txt").write_text(f"Nobody\n{DAY}\n\n{DAY.lower()}\n")
    (tmp_path / "adsl.csv").write_text(f"USUBJID,SEX\n{NUMBER},F\nDEMO-301-0999,M\n")
    write_findings(tmp_path / "findings.json", [found_in(path)], settings={})
    listed = verify_document(path, tmp_path / "values.txt")
    assert (listed.proof.values, next(hit.value for hit in listed.proof.hits)) == (2, 2)
    table = verify_document(path, tmp_path / "adsl.csv")
    assert (table.proof.values, table.skipped) == (2, 2)
    assert "2 values of fewer than 3 characters" in table.to_dict()["warnings"][0]
    by_places = verify_document(path, tmp_path / "findings.json", source=path)
    assert len({hit.value for hit in by_places.proof.hits}) == by_places.proof.values == 4


def test_a_box_over_words_removes_nothing(tmp_path: Path) -> None:
    path = one_page(tmp_path / "boxed.pdf", line(f"Patient {PERSON}") + BOX + line("Plain words", y=600))
    assert [(one.page, one.words) for one in covered_words(path)] == [(1, 3)]
    done = verify_document(path, ["Nobody Else"]).to_dict()
    assert done["acceptable"]
    assert "3 words can still be read under boxes" in done["warnings"][0]


def test_a_box_under_words_covers_nothing(tmp_path: Path) -> None:
    path = one_page(tmp_path / "plain.pdf", BOX + "1 1 1 rg\n" + line("White on black"))
    assert covered_words(path) == ()


@pytest.mark.parametrize("kind", ["Redact", "Square"])
def test_a_note_over_words_removes_nothing(tmp_path: Path, kind: str) -> None:
    def note(pdf: pikepdf.Pdf, page: pikepdf.Object) -> None:
        box = Dictionary(Type=Name.Annot, Subtype=Name(f"/{kind}"), Rect=Array([50, 690, 350, 715]))
        page["/Annots"] = Array([pdf.make_indirect(box)])

    path = one_page(tmp_path / "noted.pdf", line(f"Patient {PERSON}"), more=note)
    assert [(one.page, one.words) for one in covered_words(path)] == [(1, 3)]


def test_what_we_redact_has_nothing_under_its_boxes(tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf")
    file = rr.FindingsFile(1, {}, (found_in(source),))
    rr.anonymize_documents([source], tmp_path / "out", findings=file)
    out = tmp_path / "out" / "csr.pdf"
    assert verify_document(out, [PERSON, NUMBER, DAY]).acceptable
    assert covered_words(out) == ()


def test_refusals(tmp_path: Path) -> None:
    path = txt(tmp_path / "csr.txt")
    other = txt(tmp_path / "other.txt", "another text")
    write_findings(tmp_path / "findings.json", [found_in(path)], settings={})
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "short.csv").write_text("SEX\nF\n")
    cases: list[tuple[type[ReidRiskError], Path, Path, Path | None]] = [
        (InvalidSetting, path, tmp_path / "findings.json", None),
        (UnmatchedDocuments, path, tmp_path / "findings.json", other),
        (InvalidSetting, path, other, path),
        (NothingToMeasure, path, tmp_path / "short.csv", None),
        (UnreadableFile, tmp_path / "empty.txt", other, None),
        (UnreadableFile, tmp_path / "absent.pdf", other, None),
        (UnreadableFile, tmp_path / "short.csv", other, None),
    ]
    for error, document, values, source in cases:
        with pytest.raises(error, match="Hint"):
            verify_document(document, values, source=source)


def test_damaged_and_encrypted_files_prove_nothing(tmp_path: Path) -> None:
    whole = pdf(tmp_path / "csr.pdf")
    (tmp_path / "half.pdf").write_bytes(whole.read_bytes()[:400])
    with pikepdf.open(whole) as opened:
        opened.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="a", user="b"))
    for name in ("half.pdf", "locked.pdf"):
        with pytest.raises(ReidRiskError, match="Hint"):
            verify_document(tmp_path / name, [PERSON])
