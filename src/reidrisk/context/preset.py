"""Presets: published policies that say which threshold applies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from reidrisk.context.settings import LEVELS, Access, Level, level_of, probability_of, settings_of
from reidrisk.context.sources import read_data_file, source
from reidrisk.core.spec import Spec, whole
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting

Rule = Literal["cell_size", "overall"]
"""`cell_size`: the highest risk of a record; `overall`: a statistic of the records times the context risk."""
RULES: tuple[Rule, ...] = get_args(Rule)
NAMED = ("hospital", "ema", "health_canada", "hipaa", "ipc")
CELL_SIZE = "cell_size_"
_KEYS = ("version", "name", "title", "about", "source", "access", "rules", "ladder", "cap")
_WAYS = ("threshold", "variants", "by_invasion", "proposals")


@dataclass(frozen=True, slots=True)
class PresetThreshold:
    """A threshold, its source, and the level of controls that it requires."""

    threshold: Threshold
    source: str
    needs: Level | None = None
    """The required level of controls according to the checklist; None if there is no requirement."""

    @classmethod
    def of(cls, given: Any, *, place: str, default: str) -> PresetThreshold:
        """Read from a cell size or a probability, but not both."""
        hint = "Write {cell_size: 5, reason: ...} or {probability: 0.09, reason: ...}."
        spec = settings_of(given, place=place, hint=hint)
        spec.allow(("cell_size", "probability", "reason", "source", "needs"))
        needs = spec.content.get("needs")
        return cls(
            threshold_of(spec, reason=""),
            spec.text("source", default),
            None if needs is None else level_of(needs, spec.at("needs")),
        )


def threshold_of(spec: Spec, *, reason: str) -> Threshold:
    """Read a threshold; `reason` is used if none is given."""
    sizes = [name for name in ("cell_size", "probability") if spec.content.get(name) is not None]
    if len(sizes) != 1:
        problem = "both a cell size and a probability" if sizes else "neither a cell size nor a probability"
        raise InvalidSetting(
            f"{spec.place} has {problem}.",
            hint="Give only one of them. They are not the same: 1/11 is 0.0909, not 0.09.",
        )
    stated = spec.text("reason", reason).strip() or reason
    if not stated:
        raise InvalidSetting(f"{spec.place} has no reason.", hint="Write reason: who chose it and why.")
    if sizes == ["cell_size"]:
        return Threshold.from_cell_size(whole(spec.content["cell_size"], spec.at("cell_size")), stated)
    hint = "Write a number above 0, such as 0.09, or cell_size: 5 if you think in cell sizes."
    found = probability_of(spec.content["probability"], place=spec.at("probability"), hint=hint)
    if found == 0:
        raise InvalidSetting(f"{spec.at('probability')} is 0, which no release can meet.", hint=hint)
    return Threshold(found, stated)


@dataclass(frozen=True, slots=True)
class Preset:
    """A policy: which threshold applies when, and its source."""

    name: str
    version: int
    title: str
    about: str
    source: str
    rules: tuple[Rule, ...]
    """Rules that may be used; the first one is the default."""
    access: Access | None = None
    """Set if the policy covers only one kind of release."""
    threshold: PresetThreshold | None = None
    variants: Mapping[str, PresetThreshold] = field(default_factory=dict)
    by_invasion: Mapping[Level, PresetThreshold] = field(default_factory=dict)
    proposals: tuple[int, ...] = ()
    """Cell sizes with a precedent, if the policy does not set a number."""
    ladder: tuple[PresetThreshold, ...] = ()
    """Higher thresholds, each with its requirements."""
    cap: PresetThreshold | None = None
    """The largest acceptable risk of a single record, used together with an average."""

    def __post_init__(self) -> None:
        for name in ("variants", "by_invasion"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @classmethod
    def of(cls, content: Any, *, place: str) -> Preset:
        """Read and check a preset."""
        hint = "Write name, version, source and threshold, one per line."
        spec = settings_of(content, place=place, hint=hint)
        spec.allow((*_KEYS, *_WAYS))
        ways = [name for name in _WAYS if spec.content.get(name)]
        if len(ways) != 1:
            raise InvalidSetting(
                f"{place} needs exactly one of {', '.join(_WAYS)}.",
                hint="For example, write threshold: {cell_size: 5, reason: ...}.",
            )
        origin = str(spec.need("source", hint="Say where the policy can be read."))
        return cls(
            name=spec.text("name", Path(place).stem),
            version=whole(
                spec.need("version", hint="Write version: 1; increase it later."),
                spec.at("version"),
            ),
            title=spec.text("title", spec.text("name", place)),
            about=spec.text("about", ""),
            source=origin,
            rules=_rules(spec),
            access=_access(spec),
            ladder=_ladder(spec, origin),
            cap=_rung(spec, "cap", origin),
            **{ways[0]: _way(spec, ways[0], origin)},
        )

    def base(self, variant: str | None, invasion: Level, *, place: str) -> PresetThreshold | None:
        """The threshold without any requirements; None if the policy does not set a number."""
        if variant is not None and not self.variants:
            raise InvalidSetting(
                f"{place}.variant: the preset {self.name} has no variants.", hint="Leave the key out."
            )
        if self.variants:
            return self._variant(variant, place)
        return self.by_invasion[invasion] if self.by_invasion else self.threshold

    def _variant(self, variant: str | None, place: str) -> PresetThreshold:
        if variant in self.variants:
            return self.variants[str(variant)]
        if variant is not None:
            raise InvalidSetting.among(f"{place}.variant", str(variant), self.variants)
        listed = "; ".join(
            f"variant: {name} is {rung.threshold.reason}" for name, rung in self.variants.items()
        )
        raise InvalidSetting(
            f"{place}.variant is missing: the preset {self.name} can be read in two ways.",
            hint=f"Choose one: {listed}.",
        )

    def to_dict(self) -> dict[str, Any]:
        """Name, title, description and source, for JSON."""
        return {
            "name": self.name,
            "version": self.version,
            "title": self.title,
            "about": self.about,
            "source": str(source(self.source)),
            "ours": source(self.source).ours,
        }


def preset(name: str, *, place: str, folder: Path) -> tuple[Preset, Path | None]:
    """A preset by its name or by the path of a YAML file, and the file if one was read."""
    if name in NAMED:
        return _packaged(name), None
    if name in cell_size_presets():
        return cell_size_presets()[name], None
    if Path(name).suffix.lower() in (".yaml", ".yml"):
        path = folder / name
        return Preset.of(read_yaml(path), place=path_text(name)), path
    raise InvalidSetting.among(place, name, (*NAMED, *cell_size_presets(), "a file such as ours.yaml"))


@lru_cache
def _packaged(name: str) -> Preset:
    return Preset.of(read_data_file(f"presets/{name}.yaml"), place=f"{name}.yaml")


@dataclass(frozen=True, slots=True)
class Precedent:
    """A cell size in use, and who uses it."""

    cell_size: int
    precedent: str
    source: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"cell_size": self.cell_size, "precedent": self.precedent, "source": self.source}


@lru_cache(maxsize=1)
def precedents() -> tuple[Precedent, ...]:
    """Cell sizes in use, smallest first."""
    data = read_data_file("precedents.yaml")
    citation = f"{source(data['source'])}, {data['detail']}"
    return tuple(Precedent(size, text, citation) for size, text in data["cell_sizes"].items())


@lru_cache(maxsize=1)
def cell_size_presets() -> Mapping[str, Preset]:
    """A preset for each cell size with a precedent."""
    data = read_data_file("precedents.yaml")
    return {
        f"{CELL_SIZE}{one.cell_size}": Preset(
            name=f"{CELL_SIZE}{one.cell_size}",
            version=data["version"],
            title=f"Cell size of {one.cell_size}",
            about=f"The highest risk of a record is at most 1/{one.cell_size}.",
            source=data["source"],
            rules=("cell_size",),
            threshold=PresetThreshold(
                Threshold.from_cell_size(one.cell_size, f"cell size of {one.cell_size}: {one.precedent}"),
                data["source"],
            ),
        )
        for one in precedents()
    }


def _rules(spec: Spec) -> tuple[Rule, ...]:
    given = spec.content.get("rules", ["cell_size"])
    listed = given if isinstance(given, list) else [given]
    for name in listed:
        if name not in RULES:
            raise InvalidSetting.among(spec.at("rules"), str(name), RULES)
    return tuple(listed) or ("cell_size",)


def _access(spec: Spec) -> Access | None:
    given = spec.content.get("access")
    return None if given is None else access_of(given, spec.at("access"))


def access_of(given: Any, place: str) -> Access:
    """Read a kind of access."""
    for access in get_args(Access):
        if given == access:
            found: Access = access
            return found
    raise InvalidSetting.among(place, str(given), get_args(Access))


def _rung(spec: Spec, key: str, default: str) -> PresetThreshold | None:
    given = spec.content.get(key)
    return None if given is None else PresetThreshold.of(given, place=spec.at(key), default=default)


def _ladder(spec: Spec, default: str) -> tuple[PresetThreshold, ...]:
    if not spec.content.get("ladder"):
        return ()
    entries = spec.items("ladder", hint="Write a list of thresholds, each with needs: high.")
    return tuple(PresetThreshold.of(entry, place=at, default=default) for at, entry in entries)


def _way(spec: Spec, way: str, default: str) -> Any:
    """Read the thresholds, in whichever form the preset gives them."""
    if way == "threshold":
        return _rung(spec, way, default)
    if way == "proposals":
        return tuple(whole(entry, at) for at, entry in spec.items(way, hint="Write cell sizes."))
    inner = settings_of(spec.content[way], place=spec.at(way), hint="Write name: threshold, one per line.")
    if way == "by_invasion":
        inner.allow(LEVELS)
        for level in LEVELS:
            inner.need(level, hint="Give a threshold for low, medium and high.")
    return {
        name: PresetThreshold.of(entry, place=inner.at(name), default=default)
        for name, entry in inner.content.items()
    }
