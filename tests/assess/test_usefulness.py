from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.csv as pc
import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting
from reidrisk.report.page import page
from tests.tables.utility.trials import patients

UTILITY: dict[str, Any] = {
    "queries": {"age": "SELECT avg(middle(age)) AS a FROM data"},
    "models": ["cost ~ age, sex", {"target": "died", "features": ["age"]}],
    "limits": {"query": 0.1, "model": 0.0},
}


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pc.write_csv(patients(300), "original.csv")


def release(utility: Any) -> dict[str, Any]:
    part = {
        "name": "made",
        "kind": "table",
        "table": "original.csv",
        "deidentify": True,
        "quasi": ["age", "sex"],
        "direct": {"zip": "drop"},
        "hierarchies": {"age": {"kind": "number", "levels": [{"width": 20}, {"width": 40}]}},
        "out": "made.csv",
        "utility": utility,
    }
    context = {"preset": "hospital", "access": "non_public", "controls": "medium", "motives": "low"}
    return {"reidrisk": 1, "release": {"name": "A small release"}, "context": context, "parts": [part]}


def test_a_part_tells_what_it_is_still_good_for() -> None:
    done = rr.assess(release(UTILITY), out="folder")
    assert done.acceptable
    [part] = done.to_dict()["parts"]
    useful = part["result"]["usefulness"]
    assert [one["met"] for one in useful["limits"]] == [True, False]
    assert "less useful than required: the loss of score of a model" in " ".join(part["result"]["notes"])
    assert rr.verify("folder").holds
    shown = page([done.to_dict()])
    assert "How useful the data still are" in shown
    assert "not met: model" in shown
    assert "How useful the data still are".upper() in str(done)
    pages = [path for path in rr.write_report(done, "report") if path.suffix == ".html"]
    report = "".join(path.read_text(encoding="utf-8") for path in pages)
    for text in ("Your models, before and after", "Utility limits", "cost ~ age, sex"):
        assert text in report


def test_mistakes_are_named_before_anything_is_measured() -> None:
    with pytest.raises(InvalidSetting, match="has no setting 'query'"):
        rr.assess(release({"query": {}}))
    with pytest.raises(InvalidSetting, match="is not a limit of utility"):
        rr.assess(release({"limits": {"querry": 1}}))
