"""A table that was transformed: what was done to it; no risk was measured."""

from __future__ import annotations

from reidrisk.report.blocks import steps
from reidrisk.report.blocks.settings import setting_text, versions
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Notice, Pictures
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Verdict

GUIDE = Guide(
    terms=(
        Fact(
            "Sampling fraction",
            "The share of people who go out. It protects only from those who do not know who they are.",
        ),
        Fact(
            "Information lost",
            "The mean change of a value in standard deviations of the original, over the root of two.",
        ),
        Fact(
            "Correlation",
            "Of a column with itself before it was changed: 1 if nothing is lost for statistics of numbers.",
        ),
        Fact(
            "Rank swapping",
            "Values change places with others of nearly the same rank.",
        ),
        Fact(
            "Post-randomisation",
            (
                "Categories become others with known chances. Who knows the chances can correct the shares "
                "of the values."
            ),
        ),
    ),
    limits=(
        "No risk is measured here. Measure what was written.",
        (
            "The linkage is by distance, with all originals at hand and in the changed columns alone. "
            "Others may know other columns."
        ),
        "Who knows the seed and the source can repeat every step but those with a key.",
        "This page is a measurement, not legal advice. People who answer for it decide on a release.",
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
    """The table that was transformed."""
    return short_path(str(result["source"]))


def about(result: ResultDict) -> str:
    """How much was done and how much is left."""
    return (
        f"{count(len(result['steps']))} steps; {count(result['rows_after'])} of "
        f"{count(result['rows_before'])} rows were written to "
        f"{short_path(str(result['out']))}."
    )


def verdict(result: ResultDict) -> Verdict:
    """What was done; no risk was measured."""
    return Verdict(None, reasons_of(result), "Transformed")


def settings(result: ResultDict) -> Facts:
    """What repeats it."""
    chosen = result["settings"]
    facts = (
        Fact("table", setting_text(chosen["table"])),
        Fact("written to", setting_text(chosen["out"])),
        *(Fact(f"step {at}", setting_text(step)) for at, step in enumerate(chosen["steps"], start=1)),
        Fact("seed", str(result["seed"])),
    )
    return Facts("Settings", "With these and the same key, the same table gives the same file.", facts)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """One chart; it says so if nothing was changed."""
    return (steps.step_chart(result["steps"]),)


def _nearest(result: ResultDict) -> str:
    found = result["steps_linkage"]
    return percent(found["value"]) if found else MISSING


KIND = Kind(
    title="Transformed table",
    name_of=name_of,
    about=about,
    verdict=verdict,
    charts=charts,
    shows=(
        Show(steps.done, lines=steps.step_lines),
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
            (Column("nearest to their own original", is_number=True), _nearest),
        ),
    ),
    chapters=Chapters(
        measures=lambda result: (*steps.blocks(result), Pictures(charts(result))),
        final=lambda result: (Notice(text) for text in result["warnings"]),
        utility=steps.utility_chapter,
        settings=lambda result: (settings(result),),
    ),
)
