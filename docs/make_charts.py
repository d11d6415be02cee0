"""Draw every chart for the page docs/reference/charts.md: `python docs/make_charts.py [RESULT.json ...]`.

The charts are drawn from one example of each kind of result. A result file that you name replaces the example
of its kind. The page itself is written by docs/generate.py.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chart_guide import GUIDE

from reidrisk.report.charts.canvas import PALETTE, Chart
from reidrisk.report.charts.svg import plain_svg
from reidrisk.report.kind import ChartGroup, Kind
from reidrisk.report.views import kind_of

HERE = Path(__file__).parent
EXAMPLES = HERE / "chart_examples.json.gz"
PICTURES = HERE / "images" / "charts"
HEAD = """# Charts

Generated from the code and from example results. For each chart: what it is, how to read it, and what to do.
*How to read it* is the caption that the page or report itself prints, so figures in it belong to the example.
The data are invented.

Every chart has a text description for people who cannot see it, and the app shows its data as a table.
"""


def examples() -> dict[str, dict[str, Any]]:
    """One result of each kind that has charts, in the order of the page."""
    stored = json.loads(gzip.decompress(EXAMPLES.read_bytes()))
    return {kind: stored[kind] for kind in GUIDE}


def charts_of(kind: Kind, result: dict[str, Any]) -> Iterator[Chart]:
    """The charts of a result, and the first one of each group of charts that are alike."""
    yield from kind.charts(result)
    for show in kind.shows:
        for block in show.in_page(result):
            if isinstance(block, ChartGroup):
                yield block.charts[0]


def explained() -> Iterator[tuple[str, Kind, list[Chart]]]:
    """Each kind with the charts that the guide explains."""
    for name, result in examples().items():
        kind = kind_of(result)
        found = {chart.name: chart for chart in charts_of(kind, result)}
        yield name, kind, [found[chart] for chart in GUIDE[name]]


def page() -> str:
    """The page of all charts."""
    parts = [HEAD]
    for name, kind, charts in explained():
        parts.append(f"## {kind.title}\n")
        for chart in charts:
            what, do = GUIDE[name][chart.name]
            parts.append(f"### {chart.title}\n")
            if chart.draw is not None:
                text = chart.description.replace("[", "(").replace("]", ")")
                parts.append(f"![{text}](../images/charts/{name}-{chart.name}.svg)\n")
            parts.append(
                f"- **What it is.** {what}\n- **How to read it.** {chart.caption}\n- **What to do.** {do}\n"
            )
    return "\n".join(parts)


def draw_all() -> None:
    """Write the pictures, on a light background so that they can be read on a dark page, too."""
    PICTURES.mkdir(exist_ok=True)
    for name, _, charts in explained():
        for chart in charts:
            if chart.draw is not None:
                drawn = plain_svg(chart)
                start = drawn.index(">", drawn.index("<svg")) + 1
                paper = f'\n<rect width="100%" height="100%" fill="{PALETTE["paper"]}"/>'
                (PICTURES / f"{name}-{chart.name}.svg").write_text(
                    drawn[:start] + paper + drawn[start:], encoding="utf-8"
                )


if __name__ == "__main__":
    if sys.argv[1:]:
        found = examples()
        for file in sys.argv[1:]:
            given = json.loads(Path(file).read_text(encoding="utf-8"))
            found[given["kind"]] = given
        EXAMPLES.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    draw_all()
