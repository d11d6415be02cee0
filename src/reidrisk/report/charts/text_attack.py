"""What a measured recognition does to the risk, in one chart."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import effects
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.effects import Effects, draw_effects
from reidrisk.report.charts.intervals import Interval
from reidrisk.report.content import text_attack as content
from reidrisk.report.numbers import probability

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEASURED = "measured here"
ROLES = {"direct": "Direct identifiers", "quasi": "Quasi-identifiers"}


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The risk under every recognition; the measured one stands out."""
    groups = [
        Effects(title, tuple(_interval(row, role) for row in result["risks"] if row[role] is not None))
        for role, title in ROLES.items()
    ]
    shown = [group for group in groups if group.rows]
    last = result["risks"][-1]
    return (
        Chart(
            "effect",
            "What recognition does to the risk",
            (
                "The same texts, if every leak is recognised, as measured here, and with published "
                "recognitions. Where recall is too low, recognition does not count and nothing "
                "changes."
            ),
            (
                f"{len(result['risks'])} recognitions, the last "
                f"{probability(last['recognition'])}. The table below has every number."
            ),
            effects.height(shown),
            partial(draw_effects, groups=shown) if shown else None,
        ),
    )


def _interval(row: dict[str, Any], role: str) -> Interval:
    risk = row[role]
    name = f"{row['name']}, {probability(row['recognition'])}"
    return Interval(name, risk["value"], risk["low"], risk["high"], decides=row["name"] == MEASURED)


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
