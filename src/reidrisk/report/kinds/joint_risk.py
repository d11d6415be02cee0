"""The risk of people over all parts of a release."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import waterfall
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.waterfall import draw_waterfall, waterfall_steps
from reidrisk.report.document import Block, Pictures, Prose
from reidrisk.report.kind import Chapters, Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.traced import size

GUIDE = Guide(
    terms=(
        Fact("Told", "A value that a document shows about a person, or that is known to have leaked."),
        Fact("Leak", "A value of a text that the tool missed; it counts with its probability."),
        Fact("Alone", "The risk if only this part were released."),
        Fact("Without", "The risk if all parts but this one were released."),
    ),
    limits=(
        "Parts are linked by people before they are renamed. A part that cannot be linked stops the verdict.",
        "Several kinds of values that may leak count as if nobody else had the same value.",
        "Parts for different recipients are judged apart, and together unless they cannot be pooled.",
        "Distances between dates, and what a detector may have missed in documents, count in the verdict on "
        "the part itself and not here.",
    ),
    sources=(
        Source(
            "Ganta S. R., Kasiviswanathan S. P., Smith A. Composition attacks and auxiliary information in "
            "data privacy. KDD 2008, 265–273. arXiv:0803.0032.",
        ),
        Source(
            "Scaiano M. et al. A unified framework for evaluating the risk of re-identification of text "
            "de-identification tools. Journal of Biomedical Informatics 63 (2016) 174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The parts."""
    return ", ".join(result["settings"]["parts"])


def about(result: ResultDict) -> str:
    """People and parts."""
    return (
        f"{count(result['people'])} people in {plural(size(result['settings']['parts']), 'part')}; an "
        f"intruder knows {plural(result['settings']['known'], 'event')} per person."
    )


def verdict(result: ResultDict) -> Verdict:
    """The verdict with its reasons."""
    return Verdict(result["acceptable"], reasons_of(result))


def above(result: ResultDict) -> str:
    """The head of a column with the share of people above the threshold."""
    return f"people above 1/{result['threshold']['cell_size']}"


def parts(result: ResultDict) -> Table:
    """What each part adds."""
    rows = tuple(
        (
            row["part"],
            probability(row["alone"]["highest"]),
            percent(row["alone"]["share_above_threshold"]),
            percent(row["adds"]),
            _without(row["without"], "highest"),
            _without(row["without"], "share_above_threshold"),
            "yes" if row["part"] in result["breaking"] else "no",
        )
        for row in result["parts"]
    )
    return Table(
        "What each part adds",
        (
            "The risk through each part alone, how many more people are above the threshold once it is added "
            "to the parts before it, and the risk without it."
        ),
        (
            Column("part"),
            Column("highest alone", is_number=True),
            Column("above alone", is_number=True),
            Column("adds", is_number=True),
            Column("highest without", is_number=True),
            Column("above without", is_number=True),
            Column("acceptable without it"),
        ),
        rows,
        (
            f"All together: highest {probability(result['highest'])}, "
            f"{percent(result['share_above_threshold'])} of people above the threshold. From the parts "
            "alone, without joining them, the highest risk is between "
            f"{probability(result['bounds']['low'])} and {probability(result['bounds']['high'])}."
        ),
    )


def _without(row: dict[str, Any] | None, name: str) -> str:
    if row is None:
        return "no other part"
    return probability(row[name]) if name == "highest" else percent(row[name])


def by_known(result: ResultDict) -> Table:
    """The risk by known events, without what may leak."""
    rows = tuple(
        (
            str(row["known"]),
            probability(row["highest"]),
            probability(row["average"]),
            percent(row["share_above_threshold"]),
            row["method"],
        )
        for row in result["by_known"]
    )
    return Table(
        "Risk by known events",
        "What tables, documents and observed leaks tell, without what may still leak.",
        (
            Column("known events"),
            Column("highest", is_number=True),
            Column("average", is_number=True),
            Column(above(result), is_number=True),
            Column("method"),
        ),
        rows,
    )


def unlinked(result: ResultDict) -> Table | None:
    """Parts that could not be linked."""
    if not result["unlinked"]:
        return None
    rows = tuple((row["part"], row["reason"]) for row in result["unlinked"])
    return Table(
        "Parts that could not be linked",
        "What they tell together with the others is not known.",
        (Column("part"), Column("reason", is_prose=True)),
        rows,
    )


def settings(result: ResultDict) -> Facts:
    """The settings of the measurement."""
    chosen, threshold = result["settings"], result["threshold"]
    leaks = "with their probability" if chosen["leaks"] == "model" else "as observed"
    same = "; ".join(f"{name}: {', '.join(places)}" for name, places in chosen["same"].items())
    return Facts(
        "Settings",
        "The assumptions. Other choices can lead to another verdict.",
        (
            Fact(
                "threshold", f"{probability(threshold['probability'])} (cell size {threshold['cell_size']})"
            ),
            Fact("reason", threshold["reason"]),
            Fact("known events", str(chosen["known"])),
            Fact("leaks count", leaks),
            Fact("the same attribute", same or "none"),
            Fact("average risk", probability(result["average"]), "mean over people"),
        ),
    )


def curve(result: ResultDict) -> Table:
    """The share of people at or below common risk values."""
    rows = tuple((probability(row["risk"]), percent(row["share_of_people"])) for row in result["risk_curve"])
    return Table(
        "Risk curve of people",
        "Share of people whose risk, over all parts, is at most this value.",
        (Column("risk at most"), Column("share of people", is_number=True)),
        rows,
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """People above the threshold as each part is added."""
    rows = [(row["part"], row["up_to_here"]["share_above_threshold"]) for row in result["parts"]]
    steps = waterfall_steps(rows, "all together")
    spoken = ", ".join(f"{one.name} {one.text}" for one in steps)
    return (
        Chart(
            "parts",
            "What each part adds",
            f"People above 1/{result['threshold']['cell_size']}, as each part is added to those before it. "
            "A part in another place may add more or less.",
            f"People above the threshold: {spoken}.",
            waterfall.height(steps),
            partial(draw_waterfall, steps=steps, title="people above the threshold"),
        ),
    )


def _leaves(result: ResultDict) -> str:
    names = ", ".join(result["settings"]["parts"])
    return f"what {names} tell together about {count(result['people'])} people"


def _key(result: ResultDict) -> Iterable[Block | None]:
    return parts(result), Pictures(charts(result)), unlinked(result)


def _final(result: ResultDict) -> Iterable[Block | None]:
    return (parts(result), Pictures(charts(result)), by_known(result), unlinked(result))


KIND = Kind(
    title="What the parts tell together",
    name_of=name_of,
    about=about,
    headline=lambda result: f"What the parts tell together: {name_of(result)} ({about(result)})",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(unlinked),
        Show(parts),
        Show(by_known),
        Show(curve, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The risk of people over all parts.",
        "parts",
        (
            (Column("people", is_number=True), lambda result: count(result["people"])),
            (Column("highest risk", is_number=True), lambda result: probability(result["highest"])),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
    leaves=_leaves,
    chapters=Chapters(
        key=_key,
        final=_final,
        sensitivity=lambda result: (curve(result),),
        identifiers=lambda result: (Prose((about(result),)),),
        settings=lambda result: (settings(result),),
    ),
)
