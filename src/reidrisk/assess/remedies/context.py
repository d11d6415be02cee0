"""Other contexts for the same data: better controls, more practices, less access, another threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reidrisk.assess.judge.judged import Judged
from reidrisk.assess.measuring import Measurement
from reidrisk.assess.outcome import Judgement
from reidrisk.assess.read import ReleaseFile
from reidrisk.assess.remedies.remedy import Kind, Remedy
from reidrisk.context.changes import changed_content
from reidrisk.context.preset import precedents
from reidrisk.context.settings import LEVELS
from reidrisk.core.wording import plural, probability
from reidrisk.errors import InvalidSetting

PROOF = {"answer": "yes", "evidence": "to be shown"}
WHAT_IF = "what if"


@dataclass(frozen=True, slots=True)
class Change:
    """Settings of a context, and in words what they ask for."""

    kind: Kind
    text: str
    settings: Mapping[str, Any] = field(repr=False)
    size: float


def context_remedies(
    release: ReleaseFile, measurements: Sequence[Measurement], now: Judgement
) -> Iterator[Remedy]:
    """Every change of the context that lowers a risk that is too high, or raises what is accepted."""
    tried: list[tuple[set[str], set[str]]] = []
    for change in changes_of(release):
        try:
            score = release.scored(changed_content(release.content["context"], change.settings))
        except InvalidSetting:  # the preset does not allow it
            continue
        then = Judgement.of(measurements, score, seed=now.seed, quick=True)
        helped = _helped(now, then)
        settings, accepted = set(change.settings), {one[0] for one in helped if one[2].acceptable}
        if not helped or any(less < settings and accepted <= before for less, before in tried if before):
            continue  # nothing, or no more than a smaller change does
        tried.append((settings, accepted))
        _, before, after = helped[0]
        yield Remedy(
            kind=change.kind,
            part=None,
            text=f"{change.text}: {'; '.join(_effect(*one) for one in helped)}.",
            change={f"context.{key}": value for key, value in change.settings.items()},
            risk_before=before.overall,
            risk_after=after.overall,
            part_acceptable_after=after.acceptable,
            acceptable_after=then.acceptable,
            size=change.size,
            score=score,
        )


def _helped(now: Judgement, then: Judgement) -> list[tuple[str, Judged, Judged]]:
    """The parts that come nearer to their limit, those that become acceptable first."""
    found = []
    for outcome in now.refused:
        name, before = outcome.part.name, outcome.judged
        after = then.of_part(name)
        if before is not None and after is not None:
            nearer = after.ratio < before.ratio * (1 - 1e-9)
            if after.acceptable or nearer:
                found.append((name, before, after))
    return sorted(found, key=lambda one: not one[2].acceptable)


def _effect(name: str, before: Judged, after: Judged) -> str:
    """Risk and limit of a part as far as they change, and whether that is enough."""
    said = []
    if before.overall != after.overall:
        said.append(f"risk {_number(before.overall)} to {_number(after.overall)}")
    if before.threshold != after.threshold:
        said.append(f"limit {_number(before.threshold)} to {_number(after.threshold)}")
    enough = "acceptable then" if after.acceptable else "not enough alone"
    return f"{name}, {' and '.join([*said, enough])}"


def _number(value: float | None) -> str:
    return "unknown" if value is None else probability(value)


def changes_of(release: ReleaseFile) -> Iterator[Change]:
    """What could be asked of the recipient, or of the policy."""
    score = release.score
    controls = score.context.controls
    yield from _access(release)
    if score.access == "non_public" and controls.checklist is None:
        for steps, level in enumerate(LEVELS[LEVELS.index(controls.level) + 1 :], start=1):
            yield Change("context", f"Controls of level {level} at the recipient", {"controls": level}, steps)
    if score.access == "non_public":
        yield from _practices(release)
    for one in precedents():
        if one.cell_size < score.threshold.cell_size:
            settings = {"threshold.cell_size": one.cell_size, "threshold.reason": WHAT_IF}
            yield Change("threshold", f"A threshold of 1/{one.cell_size} ({one.precedent})", settings, 2)


def _access(release: ReleaseFile) -> Iterator[Change]:
    """A known recipient, with the controls there are or better ones."""
    score = release.score
    if score.access == "public":
        yield Change("context", "Terms of use that everybody must accept", {"access": "semi_public"}, 2)
    if score.access != "non_public":
        known = {"access": "non_public"}
        yield Change("context", "A known recipient instead", known, 3)
        if score.context.controls.checklist is None:
            for steps, level in enumerate(LEVELS[1:], start=4):
                text = f"A known recipient with controls of level {level}"
                yield Change("context", text, {**known, "controls": level}, steps)


def _practices(release: ReleaseFile) -> Iterator[Change]:
    """Practices that lack for a higher level of controls, and with them the next threshold."""
    context = release.score.context
    sheet, later = context.controls.checklist, context.chosen.later
    if sheet is None:
        settings: dict[str, Any] = {"checklist.others": PROOF}
        yield from _with_threshold("All practices of the checklist", settings, 12, later)
        return
    for level in LEVELS[LEVELS.index(sheet.level) + 1 :]:
        gaps = sheet.needed_for(level)
        settings = {f"checklist.{practice.id}": PROOF for practice, _ in gaps}
        lacking = sum(what == "practice" for _, what in gaps)
        proofs = len(gaps) - lacking
        said = [plural(lacking, "more practice")] if lacking else []
        said += [f"evidence of {plural(proofs, 'practice')}"] if proofs else []
        rungs = later if level == "high" else ()
        size = 1 + len(gaps) / 4
        yield from _with_threshold(" and ".join(said), settings, size, rungs)


def _with_threshold(
    text: str, settings: Mapping[str, Any], size: float, later: Sequence[Any]
) -> Iterator[Change]:
    yield Change("practice", text, settings, size)
    for rung in later:
        higher = {"threshold.cell_size": rung.threshold.cell_size, "threshold.reason": WHAT_IF}
        allows = f"{text} allow a threshold of 1/{rung.threshold.cell_size}"
        yield Change("practice", allows, {**settings, **higher}, size + 0.5)
