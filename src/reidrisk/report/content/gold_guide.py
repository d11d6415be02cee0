"""How to read what was drawn to be annotated, and how far annotators agree."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source

SAMPLE_GUIDE = Guide(
    terms=(
        Fact(
            "Stratum",
            ("A part of the corpus, such as a ward or a kind of note, that is drawn from on its own."),
        ),
        Fact("Weight", "How many documents of its stratum a drawn document stands for."),
        Fact("All-or-nothing recall", "The share of documents in which no direct identifier leaks."),
        Fact(
            "Upper limit",
            (
                "What the share of leaking documents does not exceed, with 97.5 % confidence, "
                "after these documents."
            ),
        ),
    ),
    limits=(
        "The sample speaks for this corpus only, not for other clinics or years.",
        ("Documents are drawn as if each were one patient. Where patients have several, join them first."),
        (
            "The number of documents rests on one rate of leaks for all; types that are rare "
            "need more documents."
        ),
    ),
    sources=(
        Source(
            "Scaiano M, Middleton G, Arbuckle L, et al. A unified framework for evaluating the risk of "
            "re-identification of text de-identification tools. Journal of Biomedical Informatics 63 (2016) "
            "174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
    ),
)

AGREEMENT_GUIDE = Guide(
    terms=(
        Fact("F1", ("Twice the marks in common over all marks of both: the same whoever is taken as right.")),
        Fact("Kappa", "Agreement on words, less what chance would give. Most words are unmarked by all."),
        Fact(
            "Gamma",
            (
                "Agreement on spans: marks of both are paired so that they fit best, and compared "
                "with marks put there by chance. A mark that is a little off counts a little."
            ),
        ),
        Fact("Place", "Marks that overlap, of whomever."),
        Fact("Open", "No rule settles it: as many annotators speak for it as against it."),
    ),
    limits=(
        "High agreement is not truth: all may have missed the same name.",
        "A gold standard that was never settled by people carries the errors of its rule.",
    ),
    sources=(
        Source(
            "Hripcsak G, Rothschild AS. Agreement, the F-measure, and reliability in information retrieval. "
            "Journal of the American Medical Informatics Association 12 (2005) 296–298.",
            "10.1197/jamia.M1733",
        ),
        Source(
            "Cohen J. A coefficient of agreement for nominal scales. Educational and Psychological "
            "Measurement "
            "20 (1960) 37–46.",
            "10.1177/001316446002000104",
        ),
        Source(
            "Fleiss JL. Measuring nominal scale agreement among many raters. Psychological Bulletin 76 "
            "(1971) "
            "378–382.",
            "10.1037/h0031619",
        ),
        Source(
            "Mathet Y, Widlöcher A, Métivier JP. The unified and holistic method gamma for inter-annotator "
            "agreement measure and alignment. Computational Linguistics 41 (2015) 437–479.",
            "10.1162/COLI_a_00227",
        ),
    ),
)
