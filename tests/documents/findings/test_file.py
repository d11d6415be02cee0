from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.findings.file import read_findings, write_findings
from reidrisk.documents.findings.finding import Decision, DocumentFinding, DocumentFindings, Review
from reidrisk.errors import InvalidSetting, ReidRiskError, UnreadableFile

HIDDEN = "Wilhelmina"
FOUND = (
    DocumentFinding("page 1", 3, 13, "NAME", 0.9312, "model", (2, 5), "NAME", "12.3.2"),
    DocumentFinding("page 2", 0, 4, "AGE", 1.0, "known:AGE", (), None, None, "CCI"),
)
DOCUMENT = DocumentFindings("csr.pdf", "a" * 64, ("page 1", "page 2"), FOUND, ("Scanned: page 2.",))
REVIEW = Review(
    "anna",
    "2026-03-01T09:30:00Z",
    (
        Decision("csr.pdf", "page 1", 3, 13, "accept"),
        Decision("csr.pdf", "page 2", 7, 9, "add", "DATE", "RFSTDTC", (3,)),
    ),
    (("csr.pdf", "page 1"),),
)


def written(path: Path, **more: Any) -> Path:
    write_findings(path, [DOCUMENT], settings={"study": "study.yaml"}, **more)
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    found = read_findings(written(tmp_path / "findings.json", reviews=[REVIEW]))
    assert found.documents == (DOCUMENT,)
    assert found.reviews == (REVIEW,)
    assert found.settings == {"study": "study.yaml"}
    assert found.document("csr.pdf") == DOCUMENT
    assert found.document("other.pdf") is None
    assert not found.texts


def test_texts_stand_in_it_only_if_given(tmp_path: Path) -> None:
    name = FOUND[0].name_in("csr.pdf")
    shown = written(tmp_path / "shown.json", texts={name: HIDDEN})
    assert HIDDEN not in written(tmp_path / "findings.json").read_text()
    assert read_findings(shown).texts == {name: HIDDEN}
    assert HIDDEN not in repr(read_findings(shown))


places = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), max_size=6)


@given(
    places=places,
    kind=st.text(min_size=1, max_size=8),
    confidence=st.integers(0, 10_000).map(lambda n: n / 1e4),
)
def test_any_findings_come_back(
    tmp_path_factory: pytest.TempPathFactory,
    places: list[tuple[int, int]],
    kind: str,
    confidence: float,
) -> None:
    at, found = 0, []
    kind = kind.encode("utf-8", "replace").decode()
    for gap, length in places:
        found.append(DocumentFinding("body", at + gap, at + gap + length, kind, confidence, "model"))
        at += gap + length
    document = DocumentFindings("a.docx", "0" * 64, ("body",), tuple(found))
    path = tmp_path_factory.mktemp("made") / "findings.json"
    write_findings(path, [document], settings={})
    assert read_findings(path).documents == (document,)


def first(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["documents"][0]["findings"][0]
    return found


SPOILED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "another kind": (lambda c: c.update(kind="text_risk"), "holds no findings"),
    "a later schema": (lambda c: c.update(schema=2), "schema 1"),
    "no documents": (lambda c: c.pop("documents"), "documents is missing"),
    "an unknown name": (lambda c: c.update(more=1), "'more'"),
    "a start that is text": (lambda c: first(c).update(start="3"), "findings[1].start is not a whole number"),
    "a start that is true": (
        lambda c: first(c).update(start=True),
        "findings[1].start is not a whole number",
    ),
    "an end before the start": (lambda c: first(c).update(end=2), "findings[1] makes no sense"),
    "a confidence of 2": (lambda c: first(c).update(confidence=2), "findings[1].confidence"),
    "a block of its own": (lambda c: first(c).update(block="page 9"), "none of the document's blocks"),
    "another place": (lambda c: first(c).update(start=4), "findings[1].id does not fit"),
    "another category": (lambda c: first(c).update(category="X"), "neither PPD nor CCI"),
    "a participant 0": (lambda c: first(c).update(subjects=[0]), "from 1"),
    "no hash": (lambda c: c["documents"][0].update(sha256="x"), "no SHA-256"),
    "a document twice": (lambda c: c["documents"].append(c["documents"][0]), "twice"),
    "a finding twice": (lambda c: c["documents"][0]["findings"].append(first(c)), "overlap in page 1"),
    "an action": (lambda c: c["reviews"][0]["decisions"][0].update(action="keep"), "none of accept"),
    "a review of nothing": (
        lambda c: c["reviews"][0]["decisions"][0].update(document="b"),
        "none of the documents",
    ),
    "an accepted type": (lambda c: c["reviews"][0]["decisions"][0].update(type="NAME"), "makes no sense"),
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_file_is_refused_by_place(tmp_path: Path, how: str) -> None:
    spoil, said = SPOILED[how]
    name = FOUND[0].name_in("csr.pdf")
    path = written(tmp_path / "findings.json", reviews=[REVIEW], texts={name: HIDDEN})
    content = json.loads(path.read_text())
    spoil(content)
    path.write_text(json.dumps(content))
    with pytest.raises(UnreadableFile) as refused:
        read_findings(path)
    assert said in str(refused.value)
    assert HIDDEN not in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "findings.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="not a JSON file"):
        read_findings(path)
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_findings(tmp_path / "absent.json")


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match=r"csr\.pdf"):
        write_findings(tmp_path / "findings.json", [DOCUMENT, DOCUMENT], settings={})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Decision("a", "b", 0, 1, "keep"),  # type: ignore[arg-type]
        lambda: Decision("a", "b", 2, 1, "accept"),
        lambda: Decision("a", "b", 0, 1, "add"),
        lambda: Decision("a", "b", 0, 1, "reject", "NAME"),
        lambda: Review(" ", "2026-03-01"),
    ],
)
def test_decisions_that_make_no_sense_are_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(ReidRiskError, match="Hint"):
        wrong()
