"""What was counted in a text evaluation: recall by type, leaks, conventional measures, and the types used."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from reidrisk.report.charts import pairs
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.leaks import Histogram, classes, draw_leaks
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.kind import ResultDict
from reidrisk.report.numbers import MISSING, average, count, level, percent, percent_span, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.plain_text import INDENT, heading, wrap
from reidrisk.text.alignment.result import MOST_WAYS

ROLES = {"direct": "Direct identifiers", "quasi": "Quasi-identifiers"}
MOST_TYPES = 16
"""Rows of the recall table in a terminal; the page shows all types."""
MOST_PLACES = 20
"""Rows in the table of ambiguous places."""
LEAKS_HEIGHT = 2.35
"""Height of one histogram in inches."""
_MEASURES = (("precision", "precision"), ("recall", "recall"), ("F1", "f1"), ("F2", "f2"))
_GATE = (
    " An open gate means that recognition below 1 counts: the recall reaches the cutoff as observed (obs) "
    "or significantly (sig)."
)
_NO_CUTOFF = "No cutoff is drawn, because recognition is 1 and gates have no effect."
_CUTOFF = (
    "Dashed line: the cutoff of the gate. It applies to each direct type, and to all instances of "
    "quasi-identifiers together."
)


def is_recognition_certain(result: ResultDict) -> bool:
    """Whether recognition is 1: every leak is recognized, so gates have no effect."""
    return bool(result["settings"]["release"]["recognition"] == 1)


def open_or_closed(*, is_open: bool) -> str:
    """The state of a gate, in a word."""
    return "open" if is_open else "closed"


def sorted_types(result: ResultDict) -> list[ResultDict]:
    """Direct before quasi types; the lowest all-or-nothing recall first, undefined recalls last."""

    def key(row: ResultDict) -> tuple[bool, bool, float, str]:
        recall = row["all_or_nothing_recall"]
        return row["role"] != "direct", recall is None, recall or 0.0, row["type"]

    return sorted(result["by_type"], key=key)


def level_of(result: ResultDict) -> str:
    """The confidence level of the intervals."""
    return level(result["benchmark"]["level"])


def recall_by_type(result: ResultDict) -> Table:
    """Recall of each type, the lowest first."""
    rows = tuple((row["type"], row["role"], *_recalls(row)) for row in sorted_types(result))
    groups = tuple(
        (f"All {ROLES[row['group']].lower()}", row["group"], *_recalls(row)) for row in result["by_group"]
    )
    absent = ", ".join(row["type"] for row in result["not_evaluated"])
    return Table(
        "Recall by type",
        (
            "How much of each type the tool caught. The risk is computed from all-or-nothing recall: "
            "the share of documents in which no identifier of the type was missed."
        ),
        (
            Column("type"),
            Column("role"),
            Column("documents", is_number=True, short="docs"),
            Column("instances", is_number=True, short="inst."),
            Column("micro recall", is_number=True),
            Column("masking recall", is_number=True),
            Column("all-or-nothing recall", is_number=True),
            Column(
                "leaking documents",
                is_number=True,
                short="leaking docs",
            ),
        ),
        rows + tuple(row for row in groups if row[2] != "0"),
        f"Not evaluated, because no document contains them: {absent}." if absent else "",
    )


def _recalls(row: ResultDict) -> tuple[str, ...]:
    names = ("micro_recall", "masking_recall", "all_or_nothing_recall")
    shares = tuple(percent(row[name]) for name in names)
    return count(row["documents"]), count(row["instances"]), *shares, count(row["leaking_documents"])


def lowest_recalls(result: ResultDict) -> Table:
    """For a terminal: the types with the lowest recall, and their gates where recognition is below 1."""
    table = recall_by_type(result)
    types = len(result["by_type"])
    rows, groups = table.rows[:types], table.rows[types:]
    if not is_recognition_certain(result):
        states = {(row["type"], row["role"]): _state(row) for row in result["gates"]}
        pooled = next((_state(row) for row in result["gates"] if row["role"] == "quasi"), "")
        rows = tuple((*row, states.get((row[0], row[1]), "")) for row in rows)
        groups = tuple((*row, pooled if row[1] == "quasi" else "") for row in groups)
        gate = Column("gate", short="gate obs/sig")
        table = replace(table, columns=(*table.columns, gate), explanation=table.explanation + _GATE)
    left = types - MOST_TYPES
    note = (
        f"{table.note} The page shows {left} more types; none has a lower recall in its role."
        if left > 0
        else table.note
    )
    return replace(table, rows=_lowest(rows) + groups, note=note.strip())


def _state(row: ResultDict) -> str:
    return "/".join(open_or_closed(is_open=row[rule]) for rule in ("observed", "significant"))


def _lowest(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """As many rows as fit, with the lowest recalls of each role."""
    by_role = [[row for row in rows if row[1] == role] for role in ROLES]
    spare = max(MOST_TYPES - min(len(part) for part in by_role), MOST_TYPES // 2)
    return tuple(row for part in by_role for row in part[:spare])


def recall_chart(result: ResultDict) -> Chart:
    """Micro and all-or-nothing recall of each type, the lowest first."""
    groups = [group for role in ROLES if (group := _group(result, role)).pairs]
    cutoff = _NO_CUTOFF if is_recognition_certain(result) else _CUTOFF
    lowest = sorted_types(result)[0]
    return Chart(
        "recall",
        "Recall by type",
        (
            "Share of instances caught (ring) and share of documents in which all were caught (diamond, "
            "with its value on the right). The lowest recall comes first. In parentheses: the number of "
            f"documents with the type. {cutoff}"
        ),
        (
            f"Recall of {len(result['by_type'])} types. The lowest all-or-nothing recall in the first "
            f"group is {percent(lowest['all_or_nothing_recall'])}, for {lowest['type']}. "
            "The table below has every number."
        ),
        pairs.height(groups),
        partial(
            draw_pairs,
            groups=groups,
            names=("micro recall", "all-or-nothing recall"),
        ),
    )


def _group(result: ResultDict, role: str) -> Group:
    rows = [row for row in sorted_types(result) if row["role"] == role]
    found = [_pair(row["type"], row) for row in rows]
    for total in result["by_group"]:
        if total["group"] == role and found:
            found.append(_pair("all types", total, is_total=True))
    certain = is_recognition_certain(result)
    cutoff = None if certain else result["settings"][f"{role}_cutoff"]
    return Group(ROLES[role], cutoff, role == "quasi", tuple(found))


def _pair(name: str, row: ResultDict, *, is_total: bool = False) -> Pair:
    return Pair(name, count(row["documents"]), row["micro_recall"], row["all_or_nothing_recall"], is_total)


def modeled_and_observed(result: ResultDict) -> Table:
    """The modeled risk next to the observed number of documents with leaks."""
    needed = result["settings"]["needed"]
    return Table(
        "Modeled risk and observed leaks",
        (
            "The modeled risk takes into account the chances that someone attempts re-identification and "
            "recognizes a leak. The observed share does not: it is the share of documents with a leak."
        ),
        (
            Column("identifiers"),
            Column("modeled risk", is_number=True),
            Column("plug-in", is_number=True),
            Column("documents with leaks", is_number=True),
            Column("share", is_number=True),
            Column(f"{level_of(result)} interval", is_number=True),
        ),
        (
            ("Direct: at least 1 leak", *_beside(result, "direct", "direct_leak")),
            (
                f"Quasi: at least {needed} values",
                *_beside(result, "quasi", "needed_quasi_leaks"),
            ),
        ),
        _by_document(modeled(result["quasi"])),
    )


def _beside(result: ResultDict, role: str, leak: str) -> tuple[str, ...]:
    part, seen = result[role], result["observed"]
    if part["value"] is None:
        return (MISSING,) * 5
    share = seen[f"share_with_{leak}"]
    if share is None:
        return (*_modeled_cells(part), *(MISSING,) * 3)
    counted = count(seen[f"documents_with_{leak}"]), percent(share["value"]), percent_span(share)
    return (*_modeled_cells(part), *counted)


def _modeled_cells(part: ResultDict) -> tuple[str, str]:
    own = modeled(part)
    return probability(own["value"]), probability(own["plug_in"])


def modeled(part: ResultDict) -> ResultDict:
    """The figures of the model, whether or not they decide."""
    found: ResultDict = part.get("model", part)
    return found


def _by_document(quasi: ResultDict) -> str:
    value = quasi.get("plug_in_by_document")
    if value is None:
        return ""
    return f"Plug-in risk from quasi-identifiers, using the values of each document: {probability(value)}."


NO_IDENTIFIERS = "The gold standard contains no identifiers."


def leaks_chart(result: ResultDict) -> Chart:
    """Documents by their number of leaks."""
    title = "Leaks per document"
    parts = tuple(
        _histogram(result, role)
        for role in ROLES
        if result[role]["value"] is not None and result["leaks_per_document"][role]
    )
    if not parts:
        only_counts = "counts" in result["settings"]
        reason = "Only counts by type are known." if only_counts else NO_IDENTIFIERS
        return no_chart("leaks", title, reason)
    return Chart(
        "leaks",
        title,
        (
            "Number of documents by leaks: none (gray), some but too few to re-identify a person "
            "(light blue), and enough to re-identify (dark blue)."
        ),
        " ".join(f"{part.title}: {part.remark}." for part in parts),
        LEAKS_HEIGHT * len(parts),
        partial(draw_leaks, parts=parts),
    )


def _histogram(result: ResultDict, role: str) -> Histogram:
    seen, needed = result["observed"], result["settings"]["needed"]
    bars = classes(result["leaks_per_document"][role])
    if role == "direct":
        share = percent(seen["share_with_direct_leak"]["value"])
        return Histogram(
            "Direct identifiers (instances)",
            f"{share} of documents leak at least one",
            bars,
            1,
        )
    share = percent(seen["share_with_needed_quasi_leaks"]["value"])
    return Histogram(
        "Quasi-identifiers (distinct values)",
        f"{share} of documents leak at least {needed}",
        bars,
        needed,
    )


def no_chart(name: str, title: str, reason: str) -> Chart:
    """A chart with nothing to draw, and the reason."""
    return Chart(name, title, reason, reason, 1.0, None)


def quasi_model(result: ResultDict) -> Facts:
    """The inputs of the quasi-identifier risk."""
    model = result["quasi_model"]
    return Facts(
        "Inputs of the quasi-identifier model",
        "The risk increases with the number of values in a document and with how often each is repeated.",
        (
            Fact(
                "recall",
                percent(model["recall"]),
                "share of all instances that were caught",
            ),
            Fact(
                "values per document",
                average(model["values_per_document"]),
                "mean number of distinct values",
            ),
            Fact(
                "instances per value",
                average(model["instances_per_value"]),
                "mean number of times a value occurs in a document",
            ),
            Fact(
                "documents with quasi-identifiers",
                count(model["documents"]),
                f"of {count(result['documents'])}",
            ),
            Fact(
                "distinct values",
                count(model["values"]),
                "counted separately in each document",
            ),
        ),
    )


def quasi_model_lines(result: ResultDict) -> list[str]:
    """For a terminal: the inputs of the quasi-identifier risk in one sentence."""
    inputs = "; ".join(f"{fact.name} {fact.value}" for fact in quasi_model(result).facts)
    return wrap(f"Quasi-identifier model: {inputs}.")


def conventional_measures(result: ResultDict) -> Table:
    """Conventional recall, precision and F scores."""
    masking, labelled = result["masking"], result["labelled"]
    rows = [
        ("Masking: words, any label", *_scores(masking), percent(masking["f2"])),
        *(
            (f"Labeled: {how} average", *_scores(labelled[how]), "")
            for how in ("micro", "macro")
            if labelled[how] is not None
        ),
    ]
    missing = "The tool masked nothing, so precision is undefined." if masking["precision"] is None else ""
    return Table(
        "Conventional measures",
        (
            "How well the tool performs, not how safe the text is. Precision is the share of masked "
            "words that needed masking."
        ),
        (
            Column("measure"),
            Column("recall", is_number=True),
            Column("precision", is_number=True),
            Column("F1", is_number=True),
            Column("F2", is_number=True),
        ),
        tuple(rows),
        " ".join(part for part in (missing, _label_note(labelled)) if part),
    )


def _scores(scores: ResultDict) -> tuple[str, str, str]:
    return percent(scores["recall"]), percent(scores["precision"]), percent(scores["f1"])


def _label_note(labelled: ResultDict) -> str:
    macro = labelled["macro"]
    if macro is None:
        return f"Labeled measures: n/a. {labelled['reason']}"
    recalls, precisions = macro["undefined_recalls"], macro["undefined_precisions"]
    return (
        f"Labeled: the label must be correct too. The macro average excludes {recalls} "
        f"undefined recalls and {precisions} undefined precisions."
    )


def conventional_measures_of_documents(result: ResultDict) -> Table | None:
    """The same; None if only counts are known."""
    return None if "counts" in result["settings"] else conventional_measures(result)


def measure_lines(result: ResultDict) -> list[str]:
    """For a terminal: the conventional measures in two sentences; nothing if only counts are known."""
    if "counts" in result["settings"]:
        return []
    masking, labelled = result["masking"], result["labelled"]["micro"]
    words = ", ".join(f"{name} {percent(masking[key])}" for name, key in _MEASURES)
    lines = heading("Conventional measures", "How well the tool performs, not how safe the text is.")
    reason = " (the tool masked nothing)" if masking["precision"] is None else ""
    lines += wrap(f"Words masked, any label: {words}{reason}.")
    if labelled is None:
        return lines + wrap(f"Correct label required: n/a. {result['labelled']['reason']}")
    scores = ", ".join(f"{name} {percent(labelled[key])}" for name, key in _MEASURES[:3])
    return lines + wrap(f"Correct label required: {scores}.")


def type_mapping(result: ResultDict) -> Table:
    """What each annotation type was counted as."""
    rows = (
        (row["type"], row["counted_as"], row["role"], row["source"], count(row["annotations"]))
        for row in result["type_map"]
    )
    return Table(
        "How types were mapped",
        (
            "Whether annotations of each type counted as direct identifiers, as quasi-identifiers or not "
            "at all, and where this was specified."
        ),
        (
            Column("type"),
            Column("counted as"),
            Column("role"),
            Column("specified by"),
            Column("annotations", is_number=True),
        ),
        tuple(rows),
    )


def type_mapping_of_documents(result: ResultDict) -> Table | None:
    """The same; None if only counts are known."""
    return None if "counts" in result["settings"] else type_mapping(result)


def mapping_lines(result: ResultDict) -> list[str]:
    """For a terminal: the types by what they were counted as; nothing if only counts are known."""
    if "counts" in result["settings"]:
        return []
    groups: dict[tuple[str, str], list[str]] = {}
    for row in result["type_map"]:
        name = row["type"] if row["type"] == row["counted_as"] else f"{row['type']} as {row['counted_as']}"
        groups.setdefault((row["role"], row["source"]), []).append(name)
    lines = heading(
        "Types", "What the annotations of the gold standard counted as, and where this was specified."
    )
    for (role, source), names in sorted(groups.items()):
        lines += wrap(f"{role} (specified by {source}): {', '.join(names)}", rest=INDENT * 2)
    return lines


def ambiguous_places(result: ResultDict) -> Table | None:
    """Where a released text matches its original in several ways; None without such places."""
    found = result.get("alignment") or {}
    if not found.get("doubtful"):
        return None
    places = found["places"][:MOST_PLACES]
    more = found["doubtful"] - len(places)
    return Table(
        "Ambiguous places",
        (
            "The tool gave no offsets. At these places its text matches the original in more than one "
            "way, and only what is masked in all of them counts as masked. Review these places, or "
            "treat them as an error with --set ambiguous=error."
        ),
        (
            Column("document"),
            Column("from", is_number=True),
            Column("to", is_number=True),
            Column("ways", is_number=True),
        ),
        tuple((one["document"], count(one["start"]), count(one["end"]), _ways(one)) for one in places),
        f"{count(more)} more are not shown. The JSON file lists them, or the first of them." if more else "",
    )


def misaligned_annotations(result: ResultDict) -> Table | None:
    """The annotations that did not fit their text; None without any. Never their text."""
    found = result.get("misaligned") or {}
    if not found:
        return None
    places = found["places"][:MOST_PLACES]
    number = sum(found[f"{side}_{what}"] for side in ("gold", "tool") for what in ("skipped", "moved"))
    more = number - len(places)
    return Table(
        "Annotations that do not fit their text",
        (
            "Nothing here counts for the tool. An annotation of the gold standard that was skipped counts "
            "as a leak; a moved one is evaluated where its text was found. An annotation of the tool that "
            "was skipped masks nothing; a moved one masks only what it covers at its stated place too."
        ),
        (
            Column("side"),
            Column("document"),
            Column("type"),
            Column("from", is_number=True),
            Column("to", is_number=True),
            Column("result"),
        ),
        tuple(
            (one["side"], one["document"], one["type"], count(one["start"]), count(one["end"]), _became(one))
            for one in places
        ),
        f"{count(more)} more are not shown. The JSON file lists them, or the first of them." if more else "",
    )


def _became(place: ResultDict) -> str:
    if place["found_start"] is None:
        return "skipped"
    return f"moved to {count(place['found_start'])}-{count(place['found_end'])}"


def _ways(place: ResultDict) -> str:
    ways = count(place["ways"])
    return f"{ways} or more" if place["ways"] >= MOST_WAYS else ways
