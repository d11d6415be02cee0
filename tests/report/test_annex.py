"""The annex of a report: a file of its own in every format, kept with the assessment and verified like it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.core.key import SIGNING, new_key
from reidrisk.errors import InvalidSetting
from reidrisk.report.assessment_folder import assess_and_report
from reidrisk.report.document import Chapter, Prose, ReportDocument
from reidrisk.report.documents import general
from reidrisk.report.writing import FORMATS, draw_files
from tests.assess.builders import write_data, write_file
from tests.report.assessed import accepted, table

NAMES = ["report.html", "report.pdf", "annex.html", "annex.pdf"]


@pytest.fixture
def with_annex(monkeypatch: pytest.MonkeyPatch) -> None:
    """A general report whose annex is short."""
    plain = general.document

    def document(case: dict[str, Any]) -> ReportDocument:
        made = plain(case)
        chapters = (Chapter("support", "Supporting figures", (Prose(("All of them.",)),)),)
        return replace(made, annex=replace(made, title="Annex", chapters=chapters, annex=None))

    monkeypatch.setattr(general, "document", document)


@pytest.mark.usefixtures("with_annex")
def test_an_annex_is_written_beside_the_report(tmp_path: Path) -> None:
    written = rr.write_report(table(), tmp_path, formats=("docx", "html"))
    assert [path.name for path in written] == [
        *("report.html", "report.docx", "annex.html", "annex.docx"),
        "crosswalks.json",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in written)
    page = (tmp_path / "annex.html").read_text(encoding="utf-8")
    assert "Supporting figures" in page
    assert "Supporting figures" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_report_without_an_annex_is_one_file_per_format(tmp_path: Path) -> None:
    made = draw_files(replace(general.document(_case()), annex=None), FORMATS)
    assert list(made) == ["report.html", "report.pdf", "report.docx"]
    assert [content[:4] for content in made.values()] == [b"<!DO", b"%PDF", b"PK\x03\x04"]


def _case() -> dict[str, Any]:
    from reidrisk.report.case import case_of

    return case_of(table())


@pytest.mark.parametrize("formats", [("word",), ("html", "doc"), ()])
def test_an_unknown_format_is_refused_before_anything_is_written(
    tmp_path: Path, formats: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidSetting, match="format"):
        rr.write_report(accepted(), tmp_path / "new", formats=formats)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("with_annex")
def test_a_word_document_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reidrisk.report import document_docx as compiling

    def fails(*_: object) -> bytes:
        raise RuntimeError("no")

    monkeypatch.setattr(compiling, "document_docx", fails)
    with pytest.raises(RuntimeError, match="no"):
        rr.write_report(table(), tmp_path / "new", formats=FORMATS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("with_annex")
def test_the_annex_of_an_assessment_is_listed_verified_and_drawn_again_with_signatures(
    tmp_path: Path,
) -> None:
    write_data(tmp_path)
    folder = tmp_path / "out"
    made = assess_and_report(write_file(tmp_path, "records"), folder)
    assert list(made.reports) == NAMES
    listed = json.loads((folder / "reports.json").read_text(encoding="utf-8"))
    assert set(NAMES) <= {entry["path"] for entry in listed["files"]}
    new_key(tmp_path / "sign.key", SIGNING)
    signed = rr.sign(folder, name="Ann", role="reviewer", meaning="read", key=tmp_path / "sign.key")
    assert sorted(signed.reports) == sorted(NAMES)
    assert "Signed electronically by: Ann" in (folder / "annex.html").read_text(encoding="utf-8")
    assert rr.verify(folder).holds
    (folder / "annex.pdf").write_bytes(b"%PDF-1.7 another")
    assert any("annex.pdf" in text for text in rr.verify(folder, quick=True).differences)
    (folder / "annex.pdf").unlink()
    assert any("annex.pdf was removed" in text for text in rr.verify(folder, quick=True).differences)
