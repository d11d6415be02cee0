"""Compare a tool with an earlier version of itself: is it worse, or may the difference be due to chance?

The result of an evaluation can keep what leaked by document, as numbers in the order of the gold standard.
Two results on the same gold standard are then compared document by document.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.core.about import own_version
from reidrisk.core.estimate import Estimate
from reidrisk.core.reason import Reason
from reidrisk.core.wording import path_text, probability
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.stats.arrays import Floats
from reidrisk.text.paired import DocumentRisks, difference_of, document_risks

if TYPE_CHECKING:
    from reidrisk.text.result import TextRisk

ROLES = {"direct": "direct identifiers", "quasi": "quasi-identifiers"}
HINT = "Write it with: reidrisk text evaluate GOLD TOOL --json FILE"
SAME = "Evaluate the earlier version again with the same gold standard and options, and --json FILE."
UNCOMPARED = frozenset({"tool", "tool_format", "gold", "gold_format", "by"})
"""Settings that may differ. The gold standard is recognized by its content."""


@dataclass(frozen=True, slots=True)
class BaselineRole:
    """The risk from one role of identifiers, now and in the baseline."""

    high: float
    baseline_high: float
    difference: Estimate
    """The risk now minus that of the baseline, on the same documents."""

    @property
    def is_worse(self) -> bool:
        """Whether the upper limit rose, and the difference cannot be due to chance."""
        return self.high > self.baseline_high and self.difference.low > 0

    @property
    def is_better(self) -> bool:
        """Whether the upper limit fell, and the difference cannot be due to chance."""
        return self.high < self.baseline_high and self.difference.high < 0

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {
            "high": self.high,
            "baseline_high": self.baseline_high,
            "difference": self.difference.to_dict(),
            "worse": self.is_worse,
            "better": self.is_better,
        }


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """A tool beside an earlier version of itself."""

    name: str
    """The name of the baseline's file."""
    roles: Mapping[str, BaselineRole]

    @property
    def is_worse(self) -> bool:
        """Whether the risk from any role is higher."""
        return any(role.is_worse for role in self.roles.values())

    @property
    def findings(self) -> tuple[Reason, ...]:
        """One sentence for each role."""
        return tuple(Reason(self._sentence(name, role), None) for name, role in self.roles.items())

    def _sentence(self, name: str, role: BaselineRole) -> str:
        word = (
            "WORSE than the baseline"
            if role.is_worse
            else "better than the baseline"
            if role.is_better
            else "no worse than the baseline: the difference may be due to chance"
        )
        part = role.difference
        return (
            f"Compared with {self.name}, {ROLES[name]}: {word}. The upper limit is {probability(role.high)}, "
            f"it was {probability(role.baseline_high)}; the risk changed by {probability(part.value)} "
            f"({100 * (part.level or 0):g} % interval {probability(part.low)} to {probability(part.high)})."
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        roles = {name: None if name not in self.roles else self.roles[name].to_dict() for name in ROLES}
        return {"name": self.name, "worse": self.is_worse, **roles}


def leaks_by_document(risk: TextRisk) -> dict[str, Any]:
    """The observed risk of every document that leaks, and a hash that tells the gold standard.

    Documents are numbered in the order of the gold standard. No text and no id is part of it.
    """
    found = document_risks(risk)
    return {
        "gold": _fingerprint(risk),
        "documents": risk.evidence.documents,
        **{role: None if role not in found else _sparse(found[role]) for role in ROLES},
    }


def compare_with_baseline(risk: TextRisk, baseline: Mapping[str, Any] | str | Path) -> BaselineComparison:
    """Compare a result with an earlier one on the same gold standard.

    `baseline` is the file that `text evaluate --json` wrote for the earlier version, or its content. The tool
    is worse if the upper limit of a risk is higher than before and the paired difference is above 0.
    """
    given = baseline if isinstance(baseline, Mapping) else read_baseline(baseline)
    name = "The baseline" if isinstance(baseline, Mapping) else path_text(Path(baseline).name)
    kept = _kept(given, name)
    _check_same(risk, given, name)
    if kept.get("gold") != _fingerprint(risk):
        raise BadData(
            f"{name} was measured on another gold standard, or its documents were in another order.",
            hint=SAME,
        )
    now = document_risks(risk)
    parts = {"direct": risk.direct, "quasi": risk.quasi}
    roles = {}
    for role, part in parts.items():
        if part is not None and role in now:
            before, high = _role(kept, given, role, documents=risk.evidence.documents, name=name)
            roles[role] = BaselineRole(part.estimate.high, high, difference_of(risk, now[role], before))
    return BaselineComparison(name, roles)


def read_baseline(path: str | Path) -> dict[str, Any]:
    """The result in a file."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_no_number)
    except (OSError, ValueError, RecursionError):
        raise UnreadableFile(f"{path_text(path)} cannot be read as a result.", hint=HINT) from None
    if not isinstance(found, dict):
        raise UnreadableFile(f"{path_text(path)} is not a result.", hint=HINT)
    return found


def _no_number(text: str) -> None:
    raise ValueError(text)


def _kept(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """What the baseline says about single documents."""
    if given.get("kind") != "text_risk":
        raise BadData(f"{name} is not the result of the evaluation of one tool.", hint=HINT)
    kept = given.get("by_document")
    if not isinstance(kept, Mapping):
        raise BadData(
            f"{name} does not say which documents leak. Results with --counts or --master, shared results, "
            "and results of versions before 0.2 do not.",
            hint=HINT,
        )
    return kept


def _check_same(risk: TextRisk, given: Mapping[str, Any], name: str) -> None:
    """A difference of versions, seeds or settings is not a difference of tools."""
    version, seed, before = given.get("version"), given.get("seed"), given.get("settings")
    if not isinstance(before, Mapping):
        raise UnreadableFile(f"{name} is damaged.", hint=HINT)
    if version != own_version():
        raise InvalidSetting(
            f"{name} was measured with reidrisk {version}, and this is {own_version()}. The limits may be "
            "computed differently.",
            hint=SAME,
        )
    if seed != risk.seed:
        raise InvalidSetting(f"{name} was measured with the seed {seed}, and this is {risk.seed}.", hint=SAME)
    now = json.loads(json.dumps(risk.all_settings))
    changed = sorted(
        one for one in (now.keys() | before.keys()) - UNCOMPARED if now.get(one) != before.get(one)
    )
    if changed:
        raise InvalidSetting(f"{name} was measured with other settings: {', '.join(changed)}.", hint=SAME)


def _fingerprint(risk: TextRisk) -> str:
    """A hash of the gold standard, and of how it was counted, whatever the tool did to it."""
    evidence = risk.evidence
    content = hashlib.sha256(repr((evidence.gold, evidence.direct_types)).encode())
    content.update(np.ascontiguousarray(evidence.holds, dtype=np.uint8).tobytes())
    for part in (evidence.values, evidence.instances):
        content.update(np.ascontiguousarray(part, dtype="<i8").tobytes())
    return content.hexdigest()


def _sparse(risks: DocumentRisks) -> dict[str, Any]:
    """Pairs of the number of a document and its risk, where there is one, and the largest possible risk."""
    places = np.flatnonzero(risks.values)
    leaks = [[int(place), float(risks.values[place])] for place in places]
    return {"top": risks.top, "leaking": len(leaks), "leaks": leaks}


def _role(
    kept: Mapping[str, Any], given: Mapping[str, Any], role: str, *, documents: int, name: str
) -> tuple[DocumentRisks, float]:
    """The risks of the documents and their upper limit, as the baseline has them."""
    try:
        high, own = _share(given[role]["high"]), kept[role]
        risks = DocumentRisks(_dense(own["leaks"], documents), _share(own["top"]))
        if kept["documents"] != documents or own["leaking"] != np.count_nonzero(risks.values):
            raise ValueError
    except (LookupError, TypeError, ValueError):
        raise UnreadableFile(f"{name} is damaged: its figures do not fit together.", hint=HINT) from None
    return risks, high


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError
    return float(value)


def _dense(pairs: list[list[float]], documents: int) -> Floats:
    values = np.zeros(documents)
    for place, value in pairs:
        if not isinstance(place, int) or not 0 <= place < documents or values[place]:
            raise ValueError
        values[place] = _share(value)
    return values
