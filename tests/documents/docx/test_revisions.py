from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.documents.docx.format import read_docx, write_docx
from tests.documents.docx.building import Made, paragraph, run

BY = 'w:id="1" w:author="A" w:date="2020-01-01T00:00:00Z"'
FROM, TO = f"<w:moveFrom {BY}>{run('x')}</w:moveFrom>", f"<w:moveTo {BY}>{run('x')}</w:moveTo>"
ROW = "<w:tr><w:trPr><w:{} {}/></w:trPr>{}</w:tr>"
CELL = f"<w:tc>{paragraph('x')}{paragraph('z')}</w:tc>"
LOST = f"<w:tc><w:tcPr><w:cellDel {BY}/></w:tcPr>{paragraph('q')}</w:tc>"
GONE = f"<w:del {BY}><w:r><w:delText>gone</w:delText></w:r></w:del>"
END = f"<w:pPr><w:rPr><w:del {BY}/></w:rPr></w:pPr>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<w:p>{run('a')}{GONE}<w:ins {BY}>{run('b')}</w:ins></w:p>", "ab\n"),
        (f"<w:p>{END}{run('a')}</w:p><w:p>{END}{run('b')}</w:p>{paragraph('c')}{paragraph('d')}", "abc\nd\n"),
        (f"<w:p>{END}{GONE}</w:p>{paragraph('c')}", "c\n"),
        (f"{paragraph('a')}<w:p>{END}{run('b')}</w:p>", "a\nb\n"),
        (f"<w:p><w:ins {BY}><w:del {BY}>{run('x')}</w:del></w:ins>{run('y')}</w:p>", "y\n"),
        (f"<w:p>{FROM}</w:p><w:p>{TO}</w:p>", "\nx\n"),
        (f"<w:p><w:pPr><w:rPr><w:ins {BY}/></w:rPr></w:pPr>{run('a')}</w:p>{paragraph('b')}", "a\nb\n"),
        (f"<w:tbl>{ROW.format('del', BY, CELL)}</w:tbl>{paragraph('y')}", "y\n"),
        (f"<w:tbl>{ROW.format('ins', BY, f'{CELL}<w:tc><w:p/></w:tc>{LOST}')}</w:tbl>", "x\u2028z\t\n"),
        (f"<w:ins {BY}>{paragraph('whole')}</w:ins><w:del {BY}>{paragraph('gone')}</w:del>", "whole\n"),
    ],
)
def test_tracked_changes_are_read_and_written_as_accepted(tmp_path: Path, body: str, text: str) -> None:
    path = Made(body).save(tmp_path / "in.docx")
    assert [block.text for block in read_docx(path)] == [text]
    written = write_docx(path, tmp_path / "out.docx", [])
    assert [block.text for block in read_docx(tmp_path / "out.docx")] == [text]
    assert "accepted" in written.notes[0]
    assert write_docx(tmp_path / "out.docx", tmp_path / "again.docx", []).notes == ()
