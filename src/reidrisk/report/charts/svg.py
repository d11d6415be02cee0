"""Charts as SVG, as separate files or embedded in a page."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from io import StringIO

from reidrisk.report.charts.canvas import PALETTE, WIDTH, Chart, drawing, new_figure
from reidrisk.report.charts.drawings import name_of, stored_drawing

_TAG = re.compile(r"<[^>]+>")
_ID = re.compile(r'(\bid="|xlink:href="#|url\(#)')
_STYLE_SHEET = re.compile(r"<style.*?</style>", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_OPENING = re.compile(r'<svg\b[^>]*?viewBox="([^"]+)"[^>]*>', re.DOTALL)


def svg(chart: Chart, *, prefix: str) -> str:
    """Return SVG to embed in a page: with unique ids, the colors of the page and a text description."""
    if chart.draw is None:
        return ""
    return _for_page(plain_svg(chart), chart, f"{prefix}-{chart.name}")


def draw_missing(charts: Iterable[Chart]) -> None:
    """Draw all charts that have no stored drawing; if all have one, matplotlib is not loaded."""
    missing = [chart for chart in charts if chart.draw is not None and stored_drawing(chart) is None]
    if missing:
        with drawing():
            for chart in missing:
                _draw(chart)


def plain_svg(chart: Chart) -> str:
    """Return SVG as a separate file in light colors: the stored drawing if there is one, or a new one."""
    return "" if chart.draw is None else stored_drawing(chart) or _draw(chart)


@dataclass(frozen=True, slots=True)
class NamedChart:
    """A chart that equals another if both have the same data and the same code."""

    name: str
    chart: Chart = field(compare=False)


def _draw(chart: Chart) -> str:
    """Draw a chart once, for pages, PDF files and reports."""
    name = name_of(chart)
    return _new_drawing(chart) if name is None else draw_once(NamedChart(name, chart))


@lru_cache(maxsize=256)
def draw_once(named: NamedChart) -> str:
    """Draw a chart that was not drawn before."""
    return _new_drawing(named.chart)


def _new_drawing(chart: Chart) -> str:
    if chart.draw is None:
        return ""
    with drawing():
        figure = new_figure(WIDTH, chart.height)
        figure.patch.set_visible(False)
        chart.draw(figure)
        file = StringIO()
        with warnings.catch_warnings():  # the page's fonts may have letters that matplotlib's lacks
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _for_page(plain: str, chart: Chart, name: str) -> str:
    """Remove what only a separate file needs (prolog, metadata, style sheet), and add a text description."""
    body = plain[plain.index("<svg") :]
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
    """Make ids unique and colors variable. Text between tags may come from the data and is not changed."""
    tag = _ID.sub(rf"\g<1>{name}-", tag)
    for color, value in PALETTE.items():
        tag = tag.replace(value, f"var(--rr-{color}, {value})")
    return tag
