"""A trained model, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MODEL = {
    "characters": say("content.text_training.of_text_were"),
    "annotations": say("content.text_training.in_it"),
    "labels": say("content.text_training.types_that_the"),
    "features": say("content.text_training.combinations_of_properties"),
    "words": say("content.text_training.that_the_model"),
    "bytes": say("content.text_training.of_the_model"),
}
MEANINGS = {
    "corpora": say("content.text_training.what_was_learnt"),
    "out": say("content.text_training.the_model_s"),
    "folds": say("content.text_training.parts_each_judged"),
    "ignore_words": say("content.text_training.words_that_need"),
    "min_documents": say("content.text_training.what_fewer_documents"),
    "sparsity": say("content.text_training.weight_of_the"),
    "smoothing": say("content.text_training.weight_of_their"),
    "iterations": say("content.text_training.steps_of_the"),
    "threshold": say("content.text_training.confidence_from_which"),
}


def name_of(result: dict[str, Any]) -> str:
    """The model's file."""
    return str(result["settings"]["out"])


def about(result: dict[str, Any]) -> str:
    """What was learnt from."""
    model = result["model"]
    return say(
        "content.text_training.documents_characters_annotations",
        documents=count(result["documents"]),
        characters=count(model["characters"]),
        annotations=count(model["annotations"]),
        corpora=result["settings"]["corpora"],
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """A model was made; nothing is decided."""
    return Verdict(None, tuple(Reason(text, None) for text in result["reasons"]), "Trained")


def by_type(result: dict[str, Any]) -> Table:
    """Every type, and all of a role together."""
    precisions = {one["type"]: one["precision"] for one in result["labelled"].get("by_type", ())}
    rows = [
        (f"{one['type']}, {one['role']}", *_recalls(one), percent(precisions.get(one["type"])))
        for one in types(result)
    ]
    rows += [(f"All {one['group']}", *_recalls(one), "") for one in result["groups"] if one["instances"]]
    return Table(
        say("content.text_training.what_was_caught"),
        say("content.text_training.share_of_identifiers"),
        (
            Column(say("content.text_training.type")),
            Column(say("content.text_training.identifiers"), is_number=True),
            Column(say("content.text_training.caught"), is_number=True),
            Column(say("content.text_training.words"), is_number=True),
            Column(
                say("content.text_training.documents_with_all"),
                is_number=True,
                short=say("content.text_training.all_caught"),
            ),
            Column(say("content.text_training.label_right"), is_number=True),
        ),
        tuple(rows),
        marked=tuple(range(len(result["by_type"]), len(rows))),
    )


def types(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The types, direct identifiers and the worst first."""
    return sorted(result["by_type"], key=lambda one: (one["role"], one["micro_recall"] or 0.0, one["type"]))


def summary(result: dict[str, Any]) -> Facts:
    """The figures before all details."""
    masking, direct = result["masking"], result["all_direct"]
    limits = say("content.text_training.to", low=percent(direct["low"]), high=percent(direct["high"]))
    return Facts(
        say("content.text_training.on_documents_not"),
        say("content.text_training.each_document_was"),
        (
            Fact(
                say("content.text_training.words_found"),
                percent(masking["recall"]),
                say("content.text_training.of_the_words"),
            ),
            Fact(
                say("content.text_training.words_rightly_marked"),
                percent(masking["precision"]),
                say("content.text_training.of_the_words_marked"),
            ),
            Fact(
                say("content.text_training.documents"),
                percent(direct["value"]),
                say("content.text_training.with_every_direct", limits=limits),
            ),
        ),
    )


def knob(result: dict[str, Any]) -> Table:
    """What other thresholds would give."""
    usual = result["settings"]["threshold"]
    rows = tuple(
        (
            f"{one['threshold']:g}{say('content.text_training.usual') if one['threshold'] == usual else ''}",
            percent(one["recall"]),
            percent(one["precision"]),
            percent(one["all_direct"]),
        )
        for one in result["knob"]
    )
    return Table(
        say("content.text_training.the_knob"),
        say("content.text_training.a_lower_threshold"),
        (
            Column(say("content.text_training.threshold")),
            Column(say("content.text_training.words_found"), is_number=True),
            Column(say("content.text_training.rightly_marked"), is_number=True),
            Column(
                say("content.text_training.documents_with_all_direct"),
                is_number=True,
                short=say("content.text_training.all_direct_caught"),
            ),
        ),
        rows,
        marked=tuple(place for place, one in enumerate(result["knob"]) if one["threshold"] == usual),
    )


def calibration(result: dict[str, Any]) -> Table:
    """Whether confidences mean what they say."""
    return Table(
        say("content.text_training.can_confidences_be"),
        say("content.text_training.words_by_the"),
        (
            Column(say("content.text_training.confidence")),
            Column(say("content.text_training.words"), is_number=True),
            Column(say("content.text_training.model_says"), is_number=True),
            Column(say("content.text_training.in_truth"), is_number=True),
        ),
        tuple(
            (bounds(one), count(one["words"]), percent(one["confidence"]), percent(one["share"]))
            for one in result["calibration"]
        ),
    )


def bounds(one: dict[str, Any]) -> str:
    """The limits of a bin."""
    return say("content.text_training.to", low=f"{one['low']:g}", high=f"{one['high']:g}")


def model(result: dict[str, Any]) -> Facts:
    """What the file is."""
    facts = tuple(Fact(name, count(result["model"][name]), meaning) for name, meaning in MODEL.items())
    return Facts(say("content.text_training.the_model"), say("content.text_training.trained_on_all"), facts)


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the result."""
    facts = [Fact(name, str(value), MEANINGS.get(name, "")) for name, value in result["settings"].items()]
    facts.append(
        Fact(
            say("content.text_training.seed"), str(result["seed"]), say("content.text_training.of_the_parts")
        )
    )
    return Facts(
        say("content.text_training.settings"), say("content.text_training.the_same_documents"), tuple(facts)
    )


def _recalls(one: dict[str, Any]) -> tuple[str, ...]:
    shares = (one["micro_recall"], one["masking_recall"], one["all_or_nothing_recall"])
    return (count(one["instances"]), *(percent(share) for share in shares))
