"""What was counted in a text evaluation."""

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
from reidrisk.report.plain_text import INDENT, heading, wrapped
from reidrisk.text.alignment.outcome import MOST_WAYS

LEAKS_HEIGHT = 2.35
"""Inches of one histogram."""
MOST_TYPES = 16
"""Rows of the recall table in the terminal; the page shows all."""
ROLES = {"direct": "Direct identifiers", "quasi": "Quasi-identifiers"}


def is_recognition_certain(result: ResultDict) -> bool:
    """Whether every leak is recognised, so that gates play no part."""
    return bool(result["settings"]["release"]["recognition"] == 1)


def sorted_types(result: ResultDict) -> list[ResultDict]:
    """Direct before quasi, the worst all-or-nothing recall first, the undefined last."""

    def key(row: ResultDict) -> tuple[bool, bool, float, str]:
        recall = row["all_or_nothing_recall"]
        return row["role"] != "direct", recall is None, recall or 0.0, row["type"]

    return sorted(result["by_type"], key=key)


def level_of(result: ResultDict) -> str:
    """The level of the intervals."""
    return level(result["benchmark"]["level"])


def by_type(result: ResultDict) -> Table:
    """Recall of each type, the worst first."""
    rows = tuple((row["type"], row["role"], *_recalls(row)) for row in sorted_types(result))
    groups = tuple(
        (f"All {ROLES[row['group']].lower()}", row["group"], *_recalls(row)) for row in result["by_group"]
    )
    absent = ", ".join(row["type"] for row in result["not_evaluated"])
    return Table(
        "Recall by type",
        (
            "How much of each type the tool caught. All-or-nothing recall is what risk rests "
            "on: the share of documents in which nothing of the type was missed."
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
        f"Not evaluated, since no document holds them: {absent}." if absent else "",
    )


def model_free(result: ResultDict) -> Table:
    """The model beside what was simply counted."""
    needed = result["settings"]["needed"]
    return Table(
        "Model and plain counts",
        (
            "The modelled risk includes recognition and attempt. The plain count does not: it "
            "is the share of documents with a leak, whoever looks at them."
        ),
        (
            Column("identifiers"),
            Column("modelled risk", is_number=True),
            Column("plug-in", is_number=True),
            Column("documents with leaks", is_number=True),
            Column("share", is_number=True),
            Column(f"{level_of(result)} interval", is_number=True),
        ),
        (
            ("Direct: any leak", *_beside(result, "direct", "direct_leak")),
            (
                f"Quasi: {needed} or more values",
                *_beside(result, "quasi", "needed_quasi_leaks"),
            ),
        ),
        _by_document(result["quasi"]),
    )


def _beside(result: ResultDict, role: str, leak: str) -> tuple[str, ...]:
    part, seen = result[role], result["observed"]
    if part["value"] is None:
        return (MISSING,) * 5
    share = seen[f"share_with_{leak}"]
    counted = count(seen[f"documents_with_{leak}"]), percent(share["value"]), percent_span(share)
    return probability(part["value"]), probability(part["plug_in"]), *counted


def quasi_model(result: ResultDict) -> Facts:
    """What the quasi-identifier risk is computed from."""
    model = result["quasi_model"]
    return Facts(
        "Inputs of the quasi-identifier model",
        "The risk grows with the values in a document and with how often each is repeated.",
        (
            Fact(
                "recall",
                percent(model["recall"]),
                "of all instances together",
            ),
            Fact(
                "values per document",
                average(model["values_per_document"]),
                "distinct values, mean",
            ),
            Fact(
                "instances per value",
                average(model["instances_per_value"]),
                "mean",
            ),
            Fact(
                "documents with any",
                count(model["documents"]),
                f"of {count(result['documents'])}",
            ),
            Fact(
                "distinct values",
                count(model["values"]),
                "documents taken one by one",
            ),
        ),
    )


def measures(result: ResultDict) -> Table:
    """Conventional recall, precision and F."""
    masking, labelled = result["masking"], result["labelled"]
    rows = [
        ("Masking: words, any label", *_scores(masking), percent(masking["f2"])),
        *(
            (f"Labelled: {how} average", *_scores(labelled[how]), "")
            for how in ("micro", "macro")
            if labelled[how] is not None
        ),
    ]
    missing = "The tool masked nothing: precision is undefined." if masking["precision"] is None else ""
    return Table(
        "Conventional measures",
        (
            "They say how well the tool works, not how safe the text is. Precision: how much "
            "of what was masked had to be."
        ),
        (
            Column("measure"),
            Column("recall", is_number=True),
            Column("precision", is_number=True),
            Column("F1", is_number=True),
            Column("F2", is_number=True),
        ),
        tuple(rows),
        " ".join(part for part in (missing, _labelled_note(labelled)) if part),
    )


def mapping(result: ResultDict) -> Table:
    """What became of each annotation type."""
    rows = (
        (row["type"], row["counted_as"], row["role"], row["source"], count(row["annotations"]))
        for row in result["type_map"]
    )
    return Table(
        "How types were mapped",
        (
            "Which annotations of the gold standard counted as direct, as quasi, or not at "
            "all, and who said so."
        ),
        (
            Column("type"),
            Column("counted as"),
            Column("role"),
            Column("according to"),
            Column("annotations", is_number=True),
        ),
        tuple(rows),
    )


def _recalls(row: ResultDict) -> tuple[str, ...]:
    names = ("micro_recall", "masking_recall", "all_or_nothing_recall")
    shares = tuple(percent(row[name]) for name in names)
    return count(row["documents"]), count(row["instances"]), *shares, count(row["leaking_documents"])


def _by_document(quasi: ResultDict) -> str:
    value = quasi.get("plug_in_by_document")
    if value is None:
        return ""
    return f"Plug-in for quasi-identifiers from every document's own values: {probability(value)}."


def _scores(scores: ResultDict) -> tuple[str, str, str]:
    return percent(scores["recall"]), percent(scores["precision"]), percent(scores["f1"])


def _labelled_note(labelled: ResultDict) -> str:
    macro = labelled["macro"]
    if macro is None:
        return f"Labelled measures: n/a. {labelled['reason']}"
    recalls, precisions = macro["undefined_recalls"], macro["undefined_precisions"]
    return (
        f"Labelled: the label must be right too. The macro average leaves out {recalls} "
        f"undefined recalls and {precisions} undefined precisions."
    )


SHOWN = 20


def doubtful_places(result: ResultDict) -> Table | None:
    """The doubtful places, or the first of them; None where offsets were given or nothing is in doubt."""
    found = result.get("alignment") or {}
    if not found.get("doubtful"):
        return None
    places = found["places"][:SHOWN]
    more = found["doubtful"] - len(places)
    return Table(
        "Doubtful places",
        (
            "The tool gave no offsets. Here its text fits the original in more than one way; "
            "only what is masked in all of them counts as masked. Look at these places, or "
            "count them as an error with --set ambiguous=error."
        ),
        (
            Column("document"),
            Column("from", is_number=True),
            Column("to", is_number=True),
            Column("ways", is_number=True),
        ),
        tuple((one["document"], count(one["start"]), count(one["end"]), _ways(one)) for one in places),
        f"{count(more)} more are not shown; the JSON has them, or the first of very many." if more else "",
    )


def _ways(place: ResultDict) -> str:
    ways = count(place["ways"])
    return f"{ways} or more" if place["ways"] >= MOST_WAYS else ways


def worst_recalls(result: ResultDict) -> Table:
    """For the terminal: the worst types of each role, with the state of their gates where these matter."""
    table = by_type(result)
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
        f"{table.note} {left} more types, none worse in its role, are on the page."
        if left > 0
        else table.note
    )
    return replace(table, rows=_worst(rows) + groups, note=note.strip())


_GATE = (
    " A gate lets recognition below 1 count: recall reaches the cutoff as observed (obs), or significantly "
    "(sig)."
)


def _state(row: ResultDict) -> str:
    return "/".join(open_or_shut(is_open=row[rule]) for rule in ("observed", "significant"))


def _worst(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """As many rows as fit, the worst of each role in turn."""
    by_role = [[row for row in rows if row[1] == role] for role in ROLES]
    spare = max(MOST_TYPES - min(len(part) for part in by_role), MOST_TYPES // 2)
    return tuple(row for part in by_role for row in part[:spare])


def quasi_model_lines(result: ResultDict) -> list[str]:
    """For the terminal: the inputs of the model in one sentence."""
    inputs = "; ".join(f"{fact.name} {fact.value}" for fact in quasi_model(result).facts)
    return wrapped(f"Quasi-identifier model: {inputs}.")


def measure_lines(result: ResultDict) -> list[str]:
    """For the terminal: the conventional measures in two sentences."""
    masking, labelled = result["masking"], result["labelled"]["micro"]
    words = ", ".join(f"{name} {percent(masking[key])}" for name, key in _MEASURES)
    lines = heading("Conventional measures", "How well the tool works; no statement about risk.")
    reason = " (the tool masked nothing)" if masking["precision"] is None else ""
    lines += wrapped(f"Words masked, any label: {words}{reason}.")
    if labelled is None:
        return lines + wrapped(f"Right label required: n/a. {result['labelled']['reason']}")
    scores = ", ".join(f"{name} {percent(labelled[key])}" for name, key in _MEASURES[:3])
    return lines + wrapped(f"Right label required: {scores}.")


_MEASURES = (("precision", "precision"), ("recall", "recall"), ("F1", "f1"), ("F2", "f2"))


def mapping_lines(result: ResultDict) -> list[str]:
    """For the terminal: the types by what they counted as."""
    groups: dict[tuple[str, str], list[str]] = {}
    for row in result["type_map"]:
        name = row["type"] if row["type"] == row["counted_as"] else f"{row['type']} as {row['counted_as']}"
        groups.setdefault((row["role"], row["source"]), []).append(name)
    lines = heading("Types", "What the annotations of the gold standard counted as, and who said so.")
    for (role, source), names in sorted(groups.items()):
        lines += wrapped(f"{role} (according to {source}): {', '.join(names)}", rest=INDENT * 2)
    return lines


def open_or_shut(*, is_open: bool) -> str:
    """The state of a gate."""
    return "open" if is_open else "shut"


def recall_chart(result: ResultDict) -> Chart:
    """Micro and all-or-nothing recall of each type, the worst first."""
    groups = [group for role in ROLES if (group := _group(result, role)).pairs]
    cutoff = _NO_CUTOFF if is_recognition_certain(result) else _CUTOFF
    worst = sorted_types(result)[0]
    return Chart(
        "recall",
        "Recall by type",
        (
            "Share of instances caught (ring) and share of documents without a miss (diamond, "
            "written at the right), the worst first; in brackets the documents that hold the "
            f"type. {cutoff}"
        ),
        (
            f"Recall of {len(result['by_type'])} types. The worst all-or-nothing recall of the "
            f"first role is {percent(worst['all_or_nothing_recall'])}, for {worst['type']}. "
            "The table below has every number."
        ),
        pairs.height(groups),
        partial(
            draw_pairs,
            groups=groups,
            names=("micro recall", "all-or-nothing recall"),
        ),
    )


_NO_CUTOFF = "No cutoff is drawn: recognition is 1, so that gates play no part."
_CUTOFF = (
    "Dashed: the cutoff of the gate, for each direct type, and for the instances of "
    "all quasi-identifiers together."
)


def _group(result: ResultDict, role: str) -> Group:
    rows = [row for row in sorted_types(result) if row["role"] == role]
    found = [_pair(row["type"], row) for row in rows]
    for total in result["by_group"]:
        if total["group"] == role and found:
            found.append(_pair("all together", total, is_total=True))
    certain = is_recognition_certain(result)
    cutoff = None if certain else result["settings"][f"{role}_cutoff"]
    return Group(ROLES[role], cutoff, role == "quasi", tuple(found))


def _pair(name: str, row: ResultDict, *, is_total: bool = False) -> Pair:
    return Pair(name, count(row["documents"]), row["micro_recall"], row["all_or_nothing_recall"], is_total)


def leaks_chart(result: ResultDict) -> Chart:
    """Documents by their number of leaks."""
    title = "Leaks in a document"
    parts = tuple(_histogram(result, role) for role in ROLES if result[role]["value"] is not None)
    if not parts:
        return no_chart("leaks", title, "The gold standard marks no identifier.")
    return Chart(
        "leaks",
        title,
        (
            "Documents by the number of leaks: none (grey), some but too few to re-identify "
            "(dull blue), and enough (strong blue)."
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
        f"{share} of documents leak {needed} or more",
        bars,
        needed,
    )


def no_chart(name: str, title: str, reason: str) -> Chart:
    """A chart with nothing to draw, and why."""
    return Chart(name, title, reason, reason, 1.0, None)
