from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from reidrisk.assess import document_jobs
from reidrisk.assess.document_jobs import (
    document_files,
    documents_part,
    findings_of,
    last_document_job,
    run_document_job,
    start_document_job,
)
from reidrisk.assess.document_jobs import (
    document_jobs as jobs_of,
)
from reidrisk.errors import AlreadyRunning, InvalidSetting
from tests.web.documents import PART, write_trial


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return write_trial(tmp_path)


def begin(place: Path, monkeypatch: pytest.MonkeyPatch, task: str) -> Path:
    """A job whose process never starts."""
    with monkeypatch.context() as patched:
        patched.setattr(document_jobs, "start_process", lambda *_, **__: 0)
        name = start_document_job(place, PART, task, by="pia")  # type: ignore[arg-type]
    return next((place / ".reidrisk" / "documents").glob(f"*/{name}"))


def test_a_job_starts_runs_and_is_done(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = begin(place, monkeypatch, "redact")
    state = last_document_job(place, PART)
    assert state is not None
    assert (state.status, state.by, state.task) == ("starting", "pia", "redact")
    with pytest.raises(AlreadyRunning):
        start_document_job(place, PART, "redact")
    assert run_document_job(job) == 0
    state = last_document_job(place, PART, "redact")
    assert state is not None
    assert (state.status, state.out) == ("done", f"published/{PART}-redact")
    assert state.result is not None
    assert state.result["reasons"][0] == "2 of 2 documents written, 16 findings."
    assert last_document_job(place, PART, "detect") is None


def test_nothing_is_overwritten(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outs = []
    for _ in range(2):
        run_document_job(begin(place, monkeypatch, "redact"))
        state = last_document_job(place, PART)
        assert state is not None
        outs.append(state.out)
        time.sleep(1.1)  # jobs are in the order of the second in which they began
    assert outs == [f"published/{PART}-redact", f"published/{PART}-redact-2"]
    assert len(jobs_of(place, PART)) == 2


def test_detection_leaves_the_old_findings_and_their_journals(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (place / "findings.json").read_bytes()
    assert run_document_job(begin(place, monkeypatch, "detect")) == 0
    assert (place / "findings.json").read_bytes() == before
    assert findings_of(documents_part(place, PART)) == Path(place / "findings-2.json")
    assert "# of `document detect`" in (place / "release.yaml").read_text()
    assert document_files(place, PART).findings == Path(place / "findings-2.json")


def test_pages_find_the_files_that_the_whole_release_names(place: Path) -> None:
    part, files = documents_part(place, PART), document_files(place, PART)
    assert files.findings == findings_of(part)
    assert files.findings is not None
    assert files.documents == part.study.document_paths()
    assert [one.name for one in files.documents] == ["csr.pdf", "note.txt"]


@pytest.mark.parametrize(
    "content",
    ["parts: 3", "- a", "parts: [{name: other, kind: documents, study: study.yaml}]"]
    + [f"parts: [{{name: {PART}, {rest}}}]" for rest in ("kind: text", "kind: documents", "study: 3")],
)
def test_pages_of_no_documents_part_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "release.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(InvalidSetting, match="no such documents part"):
        document_files(tmp_path, PART)


def test_a_process_that_ended_without_a_word_is_lost(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = begin(place, monkeypatch, "redact")
    asked = json.loads((job / "job.json").read_text())
    (job / "job.json").write_text(json.dumps({**asked, "started": "2020-01-01T00:00:00+00:00"}))
    state = last_document_job(place, PART)
    assert state is not None
    assert (state.status, state.is_alive) == ("lost", False)


def test_a_job_that_cannot_be_done_says_why(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = begin(place, monkeypatch, "redact")
    (place / "csr.pdf").write_bytes(b"%PDF-1.4 damaged")
    assert run_document_job(job) in (0, 1)
    state = last_document_job(place, PART)
    assert state is not None
    assert state.problem or (state.result is not None and "1 of 2 documents" in state.result["reasons"][0])


def test_wrong_requests_are_refused(place: Path) -> None:
    with pytest.raises(InvalidSetting, match="is not a task"):
        start_document_job(place, PART, "erase")  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="no such documents part"):
        documents_part(place, "other")
    assert jobs_of(place, "other") == ()
