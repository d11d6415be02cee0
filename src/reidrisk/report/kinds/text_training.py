"""A detector trained on annotated documents."""

from __future__ import annotations

from functools import partial

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import pairs
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict

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


def name_of(result: ResultDict) -> str:
    """The model's file."""
    return str(result["settings"]["out"])


def about(result: ResultDict) -> str:
    """What was learnt from."""
    model = result["model"]
    return (
        f"{count(result['documents'])} documents, {count(model['characters'])} characters, "
        f"{count(model['annotations'])} annotations of {result['settings']['corpora']}."
    )


def verdict(result: ResultDict) -> Verdict:
    """A model was made; nothing is decided."""
    return Verdict(None, reasons_of(result), "Trained")


def by_type(result: ResultDict) -> Table:
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


def types(result: ResultDict) -> list[ResultDict]:
    """The types, direct identifiers and the worst first."""
    return sorted(result["by_type"], key=lambda one: (one["role"], one["micro_recall"] or 0.0, one["type"]))


def summary(result: ResultDict) -> Facts:
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


def knob(result: ResultDict) -> Table:
    """What other thresholds would give."""
    usual = result["settings"]["threshold"]
    rows = tuple(
        (
            f"{one['threshold']:g}{', usual' if one['threshold'] == usual else ''}",
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


def calibration(result: ResultDict) -> Table:
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


def bounds(one: ResultDict) -> str:
    """The limits of a bin."""
    return f"{one['low']:g} to {one['high']:g}"


def model(result: ResultDict) -> Facts:
    """What the file is."""
    facts = tuple(Fact(name, count(result["model"][name]), meaning) for name, meaning in MODEL.items())
    return Facts("The model", "Trained on all documents.", facts)


def settings(result: ResultDict) -> Facts:
    """What repeats the result."""
    facts = [Fact(name, str(value), MEANINGS.get(name, "")) for name, value in result["settings"].items()]
    facts.append(Fact("seed", str(result["seed"]), "of the parts"))
    return Facts("Settings", "The same documents and settings give the same model.", tuple(facts))


def _recalls(one: ResultDict) -> tuple[str, ...]:
    shares = (one["micro_recall"], one["masking_recall"], one["all_or_nothing_recall"])
    return (count(one["instances"]), *(percent(share) for share in shares))


TRAINING_GUIDE = Guide(
    terms=(
        Fact(
            "Cross-validation",
            (
                "The documents are cut into parts by chance. Each part is judged by a model that "
                "was trained on the others, so that no figure rests on what the model has seen."
            ),
        ),
        Fact("Caught", "Every word of the identifier that counts is marked, under whatever label."),
        Fact("All caught", "The share of documents with the type in which none of it leaked."),
        Fact(
            "Confidence",
            (
                "The share of such words that are identifiers, learnt on documents that the model "
                "had not seen."
            ),
        ),
        Fact("Threshold", "Words of at least this confidence are marked: the one knob."),
    ),
    limits=(
        "The figures hold for documents of the same kind and source as those learnt from.",
        "The model can only find what the annotators marked: their gaps become its gaps.",
        ("Nothing is said about the risk of a release. Evaluate the model's output on annotated documents."),
    ),
    sources=(
        Source(
            "Lafferty J, McCallum A, Pereira F. Conditional random fields: probabilistic models for "
            "segmenting and labeling sequence data. Proceedings of ICML 2001, 282–289."
        ),
        Source(
            "Platt J. Probabilistic outputs for support vector machines and comparisons to regularized "
            "likelihood methods. Advances in Large Margin Classifiers, 1999, 61–74."
        ),
    ),
)


MOST = 30
"""Types; the table shows all."""


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """All three."""
    return _recall_chart(result), _knob(result), _calibration(result)


def _recall_chart(result: ResultDict) -> Chart:
    groups = []
    for role, title in (
        ("direct", "Direct identifiers"),
        ("quasi", "Quasi-identifiers"),
    ):
        rows = [_pair(one["type"], one) for one in types(result)[:MOST] if one["role"] == role]
        totals = [_pair("all", one, is_total=True) for one in result["groups"] if one["group"] == role]
        if rows:
            groups.append(Group(title, None, is_cutoff_for_total=False, pairs=(*rows, *totals)))
    said = f"{percent(result['masking']['recall'])} of all words of identifiers were found"
    return _chart(
        "recall",
        "What was caught, by type",
        (
            "Share of identifiers caught (ring) and of documents with all of the type caught "
            "(diamond, written at the right); in brackets the identifiers."
        ),
        f"{said}. The table below has every number.",
        groups,
        ("identifiers", "documents with all caught"),
    )


def _knob(result: ResultDict) -> Chart:
    usual = result["settings"]["threshold"]
    rows = tuple(
        Pair(
            f"{one['threshold']:g}",
            "usual" if one["threshold"] == usual else f"all direct {percent(one['all_direct'])}",
            one["precision"],
            one["recall"],
            one["threshold"] == usual,
        )
        for one in result["knob"]
    )
    return _chart(
        "knob",
        "The knob",
        (
            "Share of marked words that belong to an identifier (ring) and of identifiers' "
            "words that were found (diamond, written at the right), by threshold."
        ),
        "A lower threshold finds more and marks more in vain.",
        [Group("Threshold", None, is_cutoff_for_total=False, pairs=rows)],
        ("rightly marked", "found"),
    )


def _calibration(result: ResultDict) -> Chart:
    rows = tuple(
        Pair(
            bounds(one),
            f"{count(one['words'])} words",
            one["confidence"],
            one["share"],
        )
        for one in result["calibration"]
    )
    return _chart(
        "calibration",
        "Can confidences be believed?",
        (
            "What the model says (ring) and how many of these words are identifiers in truth "
            "(diamond, written at the right): they should lie on each other."
        ),
        "The table below has every number.",
        [Group("Confidence", None, is_cutoff_for_total=False, pairs=rows)],
        ("model says", "in truth"),
    )


def _chart(
    name: str, title: str, explanation: str, summary: str, groups: list[Group], names: tuple[str, str]
) -> Chart:
    draw = partial(draw_pairs, groups=groups, names=names)
    return Chart(name, title, explanation, summary, pairs.height(groups), draw)


def _pair(name: str, row: ResultDict, *, is_total: bool = False) -> Pair:
    share = row["micro_recall"], row["all_or_nothing_recall"]
    return Pair(name, count(row["instances"]), *share, is_total)


KIND = Kind(
    title="A detector of your own",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Model {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(summary),
        Show(by_type),
        Show(knob),
        Show(calibration),
        Show(model),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=TRAINING_GUIDE,
    comparison=Comparison(
        "How well each model finds identifiers in unseen documents.",
        "model",
        (
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("words found", is_number=True), lambda result: percent(result["masking"]["recall"])),
            (
                Column("rightly marked", is_number=True),
                lambda result: percent(result["masking"]["precision"]),
            ),
            (
                Column("documents with all direct caught", is_number=True),
                lambda result: percent(result["all_direct"]["value"]),
            ),
        ),
    ),
)
