"""How to read an attack on a table."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import phrases, say

TERMS = (
    "linkage",
    "probabilistic",
    "singling_out",
    "linkability",
    "inference",
    "control",
    "guessing",
    "marketer",
)

GUIDE = Guide(
    terms=tuple(
        Fact(
            say(f"content.table_attack_guide.term.{name}.name"),
            say(f"content.table_attack_guide.term.{name}.is"),
        )
        for name in TERMS
    ),
    limits=(
        *phrases("content.table_attack_guide.limit").values(),
        ("This page is a measurement, not legal advice. People who answer for it decide on a release."),
    ),
    sources=(
        Source(
            "Article 29 Data Protection Working Party. Opinion 05/2014 on anonymisation techniques. WP216."
        ),
        Source(
            "European Medicines Agency. External guidance on the implementation of Policy 0070. "
            "EMA/90915/2016."
        ),
        Source(
            "Giomi M, Boenisch F, Wehmeyer C, Tasnádi B. A unified framework for quantifying privacy risk in "
            "synthetic data. Proceedings on Privacy Enhancing Technologies 2023."
        ),
        Source(
            "Fellegi IP, Sunter AB. A theory for record linkage. Journal of the American Statistical "
            "Association 1969;64:1183-1210.",
            "10.1080/01621459.1969.10501049",
        ),
        Source("Cohen A, Nissim K. Towards formalizing the GDPR's notion of singling out. arXiv:1904.06009."),
    ),
)
