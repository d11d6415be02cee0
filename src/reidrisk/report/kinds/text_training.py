"""A detector trained on annotated documents, and how well it does on documents it has not seen."""

from __future__ import annotations

from functools import partial

from reidrisk.detect.model.settings import FOLDS, TRAIN_SETTINGS
from reidrisk.detect.settings import THRESHOLD
from reidrisk.report.blocks.settings import meanings, versions
from reidrisk.report.charts import pairs
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.names import file_name
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.text.input_settings import IGNORE_WORDS

MODEL = {
    "characters": "in the training texts",
    "annotations": "in the training texts",
    "labels": "types that the model finds",
    "features": "combinations of properties with a weight",
    "words": "stored in the model; each occurs in several documents",
    "bytes": "size of the model file",
}
MEANINGS = meanings((FOLDS, IGNORE_WORDS, *TRAIN_SETTINGS, THRESHOLD)) | {
    "corpora": "training texts",
    "out": "model file",
}
MOST_TYPES = 30
"""Types in the chart; the table shows all."""


def name_of(result: ResultDict) -> str:
    """The model file."""
    return file_name(str(result["settings"]["out"]))


def about(result: ResultDict) -> str:
    """What the model was trained on, in a sentence."""
    model = result["model"]
    return (
        f"{count(result['documents'])} documents, {count(model['characters'])} characters, "
        f"{count(model['annotations'])} annotations from {result['settings']['corpora']}."
    )


def verdict(result: ResultDict) -> Verdict:
    """That a model was trained; nothing is decided."""
    return Verdict(None, reasons_of(result), "Model trained")


def summary(result: ResultDict) -> Facts:
    """The most important results."""
    masking, direct = result["masking"], result["all_direct"]
    limits = f"{percent(direct['low'])} to {percent(direct['high'])}"
    return Facts(
        "Results on unseen documents",
        "Each document was evaluated by a model that was trained on other documents.",
        (
            Fact(
                "words found",
                percent(masking["recall"]),
                "share of the words of identifiers",
            ),
            Fact(
                "words correctly marked",
                percent(masking["precision"]),
                "share of the words marked",
            ),
            Fact(
                "documents with all direct identifiers caught",
                percent(direct["value"]),
                f"interval {limits}",
            ),
        ),
    )


def by_type(result: ResultDict) -> Table:
    """What was caught of each type, and of each role."""
    precisions = {one["type"]: one["precision"] for one in result["labelled"].get("by_type", ())}
    rows = [
        (f"{one['type']}, {one['role']}", *_recalls(one), percent(precisions.get(one["type"])))
        for one in types(result)
    ]
    rows += [(f"All {one['group']}", *_recalls(one), "") for one in result["groups"] if one["instances"]]
    return Table(
        "Identifiers caught, by type",
        (
            "With any label: the share of identifiers with every word masked, the share of their words "
            "that were masked, and the share of documents in which all identifiers of the type were "
            "masked. Last: the share of labels that are correct."
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
            Column("label correct", is_number=True),
        ),
        tuple(rows),
        marked=tuple(range(len(result["by_type"]), len(rows))),
    )


def types(result: ResultDict) -> list[ResultDict]:
    """The types, direct identifiers first, then by recall, the lowest first."""
    return sorted(result["by_type"], key=lambda one: (one["role"], one["micro_recall"] or 0.0, one["type"]))


def _recalls(one: ResultDict) -> tuple[str, ...]:
    shares = (one["micro_recall"], one["masking_recall"], one["all_or_nothing_recall"])
    return (count(one["instances"]), *(percent(share) for share in shares))


def thresholds(result: ResultDict) -> Table:
    """The results with other thresholds."""
    usual = result["settings"]["threshold"]
    rows = tuple(
        (
            f"{one['threshold']:g}{' (used)' if one['threshold'] == usual else ''}",
            percent(one["recall"]),
            percent(one["precision"]),
            percent(one["all_direct"]),
        )
        for one in result["knob"]
    )
    return Table(
        "Choosing a threshold",
        "A lower threshold finds more identifiers but also marks more words that are not identifiers.",
        (
            Column("threshold"),
            Column("words found", is_number=True),
            Column("correctly marked", is_number=True),
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
    """Whether the confidence of the model matches the share of identifiers."""
    return Table(
        "Is the confidence reliable?",
        "Words by the confidence of the model, and the share of them that actually are identifiers.",
        (
            Column("confidence"),
            Column("words", is_number=True),
            Column("mean confidence", is_number=True),
            Column("actual share", is_number=True),
        ),
        tuple(
            (bounds(one), count(one["words"]), percent(one["confidence"]), percent(one["share"]))
            for one in result["calibration"]
        ),
    )


def bounds(one: ResultDict) -> str:
    """The range of a bin."""
    return f"{one['low']:g} to {one['high']:g}"


def model(result: ResultDict) -> Facts:
    """What the model file contains."""
    facts = tuple(Fact(name, count(result["model"][name]), meaning) for name, meaning in MODEL.items())
    return Facts("The model", "Trained on all documents.", facts)


def settings(result: ResultDict) -> Facts:
    """The settings that reproduce the model."""
    facts = [Fact(name, str(value), MEANINGS.get(name, "")) for name, value in result["settings"].items()]
    facts.append(Fact("seed", str(result["seed"]), "seed for dividing the documents into parts"))
    return Facts("Settings", "The same documents and settings give the same model.", tuple(facts))


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Recall by type, the effect of the threshold, and calibration."""
    return _recall_chart(result), _threshold_chart(result), _calibration_chart(result)


def _recall_chart(result: ResultDict) -> Chart:
    groups = []
    for role, title in (
        ("direct", "Direct identifiers"),
        ("quasi", "Quasi-identifiers"),
    ):
        rows = [_pair(one["type"], one) for one in types(result)[:MOST_TYPES] if one["role"] == role]
        totals = [_pair("all", one, is_total=True) for one in result["groups"] if one["group"] == role]
        if rows:
            groups.append(Group(title, None, is_cutoff_for_total=False, pairs=(*rows, *totals)))
    found = f"{percent(result['masking']['recall'])} of all words of identifiers were found"
    return _chart(
        "recall",
        "Identifiers caught, by type",
        (
            "Share of identifiers caught (ring) and share of documents in which all identifiers of the "
            "type were caught (diamond, with its value on the right). In parentheses: the number of "
            "identifiers."
        ),
        f"{found}. The table below has every number.",
        groups,
        ("identifiers", "documents with all caught"),
    )


def _pair(name: str, row: ResultDict, *, is_total: bool = False) -> Pair:
    share = row["micro_recall"], row["all_or_nothing_recall"]
    return Pair(name, count(row["instances"]), *share, is_total)


def _threshold_chart(result: ResultDict) -> Chart:
    usual = result["settings"]["threshold"]
    rows = tuple(
        Pair(
            f"{one['threshold']:g}",
            "used" if one["threshold"] == usual else f"all direct {percent(one['all_direct'])}",
            one["precision"],
            one["recall"],
            one["threshold"] == usual,
        )
        for one in result["knob"]
    )
    return _chart(
        "knob",
        "Choosing a threshold",
        (
            "Share of marked words that belong to an identifier (ring), and share of the words of "
            "identifiers that were found (diamond, with its value on the right), by threshold."
        ),
        "A lower threshold finds more identifiers but also marks more words that are not identifiers.",
        [Group("Threshold", None, is_cutoff_for_total=False, pairs=rows)],
        ("correctly marked", "found"),
    )


def _calibration_chart(result: ResultDict) -> Chart:
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
        "Is the confidence reliable?",
        (
            "Mean confidence of the model (ring) and share of these words that are identifiers "
            "(diamond, with its value on the right). Both should be close to each other."
        ),
        "The table below has every number.",
        [Group("Confidence", None, is_cutoff_for_total=False, pairs=rows)],
        ("mean confidence", "actual share"),
    )


def _chart(
    name: str, title: str, explanation: str, summary: str, groups: list[Group], names: tuple[str, str]
) -> Chart:
    draw = partial(draw_pairs, groups=groups, names=names)
    return Chart(name, title, explanation, summary, pairs.height(groups), draw)


GUIDE = Guide(
    terms=(
        Fact(
            "Cross-validation",
            (
                "The documents are divided into parts at random. Each part is evaluated by a model that "
                "was trained on the other parts, so all results are for documents the model has not seen."
            ),
        ),
        Fact("Caught", "Every word of the identifier that needs masking is marked, with any label."),
        Fact(
            "All caught",
            "Among the documents that contain the type, the share in which no identifier of the type leaked.",
        ),
        Fact(
            "Confidence",
            (
                "The estimated probability that a word belongs to an identifier, calibrated on documents "
                "that the model had not seen."
            ),
        ),
        Fact("Threshold", "Words with at least this confidence are marked."),
    ),
    limits=(
        "The results apply to documents of the same type and source as the training documents.",
        "The model learns from the annotators. It will miss what they missed.",
        "The results do not show the risk of a release. To measure it, evaluate the output of the model on "
        "annotated documents.",
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
KIND = Kind(
    title="Your own detector",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Model {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(summary),
        Show(by_type),
        Show(thresholds),
        Show(calibration),
        Show(model),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "How well each model finds identifiers in unseen documents.",
        "model",
        (
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("words found", is_number=True), lambda result: percent(result["masking"]["recall"])),
            (
                Column("correctly marked", is_number=True),
                lambda result: percent(result["masking"]["precision"]),
            ),
            (
                Column("documents with all direct caught", is_number=True),
                lambda result: percent(result["all_direct"]["value"]),
            ),
        ),
    ),
)
