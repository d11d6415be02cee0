"""What holds for every kind of document that has no pages."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import reidrisk.documents
from reidrisk.documents.docx.format import write_docx
from reidrisk.documents.plain.html import write_html
from reidrisk.documents.plain.rtf import write_rtf
from reidrisk.documents.plain.text import write_text
from reidrisk.errors import FailedCheck, InvalidSetting
from tests.documents.docx.building import Made, paragraph

OTHER = "reidrisk.documents.pdf.by_pdfminer"
FORMAT_WORDS = "reidrisk.documents.docx.standard"
"""Words of a format, no code that reads or writes it."""
ROOM = Path(reidrisk.documents.__file__).parent
WRITERS = {".docx": write_docx, ".html": write_html, ".rtf": write_rtf, ".txt": write_text}


@pytest.fixture(params=sorted(WRITERS))
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"in{request.param}"
    if request.param == ".docx":
        return Made(paragraph("Ann")).save(path)
    path.write_text(
        {".html": "<p>Ann</p>", ".rtf": "{\\rtf1 Ann}"}.get(request.param, "Ann"), encoding="ascii"
    )
    return path


def test_an_input_is_never_written_over(source: Path) -> None:
    writer: Any = WRITERS[source.suffix]
    before = source.read_bytes()
    with pytest.raises(InvalidSetting, match="over itself"):
        writer(source, source.parent / "." / source.name, [])
    assert source.read_bytes() == before


def test_a_file_that_fails_its_check_is_not_left(source: Path) -> None:
    def refuse(path: Path) -> None:
        assert path.stat().st_size
        raise FailedCheck("a value is left", hint="none")

    writer: Any = WRITERS[source.suffix]
    with pytest.raises(FailedCheck):
        writer(source, source.with_name("out"), [], check=refuse)
    assert [path.name for path in source.parent.iterdir()] == [source.name]


def test_the_same_input_gives_the_same_bytes(source: Path) -> None:
    writer: Any = WRITERS[source.suffix]
    for name in ("a", "b"):
        writer(source, source.with_name(name), [])
    assert source.with_name("a").read_bytes() == source.with_name("b").read_bytes()


@pytest.mark.parametrize("name", ["docx/proof.py", "plain/proof.py", "pdf/proof.py", "pdf/by_pdfminer.py"])
def test_a_proof_shares_no_code_with_reading_and_writing(name: str) -> None:
    tree = ast.parse((ROOM / name).read_text(encoding="utf-8"))
    used = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {module for module in used if module.startswith("reidrisk")}
    allowed = {"reidrisk.errors", "reidrisk.documents.words", "reidrisk.documents.proof.texts"}
    assert ours <= {*allowed, OTHER, FORMAT_WORDS, "reidrisk.core.scratch"}
    assert not any(module.startswith("lxml") for module in used)
