"""What attacks on a release of linked tables achieved, beside what was predicted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import percent, plural
from reidrisk.relational.risk import RelationalRisk
from reidrisk.stats.mean_limit import clopper_pearson

LEVEL = 0.975
"""Of each limit: both together make an interval of 95 %."""
SURE = 0.999
"""Of the lower limit that must be above the prediction to refuse it: several numbers of events are tried."""


@dataclass(frozen=True, slots=True)
class TriedGuesses:
    """How often guesses were right."""

    right: int
    tried: int

    @property
    def limits(self) -> tuple[float, float]:
        """The Clopper–Pearson interval of 95 %."""
        return clopper_pearson(self.right, self.tried, LEVEL)

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        low, high = self.limits
        return {
            "right": self.right,
            "tried": self.tried,
            "success": self.right / self.tried,
            "low": low,
            "high": high,
        }


@dataclass(frozen=True, slots=True)
class JoinLinkage:
    """Linkage by a number of known events: what was predicted, and how often it succeeded."""

    known: int
    composition: Mapping[str, int]
    """How many of the known events come from each table: the spread that tells most on average."""
    guesses: TriedGuesses
    nobody: int
    """Targets for whom nobody in the release fits."""
    predicted: float
    predicted_limits: tuple[float, float]

    @property
    def agrees(self) -> bool:
        """Whether the prediction is compatible with the success."""
        low, high = self.guesses.limits
        return self.predicted_limits[0] <= high and low <= self.predicted_limits[1]

    @property
    def exceeds(self) -> bool:
        """Whether the attack succeeds more often than predicted."""
        least, _ = clopper_pearson(self.guesses.right, self.guesses.tried, SURE)
        return least > self.predicted_limits[1]

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "known": self.known,
            "from": dict(self.composition),
            **self.guesses.to_dict(),
            "nobody": self.nobody,
            "predicted": self.predicted,
            "predicted_low": self.predicted_limits[0],
            "predicted_high": self.predicted_limits[1],
            "agrees": self.agrees,
        }


@dataclass(frozen=True, slots=True)
class OffsetGuess:
    """How often the offset of a person was guessed, and how often chance guesses it."""

    clue: str
    aim: str
    guesses: TriedGuesses
    chance: float
    known: int = 0
    """True dates of the person that the adversary knows, with the quasi-identifiers."""

    @property
    def succeeds(self) -> bool:
        """Whether the clue is better than chance."""
        return self.guesses.limits[0] > self.chance

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "clue": self.clue,
            "aim": self.aim,
            "known": self.known,
            **self.guesses.to_dict(),
            "chance": self.chance,
            "succeeds": self.succeeds,
        }


@dataclass(frozen=True, slots=True)
class SharedIds:
    """Released ids of a column that are also original ids, and whether they mean the same person."""

    column: str
    ids: int
    equal: int
    same_person: int
    chance: float
    """Share of equal ids that mean the same person by chance."""

    @property
    def leaks(self) -> bool:
        """Whether an equal id tells more than chance who it is."""
        return self.equal > 0 and clopper_pearson(self.same_person, self.equal, LEVEL)[0] > self.chance


@dataclass(frozen=True, slots=True)
class SharedOrder:
    """Whether people come in the same order in two tables."""

    one: str
    other: str
    people: int
    correlation: float
    """Of the ranks; 0 if the orders have nothing in common."""
    limit: float

    @property
    def leaks(self) -> bool:
        """Whether the orders have more in common than chance explains."""
        return abs(self.correlation) > self.limit


@dataclass(frozen=True)
class RelationalAttack(Result):
    """What attacks on a release achieved, beside what was predicted."""

    place: str
    against: str
    risk: RelationalRisk = field(repr=False)
    """The predicted risk, measured on the released files."""
    threshold: Threshold
    seed: int
    linkage: tuple[JoinLinkage, ...]
    offsets: tuple[OffsetGuess, ...] = ()
    no_offsets: str = ""
    """Why no offset was attacked."""
    ids: tuple[SharedIds, ...] = ()
    orders: tuple[SharedOrder, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Whether nothing succeeded more often than predicted or accepted."""
        return all(reason.holds is not False for reason in self.reasons())

    def reasons(self) -> tuple[Reason, ...]:
        """What was found out."""
        return (
            self._linkage_reason(),
            *self._offset_reasons(),
            self._shared("ids", [one.column for one in self.ids if one.leaks]),
            self._shared("orders", [f"{one.one} and {one.other}" for one in self.orders if one.leaks]),
        )

    def _linkage_reason(self) -> Reason:
        worst = self.linkage[-1]
        low, high = worst.guesses.limits
        verdict = (
            "more often than predicted"
            if worst.exceeds
            else "as predicted"
            if worst.agrees
            else "less often than predicted"
        )
        return Reason(
            f"An adversary who knows the quasi-identifiers and {plural(worst.known, 'event')} of a person "
            f"found the right record in {percent(worst.guesses.right / worst.guesses.tried)} of "
            f"{worst.guesses.tried:,} tries (95 % limits {percent(low)} to {percent(high)}). The predicted "
            f"average risk is {percent(worst.predicted)}: {verdict}.",
            not any(one.exceeds for one in self.linkage),
        )

    def _offset_reasons(self) -> Iterator[Reason]:
        if not self.offsets:
            yield Reason(f"Offsets were not attacked. {self.no_offsets}", None)
            return
        last = next(one for one in reversed(self.offsets) if not one.known)
        share, low = last.guesses.right / last.guesses.tried, last.guesses.limits[0]
        better = "better than chance" if last.succeeds else "no better than chance"
        yield Reason(
            f"From the moved dates alone, the offset of a person was guessed to the day in {percent(share)} "
            f"of {last.guesses.tried:,} tries, {better} ({percent(last.chance)}).",
            low <= self.threshold.probability,
        )

    @staticmethod
    def _shared(what: str, found: Sequence[str]) -> Reason:
        words = {"ids": "Ids that tell who somebody was", "orders": "Orders of rows that agree"}[what]
        return Reason(f"{words}: {', '.join(found) if found else 'none'}.", not found)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; no value of a person."""
        limit = self.threshold
        return {
            "kind": "relational_attack",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {
                "released": self.place,
                "against": self.against,
                "known": self.linkage[-1].known,
                "targets": self.linkage[-1].guesses.tried,
                "know": self.risk.settings["know"],
                "offset": self.risk.settings["offset"],
            },
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(self.reasons()),
            "holds": holds(self.reasons()),
            "warnings": [],
            "threshold": {**asdict(limit), "cell_size": limit.cell_size},
            "people": len(self.risk.exposure.people),
            "highest": 1 / int(self.risk.worst.floor.min()),
            "linkage": [one.to_dict() for one in self.linkage],
            "offsets": [one.to_dict() for one in self.offsets],
            "ids": [{**asdict(one), "leaks": one.leaks} for one in self.ids],
            "orders": [{**asdict(one), "leaks": one.leaks} for one in self.orders],
            "undefined": {} if self.offsets else {"offsets": self.no_offsets},
        }
