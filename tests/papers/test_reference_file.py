"""No reference case but those of later jobs is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.papers import test_benitez_2010, test_context, test_el_emam_2009, test_kniola_2016, test_kumar_2017
from tests.papers.tables import Case
from tests.stats.reference_cases import CASES as FORMULAS
from tests.stats.uniqueness import test_reference_cases as uniqueness

PAPERS = (
    test_benitez_2010,
    test_context,
    test_el_emam_2009,
    test_kniola_2016,
    test_kumar_2017,
    uniqueness,
)


def ours(topic: str) -> bool:
    whole = {"threshold", "attack"}
    families = ("structured.", "cheo.", "benitez.", "context.", "uniqueness.", "kumar.")
    return topic in whole or topic.startswith(families)


def copied() -> dict[str, Case]:
    cases = [case for paper in PAPERS for case in paper.CASES]
    return {case[0]: case for case in [*FORMULAS, *cases]}


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def test_every_reference_case_has_its_copy(shared: Path) -> None:
    reference = json.loads((shared / "reference_values.json").read_text(encoding="utf-8"))
    wanted = [case for case in reference["cases"] if ours(case["topic"])]
    known = copied()
    assert [case["id"] for case in wanted if case["id"] not in known] == []
    for case in wanted:
        fields = [case[name] for name in ("id", "topic", "function", "inputs", "expected", "tolerance")]
        assert as_json(known[case["id"]]) == fields


def test_every_copy_is_computed() -> None:
    from reidrisk.validate.formulas import TEXT_FORMULAS

    for paper in PAPERS:
        functions = {case[2] for case in paper.CASES}
        assert functions == set(getattr(paper, "COMPUTE", functions))
    assert {case[2] for case in FORMULAS} <= set(TEXT_FORMULAS)
    assert sum(case[1] == "threshold" for case in FORMULAS) == 7
