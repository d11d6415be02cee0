"""A text part with too few documents to decide, with clusters, or with counts only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.assess.state import release_state
from reidrisk.core.wording import UNDECIDED
from reidrisk.errors import ReidRiskError
from reidrisk.report.documents.opening import plain_sentence
from reidrisk.report.views import draw
from tests.assess.builders import write_data, write_file
from tests.text.test_observed import COUNTS

NOTES = {"name": "notes", "kind": "text", "gold": "gold.jsonl", "tool": "tool.jsonl"}


def assessed(folder: Path, part: dict[str, Any], *, leaky: int = 0) -> dict[str, Any]:
    write_data(folder, leaky=leaky)
    (folder / "counts.csv").write_text(COUNTS, encoding="utf-8")
    path = write_file(folder, parts=[{"name": "notes", "kind": "text"} | part])
    return rr.assess(path).to_dict()


def test_a_part_without_a_leak_is_undecided_and_says_how_many_documents_would_do(tmp_path: Path) -> None:
    result = assessed(tmp_path, NOTES)
    judged = result["parts"][0]["judged"]
    assert (judged["acceptable"], judged["decision"]) == (False, "undecided")
    assert judged["documents_needed"]["if_nothing_more_leaks"] == 41
    assert result["acceptable"] is False
    assert "too few documents to decide: 41 would do if nothing more leaks" in result["verdict"]["sentence"]
    assert any("too few documents to decide: 41" in one["text"] for one in result["reasons"])
    more = [one for one in result["remedies"] if "41 documents would do" in one["text"]]
    assert more[0]["acceptable_after"] is None
    assert f"{UNDECIDED.upper()}: 41 WOULD DO" in draw(result, "terminal")
    said = 'yet: too few documents were examined to decide about "notes".'
    assert plain_sentence(result).endswith(said)


def test_the_state_of_a_release_calls_the_part_undecided(tmp_path: Path) -> None:
    write_data(tmp_path, leaky=0)
    write_file(tmp_path, parts=[NOTES])
    rr.assess(tmp_path / "release.yaml", out=tmp_path / "assessment")
    state = release_state(tmp_path)
    assert (state.verdict, state.parts[0].verdict) == ("not_acceptable", "undecided")
    assert "notes: undecided" in str(state)


def test_clusters_and_their_settings_in_a_release_file(tmp_path: Path) -> None:
    part = NOTES | {"cluster": r"^d(\d)", "settings": {"cluster_max": 15, "strata": r"^(d)"}}
    result = assessed(tmp_path, part, leaky=3)["parts"][0]["result"]
    assert result["clusters"]["number"] == 10
    assert result["settings"]["cluster"] == r"id:^d(\d)"
    assert result["strata"][0]["documents"] == 20


def test_a_part_with_counts_only(tmp_path: Path) -> None:
    result = assessed(tmp_path, {"counts": "counts.csv"})
    part = result["parts"][0]
    assert part["result"]["direct"]["high"] == pytest.approx(0.08314872, abs=1e-8)
    assert part["result"]["quasi"]["interval"] == "parameter"
    assert any("Only counts are known" in text for text in part["result"]["warnings"])
    assert [one["path"] for one in part["inputs"]] == ["counts.csv"]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"gold": "gold.jsonl"}, "needs the setting 'tool'"),
        ({}, "needs the setting 'gold'"),
        ({"counts": "counts.csv", "tool": "tool.jsonl"}, "needs documents"),
        ({"counts": "counts.csv", "cluster": "folder"}, "needs documents"),
    ],
)
def test_what_a_text_part_needs(tmp_path: Path, part: dict[str, Any], said: str) -> None:
    with pytest.raises(ReidRiskError, match=said):
        assessed(tmp_path, part)
