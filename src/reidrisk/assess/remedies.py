"""What would make a release acceptable: changes to a part, to its context, or to several together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.assess.editing import edit_release
from reidrisk.assess.judgement import Judgement
from reidrisk.assess.manifest import read_manifest
from reidrisk.assess.measurement import Measurement
from reidrisk.assess.release_file import ReleaseFile
from reidrisk.assess.result import read_previous
from reidrisk.assess.state import ASSESSMENT_FOLDER
from reidrisk.assess.verdict import PartVerdict, Remedy, RemedyKind
from reidrisk.context.changes import change_settings
from reidrisk.context.checklist import practices
from reidrisk.context.preset import precedents
from reidrisk.context.settings import LEVELS
from reidrisk.core.trail import RELEASE_FILE
from reidrisk.core.wording import plural, probability
from reidrisk.errors import InvalidSetting

MOST_OF_A_KIND = 4
"""How many remedies of one kind are listed for one part."""
PROOF = {"answer": "yes", "evidence": "to be shown"}
"""A practice in a what-if. In a release file, a person writes the evidence."""
WHAT_IF = "what if"


def find_remedies(
    release: ReleaseFile, measurements: Sequence[Measurement], now: Judgement
) -> tuple[Remedy, ...]:
    """All remedies for parts whose risk is too high, the best first."""
    if not now.refused:
        return ()
    found = [*context_remedies(release, measurements, now)]
    for one in now.refused:
        if one.verdict is not None and one.measurement.measured is not None:
            found += one.part.remedies(one.measurement.measured, now.case_of(one.part, one.verdict))
    return rank_remedies([*found, *combined_remedies(found, measurements, now)])


def remedy_changes(remedy: Mapping[str, Any], evidence: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The changes for `edit_release` that a remedy of an assessment stands for.

    `remedy` is an entry of `remedies` in the JSON. `evidence` has a text for each setting in its
    `needs_evidence`: what shows that a practice is followed, or why a threshold is chosen. Without it the
    remedy is refused: a practice is never claimed by itself.
    """
    given = {key: str(text).strip() for key, text in (evidence or {}).items()}
    missing = [key for key in remedy["needs_evidence"] if not given.get(key)]
    if missing:
        raise InvalidSetting(
            f"This change needs evidence or a reason for {', '.join(missing)}.",
            hint="Say what shows that the practice is followed, or why the threshold is chosen.",
        )
    claimed = {
        key: given[key] if key.endswith(".reason") else {"answer": "yes", "evidence": given[key]}
        for key in remedy["needs_evidence"]
    }
    return {**(remedy["change"] or {}), **claimed}


def remedy_of(folder: str | Path, rank: int) -> dict[str, Any]:
    """A remedy of the last assessment of the release in a folder, by its number."""
    found = read_previous(Path(folder) / ASSESSMENT_FOLDER)["remedies"]
    if not 1 <= rank <= len(found):
        raise InvalidSetting(
            f"The assessment suggests {plural(len(found), 'change')}, not {rank}.",
            hint="Choose the number of a change that it lists.",
        )
    remedy: dict[str, Any] = found[rank - 1]
    return remedy


def evidence_questions(remedy: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a person must show or explain before a remedy is applied: each setting, and its question."""
    known = {f"context.checklist.{one.id}": one.text for one in practices()}
    everything = "What shows that all practices of the checklist are followed?"
    return [
        (key, known.get(key, "Why is this threshold chosen?" if key.endswith(".reason") else everything))
        for key in remedy["needs_evidence"]
    ]


def apply_remedy(
    folder: str | Path, rank: int, evidence: Mapping[str, str] | None = None, *, allow_outside: bool = False
) -> dict[str, Any]:
    """Write a remedy of the last assessment into the release file; it must be the file that was assessed."""
    place = Path(folder)
    remedy = remedy_of(place, rank)
    manifest = read_manifest(place / ASSESSMENT_FOLDER) or {}
    changes = remedy_changes(remedy, evidence)
    if not changes:
        raise InvalidSetting(
            "This change is not a setting: it must be made to the data, the tool or the documents.",
            hint="Make the change there, and run the assessment again.",
        )
    expected = str((manifest.get("release") or {}).get("sha256"))
    after = edit_release(place / RELEASE_FILE, changes, expected_sha256=expected, allow_outside=allow_outside)
    return {"kind": "remedy_applied", "changes": changes, "outside": remedy["outside"], "sha256": after}


def rank_remedies(remedies: Sequence[Remedy]) -> tuple[Remedy, ...]:
    """The best first, a few of each kind for each part."""
    kept: list[Remedy] = []
    for one in sorted(remedies, key=lambda remedy: remedy.order):
        similar = [other for other in kept if (other.kind, other.part) == (one.kind, one.part)]
        if len(similar) < MOST_OF_A_KIND:
            kept.append(one)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class ContextChange:
    """A change to the settings of a context, and what it means."""

    kind: RemedyKind
    text: str
    settings: Mapping[str, Any] = field(repr=False)
    size: float

    @property
    def claimed(self) -> dict[str, Any]:
        """What a person must show or explain."""
        return {f"context.{key}": value for key, value in self.settings.items() if value in (PROOF, WHAT_IF)}

    @property
    def stated(self) -> dict[str, Any]:
        """The other settings."""
        return {
            f"context.{key}": value
            for key, value in self.settings.items()
            if f"context.{key}" not in self.claimed
        }


def context_remedies(
    release: ReleaseFile, measurements: Sequence[Measurement], now: Judgement
) -> Iterator[Remedy]:
    """Every change of the context that lowers a risk that is too high, or raises the threshold."""
    tried: list[tuple[set[str], set[str]]] = []
    for change in context_changes(release):
        try:
            score = release.score_in(change_settings(release.content["context"], change.settings))
        except InvalidSetting:  # the preset does not allow it
            continue
        then = Judgement.of(measurements, score, seed=now.seed, quick=True)
        helped = _helped_parts(now, then)
        settings, accepted = set(change.settings), {one[0] for one in helped if one[2].acceptable}
        if not helped or any(less < settings and accepted <= before for less, before in tried if before):
            continue  # it has no effect, or no more than a smaller change
        tried.append((settings, accepted))
        _, before, after = helped[0]
        yield Remedy(
            kind=change.kind,
            part=None,
            text=f"{change.text}: {'; '.join(_effect(*one) for one in helped)}.",
            change=change.stated or None,
            needs_evidence=change.claimed,
            risk_before=before.overall,
            risk_after=after.overall,
            part_acceptable_after=after.acceptable,
            acceptable_after=then.acceptable,
            size=change.size,
            score=score,
        )


def _helped_parts(now: Judgement, then: Judgement) -> list[tuple[str, PartVerdict, PartVerdict]]:
    """The parts whose risk comes closer to the limit; those that become acceptable come first."""
    found = []
    for one in now.refused:
        before, after = one.verdict, then.verdict_on(one.part.name)
        if before is not None and after is not None:
            is_closer = after.ratio < before.ratio * (1 - 1e-9)
            if after.acceptable or is_closer:
                found.append((one.part.name, before, after))
    return sorted(found, key=lambda one: not one[2].acceptable)


def _effect(name: str, before: PartVerdict, after: PartVerdict) -> str:
    """The change of risk and limit of a part, and whether it is enough."""
    changes = []
    if before.overall != after.overall:
        changes.append(f"risk from {_number(before.overall)} to {_number(after.overall)}")
    if before.threshold != after.threshold:
        changes.append(f"limit from {_number(before.threshold)} to {_number(after.threshold)}")
    result = "then acceptable" if after.acceptable else "not enough on its own"
    return f"{name} ({', '.join([*changes, result])})"


def _number(value: float | None) -> str:
    return "unknown" if value is None else probability(value)


def context_changes(release: ReleaseFile) -> Iterator[ContextChange]:
    """What could be required of the recipient, or changed in the policy."""
    score = release.score
    controls = score.context.controls
    yield from _access_changes(release)
    if score.access == "non_public" and controls.checklist is None:
        for steps, level in enumerate(LEVELS[LEVELS.index(controls.level) + 1 :], start=1):
            text = f"Require {level} controls from the recipient"
            yield ContextChange("context", text, {"controls": level}, steps)
    if score.access == "non_public":
        yield from _practice_changes(release)
    for one in precedents():
        if one.cell_size < score.threshold.cell_size:
            settings = {"threshold.cell_size": one.cell_size, "threshold.reason": WHAT_IF}
            text = f"Use a threshold of 1/{one.cell_size} ({one.precedent})"
            yield ContextChange("threshold", text, settings, 2)


def _access_changes(release: ReleaseFile) -> Iterator[ContextChange]:
    """Terms of use, or a known recipient with the present controls or better ones."""
    score = release.score
    if score.access == "public":
        text = "Require everyone to accept terms of use"
        yield ContextChange("context", text, {"access": "semi_public"}, 2)
    if score.access != "non_public":
        known = {"access": "non_public"}
        yield ContextChange("context", "Release only to a known recipient", known, 3)
        if score.context.controls.checklist is None:
            for steps, level in enumerate(LEVELS[1:], start=4):
                text = f"Release only to a known recipient with {level} controls"
                yield ContextChange("context", text, {**known, "controls": level}, steps)


def _practice_changes(release: ReleaseFile) -> Iterator[ContextChange]:
    """Practices that are missing for a higher level of controls, and then the next threshold."""
    context = release.score.context
    sheet, later = context.controls.checklist, context.chosen.later
    if sheet is None:
        settings: dict[str, Any] = {"checklist.others": PROOF}
        yield from _with_threshold("all practices of the checklist", settings, 12, later)
        return
    for level in LEVELS[LEVELS.index(sheet.level) + 1 :]:
        gaps = sheet.needed_for(level)
        settings = {f"checklist.{practice.id}": PROOF for practice, _ in gaps}
        missing = sum(what == "practice" for _, what in gaps)
        proofs = len(gaps) - missing
        requirements = [plural(missing, "more practice")] if missing else []
        requirements += [f"evidence of {plural(proofs, 'practice')}"] if proofs else []
        rungs = later if level == "high" else ()
        size = 1 + len(gaps) / 4
        yield from _with_threshold(" and ".join(requirements), settings, size, rungs)


def _with_threshold(
    requirements: str, settings: Mapping[str, Any], size: float, later: Sequence[Any]
) -> Iterator[ContextChange]:
    text = f"Require {requirements}"
    yield ContextChange("practice", text, settings, size)
    for rung in later:
        higher = {"threshold.cell_size": rung.threshold.cell_size, "threshold.reason": WHAT_IF}
        allows = f"{text}, which allows a threshold of 1/{rung.threshold.cell_size}"
        yield ContextChange("practice", allows, {**settings, **higher}, size + 0.5)


def combined_remedies(
    remedies: Sequence[Remedy], measurements: Sequence[Measurement], now: Judgement
) -> Iterator[Remedy]:
    """The smallest combination of one context and one change for each part that still needs one.

    There is none if one change is enough, if a part failed, or if only another run could show the effect.
    """
    if now.failed or any(one.acceptable_after for one in remedies):
        return
    by_part = {
        refused.part.name: sorted(
            (one for one in remedies if one.part == refused.part.name and one.rejudge),
            key=lambda one: one.order,
        )
        for refused in now.refused
    }
    contexts: list[Remedy | None] = [None, *(one for one in remedies if one.score is not None)]
    found = [chosen for context in contexts if (chosen := _combination(context, by_part, measurements, now))]
    if found:
        yield _combined_remedy(min(found, key=lambda chosen: sum(one.size for one in chosen)), now)


def _combination(
    context: Remedy | None,
    by_part: dict[str, list[Remedy]],
    measurements: Sequence[Measurement],
    now: Judgement,
) -> list[Remedy] | None:
    """One change for each part that is not acceptable in a context; None if a part has none that helps."""
    score = now.score if context is None or context.score is None else context.score
    then = now if context is None else Judgement.of(measurements, score, seed=now.seed, quick=True)
    chosen = [] if context is None else [context]
    for refused in then.refused:
        helpful = (
            one
            for one in by_part.get(refused.part.name, [])
            if one.rejudge is not None and one.rejudge(score).acceptable
        )
        remedy = next(helpful, None)
        if remedy is None:
            return None
        chosen.append(remedy)
    return chosen


def _combined_remedy(chosen: list[Remedy], now: Judgement) -> Remedy:
    worst = now.refused[0].verdict
    changes: dict[str, Any] = {}
    claimed: dict[str, Any] = {}
    for one in chosen:
        changes |= dict(one.change or {})
        claimed |= one.needs_evidence
    return Remedy(
        kind=chosen[0].kind,
        part=None,
        text="Together: " + " And: ".join(one.text for one in chosen),
        change=changes or None,
        risk_before=worst.overall if worst else None,
        risk_after=None,
        part_acceptable_after=True,
        acceptable_after=True,
        needs_evidence=claimed,
        outside=tuple(text for one in chosen for text in one.outside),
        is_partial=any(one.trial is None for one in chosen),
        size=sum(one.size for one in chosen),
    )
