"""The document page without a browser: what it answers, refuses, logs and writes."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from reidrisk.assess.document_jobs import documents_part
from reidrisk.cli.main import run
from reidrisk.core.trail import read_trail
from reidrisk.documents.findings.file import read_findings
from reidrisk.documents.findings.journal import journal_path
from tests.web.documents import DAY, PAGES, PART, PERSON, RELEASE, write_trial
from tests.web.serving import Client, client_of

BASE = f"/r/{RELEASE}/document/{PART}"
PDF, NOTE = {"document": "csr.pdf"}, {"document": "note.txt"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return write_trial(tmp_path / "releases")


@pytest.fixture
def anna(place: Path) -> Client:
    client = client_of(place.parent, "anna")
    assert client.post(f"{BASE}/show", params=PDF).status_code == 200
    return client


def get(client: Client, what: str, **more: Any) -> Any:
    answer = client.get(f"{BASE}/{what}", params={**PDF, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def decide(client: Client, *lines: dict[str, Any]) -> Any:
    return client.post(f"{BASE}/decide", params=PDF, json={"lines": list(lines)})


def line(number: int, action: str, one: dict[str, Any], block: str = "page 1", **more: Any) -> dict[str, Any]:
    place = {"block": block, "start": one["start"], "end": one["end"]}
    return {"id": f"line-{number:04}", "action": action, **place, **more}


def command(place: Path, *words: str) -> dict[str, Any]:
    """The JSON of the command line."""
    target = place.parent / "result.json"
    with suppress(SystemExit):
        run([*words, "--json", str(target), "--quiet"])
    found: dict[str, Any] = json.loads(target.read_text())
    return found


def test_pages_are_hidden_until_a_click_that_is_logged_once(place: Path) -> None:
    client = client_of(place.parent, "anna")
    for what in ("picture", "boxes", "same"):
        answer = client.get(f"{BASE}/{what}", params={**PDF, "block": "page 1", "id": "0" * 12})
        assert answer.status_code == 422
        assert answer.json()["problem"] == "The pages are hidden."
    assert client.post(f"{BASE}/within", params={**PDF, "block": "page 1"}, json={}).status_code == 422
    for _ in range(2):
        assert client.post(f"{BASE}/show", params=PDF).status_code == 200
    (entry,) = read_trail(place).entries
    assert (entry["name"], entry["command"]) == ("anna", f"serve: show pages of csr.pdf of {PART}")
    picture = client.get(f"{BASE}/picture", params={**PDF, "block": "page 1", "scale": 1})
    assert picture.headers["content-type"] == "image/png"
    other = client_of(place.parent, "ben")
    assert other.get(f"{BASE}/picture", params={**PDF, "block": "page 1"}).status_code == 422
    assert client.get(f"{BASE}/boxes", params={**NOTE, "block": "text"}).status_code == 422


def test_boxes_have_places_and_no_text(anna: Client) -> None:
    found = get(anna, "boxes", block="page 1")
    assert [one["type"] for one in found["findings"]] == ["NAME", "DATE", "ID"]
    assert all(len(one["boxes"]) == 1 and len(one["boxes"][0]) == 4 for one in found["findings"])
    assert "text" not in found
    text = json.dumps(found) + json.dumps(get(anna, "pages"))
    assert PERSON not in text
    assert DAY not in text


def test_a_text_is_shown_in_pieces_with_its_findings(anna: Client, place: Path) -> None:
    assert anna.post(f"{BASE}/show", params=NOTE).status_code == 200
    items = anna.get(f"{BASE}/items", params=NOTE).json()["items"]
    assert [one["block"] for one in items] == ["text"]
    part = {key: items[0][key] for key in ("block", "start", "end")}
    found = anna.get(f"{BASE}/boxes", params={**NOTE, **part}).json()
    whole = (place / "note.txt").read_text()
    assert found["text"] == whole
    assert [whole[one["start"] : one["end"]] for one in found["findings"]] == [PERSON, DAY, "W-01"]
    assert anna.get(f"{BASE}/picture", params={**NOTE, "block": "text"}).status_code == 422


def test_decisions_are_on_the_disk_and_what_the_command_line_reads(anna: Client, place: Path) -> None:
    found = get(anna, "boxes", block="page 1")["findings"]
    first = [
        line(1, "accept", found[0]),
        line(2, "reject", found[1]),
        line(3, "retype", found[2], type="CCI"),
    ]
    assert decide(anna, *first).json() == {"saved": 3, "new": 3}
    assert decide(anna, *first).json() == {"saved": 3, "new": 0}
    assert decide(anna, {"id": "line-0004", "action": "undo", "of": "line-0002"}).status_code == 200
    assert decide(anna, {"id": "line-0005", "action": "seen", "block": "page 2"}).status_code == 200
    told = command(place, "document", "review", str(place / "findings.json"))
    assert told["reviewers"] == [
        {"reviewer": "anna", "accept": 1, "reject": 0, "retype": 1, "add": 0, "pages": 1}
    ]
    pages = get(anna, "pages")["pages"]
    assert sum(one["findings"] for one in pages) == 2 * PAGES + 1
    assert sum(one["decided"] for one in pages) == told["findings"] - told["decided"]["open"]
    assert [one["decided"] for one in pages[:3]] == [2, 2, 0]
    shown = get(anna, "boxes", block="page 1")["findings"]
    assert [(one["action"], one["new_type"]) for one in shown] == [
        ("accept", None),
        (None, None),
        ("retype", "CCI"),
    ]
    assert "findings.reviews/anna.jsonl" in documents_part(place, PART).sources()
    lines = journal_path(place / "findings.json", "anna").read_text()
    assert PERSON not in lines


def test_the_summary_has_the_figures_of_the_command_line(anna: Client, place: Path) -> None:
    found = get(anna, "boxes", block="page 1")["findings"]
    decide(anna, *(line(number, "reject", one) for number, one in enumerate(found)))
    told = command(place, "document", "review", str(place / "findings.json"))
    answer = anna.get(f"{BASE}/summary")
    assert answer.status_code == 200
    assert told["reasons"][0] in answer.text
    assert str(place.parent) not in answer.text
    assert told["decided"]["rejected"] == 3
    row = anna.get(BASE).text
    assert f"3 of {2 * PAGES + 1}" in row


def test_reviewers_are_blind_until_both_have_finished(anna: Client, place: Path) -> None:
    ben = client_of(place.parent, "ben")
    ben.post(f"{BASE}/show", params=PDF)
    found = get(anna, "boxes", block="page 1")["findings"]
    decide(anna, line(1, "accept", found[0]), line(2, "accept", found[1]))
    decide(ben, line(1, "reject", found[0]), line(2, "accept", found[1]))
    assert get(ben, "boxes", block="page 1")["findings"][0]["action"] == "reject"
    assert get(ben, "pages")["differences"] == 0
    assert ben.get(f"{BASE}/summary").status_code == 404
    assert "has not finished yet" in ben.get(BASE).text
    for client in (anna, ben):
        assert client.post(f"{BASE}/finish", data={}).status_code == 303
    pages = get(ben, "pages", differ=True)
    told = command(place, "document", "review", str(place / "findings.json"))
    assert pages["differing"] == [one["id"] for one in told["conflicts"]] == [found[0]["id"]]
    assert get(ben, "boxes", block="page 1")["findings"][0]["opinions"] == {"anna": "NAME", "ben": None}
    summary = ben.get(f"{BASE}/summary").text
    assert f"{told['agreement']['kappa']:.2f}" in summary
    assert read_findings(place / "findings.json").finished == ("anna", "ben")
    ben.post(f"{BASE}/finish", data={"again": "true"})
    assert get(ben, "pages")["differences"] == 0
    assert [one["command"] for one in read_trail(place).entries if "review" in one["command"]] == [
        "serve: review finished",
        "serve: review finished",
        "serve: review goes on",
    ]


def test_the_same_value_is_decided_everywhere_and_taken_back_at_once(anna: Client, place: Path) -> None:
    one = get(anna, "boxes", block="page 3")["findings"][0]
    same = {"ready": False}
    while not same["ready"]:
        same = get(anna, "same", id=one["id"])
    assert (same["count"], same["pages"]) == (PAGES, PAGES)
    asked = {"id": "group-0001", "action": "reject", "everywhere": one["id"]}
    assert decide(anna, asked).json()["new"] == PAGES
    assert decide(anna, asked).json()["new"] == 0
    assert [page["decided"] for page in get(anna, "pages")["pages"]] == [1] * PAGES
    told = command(place, "document", "review", str(place / "findings.json"))
    assert told["decided"]["rejected"] == PAGES
    assert decide(anna, {"id": "group-0002", "action": "undo", "group": "group-0001"}).json()["new"] == PAGES
    assert [page["decided"] for page in get(anna, "pages")["pages"]] == [0] * PAGES


def test_words_in_a_rectangle_or_as_typed_become_findings(anna: Client) -> None:
    def spans(**what: Any) -> list[dict[str, Any]]:
        answer = anna.post(f"{BASE}/within", params={**PDF, "block": "page 2"}, json=what)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["spans"]
        return found

    (typed,) = spans(words="Hidden  Person")
    assert spans(box=typed["boxes"][0]) == [typed]
    assert decide(anna, line(1, "add", typed, "page 2", type="NAME")).json()["new"] == 1
    added = [one for one in get(anna, "boxes", block="page 2")["findings"] if one["source"] == "reviewer"]
    assert [(one["start"], one["type"], one["action"]) for one in added] == [(typed["start"], "NAME", "add")]
    assert get(anna, "pages")["pages"][1]["added"] == 1
    wrong: tuple[Any, ...] = (
        {"words": "not there"},
        {"words": " "},
        {"box": [1, 2, 3]},
        {"box": [1, 2, "x", 4]},
        {},
        [],
    )
    for what in wrong:
        answer = anna.post(f"{BASE}/within", params={**PDF, "block": "page 2"}, json=what)
        assert answer.status_code == 422


def test_filters_count_on_the_server_as_the_page_shows(anna: Client) -> None:
    def counts(**only: Any) -> list[int]:
        return [one["findings"] for one in get(anna, "pages", **only)["pages"]]

    assert counts(type="DATE") == [1] + [0] * (PAGES - 1)
    assert counts(source="known") == [1] * PAGES
    assert counts(subject=3) == [1] * PAGES
    kinds = get(anna, "pages")["kinds"]
    assert {one["value"]: one["findings"] for one in kinds["types"]} == {
        "NAME": PAGES,
        "ID": PAGES,
        "DATE": 1,
    }


def test_a_document_that_changed_is_not_shown_with_old_boxes(anna: Client, place: Path) -> None:
    get(anna, "boxes", block="page 1")
    with (place / "csr.pdf").open("ab") as file:
        file.write(b"\n% more\n")
    for what in ("pages", "boxes"):
        answer = anna.get(f"{BASE}/{what}", params={**PDF, "block": "page 1"})
        assert answer.status_code == 422
        assert "has changed" in answer.json()["problem"]
        assert "Detect again" in answer.json()["hint"]
    page = anna.get(BASE)
    assert page.status_code == 200
    assert "This file has changed since its findings were made" in page.text


def test_only_reviewers_decide_and_only_preparers_run(place: Path) -> None:
    preparer = client_of(place.parent, "pia", ("preparer",))
    reviewer = client_of(place.parent, "rob", ("reviewer",))
    preparer.post(f"{BASE}/show", params=PDF)
    one = get(preparer, "boxes", block="page 1")["findings"][0]
    assert decide(preparer, line(1, "accept", one)).status_code == 403
    assert preparer.post(f"{BASE}/finish", data={}).status_code == 403
    assert reviewer.post(f"{BASE}/work", data={"task": "redact"}).status_code == 403
    assert not journal_path(place / "findings.json", "pia").exists()


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [1],
        [{"id": "x", "action": "accept"}],
        [{"id": "line-0001", "action": "accept", "block": "page 1", "start": 0, "end": 1}],
        [{"id": "line-0001", "action": "add", "block": "page 99", "start": 0, "end": 1, "type": "NAME"}],
        [{"id": "line-0001", "action": "add", "block": "page 1", "start": 5, "end": 1, "type": "NAME"}],
        [{"id": "line-0001", "action": "undo", "of": "line-9999"}],
        [{"id": "line-0001", "action": "erase"}],
        [{"id": "line-0001", "action": "finish"}] * 501,
    ],
)
def test_decisions_that_make_no_sense_are_refused_whole(anna: Client, place: Path, lines: list[Any]) -> None:
    answer = anna.post(f"{BASE}/decide", params=PDF, json={"lines": lines})
    assert answer.status_code == 422
    assert not journal_path(place / "findings.json", "anna").exists()


def test_other_requests_that_make_no_sense_are_refused(anna: Client) -> None:
    for what, given in (
        ("picture", {"document": "../release.yaml", "block": "page 1"}),
        ("picture", {"document": "adsl.csv", "block": "page 1"}),
        ("file", {"document": "../../release.yaml"}),
        ("review", {"document": "my.key"}),
    ):
        assert anna.get(f"{BASE}/{what}", params=given).status_code == 404
    blocks: tuple[dict[str, Any], ...] = (
        {"block": "page 0"},
        {"block": "x" * 301},
        {"block": "page 1", "scale": 900},
    )
    for more in blocks:
        assert anna.get(f"{BASE}/picture", params={**PDF, **more}).status_code == 422
    assert anna.post(f"{BASE}/decide", params=PDF, content=b"[" * 100_000).status_code == 422
    assert anna.post(f"{BASE}/decide", params=PDF, content=b" " * 2**21).status_code == 422
    assert anna.post(f"{BASE}/work", data={"task": "erase"}).status_code == 404
    assert anna.get(f"/r/{RELEASE}/document/other").status_code == 404


def test_a_name_of_a_reviewer_on_the_own_machine(place: Path) -> None:
    client = client_of(place.parent)
    assert client.post(f"{BASE}/name", data={"name": "  Anna   Roth "}).status_code == 303
    assert "You review as <b>Anna Roth</b>" in client.get(BASE).text
    answer = client.post(f"{BASE}/name", data={"name": "   "})
    assert answer.status_code == 422
    assert "A reviewer needs a name" in answer.text


def finished(client: Client, task: str) -> str:
    assert client.post(f"{BASE}/work", data={"task": task}).status_code == 303
    end = time.monotonic() + 120
    while time.monotonic() < end:
        text: str = client.get(f"{BASE}/work").text
        if "hx-trigger" not in text:
            return text
        time.sleep(0.3)
    raise AssertionError("the work did not end")


def test_detection_redaction_and_proof_as_on_the_command_line(tmp_path: Path) -> None:
    place = write_trial(tmp_path / "releases", detected=False)
    client = client_of(place.parent, "pia")
    assert "Nothing was detected yet" in client.get(BASE).text
    assert "Finished" in finished(client, "detect")
    assert "findings: findings.json" in (place / "release.yaml").read_text()
    assert (place / "release.yaml").read_text().startswith("# What is released.")
    assert "Finished" in finished(client, "redact")
    page = client.get(BASE).text
    words = ("--study", str(place / "study.yaml"), "--findings", str(place / "findings.json"))
    told = command(place, "document", "anonymize", *words, "--out", str(tmp_path / "out"))
    stored = [json.loads(one.read_text()) for one in (place / ".reidrisk").glob("documents/*/*/result.json")]
    made = next(one for one in stored if one["kind"] == "document_anonymization")
    for name in ("findings", "acceptable", "reasons"):
        assert made[name] == told[name]
    assert told["reasons"][0] in page
    for name in ("csr.pdf", "note.txt"):
        given = client.get(f"{BASE}/file", params={"document": name})
        assert given.status_code == 200
        assert given.headers["content-disposition"].startswith("attachment")
    assert PERSON.encode() not in client.get(f"{BASE}/file", params=NOTE).content
    assert {"document detect", "document anonymize"} <= {one["command"] for one in read_trail(place).entries}


def test_nothing_of_a_patient_is_in_the_overview_or_the_log(anna: Client, place: Path) -> None:
    found = get(anna, "boxes", block="page 1")["findings"]
    decide(anna, line(1, "accept", found[0]))
    for text in (
        anna.get(BASE).text,
        anna.get(f"{BASE}/review", params=PDF).text,
        (place / ".reidrisk" / "log.jsonl").read_text(),
    ):
        assert PERSON not in text
        assert DAY not in text
