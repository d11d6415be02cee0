"""Assessments as dictionaries, from results of every job, for the tests of the reports."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pyarrow as pa

import reidrisk as rr
from reidrisk.demo import case_study_tool, clinical_notes
from tests.report.deidentified_study import second_rung
from tests.report.population import state

SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
FIVE = rr.Threshold.from_cell_size(5, "hospital policy")


@cache
def text() -> dict[str, Any]:
    """The demo's notes."""
    notes = clinical_notes(seed=7)
    release = rr.Release.non_public("resynthesis", recognition=0.1, attempt=(0.3, 0.4, 0.5))
    tool = case_study_tool(notes, seed=7)
    return rr.evaluate_text(notes, tool, release=release, threshold=FIVE, seed=7).to_dict()


@cache
def table() -> dict[str, Any]:
    """A table as it is."""
    rows = [("FM"[place % 2], 20 + place * 7 % 50, "NSEW"[place % 4]) for place in range(200)]
    sex, age, region = (list(column) for column in zip(*rows, strict=True))
    schema = rr.Schema(quasi=("sex", "age", "region"))
    return rr.table_risk(
        pa.table({"sex": sex, "age": age, "region": region}), schema, threshold=FIVE
    ).to_dict()


@cache
def compared() -> dict[str, Any]:
    """Two policies in the demo's state."""
    return rr.compare_policies(state(), [rr.LIMITED_DATASET, rr.SAFE_HARBOR], by="county").to_dict()


def context() -> dict[str, Any]:
    """A context score."""
    return {
        "kind": "context_score",
        "access": "non_public",
        "rule": "cell_size",
        "statistic": "highest",
        "cap": 1 / 3,
        "attempt": {"value": 0.3, "low": 0.2, "mode": 0.3, "high": 0.4},
        "risks": {"deliberate": 0.3, "acquaintance": 0.247, "breach": None},
        "undefined": {"breach": "No breach rate was stated."},
        "context_risk": 0.3,
        "threshold": {
            "probability": 0.2,
            "cell_size": 5,
            "reason": "baseline of the hospital study",
            "source": "El Emam et al. 2009",
            "ours": False,
        },
        "controls": {"level": "medium", "from": "checklist", "answered": 38, "in_place": 36, "missing": []},
        "motives": {"level": "low"},
        "invasion": {"level": "medium"},
        "next_threshold": {
            "cell_size": 3,
            "probability": 1 / 3,
            "missing": [
                {"practice": "audits", "text": "Audits of the recipient may be made without notice."},
                {"practice": "penalties", "text": "The agreement names what a breach of it costs."},
            ],
            "missing_count": 2,
            "level_needed": "high",
        },
        "agreement": agreement(),
        "notes": ["No breach rate was stated; the other two ways decide."],
        "sources": ["Information and Privacy Commissioner of Ontario (2016)."],
        "precedents": [
            {"cell_size": 3, "precedent": "highly trusted recipients", "source": "Scaiano et al. 2016"},
            {"cell_size": 5, "precedent": "the most common", "source": "Scaiano et al. 2016"},
            {"cell_size": 11, "precedent": "public releases in the US and by EMA", "source": None},
        ],
    }


def agreement() -> list[dict[str, Any]]:
    """Practices for the data-sharing agreement."""
    return [
        {
            "practice": "no_onward_disclosure",
            "clause": "The recipient passes the data on to nobody.",
            "counted_for": "controls, level medium",
        },
        {
            "practice": "breach_notification",
            "clause": "The recipient tells the custodian of a breach within two days.",
            "counted_for": "controls, level medium",
        },
    ]


def part(name: str, result: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """A part with these figures."""
    judged = {
        "acceptable": True,
        "statistic": "highest risk of a record",
        "risk": 0.1,
        "low": None,
        "high": None,
        "attempt": 1.0,
        "overall": 0.1,
        "threshold": 0.2,
        "cell_size": 5,
        "sentence": "The highest risk, 0.1, does not exceed 1/5.",
    } | more.pop("judged", {})
    return {
        "name": name,
        "kind": "table",
        "task": "risk",
        "status": "measured",
        "error": None,
        "inputs": [{"path": f"data/{name}.csv", "sha256": SHA, "bytes": 123_456}],
        "judged": judged,
        "initial": None,
        "final": {"statistic": judged["statistic"], "risk": judged["risk"]},
        "measures": [],
        "result": result,
    } | more


def parts() -> list[dict[str, Any]]:
    """One of each job, and one that failed."""
    direct = text()["direct"]
    return [
        part(
            "notes",
            text(),
            kind="text",
            judged={
                "acceptable": False,
                "statistic": "upper limit, direct identifiers",
                "risk": direct["value"],
                "low": direct["low"],
                "high": direct["high"],
                "attempt": 0.3,
                "overall": direct["value"],
                "threshold": direct["threshold"],
                "cell_size": None,
                "sentence": text()["reasons"][0],
            },
            measures=["Names, numbers and dates were replaced by realistic surrogates."],
        ),
        part(
            "records",
            table(),
            judged={
                "acceptable": False,
                "risk": 0.5,
                "overall": 0.5,
                "sentence": "The highest risk of a record, 0.5, exceeds 1/5.",
            },
        ),
        part(
            "released",
            second_rung(),
            task="deidentify",
            initial={"statistic": "highest risk of a record", "risk": 1.0},
            judged={
                "risk": 1 / 3,
                "overall": 1 / 3,
                "threshold": 1 / 3,
                "cell_size": 3,
                "sentence": "The highest risk of a record, 1/3, does not exceed 1/3.",
            },
            measures=["Ages in weeks.", "1,544 visits lost at least one value."],
        ),
        part(
            "state",
            compared(),
            kind="population",
            task="compare",
            judged={
                "statistic": "total risk",
                "risk": 0.39,
                "overall": 0.117,
                "attempt": 0.3,
                "sentence": "The total risk times the attempt, 0.1170, does not exceed 1/5.",
            },
        ),
    ]


def failing() -> dict[str, Any]:
    """A part that could not be measured."""
    return part(
        "second table",
        None,
        status="failed",
        error={"problem": "second.csv does not exist.", "hint": "Check its name."},
        judged=dict.fromkeys(("acceptable", "statistic", "risk", "overall", "threshold", "sentence")),
        final=None,
        inputs=[],
    )


def assessment(**more: Any) -> dict[str, Any]:
    """A release that may not be made as it is."""
    given = {
        "kind": "assessment",
        "version": "0.1.0",
        "acceptable": False,
        "settings": {"reidrisk": 1},
        "seed": 7,
        "versions": {"reidrisk": "0.1.0", "numpy": "2.4.0", "scipy": "1.17.0"},
        "release": {
            "name": "Prescription records for the formulary study",
            "purpose": "A study of how prescribing changed over two years.",
            "custodian": "Children's hospital, pharmacy",
            "recipient": "University department of epidemiology",
            "prepared_by": "Privacy office",
            "date": "2026-11-01",
            "review": {"months": 12, "due": "2027-11-01"},
        },
        "context": context(),
        "verdict": {
            "acceptable": False,
            "sentence": "The release is not acceptable: two parts are above their limits, one failed.",
        },
        "reasons": [
            {"part": "notes", "text": text()["reasons"][0], "holds": False},
            {"part": "notes", "text": text()["reasons"][1], "holds": True},
            {"part": "records", "text": "The highest risk, 0.5, exceeds 1/5.", "holds": False},
            {"part": "released", "text": "The highest risk, 1/3, does not exceed 1/3.", "holds": True},
            {"part": None, "text": "A part could not be judged.", "holds": False},
        ],
        "remedies": remedies(),
        "parts": [*parts(), failing()],
        "agreement": agreement(),
        "sensitivity": [
            {"part": "notes", "what": "recognition 0.27", "risk": 0.11, "overall": 0.11, "acceptable": False},
            {"part": "records", "what": "cell size 3", "risk": 0.5, "overall": 0.5, "acceptable": False},
            {"part": "released", "what": "cell size 5", "risk": 0.333, "overall": 0.333, "acceptable": False},
        ],
        "monitoring": None,
    }
    return deepcopy(given | more)


def remedies() -> list[dict[str, Any]]:
    """Four changes, of which none alone is enough."""
    texts = (
        ("generalize", "records", "Generalize age to 5 years.", 0.5, 0.08, False),
        ("practice", None, "Two more practices allow 1/3.", 0.2, 0.2, False),
        ("drop", "records", "Leave out region.", 0.5, 0.25, False),
        ("tool", "notes", "A tool that misses fewer names.", 0.1, 0.05, None),
    )
    return [
        {
            "rank": rank,
            "kind": kind,
            "part": where,
            "text": said,
            "change": None,
            "risk_before": before,
            "risk_after": after,
            "acceptable_after": acceptable,
        }
        for rank, (kind, where, said, before, after, acceptable) in enumerate(texts, start=1)
    ]


def accepted() -> dict[str, Any]:
    """A release that may be made, with what was seen the last time."""
    return assessment(
        acceptable=True,
        verdict={"acceptable": True, "sentence": "The release is acceptable on the practices named."},
        reasons=[{"part": "released", "text": "The highest risk, 1/3, does not exceed 1/3.", "holds": True}],
        parts=[parts()[2]],
        remedies=[],
        monitoring={
            "previous": {"date": "2025-11-01", "acceptable": True, "version": "0.1.0"},
            "changes": [{"part": "released", "what": "records", "before": 10_000, "after": 10_364}],
            "still_holds": True,
            "review_due": "2027-11-01",
        },
    )
