"""Which threshold applies, and whether a higher one may be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reidrisk.context.checklist import Checklist, Practice
from reidrisk.context.preset import Preset, PresetThreshold, precedents
from reidrisk.context.settings import LEVELS, Access
from reidrisk.context.sources import source
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting

CUSTODIAN = "the custodian, in the context of this release"


@dataclass(frozen=True, slots=True)
class ThresholdBasis:
    """The basis for a higher threshold: kind of access, and the checklist."""

    access: Access
    checklist: Checklist | None


@dataclass(frozen=True, slots=True)
class ThresholdPermission:
    """Whether a threshold may be used, what it requires, and what is missing."""

    allowed: bool
    requires: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThresholdChoice:
    """The threshold that applies."""

    rung: PresetThreshold
    is_stated: bool
    """Set by the custodian instead of the preset."""
    later: tuple[PresetThreshold, ...] = ()
    """Higher thresholds of the preset, strictest first."""

    @property
    def threshold(self) -> Threshold:
        """The largest acceptable risk."""
        return self.rung.threshold

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "probability": self.threshold.probability,
            "cell_size": self.threshold.cell_size,
            "reason": self.threshold.reason,
            "source": CUSTODIAN if self.is_stated else str(source(self.rung.source)),
            "ours": not self.is_stated and source(self.rung.source).ours,
            "stated": self.is_stated,
            "needs": self.rung.needs,
        }


def choose(
    policy: Preset,
    base: PresetThreshold | None,
    stated: Threshold | None,
    ground: ThresholdBasis,
    *,
    place: str,
) -> ThresholdChoice:
    """The preset's threshold, or the custodian's if the preset allows it."""
    if base is None:
        if stated is None:
            raise _unnamed(policy, place)
        return ThresholdChoice(PresetThreshold(stated, CUSTODIAN), is_stated=True)
    higher = [rung for rung in policy.ladder if not base.threshold.accepts(rung.threshold.probability)]
    rungs = tuple(sorted(higher, key=lambda rung: rung.threshold.probability))
    if stated is None:
        return ThresholdChoice(base, is_stated=False, later=rungs)
    return _stated(policy, base, rungs, stated, (ground, place))


def _stated(
    policy: Preset,
    base: PresetThreshold,
    rungs: tuple[PresetThreshold, ...],
    stated: Threshold,
    where: tuple[ThresholdBasis, str],
) -> ThresholdChoice:
    """The custodian's threshold: at least as strict as the preset's, or with its conditions met."""
    ground, place = where
    if base.threshold.accepts(stated.probability):
        same = stated.accepts(base.threshold.probability)
        return ThresholdChoice(
            PresetThreshold(stated, CUSTODIAN), is_stated=True, later=rungs if same else ()
        )
    needed = next((rung for rung in rungs if rung.threshold.accepts(stated.probability)), None)
    if needed is None:
        largest = (rungs or (base,))[-1].threshold
        raise InvalidSetting(
            f"{place}.threshold accepts more risk than the preset {policy.name} allows.",
            hint=f"The preset allows at most {_said(largest)}; choose another preset, or write your own.",
        )
    asked = permission(needed, ground)
    if not asked.allowed:
        raise InvalidSetting(
            f"{place}.threshold accepts more risk than this context justifies.",
            hint=f"For {_said(needed.threshold)} this is still missing: {summary(asked.missing)}.",
        )
    rest = tuple(rung for rung in rungs if rung.threshold.probability > stated.probability)
    return ThresholdChoice(PresetThreshold(stated, CUSTODIAN, needed.needs), is_stated=True, later=rest)


def permission(rung: PresetThreshold, ground: ThresholdBasis) -> ThresholdPermission:
    """Check whether the controls justify a threshold."""
    if rung.needs is None:
        return ThresholdPermission(allowed=True)
    requires: tuple[str, ...] = (f"{rung.needs} controls according to the checklist of practices",)
    missing = []
    if ground.access != "non_public":
        missing.append("access: non_public, with a known recipient who is bound by an agreement")
    if ground.checklist is None:
        missing.append("the checklist of practices, answered one by one")
        return ThresholdPermission(allowed=False, requires=requires, missing=tuple(missing))
    level = ground.checklist.level
    requires += tuple(one.text for one in ground.checklist.in_place)
    if LEVELS.index(level) < LEVELS.index(rung.needs):
        missing += [lacking(*one) for one in ground.checklist.needed_for(rung.needs)]
    return ThresholdPermission(allowed=not missing, requires=requires, missing=tuple(missing))


def lacking(practice: Practice, what: str) -> str:
    """A description of what is missing."""
    return practice.text if what == "practice" else f"evidence for: {practice.text}"


def summary(texts: tuple[str, ...], most: int = 3) -> str:
    """The first few entries of a long list."""
    rest = len(texts) - most
    return "; ".join(text.rstrip(".") for text in texts[:most]) + (f"; and {rest} more" if rest > 0 else "")


def _said(threshold: Threshold) -> str:
    return f"1/{threshold.cell_size} ({threshold.probability:.4g})"


def _unnamed(policy: Preset, place: str) -> InvalidSetting:
    known = {one.cell_size: one.precedent for one in precedents()}
    listed = "; ".join(
        f"cell_size: {size} ({known.get(size, 'no precedent known')})" for size in policy.proposals
    )
    return InvalidSetting(
        f"{place}.threshold is missing: the preset {policy.name} does not set a number.",
        hint=f"Write threshold: {{cell_size: ..., reason: ...}}. Values with precedents: {listed}.",
    )
