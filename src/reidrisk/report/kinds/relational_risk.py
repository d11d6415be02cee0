"""The risk of people over linked tables."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.blocks.relational import checks_of, graph, release_of, tables_and_columns, treatments
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import lines
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.document import Block, Pictures, Prose
from reidrisk.report.kind import UNCHANGED, Chapters, Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.traced import size

GUIDE = Guide(
    terms=(
        Fact("Event", "A row of a table about a person, such as a diagnosis or a drug."),
        Fact(
            "Known events",
            "Events of a person that the adversary knows, from any tables, in addition to the "
            "quasi-identifiers.",
        ),
        Fact("Support", "The number of people of the class who have all known events."),
        Fact("Highest risk", "1 divided by the smallest support over everything that may be known."),
        Fact(
            "Average risk",
            "The mean over people, for the tables from which knowing events helps the adversary most.",
        ),
        Fact(
            "Distances between dates",
            "One offset per person hides days, but not how many days lie between two events.",
        ),
    ),
    limits=(
        "People are compared with each other (prosecutor). With a population, they are compared by "
        "quasi-identifiers only.",
        "What is known not to have happened, and the number of rows of a person, are not counted.",
        "Columns that are neither quasi-identifiers nor part of events are not counted.",
    ),
    sources=(
        Source(
            "El Emam K. et al. De-identification methods for open health data. Journal of Medical Internet "
            "Research 14 (2012) e33.",
            "10.2196/jmir.2001",
        ),
        Source(
            "Terrovitis M., Mamoulis N., Kalnis P. Privacy-preserving anonymization of set-valued data. "
            "Proceedings of the VLDB Endowment 1(1) (2008) 115–125.",
            "10.14778/1453856.1453874",
        ),
        Source(
            "Nergiz M. E., Clifton C., Nergiz A. E. Multirelational k-anonymity. IEEE Transactions on "
            "Knowledge and Data Engineering 21(8) (2009) 1104–1117.",
            "10.1109/TKDE.2008.210",
        ),
    ),
)

NOBODY = "Nobody is above the threshold, neither through one table nor through all of them."
LISTED = (
    "What became of each variable is listed in the chapter on people over all parts. What was promised was "
    "proved on the written files."
)


def name_of(result: ResultDict) -> str:
    """The tables, by the last part of their path."""
    return short_path(str(result["place"]))


def about(result: ResultDict) -> str:
    """The number of people and tables, and what an intruder is assumed to know."""
    known = result["settings"]["known"]["total"]
    tables = size(result["settings"]["events"])
    source = "one table" if tables == 1 else f"any of {tables} tables"
    return (
        f"{count(result['people'])} people. An intruder is assumed to know the quasi-identifiers and "
        f"{plural(known, 'event')} per person, from {source}."
    )


def verdict(result: ResultDict) -> Verdict:
    """The verdict with its reasons."""
    return Verdict(result["acceptable"], reasons_of(result))


def above(result: ResultDict) -> str:
    """The head of a column with the share of people above the threshold."""
    return f"people above 1/{result['threshold']['cell_size']}"


def by_known(result: ResultDict) -> Table:
    """The risk by the number of known events."""
    sampled = any(row["method"] == "sampled" for row in result["by_known"])
    note = "The average is that of the tables in the last column, which help the adversary most."
    if sampled:
        drawn = max(row["drawn"] or 0 for row in result["by_known"])
        note += (
            " Sampled: there are too many sets of events to count all. The highest risk is a lower bound; "
            f"shares and averages come from {plural(drawn, 'person')} drawn at random, with 95 % limits."
        ).replace("persons", "people")
    return Table(
        "Risk by known events",
        (
            "The risk of a person is the highest over all sets of events that may be known, from all tables "
            "together."
        ),
        (
            Column("known events"),
            Column("highest", is_number=True),
            Column("average", is_number=True),
            Column(above(result), is_number=True),
            Column("singled out", is_number=True),
            Column("sets", is_number=True),
            Column("events of"),
        ),
        tuple(_known_row(row) for row in result["by_known"]),
        note,
    )


def _known_row(row: dict[str, Any]) -> tuple[str, ...]:
    exact = row["method"] == "exact"
    of = ", ".join(f"{name} ({number})" for name, number in row["average_of"].items())
    if exact:
        figures = (
            probability(row["highest"]),
            probability(row["average"]),
            percent(row["share_above_threshold"]),
            percent(row["unique_share"]),
        )
    else:
        figures = (
            f"{probability(row['highest'])} or more",
            f"{probability(row['average'])} ({probability(row['average_low'])} to "
            f"{probability(row['average_high'])})",
            f"{percent(row['share_above_threshold'])} ({percent(row['share_low'])} to "
            f"{percent(row['share_high'])})",
            f"{percent(row['unique_share'])} or more",
        )
    return str(row["known"]), *figures, count(row["subsets"]), of or "none"


def tables(result: ResultDict) -> Table | None:
    """What each table adds."""
    if not result["tables"]:
        return None
    rows = tuple(
        (
            row["table"],
            ", ".join(row["columns"]) or "their dates",
            count(row["events"]),
            count(row["people"]),
            str(row["most_known"]),
            _share(row["alone"]),
            _share(row["without"]),
        )
        for row in result["tables"]
    )
    return Table(
        "What each table adds",
        (
            "The share of people above the threshold if only this table were released with the "
            "quasi-identifiers, and if all tables but this one were."
        ),
        (
            Column("table"),
            Column("events are described by"),
            Column("events", is_number=True),
            Column("people", is_number=True),
            Column("most known", is_number=True),
            Column("alone", is_number=True),
            Column("without", is_number=True),
        ),
        rows,
        f"All tables together: {percent(result['by_known'][-1]['share_above_threshold'])}.",
    )


def _share(row: dict[str, float] | None) -> str:
    return "not counted" if row is None else percent(row["share_above_threshold"])


def columns(result: ResultDict) -> Table | None:
    """The risk without each column; None if it was not measured."""
    if not result["without_columns"]:
        return None
    every = result["by_known"][-1]["share_above_threshold"]
    rows = tuple(
        (
            row["column"] if row["table"] is None else f"{row['table']}.{row['column']}",
            percent(max(every - row["share_above_threshold"], 0.0)),
            probability(row["highest"]),
            probability(row["average"]),
            percent(row["share_above_threshold"]),
        )
        for row in result["without_columns"]
    )
    return Table(
        "What each column adds",
        f"How many {above(result)} each column adds, and the risk that would remain without it.",
        (
            Column("column"),
            Column("adds", is_number=True),
            Column("highest without it", is_number=True),
            Column("average without it", is_number=True),
            Column(f"{above(result)} without it", is_number=True),
        ),
        rows,
    )


def remedies(result: ResultDict) -> Table | None:
    """What would lower the risk."""
    if not result["remedies"]:
        return None
    rows = tuple((str(place), row["text"]) for place, row in enumerate(result["remedies"], start=1))
    return Table(
        "What would help",
        "Each line is the measured risk without one table or column.",
        (Column("rank"), Column("remedy", is_prose=True)),
        rows,
    )


def curve(result: ResultDict) -> Table:
    """The share of people at or below common risk values."""
    rows = tuple((probability(row["risk"]), percent(row["share_of_people"])) for row in result["risk_curve"])
    return Table(
        "Risk curve of people",
        "Share of people whose risk is at most this value, with all known events.",
        (Column("risk at most"), Column("share of people", is_number=True)),
        rows,
    )


def people(result: ResultDict) -> Facts:
    """People, classes and the population."""
    classes, journalist = result["classes"], result["journalist"]
    facts = [
        Fact("people", count(result["people"])),
        Fact("events", count(result["events"])),
        Fact("quasi-identifiers", ", ".join(classes["columns"]) or "none"),
        Fact("classes", count(classes["classes"]), "groups of people with the same quasi-identifiers"),
        Fact("smallest class", count(classes["smallest"])),
    ]
    if "highest" in journalist:
        facts.append(
            Fact("highest journalist risk", probability(journalist["highest"]), journalist["reason"])
        )
    return Facts("People and classes", "Whom the tables are about.", tuple(facts))


def settings(result: ResultDict) -> Facts:
    """The settings of the measurement."""
    chosen, threshold = result["settings"], result["threshold"]
    known = ", ".join(f"{name}: {number}" for name, number in chosen["known"].items())
    dates = "their values" if chosen["know"] != "intervals" else "their values and distances between dates"
    facts = [
        Fact("threshold", f"{probability(threshold['probability'])} (cell size {threshold['cell_size']})"),
        Fact("reason", threshold["reason"]),
        Fact("known events", known),
        Fact("what is known of events", dates),
    ]
    if chosen.get("offset") is not None:
        facts.append(Fact("largest offset of dates", plural(chosen["offset"], "day")))
    if result.get("seed") is not None:
        facts.append(Fact("seed", str(result["seed"])))
    return Facts("Settings", "The assumptions. Other choices can lead to another verdict.", tuple(facts))


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The risk by known events, what each table adds, and the tables with their keys."""
    return (_known_chart(result), *_table_charts(result), *key_charts(result))


def key_charts(result: ResultDict) -> tuple[Chart, ...]:
    """The tables and their keys, if they were released."""
    release = release_of(result)
    return () if release is None else (graph(release),)


def released(result: ResultDict) -> Iterable[Table]:
    """What became of tables and variables, and the proof of it; nothing if the tables are as they were."""
    release = release_of(result)
    if release is None:
        return ()
    return tables_and_columns(release), treatments(release), checks_of(release["proof"]["checks"])


def _measures(result: ResultDict) -> Iterable[Block | None]:
    release = release_of(result)
    if release is None:
        return UNCHANGED(result)
    return Prose((LISTED,)), checks_of(release["proof"]["checks"])


def _known_chart(result: ResultDict) -> Chart:
    rows = result["by_known"]
    series = {
        "share_above_threshold": f"people who fit fewer than {result['threshold']['cell_size']} people",
        "unique_share": "people singled out by some known events",
        "average": "average risk",
    }
    drawn = [Line(title, tuple((row["known"], row[name]) for row in rows)) for name, title in series.items()]
    spoken = "; ".join(
        f"{row['known']}: {percent(row['share_above_threshold'])} above the threshold" for row in rows
    )
    return Chart(
        "known",
        "Risk by the number of known events",
        "Each known event, from any table, leaves fewer people who fit.",
        f"Known events: {spoken}.",
        lines.height(drawn),
        partial(draw_lines, lines=drawn, scale="plain", label="known events per person, from all tables"),
    )


def _table_charts(result: ResultDict) -> tuple[Chart, ...]:
    rows = [row for row in result["tables"] if row["alone"] and row["without"]]
    if not rows:
        return ()
    every = result["by_known"][-1]["share_above_threshold"]
    if not every and not any(row["alone"]["share_above_threshold"] for row in rows):
        return (Chart("tables", "What each table adds", NOBODY, NOBODY, 0.0, None),)
    bars = Bars(
        (
            *((f"{row['table']} alone", row["alone"]["share_above_threshold"], False) for row in rows),
            ("all tables", every, True),
            *((f"without {row['table']}", row["without"]["share_above_threshold"], False) for row in rows),
        ),
        "people above the threshold",
    )
    spoken = ", ".join(f"{name} {percent(share)}" for name, share, _ in bars.rows)
    return (
        Chart(
            "tables",
            "What each table adds",
            "People above the threshold through each table alone, through all, and without each table.",
            f"People above the threshold: {spoken}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def identifiers(result: ResultDict) -> Iterable[Block]:
    """What an intruder is assumed to know."""
    return (Prose((about(result),)),)


def leaves(result: ResultDict) -> str:
    """What leaves, in a few words."""
    tables = plural(size(result["settings"]["events"]), "table")
    return f"{tables} of events of {count(result['people'])} people"


def _key(result: ResultDict) -> Iterable[Block | None]:
    return by_known(result), Pictures(_table_charts(result)[:1] or (_known_chart(result),))


def _final(result: ResultDict) -> Iterable[Block | None]:
    return (
        by_known(result),
        Pictures(charts(result)),
        tables(result),
        columns(result),
        remedies(result),
        people(result),
    )


KIND = Kind(
    title="Risk of people over linked tables",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Risk of people over the tables of {name_of(result)} ({about(result)})",
    verdict=verdict,
    warnings=lambda result: tuple(result.get("warnings", ())),
    charts=charts,
    shows=(
        Show(by_known),
        Show(tables),
        Show(columns),
        Show(remedies),
        Show(people),
        Show(released, terminal=False),
        Show(curve, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The risk of people over each set of linked tables.",
        "tables",
        (
            (Column("people", is_number=True), lambda result: count(result["people"])),
            (Column("highest risk", is_number=True), lambda result: probability(result["highest"])),
            (
                Column("above the threshold", is_number=True),
                lambda result: percent(result["by_known"][-1]["share_above_threshold"]),
            ),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
    leaves=leaves,
    chapters=Chapters(
        key=_key,
        initial=lambda result: (people(result),),
        measures=_measures,
        final=_final,
        sensitivity=lambda result: (curve(result),),
        identifiers=identifiers,
        settings=lambda result: (settings(result),),
    ),
)
