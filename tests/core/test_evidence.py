"""Every rule has a grade, every verdict names the weakest, and no entry of the registry is idle."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.core.evidence import (
    GRADES,
    RULES,
    UNDECIDED_KINDS,
    USED,
    evidence_of,
    evidence_sentence,
    part_evidence,
    used_rules,
    weakest_grade,
)
from reidrisk.core.shared_figures import shared
from reidrisk.report.views import KINDS
from tests.assess.builders import write_data, write_file

ROOT = Path(__file__).parents[2]
HEADING = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)


def text(role: str = "direct", *, gate: bool = False, h: float = 1.0, **more: Any) -> dict[str, Any]:
    """The parts of a text result that its evidence depends on."""
    attempt = more.pop("attempt", 1)
    return {
        "kind": "text_risk",
        "acceptable": True,
        "settings": {"gate": "significant", "release": {"recognition": h, "attempt": attempt}},
        "gates": [{"role": role, "applied": gate}],
        role: {"value": 0.1, "interval": more.pop("interval", "observed")},
        **more,
    }


def table(**more: Any) -> dict[str, Any]:
    return {
        "kind": "table_risk",
        "acceptable": True,
        "adversary": "prosecutor",
        "threshold": {"cell_size": 5},
        "smallest_class": 5,
        **more,
    }


SAMPLE = {"chosen": "copula"}
CASES: dict[str, tuple[dict[str, Any], str | None, set[str]]] = {
    "redacted text": (text(), "proved", {"text.share_limit"}),
    "gates closed": (text(h=0.27), "proved", {"text.share_limit"}),
    "gate open, nothing hidden": (text(gate=True), "proved", {"text.share_limit"}),
    "surrogates": (
        text(gate=True, h=0.27),
        "published",
        {"text.mean_limit", "text.gate", "text.recognition"},
    ),
    "clusters": (text(clusters={"clusters": 9}), "simulated", {"text.mean_limit"}),
    "strata": (text(strata=[{"stratum": "a"}]), "simulated", {"text.mean_limit"}),
    "uncertain attempt": (
        text("quasi", attempt=[0.3, 0.4, 0.5]),
        "published",
        {"text.mean_limit", "context.attempt"},
    ),
    "one attempt": (
        text("quasi", attempt=[0.4, 0.4, 0.4]),
        "published",
        {"text.share_limit", "context.attempt"},
    ),
    "attempts do not count for direct identifiers": (
        text("direct", attempt=[0.3, 0.4, 0.5]),
        "proved",
        {"text.share_limit"},
    ),
    "model": (text(interval="parameter"), "published", {"text.model"}),
    "nothing evaluated": (text(direct={"value": None}), None, set()),
    "comparison": (
        {"kind": "text_comparison", "acceptable": True, "tools": [text()]},
        "proved",
        {"text.share_limit"},
    ),
    "table": (table(), "proved", {"table.classes"}),
    "population": (table(adversary="journalist"), "proved", {"table.population_counts"}),
    "sample": (
        table(adversary="journalist", population_estimate=SAMPLE, smallest_class=1),
        "simulated",
        {"table.sample"},
    ),
    "sample whose classes reach the cell size": (
        table(adversary="journalist", population_estimate=SAMPLE),
        "proved",
        {"table.classes"},
    ),
    "sample beside": (table(population_estimate=SAMPLE, smallest_class=1), "proved", {"table.classes"}),
    "weights": (
        table(adversary="journalist", population_estimate={"chosen": "weights"}, smallest_class=1),
        "proved",
        {"table.classes"},
    ),
    "events and secrets": (
        table(longitudinal={"known": 1}, attribute_disclosure=[{"column": "x"}]),
        "proved",
        {"table.classes", "table.events", "table.sensitive"},
    ),
    "release": (
        {
            "kind": "table_deidentified",
            "acceptable": True,
            "after": table(),
            "lattice": {"nodes": 8},
            "solution": {"suppressed_cells": 3},
        },
        "proved",
        {"table.classes"},
    ),
    "no solution": (
        {"kind": "table_deidentified", "acceptable": False, "after": None, "lattice": {"nodes": 8}},
        "proved",
        {"table.search"},
    ),
    "attack": (
        {"kind": "table_attack", "acceptable": True, "decided": True, "probabilistic_linkage": {"a": 1}},
        "published",
        {"attack.rate"},
    ),
    "attack without a threshold": (
        {"kind": "table_attack", "acceptable": True, "decided": False},
        None,
        set(),
    ),
    "Safe Harbor": ({"kind": "table_hipaa", "acceptable": False}, "published", {"hipaa.safe_harbor"}),
    "policy with years": (
        {"kind": "population_risk", "acceptable": True, "policy": {"fields": {"birth": "year"}}},
        "proved",
        {"population.counts"},
    ),
    "policy with dates, modeled people": (
        {
            "kind": "population_risk",
            "acceptable": True,
            "policy": {"fields": {"birth": "date"}},
            "population": {"modelled": "fitted"},
        },
        "published",
        {"population.bins", "population.fit"},
    ),
    "no limit": ({"kind": "population_risk", "acceptable": None, "policy": {}}, None, set()),
    "two policies": (
        {
            "kind": "population_comparison",
            "acceptable": True,
            "risks": [{"policy": {"fields": {"birth": birth}}} for birth in ("year", "date")],
        },
        "published",
        {"population.counts", "population.bins"},
    ),
    "documents by the data": (
        {
            "kind": "document_risk",
            "acceptable": True,
            "catch": {"value": 0.1},
            "qualitative": {"level": "low"},
        },
        "proved",
        {"table.classes"},
    ),
    "documents, leaks and events": (
        {
            "kind": "document_risk",
            "acceptable": True,
            "settings": {"text": {"gate": "significant"}},
            "leak": {"direct": {"value": 0.1, "interval": "observed"}},
            "catch": {"value": 0.1},
            "combined": {"value": 0.2},
            "known": {"with_events": {"highest": 0.1}},
        },
        "published",
        {"text.share_limit", "table.classes", "table.events", "document.combination"},
    ),
    "tables of a study": (
        {"kind": "document_tables", "acceptable": True, "known": {"with_events": None}},
        "proved",
        {"table.classes"},
    ),
    "linked tables, drawn": (
        {"kind": "relational_risk", "acceptable": False, "by_known": [{"method": "sampled"}]},
        "proved",
        {"relational.join"},
    ),
    "parts together": (
        {"kind": "joint_risk", "acceptable": True, "settings": {"leaks": "model"}},
        "published",
        {"relational.join", "joint.leaks"},
    ),
    "assessment": (
        {
            "kind": "assessment",
            "acceptable": True,
            "parts": [
                {"judged": {"attempt": 1.0}, "result": table()},
                {"judged": {"attempt": 0.4}, "result": {"kind": "table_attack", "decided": False}},
            ],
        },
        "published",
        {"table.classes", "attack.rate", "context.attempt"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_verdict_names_the_weakest_grade_that_it_rests_on(name: str) -> None:
    result, grade, deciding = CASES[name]
    found = evidence_of(result)
    assert {row["rule"] for row in found if row["decides"]} == deciding
    assert weakest_grade(found) == grade
    assert [row["decides"] for row in found] == sorted((row["decides"] for row in found), reverse=True)


def test_no_rule_is_idle() -> None:
    used = {rule for result, _, _ in CASES.values() for rule, _ in used_rules(result)}
    assert used == set(RULES)


def test_every_kind_decides_with_evidence_or_says_why_not() -> None:
    assert set(USED) | set(UNDECIDED_KINDS) == set(KINDS)
    assert not set(USED) & set(UNDECIDED_KINDS)


def test_a_measured_coverage_links_to_a_table_of_the_documentation() -> None:
    for rule in RULES.values():
        assert rule.grade in GRADES
        assert rule.what
        assert rule.why.endswith(".")
        path, _, anchor = rule.source.partition("#")
        if rule.grade == "simulated":
            assert anchor, rule.id
            assert has_table(ROOT / path, anchor), rule.id
        elif rule.source.startswith("docs/"):
            assert (ROOT / path).is_file()


def has_table(page: Path, anchor: str) -> bool:
    """Whether the section of a page has a table of figures."""
    text_ = page.read_text(encoding="utf-8")
    titles = list(HEADING.finditer(text_))
    names = [re.sub(r"[^a-z0-9 -]", "", one["title"].lower()).replace(" ", "-") for one in titles]
    start = titles[names.index(anchor)].end()
    level = text_[: titles[names.index(anchor)].end()].splitlines()[-1].split(" ")[0]
    rest = re.split(rf"^{level} ", text_[start:], maxsplit=1, flags=re.MULTILINE)[0]
    return "| --- |" in rest and bool(re.search(r"\| .*\d", rest))


def test_results_carry_their_evidence() -> None:
    five = rr.Threshold.from_cell_size(5, "policy")
    found = rr.table_risk(pa.table({"sex": ["F"] * 6}), rr.Schema(quasi=("sex",)), threshold=five)
    told = found.to_dict()
    assert told["weakest_grade"] == "proved"
    assert [row["rule"] for row in told["evidence"]] == ["table.classes"]
    assert "Weakest evidence: proved (exact, or with a proof that was checked)." in " ".join(
        str(found).split()
    )


def test_an_assessment_names_the_weakest_grade_of_each_part_and_of_all(tmp_path: Path) -> None:
    write_data(tmp_path)
    told = rr.assess(write_file(tmp_path)).to_dict()
    grades = {part["name"]: part["judged"]["weakest_grade"] for part in told["parts"]}
    assert grades == {"notes": "published", "records": "proved", "made": "proved", "state": "proved"}
    weakest = max(grades.values(), key=GRADES.index)
    assert told["weakest_grade"] == told["verdict"]["weakest_grade"] == weakest
    assert shared(told)["weakest_grade"] == weakest
    assert shared(told)["verdict"]["weakest_grade"] == weakest


def test_files_of_older_versions_say_nothing() -> None:
    assert evidence_sentence({"kind": "table_risk"}) is None
    assert part_evidence({"judged": {}, "result": None}) == []
