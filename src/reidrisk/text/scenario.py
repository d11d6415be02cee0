"""What if: the risk of a stored evaluation with other recalls or another recognition, without the corpus.

The risk is computed from the counts of the evaluation, by the same code as the evaluation itself. The answer
is about a tool that nobody has tested, so it is never a verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from reidrisk.context.recognition import Recognition
from reidrisk.context.release import Release
from reidrisk.core.about import own_version, versions
from reidrisk.core.audience import INTERNAL
from reidrisk.core.files import write_text
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text, probability
from reidrisk.errors import InvalidSetting, ReidRiskError, UnreadableFile
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.assess import RiskOnly, assess_only
from reidrisk.text.changed_recall import RecallChange, change_recall, recall_of
from reidrisk.text.evidence import evidence_from_dict, evidence_to_dict, number_or_none
from reidrisk.text.models import TextCase
from reidrisk.text.result import TextRisk
from reidrisk.text.settings import PROFILE, TEXT_SETTINGS, settings
from reidrisk.text.verdict import RiskPart

STORED = "text_evidence"
"""The kind of a file with the counts of an evaluation and its result."""
RESULT, MEASURED = "result.json", "measured.json"
"""The files of a part in the folder of an assessment."""
NOT_A_VERDICT = (
    "This is a what-if, not a verdict: nobody has tested a tool with these figures. Evaluate the changed "
    "tool on annotated documents before you rely on it."
)
CAUTIOUS = (
    "Which leaks a changed recall adds or removes is not known. Leaks are removed from documents that leak "
    "most, and added to documents where they do most harm."
)
SURROGATES = (
    "A recognition below 1 assumes that caught identifiers are replaced with realistic surrogates. In "
    "redacted texts, every leak is obvious."
)
ROLES = {"direct": "Direct identifiers", "quasi": "Quasi-identifiers"}
LIMITS = {"direct": "the benchmark's upper limit", "quasi": "the threshold"}
HINT = (
    "Write it with: reidrisk text evaluate GOLD TOOL --evidence FILE. Or name the folder of a text part in "
    "an assessment, such as assessment/parts/notes."
)


def text_what_if(
    source: TextRisk | TextCase | str | Path,
    *,
    recall: Mapping[str, float] | None = None,
    recognition: object = None,
) -> TextWhatIf:
    """Compute the risk again for other recalls of types, another recognition, or both.

    `source` is a result, a file that `text evaluate --evidence` wrote, or the folder of a text part in an
    assessment. `recall` gives the recall of types by name: the all-or-nothing recall of direct identifiers,
    the recall of instances of quasi-identifiers. `recognition` is a probability, a `Recognition`, or texts as
    on the command line.

    >>> from reidrisk import evaluate_text
    >>> from reidrisk.demo import clinical_notes, simulate_tool
    >>> notes = clinical_notes(documents=40, seed=7)
    >>> risk = evaluate_text(notes, simulate_tool(notes, recall=0.9, seed=1))
    >>> better = text_what_if(risk, recall={"NAME": 1}).to_dict()
    >>> better["after"]["direct"]["value"] < better["before"]["direct"]["value"]
    True
    """
    case = _case(source)
    changed, changes = change_recall(case, dict(recall or {}))
    changed = replace(changed, release=_release(case.release, recognition))
    before = assess_only(case.evidence, case.release, case.threshold, case.settings, seed=case.seed)
    after = before
    if changes or changed.release != case.release:
        after = assess_only(changed.evidence, changed.release, case.threshold, case.settings, seed=case.seed)
    return TextWhatIf(case, changed, changes, before, after)


def _case(source: TextRisk | TextCase | str | Path) -> TextCase:
    if isinstance(source, TextCase):
        return source
    if isinstance(source, TextRisk):
        return TextCase(source.evidence, source.release, source.threshold, source.settings, source.seed)
    return read_text_case(source)


def _release(release: Release, given: object) -> Release:
    """The release with another recognition; below 1 it needs surrogates."""
    if given is None:
        return release
    recognition = _recognition(release.recognition, given)
    if recognition == release.recognition:
        return release
    treatment = release.treatment if recognition == Recognition.certain() else "resynthesis"
    return replace(release, treatment=treatment, recognition=recognition)


def _recognition(now: Recognition, given: object) -> Recognition:
    if isinstance(given, Recognition):
        return given
    if isinstance(given, int | float):
        return Recognition(Triangular.constant(float(given)))
    listed = (
        [given]
        if isinstance(given, str)
        else [str(one) for one in given]
        if isinstance(given, Iterable)
        else []
    )
    if not listed:
        raise InvalidSetting("A recognition must be a probability.", hint="For example 0.27.")
    if all("=" in one for one in listed):
        new = Recognition.parse(["1", *listed]).by_type
        return Recognition(now.default, {**now.by_type, **new})
    return Recognition.parse(listed)


@dataclass(frozen=True)
class TextWhatIf(Result):
    """The risk as it is, and as it would be."""

    case: TextCase
    changed: TextCase
    recalls: tuple[RecallChange, ...]
    before: RiskOnly
    after: RiskOnly

    @property
    def acceptable(self) -> bool:
        """Always False: a what-if decides nothing."""
        return False

    @property
    def is_changed(self) -> bool:
        """Whether anything was asked for."""
        return bool(self.recalls) or self.changed.release != self.case.release

    def to_dict(self) -> dict[str, Any]:
        """Everything a view needs, as JSON types."""
        findings = self._findings()
        threshold = self.case.threshold
        return {
            "kind": "text_what_if",
            "version": own_version(),
            "acceptable": None,
            "settings": self.case.settings.to_dict() | {"release": self.case.release.to_dict()},
            "seed": self.case.seed,
            "versions": versions(),
            "reasons": texts(findings),
            "holds": holds(findings),
            "warnings": self._warnings(),
            "threshold": {**asdict(threshold), "cell_size": threshold.cell_size},
            "documents": self.case.evidence.documents,
            "types": self._types(),
            "recall": [change.to_dict() for change in self.recalls],
            "recognition": {
                "before": self.case.release.recognition.to_json(),
                "after": self.changed.release.recognition.to_json(),
            },
            "before": _figures(self.before),
            "after": _figures(self.after),
        }

    def _types(self) -> list[dict[str, Any]]:
        """Every type with its recall as measured, and as it would be."""
        after = {(kind.type, kind.role): kind for kind in self.changed.evidence.types}
        return [
            {
                "type": kind.type,
                "role": kind.role,
                "recall": number_or_none(recall_of(kind, self.case.settings)),
                "recall_after": number_or_none(recall_of(after[kind.type, kind.role], self.case.settings)),
            }
            for kind in self.case.evidence.types
        ]

    def _findings(self) -> list[Reason]:
        pairs = (
            ("direct", self.before.direct, self.after.direct),
            ("quasi", self.before.quasi, self.after.quasi),
        )
        return [Reason(_sentence(*pair), None) for pair in pairs]

    def _warnings(self) -> list[str]:
        cautious = [CAUTIOUS] if any(change.before != change.after for change in self.recalls) else []
        redacted = self.case.release.treatment == "redaction" != self.changed.release.treatment
        return [NOT_A_VERDICT, *cautious, *([SURROGATES] if redacted else [])]


def _sentence(role: str, before: RiskPart | None, after: RiskPart | None) -> str:
    if before is None or after is None:
        return f"{ROLES[role]}: not evaluated, because the gold standard marks none."
    high, was = probability(after.estimate.high), probability(before.estimate.high)
    moved = f"would be {high} instead of {was}" if high != was else f"would stay {high}"
    words = {
        "accepted": "it would be within the limit",
        "refused": "it would be above the limit",
        "undecided": f"too few {after.examined[1]} to decide",
    }
    return (
        f"{ROLES[role]}: the upper limit of the risk {moved}; {LIMITS[role]} is "
        f"{probability(after.threshold)}: {words[after.decision]}."
    )


def _figures(risk: RiskOnly) -> dict[str, Any]:
    return {
        "within_limits": risk.acceptable,
        "decision": risk.decision,
        "documents_needed": risk.documents_needed if risk.decision == "undecided" else None,
        "direct": _part(risk.direct),
        "quasi": _part(risk.quasi),
    }


def _part(part: RiskPart | None) -> dict[str, Any] | None:
    if part is None:
        return None
    return {
        **part.estimate.to_dict(),
        "plug_in": part.plug_in,
        "interval": part.interval,
        "threshold": part.threshold,
        "within_limit": part.acceptable,
        "decision": part.decision,
    }


def write_text_evidence(risk: TextRisk, path: str | Path) -> None:
    """Write the counts of an evaluation with its result: everything a what-if needs, and no text or id."""
    content = {
        "kind": STORED,
        "audience": INTERNAL,
        "result": risk.to_dict(),
        "evidence": evidence_to_dict(risk.evidence),
    }
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read_text_case(path: str | Path) -> TextCase:
    """Read the counts, release, threshold and settings of a stored evaluation."""
    place = Path(path)
    if place.is_dir():
        place = place / RESULT
    found = _json(place)
    try:
        if found.get("kind") == STORED:
            return text_case(found["result"], found["evidence"])
        if found.get("kind") == "text_risk" and place.with_name(MEASURED).exists():
            measured = _json(place.with_name(MEASURED))
            return text_case(found, measured["measured"]["evidence"])
    except ReidRiskError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError):
        raise UnreadableFile(f"{path_text(path)} is damaged.", hint=HINT) from None
    raise UnreadableFile(f"{path_text(path)} has no counts of a text evaluation.", hint=HINT)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UnreadableFile(f"{path_text(path)} is missing.", hint=HINT) from None
    except (OSError, ValueError, RecursionError):
        raise UnreadableFile(f"{path_text(path)} cannot be read as JSON.", hint=HINT) from None
    if not isinstance(found, dict):
        raise UnreadableFile(f"{path_text(path)} is not a result.", hint=HINT)
    return found


def text_case(result: Mapping[str, Any], evidence: Mapping[str, Any]) -> TextCase:
    """The case of a result and its counts, both as JSON types."""
    given = result["settings"]
    names = {one.name for one in TEXT_SETTINGS} - {PROFILE.name}
    chosen = settings(
        given[PROFILE.name], {name: given[name] for name in names if given.get(name) is not None}
    )
    threshold = result["threshold"]
    return TextCase(
        evidence_from_dict(evidence),
        Release.from_dict(given["release"]),
        Threshold(float(threshold["probability"]), str(threshold["reason"])),
        chosen,
        int(result["seed"]),
    )
