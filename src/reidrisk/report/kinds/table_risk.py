"""The re-identification risk of a table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from reidrisk.report.blocks import events, sample, sensitive, steps
from reidrisk.report.blocks import table_risk_options as options
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.kind import UNCHANGED, Chapters, Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict

ADVERSARIES = {
    "prosecutor": "knows that the person is in the data",
    "journalist": "knows that the person is in the population",
    "marketer": "matches as many as possible",
}
MOST_SETS = 12
SIZES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 999), (1000, None))
"""Classes are shown by size, in groups whose borders are the usual cell sizes."""
RISK_GUIDE = Guide(
    terms=(
        Fact(
            "Quasi-identifier",
            "A column that an intruder may know of a person: an age, a sex, a place, a date.",
        ),
        Fact(
            "Equivalence class",
            "Records with the same values in all quasi-identifiers. An empty cell is a value.",
        ),
        Fact("Cell size", "The smallest class that is accepted; the threshold is its inverse, 1/5 for five."),
        Fact(
            "Prosecutor risk",
            "The adversary knows that the person is in the data: one in the size of the class.",
        ),
        Fact(
            "Journalist risk",
            ("The adversary knows only that the person is in the population: one in the class size there."),
        ),
        Fact("Marketer risk", "The share of records that an adversary who matches everybody gets right."),
        Fact(
            "Unit of analysis", "The person or visit that several rows belong to; the risk is counted for it."
        ),
        Fact(
            "Known events",
            (
                "In a table of events (claims, visits, prescriptions) an adversary may know some "
                "events of a person. The risk is 1 divided by the number of people of the same "
                "class who have these events too."
            ),
        ),
    ),
    limits=(
        (
            "The quasi-identifiers are those that were named; a column that was forgotten is "
            "not in the figures."
        ),
        "Two values are alike only if they are written alike.",
        ("This page is a measurement, not legal advice. People who answer for it decide on a release."),
    ),
    sources=(
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
        Source(
            "Dankar F. K. et al. Estimating the re-identification risk of clinical data sets. BMC Medical "
            "Informatics and Decision Making 12 (2012) 66.",
            "10.1186/1472-6947-12-66",
        ),
        Source(
            "Skinner C., Shlomo N. Assessing identification risk in survey microdata using log-linear "
            "models. Journal of the American Statistical Association 103 (2008) 989–1001.",
            "10.1198/016214507000001328",
        ),
        Source(
            "Machanavajjhala A. et al. L-diversity: privacy beyond k-anonymity. ACM Transactions on "
            "Knowledge Discovery from Data 1(1) (2007) 3.",
            "10.1145/1217299.1217302",
        ),
        Source(
            "Li N., Li T., Venkatasubramanian S. t-Closeness: privacy beyond k-anonymity and l-diversity. "
            "IEEE 23rd International Conference on Data Engineering (2007) 106–115.",
            "10.1109/ICDE.2007.367856",
        ),
        Source(
            "El Emam K. et al. De-identification methods for open health data: the case of the Heritage "
            "Health Prize claims dataset. Journal of Medical Internet Research 14(1) (2012) e33.",
            "10.2196/jmir.2001",
        ),
        Source(
            "Terrovitis M., Mamoulis N., Kalnis P. Privacy-preserving anonymization of set-valued data. "
            "Proceedings of the VLDB Endowment 1(1) (2008) 115–125.",
            "10.14778/1453856.1453874",
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def about(result: ResultDict) -> str:
    """How many records, and what an intruder is taken to know."""
    return f"{count(result['records'])} records. Known to an intruder: {_known(result)}."


def _known(result: ResultDict) -> str:
    quasi = ", ".join(result["settings"]["quasi"])
    found = result.get("longitudinal")
    if not found:
        return quasi
    one = "event" if found["known"] == 1 else "events"
    return f"{quasi}; and {found['known']} {one} of a person ({', '.join(found['columns'])})"


def verdict(result: ResultDict) -> Verdict:
    """The verdict with its reasons."""
    return Verdict(result["acceptable"], reasons_of(result))


def above(result: ResultDict) -> str:
    """The records that are too exposed, by the threshold that they were counted with."""
    return f"records above 1/{result['threshold']['cell_size']}"


def attacks(result: ResultDict) -> Table:
    """What each kind of adversary can do."""
    rows = [
        (
            f"{name}: {knows}",
            *(_cell(result[name], key) for key in ("highest", "average")),
            _above(result[name]),
        )
        for name, knows in ADVERSARIES.items()
    ]
    return Table(
        "Risk by adversary",
        (
            "The chance that a record is matched with the right person: of the most exposed "
            "record, on average, and how many records are above the threshold."
        ),
        (
            Column("adversary"),
            Column("highest", is_number=True),
            Column("average", is_number=True),
            Column(above(result), is_number=True),
        ),
        tuple(rows),
        _whence(result),
    )


def classes(result: ResultDict) -> Facts:
    """The equivalence classes in short."""
    facts = (
        Fact("rows", count(result["rows"]), "rows of the table"),
        Fact("records", count(result["records"]), "one a unit of analysis"),
        Fact(
            "classes",
            count(result["classes"]),
            "groups of records alike on all quasi-identifiers",
        ),
        Fact(
            "smallest class",
            count(result["smallest_class"]),
            "records alike with the most exposed one",
        ),
        Fact(
            "unique",
            percent(result["unique_share"]),
            "records alone in their class",
        ),
        Fact(
            "expected matches",
            f"{result['marketer']['expected_matches']:,.1f}",
            "records matched rightly by an adversary who matches everybody",
        ),
    )
    return Facts("Equivalence classes", "How many records look alike to an intruder.", facts)


def curve(result: ResultDict) -> Table:
    """Share of records at or below the usual risks."""
    rows = tuple((probability(row["risk"]), percent(row["share_of_records"])) for row in result["risk_curve"])
    columns = (
        Column("risk at most"),
        Column("share of records", is_number=True),
    )
    return Table("Risk curve", "How many records have at most this risk.", columns, rows)


def drivers(result: ResultDict) -> Table:
    """What is left without each column."""
    rows = tuple(
        (left_out, percent(row["unique_share"]), percent(row["share_above_threshold"]))
        for row in result["without_column"]
        if (left_out := _left_out(result, row["columns"]))
    )
    return Table(
        "What each column adds",
        (
            "The risk that would be left if one column were not released. The lower, the more "
            "that column adds."
        ),
        (
            Column("without"),
            Column("unique records", is_number=True),
            Column(above(result), is_number=True),
        ),
        rows,
        (
            f"With all columns: {percent(result['unique_share'])} unique, "
            f"{_above(result['prosecutor'])} above the threshold."
        ),
    )


def singling(result: ResultDict) -> Table:
    """The smallest sets of columns that single somebody out."""
    found = result["singling_out"]
    rows = tuple(
        (" + ".join(row["columns"]), percent(row["unique_share"]), percent(row["share_above_threshold"]))
        for row in found[:MOST_SETS]
    )
    left = len(found) - MOST_SETS
    note = "Nobody is unique, even with all columns." if not found else ""
    return Table(
        "Columns that single out",
        "The smallest sets of columns by which at least one record is unique.",
        (
            Column("columns"),
            Column("unique records", is_number=True),
            Column(above(result), is_number=True),
        ),
        rows,
        f"{left} more sets are in the result file." if left > 0 else note,
    )


def settings(result: ResultDict) -> Facts:
    """What was assumed."""
    chosen = result["settings"]
    threshold = result["threshold"]
    facts = [
        Fact("quasi-identifiers", ", ".join(chosen["quasi"])),
        Fact("unit", chosen["unit"] or "every row is a record"),
        Fact(
            "threshold",
            f"{probability(threshold['probability'])} (cell size {threshold['cell_size']})",
        ),
        Fact("reason", threshold["reason"]),
        Fact("empty cells", chosen["null"]),
    ]
    named = ("table", "population")
    facts += [Fact(name, str(chosen[name])) for name in named if chosen.get(name)]
    facts += [
        Fact(name, str(chosen[key])) for key, name in (("rare", "list of rare codes"),) if chosen.get(key)
    ]
    facts += [Fact(f"{column} within a unit", rule) for column, rule in chosen["reduce"].items()]
    facts += _decides(result)
    if chosen.get("sensitive"):
        facts.append(Fact("sensitive columns", ", ".join(chosen["sensitive"])))
    if result["notes"]:
        facts.append(Fact("read as", "; ".join(result["notes"])))
    return Facts("Settings", "What was assumed. Other choices can give another verdict.", tuple(facts))


def _decides(result: ResultDict) -> list[Fact]:
    """Whose risk decides, where it is not the usual one."""
    if result.get("adversary", "prosecutor") == "prosecutor":
        return []
    return [Fact("decides", ADVERSARIES[result["adversary"]])]


def _whence(result: ResultDict) -> str:
    """Why there is no journalist risk, or that it was estimated."""
    if result["journalist"].get("estimated_by"):
        return "Journalist and marketer risk are estimated from the table as a sample: see The population."
    return str(result["journalist"].get("reason", ""))


def _cell(part: dict[str, Any], key: str) -> str:
    return probability(part.get(key)) if key in part else ""


def _above(part: dict[str, Any]) -> str:
    return percent(part["share_above_threshold"]) if "share_above_threshold" in part else ""


def _left_out(result: ResultDict, columns: list[str]) -> str:
    return ", ".join(name for name in result["settings"]["quasi"] if name not in columns)


def risk_charts(result: ResultDict) -> tuple[Chart, ...]:
    """Records by the size of their class, what each column adds, and what was measured besides."""
    return (
        size_chart(result),
        _columns(result),
        *events.charts(result),
        *sample.sample_charts(result),
        *sensitive.sensitive_charts(result),
        *options.option_charts(result),
    )


def size_chart(result: ResultDict) -> Chart:
    """Records by the size of their class."""
    cell_size, records = result["threshold"]["cell_size"], result["records"]
    rows = []
    for low, high in SIZES:
        here = [row for row in result["class_sizes"] if low <= row["size"] <= (high or row["size"])]
        share = sum(row["size"] * row["classes"] for row in here) / records
        label = str(low) if low == high else f"{low:,}–{high:,}" if high else f"{low:,}+"
        rows.append((label, share, low < cell_size))
    while rows and rows[-1][1] == 0:
        rows.pop()
    below = result["prosecutor"]["share_above_threshold"]
    bars = Bars(tuple(rows), "size of the class")
    return Chart(
        "classes",
        "Records by the size of their class",
        (f"Dark: classes below the cell size of {cell_size}. {percent(below)} of records are too exposed."),
        (f"Of {count(records)} records, {percent(below)} are in classes smaller than {cell_size}."),
        bars.height,
        partial(draw_bars, bars=bars),
    )


def _columns(result: ResultDict) -> Chart:
    every = result["prosecutor"]["share_above_threshold"]
    quasi = result["settings"]["quasi"]
    rows = [("all columns", every, True)]
    for row in result["without_column"]:
        missing = [name for name in quasi if name not in row["columns"]]
        rows.append((f"without {', '.join(missing)}", row["share_above_threshold"], False))
    bars = Bars(tuple(rows), "records above the threshold")
    lowest = min(rows[1:], key=lambda row: row[1], default=rows[0])
    return Chart(
        "columns",
        "What each column adds",
        ("Records above the threshold with all columns, and if one of them were not released."),
        (
            f"With all columns {percent(every)} of records are above the threshold, "
            f"{lowest[0]} {percent(lowest[1])}."
        ),
        bars.height,
        partial(draw_bars, bars=bars),
    )


def _initial(result: ResultDict) -> Iterable[Block]:
    if result.get("steps"):
        return (
            Prose(
                (
                    "The table was transformed before it was measured. The risk that it had before "
                    "stands in the overview above.",
                )
            ),
        )
    return (
        Prose(
            (
                "Nothing was changed in this table. Its initial risk is its final risk, which "
                "stands in a chapter below.",
            )
        ),
        classes(result),
    )


def _measures(result: ResultDict) -> Iterable[Block | None]:
    if not result.get("steps"):
        return UNCHANGED(result)
    notes = (Notice(text) for text in result["step_notes"])
    return (*notes, *steps.blocks(result), Pictures(steps.step_charts(result)))


def _final(result: ResultDict) -> Iterable[Block]:
    return (
        *(Notice(text) for text in options.alarms(result)),
        attacks(result),
        Pictures(risk_charts(result)),
        *events.blocks(result),
        drivers(result),
        singling(result),
        *sample.blocks(result),
        *sensitive.blocks(result),
        *options.blocks(result),
    )


def _identifiers(result: ResultDict) -> Iterable[Block]:
    quasi = (
        f"Taken as known to an intruder: {', '.join(result['settings']['quasi'])}. Direct "
        "identifiers were not part of what was measured."
    )
    return (Prose((quasi, *events.known(result))),)


KIND = Kind(
    title="Risk of re-identification in a table",
    name_of=name_of,
    about=about,
    headline=lambda result: (
        f"Risk of re-identification in {name_of(result)} ({count(result['records'])} records)"
    ),
    verdict=verdict,
    warnings=lambda result: result.get("step_notes", ()),
    alarms=options.alarms,
    charts=lambda result: (*risk_charts(result), *steps.step_charts(result)),
    shows=(
        Show(steps.blocks, lines=steps.step_lines),
        Show(attacks),
        Show(events.blocks, terminal=events.terminal_blocks),
        Show(classes),
        Show(curve, terminal=False),
        Show(drivers),
        Show(singling),
        Show(sample.blocks, terminal=sample.terminal_blocks),
        Show(sensitive.blocks),
        Show(options.blocks),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=RISK_GUIDE,
    comparison=Comparison(
        "The risk of every table to an adversary who knows who is in it.",
        "table",
        (
            (Column("records", is_number=True), lambda result: count(result["records"])),
            (
                Column("highest risk", is_number=True),
                lambda result: probability(result["prosecutor"]["highest"]),
            ),
            (
                Column("average risk", is_number=True),
                lambda result: probability(result["prosecutor"]["average"]),
            ),
            (
                Column("above the threshold", is_number=True),
                lambda result: percent(result["prosecutor"]["share_above_threshold"]),
            ),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
    chapters=Chapters(
        initial=_initial,
        measures=_measures,
        final=_final,
        sensitivity=lambda result: (curve(result),),
        identifiers=_identifiers,
        utility=steps.utility_chapter,
        settings=lambda result: (settings(result),),
        formulas=("highest", "average"),
    ),
)
