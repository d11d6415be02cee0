from __future__ import annotations

import json
from collections import Counter
from html import unescape
from typing import Any

import pytest

from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.context.builders import KNOWN, every, scored
from tests.report.test_page import Reader

CONTENTS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "hospital": {
        **KNOWN,
        "checklist": every(alarms="no", training="yes"),
        "motives": {"reasons": "no"},
        "acquaintance": 0.0019,
        "breach": {"probability": 0.27, "source": "a <b>survey</b>"},
    },
    "ready": {**KNOWN, "checklist": every()},
    "stated": {**KNOWN, "controls": "medium", "motives": "low"},
    "ema": {"preset": "ema", "variant": "literal_0.09"},
    "ipc": {"preset": "ipc", "access": "non_public", "invasion": {"sensitivity": "high"}},
    "terms": {"preset": "ipc", "access": "semi_public", "invasion": "low"},
    "hipaa": {"preset": "hipaa", "threshold": {"cell_size": 20, "reason": "the <i>expert</i>"}},
}


@pytest.fixture(scope="module", params=CONTENTS)
def result(request: pytest.FixtureRequest) -> dict[str, Any]:
    return scored(**CONTENTS[request.param]).to_dict()


def test_pages_are_well_formed_and_load_nothing(result: dict[str, Any]) -> None:
    text = page([result, result])
    read = Reader(text)
    assert read.open == []
    assert [name for name, times in Counter(read.ids).items() if times > 1] == []
    assert set(read.uses) <= set(read.ids)
    assert read.loads == []
    assert "<b>survey" not in text
    assert "<i>expert" not in text


@pytest.mark.parametrize("how", ["terminal", "html"])
def test_a_result_read_back_from_json_looks_the_same(result: dict[str, Any], how: Any) -> None:
    assert draw(json.loads(json.dumps(result)), how) == draw(result, how)


def test_the_terminal_keeps_to_its_width(result: dict[str, Any]) -> None:
    for line in draw(result, "terminal").splitlines():
        assert len(line) <= 100
        assert line == line.rstrip()


def test_every_note_is_told(result: dict[str, Any]) -> None:
    text, shown = unescape(page([result])), " ".join(draw(result, "terminal").split())
    for note in result["notes"]:
        assert note in shown
        assert note in text


def test_a_figure_is_drawn(result: dict[str, Any]) -> None:
    figure = draw(result, "figure")
    texts = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert {"deliberate attempt", "acquaintance", "breach"} <= texts


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nothing", "1/3 would require a known recipient and high controls."),
        ("hospital", "1/3 would require 1 more practice and evidence for 1 practice."),
        ("ready", "1/3 may be used if 1/5 would leave too little of the data."),
        ("stated", "1/3 would require the checklist of 38 practices."),
        ("ema", "at most 0.09, which means classes of 12 or more"),
        ("ipc", "at most 0.05, and no record may be above 0.333"),
        ("terms", "the highest risk of a record times the context risk of 0.6"),
        ("hipaa", "at most 1/20, which means classes of 20 or more"),
    ],
)
def test_the_answer_comes_first(name: str, sentence: str) -> None:
    text = " ".join(draw(scored(**CONTENTS[name]).to_dict(), "terminal").split())
    assert sentence in text
    assert "A context alone, without data, does not lead to a verdict." in text


def test_what_is_missing_and_agreed_is_listed() -> None:
    found = scored(**CONTENTS["hospital"]).to_dict()
    text = draw(found, "terminal")
    assert "MISSING FOR 1/3" in text
    assert "alarms" in text
    shown = page([found])
    for one in found["agreement"]:
        assert one["clause"] in shown
    assert "Checklist of practices" in shown
    assert "Missing" not in page([scored(**CONTENTS["ready"]).to_dict()])
