"""What was counted in a text evaluation, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import ROLES, level_of, sorted_types
from reidrisk.report.numbers import MISSING, average, count, percent, percent_span, probability
from reidrisk.report.parts import Column, Fact, Facts, Table


def by_type(result: dict[str, Any]) -> Table:
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


def model_free(result: dict[str, Any]) -> Table:
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


def _beside(result: dict[str, Any], role: str, leak: str) -> tuple[str, ...]:
    part, seen = result[role], result["observed"]
    if part["value"] is None:
        return (MISSING,) * 5
    share = seen[f"share_with_{leak}"]
    counted = count(seen[f"documents_with_{leak}"]), percent(share["value"]), percent_span(share)
    return probability(part["value"]), probability(part["plug_in"]), *counted


def quasi_model(result: dict[str, Any]) -> Facts:
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


def measures(result: dict[str, Any]) -> Table:
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


def mapping(result: dict[str, Any]) -> Table:
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


def _recalls(row: dict[str, Any]) -> tuple[str, ...]:
    names = ("micro_recall", "masking_recall", "all_or_nothing_recall")
    shares = tuple(percent(row[name]) for name in names)
    return count(row["documents"]), count(row["instances"]), *shares, count(row["leaking_documents"])


def _by_document(quasi: dict[str, Any]) -> str:
    value = quasi.get("plug_in_by_document")
    if value is None:
        return ""
    return f"Plug-in for quasi-identifiers from every document's own values: {probability(value)}."


def _scores(scores: dict[str, Any]) -> tuple[str, str, str]:
    return percent(scores["recall"]), percent(scores["precision"]), percent(scores["f1"])


def _labelled_note(labelled: dict[str, Any]) -> str:
    macro = labelled["macro"]
    if macro is None:
        return f"Labelled measures: n/a. {labelled['reason']}"
    recalls, precisions = macro["undefined_recalls"], macro["undefined_precisions"]
    return (
        f"Labelled: the label must be right too. The macro average leaves out {recalls} "
        f"undefined recalls and {precisions} undefined precisions."
    )
