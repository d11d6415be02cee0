"""The context of a release as it is written down: who gets it, under what controls, by which policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.context.attempt import Acquaintance, Breach
from reidrisk.context.checklist import Checklist
from reidrisk.context.preset import Preset, Rule, access_of, preset, threshold_of
from reidrisk.context.questionnaire import Origin, Rating, questionnaire
from reidrisk.context.release import Access
from reidrisk.context.settings import Level, level_of, settings_of
from reidrisk.context.thresholds import Chosen, Ground, choose
from reidrisk.core.spec import Spec
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting

KEYS = (
    "preset",
    "variant",
    "rule",
    "access",
    "controls",
    "checklist",
    "motives",
    "invasion",
    "acquaintance",
    "breach",
    "threshold",
    "cap",
)
DEFAULT_PRESET = "hospital"
NO_REASON = "named by the custodian without a reason"


@dataclass(frozen=True, slots=True)
class Controls:
    """How well the recipient protects the data, and how that is known."""

    level: Level
    origin: Origin
    checklist: Checklist | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """Everything about a release but its data."""

    preset: Preset
    preset_name: str | None
    """As it was typed; None if the default was taken."""
    variant: str | None
    rule: Rule
    access: Access
    access_stated: bool
    controls: Controls
    motives: Rating
    invasion: Rating
    acquaintance: Acquaintance | None
    breach: Breach | None
    stated: Threshold | None
    """The custodian's own threshold."""
    cap: Threshold | None
    """The custodian's own cap beside an average."""
    chosen: Chosen
    """The threshold that applies."""
    files: tuple[Path, ...] = ()
    """The files it was read from beside the one that names them: a preset, a checklist."""

    @classmethod
    def of(
        cls, content: Mapping[str, Any] | None, *, place: str = "context", folder: Path = Path()
    ) -> Context:
        """From settings; complaints name the place, paths are relative to the folder."""
        hint = "Write for example access: non_public, one setting a line."
        spec = settings_of({} if content is None else content, place=place, hint=hint)
        spec.allow(KEYS)
        name, variant = (_name(spec, key) for key in ("preset", "variant"))
        policy, file = preset(name or DEFAULT_PRESET, place=spec.at("preset"), folder=folder)
        controls, sheet = _controls(spec, folder)
        access, said = _access(spec, policy)
        invasion, stated = _rating(spec, "invasion"), _threshold(spec, "threshold")
        base = policy.base(variant, invasion.level, place=place)
        return cls(
            preset=policy,
            preset_name=name,
            variant=variant,
            rule=_rule(spec, policy),
            access=access,
            access_stated=said,
            controls=controls,
            motives=_rating(spec, "motives"),
            invasion=invasion,
            acquaintance=_part(spec, "acquaintance", Acquaintance),
            breach=_part(spec, "breach", Breach),
            stated=stated,
            cap=_cap(spec),
            chosen=choose(policy, base, stated, Ground(access, controls.checklist), place=place),
            files=tuple(path for path in (file, sheet) if path is not None),
        )

    @property
    def ground(self) -> Ground:
        """What a higher threshold may rest on."""
        return Ground(self.access, self.controls.checklist)

    def said(self) -> dict[str, Any]:
        """The context as it would be typed again, with its checklist in it."""
        sheet = self.controls.checklist
        parts = {
            "preset": self.preset_name,
            "variant": self.variant,
            "rule": self.rule if self.rule != self.preset.rules[0] else None,
            "access": self.access if self.access_stated else None,
            "controls": self.controls.level if self.controls.origin == "stated" else None,
            "checklist": None if sheet is None else sheet.said(),
            "motives": self.motives.said(),
            "invasion": self.invasion.said(),
            "acquaintance": self.acquaintance and self.acquaintance.to_dict(),
            "breach": self.breach and self.breach.to_dict(),
            "threshold": self.stated and _typed(self.stated),
            "cap": self.cap and _typed(self.cap),
        }
        return {name: part for name, part in parts.items() if part is not None}


def read_context(path: str | Path) -> Context:
    """The context of a YAML file."""
    file = Path(path)
    return Context.of(read_yaml(file), place=f"{path_text(path)}: context", folder=file.parent)


def _name(spec: Spec, key: str) -> str | None:
    given = spec.content.get(key)
    return None if given is None else str(given)


def _controls(spec: Spec, folder: Path) -> tuple[Controls, Path | None]:
    """The level as it is stated, or as the checklist makes it; with the file of the checklist."""
    level, sheet = spec.content.get("controls"), spec.content.get("checklist")
    if level is not None and sheet is not None:
        raise InvalidSetting(
            f"{spec.place} has both controls and a checklist.",
            hint="Leave controls out: the checklist says which level they are.",
        )
    if level is not None:
        return Controls(level_of(level, spec.at("controls")), "stated"), None
    if sheet is None:
        return Controls("low", "assumed"), None
    file, place = None, spec.at("checklist")
    if isinstance(sheet, str):
        file, place = folder / sheet, path_text(sheet)
        sheet = read_yaml(file)
    found = Checklist.of(sheet, place=place)
    return Controls(found.level, "checklist", found), file


def _rating(spec: Spec, name: str) -> Rating:
    """The worst is assumed where nothing is said."""
    return Rating.of(spec.content.get(name), questionnaire(name), place=spec.at(name), assumed="high")


def _access(spec: Spec, policy: Preset) -> tuple[Access, bool]:
    given = spec.content.get("access")
    if given is None:
        return policy.access or "public", False
    found = access_of(given, spec.at("access"))
    if policy.access is not None and found != policy.access:
        raise InvalidSetting(
            f"{spec.at('access')} is {found}; the preset {policy.name} is for {policy.access} releases.",
            hint="Leave access out, or choose another preset.",
        )
    return found, True


def _rule(spec: Spec, policy: Preset) -> Rule:
    given = spec.content.get("rule")
    if given is None:
        return policy.rules[0]
    if given not in policy.rules:
        raise InvalidSetting.among(
            f"{spec.at('rule')} with the preset {policy.name}", str(given), policy.rules
        )
    found: Rule = given
    return found


def _part(spec: Spec, name: str, kind: Any) -> Any:
    given = spec.content.get(name)
    return None if given is None else kind.of(given, place=spec.at(name))


def _threshold(spec: Spec, name: str) -> Threshold | None:
    given = spec.content.get(name)
    if given is None:
        return None
    hint = "Write {cell_size: 5, reason: ...}, or {probability: 0.09, reason: ...} to the letter."
    inner = settings_of(given, place=spec.at(name), hint=hint)
    inner.allow(("cell_size", "probability", "reason"))
    return threshold_of(inner, reason=NO_REASON)


def _cap(spec: Spec) -> Threshold | None:
    found = _threshold(spec, "cap")
    if found is not None and found.cell_size < 2:
        raise InvalidSetting(
            f"{spec.at('cap')} caps nothing.", hint="1/3 is usual, 1/2 is the largest in use."
        )
    return found


def _typed(threshold: Threshold) -> dict[str, Any]:
    """By its cell size where it is one, as it was meant."""
    exact = threshold.probability == 1 / threshold.cell_size
    size = {"cell_size": threshold.cell_size} if exact else {"probability": threshold.probability}
    return {**size, "reason": threshold.reason}
