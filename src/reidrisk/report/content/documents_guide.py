"""How to read what was done to documents, what reviewers said of them, and what a search of them found."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

_POLICY = Source(
    "European Medicines Agency. External guidance on the implementation of the European Medicines Agency "
    "policy on the publication of clinical data for medicinal products for human use (Policy 0070)."
)
_KAPPA = (
    Source(
        "Cohen J. A coefficient of agreement for nominal scales. Educational and Psychological Measurement "
        "20 (1960) 37–46.",
        "10.1177/001316446002000104",
    ),
    Source(
        "Fleiss JL. Measuring nominal scale agreement among many raters. Psychological Bulletin 76 (1971) "
        "378–382.",
        "10.1037/h0031619",
    ),
)
_PROPORTION = Source(
    "Brown LD, Cai TT, DasGupta A. Interval estimation for a binomial proportion. Statistical Science 16 "
    "(2001) 101–133.",
    "10.1214/ss/1009213286",
)


def _terms(*names: str) -> tuple[Fact, ...]:
    return tuple(
        Fact(say(f"content.documents_guide.term.{name}"), say(f"content.documents_guide.meaning.{name}"))
        for name in names
    )


def _limits(*names: str) -> tuple[str, ...]:
    return tuple(say(f"content.documents_guide.limit.{name}") for name in names)


DETECTION_GUIDE = Guide(_terms("attributed"), _limits("missed", "attribution", "pictures"), (_POLICY,))
ANONYMIZATION_GUIDE = Guide(
    _terms("redacted", "replaced", "proof"), _limits("missed", "pictures"), (_POLICY,)
)
PROOF_GUIDE = Guide(_terms("proof", "covered"), _limits("only_values", "pictures"), (_POLICY,))
REVIEW_GUIDE = Guide(
    _terms("recall", "page_recall", "kappa"), _limits("chance", "careful"), (*_KAPPA, _PROPORTION)
)
