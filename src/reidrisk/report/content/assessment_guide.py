"""What a newcomer needs to read an assessment."""

from __future__ import annotations

from reidrisk.report.content.context_guide import CONTEXT_GUIDE
from reidrisk.report.parts import Fact, Guide
from reidrisk.report.words.book import say

GUIDE = Guide(
    terms=(
        Fact(say("content.assessment_guide.part"), say("content.assessment_guide.one_thing_that")),
        Fact(say("content.assessment_guide.risk"), say("content.assessment_guide.the_chance_that")),
        Fact(say("content.assessment_guide.with_attempt"), say("content.assessment_guide.that_chance_times")),
        Fact(say("content.assessment_guide.limit"), say("content.assessment_guide.the_largest_risk")),
        Fact(say("content.assessment_guide.remedy"), say("content.assessment_guide.a_change_that")),
    ),
    limits=(
        say("content.assessment_guide.parts_are_judged"),
        say("content.assessment_guide.a_context_is"),
        say("content.assessment_guide.a_population_is"),
        say("content.assessment_guide.that_nothing_was"),
    ),
    sources=CONTEXT_GUIDE.sources,
)
