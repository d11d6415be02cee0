"""Files made to take forever: each would, if the work grew with the square of the size."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from tests.text.formats.files import save

from reidrisk.errors import BadData, UnreadableFile
from reidrisk.text.formats import msgpack
from reidrisk.text.formats.graphemes import clusters
from reidrisk.text.formats.label_studio import html_text
from reidrisk.text.read import read_documents

MANY = 200_000


@pytest.mark.parametrize(
    ("name", "format_", "content"),
    [
        ("a.txt", "inline", "<<A:" * MANY),
        ("a.txt", None, "<<A:" * MANY),
        ("a.txt", "inline", "<a>" * MANY + "</a>"),
        ("a.xml", None, "<!--" * MANY),
        ("a.xml", "i2b2-2006", "<a>" * MANY),
        ("a.xml", "gate-xml", "<a>" * MANY),
        ("a.xmi", "uima-xmi", "<a>" * MANY),
        ("a.conll", "conll", "# newdoc id = a" + " " * MANY + "b" * 300),
        ("a.phi", "physionet", "Patient" + " " * MANY + "x"),
        ("a.text", "physionet", "START_OF_RECORD=" * MANY),
        ("a.txt", "asq", "===QUERY===" + " " * MANY + "x"),
        ("a.ann", "brat", "T1\tX 0 1\n" + "".join(f"*\tEquiv T1 T{n}\n" for n in range(2, 50_000))),
        ("a.json", None, "[" * MANY),
        ("a.json", "uima-json", '{"a":' * MANY),
    ],
)
def test_repetition_is_refused_without_delay(
    tmp_path: Path, name: str, format_: str | None, content: str
) -> None:
    with pytest.raises(BadData):
        list(read_documents(save(tmp_path, name, content), format=format_))


def test_values_that_stand_everywhere_are_refused(tmp_path: Path) -> None:
    tags = "".join(f'{{"identifier_type": "K{n}", "value": "e"}}\n' for n in range(2000))
    path = save(tmp_path, "a.txt", f"===QUERY===\n{'e' * 50_000}\n===PHI_TAGS===\n{tags}")
    with pytest.raises(UnreadableFile, match="in too many places"):
        list(read_documents(path))


def test_many_small_values_in_few_bytes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(msgpack, "_MOST", 1000)
    path = save(tmp_path, "a.spacy", zlib.compress(b"\xdd\x00\x00\x10\x00" + b"\xa2hi" * 4096))
    with pytest.raises(UnreadableFile, match="too many values"):
        list(read_documents(path))


def test_a_cluster_may_be_as_long_as_the_text() -> None:
    assert clusters("\U0001f468\u200d" * MANY + "\U0001f468") == [(0, 2 * MANY + 1, 1)]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>Né 😀<br>A &amp; B<BR />C</p>", "Né 😀\nA & B\nC"),
        ("a<!-- <b> -->b<!DOCTYPE x><?php y?>c", "abc"),
        ("<a title='x > y' b=\"<\">z</a>", "z"),
        ("1 < 2 <3 <", "1 < 2 <3 <"),
        ('<img src="data:' + "A" * 5000 + '">x', "x"),
        ('x<a title="y>z', "xz"),
        ("x<!-- never closed", "x"),
        ("x<a never closed", "x"),
        ("<a " * MANY, ""),
        ('<a "' * MANY, ""),
    ],
)
def test_the_text_of_a_page(page: str, text: str) -> None:
    assert html_text(page) == text
