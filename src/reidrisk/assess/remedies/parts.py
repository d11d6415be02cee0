"""Changes to a single part: a coarser column, a column less, a policy that tells less, a better tool."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from reidrisk.assess.judge.judged import Judged
from reidrisk.assess.judge.population import judged_risk, risks_of
from reidrisk.assess.judge.table import judged_sizes
from reidrisk.assess.judge.text import judge_counts
from reidrisk.assess.outcome import Judgement, Outcome
from reidrisk.assess.parts.attack import AttackPart
from reidrisk.assess.parts.deidentify import DeidentifyPart
from reidrisk.assess.parts.documents import DocumentsPart
from reidrisk.assess.parts.population import PopulationPart
from reidrisk.assess.parts.table import TablePart
from reidrisk.assess.parts.text import TextPart
from reidrisk.assess.remedies.attack import attack_remedies
from reidrisk.assess.remedies.case import PartCase
from reidrisk.assess.remedies.documents import document_remedies
from reidrisk.assess.remedies.leaks import without_leaks
from reidrisk.assess.remedies.remedy import Kind, Rejudge, Remedy
from reidrisk.context.score import ContextScore
from reidrisk.core.classes import ClassSizes
from reidrisk.tables.column_kinds import direct_suspects
from reidrisk.tables.measure import TableMeasure
from reidrisk.text.evidence import Evidence
from reidrisk.text.evidence_file import evidence_from_dict

SURROGATES = 0.27
SURROGATES_SOURCE = "recognition 0.27 as in Carrell et al. 2020, JAMIA 27(9):1374"


def part_remedies(outcome: Outcome, now: Judgement) -> Iterator[Remedy]:
    """What could be done to a part whose risk is too high."""
    part, judged, measured = outcome.part, outcome.judged, outcome.measurement.measured
    if judged is None or judged.acceptable or measured is None:
        return
    case = PartCase(part.name, judged, now)
    if isinstance(part, TextPart):
        yield from _text(part, measured, case)
    elif isinstance(part, DeidentifyPart):
        yield from _deidentify(measured, case)
    elif isinstance(part, AttackPart):
        yield from attack_remedies(part, measured, case)
    elif isinstance(part, TablePart):
        yield from _table(part, TableMeasure.from_dict(measured), case)
    elif isinstance(part, PopulationPart):
        yield from _population(part, measured, case)
    elif isinstance(part, DocumentsPart):
        yield from document_remedies(part, measured, case)


def _names(part: TablePart, found: TableMeasure, case: PartCase) -> Iterator[Remedy]:
    """Columns that seem to name people are left out."""
    named = list(direct_suspects(found.unnamed))
    if not named:
        return
    change = {f"parts.{part.name}.direct": {**part.treatments, **dict.fromkeys(named, "drop")}}
    enough = case.judged.ratio <= 1
    yield Remedy(
        "drop",
        part.name,
        f"Leave out {', '.join(named)}.",
        change,
        case.judged.overall,
        case.judged.overall,
        enough,
        enough and case.others,
        1,
    )


def _table(part: TablePart, found: TableMeasure, case: PartCase) -> Iterator[Remedy]:
    yield from _names(part, found, case)
    yield from _search(part, case)
    if part.adversary != "prosecutor" or found.events is not None:
        return  # sizes in the population, and supports of events, were counted for the table as it is only
    levels: dict[str, int] = {}
    for step in found.steps:
        levels[step.column] = levels.get(step.column, 0) + 1
        text = f"Generalize {step.column} to {step.level}"
        yield from _coarser(part, found, case, step.sizes, ("generalize", text, None, levels[step.column]))
    for kept in found.without:
        if kept.columns:
            gone = [name for name in found.schema.quasi if name not in kept.columns]
            change = {
                f"parts.{part.name}.quasi": list(kept.columns),
                f"parts.{part.name}.direct": {**part.treatments, **dict.fromkeys(gone, "drop")},
            }
            text = f"Leave out {', '.join(gone)}"
            yield from _coarser(part, found, case, kept.sizes, ("drop", text, change, 8))


def _coarser(
    part: TablePart,
    found: TableMeasure,
    case: PartCase,
    sizes: ClassSizes,
    said: tuple[Kind, str, Any, float],
) -> Iterator[Remedy]:
    """What a change of the classes does to the risk; failing that, to the number of exposed records."""
    kind, text, change, size = said
    helps = list(case.remedy(kind, text, lambda score: judged_sizes(part, found, sizes, score), change, size))
    if helps:
        yield from helps
        return
    k = case.now.score.threshold.cell_size
    now, then = (one.records_below(k) / one.records for one in (found.sizes, sizes))
    if then < now:
        fewer = (
            f"{text}: records above 1/{k} {100 * now:.1f} % to {100 * then:.1f} %; the highest risk stays."
        )
        risk = case.judged.overall
        yield Remedy(kind, case.name, fewer, change, risk, risk, False, False, 20 + then)  # noqa: FBT003


def _search(part: TablePart, case: PartCase) -> Iterator[Remedy]:
    """Where hierarchies are given, the least loss can be searched for."""
    if not part.given.get("hierarchies"):
        return
    text = "Let the least loss be searched that makes it acceptable. Only the search can tell."
    change = {f"parts.{part.name}.deidentify": True}
    yield Remedy("generalize", case.name, text, change, case.judged.overall, None, None, None, 3)


def _deidentify(measured: Any, case: PartCase) -> Iterator[Remedy]:
    """The strictest rung without a solution says which limit is in the way."""
    limit = measured["settings"]["max_suppression"]
    for rung in measured["threshold_ladder"]:
        if rung["outcome"] != "no solution":
            continue
        share = rung["suppressed_share"]
        more = (
            f"{100 * share:.1f} % of records may lose a value instead of {100 * limit:.0f} %" if share else ""
        )
        text = ". ".join(said.rstrip(".") for said in (more, rung["nearest"] or "") if said)
        change = {f"parts.{case.name}.max_suppression": _up(share)} if share else None
        yield Remedy(
            "generalize",
            case.name,
            f"At 1/{rung['cell_size']}: {text}. Only another search can tell.",
            change,
            case.judged.overall,
            None,
            None,
            None,
            3 + len(measured["threshold_ladder"]),
        )


def _up(share: float) -> float:
    """Rounded so that the limit is surely reached."""
    return float(np.ceil(share * 1000) / 1000)


def _population(part: PopulationPart, measured: Any, case: PartCase) -> Iterator[Remedy]:
    """The policies it was compared with; the two change places."""
    own, *others = part.policies
    for at, risk in enumerate(risks_of(measured)[1:]):
        rejudge = partial(judged_risk, part, measured, risk)
        left = [own, *(text for text in others if text != others[at])]
        change = {
            f"parts.{part.name}.policy": others[at],
            f"parts.{part.name}.compare": left[0] if len(left) == 1 else left,
        }
        text = f"Share by {risk['policy']['name']} only"
        yield from case.remedy("generalize", text, rejudge, change, 4)


def _text(part: TextPart, measured: Any, case: PartCase) -> Iterator[Remedy]:
    """A tool that misses nothing of a type; surrogates in the place of black bars."""
    evidence = evidence_from_dict(measured["evidence"])

    def as_is(mended: Evidence) -> Rejudge:
        return lambda score: judge_counts(
            part, mended, score.release(part.treatment, part.recognition), score, seed=case.now.seed
        )

    leaking = [kind for kind in evidence.of_role("direct") if kind.leaking_documents]
    for kind in sorted(leaking, key=lambda one: -one.leaking_documents):
        text = f"A tool that misses no {kind.type} ({kind.leaking_documents:,} documents leak one)"
        yield from case.remedy("tool", text, as_is(without_leaks(evidence, [kind.type])), None, 5)
    if len(leaking) > 1:
        mended, text = without_leaks(evidence, [kind.type for kind in leaking]), "direct identifier"
        size = 5 + len(leaking)
        yield from case.remedy("tool", f"A tool that misses no {text}", as_is(mended), None, size)
    if part.treatment == "redaction":
        yield from _surrogates(part, evidence, case)


def _surrogates(part: TextPart, evidence: Evidence, case: PartCase) -> Iterator[Remedy]:
    change = {f"parts.{part.name}.treatment": "resynthesis", f"parts.{part.name}.recognition": SURROGATES}
    text = f"Replace caught identifiers by surrogates ({SURROGATES_SOURCE})"

    def replaced(score: ContextScore) -> Judged:
        release = score.release("resynthesis", SURROGATES)
        return judge_counts(part, evidence, release, score, seed=case.now.seed)

    yield from case.remedy("tool", text, replaced, change, 4)
