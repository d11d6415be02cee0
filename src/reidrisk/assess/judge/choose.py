"""Judge a part of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reidrisk.assess.judge.attack import judge_attack
from reidrisk.assess.judge.deidentify import judge_deidentified
from reidrisk.assess.judge.documents import judge_documents
from reidrisk.assess.judge.judged import Judged
from reidrisk.assess.judge.population import judge_population
from reidrisk.assess.judge.table import judge_table
from reidrisk.assess.judge.text import judge_text
from reidrisk.assess.parts.attack import AttackPart
from reidrisk.assess.parts.deidentify import DeidentifyPart
from reidrisk.assess.parts.documents import DocumentsPart
from reidrisk.assess.parts.part import Part
from reidrisk.assess.parts.population import PopulationPart
from reidrisk.assess.parts.table import TablePart
from reidrisk.assess.parts.text import TextPart
from reidrisk.context.score import ContextScore


def judge(
    part: Part, measured: Mapping[str, Any], score: ContextScore, *, seed: int, quick: bool = False
) -> Judged:
    """A pure function of what was measured and of the context."""
    if isinstance(part, TextPart):
        return judge_text(part, measured, score, seed=seed, quick=quick)
    if isinstance(part, DeidentifyPart):
        return judge_deidentified(measured, score)
    if isinstance(part, AttackPart):
        return judge_attack(measured, score)
    if isinstance(part, TablePart):
        return judge_table(part, measured, score)
    if isinstance(part, DocumentsPart):
        return judge_documents(part, measured, score, seed=seed, quick=quick)
    assert isinstance(part, PopulationPart)  # noqa: S101 - there is no other kind
    return judge_population(part, measured, score)
