"""How to read what training gave."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source

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
