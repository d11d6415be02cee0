"""The risk of a table: the figures, the verdict and its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.classes import ClassSizes
from reidrisk.core.inventory import Inventory
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.schema import Schema
from reidrisk.core.settings import record_settings
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural, probability
from reidrisk.engine.protocol import Table
from reidrisk.engine.results import GroupSizes
from reidrisk.stats.class_risk import AttackRisk, risk_curve
from reidrisk.tables.differencing import Differencing
from reidrisk.tables.population_words import WHY
from reidrisk.tables.rare import RareRecords
from reidrisk.tables.sensitive import AttributeDisclosure
from reidrisk.tables.settings import (
    ADVERSARY,
    CAP,
    DIRECT,
    FREE_TEXT,
    JOURNALIST_RULE,
    OTHER,
    QUASI,
    REDUCE,
    SENSITIVE,
    UNIT,
    Adversary,
    JournalistRule,
)

if TYPE_CHECKING:
    from reidrisk.tables.events import Longitudinal
    from reidrisk.tables.population_estimate import PopulationEstimate
    from reidrisk.tables.special import SpecialUniqueCounts

NO_VALUE = "(no value)"


@dataclass(frozen=True, slots=True)
class Subgroup:
    """The records with one value of a column, or with any value that is too rare to show."""

    column: str
    label: str | None
    """None for groups that are smaller than the cell size or not among the fifty largest, taken together."""
    groups: int
    """Number of values included."""
    records: int
    smallest_class: int
    highest: float
    average: float
    share_above_threshold: float
    unique_records: int

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return asdict(self)


def subgroups(
    records: Table, quasi: Sequence[str], by: Sequence[str], *, cell_size: int
) -> tuple[Subgroup, ...]:
    """Measure the groups of each column in `by`, largest first, with the small ones combined at the end."""
    return tuple(
        _subgroup(name, group, cell_size)
        for name in by
        for group in records.rows.subgroup_sizes(quasi, name, cell_size=cell_size)
    )


def _subgroup(column: str, group: GroupSizes, cell_size: int) -> Subgroup:
    label = NO_VALUE if group.label is None else group.label
    sizes, number = group.records, sum(group.records.values())
    smallest = min(sizes)
    below = sum(records for size, records in sizes.items() if size < cell_size)
    return Subgroup(
        column,
        None if group.lumped else label,
        group.groups,
        number,
        smallest,
        1 / smallest,
        fsum(records / size for size, records in sizes.items()) / number,
        below / number,
        sizes.get(1, 0),
    )


@dataclass(frozen=True, slots=True)
class DriverEstimate:
    """How shares were estimated from a sample of whole classes."""

    one_in: int
    """One class in so many was drawn."""
    level: float
    unique_share: tuple[float, float]
    """The interval of the true share."""
    share_above_threshold: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        names = ("unique_share", "share_above_threshold")
        intervals = {name: dict(zip(("low", "high"), getattr(self, name), strict=True)) for name in names}
        return {"from": "a sample of classes", "one_in": self.one_in, "level": self.level, **intervals}


@dataclass(frozen=True, slots=True)
class Driver:
    """Columns, and how identifying they are by themselves."""

    columns: tuple[str, ...]
    unique_share: float
    share_above_threshold: float
    estimated: DriverEstimate | None = None
    """None if the shares were counted."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        shares = {"unique_share": self.unique_share, "share_above_threshold": self.share_above_threshold}
        estimated = {"estimated": self.estimated.to_dict()} if self.estimated else {}
        return {"columns": list(self.columns), **shares, **estimated}


@dataclass(frozen=True)
class TableRisk(Result):
    """Re-identification risk of one table under one threshold."""

    sizes: ClassSizes
    schema: Schema
    threshold: Threshold
    prosecutor: AttackRisk
    journalist: AttackRisk | None
    """None without a population to compare with and without an estimate."""
    expected_matches: float
    """Expected number of correct matches by an adversary who matches every record."""
    without: tuple[Driver, ...]
    """The classes without each column in turn."""
    singling_sets: tuple[Driver, ...]
    """Minimal sets of columns that single out a record."""
    rows: int
    singling_complete: bool = True
    """Whether `singling_sets` has every such set; with many columns the search ends early."""
    rare: RareRecords | None = None
    """Records with a listed rare code, which no class size protects; None without a list."""
    subgroups: tuple[Subgroup, ...] = ()
    inputs: tuple[tuple[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What makes the figures misleading."""
    estimate: PopulationEstimate | None = None
    """The estimated population of the table; None if nothing is known about sampling."""
    adversary: Adversary = ADVERSARY.default
    """Whose risk decides."""
    journalist_rule: JournalistRule = JOURNALIST_RULE.default
    """What decides about the journalist risk: no small class, or the average."""
    disclosure: tuple[AttributeDisclosure, ...] = ()
    """What the classes reveal about sensitive columns; limits on it are part of the verdict."""
    special: SpecialUniqueCounts | None = None
    """Records that a few columns single out; None unless requested."""
    differencing: Differencing | None = None
    """What another release of the same data reveals together with this one; None without one."""
    longitudinal: Longitudinal | None = None
    """People about whom the adversary knows some events; None if the table has no events."""
    inventory: Inventory = field(default_factory=Inventory)
    """Everything that leaves with the table; empty for a table that is only compared."""

    @property
    def acceptable(self) -> bool:
        """Whether everything that leaves is covered, and the risk and all limits are met."""
        return self.inventory.is_complete and self.figures_acceptable

    @property
    def figures_acceptable(self) -> bool:
        """Whether the most exposed record is at or below the threshold, and all limits are met.

        The limits are those on sensitive columns, and the cell size for differences between two releases
        and for people who fit known events. No record may have a code that is listed as rare and visible.
        """
        apart = self.differencing is None or self.differencing.acceptable
        known = self.longitudinal is None or self.longitudinal.acceptable
        plain = self.rare is None or self.rare.acceptable
        told = all(one.acceptable for one in self.disclosure)
        return self.identity_acceptable and apart and known and plain and told

    @property
    def secrets(self) -> tuple[AttributeDisclosure, ...]:
        """The former name of `disclosure`."""
        return self.disclosure

    @property
    def identity_acceptable(self) -> bool:
        """Whether the most exposed record is at or below the threshold, or the average if it decides.

        If the population is estimated, the limits decide, not the estimates.
        """
        if self.adversary != "journalist":
            return self.sizes.smallest >= self.threshold.cell_size
        if self.deciding_estimate is not None:
            return self.deciding_estimate.acceptable(self.threshold, self.journalist_rule)
        if self.journalist is None:
            return self.sizes.smallest >= self.threshold.cell_size
        if self.journalist_rule != "maximum":
            within = self.journalist_rule == "average" or self.journalist.highest <= 1 / CAP + 1e-12
            return self.threshold.accepts(self.journalist.average) and within
        return self.threshold.accepts(self.journalist.highest)

    @property
    def deciding_estimate(self) -> PopulationEstimate | None:
        """The estimate that gives the journalist risk; None if the population is known."""
        return None if "population" in dict(self.inputs) else self.estimate

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types."""
        reasons = self._reasons()
        return {
            "kind": "table_risk",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": self._settings(),
            "seed": self.longitudinal.found.knowledge.seed if self.longitudinal else None,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "threshold": {**asdict(self.threshold), "cell_size": self.threshold.cell_size},
            "rows": self.rows,
            "records": self.sizes.records,
            "classes": self.sizes.classes,
            "smallest_class": self.sizes.smallest,
            "adversary": self.adversary,
            "journalist_rule": self.journalist_rule if self.adversary == "journalist" else None,
            "identity_acceptable": self.identity_acceptable,
            "prosecutor": _attack_dict(self.prosecutor),
            "journalist": self._journalist(),
            "marketer": self._marketer(),
            "unique_share": self.sizes.unique_share,
            "risk_curve": self._curve(),
            "class_sizes": [{"size": size, "classes": number} for size, number in self.sizes.counts],
            "without_column": [driver.to_dict() for driver in self.without],
            "singling_out": [driver.to_dict() for driver in self.singling_sets],
            **({} if self.singling_complete else {"singling_out_complete": False}),
            "rare_codes": self.rare.to_dict() if self.rare else None,
            "population_estimate": self.estimate.to_dict() if self.estimate else None,
            "attribute_disclosure": [one.to_dict() for one in self.disclosure],
            "special_uniques": self.special.to_dict() if self.special else None,
            "differencing": self.differencing.to_dict() if self.differencing else None,
            "longitudinal": self.longitudinal.to_dict() if self.longitudinal else None,
            "subgroups": [group.to_dict() for group in self.subgroups],
            **self.inventory.to_dict(),
            "notes": list(self.notes),
            "warnings": list(self.warnings),
        }

    def _settings(self) -> dict[str, Any]:
        return {
            **record_settings((QUASI, UNIT, REDUCE), self.schema),
            "null": "a value of its own",
            **record_settings((SENSITIVE, DIRECT, FREE_TEXT, OTHER), self.schema),
            **dict(self.inputs),
            "read_as": list(self.notes),
        }

    def _curve(self) -> list[dict[str, float]]:
        sizes, number = np.array(self.sizes.counts).T
        return [{"risk": risk, "share_of_records": share} for risk, share in risk_curve(sizes, number)]

    def _journalist(self) -> dict[str, Any]:
        estimate = self.deciding_estimate
        if self.journalist is None:
            return _no_journalist(
                "No population was given to compare the table with." if estimate is None else WHY["none"]
            )
        figures = _attack_dict(self.journalist)
        if estimate is None:
            return figures
        limits = {"highest_limit": 1 / estimate.smallest_limit, "average_limit": estimate.average_limit}
        return figures | limits | {"estimated_by": estimate.chosen}

    def _marketer(self) -> dict[str, Any]:
        figures = {
            "average": self.expected_matches / self.sizes.records,
            "expected_matches": self.expected_matches,
        }
        estimate = self.deciding_estimate
        if estimate is None or estimate.risk is None:
            return figures
        found = estimate.risk.average
        return figures | {"low": found.low, "high": found.high, "level": found.level}

    def _reasons(self) -> list[Reason]:
        """Return the reason for the verdict first, then the other findings."""
        told = self.adversary == "journalist" and self.deciding_estimate is not None
        others = (
            self.rare,
            None if told else self.estimate,
            *self.disclosure,
            self.special,
            self.differencing,
            self.longitudinal,
        )
        first = [Reason(self._sentence(), self.identity_acceptable)]
        if told and self.deciding_estimate is not None and not self.identity_acceptable:
            first.append(self.deciding_estimate.help(self.journalist_rule))
        found = [*first, *(one.reason() for one in others if one is not None)]
        return [*self.inventory.reasons(), *found]

    def _sentence(self) -> str:
        verdict = "acceptable" if self.identity_acceptable else "not acceptable"
        limit = f"the threshold is {probability(self.threshold.probability)} ({self.threshold.reason})"
        if self.adversary == "journalist" and self.deciding_estimate is not None:
            return self.deciding_estimate.sentence(self.threshold, self.journalist_rule)
        if self.adversary == "journalist" and self.journalist is not None:
            return self._journalist_sentence(limit, verdict)
        below = self.sizes.records_below(self.threshold.cell_size)
        smallest = self.sizes.smallest
        class_text = "alone in its class" if smallest == 1 else f"in a class of {smallest:,}"
        risk = probability(self.prosecutor.highest)
        return (
            f"The most exposed record is {class_text}, a risk of {risk}; {limit}. "
            f"{plural(below, 'record')} of {self.sizes.records:,} are in classes "
            f"smaller than {self.threshold.cell_size}: {verdict}."
        )

    def _journalist_sentence(self, limit: str, verdict: str) -> str:
        """The verdict on the risk in a known population."""
        found = self.journalist
        assert found is not None  # noqa: S101 - asked by the caller
        start = "To an adversary who does not know who is in the table,"
        if self.journalist_rule != "maximum":
            cap = f" (at most 1/{CAP})" if self.journalist_rule == "strict_average" else ""
            return (
                f"{start} records have a risk of {probability(found.average)} on average, and the most "
                f"exposed one of {probability(found.highest)}{cap}; {limit}: {verdict}."
            )
        return (
            f"{start} the most exposed record has a risk of {probability(found.highest)}; {limit}: {verdict}."
        )


def _no_journalist(reason: str) -> dict[str, Any]:
    nothing = dict.fromkeys(("highest", "average", "share_above_threshold"))
    return {**nothing, "reason": reason}


def _attack_dict(risk: AttackRisk) -> dict[str, Any]:
    """Return the three figures of one kind of adversary."""
    return {"highest": risk.highest, "average": risk.average, "share_above_threshold": risk.share_above}
