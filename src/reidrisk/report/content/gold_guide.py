"""How to read what was drawn to be annotated, and how far annotators agree."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

SAMPLE_GUIDE = Guide(
    terms=(
        Fact(
            say("content.gold_guide.stratum"),
            say("content.gold_guide.a_part_of"),
        ),
        Fact(say("content.gold_guide.weight"), say("content.gold_guide.how_many_documents")),
        Fact(say("content.gold_guide.all_or_nothing"), say("content.gold_guide.the_share_of")),
        Fact(
            say("content.gold_guide.upper_limit"),
            say("content.gold_guide.what_the_share"),
        ),
    ),
    limits=(
        say("content.gold_guide.the_sample_speaks"),
        say("content.gold_guide.documents_are_drawn"),
        say("content.gold_guide.the_number_of"),
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
        Fact("F1", say("content.gold_guide.twice_the_marks")),
        Fact(say("content.gold_guide.kappa"), say("content.gold_guide.agreement_on_words")),
        Fact(
            say("content.gold_guide.gamma"),
            say("content.gold_guide.agreement_on_spans"),
        ),
        Fact(say("content.gold_guide.place"), say("content.gold_guide.marks_that_overlap")),
        Fact(say("content.gold_guide.open"), say("content.gold_guide.no_rule_settles")),
    ),
    limits=(
        say("content.gold_guide.high_agreement_is"),
        say("content.gold_guide.a_gold_standard"),
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
