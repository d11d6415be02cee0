"""The three questions of European guidance, answered by what the attacks achieved.

Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP216); European Medicines Agency,
external guidance on Policy 0070: data are anonymous if nobody can be singled out, no records be linked and
nothing be inferred; otherwise the risk of re-identification is to be evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reidrisk.core.wording import probability
from reidrisk.tables.attack.outcome import Outcome

QUESTIONS = {
    "singling out": "Can a person be singled out?",
    "linkability": "Can records about a person be linked?",
    "inference": "Can something be inferred about a person?",
}


@dataclass(frozen=True, slots=True)
class Criterion:
    """One question and its answer."""

    name: str
    question: str
    possible: bool | None
    """Whether an attack succeeded beyond chance; None if none could be made."""
    answer: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def criterion(name: str, outcomes: Sequence[Outcome], *, missing: str = "") -> Criterion:
    """The answer by the attack that did most."""
    made = [one for one in outcomes if one.succeeds is not None]
    if not made:
        reason = " ".join(dict.fromkeys(one.reason for one in outcomes if one.reason)) or missing
        return Criterion(name, QUESTIONS[name], None, f"Not measured. {reason}".strip())
    worst = max(made, key=_strength)
    return Criterion(name, QUESTIONS[name], worst.succeeds, _answer(worst))


def _strength(outcome: Outcome) -> tuple[bool, float]:
    risk = outcome.risk
    return bool(outcome.succeeds), risk.value if risk else 0.0


def _answer(outcome: Outcome) -> str:
    main = outcome.main
    if main is None:
        return f"No, not by these attacks. {outcome.reason}"
    rate = main.rate(outcome.level)
    said = f"{outcome.attack} succeeded in {probability(rate.value)} of {main.guesses:,} guesses"
    if outcome.control is not None:
        other = outcome.control.rate(outcome.level).value
        held = f"{probability(other)} on people who are not in the release"
    elif outcome.baseline is not None:
        other = outcome.baseline.rate(outcome.level).value
        held = (
            f"{probability(other)} by guessing; without a control group nobody knows how much of it is due "
        )
        held += "to the release"
    else:
        held = "nothing to compare it with"
    if outcome.succeeds:
        return f"Yes. {said[0].upper()}{said[1:]}, against {held}."
    weak = " But guessing did as well: the attack is too weak to show safety." if outcome.is_weak else ""
    return f"No, not beyond chance. {said[0].upper()}{said[1:]}, against {held}.{weak}"
