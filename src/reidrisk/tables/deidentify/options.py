"""The options of a de-identification: what may be done to a table, and within which limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from reidrisk.core.cells import CellCleaner
from reidrisk.core.schema import TREATMENTS, Derived, Treatment
from reidrisk.core.settings import check_settings, record_settings
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.stats.lattice.losses import Loss
from reidrisk.tables.deidentify.settings import (
    AGGREGATE,
    AVERAGE,
    LOSS,
    MAX_CELL_SUPPRESSION,
    MAX_EVENT_SUPPRESSION,
    METHOD,
    OPTION_SETTINGS,
    ORDER,
    READING,
    SUPPRESS,
    Aggregate,
    Method,
    Reading,
    RowOrder,
    Suppress,
)
from reidrisk.tables.events import EventKnowledge
from reidrisk.tables.transform.plan import PlanStep, needs_key, plan_steps
from reidrisk.tables.utility.plan import UtilityPlan


@dataclass(frozen=True, slots=True)
class Layout:
    """One choice of variables to release."""

    name: str
    quasi: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "quasi", tuple(self.quasi))
        if not self.quasi or len(set(self.quasi)) < len(self.quasi):
            raise InvalidSetting(
                f"The layout {self.name!r} has no quasi-identifier, or the same one twice.",
                hint="List each variable of the layout once.",
            )


@dataclass(frozen=True, slots=True)
class NamedSolution:
    """A proposed record layout: a level for each variable that it releases."""

    name: str
    levels: Mapping[str, str | int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", MappingProxyType(dict(self.levels)))
        if not self.levels:
            raise InvalidSetting(f"The solution {self.name!r} has no levels.", hint="Give one per variable.")


@dataclass(frozen=True, slots=True)
class Permission:
    """Whether a threshold may be used, and what it requires of the recipient."""

    allowed: bool
    requires: str | None = None


Gate = Callable[[Threshold, int], Permission]
"""Called with each threshold and its place in the ladder."""


def on_condition(threshold: Threshold, place: int) -> Permission:
    """Allow every threshold; all but the baseline require controls, which are stated but not checked."""
    if place == 0:
        return Permission(allowed=True)
    return Permission(
        allowed=True,
        requires=(
            f"security and privacy practices of the recipient that justify a threshold of 1/"
            f"{threshold.cell_size}: not checked here"
        ),
    )


@dataclass(frozen=True, slots=True)
class DeidentifyOptions:
    """How to de-identify a table; every option has a default."""

    method: Method = METHOD.default
    aggregate: Aggregate = AGGREGATE.default
    """What microaggregation releases for the numbers of a group."""
    suppress: Suppress = SUPPRESS.default
    reading: Reading = READING.default
    loss: Loss = LOSS.default
    weights: Mapping[str, float] = field(default_factory=dict)
    """How much a loss in each variable counts; 1 by default."""
    max_cell_suppression: float | None = MAX_CELL_SUPPRESSION.default
    """The largest share of records whose value of one variable may be suppressed."""
    max_level: Mapping[str, str | int] = field(default_factory=dict)
    """Maximum acceptable generalization, by name or number of the level; replaces that of the hierarchy."""
    ladder: tuple[Threshold, ...] = ()
    """Thresholds to try in turn if the baseline has no solution, each with a higher accepted risk."""
    gate: Gate = on_condition
    average: float | None = AVERAGE.default
    """A limit on the strict average risk: the mean of 1 / class size is at most this."""
    treatments: Mapping[str, Treatment] = field(default_factory=dict)
    """For direct identifiers and the unit; direct identifiers without one are dropped."""
    key: bytes | None = field(default=None, repr=False)
    """The key for pseudonyms."""
    derived: tuple[Derived, ...] = ()
    layouts: tuple[Layout, ...] = ()
    """Alternatives in order of preference; by default the schema's quasi-identifiers."""
    solutions: tuple[NamedSolution, ...] = ()
    """Proposals to compare with the solution."""
    secrets: SensitiveLimits | None = None
    """The former name of `sensitive_limits`; both always have the same value."""
    steps: tuple[PlanStep, ...] = ()
    """Transformations before the search, as objects or as mappings from a file."""
    is_overruled: bool = False
    """Whether cell suppression was requested but limits on sensitive columns require whole records."""
    utility: UtilityPlan | None = None
    """What to measure about the utility of the release, after the search."""
    order: RowOrder = ORDER.default
    """`auto` keeps the order of rows unless it reveals generalized values; `keep` and `content` force it."""
    events: EventKnowledge | None = None
    """What an adversary knows about each person's events, in a table with several rows per person."""
    max_event_suppression: float = MAX_EVENT_SUPPRESSION.default
    """The largest share of rows with an event that may be suppressed."""
    clean: CellCleaner | None = field(default=None, repr=False, compare=False)
    """Replaces identifiers in columns of free text whose treatment is `deidentify`."""
    confirmed: bool = True
    """Whether a person confirmed the roles of the columns."""
    sensitive_limits: SensitiveLimits | None = None
    """What classes may reveal about the schema's sensitive columns; if set, whole records are suppressed."""

    def __post_init__(self) -> None:
        for name in ("weights", "max_level", "treatments"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "steps", plan_steps(self.steps))
        needs_key(self.steps, self.key)
        self._unite_limits()
        if self.sensitive_limits is not None and self.sensitive_limits.asks:
            object.__setattr__(self, "is_overruled", self.is_overruled or self.suppress == "cells")
            object.__setattr__(self, "suppress", "records")
        check_settings(OPTION_SETTINGS, self)
        for column, treatment in self.treatments.items():
            if treatment not in TREATMENTS:
                raise InvalidSetting.among(f"The treatment of {column!r}", str(treatment), TREATMENTS)
        if "pseudonym" in self.treatments.values() and not self.key:
            raise InvalidSetting(
                "A pseudonym needs a key.", hint="Make one with: reidrisk table key FILE; name it with --key."
            )
        _check_numbers(self)
        if self.method != "global":
            _check_by_tuple(self)
        names = [layout.name for layout in self.layouts]
        if len(set(names)) < len(names):
            raise InvalidSetting("Two layouts have the same name.", hint="Name each differently.")

    def _unite_limits(self) -> None:
        """Give `sensitive_limits` and its former name `secrets` the same value."""
        limits = self.sensitive_limits or self.secrets
        if self.secrets is not None and self.secrets != limits:
            raise InvalidSetting(
                "sensitive_limits and its former name, secrets, have different values.",
                hint="Give only sensitive_limits.",
            )
        object.__setattr__(self, "sensitive_limits", limits)
        object.__setattr__(self, "secrets", limits)

    def settings(self) -> dict[str, Any]:
        """Return the settings that reproduce a result, as JSON types; the key is not included."""
        stated = record_settings(OPTION_SETTINGS, self)
        event_limit = stated.pop(MAX_EVENT_SUPPRESSION.name)
        return {
            **stated,
            "aggregate": self.aggregate if self.method == "microaggregate" else None,
            "loss": self.loss if self.method == "global" else BY_TUPLE_LOSS,
            "max_level": {column: str(level) for column, level in self.max_level.items()},
            "treatments": dict(self.treatments),
            "derived": [f"{one.name}: {one.unit} from {one.start} to {one.end}" for one in self.derived],
            "layouts": {layout.name: list(layout.quasi) for layout in self.layouts},
            "secrets": self._limits(),
            "steps": [one.settings() for one in self.steps],
            "events": None if self.events is None else self.events.settings(),
            MAX_EVENT_SUPPRESSION.name: None if self.events is None else event_limit,
        }

    def _limits(self) -> dict[str, Any] | None:
        """Return the limits on sensitive columns that are set, and how they are measured."""
        limits = self.sensitive_limits
        if limits is None or not limits.asks:
            return None
        return {name: value for name, value in limits.to_dict().items() if value is not None}


BY_TUPLE_LOSS: Loss = "loss_am"
"""The loss that all other methods minimize."""


def _check_numbers(options: DeidentifyOptions) -> None:
    for column, weight in options.weights.items():
        if not 0 < weight < float("inf"):
            raise InvalidSetting(
                f"The weight of {column!r} is not a number greater than 0.",
                hint="Give a small weight to a variable whose detail matters less.",
            )
    if options.events is not None and options.reading == "wildcard":
        raise InvalidSetting(
            "Known events require that a suppressed cell counts as a separate value.",
            hint="Leave out the wildcard reading.",
        )
    sizes = [threshold.cell_size for threshold in options.ladder]
    if sizes != sorted(set(sizes), reverse=True):
        raise InvalidSetting(
            "A ladder must go from the strictest threshold down.", hint="For example cell sizes 5, then 3."
        )
    limits = options.sensitive_limits
    if limits is not None and limits.asks and options.reading == "wildcard":
        raise InvalidSetting(
            "Limits on sensitive columns require that a suppressed cell counts as a separate value.",
            hint="Leave out the wildcard reading.",
        )
    if options.suppress == "records" and options.max_cell_suppression is not None:
        raise InvalidSetting(
            "A limit per variable applies only to the suppression of cells.",
            hint="For whole records, limit the share of records.",
        )


def _check_by_tuple(options: DeidentifyOptions) -> None:
    """Refuse options that only the method global supports."""
    if options.sensitive_limits is not None and options.sensitive_limits.asks:
        raise InvalidSetting(
            f"The method {options.method!r} does not support limits on sensitive columns.",
            hint="Use the method global, or leave out the limits and measure with reidrisk table risk.",
        )
    if options.reading != "value":
        raise InvalidSetting(
            f"The method {options.method!r} always counts a suppressed cell as a separate value.",
            hint="Leave out the reading, or use the method global.",
        )
    if options.loss not in {BY_TUPLE_LOSS, "loss_gm"}:
        raise InvalidSetting(
            f"The method {options.method!r} minimizes the loss of granularity, not {options.loss}.",
            hint="Leave out the loss, or use the method global.",
        )
