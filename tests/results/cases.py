"""Results of every kind, as the tests of the report make them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.report import (
    attacked,
    deidentified,
    documents_made,
    documents_risk,
    gold,
    population,
    resynthesis,
    tiny,
    useful,
)
from tests.report.kinds import KINDS

Make = Callable[[], dict[str, Any]]


def fixtures() -> dict[str, Make]:
    """By the name of the kind or of the case."""
    made: dict[str, Make] = {f"kind: {kind}": make for kind, make in KINDS.items()}
    made |= {f"text: {case}": partial(tiny.result, **given) for case, given in tiny.CASES.items()}
    made |= {f"attack: {case}": partial(attacked.attacked, case) for case in attacked.CASES}
    made |= {f"utility: {case}": partial(useful.useful, case) for case in useful.CASES}
    made |= {f"deidentified: {case}": make for case, make in deidentified.CASES.items()}
    made |= {f"documents: {case}": make for case, make in documents_made.CASES.items()}
    made |= {f"document risk: {case}": make for case, make in documents_risk.CASES.items()}
    made |= {f"gold: {case}": make for case, make in gold.CASES.items()}
    made |= {f"resynthesis: {case}": make for case, make in resynthesis.CASES.items()}
    made |= {f"population: {case}": partial(population.result, case) for case in population.MAKERS}
    return made
