"""Attack a released table and report the success of each attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.classes import ClassSizes
from reidrisk.core.result import Result
from reidrisk.core.wording import plural, probability
from reidrisk.tables.attack.data import find_truth, read_tables
from reidrisk.tables.attack.inference import infer
from reidrisk.tables.attack.linkability import link_sources
from reidrisk.tables.attack.linkage import Probabilistic, link, link_probably
from reidrisk.tables.attack.outcome import Outcome
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.singling import single_out
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

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


UNNAMED = "No secret was named (--secret)."
NO_CONTROL = (
    "No control group was given: what the release adds cannot be told from what anybody could guess. "
    "Keep some people out of the release and name them with --control."
)


@dataclass(frozen=True)
class TableAttack(Result):
    """How often an adversary of our own succeeded, beside what was predicted."""

    plan: AttackPlan
    records: int
    people: int
    control_records: int | None
    truth: str
    """How it is known who is who, or why not."""
    is_known: bool
    sizes: ClassSizes
    expected: float
    """Right links that the marketer risk predicts."""
    unmatched: int
    """Released records that nobody fits."""
    exact: Outcome
    nearest: Outcome
    probabilistic: Probabilistic
    singling: tuple[Outcome, ...]
    linkability: Outcome
    inference: tuple[Outcome, ...]
    inputs: tuple[tuple[str, Any], ...]
    seed: int
    doubts: tuple[str, ...] = ()
    """How released values were read that could be read otherwise, or not at all."""
    notes: tuple[str, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether no attack can succeed more often than the threshold; without one nothing is decided."""
        limit = self.plan.threshold
        if limit is None:
            return True
        return all(one.high <= limit.probability for _, one in self._risks())

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """Singling out, linkability, inference."""
        return (
            criterion("singling out", self.singling),
            criterion("linkability", (self.linkability,)),
            criterion("inference", self.inference, missing=UNNAMED),
        )

    @property
    def marketer(self) -> float:
        """The predicted share of right links, among records whose person is there if that is known."""
        return self.expected / (self.records if self.exact.main is None else self.exact.main.guesses)

    @property
    def prediction_holds(self) -> bool | None:
        """Whether the marketer risk lies in the interval of the exact linkage; None if none was judged."""
        if self.exact.main is None:
            return None
        rate = self.exact.main.rate(self.plan.level)
        return rate.low <= self.marketer <= rate.high

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: no value, no id."""
        return {
            "kind": "table_attack",
            "version": own_version(),
            "acceptable": self.acceptable,
            "decided": self.plan.threshold is not None,
            "settings": self._settings(),
            "seed": self.seed,
            "versions": versions(),
            "reasons": self._reasons(),
            "warnings": self._warnings(),
            "threshold": self._threshold(),
            "records": self.records,
            "people": self.people,
            "control_records": self.control_records,
            "truth": {"known": self.is_known, "how": self.truth},
            "unmatched_records": self.unmatched,
            "predicted": {
                "prosecutor": {
                    "highest": 1 / self.sizes.smallest,
                    "average": self.sizes.classes / self.sizes.records,
                },
                "marketer": {"average": self.marketer, "expected_matches": self.expected},
            },
            "prediction_holds": self.prediction_holds,
            "linkage": {
                "exact": self.exact.to_dict(),
                "nearest": self.nearest.to_dict(),
                "probabilistic": self.probabilistic.outcome.to_dict(),
            },
            "probabilistic_linkage": self.probabilistic.to_dict(),
            "singling_out": [one.to_dict() for one in self.singling],
            "linkability": self.linkability.to_dict(),
            "inference": [one.to_dict() for one in self.inference],
            "criteria": [one.to_dict() for one in self.criteria],
            "notes": list(self.notes),
        }

    def _settings(self) -> dict[str, Any]:
        plan = self.plan
        return {
            **dict(self.inputs),
            "quasi": list(plan.quasi),
            "secret": list(plan.secret),
            "known": list(plan.known) if plan.known else None,
            "sets": [list(part) for part in plan.linked_sets],
            "id": plan.id,
            "unit": plan.unit,
            "guesses": plan.guesses,
            "together": plan.together,
            "level": plan.level,
            "tolerance": plan.tolerance,
            "neighbours": plan.neighbours,
            "confidence": plan.confidence,
        }

    def _threshold(self) -> dict[str, Any] | None:
        limit = self.plan.threshold
        return None if limit is None else {**asdict(limit), "cell_size": limit.cell_size}

    def _risks(self) -> Iterator[tuple[str, Any]]:
        """What counts of each attack that was made: the success of linkage, what a release adds to others."""
        linkage = (self.exact, self.nearest, self.probabilistic.outcome)
        for one in (*linkage, *self.singling, self.linkability, *self.inference):
            risk = one.risk
            if risk is not None:
                yield one.attack, risk

    def _reasons(self) -> list[str]:
        reasons = [self._linked(), *(f"{one.question} {one.answer}" for one in self.criteria)]
        limit = self.plan.threshold
        if limit is None:
            return reasons
        above = [
            f"{name} ({probability(risk.value)}, upper limit {probability(risk.high)})"
            for name, risk in self._risks()
            if risk.high > limit.probability
        ]
        verdict = f"above it: {', '.join(above)}" if above else "no attack is above it"
        held = f"The threshold is {probability(limit.probability)} ({limit.reason})"
        return [*reasons, f"{held}. The upper limit of the interval decides; {verdict}."]

    def _linked(self) -> str:
        predicted = probability(self.marketer)
        if self.exact.main is None:
            return f"{self.exact.reason} If everybody of the release is in it, {predicted} would be linked."
        main = self.exact.main
        rate = main.rate(self.plan.level)
        fit = "lies inside this interval"
        if not self.prediction_holds:
            is_safe = self.marketer > rate.high
            fit = f"lies {'above this interval, on the safe side' if is_safe else 'below this interval'}"
        return (
            f"{main.successes:,} of {plural(main.guesses, 'released record')} were linked with the right "
            f"person, {probability(rate.value)} ({probability(rate.low)} to {probability(rate.high)}); the "
            f"predicted marketer risk, {predicted}, {fit}."
        )

    def _warnings(self) -> list[str]:
        made = (*self.singling, self.linkability, *self.inference)
        weak = [
            f"Attack too weak: {one.attack} did no better than guessing, so that its figure is no proof of "
            "safety."
            for one in made
            if one.is_weak
        ]
        strangers = [f"{plural(self.unmatched, 'released record')} may be nobody of the other table."]
        left_out = self.plan.quasi[len(self.probabilistic.outcome.columns) :]
        few = [f"Probabilistic linkage did not compare {', '.join(left_out)}: there are too many columns."]
        return [
            *weak,
            *(few if left_out else []),
            *([NO_CONTROL] if self.control_records is None else []),
            *(strangers if self.unmatched else []),
            *self.doubts,
        ]


def attack_table(
    released: Any,
    against: Any,
    plan: AttackPlan,
    *,
    control: Any = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    seed: int = 7,
) -> TableAttack:
    """Link, single out and infer, and tell how often it succeeds beside the predicted risk.

    `against` is the original, or a table of identified people; `control` are people like them who are not
    in the release. Generalized values match what they stand for: by their hierarchy, if there is one, and
    otherwise by the way they are written (20-29, 531**, 2019-Q1, {a, b}, *). Tables are files, folders,
    database tables or data frames.
    """
    tables = read_tables(released, against, control, plan, hierarchies or {})
    truth = find_truth(tables, plan)
    # Each attack draws for itself, so that adding one does not change the others.
    draws = [np.random.default_rng([seed, at]) for at in range(3 + len(plan.secret))]
    linkage = link(tables, plan, truth, draws[0])
    names = ("released", "against", "control")
    return TableAttack(
        plan=plan,
        records=len(tables.released),
        people=tables.persons.number,
        control_records=None if tables.control_persons is None else tables.control_persons.number,
        truth=truth.by,
        is_known=truth.person is not None,
        sizes=linkage.sizes,
        expected=linkage.expected,
        unmatched=linkage.unmatched,
        exact=linkage.exact,
        nearest=linkage.nearest,
        probabilistic=link_probably(tables, plan, truth, np.random.default_rng([seed, 0, 1])),
        singling=single_out(tables, plan, truth, draws[1]),
        linkability=link_sources(tables, plan, truth, draws[2]),
        inference=tuple(
            infer(tables, plan, secret, truth, rng)
            for secret, rng in zip(plan.secret, draws[3:], strict=True)
        ),
        inputs=(
            *zip(names, tables.sources, strict=False),
            ("hierarchies", sorted(hierarchies) if hierarchies else None),
        ),
        seed=seed,
        doubts=tables.doubts,
        notes=tables.notes,
    )
