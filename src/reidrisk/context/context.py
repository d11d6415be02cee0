"""The context of a release: who gets the data, under which controls, and by which policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.context.attempt import Acquaintance, Breach
from reidrisk.context.checklist import Checklist
from reidrisk.context.preset import Preset, Rule, access_of, preset, threshold_of
from reidrisk.context.questionnaire import Origin, Rating, questionnaire
from reidrisk.context.settings import Access, Level, level_of, settings_of
from reidrisk.context.thresholds import ThresholdBasis, ThresholdChoice, choose
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
NO_REASON = "set by the custodian without a reason"


@dataclass(frozen=True, slots=True)
class Controls:
    """How well the recipient protects the data, and where that level comes from."""

    level: Level
    origin: Origin
    checklist: Checklist | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """Everything about a release except its data."""

    preset: Preset
    preset_name: str | None
    """The name as the user wrote it; None if the default is used."""
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
    """The custodian's own cap for single records, used together with an average."""
    chosen: ThresholdChoice
    """The threshold that applies."""
    files: tuple[Path, ...] = ()
    """Files that the settings refer to and that were also read: a preset, a checklist."""

    @classmethod
    def of(
        cls, content: Mapping[str, Any] | None, *, place: str = "context", folder: Path = Path()
    ) -> Context:
        """Read from settings; `place` is named in errors, paths are relative to `folder`."""
        hint = "For example, write access: non_public, with one setting per line."
        spec = settings_of({} if content is None else content, place=place, hint=hint)
        spec.allow(KEYS)
        name, variant = (_name(spec, key) for key in ("preset", "variant"))
        policy, file = preset(name or DEFAULT_PRESET, place=spec.at("preset"), folder=folder)
        controls, sheet = _controls(spec, folder)
        access, access_stated = _access(spec, policy)
        invasion, stated = _rating(spec, "invasion"), _threshold(spec, "threshold")
        base = policy.base(variant, invasion.level, place=place)
        return cls(
            preset=policy,
            preset_name=name,
            variant=variant,
            rule=_rule(spec, policy),
            access=access,
            access_stated=access_stated,
            controls=controls,
            motives=_rating(spec, "motives"),
            invasion=invasion,
            acquaintance=_part(spec, "acquaintance", Acquaintance),
            breach=_part(spec, "breach", Breach),
            stated=stated,
            cap=_cap(spec),
            chosen=choose(policy, base, stated, ThresholdBasis(access, controls.checklist), place=place),
            files=tuple(path for path in (file, sheet) if path is not None),
        )

    @property
    def ground(self) -> ThresholdBasis:
        """The basis for a higher threshold."""
        return ThresholdBasis(self.access, self.controls.checklist)

    def to_settings(self) -> dict[str, Any]:
        """The context as it would be typed, including its checklist."""
        sheet = self.controls.checklist
        parts = {
            "preset": self.preset_name,
            "variant": self.variant,
            "rule": self.rule if self.rule != self.preset.rules[0] else None,
            "access": self.access if self.access_stated else None,
            "controls": self.controls.level if self.controls.origin == "stated" else None,
            "checklist": None if sheet is None else sheet.to_settings(),
            "motives": self.motives.to_settings(),
            "invasion": self.invasion.to_settings(),
            "acquaintance": self.acquaintance and self.acquaintance.to_dict(),
            "breach": self.breach and self.breach.to_dict(),
            "threshold": self.stated and _typed(self.stated),
            "cap": self.cap and _typed(self.cap),
        }
        return {name: part for name, part in parts.items() if part is not None}


def read_context(path: str | Path) -> Context:
    """Read the context from a YAML file."""
    file = Path(path)
    return Context.of(read_yaml(file), place=f"{path_text(path)}: context", folder=file.parent)


def _name(spec: Spec, key: str) -> str | None:
    given = spec.content.get(key)
    return None if given is None else str(given)


def _controls(spec: Spec, folder: Path) -> tuple[Controls, Path | None]:
    """The level of controls, stated or from the checklist, and the file of the checklist."""
    level, sheet = spec.content.get("controls"), spec.content.get("checklist")
    if level is not None and sheet is not None:
        raise InvalidSetting(
            f"{spec.place} has both controls and a checklist.",
            hint="Leave controls out: the level follows from the checklist.",
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
    """A rating; the worst level is assumed if nothing is stated."""
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
    hint = "Write {cell_size: 5, reason: ...}, or {probability: 0.09, reason: ...} for exactly that number."
    inner = settings_of(given, place=spec.at(name), hint=hint)
    inner.allow(("cell_size", "probability", "reason"))
    return threshold_of(inner, reason=NO_REASON)


def _cap(spec: Spec) -> Threshold | None:
    found = _threshold(spec, "cap")
    if found is not None and found.cell_size < 2:
        raise InvalidSetting(
            f"{spec.at('cap')} has no effect.", hint="1/3 is usual; 1/2 is the largest in use."
        )
    return found


def _typed(threshold: Threshold) -> dict[str, Any]:
    """A threshold as it would be typed: as a cell size if it is one exactly."""
    exact = threshold.probability == 1 / threshold.cell_size
    size = {"cell_size": threshold.cell_size} if exact else {"probability": threshold.probability}
    return {**size, "reason": threshold.reason}
