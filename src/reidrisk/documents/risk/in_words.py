"""The qualitative scenario: the risk before and after treatment, in words."""

from __future__ import annotations

from reidrisk.context.qualitative import qualitative_risk
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.scenarios import Case, Outcome
from reidrisk.documents.risk.stages import Sides, Stage
from reidrisk.errors import NothingToMeasure

REMAINING = (
    "How many identifiers are left after treatment is not said: the risk before it stands. Say it with "
    "remaining=low, moderate or high."
)


def in_words(measured: DocumentMeasure, case: Case) -> Outcome:
    """Acceptable is what is low; after treatment only the number of identifiers is another."""
    before = measured.qualitative
    if before is None:
        raise NothingToMeasure(
            "The qualitative scenario needs its four factors.",
            hint="Write qualitative: {identifiers: …, population: …, participants: …, centres: …} in the "
            "study, each low, moderate or high.",
        )
    left = case.settings.remaining
    after = None if left is None else qualitative_risk(**{**before.factors, "identifiers": left})
    final = after or before
    accepted = final.level == "low"
    reason = f"The risk is {before.level} before treatment"
    reason += f" and {after.level} after it" if after else ""
    verdict = "acceptable" if accepted else "not acceptable, only low is"
    verdict += f". {final.action.rstrip('.')}"
    return Outcome(
        sides=Sides(),
        stages=(Stage(None, "in words", before.level), Stage(None, "in words", final.level)),
        accepted=accepted,
        reasons=((accepted, f"{reason}: {verdict}."),),
        warnings=() if after or accepted else (REMAINING,),
        criteria=measured.criteria,
        qualitative=(before, after),
    )
