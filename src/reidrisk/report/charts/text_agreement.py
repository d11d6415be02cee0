"""Agreement of annotators in a chart."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import pairs
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.content import text_agreement as content
from reidrisk.report.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 25
"""Types; the table shows all."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Exact and overlapping F1 of every type, the worst first."""
    shown = content.by_type(result)[:MOST]
    rows = [_pair(one["type"], one, one["conflicts"]) for one in shown]
    rows.append(
        _pair(
            "all types",
            result["overall"],
            result["places"]["in_conflict"],
            is_total=True,
        )
    )
    group = Group("Types (conflicts)", None, is_cutoff_for_total=False, pairs=tuple(rows))
    return (
        Chart(
            "agreement",
            "Agreement by type",
            (
                "F1 of overlapping marks (ring) and of marks that are the same to the letter "
                "(diamond, written at the right), the worst first; in brackets the places in "
                "conflict."
            ),
            (
                f"F1 of {len(result['by_type'])} types; all together "
                f"{percent(result['overall']['f1'])} exact. The table below has every number."
            ),
            pairs.height([group]),
            partial(
                draw_pairs,
                groups=[group],
                names=("F1, overlapping", "F1, exact"),
            ),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))


def _pair(name: str, row: dict[str, Any], conflicts: int, *, is_total: bool = False) -> Pair:
    return Pair(name, count(conflicts), row["f1_overlap"], row["f1"], is_total)
