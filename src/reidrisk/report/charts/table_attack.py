"""What was predicted and what attacks achieved, in one chart."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import effects
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.effects import Effects, draw_effects
from reidrisk.report.charts.intervals import Axis, Interval
from reidrisk.report.content import table_attack as content
from reidrisk.report.numbers import probability
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure


WHOLE = Axis(0.0, 1.0, is_log=False)


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Linkage beside its prediction, then what the release adds to every other attack."""
    groups = [one for one in (_linkage(result), _others(result)) if one.rows]
    marketer = result["predicted"]["marketer"]["average"]
    main = result["linkage"]["exact"]["main"]
    return (
        Chart(
            "attacks",
            "What was predicted, and what attacks achieved",
            ("Lines are intervals. A prediction is right if it lies on the line of the exact linkage."),
            (f"Predicted {probability(marketer)}, measured {probability(main['value'] if main else None)}."),
            effects.height(groups),
            partial(draw_effects, groups=groups, axis=WHOLE, label="share of guesses that are right"),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))


def _linkage(result: dict[str, Any]) -> Effects:
    marketer = result["predicted"]["marketer"]["average"]
    rows = [Interval("predicted marketer risk", marketer, marketer, marketer, decides=False)]
    for name in ("exact", "nearest", "probabilistic"):
        main = result["linkage"][name]["main"]
        if main is not None:
            title = say(f"content.table_attack.{name}")
            rows.append(_interval(title, main, decides=name == "exact"))
    return Effects("Linkage: records linked with the right person", tuple(rows))


def _others(result: dict[str, Any]) -> Effects:
    made = (*result["singling_out"], result["linkability"], *result["inference"])
    key = "chart.table_attack.success" if result["control_records"] is None else "chart.table_attack.added"
    rows = [_interval(one["attack"], one["risk"], decides=True) for one in made if one["risk"]]
    return Effects(say(key), tuple(rows))


def _interval(name: str, found: dict[str, Any], *, decides: bool) -> Interval:
    return Interval(name, found["value"], found["low"], found["high"], decides=decides)
