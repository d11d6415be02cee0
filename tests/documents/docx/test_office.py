"""What LibreOffice, where it is installed, makes of documents that were written."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from reidrisk.documents.document import Change
from reidrisk.documents.docx.format import read_docx, write_docx
from reidrisk.documents.docx.proof import by_office, docx_from
from tests.documents.docx.trap import trap
from tests.documents.searching import places_of

SECRET = re.compile(r"Zq[a-z]{3}wyk\d{3}")


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
def test_libreoffice_opens_the_cleaned_trap_and_finds_no_secret(tmp_path: Path) -> None:
    made, secrets = trap()
    path = made.save(tmp_path / "trap.docx")
    changes = [
        Change(block.name, found.start(), found.end())
        for block in read_docx(path)
        for found in SECRET.finditer(block.text)
    ]
    out = tmp_path / "out.docx"
    write_docx(path, out, changes)
    texts = dict(by_office(out))
    assert len(texts) == 1
    assert all("PPD" in text and "joined" in text for text in texts.values())
    assert not places_of(out, [*secrets.shown.values(), *secrets.hidden.values()], [lambda _: texts.items()])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.docx", "trap.docx"]


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
def test_rtf_becomes_a_docx_with_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "in.rtf"
    cells = r"\trowd\cellx2000\cellx4000 \intbl 1001\cell 34\cell\row\pard "
    path.write_text(r"{\rtf1\ansi John {\b Mc}Kay\par " + cells + "}", encoding="ascii")
    made = docx_from(path, tmp_path)
    assert made == tmp_path / "in.docx"
    text = next(read_docx(made)).text
    assert "John McKay\n" in text
    assert "1001\t34\n" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.docx", "in.rtf"]


def test_without_libreoffice_there_is_nothing_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert list(by_office(tmp_path / "none.docx")) == []
    assert docx_from(tmp_path / "none.rtf", tmp_path) is None
