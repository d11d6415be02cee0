"""What was counted in a text evaluation, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import ROLES, level_of, sorted_types
from reidrisk.report.numbers import MISSING, average, count, percent, percent_span, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import say


def by_type(result: dict[str, Any]) -> Table:
    """Recall of each type, the worst first."""
    rows = tuple((row["type"], row["role"], *_recalls(row)) for row in sorted_types(result))
    groups = tuple(
        (f"All {ROLES[row['group']].lower()}", row["group"], *_recalls(row)) for row in result["by_group"]
    )
    absent = ", ".join(row["type"] for row in result["not_evaluated"])
    return Table(
        say("content.text_counts.recall_by_type"),
        say("content.text_counts.how_much_of"),
        (
            Column(say("content.text_counts.type")),
            Column(say("content.text_counts.role")),
            Column(
                say("content.text_counts.documents"), is_number=True, short=say("content.text_counts.docs")
            ),
            Column(
                say("content.text_counts.instances"), is_number=True, short=say("content.text_counts.inst")
            ),
            Column(say("content.text_counts.micro_recall"), is_number=True),
            Column(say("content.text_counts.masking_recall"), is_number=True),
            Column(say("content.text_counts.all_or_nothing"), is_number=True),
            Column(
                say("content.text_counts.leaking_documents"),
                is_number=True,
                short=say("content.text_counts.leaking_docs"),
            ),
        ),
        rows + tuple(row for row in groups if row[2] != "0"),
        say("content.text_counts.not_evaluated_since", absent=absent) if absent else "",
    )


def model_free(result: dict[str, Any]) -> Table:
    """The model beside what was simply counted."""
    needed = result["settings"]["needed"]
    return Table(
        say("content.text_counts.model_and_plain"),
        say("content.text_counts.the_modelled_risk"),
        (
            Column(say("content.text_counts.identifiers")),
            Column(say("content.text_counts.modelled_risk"), is_number=True),
            Column(say("content.text_counts.plug_in"), is_number=True),
            Column(say("content.text_counts.documents_with_leaks"), is_number=True),
            Column(say("content.text_counts.share"), is_number=True),
            Column(say("content.text_counts.interval", level_of=level_of(result)), is_number=True),
        ),
        (
            (say("content.text_counts.direct_any_leak"), *_beside(result, "direct", "direct_leak")),
            (
                say("content.text_counts.quasi_or_more", needed=needed),
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
        say("content.text_counts.inputs_of_the"),
        say("content.text_counts.the_risk_grows"),
        (
            Fact(
                say("content.text_counts.recall"),
                percent(model["recall"]),
                say("content.text_counts.of_all_instances"),
            ),
            Fact(
                say("content.text_counts.values_per_document"),
                average(model["values_per_document"]),
                say("content.text_counts.distinct_values_mean"),
            ),
            Fact(
                say("content.text_counts.instances_per_value"),
                average(model["instances_per_value"]),
                say("content.text_counts.mean"),
            ),
            Fact(
                say("content.text_counts.documents_with_any"),
                count(model["documents"]),
                say("content.text_counts.of", documents=count(result["documents"])),
            ),
            Fact(
                say("content.text_counts.distinct_values"),
                count(model["values"]),
                say("content.text_counts.documents_taken_one"),
            ),
        ),
    )


def measures(result: dict[str, Any]) -> Table:
    """Conventional recall, precision and F."""
    masking, labelled = result["masking"], result["labelled"]
    rows = [
        (say("content.text_counts.masking_words_any"), *_scores(masking), percent(masking["f2"])),
        *(
            (say("content.text_counts.labelled_average", how=how), *_scores(labelled[how]), "")
            for how in ("micro", "macro")
            if labelled[how] is not None
        ),
    ]
    missing = say("content.text_counts.the_tool_masked") if masking["precision"] is None else ""
    return Table(
        say("content.text_counts.conventional_measures"),
        say("content.text_counts.they_say_how"),
        (
            Column(say("content.text_counts.measure")),
            Column(say("content.text_counts.recall"), is_number=True),
            Column(say("content.text_counts.precision"), is_number=True),
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
        say("content.text_counts.how_types_were"),
        say("content.text_counts.which_annotations_of"),
        (
            Column(say("content.text_counts.type")),
            Column(say("content.text_counts.counted_as")),
            Column(say("content.text_counts.role")),
            Column(say("content.text_counts.according_to")),
            Column(say("content.text_counts.annotations"), is_number=True),
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
    return say("content.text_counts.plug_in_for", value=probability(value))


def _scores(scores: dict[str, Any]) -> tuple[str, str, str]:
    return percent(scores["recall"]), percent(scores["precision"]), percent(scores["f1"])


def _labelled_note(labelled: dict[str, Any]) -> str:
    macro = labelled["macro"]
    if macro is None:
        return say("content.text_counts.labelled_measures_n", reason=labelled["reason"])
    recalls, precisions = macro["undefined_recalls"], macro["undefined_precisions"]
    return say("content.text_counts.labelled_the_label", recalls=recalls, precisions=precisions)
