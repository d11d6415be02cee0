"""Drawings in the folder of an assessment: taken as they are, or drawn anew, never trusted blindly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.assess.folder import add_files
from reidrisk.report.charts import svg as drawing_room
from reidrisk.report.charts.kept import is_harmless, kept_in, name_of
from reidrisk.report.charts.svg import plain_svg
from reidrisk.report.writing import TEMPLATES, document_of, write_charts
from tests.assess.builders import write_data, write_file


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("kept")
    write_data(place)
    rr.assess(write_file(place, "notes", "records", "made"), out=place / "out")
    add_files(place / "out", write_charts(place / "out"))
    return place / "out"


@pytest.fixture(scope="module")
def result(made: Path) -> rr.Assessment:
    return rr.assess(made.parent / "release.yaml")


def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(chart: Any) -> str:
        raise AssertionError(chart.name)

    monkeypatch.setattr(drawing_room, "_drawn", refuse)


@pytest.mark.parametrize("template", TEMPLATES)
def test_reports_of_the_folder_draw_nothing_and_are_the_same(
    made: Path, result: rr.Assessment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    fresh = rr.write_report(result, tmp_path / "fresh", template=template)
    _no_drawing(monkeypatch)
    kept = rr.write_report(made, tmp_path / "kept", template=template)
    assert [path.read_bytes() for path in kept] == [path.read_bytes() for path in fresh]


def test_the_drawings_belong_to_the_assessment(made: Path) -> None:
    assert rr.verify(made, quick=True).holds
    assert sum(1 for _ in (made / "charts").glob("*.svg")) > 5


def _one(folder: Path) -> tuple[Any, Path]:
    chart = next(chart for chart in document_of(folder).charts if chart.draw is not None)
    return chart, folder / str(name_of(chart))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("</svg>", "<script>alert(1)</script></svg>"),
        ("<svg ", '<svg onload="alert(1)" '),
        ("</svg>", '<a xlink:href="https://example.org">x</a></svg>'),
        ("</svg>", '<use xlink:href="https://example.org/x.svg#y"/></svg>'),
        ('style="fill: none"', 'style="fill: url(https://example.org/x)"'),
        ("<metadata>", "<metadata></metadata><foreignObject/><metadata>"),
    ],
)
def test_what_could_run_or_fetch_is_drawn_anew(made: Path, before: str, after: str) -> None:
    """Even where somebody changed the manifest too."""
    chart, path = _one(made)
    right = path.read_text(encoding="utf-8")
    assert before in right
    assert is_harmless(right)
    path.write_text(right.replace(before, after, 1), encoding="utf-8")
    add_files(made, [])
    try:
        with kept_in(made):
            assert plain_svg(chart) == right
    finally:
        path.write_text(right, encoding="utf-8")
        add_files(made, [])


def test_a_drawing_that_was_changed_or_lost_is_drawn_anew(made: Path) -> None:
    chart, path = _one(made)
    right = path.read_text(encoding="utf-8")
    for wrong in (right.replace("0", "1"), None):
        if wrong is None:
            path.unlink()
        else:
            path.write_text(wrong, encoding="utf-8")
        with kept_in(made):
            assert plain_svg(chart) == right
    path.write_text(right, encoding="utf-8")


def test_the_name_follows_from_the_data_and_from_nothing_else(of_any_kind: dict[str, Any]) -> None:
    first, again = (document_of(of_any_kind).charts for _ in range(2))
    assert [name_of(chart) for chart in first] == [name_of(chart) for chart in again]
    for chart in first:
        if chart.draw is not None:
            assert " at 0x" not in repr(getattr(chart.draw, "keywords", " at 0x")), chart.name
            assert is_harmless(plain_svg(chart)), chart.name


def test_other_data_give_another_name(made: Path, tmp_path: Path) -> None:
    write_data(tmp_path, leaky=9)
    rr.assess(write_file(tmp_path, "notes"), out=tmp_path / "out")
    drawn = {name_of(chart) for chart in document_of(made).charts if chart.name == "leaks"}
    other = {name_of(chart) for chart in document_of(tmp_path / "out").charts if chart.name == "leaks"}
    assert len(drawn) == len(other) == 1
    assert drawn != other
