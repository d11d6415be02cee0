"""`reidrisk document detect` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.documents.findings.file import read_findings
from tests.cli.running import Run
from tests.documents.detection.test_detect import NARRATIVES
from tests.documents.study.builders import YAML, write_study


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = write_study(tmp_path)
    (tmp_path / "csr.txt").write_text(NARRATIVES)
    return path


def test_the_documents_of_a_study_become_findings(command: Run, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "findings.json"
    code, said, _ = command("document", "detect", "--study", study, "--out", out, "--json", "-")
    result = json.loads(said)
    assert code == 0
    assert (result["kind"], result["findings"], result["mentioned"]) == ("document_detection", 21, 2)
    assert result["by_section"] == [{"name": "12.3.2", "findings": 21, "mentioned": 2}]
    assert [row["document"] for row in result["documents"]] == ["csr.txt"]
    file = read_findings(out)
    assert len(file.documents[0].findings) == 21
    assert file.texts == {}
    assert "0104" not in said + out.read_text()
    assert "Germany" not in said + out.read_text()


def test_texts_are_written_only_if_asked_for(command: Run, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "findings.json"
    assert command("document", "detect", "--study", study, "--out", out, "--show-text", "--quiet") == (
        0,
        "",
        "",
    )
    texts = read_findings(out).texts
    assert len(texts) == 21
    assert "DEMO-301-01-0104" in texts.values()


def test_a_document_that_cannot_be_read_does_not_stop_the_others(
    command: Run, study: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 and nothing more")
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG")
    names = [tmp_path / name for name in ("empty.pdf", "csr.txt", "broken.docx", "picture.txt")]
    out = tmp_path / "findings.json"
    code, said, _ = command("document", "detect", *names, "--study", study, "--out", out)
    assert code == 1
    assert [one.document for one in read_findings(out).documents] == ["csr.txt"]
    for name in ("empty.pdf", "broken.docx", "picture.txt"):
        assert name in said


def test_values_of_a_file_are_found_without_a_study(command: Run, tmp_path: Path) -> None:
    (tmp_path / "values.txt").write_text("XK-4711\n")
    (tmp_path / "note.txt").write_text("Lot XK-4711.")
    out = tmp_path / "findings.json"
    code, _, _ = command(
        "document",
        "detect",
        tmp_path / "note.txt",
        "--values",
        tmp_path / "values.txt",
        "--model",
        "none",
        "--out",
        out,
    )
    (document,) = read_findings(out).documents
    assert code == 0
    assert "known:value" in {one.source for one in document.findings}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "Name documents, or a study"),
        (["csr.txt", "--set", "mode=redact"], "It knows: plugin, rules"),
    ],
)
def test_wrong_usage_is_told(command: Run, tmp_path: Path, given: list[str], said: str) -> None:
    (tmp_path / "csr.txt").write_text("Nothing to see.", encoding="utf-8")
    words = [tmp_path / word if word == "csr.txt" else word for word in given]
    code, _, output = command("document", "detect", *words, "--out", tmp_path / "out.json")
    assert code == 2
    assert said in output


def test_a_proposed_schema_is_said_and_every_view_is_drawn(tmp_path: Path) -> None:
    start, rest = YAML.split("schema:\n")
    write_study(tmp_path, yaml=start + rest[rest.index("documents:") :])
    (tmp_path / "csr.txt").write_text(NARRATIVES)
    settings = rr.DetectSettings(model=None, rules="none")
    result = rr.detect_documents(study=rr.read_study(tmp_path / "study.yaml"), settings=settings)
    shown = str(result)
    assert "proposed from their CDISC names" in shown
    assert "people who are not in adsl" in shown
    assert "12.3.2" in shown
    assert "By variable" in result._repr_html_()
    assert "0104" not in shown + result._repr_html_() + repr(result)
    assert result.plot() is not None
