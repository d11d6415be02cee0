"""A trained model, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

MODEL = {
    "characters": "of text were learnt from",
    "annotations": "in it",
    "labels": "types that the model finds",
    "features": "combinations of properties that have a weight",
    "words": "that the model stores; each is in several documents",
    "bytes": "of the model's file",
}
MEANINGS = {
    "corpora": "what was learnt from",
    "out": "the model's file",
    "folds": "parts, each judged by a model of the others",
    "ignore_words": "words that need no masking",
    "min_documents": "what fewer documents have is not stored",
    "sparsity": "weight of the absolute values of weights",
    "smoothing": "weight of their squares",
    "iterations": "steps of the optimiser at most",
    "threshold": "confidence from which a word is marked",
}


def name_of(result: dict[str, Any]) -> str:
    """The model's file."""
    return str(result["settings"]["out"])


def about(result: dict[str, Any]) -> str:
    """What was learnt from."""
    model = result["model"]
    return (
        f"{count(result['documents'])} documents, {count(model['characters'])} characters, "
        f"{count(model['annotations'])} annotations of {result['settings']['corpora']}."
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
        "What was caught, by type",
        (
            "Share of identifiers with every word masked, of their words, and of the documents "
            "with all of the type masked, whatever the label; and the share of labels that are "
            "right."
        ),
        (
            Column("type"),
            Column("identifiers", is_number=True),
            Column("caught", is_number=True),
            Column("words", is_number=True),
            Column(
                "documents with all caught",
                is_number=True,
                short="all caught",
            ),
            Column("label right", is_number=True),
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
    limits = f"{percent(direct['low'])} to {percent(direct['high'])}"
    return Facts(
        "On documents not trained on",
        "Each document was judged by a model of the other parts.",
        (
            Fact(
                "words found",
                percent(masking["recall"]),
                "of the words of identifiers",
            ),
            Fact(
                "words rightly marked",
                percent(masking["precision"]),
                "of the words marked",
            ),
            Fact(
                "documents",
                percent(direct["value"]),
                f"with every direct identifier caught; {limits}",
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
        "The knob",
        "A lower threshold of confidence finds more and marks more in vain.",
        (
            Column("threshold"),
            Column("words found", is_number=True),
            Column("rightly marked", is_number=True),
            Column(
                "documents with all direct caught",
                is_number=True,
                short="all direct caught",
            ),
        ),
        rows,
        marked=tuple(place for place, one in enumerate(result["knob"]) if one["threshold"] == usual),
    )


def calibration(result: dict[str, Any]) -> Table:
    """Whether confidences mean what they say."""
    return Table(
        "Can confidences be believed?",
        ("Words by the confidence that the model gives them, and how many of them are identifiers in truth."),
        (
            Column("confidence"),
            Column("words", is_number=True),
            Column("model says", is_number=True),
            Column("in truth", is_number=True),
        ),
        tuple(
            (bounds(one), count(one["words"]), percent(one["confidence"]), percent(one["share"]))
            for one in result["calibration"]
        ),
    )


def bounds(one: dict[str, Any]) -> str:
    """The limits of a bin."""
    return f"{one['low']:g} to {one['high']:g}"


def model(result: dict[str, Any]) -> Facts:
    """What the file is."""
    facts = tuple(Fact(name, count(result["model"][name]), meaning) for name, meaning in MODEL.items())
    return Facts("The model", "Trained on all documents.", facts)


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the result."""
    facts = [Fact(name, str(value), MEANINGS.get(name, "")) for name, value in result["settings"].items()]
    facts.append(Fact("seed", str(result["seed"]), "of the parts"))
    return Facts("Settings", "The same documents and settings give the same model.", tuple(facts))


def _recalls(one: dict[str, Any]) -> tuple[str, ...]:
    shares = (one["micro_recall"], one["masking_recall"], one["all_or_nothing_recall"])
    return (count(one["instances"]), *(percent(share) for share in shares))
