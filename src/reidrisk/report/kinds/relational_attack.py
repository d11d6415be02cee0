"""An attack on a release of linked tables: what was predicted, and what was achieved."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import count, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict

ANSWERS = {True: "yes", False: "no"}
GUIDE = Guide(
    terms=(
        Fact(
            "Linkage",
            "The adversary knows the quasi-identifiers and some true events of a target, finds the released "
            "people who fit all of it, and guesses one of them.",
        ),
        Fact(
            "Predicted",
            "The average risk of people over all tables, measured on the released files. The attack shares "
            "no code with this figure.",
        ),
        Fact("Offset", "The number of days by which all dates of a person were moved."),
        Fact(
            "Chance",
            "The success of a guess without any clue. A clue that does no better is worthless.",
        ),
    ),
    limits=(
        "Targets and their events are drawn at random, so the success is an average. The most exposed people "
        "are in the highest predicted risk.",
        "Weekdays, months and the period of the true dates count as known to the adversary.",
        "Whoever finds the record of a person by a true date knows the offset, too: the linkage counts that. "
        "The verdict on offsets is about guesses without any true date.",
        "This page is a measurement, not legal advice. The people responsible decide about a release.",
    ),
    sources=(
        Source(
            "Dankar F. K. et al. Estimating the re-identification risk of clinical data sets. BMC Medical "
            "Informatics and Decision Making 12 (2012) 66.",
            "10.1186/1472-6947-12-66",
        ),
        Source(
            "Hripcsak G. et al. Preserving temporal relations in clinical data while maintaining privacy. "
            "Journal of the American Medical Informatics Association 23 (2016) 1040–1045.",
            "10.1093/jamia/ocw001",
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The release that was attacked."""
    return str(result["settings"]["released"])


def about(result: ResultDict) -> str:
    """How much was tried."""
    return (
        f"{count(result['people'])} released people; {count(result['settings']['targets'])} targets whose "
        f"quasi-identifiers and {plural(result['settings']['known'], 'event')} are known."
    )


def verdict(result: ResultDict) -> Verdict:
    """Whether nothing succeeded more often than predicted or accepted."""
    return Verdict(result["acceptable"], reasons_of(result))


def linkage(result: ResultDict) -> Table:
    """Success and prediction by number of known events."""
    rows = tuple(
        (
            str(row["known"]),
            ", ".join(f"{name} {number}" for name, number in row["from"].items()) or "none",
            probability(row["predicted"]),
            probability(row["success"]),
            span(row),
            f"{count(row['right'])} of {count(row['tried'])}",
            ANSWERS[row["agrees"]],
        )
        for row in result["linkage"]
    )
    return Table(
        "Linkage: predicted and measured",
        (
            "How often the right record was found, beside the predicted average risk. The known events come "
            "from the tables that tell most on average."
        ),
        (
            Column("known events"),
            Column("from"),
            Column("predicted", is_number=True),
            Column("success", is_number=True),
            Column("95 % interval", is_number=True),
            Column("right guesses", is_number=True),
            Column("as predicted"),
        ),
        rows,
        f"The most exposed person has a predicted risk of {probability(result['highest'])}.",
        marked=(len(rows) - 1,),
    )


def offsets(result: ResultDict) -> Table | None:
    """How often offsets were guessed."""
    if not result["offsets"]:
        return None
    rows = tuple(
        (
            row["clue"],
            row["aim"],
            probability(row["chance"]),
            probability(row["success"]),
            span(row),
            f"{count(row['right'])} of {count(row['tried'])}",
            ANSWERS[row["succeeds"]],
        )
        for row in result["offsets"]
    )
    return Table(
        "Recovery of offsets",
        "How often the offset of a person was guessed: from the moved dates alone, and from true dates.",
        (
            Column("clue"),
            Column("aim"),
            Column("chance", is_number=True),
            Column("success", is_number=True),
            Column("95 % interval", is_number=True),
            Column("right guesses", is_number=True),
            Column("better than chance"),
        ),
        rows,
    )


def ids(result: ResultDict) -> Table | None:
    """Ids that the release shares with the originals."""
    if not result["ids"]:
        return None
    rows = tuple(
        (
            row["column"],
            count(row["ids"]),
            count(row["equal"]),
            count(row["same_person"]),
            probability(row["chance"]),
            ANSWERS[row["leaks"]],
        )
        for row in result["ids"]
    )
    return Table(
        "Ids shared with the originals",
        "Released ids that are also ids of the originals, and how many of them mean the same person.",
        (
            Column("column"),
            Column("ids", is_number=True),
            Column("equal to an original", is_number=True),
            Column("of the same person", is_number=True),
            Column("by chance", is_number=True),
            Column("leaks"),
        ),
        rows,
    )


def orders(result: ResultDict) -> Table | None:
    """Orders of people that two tables share."""
    if not result["orders"]:
        return None
    rows = tuple(
        (
            row["one"],
            row["other"],
            count(row["people"]),
            f"{row['correlation']:.3f}",
            f"{row['limit']:.3f}",
            ANSWERS[row["leaks"]],
        )
        for row in result["orders"]
    )
    return Table(
        "Orders of rows",
        "Correlation of the order of people in two tables; 0 if the orders have nothing in common.",
        (
            Column("table"),
            Column("compared with"),
            Column("people", is_number=True),
            Column("correlation", is_number=True),
            Column("explained by chance", is_number=True),
            Column("leaks"),
        ),
        rows,
    )


def settings(result: ResultDict) -> Facts:
    """What was attacked, and what the adversary knows."""
    chosen, threshold = result["settings"], result["threshold"]
    days = "the distances between dates" if chosen["know"] == "intervals" else "values only"
    return Facts(
        "Settings",
        "The assumptions. Other choices can lead to other results.",
        (
            Fact("originals", str(chosen["against"])),
            Fact("targets", count(chosen["targets"])),
            Fact("known events", str(chosen["known"])),
            Fact("known of dates", days),
            Fact("seed", str(result["seed"])),
            Fact(
                "threshold",
                f"{probability(threshold['probability'])} (cell size {threshold['cell_size']})",
                "largest share of offsets that may be guessed to the day",
            ),
        ),
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Success beside the prediction."""
    rows = []
    for row in result["linkage"]:
        events = plural(row["known"], "event")
        rows += [
            (f"{events}, predicted", row["predicted"], False),
            (f"{events}, success", row["success"], True),
        ]
    bars = Bars(tuple(rows), "share of targets")
    spoken = ", ".join(f"{name} {probability(share)}" for name, share, _ in rows)
    return (
        Chart(
            "linkage",
            "Predicted and measured",
            "The predicted average risk, and how often the right record was found.",
            f"Share of targets: {spoken}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


KIND = Kind(
    title="Attack on linked tables",
    name_of=name_of,
    about=about,
    verdict=verdict,
    shows=(
        Show(linkage),
        Show(offsets),
        Show(ids),
        Show(orders),
        Show(settings, terminal=False),
        Show(versions, terminal=False),
    ),
    charts=charts,
    guide=GUIDE,
    comparison=Comparison(
        "The attacks side by side.",
        "release",
        (
            (
                Column("predicted", is_number=True),
                lambda result: probability(result["linkage"][-1]["predicted"]),
            ),
            (Column("success", is_number=True), lambda result: probability(result["linkage"][-1]["success"])),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
)
