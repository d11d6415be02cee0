"""The re-identification risk of a table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from reidrisk.report.blocks import events, inventory, sample, sensitive, steps
from reidrisk.report.blocks import table_risk_options as options
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.kind import UNCHANGED, Chapters, Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import file_name, short_path
from reidrisk.report.numbers import MISSING, count, counted, level, more, percent, percent_span, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.traced import size

ADVERSARIES = {
    "prosecutor": "knows that the person is in the data",
    "journalist": "knows that the person is in the population",
    "marketer": "wants to match as many records as possible",
}
RULES = {
    "maximum": "the most exposed record",
    "strict_average": "the average risk, with no record in a population class smaller than 3",
    "average": "the average risk alone",
}
MOST_SETS = 12
CUT_OFF = (
    "Not all sets were examined, because there are too many: there may be other sets, and smaller ones "
    "within those shown."
)
SIZES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 999), (1000, None))
"""Classes are drawn in groups whose limits are the usual cell sizes."""
RISK_GUIDE = Guide(
    terms=(
        Fact(
            "Quasi-identifier",
            "A column that an intruder may know about a person: age, sex, place, dates.",
        ),
        Fact(
            "Equivalence class",
            "Records with the same values in all quasi-identifiers. An empty cell counts as a value.",
        ),
        Fact(
            "Cell size",
            "The smallest acceptable class. The threshold is its inverse: 1/5 for a cell size of 5.",
        ),
        Fact(
            "Prosecutor risk",
            "The adversary knows that the person is in the data: 1 divided by the size of the class.",
        ),
        Fact(
            "Journalist risk",
            (
                "The adversary only knows that the person is in the population: 1 divided by the size of "
                "the class in the population."
            ),
        ),
        Fact("Marketer risk", "The share of correct matches if an adversary matches every record."),
        Fact("Unit of analysis", "The person or visit that rows belong to. The risk is computed per unit."),
        Fact(
            "Known events",
            (
                "In a table of events (claims, visits, prescriptions), an adversary may know some events "
                "of a person. The risk is 1 divided by the number of people in the same class who also "
                "have these events."
            ),
        ),
    ),
    limits=(
        "Only the quasi-identifiers that were named count. A forgotten column stops the verdict only if its "
        "name or its values show what it is.",
        "Two values count as equal only if they are written the same way.",
        "This page is a measurement, not legal advice. The people responsible decide about a release.",
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
            "Rocher L., Hendrickx J. M., de Montjoye Y.-A. Estimating the success of re-identifications in "
            "incomplete datasets using generative models. Nature Communications 10 (2019) 3069.",
            "10.1038/s41467-019-10933-3",
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
    """The number of records, and what an intruder is assumed to know."""
    return f"{count(result['records'])} records. An intruder is assumed to know: {_known_text(result)}."


def _known_text(result: ResultDict) -> str:
    quasi = ", ".join(result["settings"]["quasi"])
    found = result.get("longitudinal")
    if not found:
        return quasi
    one = "event" if found["known"] == 1 else "events"
    return f"{quasi}; and {found['known']} {one} per person ({', '.join(found['columns'])})"


def verdict(result: ResultDict) -> Verdict:
    """The verdict with its reasons."""
    return Verdict(result["acceptable"], reasons_of(result))


def above(result: ResultDict) -> str:
    """The head of a column with the share of records above the threshold."""
    return f"records above 1/{result['threshold']['cell_size']}"


def attacks(result: ResultDict) -> Table:
    """The risk that each kind of adversary poses."""
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
            "The probability that a record is matched to the right person: for the most exposed record, "
            "on average, and how many records are above the threshold."
        ),
        (
            Column("adversary"),
            Column("highest", is_number=True),
            Column("average", is_number=True),
            Column(above(result), is_number=True),
        ),
        tuple(rows),
        _journalist_note(result),
    )


def classes(result: ResultDict) -> Facts:
    """Key figures of the equivalence classes."""
    facts = (
        Fact("rows", count(result["rows"]), "rows in the table"),
        Fact("records", count(result["records"]), "one record per person or visit"),
        Fact(
            "classes",
            count(result["classes"]),
            "groups of records with the same values in all quasi-identifiers",
        ),
        Fact(
            "smallest class",
            count(result["smallest_class"]),
            "records in the smallest equivalence class",
        ),
        Fact(
            "unique",
            percent(result["unique_share"]),
            "records that are the only one in their class",
        ),
        Fact(
            "expected matches",
            f"{result['marketer']['expected_matches']:,.1f}",
            "correct matches if an adversary matches every record",
        ),
    )
    return Facts("Equivalence classes", "How many records an intruder cannot tell apart.", facts)


def curve(result: ResultDict) -> Table:
    """The share of records at or below common risk values."""
    rows = tuple((probability(row["risk"]), percent(row["share_of_records"])) for row in result["risk_curve"])
    columns = (
        Column("risk at most"),
        Column("share of records", is_number=True),
    )
    return Table("Risk curve", "Share of records whose risk is at most this value.", columns, rows)


def drivers(result: ResultDict) -> Table | None:
    """The risk without each column; None if it was not measured."""
    if not result["without_column"]:
        return None
    every = result["prosecutor"]["share_above_threshold"]
    rows = tuple(
        (left_out, _added(every, row["share_above_threshold"]), *_shares(row))
        for row in result["without_column"]
        if (left_out := _left_out(result, row["columns"]))
    )
    return Table(
        "What each column adds",
        f"How many {above(result)} each column adds, and the risk that would remain if it were not released.",
        (
            Column("column"),
            Column("adds", is_number=True),
            Column("unique records without it", is_number=True),
            Column(f"{above(result)} without it", is_number=True),
        ),
        rows,
        (
            f"With all columns: {percent(result['unique_share'])} unique, "
            f"{_above(result['prosecutor'])} above the threshold.{_estimated(result['without_column'])}"
        ),
    )


def _added(every: Any, without: Any) -> str:
    """What a column adds; a shared result may have words instead of shares."""
    if isinstance(every, str) or isinstance(without, str):
        return MISSING
    return percent(adds(every, without))


def _shares(row: dict[str, Any]) -> tuple[str, str]:
    """Unique records and those above the threshold, with intervals where they were estimated."""
    found = row.get("estimated")
    unique, above = (
        f"{percent(row[name])} ({percent_span(found[name])})" if found else percent(row[name])
        for name in ("unique_share", "share_above_threshold")
    )
    return unique, above


def _estimated(rows: Iterable[dict[str, Any]]) -> str:
    """What the intervals are; nothing if every share was counted."""
    found = next((row["estimated"] for row in rows if "estimated" in row), None)
    if found is None:
        return ""
    return (
        f" Shares with an interval are estimated from a sample of classes (1 in {found['one_in']:,}); "
        f"the interval contains the true share with a confidence of {level(found['level'])}."
    )


def singling_out(result: ResultDict) -> Table | None:
    """The smallest sets of columns that single out a record; None if they were not measured."""
    found = result["singling_out"]
    if not result["without_column"]:
        return None
    rows = tuple((" + ".join(row["columns"]), *_shares(row)) for row in found[:MOST_SETS])
    left = size(found) - MOST_SETS
    notes = (
        "Nobody is unique, even with all columns." if not found and not result["unique_share"] else "",
        more(left, "in the result file", "set") if left > 0 else "",
        "" if result.get("singling_out_complete", True) else CUT_OFF,
        _estimated(found).strip(),
    )
    return Table(
        "Columns that single out",
        "The smallest sets of columns that make at least one record unique.",
        (
            Column("columns"),
            Column("unique records", is_number=True),
            Column(above(result), is_number=True),
        ),
        rows,
        " ".join(note for note in notes if note),
    )


def settings(result: ResultDict) -> Facts:
    """The settings of the measurement."""
    chosen = result["settings"]
    threshold = result["threshold"]
    facts = [
        Fact("quasi-identifiers", ", ".join(chosen["quasi"])),
        Fact("unit", chosen["unit"] or "each row is a record"),
        Fact(
            "threshold",
            f"{probability(threshold['probability'])} (cell size {threshold['cell_size']})",
        ),
        Fact("reason", threshold["reason"]),
        Fact("empty cells", chosen["null"]),
    ]
    named = ("table", "population")
    facts += [Fact(name, file_name(str(chosen[name]))) for name in named if chosen.get(name)]
    facts += [
        Fact(name, file_name(str(chosen[key])))
        for key, name in (("rare", "list of rare codes"),)
        if chosen.get(key)
    ]
    facts += [Fact(f"{column} within a unit", rule) for column, rule in chosen["reduce"].items()]
    facts += _decides(result)
    if chosen.get("sensitive"):
        facts.append(Fact("sensitive columns", ", ".join(chosen["sensitive"])))
    if result["notes"]:
        facts.append(Fact("how the file was read", "; ".join(result["notes"])))
    return Facts("Settings", "The assumptions. Other choices can lead to another verdict.", tuple(facts))


def _decides(result: ResultDict) -> list[Fact]:
    """Whose risk decides, if not the prosecutor's."""
    if result.get("adversary", "prosecutor") == "prosecutor":
        return []
    rule = RULES[result.get("journalist_rule") or "maximum"]
    return [Fact("deciding adversary", ADVERSARIES[result["adversary"]]), Fact("what decides", rule)]


def _journalist_note(result: ResultDict) -> str:
    """Why there is no journalist risk, or how it was estimated."""
    if result["journalist"].get("estimated_by"):
        return (
            "Journalist and marketer risk are estimated, treating the table as a sample. Limits are "
            "under Risk in the population."
        )
    return str(result["journalist"].get("reason", ""))


def _cell(part: dict[str, Any], key: str) -> str:
    return probability(part.get(key)) if key in part else ""


def _above(part: dict[str, Any]) -> str:
    return percent(part["share_above_threshold"]) if "share_above_threshold" in part else ""


def _left_out(result: ResultDict, columns: list[str]) -> str:
    return ", ".join(name for name in result["settings"]["quasi"] if name not in columns)


def risk_charts(result: ResultDict) -> tuple[Chart, ...]:
    """Records by class size, what each column adds, and what was measured in addition."""
    return (
        size_chart(result),
        *((_column_chart(result),) if result["without_column"] else ()),
        *events.charts(result),
        *sample.sample_charts(result),
        *sensitive.sensitive_charts(result),
        *options.option_charts(result),
    )


def size_chart(result: ResultDict) -> Chart:
    """Records by class size."""
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
    bars = Bars(tuple(rows), "class size")
    return Chart(
        "classes",
        "Records by class size",
        f"Dark: classes smaller than {cell_size}. They contain {percent(below)} of the records.",
        f"Of {count(records)} records, {percent(below)} are in classes smaller than {cell_size}.",
        bars.height,
        partial(draw_bars, bars=bars),
    )


def _column_chart(result: ResultDict) -> Chart:
    """Bars of what each column adds: the records that would no longer be above the threshold without it."""
    every = result["prosecutor"]["share_above_threshold"]
    added = [
        (_left_out(result, row["columns"]), adds(every, row["share_above_threshold"]), False)
        for row in result["without_column"]
    ]
    added.sort(key=lambda row: -row[1])  # sorting is stable: equal columns keep their order
    bars = Bars((("all columns together", every, True), *added), above(result))
    most = f" {added[0][0]} alone adds {percent(added[0][1])}." if added else ""
    return Chart(
        "columns",
        "What each column adds",
        f"Dark: {above(result)}. Light: how many of them would go if this column were not released. "
        "The longer the bar, the more the column adds.",
        f"With all columns, {percent(every)} of the records are above the threshold.{most}",
        bars.height,
        partial(draw_bars, bars=bars),
    )


def adds(every: float, without: float) -> float:
    """The share that a column adds; 0 where an estimate without the column is above the share with it."""
    return max(every - without, 0.0)


def _leaves(result: ResultDict) -> str:
    return f"{count(result['records'])} records{', transformed first' if result.get('steps') else ''}"


def _key(result: ResultDict) -> Iterable[Block | None]:
    chart = _column_chart(result) if result["without_column"] else size_chart(result)
    return (
        *(Notice(text) for text in options.alarms(result)),
        attacks(result),
        *events.blocks(result)[:1],
        Pictures((chart,)),
    )


def _initial(result: ResultDict) -> Iterable[Block]:
    if result.get("steps"):
        return (
            Prose(
                (
                    "The table was transformed before its risk was measured. The overview above shows the "
                    "risk before the transformations.",
                )
            ),
        )
    return (
        Prose(
            ("This table was not changed. Its initial risk is its final risk, which a chapter below shows.",)
        ),
        classes(result),
    )


def _measures(result: ResultDict) -> Iterable[Block | None]:
    if not result.get("steps"):
        return UNCHANGED(result)
    notes = (Notice(text) for text in result["step_notes"])
    return (*notes, *steps.blocks(result), Pictures(steps.step_charts(result)))


def _final(result: ResultDict) -> Iterable[Block | None]:
    return (
        *(Notice(text) for text in options.alarms(result)),
        attacks(result),
        Pictures(risk_charts(result)),
        *events.blocks(result),
        drivers(result),
        singling_out(result),
        *sample.blocks(result),
        *sensitive.blocks(result),
        *options.blocks(result),
    )


def _identifiers(result: ResultDict) -> Iterable[Block]:
    quasi = (
        f"An intruder is assumed to know: {', '.join(result['settings']['quasi'])}. Direct identifiers "
        "were not part of the measurement."
    )
    return (Prose((quasi, *events.known_events(result))),)


KIND = Kind(
    title="Re-identification risk of a table",
    name_of=name_of,
    about=about,
    headline=lambda result: (
        f"Re-identification risk of {name_of(result)} ({counted(result['records'], 'record')})"
    ),
    verdict=verdict,
    warnings=lambda result: (*result.get("warnings", ()), *result.get("step_notes", ())),
    alarms=options.alarms,
    charts=lambda result: (*risk_charts(result), *steps.step_charts(result)),
    shows=(
        Show(inventory.unmeasured, lines=inventory.unmeasured_lines),
        Show(steps.blocks, lines=steps.step_lines),
        Show(attacks),
        Show(events.blocks, terminal=events.terminal_blocks),
        Show(classes),
        Show(curve, terminal=False),
        Show(drivers),
        Show(singling_out),
        Show(sample.blocks, terminal=sample.terminal_blocks),
        Show(sensitive.blocks),
        Show(options.blocks),
        Show(inventory.inventory, terminal=False),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=RISK_GUIDE,
    comparison=Comparison(
        "The risk of each table if the adversary knows who is in it.",
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
    leaves=_leaves,
    chapters=Chapters(
        key=_key,
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
