"""What users want to know, as a YAML file says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.spec import Spec, number, whole
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.read import hierarchies_from, read_hierarchies
from reidrisk.tables.utility.plan import UtilityModel, UtilityPlan

WHOLE, REAL, FLAGS = ("rows", "folds", "cell_size"), ("seconds", "level"), ("propensity", "show_groups")
KEYS = ("columns", "queries", "models", "interactions", "limits", *WHOLE, *REAL, *FLAGS)


@dataclass(frozen=True, slots=True)
class UtilityConfig:
    """What the file says; what it does not say is absent."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """By the names of the plan."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)


def read_utility_config(path: str | Path) -> UtilityConfig:
    """Read a file; every complaint names the place in it."""
    file = Path(path)
    spec = _spec(read_yaml(file), path_text(file))
    spec.allow((*KEYS, "hierarchies"))
    own = Spec(spec.place, {name: value for name, value in spec.content.items() if name != "hierarchies"})
    return UtilityConfig(_values(own), _hierarchies(spec, file.parent))


def utility_plan(content: Any, *, place: str, **defaults: Any) -> UtilityPlan:
    """The plan that a mapping of settings means."""
    return UtilityPlan(**{**defaults, **_values(_spec(content, place))})


def _spec(content: Any, place: str) -> Spec:
    if not isinstance(content, Mapping):
        raise InvalidSetting(f"{place} is no mapping of settings.", hint=f"Known are: {', '.join(KEYS)}.")
    return Spec.of(content, place=place)


def _values(spec: Spec) -> dict[str, Any]:
    spec.allow(KEYS)
    found: dict[str, Any] = {}
    for key, read in READERS.items():
        if spec.content.get(key) is not None:
            found[key] = read(spec, key)
    return found


def _queries(spec: Spec, key: str) -> dict[str, str]:
    given = spec.content[key]
    if not isinstance(given, Mapping) or not all(isinstance(sql, str) for sql in given.values()):
        raise InvalidSetting(
            f"{spec.at(key)} is no mapping of names to SQL.",
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
        raise InvalidSetting(f"{spec.at(key)} is no mapping of limits.", hint="Write {query: 0.1}.")
    return {str(name): number(value, f"{spec.at(key)}.{name}") for name, value in given.items()}


def _interactions(spec: Spec, key: str) -> tuple[tuple[str, ...], ...]:
    hint = "Write a list of pairs, such as [[age, sex]]."
    rows = spec.items(key, hint=hint)
    if any(not isinstance(entry, list) for _, entry in rows):
        raise InvalidSetting(f"{spec.at(key)} is no list of pairs.", hint=hint)
    return tuple(tuple(str(name) for name in entry) for _, entry in rows)


def _columns(spec: Spec, key: str) -> tuple[str, ...]:
    return tuple(str(name) for _, name in spec.items(key, hint="Write [age, sex]."))


def _hierarchies(spec: Spec, folder: Path) -> Mapping[str, Hierarchy]:
    given = spec.content.get("hierarchies")
    if given is None:
        return {}
    if isinstance(given, str):
        return read_hierarchies(folder / given)
    return hierarchies_from(given, folder=folder, place=f"{spec.place}: hierarchies.")


def _whole(spec: Spec, key: str) -> int:
    return whole(spec.content[key], spec.at(key))


def _real(spec: Spec, key: str) -> float:
    return number(spec.content[key], spec.at(key))


def _flag(spec: Spec, key: str) -> bool:
    return spec.flag(key, default=True)


READERS: dict[str, Callable[[Spec, str], Any]] = {
    "columns": _columns,
    "queries": _queries,
    "models": _models,
    "interactions": _interactions,
    "limits": _limits,
    **dict.fromkeys(WHOLE, _whole),
    **dict.fromkeys(REAL, _real),
    **dict.fromkeys(FLAGS, _flag),
}
