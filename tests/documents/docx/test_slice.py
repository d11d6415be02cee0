from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from reidrisk.documents.document import Block, Change, Look
from reidrisk.documents.docx.format import read_docx, write_docx
from reidrisk.documents.docx.proof import DOCX_CONTENTS, DOCX_TEXTS
from reidrisk.errors import InvalidSetting
from tests.documents.docx.building import Made, paragraph, run
from tests.documents.searching import places_of

READERS = (*DOCX_TEXTS, *DOCX_CONTENTS)


@pytest.fixture
def simple(tmp_path: Path) -> Path:
    """Two lines and a table; the name is split over runs of different looks."""
    cell = "<w:tc>{}</w:tc>"
    row = "".join(cell.format(paragraph(text)) for text in ("1001", "34", "F"))
    body = paragraph("Patient ", run("Jo", "<w:b/>"), run("hn Mc"), run("Kay"), " was seen.")
    return Made(body + paragraph("End.") + f"<w:tbl><w:tr>{row}</w:tr></w:tbl>").save(tmp_path / "in.docx")


def test_a_name_split_over_runs_is_read_in_one_piece(simple: Path) -> None:
    assert list(read_docx(simple)) == [Block("body", "Patient John McKay was seen.\nEnd.\n1001\t34\tF\n")]


def test_a_redacted_name_is_gone_and_its_label_stands_in_a_blue_box(simple: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.docx"
    write_docx(simple, out, [Change("body", 8, 18)])
    assert next(read_docx(out)).text == "Patient PPD was seen.\nEnd.\n1001\t34\tF\n"
    assert not places_of(out, ["John McKay", "McKay"], READERS)
    assert b'w:fill="0000FF"' in _document(out)
    assert b'<w:b/><w:color w:val="FFFFFF"/>' in _document(out)


def test_a_replaced_value_looks_as_the_old_one_did(simple: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.docx"
    write_docx(simple, out, [Change("body", 8, 18, new="Ann <Lee>"), Change("body", 39, 41, new="30-39")])
    assert next(read_docx(out)).text == "Patient Ann <Lee> was seen.\nEnd.\n1001\t30-39\tF\n"
    assert b'<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Ann &lt;Lee&gt;</w:t>' in _document(out)


def test_confidential_boxes_are_black_and_can_be_without_labels(simple: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.docx"
    write_docx(simple, out, [Change("body", 0, 7, category="CCI")], look=Look(labels=False))
    assert b'w:fill="000000"' in _document(out)
    assert next(read_docx(out)).text.startswith("\u00a0\u00a0\u00a0\u00a0 John")


@pytest.mark.parametrize(
    "changes",
    [
        [Change("page 1", 0, 1)],
        [Change("body", 0, 9999)],
        [Change("body", 0, 5), Change("body", 4, 8)],
        [Change("body", 28, 29)],
    ],
)
def test_changes_that_do_not_fit_are_refused_and_nothing_is_written(
    simple: Path, tmp_path: Path, changes: list[Change]
) -> None:
    with pytest.raises(InvalidSetting) as raised:
        write_docx(simple, tmp_path / "out.docx", changes)
    assert "John" not in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["in.docx"]


def test_a_check_that_fails_leaves_no_file(simple: Path, tmp_path: Path) -> None:
    def refuse(path: Path) -> None:
        assert path.exists()
        raise InvalidSetting("no", hint="no")

    with pytest.raises(InvalidSetting):
        write_docx(simple, tmp_path / "out.docx", [], check=refuse)
    assert [path.name for path in tmp_path.iterdir()] == ["in.docx"]


def _document(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read("word/document.xml")


def test_a_value_replaced_by_nothing_takes_its_run_along(simple: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.docx"
    write_docx(simple, out, [Change("body", 7, 18, new="")])
    assert next(read_docx(out)).text.startswith("Patient was seen.\n")
    assert b"<w:b/>" not in _document(out)
