"""Attack a released table and report the success of each attack.

The three questions are those of the Article 29 Working Party, Opinion 05/2014 on anonymisation techniques
(WP216), and of the European Medicines Agency, external guidance on Policy 0070: data are anonymous if nobody
can be singled out, no records can be linked and nothing can be inferred; otherwise evaluate the risk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.about import own_version, versions
from reidrisk.core.classes import ClassSizes
from reidrisk.core.limits import Limits, limited
from reidrisk.core.reading import TableReading
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.schema import Roles
from reidrisk.core.settings import record_settings
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural, probability
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.tables.attack.data import AttackTables, Codes, Truth, find_truth, read_tables
from reidrisk.tables.attack.growth import half_of, with_allowance
from reidrisk.tables.attack.linkability import link_sources
from reidrisk.tables.attack.linkage import ProbabilisticLinkage, link, link_probably
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.settings import ID, KNOWN, PLAN_NUMBERS, SENSITIVE, SETS, UNIT
from reidrisk.tables.attack.singling import single_out
from reidrisk.tables.attack.success import AttackResult, GuessCount
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.settings import QUASI

QUESTIONS = {
    "singling out": "Can a person be singled out?",
    "linkability": "Can records about a person be linked?",
    "inference": "Can something be inferred about a person?",
}


@dataclass(frozen=True, slots=True)
class AttackCriterion:
    """One of the three questions and its answer."""

    name: str
    question: str
    possible: bool | None
    """Whether an attack succeeded beyond chance; None if none was possible."""
    answer: str

    def reason(self) -> Reason:
        """Return question and answer as a reason against the release if the attack is possible."""
        holds = None if self.possible is None else not self.possible
        return Reason(f"{self.question} {self.answer}", holds)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return asdict(self)


def answer_criterion(name: str, outcomes: Sequence[AttackResult], *, missing: str = "") -> AttackCriterion:
    """Answer a question by the most successful attack."""
    made = [one for one in outcomes if one.succeeds is not None]
    if not made:
        reason = " ".join(dict.fromkeys(one.reason for one in outcomes if one.reason)) or missing
        return AttackCriterion(name, QUESTIONS[name], None, f"Not measured. {reason}".strip())
    worst = max(made, key=_strength)
    return AttackCriterion(name, QUESTIONS[name], worst.succeeds, _answer(worst))


def _strength(outcome: AttackResult) -> tuple[bool, float]:
    risk = outcome.risk
    return bool(outcome.succeeds), risk.value if risk else 0.0


def _answer(outcome: AttackResult) -> str:
    main = outcome.main
    if main is None:
        return f"No, not by these attacks. {outcome.reason}"
    rate = main.rate(outcome.level)
    success = f"{outcome.attack} succeeded in {probability(rate.value)} of {main.guesses:,} guesses"
    if outcome.control is not None:
        rate = outcome.control.rate(outcome.level)
        other = f"{probability(rate.value)} for people who are not in the release"
    elif outcome.baseline is not None:
        rate = outcome.baseline.rate(outcome.level)
        other = (
            f"{probability(rate.value)} by guessing; without a control group it is unknown how much of the "
            "success is due to the release"
        )
    else:
        other = "nothing"
    if outcome.succeeds:
        return f"Yes. {success[0].upper()}{success[1:]}, compared with {other}."
    weak = " But guessing did as well: the attack is too weak to show safety." if outcome.is_weak else ""
    return f"No, not beyond chance. {success[0].upper()}{success[1:]}, compared with {other}.{weak}"


NO_SENSITIVE = "No column to infer was given (--secret)."
NO_CONTROL = (
    "No control group was given: what the release adds cannot be separated from what anyone could guess. "
    "Keep some people out of the release and give them with --control."
)


@dataclass(frozen=True)
class TableAttack(Result):
    """How often simulated attacks succeeded, compared with the predicted risk."""

    plan: AttackPlan
    records: int
    people: int
    control_records: int | None
    truth: str
    """How the true identities are known, or why not."""
    is_known: bool
    sizes: ClassSizes
    expected: float
    """Number of correct links that the marketer risk predicts."""
    unmatched: int
    """Number of released records that match nobody."""
    exact: AttackResult
    nearest: AttackResult
    probabilistic: ProbabilisticLinkage
    singling: tuple[AttackResult, ...]
    linkability: AttackResult
    inference: tuple[AttackResult, ...]
    inputs: tuple[tuple[str, Any], ...]
    seed: int
    doubts: tuple[str, ...] = ()
    """Values that could not be read, or could be read in another way."""
    notes: tuple[str, ...] = ()
    sampled: dict[str, Any] | None = None
    """How persons were drawn; None if the tables were attacked whole."""

    @property
    def acceptable(self) -> bool:
        """Whether no attack succeeds more often than the threshold; without one, nothing is decided."""
        limit = self.plan.threshold
        if limit is None:
            return True
        return all(one.high <= limit.probability for _, one in self._risks())

    @property
    def criteria(self) -> tuple[AttackCriterion, ...]:
        """The answers on singling out, linkability and inference."""
        return (
            answer_criterion("singling out", self.singling),
            answer_criterion("linkability", (self.linkability,)),
            answer_criterion("inference", self.inference, missing=NO_SENSITIVE),
        )

    @property
    def marketer(self) -> float:
        """The predicted share of correct links, among records whose person is present if that is known."""
        return self.expected / (self.records if self.exact.main is None else self.exact.main.guesses)

    @property
    def prediction_holds(self) -> bool | None:
        """Whether the marketer risk is inside the interval of the exact linkage; None if not judged."""
        if self.exact.main is None:
            return None
        rate = self.exact.main.rate(self.plan.level)
        return rate.low <= self.marketer <= rate.high

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types, without values or IDs."""
        reasons = self._reasons()
        return {
            "kind": "table_attack",
            "version": own_version(),
            "acceptable": self.acceptable,
            "decided": self.plan.threshold is not None,
            "settings": self._settings(),
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
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
                "probabilistic": self.probabilistic.result.to_dict(),
            },
            "probabilistic_linkage": self.probabilistic.to_dict(),
            "singling_out": [one.to_dict() for one in self.singling],
            "linkability": self.linkability.to_dict(),
            "inference": [one.to_dict() for one in self.inference],
            "criteria": [one.to_dict() for one in self.criteria],
            "sampled": self.sampled,
            "notes": list(self.notes),
        }

    def _settings(self) -> dict[str, Any]:
        plan = self.plan
        return {
            **dict(self.inputs),
            QUASI.name: list(plan.quasi),
            SENSITIVE.former: list(plan.sensitive),
            KNOWN.name: list(plan.known) if plan.known else None,
            SETS.name: [list(part) for part in plan.linked_sets],
            **record_settings((ID, UNIT, *PLAN_NUMBERS), plan),
        }

    def _threshold(self) -> dict[str, Any] | None:
        limit = self.plan.threshold
        return None if limit is None else {**asdict(limit), "cell_size": limit.cell_size}

    def _risks(self) -> Iterator[tuple[str, Any]]:
        """Yield the risk of each attack: the success of linkage, or what the release adds for the others."""
        linkage = (self.exact, self.nearest, self.probabilistic.result)
        for one in (*linkage, *self.singling, self.linkability, *self.inference):
            risk = one.risk
            if risk is not None:
                yield one.attack, risk

    def _reasons(self) -> list[Reason]:
        reasons = [Reason(self._linked(), None), *(one.reason() for one in self.criteria)]
        limit = self.plan.threshold
        if limit is None:
            return reasons
        above = [
            f"{name} ({probability(risk.value)}, upper limit {probability(risk.high)})"
            for name, risk in self._risks()
            if risk.high > limit.probability
        ]
        verdict = f"above it: {', '.join(above)}" if above else "no attack is above it"
        text = (
            f"The threshold is {probability(limit.probability)} ({limit.reason}). "
            f"The upper limit of the interval decides; {verdict}."
        )
        return [*reasons, Reason(text, self.acceptable)]

    def _linked(self) -> str:
        predicted = probability(self.marketer)
        if self.exact.main is None:
            return f"{self.exact.reason} If everyone in the release is in it, {predicted} would be linked."
        main = self.exact.main
        rate = main.rate(self.plan.level)
        fit = "is inside this interval"
        if not self.prediction_holds:
            is_safe = self.marketer > rate.high
            fit = f"is {'above this interval, on the safe side' if is_safe else 'below this interval'}"
        return (
            f"{main.successes:,} of {plural(main.guesses, 'released record')} were linked to the right "
            f"person, {probability(rate.value)} ({probability(rate.low)} to {probability(rate.high)}); the "
            f"predicted marketer risk, {predicted}, {fit}."
        )

    def _warnings(self) -> list[str]:
        made = (*self.singling, self.linkability, *self.inference)
        weak = [
            f"Attack too weak: {one.attack} did no better than guessing, so its figure does not prove safety."
            for one in made
            if one.is_weak
        ]
        strangers = [f"{plural(self.unmatched, 'released record')} match nobody in the other table."]
        left_out = self.plan.quasi[len(self.probabilistic.result.columns) :]
        few = [f"Probabilistic linkage did not compare {', '.join(left_out)}: there are too many columns."]
        return [
            *([] if self.sampled is None else [self.sampled["note"]]),
            *weak,
            *(few if left_out else []),
            *([NO_CONTROL] if self.control_records is None else []),
            *(strangers if self.unmatched else []),
            *self.doubts,
        ]


@limited
def attack_table(  # noqa: PLR0913 - the tables, then how to attack and read them
    released: Any,
    against: Any,
    plan: AttackPlan | Roles | None = None,
    *,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] = (),
    unit: str | None = None,
    threshold: Threshold | None = None,
    control: Any = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    seed: int = 7,
    reading: TableReading | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> TableAttack:
    """Link, single out and infer, and compare the success with the predicted risk.

    `against` is the original, or a table of identified people; `control` are similar people who are not in
    the release. `plan` lists the quasi-identifiers, or is an `AttackPlan` or a `Schema`; instead of it, name
    the columns with `quasi`, `sensitive` (which inference guesses) and `unit`. Generalized values match the
    values they include: by their hierarchy, if there is one, and otherwise by how they are written (20-29,
    531**, 2019-Q1, {a, b}, *). Tables are files, folders, database tables or data frames. `reading` says how
    dates are written and which values mean missing; the delimiter is that of `against`. `limits` says how
    much of the machine may be used.

    >>> import pyarrow as pa
    >>> known = pa.table({"age": [34, 34, 51, 52], "sex": ["F", "F", "M", "F"]})
    >>> attack_table(known, known, ["age", "sex"]).exact.main.successes
    2
    """
    plan = AttackPlan.of(plan, quasi=quasi, sensitive=sensitive, unit=unit, threshold=threshold)
    tables = read_tables(released, against, control, plan, hierarchies or {}, reading, seed=seed)
    truth = find_truth(tables, plan)
    # Each attack has its own random numbers, so that adding one does not change the others.
    draws = [np.random.default_rng([seed, at]) for at in range(3 + len(plan.sensitive))]
    linkage = link(tables, plan, truth, draws[0])
    others = _with_growth(tables, plan, truth, draws, seed=seed)
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
        singling=others[:2],
        linkability=link_sources(tables, plan, truth, draws[2]),
        inference=others[2:],
        inputs=(
            *zip(names, tables.sources, strict=False),
            ("hierarchies", sorted(hierarchies) if hierarchies else None),
            ("read_as", list(tables.notes)),
        ),
        seed=seed,
        doubts=tables.doubts,
        notes=tables.notes,
        sampled=None if tables.draw is None else tables.draw.to_dict(_lengths(tables)),
    )


def _lengths(tables: AttackTables) -> list[int]:
    return [len(rows) for rows in (tables.released, tables.people, tables.control) if rows is not None]


def _with_growth(
    tables: AttackTables, plan: AttackPlan, truth: Truth, draws: Sequence[np.random.Generator], *, seed: int
) -> tuple[AttackResult, ...]:
    """Single out and infer; in a sample, with what both may gain in the whole release."""
    found = _others(tables, plan, truth, draws)
    if tables.draw is None or not tables.draw.is_release:
        return found
    again = [np.random.default_rng([seed, at, 2]) for at in range(len(draws))]
    half, known = half_of(tables, truth, plan, again[0])
    return with_allowance(found, _others(half, plan, known, again), tables.draw)


def _others(
    tables: AttackTables, plan: AttackPlan, truth: Truth, draws: Sequence[np.random.Generator]
) -> tuple[AttackResult, ...]:
    inferred = (
        infer(tables, plan, column, truth, rng) for column, rng in zip(plan.sensitive, draws[3:], strict=True)
    )
    return (*single_out(tables, plan, truth, draws[1]), *inferred)


FEW = 20
"""Numbers with at most this many distinct values are categories, guessed exactly or not."""


def infer(
    tables: AttackTables, plan: AttackPlan, sensitive: str, truth: Truth, rng: np.random.Generator
) -> AttackResult:
    """Guess the sensitive value of the nearest released record."""
    name, known = f"inference of {sensitive}", plan.known_for(sensitive)
    among = truth.targets(tables.persons, rng)
    if not known or not among.size:
        reason = "No known columns are given." if not known else "Nobody in the other table is released."
        return AttackResult(name, known, plan.level, reason=reason)
    at, place = tables.places(known), tables.places([sensitive])[0]
    search = nearest_in(tables.chosen(known), tables.released[:, at], wide=False, rng=rng)

    def right(targets: Codes, rows: Ints) -> int:
        guesses = tables.released[rows, place]
        return int(is_right(tables, plan, place, guesses, targets[:, place]).sum())

    def attack(people: Codes, tried: Ints) -> GuessCount:
        targets = people[tried]
        return GuessCount(right(targets, search.find(targets[:, at]).row), tried.size)

    targets = rng.choice(among, min(plan.guesses, among.size), replace=False)
    control = None
    if tables.control is not None and tables.control_persons is not None:
        every = tables.control_persons.one_each(np.arange(len(tables.control)), rng)
        tried = rng.choice(every, min(plan.guesses, every.size), replace=False)
        control = attack(tables.control, tried)
    anybody = rng.integers(len(tables.released), size=targets.size)
    return AttackResult(
        name,
        known,
        plan.level,
        main=attack(tables.people, targets),
        control=control,
        baseline=GuessCount(right(tables.people[targets], anybody), targets.size),
    )


def is_right(
    tables: AttackTables, plan: AttackPlan, place: int, guesses: Codes, truths: Codes
) -> NDArray[np.bool_]:
    """Whether released sensitive values reveal the true ones: the same value, or a number near it.

    A generalized category does not count; for an interval, the midpoint is the guess.
    """
    column, domain = tables.columns[place], tables.domains[place]
    same: NDArray[np.bool_] = column.cover.holds(guesses, truths) & (column.cover.size[guesses] == 1)
    if domain.kind != "number" or domain.present <= FEW or column.known is None or column.released is None:
        return same
    guess, truth = column.released.middle[guesses], column.known.middle[truths]
    near = np.abs(guess - truth) <= plan.tolerance * np.abs(truth)
    return np.logical_or(same, near)
