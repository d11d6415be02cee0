"""How to read what transformations did."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import phrases, say

TERMS = ("sampling", "information", "correlation", "ranks", "pram")

GUIDE = Guide(
    terms=tuple(
        Fact(
            say(f"content.table_transformed_guide.term.{name}.name"),
            say(f"content.table_transformed_guide.term.{name}.is"),
        )
        for name in TERMS
    ),
    limits=(
        *phrases("content.table_transformed_guide.limit").values(),
        ("This page is a measurement, not legal advice. People who answer for it decide on a release."),
    ),
    sources=(
        Source(
            "Yancey WE, Winkler WE, Creecy RH. Disclosure risk assessment in perturbative microdata "
            "protection. Inference Control in Statistical Databases, LNCS 2316 (2002) 135–152."
        ),
        Source("Kim JJ. A method for limiting disclosure in microdata based on random noise. ASA 1986."),
        Source("Moore RA. Controlled data-swapping techniques for masking public use microdata. 1996."),
        Source(
            "Gouweleeuw JM, Kooiman P, Willenborg LCRJ, de Wolf PP. Post randomisation for statistical "
            "disclosure control. Journal of Official Statistics 14 (1998) 463–478."
        ),
    ),
)
