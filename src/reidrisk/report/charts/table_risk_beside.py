"""What a table risk tells beside its classes, drawn: the population, secrets and special uniques."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts import effects
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.effects import Effects, draw_effects
from reidrisk.report.charts.intervals import Interval
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.words.book import say

MOST = 15
"""Bars of a chart; the table below has all."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Those for which something was measured."""
    return (*_population(result), *_secrets(result), *_special(result))


def _population(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Every model's answer; the one that decides is bold."""
    found = result.get("population_estimate")
    if not found:
        return ()
    groups = [one for one in (_risks(found), _uniques(found, result["records"])) if one.rows]
    chosen = next(one for one in found["models"] if one["model"] == found["chosen"])
    return (
        Chart(
            "population",
            "Estimates of the population side by side",
            (
                "Each dot is the answer of one model. The bold one decides; the table below says "
                "how accurate each is."
            ),
            say(
                "chart.table_risk_beside.of_models_the",
                models=count(len(found["models"])),
                name=say(f"content.table_population.model_{found['chosen']}"),
                average=probability(chosen["journalist"]["average"]),
            ),
            effects.height(groups),
            partial(draw_effects, groups=groups, label="share of records or probability"),
        ),
    )


def _risks(found: dict[str, Any]) -> Effects:
    rows = [
        _dot(found, one, one["journalist"]["average"])
        for one in found["models"]
        if one["journalist"] is not None
    ]
    return Effects("Average risk of a record, to who does not know who is in the table", tuple(rows))


def _uniques(found: dict[str, Any], records: int) -> Effects:
    rows = [
        _dot(found, one, min(1.0, one["unique_in_both"] / records))
        for one in found["models"]
        if one["unique_in_both"] is not None
    ]
    return Effects("Records that are unique in the population too", tuple(rows))


def _dot(found: dict[str, Any], one: dict[str, Any], value: float) -> Interval:
    name, decides = say(f"content.table_population.model_{one['model']}"), one["model"] == found["chosen"]
    said = f"{name} (decides)" if decides else name
    return Interval(said, value, value, value, decides=decides)


def _secrets(result: dict[str, Any]) -> tuple[Chart, ...]:
    """For each secret the records whose class gives it away, and those whose class breaks a limit."""
    found = result.get("attribute_disclosure") or ()
    if not found:
        return ()
    rows: list[tuple[str, float, bool]] = []
    for one in found:
        alike = f"{one['column']}: class all alike"
        rows.append((alike, one["same_records"] / one["records"], bool(one["same_records"])))
        rows += [
            (_limit(one["column"], check), check["records"] / one["records"], not check["holds"])
            for check in one["checks"]
        ]
    worst = max(rows, key=lambda row: row[1])
    return (
        _bars(
            "secrets",
            rows,
            "share of records",
            spoken=f"The most: {worst[0]}, {percent(worst[1])}. The table below has every number.",
        ),
    )


def _limit(column: str, check: dict[str, Any]) -> str:
    short = say(f"chart.table_risk_beside.limit_{check['criterion']}", limit=f"{check['limit']:g}")
    return f"{column}: {short}"


def _special(result: dict[str, Any]) -> tuple[Chart, ...]:
    """What each column contributes to singling out by few columns."""
    found = result.get("special_uniques")
    if not found or not found["records"]:
        return ()
    ordered = sorted(found["by_column"], key=lambda one: -one["score_share"])
    most = ordered[0]["score_share"]
    rows = [(one["column"], one["score_share"], one["score_share"] == most) for one in ordered]
    spoken = f"The most: {rows[0][0]}, {percent(rows[0][1])}. The table below has every number."
    return (_bars("special", rows, "share of the scores", spoken=spoken),)


def _bars(name: str, rows: list[tuple[str, float, bool]], axis: str, *, spoken: str) -> Chart:
    bars = Bars(tuple(rows[:MOST]), axis)
    more = f"{count(len(rows) - MOST)} more are in the table below." if len(rows) > MOST else ""
    return Chart(
        name,
        say(f"chart.table_risk_beside.{name}_title"),
        f"{say(f'chart.table_risk_beside.{name}_caption')} {more}".strip(),
        spoken,
        bars.height,
        partial(draw_bars, bars=bars),
    )
