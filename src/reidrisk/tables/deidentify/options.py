"""What may be done to a table, and what may not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from reidrisk.core.derived import Derived
from reidrisk.core.threshold import Threshold
from reidrisk.core.treatment import TREATMENTS, Treatment
from reidrisk.errors import InvalidSetting
from reidrisk.stats.disclosure.limits import SecretLimits
from reidrisk.stats.lattice.inputs import LOSSES, Loss
from reidrisk.tables.events import EventKnowledge
from reidrisk.tables.transform.plan import Planned, needs_key, planned
from reidrisk.tables.utility.plan import UtilityPlan

Method = Literal["global", "local", "mondrian", "microaggregate"]
"""One level for each variable, as much as each record needs, cuts of the table, or means of groups."""
Aggregate = Literal["mean", "median"]
Suppress = Literal["cells", "records"]
RowOrder = Literal["auto", "keep", "content"]
Reading = Literal["value", "wildcard"]
"""A suppressed cell is a value of its own, or matches every value."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One choice of the variables that could be released."""

    name: str
    quasi: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "quasi", tuple(self.quasi))
        if not self.quasi or len(set(self.quasi)) < len(self.quasi):
            raise InvalidSetting(
                f"The layout {self.name!r} names no quasi-identifier, or one twice.",
                hint="List each variable of the layout once.",
            )


@dataclass(frozen=True, slots=True)
class NamedSolution:
    """A record layout that somebody proposes: a level for each variable that it releases."""

    name: str
    levels: Mapping[str, str | int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", MappingProxyType(dict(self.levels)))
        if not self.levels:
            raise InvalidSetting(f"The solution {self.name!r} has no levels.", hint="Give one a variable.")


@dataclass(frozen=True, slots=True)
class Permission:
    """Whether a threshold may be used, and what that requires of the recipient."""

    allowed: bool
    requires: str | None = None


Gate = Callable[[Threshold, int], Permission]
"""Asked with each threshold and its place in the ladder."""


def on_condition(threshold: Threshold, place: int) -> Permission:
    """The baseline needs nothing; every higher threshold needs controls, which are named, not checked."""
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
    """How a table is de-identified; every value has a usual default."""

    method: Method = "global"
    aggregate: Aggregate = "mean"
    """What microaggregation makes of the numbers of a group."""
    suppress: Suppress = "cells"
    reading: Reading = "value"
    loss: Loss = "loss_gm"
    weights: Mapping[str, float] = field(default_factory=dict)
    """What a loss in a variable counts; 1 where nothing is said."""
    max_cell_suppression: float | None = None
    """The largest share of records that may lose their value of one variable."""
    max_level: Mapping[str, str | int] = field(default_factory=dict)
    """Maximum acceptable generalization, by name or number of the level; in place of the hierarchy's."""
    ladder: tuple[Threshold, ...] = ()
    """Thresholds to try in turn if the baseline has no solution: each accepts more risk than the last."""
    gate: Gate = on_condition
    average: float | None = None
    """A strict average risk instead of a cell size: the mean of 1 / class size is at most this."""
    treatments: Mapping[str, Treatment] = field(default_factory=dict)
    """For direct identifiers and the unit; direct identifiers without one are dropped."""
    key: bytes | None = field(default=None, repr=False)
    """The secret of the pseudonyms."""
    derived: tuple[Derived, ...] = ()
    layouts: tuple[Layout, ...] = ()
    """Alternatives in order of preference; without any, the schema's quasi-identifiers."""
    solutions: tuple[NamedSolution, ...] = ()
    """Proposals to be shown beside the answer."""
    secrets: SecretLimits | None = None
    """What classes may tell of the schema's sensitive columns; whole records are suppressed then."""
    steps: tuple[Planned, ...] = ()
    """Transformations before the search; may be given as objects or as mappings of a file."""
    is_overruled: bool = False
    """Whether cells were to be suppressed, which limits on secrets make whole records of."""
    utility: UtilityPlan | None = None
    """What users of the release want to know of it, measured after the search."""
    order: RowOrder = "auto"
    """Rows keep their order unless it tells what the values no longer do; `keep` and `content` insist."""
    events: EventKnowledge | None = None
    """What an adversary knows of the events of each person, in a table of many rows a person."""
    max_event_suppression: float = 0.05
    """The largest share of rows with an event that may be left out."""

    def __post_init__(self) -> None:
        for name in ("weights", "max_level", "treatments"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "steps", planned(self.steps))
        needs_key(self.steps, self.key)
        if self.secrets is not None and self.secrets.asks:
            object.__setattr__(self, "is_overruled", self.is_overruled or self.suppress == "cells")
            object.__setattr__(self, "suppress", "records")
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise InvalidSetting.among(f"The setting {name}", str(getattr(self, name)), known)
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

    def said(self) -> dict[str, Any]:
        """The settings that reproduce a result, as JSON types; the key is not among them."""
        return {
            "method": self.method,
            "aggregate": self.aggregate if self.method == "microaggregate" else None,
            "suppress": self.suppress,
            "reading": self.reading,
            "order": self.order,
            "loss": self.loss if self.method == "global" else BY_TUPLE_LOSS,
            "weights": dict(self.weights),
            "max_cell_suppression": self.max_cell_suppression,
            "max_level": {column: str(level) for column, level in self.max_level.items()},
            "average": self.average,
            "treatments": dict(self.treatments),
            "derived": [f"{one.name}: {one.unit} from {one.start} to {one.end}" for one in self.derived],
            "layouts": {layout.name: list(layout.quasi) for layout in self.layouts},
            "secrets": self._secrets(),
            "steps": [one.said() for one in self.steps],
            "events": None if self.events is None else self.events.said(),
            "max_event_suppression": None if self.events is None else self.max_event_suppression,
        }

    def _secrets(self) -> dict[str, Any] | None:
        """The limits that are asked, with the forms that they are asked in."""
        if self.secrets is None or not self.secrets.asks:
            return None
        return {name: value for name, value in self.secrets.to_dict().items() if value is not None}


BY_TUPLE_LOSS: Loss = "loss_am"
"""What the other methods keep small, whatever their way."""
CHOICES: dict[str, tuple[str, ...]] = {
    "method": get_args(Method),
    "aggregate": get_args(Aggregate),
    "suppress": get_args(Suppress),
    "reading": get_args(Reading),
    "order": get_args(RowOrder),
    "loss": LOSSES,
}


def _check_numbers(options: DeidentifyOptions) -> None:
    for column, weight in options.weights.items():
        if not 0 < weight < float("inf"):
            raise InvalidSetting(
                f"The weight of {column!r} is not a number greater than 0.",
                hint="A variable that may be lost is given a small weight.",
            )
    for share in (options.max_cell_suppression, options.max_event_suppression):
        if share is not None and not 0 <= share <= 1:
            raise InvalidSetting(f"A limit is a share in [0, 1], not {share}.", hint="Write 15 % as 0.15.")
    if options.events is not None and options.reading == "wildcard":
        raise InvalidSetting(
            "Known events take a suppressed cell as a value of its own.", hint="Leave out the wildcard."
        )
    if options.average is not None and not 0 < options.average <= 1:
        raise InvalidSetting(
            f"An average risk is a probability in (0, 1], not {options.average}.", hint="For example 0.1."
        )
    sizes = [threshold.cell_size for threshold in options.ladder]
    if sizes != sorted(set(sizes), reverse=True):
        raise InvalidSetting(
            "A ladder goes from the strictest threshold down.", hint="For example cell sizes 5, then 3."
        )
    if options.secrets is not None and options.secrets.asks and options.reading == "wildcard":
        raise InvalidSetting(
            "Limits on secrets take a suppressed cell as a value of its own.", hint="Leave out the wildcard."
        )
    if options.suppress == "records" and options.max_cell_suppression is not None:
        raise InvalidSetting(
            "A limit per variable is for the suppression of cells.",
            hint="Whole records lose every variable: limit their share.",
        )


def _check_by_tuple(options: DeidentifyOptions) -> None:
    """What only the search of one level for each variable knows."""
    if options.secrets is not None and options.secrets.asks:
        raise InvalidSetting(
            f"The method {options.method!r} knows no limits on what classes tell of secrets.",
            hint="Use the method global, or leave out the limits and measure with reidrisk table risk.",
        )
    if options.reading != "value":
        raise InvalidSetting(
            f"The method {options.method!r} reads a suppressed cell as a value of its own.",
            hint="Leave out the reading, or use the method global.",
        )
    if options.loss not in {BY_TUPLE_LOSS, "loss_gm"}:
        raise InvalidSetting(
            f"The method {options.method!r} keeps the lost granularity small, not {options.loss}.",
            hint="Leave out the loss, or use the method global.",
        )
