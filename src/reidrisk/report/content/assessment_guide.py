"""What a newcomer needs to read an assessment."""

from __future__ import annotations

from reidrisk.report.content.context_guide import CONTEXT_GUIDE
from reidrisk.report.parts import Fact, Guide

GUIDE = Guide(
    terms=(
        Fact("part", ("One thing that is released: texts, a table, or what a policy tells of a population.")),
        Fact("risk", "The chance that somebody is re-identified, given that somebody tries."),
        Fact("with attempt", "That chance times the chance that somebody tries, where the rule asks for it."),
        Fact(
            "limit", ("The largest risk that is accepted: the threshold, or for names in texts a benchmark.")
        ),
        Fact("remedy", "A change that lowers a risk or raises what is accepted, each computed alone."),
    ),
    limits=(
        ("Parts are judged one by one; what an intruder learns by joining two parts is not counted."),
        "A context is as stated. Nothing here checks that a practice is followed.",
        ("A population is judged by the expected share of people re-identified: this comparison is ours."),
        "That nothing was found is no proof that nothing is there.",
    ),
    sources=CONTEXT_GUIDE.sources,
)
