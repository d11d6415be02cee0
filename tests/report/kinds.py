"""One result of each kind, for tests of what can show all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

import reidrisk as rr
from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.relational.exposure import JoinKnowledge
from reidrisk.relational.risk import risk_of
from tests.relational.databases import six_people
from tests.relational.making import KEY, clinic, settings
from tests.relational.test_joint import shown
from tests.report import assessed
from tests.report.attacked import attacked
from tests.report.deidentified_study import second_rung
from tests.report.documents_risk import CASES
from tests.report.population import result as of_population
from tests.report.transformed import transformed
from tests.report.useful import useful


def people() -> pa.Table:
    """A small table with a name, a date and a place."""
    return pa.table(
        {
            "patient_name": ["Ann Lee", "Bob Ray", "Cy Dow"],
            "birth_date": ["1950-01-02", "1961-03-04", "1972-05-06"],
            "sex": ["F", "M", "M"],
            "age": [70, 59, 48],
        }
    )


def explored() -> dict[str, Any]:
    """The solutions of that table at another threshold."""
    schema = rr.Schema(quasi=("sex", "age"), direct=("patient_name", "birth_date"))
    rules = {"age": rr.Hierarchy.numbers("age", [10, 20])}
    done = rr.deidentify(people(), schema, rules, max_suppression=0.4)
    return done.lattice_profile().explore(cell_size=2).to_dict()


def what_if() -> dict[str, Any]:
    """A tool that misses fewer names, and surrogates that hide leaks."""
    notes = clinical_notes(seed=7)
    risk = rr.evaluate_text(notes, case_study_tool(notes, seed=7))
    return rr.text_what_if(risk, recall={"NAME": 0.99, "DATE": 0.8}, recognition=0.27).to_dict()


def linked() -> dict[str, Any]:
    """Six people in two tables that are harmless alone."""
    return risk_of(six_people(), JoinKnowledge(), place="clinic").to_dict()


def relational(which: str) -> dict[str, Any]:
    """A small clinic: its draft, its release, or the proof of it."""
    with TemporaryDirectory() as folder:
        source, out = clinic(Path(folder) / "db"), Path(folder) / "out"
        if which == "suggestion":
            return rr.suggest_relational(source).to_dict()
        done = rr.deidentify_relational(source, out, key=KEY, config=settings())
        if which == "attack":
            return rr.attack_relational(out, against=source, config=settings(), key=KEY, targets=50).to_dict()
        return (done if which == "release" else done.proof).to_dict()


KINDS: dict[str, Callable[[], dict[str, Any]]] = {
    "text_risk": assessed.text,
    "text_what_if": what_if,
    "table_risk": assessed.table,
    "table_attack": lambda: attacked("exact"),
    "table_utility": lambda: useful("less"),
    "table_suggestion": lambda: rr.suggest_roles(people()).to_dict(),
    "table_hipaa": lambda: rr.hipaa_check(people()).to_dict(),
    "table_deidentified": second_rung,
    "table_transformed": transformed,
    "table_hierarchies": lambda: rr.preview_hierarchies(
        people(), {"birth_date": rr.Hierarchy.dates("birth_date", ["day", "year"])}
    ).to_dict(),
    "table_exploration": explored,
    "table_classes": lambda: rr.risky_classes(people(), rr.Schema(quasi=("sex", "age"))).to_dict(),
    "relational_release": partial(relational, "release"),
    "relational_proof": partial(relational, "proof"),
    "relational_attack": partial(relational, "attack"),
    "relational_suggestion": partial(relational, "suggestion"),
    "document_risk": CASES["replaced"],
    "relational_risk": linked,
    "joint_risk": lambda: shown().to_dict(),
    "population_risk": lambda: of_population("risk: by county"),
    "population_comparison": assessed.compared,
    "population_explorer": lambda: of_population("explorer: target"),
}
