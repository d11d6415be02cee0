"""What to measure in a comparison of a released table with its source, and the limits on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from reidrisk.core.reading import NAMES as READING_NAMES
from reidrisk.core.reading import read_reading
from reidrisk.core.schema import listed
from reidrisk.core.settings import Setting, check_settings, record_settings
from reidrisk.core.spec import Spec, number
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, hierarchies_from, read_hierarchies
from reidrisk.tables.settings import HIERARCHIES
from reidrisk.tables.utility.settings import (
    COEFFICIENT_LEVEL,
    COMPARED,
    FOLDS,
    INTERACTIONS,
    LIMIT_NAMES,
    LIMITS,
    MODELS,
    PLAIN_SETTINGS,
    PROPENSITY,
    QUERIES,
    RECORDED,
    ROWS,
    SECONDS,
    SHOW_GROUPS,
    SMALLEST_GROUP,
    UTILITY_SETTINGS,
)

_FORMULA = re.compile(r"\s*([^~]+?)\s*~\s*([^~]+?)\s*")


@dataclass(frozen=True, slots=True)
class UtilityModel:
    """A regression: a target and its features."""

    target: str
    features: tuple[str, ...]

    def __post_init__(self) -> None:
        if isinstance(self.features, str):
            raise InvalidSetting(
                "A model takes several features, not one text.", hint='Write features=["age", "sex"].'
            )
        object.__setattr__(self, "features", tuple(self.features))
        names = (self.target, *self.features)
        if not self.features or len(set(names)) < len(names) or not all(names):
            raise InvalidSetting(
                "A model has a target and features, each column once.",
                hint="Write for example: cost ~ age, sex, region.",
            )

    @classmethod
    def of(cls, text: str) -> UtilityModel:
        """Build from a text such as `cost ~ age, sex`.

        >>> UtilityModel.of("cost ~ age, sex").features
        ('age', 'sex')
        """
        match = _FORMULA.fullmatch(text)
        if not match:
            raise InvalidSetting(
                "A model is written TARGET ~ FEATURE, FEATURE.",
                hint="Write for example: cost ~ age, sex, region.",
            )
        return cls(match[1], tuple(name.strip() for name in match[2].split(",")))

    def __str__(self) -> str:
        return f"{self.target} ~ {', '.join(self.features)}"


@dataclass(frozen=True, slots=True)
class UtilityPlan:
    """What to compare, which queries to run and models to fit, and the limits on the loss."""

    columns: tuple[str, ...] | None = None
    """Columns to compare alone, in pairs and by the propensity score; None for all common columns."""
    queries: Mapping[str, str] = field(default_factory=dict)
    """SQL on the table `data`, by a name that you choose."""
    models: Sequence[UtilityModel | str] = ()
    """Models, or texts: TARGET ~ FEATURE, FEATURE."""
    interactions: tuple[tuple[str, str], ...] = ()
    """Pairs of columns whose products are added to the propensity model."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """The largest acceptable losses; without limits, nothing is decided."""
    propensity: bool = PROPENSITY.default
    rows: int = ROWS.default
    """Largest number of rows per table for associations, propensity scores and models."""
    seconds: float = SECONDS.default
    """Time limit for each query."""
    folds: int = FOLDS.default
    """Number of folds in cross-validation."""
    level: float = COEFFICIENT_LEVEL.default
    """Confidence level of the intervals of coefficients."""
    cell_size: int = SMALLEST_GROUP.default
    """Groups with fewer records are never shown."""
    show_groups: bool = SHOW_GROUPS.default
    """Whether to show the groups of queries that differ most, if they are large enough."""

    @classmethod
    def of(
        cls, given: UtilityPlan | Iterable[str] | None, *, columns: Iterable[str] | None = None
    ) -> UtilityPlan:
        """Build from what a function was given: a plan, the columns to compare, or nothing."""
        if given is not None and columns is not None:
            raise InvalidSetting("The columns are given twice.", hint="Give a plan or columns=, not both.")
        if isinstance(given, UtilityPlan):
            return given
        chosen = columns if given is None else given
        return cls() if chosen is None else cls(columns=listed(chosen, "columns"))

    def __post_init__(self) -> None:
        for name in ("queries", "limits"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if self.columns is not None:
            object.__setattr__(self, "columns", _names(self.columns))
        object.__setattr__(self, "models", tuple(_model(one) for one in self.models))
        object.__setattr__(self, "interactions", tuple(_pair(one) for one in self.interactions))
        if not all(name.strip() for name in self.queries):
            raise InvalidSetting("A query has no name.", hint="Write for example cost=SELECT ….")
        for name, limit in self.limits.items():
            if name not in LIMIT_NAMES:
                raise InvalidSetting.among("A limit of utility", name, LIMIT_NAMES)
            if not 0 <= limit < float("inf"):
                raise InvalidSetting(f"The limit {name} is not 0 or more.", hint="Write for example 0.1.")
        if "propensity" in self.limits:
            object.__setattr__(self, "propensity", True)
        check_settings(PLAIN_SETTINGS, self)

    @property
    def named(self) -> tuple[str, ...]:
        """Columns of models and interactions."""
        of_models = (name for model in self.regressions for name in (model.target, *model.features))
        return tuple(dict.fromkeys((*of_models, *(name for pair in self.interactions for name in pair))))

    @property
    def regressions(self) -> tuple[UtilityModel, ...]:
        """The models as objects."""
        return tuple(_model(one) for one in self.models)

    def settings(self) -> dict[str, Any]:
        """Return the settings as JSON types."""
        return {
            **record_settings(RECORDED, self),
            MODELS.name: [str(model) for model in self.models],
            INTERACTIONS.name: [" * ".join(pair) for pair in self.interactions],
        }


def _names(given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, str) or not given or len(set(given)) < len(given):
        raise InvalidSetting(
            "Columns must be a list of distinct names.", hint='Write columns=["age", "sex"], or leave it out.'
        )
    return tuple(given)


def _model(given: UtilityModel | str) -> UtilityModel:
    return UtilityModel.of(given) if isinstance(given, str) else given


def _pair(given: Sequence[str]) -> tuple[str, str]:
    if isinstance(given, str) or len(given) != 2 or given[0] == given[1]:
        raise InvalidSetting("An interaction is a pair of columns.", hint='Write [["age", "sex"]].')
    return given[0], given[1]


KEYS = tuple(one.name for one in UTILITY_SETTINGS)


@dataclass(frozen=True, slots=True)
class UtilityConfig:
    """The settings in the file; settings that it does not have are absent."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """Settings by the names of the plan."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    """How the original is read, by setting."""


def read_utility_config(path: str | Path) -> UtilityConfig:
    """Read a file; every error names the place in it."""
    file = Path(path)
    spec = _spec(read_yaml(file), path_text(file))
    spec.allow((*KEYS, HIERARCHIES.name, *READING_NAMES))
    own = Spec(spec.place, {name: value for name, value in spec.content.items() if name in KEYS})
    return UtilityConfig(_values(own), _hierarchies(spec, file.parent), read_reading(spec))


def utility_plan(content: Any, *, place: str, **defaults: Any) -> UtilityPlan:
    """Build the plan from a mapping of settings."""
    return UtilityPlan(**{**defaults, **_values(_spec(content, place))})


def _spec(content: Any, place: str) -> Spec:
    if not isinstance(content, Mapping):
        raise InvalidSetting(
            f"{place} is not a mapping of settings.", hint=f"Known settings: {', '.join(KEYS)}."
        )
    return Spec.of(content, place=place)


def _values(spec: Spec) -> dict[str, Any]:
    spec.allow(KEYS)
    found: dict[str, Any] = {}
    for one in UTILITY_SETTINGS:
        if spec.content.get(one.name) is not None:
            found[one.name] = _value(spec, one)
    return found


def _value(spec: Spec, setting: Setting) -> Any:
    own = OWN_READERS.get(setting.name)
    if own is None:
        return setting.read(spec.content[setting.name], spec.at(setting.name))
    return own(spec, setting.name)


def _queries(spec: Spec, key: str) -> dict[str, str]:
    given = spec.content[key]
    if not isinstance(given, Mapping) or not all(isinstance(sql, str) for sql in given.values()):
        raise InvalidSetting(
            f"{spec.at(key)} is not a mapping of names to SQL.",
            hint="Write mean_cost: SELECT sex, avg(cost) FROM data GROUP BY sex.",
        )
    return {str(name): sql for name, sql in given.items()}


def _models(spec: Spec, key: str) -> tuple[UtilityModel, ...]:
    hint = "Write a list such as [cost ~ age, sex], or of target: cost and features: [age, sex]."
    found = []
    for at, entry in spec.items(key, hint=hint):
        if isinstance(entry, str):
            found.append(UtilityModel.of(entry))
            continue
        one = Spec.of(entry, place=at)
        one.allow(("target", "features"))
        features = [str(name) for _, name in one.items("features", hint=hint)]
        found.append(UtilityModel(str(one.need("target", hint=hint)), tuple(features)))
    return tuple(found)


def _limits(spec: Spec, key: str) -> dict[str, float]:
    given = spec.content[key]
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"{spec.at(key)} is not a mapping of limits.", hint="Write {query: 0.1}.")
    return {str(name): number(value, f"{spec.at(key)}.{name}") for name, value in given.items()}


def _interactions(spec: Spec, key: str) -> tuple[tuple[str, ...], ...]:
    hint = "Write a list of pairs, such as [[age, sex]]."
    rows = spec.items(key, hint=hint)
    if any(not isinstance(entry, list) for _, entry in rows):
        raise InvalidSetting(f"{spec.at(key)} is not a list of pairs.", hint=hint)
    return tuple(tuple(str(name) for name in entry) for _, entry in rows)


def _columns(spec: Spec, key: str) -> tuple[str, ...]:
    return tuple(str(name) for _, name in spec.items(key, hint="Write [age, sex]."))


def _hierarchies(spec: Spec, folder: Path) -> Mapping[str, Hierarchy]:
    given = spec.content.get(HIERARCHIES.name)
    if given is None:
        return {}
    if isinstance(given, str):
        return read_hierarchies(folder / given)
    return hierarchies_from(given, folder=folder, place=f"{spec.place}: hierarchies.")


OWN_READERS: dict[str, Callable[[Spec, str], Any]] = {
    COMPARED.name: _columns,
    QUERIES.name: _queries,
    MODELS.name: _models,
    INTERACTIONS.name: _interactions,
    LIMITS.name: _limits,
}
"""Readers of settings that are not of a plain type."""
