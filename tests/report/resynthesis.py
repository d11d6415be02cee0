"""De-identified and attacked texts, for the tests of their views."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from reidrisk.core.estimate import Estimate
from reidrisk.resynthesis.attack.result import AttackRow, RiskRow, TextAttack, TypeRow
from reidrisk.resynthesis.result import ReplacementCounts, TextDeidentification
from reidrisk.resynthesis.settings import ResynthesisSettings
from tests.report.gold import NAMES

RISK = Estimate(0.13, 0.09, 0.17)
TINY = Estimate(0.0004, 0.000018, 0.0018)


def deidentification(mode: Any = "surrogate", *, found: bool = True) -> dict[str, Any]:
    count = ReplacementCounts(documents=3, characters=1200, empty=1)
    if found:
        count.by_type.update({"NAME": 9, "DATE": 4, NAMES[1]: 2, NAMES[3]: 1})
        count.by_source.update({"dictionary:name": 9, "model": 7})
    settings = {
        **ResynthesisSettings(mode=mode).to_dict(),
        "detector": "built in",
        "known": None,
        "terms": [],
    }
    return TextDeidentification(NAMES[1], "out", count, settings, ("A note.",), resumed=1).to_dict()


def attack(method: str = "resynthesis", *, leaks: int = 12) -> dict[str, Any]:
    hidden = method == "resynthesis" and leaks > 0
    risks = [RiskRow("every leak recognized", 1.0, RISK, TINY)]
    if hidden:
        risks += [RiskRow("measured here", 0.25, RISK, TINY), RiskRow("Carrell 2020", 0.27, None, TINY)]
    rows = (AttackRow("frequency", 0.25, 0.6, 3, 2), AttackRow("parrot", 0.0, None, 0, 0)) if hidden else ()
    recognition = Estimate(0.25, 0.08, 0.5) if hidden else None
    return TextAttack(
        inputs=(("deidentified", NAMES[1]), ("gold", "gold.jsonl")),
        method=method,
        documents=20,
        instances=240,
        leaks=leaks,
        recognition=Estimate(1.0, 1.0, 1.0) if method == "redaction" else recognition,
        bootstrap=(0.05, 0.52) if hidden else None,
        best="frequency" if hidden else None,
        attacks=rows,
        by_type=(TypeRow(NAMES[3], "direct", 100, leaks, min(3, leaks)), TypeRow("DATE", "quasi", 140, 0, 0)),
        trade=((0.9, 0.0, None), (0.5, 0.25, 0.6)) if hidden else (),
        risks=tuple(risks),
        settings={"precision": 0.5, "folds": 5, "level": 0.95},
        seed=7,
    ).to_dict()


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "deidentified: surrogates": deidentification,
    "deidentified: marks": lambda: deidentification("label"),
    "deidentified: nothing": lambda: deidentification("redact", found=False),
    "attack: measured": attack,
    "attack: redaction": lambda: attack("redaction"),
    "attack: no leak": lambda: attack(leaks=0),
}


@cache
def result(case: str) -> dict[str, Any]:
    return CASES[case]()
