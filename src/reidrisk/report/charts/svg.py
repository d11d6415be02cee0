"""A chart as SVG that can stand in a page beside others."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from io import StringIO

from reidrisk.report.charts.canvas import PALETTE, WIDTH, Chart, drawing, new_figure
from reidrisk.report.charts.kept import kept, name_of

_TAG = re.compile(r"<[^>]+>")
_ID = re.compile(r'(\bid="|xlink:href="#|url\(#)')
_STYLE_SHEET = re.compile(r"<style.*?</style>", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_OPENING = re.compile(r'<svg\b[^>]*?viewBox="([^"]+)"[^>]*>', re.DOTALL)


def svg(chart: Chart, *, prefix: str) -> str:
    """The drawing with ids of its own, colours of the page, and words for those who do not see it."""
    if chart.draw is None:
        return ""
    return _for_page(plain_svg(chart), chart, f"{prefix}-{chart.name}")


def draw_missing(charts: Iterable[Chart]) -> None:
    """Draw what is kept nowhere, in one setting of the style; with nothing missing no library is loaded."""
    missing = [chart for chart in charts if chart.draw is not None and kept(chart) is None]
    if missing:
        with drawing():
            for chart in missing:
                _drawn(chart)


def plain_svg(chart: Chart) -> str:
    """The drawing as a file of its own, in light colours; taken from where it is kept, or drawn."""
    return "" if chart.draw is None else kept(chart) or _drawn(chart)


@dataclass(frozen=True, slots=True)
class NamedChart:
    """A chart that equals another if both have the same data and the same code."""

    name: str
    chart: Chart = field(compare=False)


def _drawn(chart: Chart) -> str:
    """Draw a chart once, for pages, PDF files and reports."""
    name = name_of(chart)
    return _draw(chart) if name is None else draw_once(NamedChart(name, chart))


@lru_cache(maxsize=256)
def draw_once(named: NamedChart) -> str:
    """Draw a chart that was not drawn before."""
    return _draw(named.chart)


def _draw(chart: Chart) -> str:
    if chart.draw is None:
        return ""
    with drawing():
        figure = new_figure(WIDTH, chart.height)
        figure.patch.set_visible(False)
        chart.draw(figure)
        file = StringIO()
        with warnings.catch_warnings():  # the page's fonts may hold letters that matplotlib's own font lacks
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _for_page(drawn: str, chart: Chart, name: str) -> str:
    """Without what belongs to a file of its own: prolog, metadata and a style sheet for everything."""
    body = drawn[drawn.index("<svg") :]
    body = _METADATA.sub("", _STYLE_SHEET.sub("", body))
    body = _TAG.sub(lambda tag: _tag_for_page(tag.group(), name), body)
    found = _OPENING.search(body)
    if found is None:
        raise AssertionError("matplotlib wrote an SVG without a viewBox")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'class="rr-chart" viewBox="{found.group(1)}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">\n'
        f'<title id="{name}-title">{escape(chart.title)}</title>\n'
        f'<desc id="{name}-desc">{escape(chart.description)}</desc>'
    )
    return (body[: found.start()] + head + body[found.end() :]).strip()


def _tag_for_page(tag: str, name: str) -> str:
    """Only tags are changed: what stands between them may come from the data."""
    tag = _ID.sub(rf"\g<1>{name}-", tag)
    for colour, value in PALETTE.items():
        tag = tag.replace(value, f"var(--rr-{colour}, {value})")
    return tag
