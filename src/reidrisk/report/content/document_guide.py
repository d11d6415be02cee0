"""How to read the risk of documents: its words, its assumptions and its sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import phrases

TERMS = phrases("content.document_guide.terms")
GUIDE = Guide(
    terms=tuple(Fact(name.replace("_", " "), text) for name, text in TERMS.items()),
    limits=tuple(phrases("content.document_guide.limits").values()),
    sources=(
        Source(
            "Kumar P., Sareen R. Evaluation of re-identification risk for anonymized clinical documents. "
            "PhUSE 2017."
        ),
        Source(
            "Scaiano M. et al. A unified framework for evaluating the risk of re-identification of text "
            "de-identification tools. Journal of Biomedical Informatics 63 (2016) 174–183.",
            "10.1016/j.jbi.2016.07.015",
        ),
        Source(
            "European Medicines Agency. External guidance on the implementation of the policy on the "
            "publication of clinical data, EMA/90915/2016."
        ),
    ),
)
