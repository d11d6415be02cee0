"""The page of texts: figures are those of the command line, and no text is shown or logged by accident."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.assess.kinds.text import TextPart
from reidrisk.assess.release_file import read_release
from reidrisk.core.trail import read_trail
from reidrisk.report.blocks.text_counts import recall_by_type
from reidrisk.report.kinds import text_what_if
from tests.cli.running import Run, runner
from tests.web.conftest import DEMO
from tests.web.serving import Client, client_of

PAGE = f"/r/{DEMO}/text/notes"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


def notes(folder: Path) -> TextPart:
    part = read_release(folder / DEMO / "release.yaml").parts[0]
    assert isinstance(part, TextPart)
    return part


@pytest.fixture
def own(own_releases: Path) -> Iterator[Client]:
    """A client on a copy of the demo's release, with a second tool that misses less."""
    folder = own_releases / DEMO
    gold = {one["doc_id"]: one for one in map(json.loads, (folder / "gold.jsonl").read_text().splitlines())}
    lines = []
    for at, line in enumerate((folder / "tool.jsonl").read_text().splitlines()):
        found = json.loads(line)
        if at % 2:
            marks = gold[found["doc_id"]]["entities"]
            found["entities"] = [{"start": one["start"], "end": one["end"], "type": "X"} for one in marks]
        lines.append(json.dumps(found))
    (folder / "second.jsonl").write_text("\n".join(lines) + "\n")
    with client_of(own_releases, "Ada") as client:
        yield client


def text_of(client: Client, url: str, **options: Any) -> str:
    answer = client.get(url, **options)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def test_the_page_shows_the_figures_of_the_stored_result(client: Client, demo_releases: Path) -> None:
    shown = text_of(client, PAGE)
    place = demo_releases / DEMO / "assessment" / "parts" / "notes" / "result.json"
    result = json.loads(place.read_text())
    for sentence in result["reasons"]:
        assert sentence in shown
    for row in recall_by_type(result).rows:
        assert all(cell.strip() in shown for cell in row)
    assert shown.count("As table") >= 4
    assert shown.count("<b>What to do.</b>") == 4


def test_the_part_leads_to_its_page(client: Client) -> None:
    assert client.get(f"/r/{DEMO}/part/notes").headers["location"] == PAGE


def test_what_if_has_the_figures_of_the_command(
    client: Client, demo_releases: Path, run: Run, tmp_path: Path
) -> None:
    part = demo_releases / DEMO / "assessment" / "parts" / "notes"
    words = ("--recall", "NAME=0.99", "--recall", "DATE=0.5", "--recognition", "0.3")
    assert run("text", "what-if", part, *words, "--json", tmp_path / "r.json")[0] == 0
    result = json.loads((tmp_path / "r.json").read_text())
    asked = {"recall.NAME": "0.99", "recall.DATE": "0.5", "recognition": "0.3"}
    shown = text_of(client, f"{PAGE}/what-if/answer", params=asked)
    assert "What if, not a verdict" in shown
    for sentence in (*result["reasons"], *result["warnings"]):
        assert sentence in shown
    tables = [text_what_if.risks(result), text_what_if.recalls(result)]
    for table in tables:
        assert table is not None
        for row in table.rows:
            assert all(cell in shown for cell in row)


def test_the_sliders_stand_where_the_tool_is(client: Client, demo_releases: Path) -> None:
    shown = text_of(client, f"{PAGE}/what-if")
    found = rr.text_what_if(demo_releases / DEMO / "assessment" / "parts" / "notes").to_dict()
    for one in found["types"]:
        assert f'data-name="recall.{one["type"]}"' in shown
        assert f'value="{one["recall"]}"' in shown
    assert f'value="{found["recognition"]["before"]}" data-name="recognition"' in shown


@pytest.mark.parametrize(
    "asked",
    [
        {"recall.NAME": "1.5"},
        {"recall.NAME": "-0.1"},
        {"recall.NAME": "nan"},
        {"recall.NAME": "much"},
        {"recall.NOBODY": "0.5"},
        {"recognition": "2"},
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(client: Client, asked: dict[str, str]) -> None:
    answer = client.get(f"{PAGE}/what-if/answer", params=asked, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_leaks_are_places_without_text(client: Client, demo_releases: Path) -> None:
    found = notes(demo_releases).leaks()
    shown = text_of(client, f"{PAGE}/leaks")
    assert f"{len(found):,} leaks" in shown
    texts = {one["doc_id"]: one["text"] for one in map(json.loads, gold_lines(demo_releases))}
    for leak in found.leaks[:25]:
        assert f"{leak.start} to {leak.end}" in shown
        assert leak.text is None
        assert leak.document not in shown
        leaked = texts[leak.document][leak.start : leak.end]
        assert len(leaked) < 5 or leaked not in shown
    last = text_of(client, f"{PAGE}/leaks?page=9999")
    assert f"{found.leaks[-1].start} to {found.leaks[-1].end}" in last
    assert "Next" not in last


def gold_lines(folder: Path) -> list[str]:
    return (folder / DEMO / "gold.jsonl").read_text().splitlines()


def test_the_text_of_a_leak_needs_a_click_which_is_logged_without_it(own: Client, own_releases: Path) -> None:
    folder = own_releases / DEMO
    before = len(read_trail(folder).entries)
    leak = notes(own_releases).leaks().leaks[3]
    texts = {one["doc_id"]: one["text"] for one in map(json.loads, gold_lines(own_releases))}
    leaked = texts[leak.document][leak.start : leak.end]
    answer = own.post(f"{PAGE}/leaks/3")
    assert answer.status_code == 200
    shown = unescape(answer.text)
    for word in leaked.split():
        assert word in shown
    entries = read_trail(folder).entries[before:]
    assert [one["command"] for one in entries] == ["serve: show the text of leak 4 of notes"]
    assert entries[0]["name"] == "Ada"
    assert leaked not in json.dumps(entries)
    assert own.get(f"{PAGE}/leaks/3").status_code == 405
    assert own.post(f"{PAGE}/leaks/3", headers={"X-CSRF-Token": "wrong"}).status_code == 403
    assert own.post(f"{PAGE}/leaks/99999").status_code == 404
    assert own.post(f"{PAGE}/leaks/-1").status_code == 404


def test_the_context_of_a_leak_is_its_text_with_what_was_masked(demo_releases: Path) -> None:
    part = notes(demo_releases)
    texts = {one["doc_id"]: one["text"] for one in map(json.loads, gold_lines(demo_releases))}
    for number in (0, 1, 7):
        found = part.leaks(context_of=number)
        leak, context = found.leaks[number], found.context
        assert context is not None
        whole = texts[leak.document]
        assert "".join(text for text, _ in context.pieces) == whole[leak.start : leak.end]
        assert context.before == whole[max(leak.start - 120, 0) : leak.start]
        assert whole[leak.end :].startswith(context.after)
        masked = sum(end - start for start, end in leak.masked)
        assert sum(len(text) for text, is_masked in context.pieces if is_masked) == masked


def test_two_tools_are_compared_in_the_words_of_the_library(own: Client, own_releases: Path) -> None:
    assert "second.jsonl" in text_of(own, PAGE)
    shown = text_of(own, f"{PAGE}/compare", params={"tool": "second.jsonl"})
    release = read_release(own_releases / DEMO / "release.yaml")
    part = notes(own_releases)
    found = part.compare_with({"second.jsonl": "second.jsonl"}, release.score, seed=release.seed).to_dict()
    for sentence in found["reasons"]:
        assert sentence in shown
    assert "second.jsonl is safer than notes" in " ".join(found["reasons"])
    assert own.get(f"{PAGE}/compare", params={"tool": "../../secret.jsonl"}).status_code == 404


def test_a_part_that_was_not_measured_says_what_to_do(own: Client, own_releases: Path) -> None:
    shutil.rmtree(own_releases / DEMO / "assessment")
    assert "not measured yet" in text_of(own, PAGE)
    refused = own.get(f"{PAGE}/what-if", headers={"HX-Request": "true"})
    assert refused.status_code == 422
    assert "reidrisk text evaluate" in unescape(refused.text)


@pytest.mark.parametrize("part", ["demographics", "released", "nobody", "%252e%252e"])
def test_other_parts_have_no_text_page(client: Client, part: str) -> None:
    for rest in ("", "/what-if", "/what-if/answer", "/leaks", "/compare?tool=x"):
        assert client.get(f"/r/{DEMO}/text/{part}{rest}").status_code == 404


def test_damaged_documents_are_a_problem_with_a_hint_and_no_text(own: Client, own_releases: Path) -> None:
    (own_releases / DEMO / "tool.jsonl").write_text('{"doc_id": "Qanary')
    answer = own.get(f"{PAGE}/leaks", headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "Qanary" not in answer.text
    assert "tool.jsonl" in answer.text
    assert str(own_releases) not in answer.text
