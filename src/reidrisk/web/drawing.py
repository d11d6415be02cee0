"""Charts of the reports as SVG that is legal on a page without inline styles.

The content security policy forbids `style="..."`. The same properties are legal as attributes, which also
keep the colors of the page as variables.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reidrisk.report.charts.canvas import Chart

_STYLE = re.compile(r'\sstyle="([^"]*)"')
_TAG = re.compile(r"<[^>]+>")
_FONT = re.compile(
    r"(?:(?P<style>italic|oblique)\s+)?(?:(?P<weight>bold|[1-9]00)\s+)?(?P<size>[\d.]+(?:px|pt)?)\s+.*"
)
KNOWN = frozenset(
    (
        *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "opacity"),
        *("stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"),
        *("text-anchor", "font-size", "font-weight", "font-style", "clip-path"),
    )
)


def page_svg(chart: Chart, *, prefix: str) -> str:
    """The drawing of a chart for a page of this app; empty if there is nothing to draw."""
    from reidrisk.report.charts.svg import svg

    return without_styles(svg(chart, prefix=prefix))


def without_styles(drawing: str) -> str:
    """The same drawing with attributes instead of styles; text between tags is not changed.

    >>> without_styles('<path style="fill: none; stroke: #fff"/>')
    '<path fill="none" stroke="#fff"/>'
    """
    return _TAG.sub(lambda tag: _STYLE.sub(lambda found: _attributes(found[1]), tag[0]), drawing)


def _attributes(style: str) -> str:
    found: dict[str, str] = {}
    for declared in unescape(style).split(";"):
        name, _, value = (one.strip() for one in declared.partition(":"))
        if name == "font":
            found |= _font(value)
        elif name in KNOWN and value:
            found[name] = value
    return "".join(f' {name}="{escape(value)}"' for name, value in found.items())


def _font(value: str) -> dict[str, str]:
    """Size, weight and slant of a font; its family is that of the page."""
    read = _FONT.fullmatch(value)
    if read is None:
        return {}
    given = {"font-size": read["size"], "font-weight": read["weight"], "font-style": read["style"]}
    return {name: one for name, one in given.items() if one}
