"""Linked tables that were de-identified until nobody is exposed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.events import known_row
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import lines
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.document import Block, Pictures
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.kinds import relational_release, relational_risk
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table, Verdict
from reidrisk.report.traced import size


def name_of(result: ResultDict) -> str:
    """The tables, by the last part of their path."""
    return short_path(str(result["place"]))


def about(result: ResultDict) -> str:
    """What was released, and what an intruder is assumed to know."""
    return relational_risk.about(result["after"])


def verdict(result: ResultDict) -> Verdict:
    """The verdict with its reasons."""
    return Verdict(result["acceptable"], reasons_of(result))


def before_and_after(result: ResultDict) -> Table:
    """The risk by known events, before and after."""
    rows = tuple(known_row(name, row) for name in ("before", "after") for row in result[name]["by_known"])
    return Table(
        "Risk before and after",
        "The risk of people over all tables. The risk after was measured on the written files.",
        (
            Column("tables"),
            Column("known events", is_number=True),
            Column("highest", is_number=True),
            Column("average", is_number=True),
            Column(relational_risk.above(result), is_number=True),
            Column("singled out", is_number=True),
            Column("method"),
        ),
        rows,
    )


def chosen(result: ResultDict) -> Facts:
    """What the search chose."""
    done = result["protection"]
    levels = ", ".join(f"{name}: {level}" for name, level in done["levels"].items())
    return Facts(
        "What was done",
        "Chosen by a heuristic: a smaller loss may be possible.",
        (
            Fact("levels", levels or "exact values"),
            Fact("dates that are not released", ", ".join(done["dates_removed"]) or "none"),
            Fact(
                "columns removed because they would show coarser events",
                ", ".join(done.get("twins_removed", ())) or "none",
            ),
            Fact("keys that would show dates", ", ".join(done.get("keys_removed", ())) or "none"),
            Fact("rows left out", f"{count(done['rows_left_out'])} of {count(done['rows'])} with events"),
            Fact(
                "values left out", count(done["values_left_out"]), "values of events whose rows are removed"
            ),
            Fact("people left out", count(done["people_left_out"])),
            Fact("loss", percent(done["loss"]), "of the detail of all tables"),
            Fact("loss of events", percent(done["events_lost"]), "a row that is left out has lost all"),
            Fact("loss of quasi-identifiers", percent(done["static_lost"])),
            Fact(
                "combinations of levels",
                f"{count(done['evaluated'])} of {count(done['nodes'])} tried",
            ),
        ),
    )


def variables(result: ResultDict) -> Table:
    """What became of each variable."""
    return relational_release.variables(result["release"])


def settings(result: ResultDict) -> Facts:
    """The settings of the measurement."""
    return relational_risk.settings(result["after"])


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The share above the threshold, before and after."""
    size = result["threshold"]["cell_size"]
    drawn = [
        Line(
            f"{name}: people who fit fewer than {size} people",
            tuple((row["known"], row["share_above_threshold"]) for row in result[name]["by_known"]),
        )
        for name in ("before", "after")
    ]
    spoken = "; ".join(f"{line.name}, with all known events {percent(line.points[-1][1])}" for line in drawn)
    return (
        Chart(
            "known",
            "Risk before and after",
            "Each known event, from any table, leaves fewer people who fit.",
            spoken,
            lines.height(drawn),
            partial(draw_lines, lines=drawn, scale="plain", label="known events per person, from all tables"),
        ),
    )


def _key(result: ResultDict) -> Iterable[Block | None]:
    return before_and_after(result), chosen(result), Pictures(charts(result))


def _final(result: ResultDict) -> Iterable[Block | None]:
    return (before_and_after(result), Pictures(charts(result)), relational_risk.tables(result["after"]))


KIND = Kind(
    title="De-identified linked tables",
    name_of=name_of,
    about=about,
    headline=lambda result: (
        f"De-identified tables of {name_of(result)} "
        f"({plural(size(result['settings']['events']), 'table')} of events)"
    ),
    verdict=verdict,
    charts=charts,
    shows=(
        Show(before_and_after),
        Show(chosen),
        Show(lambda result: relational_risk.tables(result["after"])),
        Show(variables, terminal=False),
        Show(lambda result: relational_release.proof(result["release"]), terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=relational_risk.GUIDE,
    comparison=Comparison(
        "The risk of people over each set of linked tables.",
        "tables",
        (
            (Column("highest risk", is_number=True), lambda result: probability(result["highest"])),
            (Column("loss", is_number=True), lambda result: percent(result["protection"]["loss"])),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
    leaves=lambda result: f"{relational_risk.leaves(result['after'])}, de-identified",
    chapters=Chapters(
        key=_key,
        initial=lambda result: (relational_risk.by_known(result["before"]),),
        measures=lambda result: (chosen(result), variables(result)),
        final=_final,
        identifiers=lambda result: relational_risk.identifiers(result["after"]),
        settings=lambda result: (settings(result),),
    ),
)
