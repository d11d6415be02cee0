from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from reidrisk.documents.document import Change
from reidrisk.documents.docx.format import read_docx, write_docx
from reidrisk.documents.formats import prove_document
from reidrisk.documents.plain.html import read_html, write_html
from reidrisk.documents.plain.rtf import read_rtf, write_rtf
from reidrisk.documents.plain.text import read_text, write_text
from reidrisk.errors import FailedCheck, UnreadableFile
from tests.documents.docx.building import Made, paragraph, run
from tests.documents.docx.trap import trap

TOOLS: dict[str, tuple[Any, Any]] = {
    ".docx": (read_docx, write_docx),
    ".html": (read_html, write_html),
    ".rtf": (read_rtf, write_rtf),
    ".md": (read_text, write_text),
}


@pytest.fixture(params=sorted(TOOLS))
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """John McKay twice, with his name over two looks where there are looks."""
    path = tmp_path / f"in{request.param}"
    if request.param == ".docx":
        return Made(paragraph("John ", run("Mc"), run("Kay", "<w:b/>"), " saw John McKay.")).save(path)
    text = {
        ".html": "<p>John Mc<b>Kay</b> saw John McKay.</p>",
        ".rtf": "{\\rtf1 John Mc{\\b Kay} saw John McKay.}",
    }
    path.write_text(text.get(request.param, "John Mc**Kay** saw John McKay."), encoding="ascii")
    return path


def test_a_value_is_found_before_and_gone_after(source: Path) -> None:
    read, write = TOOLS[source.suffix]
    values = ["John McKay", "1001-007"]
    assert {hit.value for hit in prove_document(source, values).hits} == {1}
    changes = [
        Change(block.name, found.start(), found.end())
        for block in read(source)
        for found in re.finditer(r"John Mc(?:\*\*)?Kay(?:\*\*)?", block.text)
    ]
    out = source.with_name(f"out{source.suffix}")
    write(source, out, changes, check=lambda part: prove_document(part, values).require())
    assert out.exists()
    assert prove_document(out, values).holds


def test_a_value_that_is_left_stops_the_writing(source: Path) -> None:
    _, write = TOOLS[source.suffix]
    out = source.with_name(f"out{source.suffix}")
    with pytest.raises(FailedCheck) as raised:
        write(source, out, [], check=lambda part: prove_document(part, ["McKay"]).require())
    assert "McKay" not in str(raised.value)
    assert not out.exists()


def test_values_that_stay_elsewhere_are_counted(source: Path) -> None:
    assert prove_document(source, ["John"], kept={"John": 2}).holds
    assert not prove_document(source, ["John"], kept={"John": 1}).holds


def test_every_secret_of_the_trap_is_a_hit(tmp_path: Path) -> None:
    made, secrets = trap()
    values = [*secrets.shown.values(), *secrets.hidden.values()]
    proof = prove_document(made.save(tmp_path / "trap.docx"), values)
    assert {hit.value for hit in proof.hits} == set(range(1, len(values) + 1))


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no kind of document"):
        prove_document(tmp_path / "a.odt", ["x"])
