"""Every format of documents through one door: the registry, and the proof of each format."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import reidrisk.documents
from reidrisk.documents.document import Change
from reidrisk.documents.docx.format import read_docx, write_docx
from reidrisk.documents.formats import _HOMES, format_of, formats, prove_document, read_document
from reidrisk.documents.plain.html import read_html, write_html
from reidrisk.documents.plain.rtf import read_rtf, write_rtf
from reidrisk.documents.plain.text import read_text, write_text
from reidrisk.errors import FailedCheck, UnreadableFile
from tests.documents.docx.building import Made, paragraph, run
from tests.documents.docx.trap import trap

SUFFIXES = [".pdf", ".docx", ".html", ".htm", ".rtf", ".txt", ".md"]
ROOM = Path(reidrisk.documents.__file__).parent
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
    with pytest.raises(UnreadableFile, match="not a known kind of document"):
        prove_document(tmp_path / "a.odt", ["x"])
    with pytest.raises(
        UnreadableFile, match=r"not a known kind of document(.|\n)*Known: \.pdf, \.docx, .*\.md\."
    ):
        list(read_document(tmp_path / "a.odt"))


def test_every_extension_has_one_format() -> None:
    assert list(formats()) == SUFFIXES
    assert sum(len(own.suffixes) for own in set(formats().values())) == len(SUFFIXES)
    assert format_of("A.PDF") is formats()[".pdf"]


def test_extensions_are_named_only_where_a_format_is_declared() -> None:
    homes = {ROOM / f"{home.replace('.', '/')}.py" for home in _HOMES}
    named = {
        path
        for path in ROOM.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in SUFFIXES
    }
    assert named == homes


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_format_is_proved_by_readers_that_know_nothing_of_it(suffix: str) -> None:
    own = formats()[suffix]
    readers = [*own.texts, *own.contents, *([] if own.office is None else [own.office])]
    assert len(own.texts) >= 1
    assert {reader.__module__.rpartition(".")[2] for reader in readers} == {"proof"}
    assert own.readers()[-1] == "bytes of the file"
