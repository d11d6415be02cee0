"""One result of each kind, for tests of what can show all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

import reidrisk as rr
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


KINDS: dict[str, Callable[[], dict[str, Any]]] = {
    "text_risk": assessed.text,
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
    "document_risk": CASES["replaced"],
    "population_risk": lambda: of_population("risk: by county"),
    "population_comparison": assessed.compared,
    "population_explorer": lambda: of_population("explorer: target"),
}
