"""Changes to documents whose risk is too high: mask more, show less, or find more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from reidrisk.assess.judge.documents import judged_measure
from reidrisk.assess.parts.documents import DocumentsPart
from reidrisk.assess.remedies.case import PartCase
from reidrisk.assess.remedies.leaks import without_leaks
from reidrisk.assess.remedies.remedy import Rejudge, Remedy
from reidrisk.documents.risk.measure import LEAKING
from reidrisk.documents.risk.measured import DocumentMeasure


def document_remedies(part: DocumentsPart, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
    """What could be done, the smallest change first."""
    found = DocumentMeasure.from_dict(measured)

    def judged(changed: DocumentMeasure) -> Rejudge:
        return partial(_judged, part, changed, seed=case.now.seed)

    if found.seen is not None and found.seen.unmasked:
        masked = replace(found, seen=replace(found.seen, unmasked=0))
        text = "Redact direct identifiers in the sections that are kept"
        yield from case.remedy("drop", text, judged(masked), None, 1)
    if found.scenario in LEAKING:
        yield from _leaks(found, judged, case)
    if found.scenario == "replaced":
        change = {f"parts.{part.name}.scenario": "redacted"}
        redacted = replace(found, scenario="redacted")
        yield from case.remedy("drop", "Redact instead of replacing", judged(redacted), change, 3)
    if found.scenario not in LEAKING:
        yield from _classes(part, found, judged, case)


def _judged(part: DocumentsPart, found: DocumentMeasure, score: Any, *, seed: int) -> Any:
    return judged_measure(part, found, score, seed=seed)


def _leaks(found: DocumentMeasure, judged: Any, case: PartCase) -> Iterator[Remedy]:
    evidence = found.evidence
    if evidence is None:
        return
    leaking = [kind for kind in evidence.of_role("direct") if kind.leaking_documents]
    for kind in sorted(leaking, key=lambda one: -one.leaking_documents):
        mended = replace(found, evidence=without_leaks(evidence, [kind.type]))
        text = f"A detection that misses no {kind.type} (it was missed for {kind.leaking_documents:,})"
        yield from case.remedy("tool", text, judged(mended), None, 5)


def _classes(part: DocumentsPart, found: DocumentMeasure, judged: Any, case: PartCase) -> Iterator[Remedy]:
    if found.scenario == "ipd" and found.mentioned is not None:
        change = {f"parts.{part.name}.scenario": "ipd_mentioned"}
        fewer = replace(found, scenario="ipd_mentioned")
        text = "Count only participants and values that the documents mention"
        yield from case.remedy("tool", text, judged(fewer), change, 1)
    for name, classes in found.without:
        mentioned = found.scenario == "ipd_mentioned"
        less = replace(found, mentioned=classes) if mentioned else replace(found, everybody=classes)
        yield from case.remedy("drop", f"Redact {name} instead of replacing it", judged(less), None, 2)
