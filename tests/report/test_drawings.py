"""Stored drawings of an assessment are reused only if nothing that they depend on has changed."""

from __future__ import annotations

import ast
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.report.assessment_folder import write_reports
from reidrisk.report.charts import drawings
from reidrisk.report.charts import svg as drawing_room
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.drawings import code_files, drawings_from, is_harmless, name_of
from reidrisk.report.charts.svg import plain_svg
from reidrisk.report.writing import TEMPLATES, document_of
from tests.assess.builders import write_data, write_file
from tests.assess.trusted import forge_reports


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("drawings")
    write_data(place)
    rr.assess(write_file(place, "notes", "records", "made"), out=place / "out")
    write_reports(place / "out")
    return place / "out"


@pytest.fixture(scope="module")
def result(made: Path) -> rr.Assessment:
    return rr.assess(made.parent / "release.yaml")


def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(chart: Any) -> str:
        raise AssertionError(chart.name)

    monkeypatch.setattr(drawing_room, "_draw", refuse)


@pytest.mark.parametrize("template", TEMPLATES)
def test_reports_of_the_folder_draw_nothing_and_are_the_same(
    made: Path, result: rr.Assessment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    case = {**result.to_dict(), "root": rr.verify(made, quick=True).root, "signatures": []}
    fresh = rr.write_report(case, tmp_path / "fresh", template=template)
    _no_drawing(monkeypatch)
    reused = rr.write_report(made, tmp_path / "reused", template=template)
    assert [path.read_bytes() for path in reused] == [path.read_bytes() for path in fresh]


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
    forge_reports(made)
    try:
        with drawings_from(made):
            assert plain_svg(chart) == right
    finally:
        path.write_text(right, encoding="utf-8")
        forge_reports(made)


def test_a_drawing_that_was_changed_or_lost_is_drawn_anew(made: Path) -> None:
    chart, path = _one(made)
    right = path.read_text(encoding="utf-8")
    for wrong in (right.replace("0", "1"), None):
        if wrong is None:
            path.unlink()
        else:
            path.write_text(wrong, encoding="utf-8")
        with drawings_from(made):
            assert plain_svg(chart) == right
    path.write_text(right, encoding="utf-8")


def test_the_name_follows_from_the_data_and_from_nothing_else(of_any_kind: dict[str, Any]) -> None:
    first, again = (document_of(of_any_kind).charts for _ in range(2))
    assert [name_of(chart) for chart in first] == [name_of(chart) for chart in again]
    for chart in first:
        if chart.draw is not None:
            assert getattr(chart.draw, "func", None).__module__.startswith("reidrisk.report.charts."), (
                chart.name
            )
            assert " at 0x" not in repr(getattr(chart.draw, "keywords", " at 0x")), chart.name
            assert is_harmless(plain_svg(chart)), chart.name


def test_other_data_give_another_name(made: Path, tmp_path: Path) -> None:
    write_data(tmp_path, leaky=9)
    rr.assess(write_file(tmp_path, "notes"), out=tmp_path / "out")
    drawn = {name_of(chart) for chart in document_of(made).charts if chart.name == "recall"}
    other = {name_of(chart) for chart in document_of(tmp_path / "out").charts if chart.name == "recall"}
    assert len(drawn) == len(other) == 1
    assert drawn != other


SOURCE = Path(rr.__file__).parents[1]
STORE = Path(drawings.__file__)
"""Stores drawings and draws none."""


def _imported(path: Path) -> set[Path]:
    """The files of this package that a module imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = (SOURCE / Path(*name.split(".")) for name in names if name.startswith("reidrisk"))
    return {file for place in places if (file := place.with_suffix(".py")).exists()}


def _all_imported(paths: set[Path]) -> set[Path]:
    found: set[Path] = set()
    while paths:
        found |= paths
        paths = {file for path in paths for file in _imported(path)} - found - {STORE}
    return found


def _chart_modules() -> set[Path]:
    return set(STORE.parent.glob("*.py")) - {STORE}


def test_every_module_that_charts_import_is_part_of_the_name() -> None:
    needed = _all_imported(_chart_modules())
    assert len(needed) > len(_chart_modules()), "charts import modules of other packages"
    assert needed <= code_files(draw_bars.__module__)
    assert all(path.exists() for path in code_files(draw_bars.__module__))


def _a_chart(draw: Any) -> Chart:
    return Chart("one", "", "", "", 1.0, partial(draw, bars=Bars((("a", 0.5, True),), "share")))


@pytest.mark.parametrize("path", sorted(_all_imported(_chart_modules())), ids=lambda path: path.stem)
def test_other_code_gives_another_name(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chart = _a_chart(draw_bars)
    before = _fresh_name(chart)
    _change_code(path, monkeypatch)
    assert _fresh_name(chart) != before


def test_the_module_of_the_drawing_function_is_part_of_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw_here(canvas: Any, bars: Bars) -> None: ...

    chart = _a_chart(draw_here)
    before = _fresh_name(chart)
    _change_code(Path(__file__), monkeypatch)
    assert _fresh_name(chart) != before


def _fresh_name(chart: Chart) -> str | None:
    drawings._hash_of_code.cache_clear()
    try:
        return name_of(chart)
    finally:
        drawings._hash_of_code.cache_clear()


def _change_code(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more line in this file, as far as readers can see."""
    read = Path.read_bytes

    def changed(self: Path) -> bytes:
        return read(self) + (b"\n# changed\n" if self == path else b"")

    monkeypatch.setattr(Path, "read_bytes", changed)
