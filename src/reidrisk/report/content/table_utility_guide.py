"""How to read what a release is still good for."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import phrases, say

TERMS = ("released_level", "total_variation", "wasserstein", "propensity", "overlap", "transfer")

GUIDE = Guide(
    terms=tuple(
        Fact(
            say(f"content.table_utility_guide.term.{name}.name"),
            say(f"content.table_utility_guide.term.{name}.is"),
        )
        for name in TERMS
    ),
    limits=tuple(phrases("content.table_utility_guide.limit").values()),
    sources=(
        Source(
            "Woo MJ, Reiter JP, Oganian A, Karr AF. Global measures of data utility for microdata masked for "
            "disclosure limitation. Journal of Privacy and Confidentiality 2009;1(1):111-124.",
            "10.29012/jpc.v1i1.568",
        ),
        Source(
            "Snoke J, Raab GM, Nowok B, Dibben C, Slavkovic A. General and specific utility measures for "
            "synthetic data. Journal of the Royal Statistical Society A 2018;181(3):663-688.",
            "10.1111/rssa.12358",
        ),
        Source(
            "Karr AF, Kohnen CN, Oganian A, Reiter JP, Sanil AP. A framework for evaluating the utility of "
            "data altered to protect confidentiality. The American Statistician 2006;60(3):224-232.",
            "10.1198/000313006X124640",
        ),
    ),
)
