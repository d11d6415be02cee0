"""Risks of documents under every scenario, for the tests of their views."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reidrisk.context.qualitative import qualitative_risk
from reidrisk.context.release import Release
from reidrisk.documents.risk.run import document_risk
from reidrisk.documents.risk.settings import Scenario, document_settings
from tests.documents.risk.builders import everybody, findings, kumar_study, reviewed

FACTORS = {"population": "moderate", "participants": "high", "centres": "low"}


@cache
def document(scenario: Scenario, **options: str) -> dict[str, Any]:
    """One scenario of the published trial."""
    spots = [*everybody(["USUBJID", "SEX", "AGE"], (1, 2, 8)), (3, "AGE", "16.2.7"), (4, "SEX", "12.3.2")]
    sample = reviewed(findings(spots, pages=2), [(2, "AGE", None), (2, "SEX", None)], pages=2)
    with TemporaryDirectory() as folder:
        study = kumar_study(
            Path(folder),
            sections={"16.2": "leave_out", "12.3": "keep"},
            qualitative=qualitative_risk(identifiers="high", **FACTORS),
        )
        return document_risk(
            study,
            scenario,
            findings=sample,
            review=sample,
            release=Release.public("resynthesis", recognition=0.27) if scenario == "replaced" else None,
            settings=document_settings(options={"crosscheck": "no", **options}),
        ).to_dict()


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "redacted": lambda: document("redacted"),
    "replaced": lambda: document("replaced"),
    "ipd": lambda: document("ipd"),
    "ipd_mentioned": lambda: document("ipd_mentioned", show_subjects="yes"),
    "qualitative": lambda: document("qualitative"),
    "qualitative, after": lambda: document("qualitative", remaining="low"),
}
