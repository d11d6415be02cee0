"""A transformed table: what each step did. No risk was measured."""

from __future__ import annotations

from reidrisk.report.blocks import steps
from reidrisk.report.blocks.settings import setting_text, versions
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Notice, Pictures
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Verdict
from reidrisk.report.traced import size

GUIDE = Guide(
    terms=(
        Fact(
            "Sampling fraction",
            "The share of people in the sample. Sampling protects only if nobody knows who was sampled.",
        ),
        Fact(
            "Information loss",
            "Mean change of a value in standard deviations of the original, divided by the square root of 2.",
        ),
        Fact(
            "Correlation",
            "Correlation of a column with its original values; 1 means that they agree perfectly.",
        ),
        Fact(
            "Rank swapping",
            "Values are exchanged with others of nearly the same rank.",
        ),
        Fact(
            "Post-randomization (PRAM)",
            (
                "Categories are changed at random with known probabilities. Users who know these "
                "probabilities can correct the shares of the values."
            ),
        ),
    ),
    limits=(
        "No risk is measured here. Measure the risk of the file that was written.",
        (
            "The linkage uses the distance in the changed columns only and assumes access to all original "
            "records. An adversary may know other columns."
        ),
        "Anyone who knows the seed and the source table can repeat every step except those that use a key.",
        "This page is a measurement, not legal advice. The people responsible decide about a release.",
    ),
    sources=(
        Source(
            "Yancey WE, Winkler WE, Creecy RH. Disclosure risk assessment in perturbative microdata "
            "protection. Inference Control in Statistical Databases, LNCS 2316 (2002) 135–152."
        ),
        Source("Kim JJ. A method for limiting disclosure in microdata based on random noise. ASA 1986."),
        Source("Moore RA. Controlled data-swapping techniques for masking public use microdata. 1996."),
        Source(
            "Gouweleeuw JM, Kooiman P, Willenborg LCRJ, de Wolf PP. Post randomisation for statistical "
            "disclosure control. Journal of Official Statistics 14 (1998) 463–478."
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["source"]))


def about(result: ResultDict) -> str:
    """The number of steps, and of rows written."""
    return (
        f"{count(size(result['steps']))} steps; {count(result['rows_after'])} of "
        f"{count(result['rows_before'])} rows were written to "
        f"{short_path(str(result['out']))}."
    )


def verdict(result: ResultDict) -> Verdict:
    """What each step did; nothing is decided."""
    return Verdict(None, reasons_of(result), "Transformed")


def settings(result: ResultDict) -> Facts:
    """The settings that reproduce the file."""
    chosen = result["settings"]
    facts = (
        Fact("table", setting_text(chosen["table"])),
        Fact("how the file was read", "; ".join(result["notes"])),
        Fact("written to", setting_text(chosen["out"])),
        *(Fact(f"step {at}", setting_text(step)) for at, step in enumerate(chosen["steps"], start=1)),
        Fact("seed", str(result["seed"])),
    )
    return Facts(
        "Settings", "With these settings and the same key, the same table gives the same file.", facts
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """What each step changed."""
    return (steps.step_chart(result["steps"]),)


def _closest(result: ResultDict) -> str:
    found = result["steps_linkage"]
    return percent(found["value"]) if found else MISSING


KIND = Kind(
    title="Transformed table",
    name_of=name_of,
    about=about,
    verdict=verdict,
    charts=charts,
    shows=(
        Show(steps.steps_table, lines=steps.step_lines),
        Show(steps.columns),
        Show(steps.linkage, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "What was done to each table.",
        "table",
        (
            (Column("steps"), lambda result: ", ".join(one["kind"] for one in result["steps"])),
            (Column("rows", is_number=True), lambda result: count(result["rows_after"])),
            (Column("closest to their own original", is_number=True), _closest),
        ),
    ),
    leaves=lambda result: f"{count(result['rows_after'])} of {count(result['rows_before'])} rows",
    chapters=Chapters(
        measures=lambda result: (*steps.blocks(result), Pictures(charts(result))),
        final=lambda result: (Notice(text) for text in result["warnings"]),
        utility=steps.utility_chapter,
        settings=lambda result: (settings(result),),
    ),
)
