"""The course of the prescription-records study as a result's dictionary.

The numbers are those of its Tables 3 and 4; levels and classes beside them are made up.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.stats.class_risk import prosecutor
from reidrisk.tables.result import TableRisk

RECORDS = 10364
HIERARCHIES = {
    "admission_date": ("day", "month", "quarter", "year"),
    "length_of_stay": ("day", "week", "*"),
    "postal_code": ("FSA", "region", "*"),
    "age": ("day", "week", "month", "year"),
    "sex": ("exact", "*"),
}
CHOSEN = {"admission_date": 2, "length_of_stay": 0, "postal_code": 1, "age": 1, "sex": 0}
CELLS = {"admission_date": 548, "length_of_stay": 398, "postal_code": 475, "age": 1177, "sex": 117}
REASON = "users need quarters & regions"
CONDITIONS = ["A data sharing agreement with the 38 practices of the checklist.", "A yearly audit."]
NEAREST = "admission_date at year would need 17.3 % of records with suppressed cells; the limit is 15 %."
BOUND = {"method": "search in blocks", "bound": 2622.0, "optimal": False, "gap": 93 / 2715}


def risk(sizes: tuple[tuple[int, int], ...], cell_size: int) -> dict[str, Any]:
    """A measured table with classes of these sizes."""
    threshold = Threshold.from_cell_size(cell_size, "agreed with the privacy office")
    size, number = np.array(sizes).T
    records = int(size @ number)
    return TableRisk(
        sizes=ClassSizes(sizes),
        schema=Schema(quasi=tuple(HIERARCHIES)),
        threshold=threshold,
        prosecutor=prosecutor(size, number, cell_size=cell_size),
        journalist=None,
        expected_matches=float(number.sum()),
        without=(),
        singling_sets=(),
        rows=records,
    ).to_dict()


BEFORE = ((1, 9200), (2, 470), (3, 60), (4, 11))
"""Nearly everybody is alone in the table as it was asked for."""
AFTER = ((3, 90), (4, 65), (5, 60), (6, 50), (8, 79), (12, 100), (22, 120), (40, 40), (81, 34), (204, 2))


def variable(column: str, names: tuple[str, ...], level: int, cells: int) -> dict[str, Any]:
    """One row of the record layout with six values, and some lumped."""
    shares = (0.3, 0.2, 0.15, 0.12, 0.1, 0.08)
    rows: list[dict[str, Any]] = [
        {"label": f"{column[:4]} value {number}", "before": share, "after": share * (1 - cells / RECORDS)}
        for number, share in enumerate(shares)
    ]
    rows.append({"label": None, "before": 0.05, "after": 0.01})
    return {
        "column": column,
        "level": names[level],
        "level_number": level,
        "levels": list(names),
        "max_level": names[-2],
        "reason": REASON,
        "values_before": 547,
        "values_after": 6 + level,
        "missing_before": 12,
        "suppressed_cells": cells,
        "suppressed_share": cells / RECORDS,
        "distribution": rows,
        "other_labels": 4,
    }


def candidate(rank: int, *, optimum: bool = False) -> dict[str, Any]:
    """A choice of levels; the first is the one released."""
    numbers = CHOSEN | {"age": 1 + rank % 3, "admission_date": 2 + rank % 2}
    return {
        "levels": {name: HIERARCHIES[name][level] for name, level in numbers.items()},
        "level_numbers": numbers,
        "layout": None,
        "loss": 0.31 + rank / 100,
        "suppressed_records": 1544 - rank,
        "suppressed_share": (1544 - rank) / RECORDS,
        "minimal": rank > 0,
        "optimum": optimum,
        "chosen": optimum,
    }


def solution() -> dict[str, Any]:
    """The study's seventh solution."""
    return {
        "levels": {name: HIERARCHIES[name][level] for name, level in CHOSEN.items()},
        "level_numbers": CHOSEN,
        "records": RECORDS,
        "suppressed_records": 1544,
        "suppressed_share": 1544 / RECORDS,
        "suppressed_cells": 2715,
        "cell_share": 2715 / RECORDS / 5,
        "by_column": CELLS,
        "by_column_share": {name: cells / RECORDS for name, cells in CELLS.items()},
        "cells_per_record": [
            {"cells": 1, "records": 678},
            {"cells": 2, "records": 601},
            {"cells": 3, "records": 228},
            {"cells": 4, "records": 37},
        ],
        "removed_records": 0,
        "cell_suppression": BOUND,
        "utility": {
            "precision": 0.7123,
            "discernibility": 412345.0,
            "entropy": 35121.5,
            "loss": 0.3111,
            "loss_name": "loss_gm",
        },
        "proof": "branch and bound exhausted",
        "optimal": True,
    }


def named(number: int, name: str, shares: tuple[float | None, float], **levels: str | None) -> dict[str, Any]:
    """A row like those of the study's Table 3."""
    return {
        "number": number,
        "name": name,
        "layout": "length of stay" if levels.get("length_of_stay") else "both dates",
        "levels": levels,
        "shares": {"5": shares[0], "3": shares[1]},
        "acceptable": {"5": False, "3": shares[1] <= 0.15},
        "chosen": number == 7,
    }


NAMED = [
    named(1, "Original request", (1.0, 1.0), admission_date="day", discharge_date="day", age="day"),
    named(4, "Months, region", (0.405, 0.292), admission_date="month", discharge_date="month", age="day"),
    named(6, "Both dates", (None, 0.138), admission_date="quarter", discharge_date="quarter", age="day"),
    named(7, "Length of stay", (None, 0.149), admission_date="quarter", length_of_stay="day", age="week"),
]


def rung(cell_size: int, outcome: str, **said: Any) -> dict[str, Any]:
    """A step of the ladder."""
    nothing = dict.fromkeys(("suppressed_share", "layout", "nearest", "requires"))
    return {"cell_size": cell_size, "probability": 1 / cell_size, "outcome": outcome} | nothing | said


def second_rung() -> dict[str, Any]:
    """No solution at 1/5, one at 1/3, with layouts and conditions: the study's own course."""
    quasi = list(HIERARCHIES)
    return {
        "kind": "table_deidentified",
        "version": "0.1.0",
        "acceptable": True,
        "settings": {
            "table": "data/rx.parquet",
            "out": "out/rx_released.parquet",
            "quasi": quasi,
            "unit": "visit_id",
            "suppress": "cells",
            "reading": "value",
            "loss": "loss_gm",
            "weights": {"age": 2.0},
            "max_suppression": 0.15,
            "max_cell_suppression": 0.15,
            "ladder": [5, 3],
            "max_level": {"admission_date": "quarter"},
            "suppressed_as": dict.fromkeys(quasi, "*") | {"age": None},
        },
        "seed": 7,
        "versions": {"reidrisk": "0.1.0", "python": "3.11"},
        "reasons": ["14.9 % of records have suppressed cells; the limit is 15 %."],
        "notes": ["12 values of age are missing."],
        "conditions": CONDITIONS,
        "threshold": {"probability": 1 / 3, "reason": "agreed with the privacy office", "cell_size": 3},
        "layout": "length of stay",
        "solution": solution(),
        "candidates": [candidate(rank, optimum=rank == 0) for rank in range(27)],
        "lattice": {"nodes": 288, "evaluated": 61},
        "before": risk(BEFORE, 3),
        "after": risk(AFTER, 3),
        "readings": {
            "value": {"smallest_class": 3, "highest": 1 / 3, "share_above_threshold": 0.0},
            "wildcard": {"smallest_class": 4, "highest": 0.25, "share_above_threshold": 0.0},
        },
        "threshold_ladder": [
            rung(5, "no solution", nearest=NEAREST),
            rung(
                3,
                "solution",
                suppressed_share=1544 / RECORDS,
                layout="length of stay",
                requires="controls of level high",
            ),
        ],
        "named_solutions": deepcopy(NAMED),
        "variables": [
            variable(name, names, CHOSEN[name], CELLS[name]) for name, names in HIERARCHIES.items()
        ],
        "associations": [
            {
                "columns": ["age", "length_of_stay"],
                "measure": "rank correlation",
                "before": 0.21,
                "after": 0.19,
            },
            {"columns": ["sex", "postal_code"], "measure": "Cramer's V", "before": 0.02, "after": None},
        ],
        "codebook": [
            {
                "column": "name",
                "role": "direct identifier",
                "treatment": "left out",
                "type_before": "VARCHAR",
                "type_after": None,
                "position": None,
            },
            {
                "column": "admission_date",
                "role": "quasi-identifier",
                "treatment": "generalized to quarter; 548 cells suppressed",
                "type_before": "DATE",
                "type_after": "VARCHAR",
                "position": 1,
            },
        ],
        "files": {"out": "out/rx_released.parquet", "codebook": "out/rx_released.md"},
    }
