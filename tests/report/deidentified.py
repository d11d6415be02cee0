"""Every shape of a result of de-identification, for the tests of its views."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

import reidrisk as rr
from tests.report.deidentified_study import (
    CELLS,
    HIERARCHIES,
    NEAREST,
    RECORDS,
    candidate,
    risk,
    rung,
    second_rung,
    variable,
)


def first_rung() -> dict[str, Any]:
    """A solution at once, without conditions, layouts or any suppression."""
    result = second_rung()
    result["solution"] |= {
        "suppressed_records": 0,
        "suppressed_share": 0.0,
        "suppressed_cells": 0,
        "cell_share": 0.0,
        "by_column": dict.fromkeys(CELLS, 0),
        "by_column_share": dict.fromkeys(CELLS, 0.0),
        "cells_per_record": [],
        "cell_suppression": {"method": "none needed", "bound": 0.0, "optimal": True, "gap": 0.0},
        "proof": "monotone tagging",
    }
    for row in result["named_solutions"]:
        row["layout"] = None
    for row in result["variables"]:
        row |= {"suppressed_cells": 0, "suppressed_share": 0.0}
    return result | {
        "conditions": [],
        "notes": [],
        "layout": None,
        "threshold": {"probability": 0.2, "reason": "hospital policy", "cell_size": 5},
        "after": risk(((5, 100), (6, 144), (90, 100)), 5),
        "threshold_ladder": [rung(5, "solution", suppressed_share=0.0), rung(3, "not tried")],
        "candidates": [candidate(0, optimum=True)],
        "readings": None,
    }


def no_solution() -> dict[str, Any]:
    """Every step of the ladder fails."""
    result = second_rung()
    for row in result["named_solutions"]:
        row["chosen"] = False
    for row in result["variables"]:
        unknown = ("level", "level_number", "values_after", "suppressed_cells", "suppressed_share")
        row.update(dict.fromkeys(unknown) | {"distribution": [], "other_labels": 0})
    return result | {
        "acceptable": False,
        "solution": None,
        "after": None,
        "candidates": [],
        "readings": None,
        "layout": None,
        "conditions": [],
        "associations": [],
        "codebook": [],
        "reasons": ["The limit on suppressed records is nearest to giving way: 17.3 % against 15 %."],
        "threshold_ladder": [
            rung(5, "no solution", nearest=NEAREST),
            rung(3, "not allowed", requires="controls of level high"),
        ],
        "files": {"out": None, "codebook": None},
    }


def records_suppressed() -> dict[str, Any]:
    """Whole records lose their quasi-identifiers, some leave the file."""
    result = second_rung()
    result["settings"] |= {"suppress": "records", "max_cell_suppression": None}
    result["solution"] |= {
        "cell_suppression": None,
        "removed_records": 2,
        "suppressed_cells": 7720,
        "cell_share": 7720 / RECORDS / 5,
        "cells_per_record": [{"cells": 5, "records": 1544}],
    }
    return result


def interrupted() -> dict[str, Any]:
    """The search was stopped before its end."""
    result = second_rung()
    result["solution"] |= {"proof": "interrupted: best so far", "optimal": False}
    result["solution"]["cell_suppression"] = {"method": "search", "bound": 0.0, "optimal": False, "gap": 1.0}
    return result


def bare() -> dict[str, Any]:
    """Every list that may be empty is."""
    lists = ("reasons", "notes", "conditions", "candidates", "threshold_ladder", "named_solutions")
    more = ("variables", "associations", "codebook")
    result = second_rung() | {name: [] for name in lists + more} | {"layout": None, "readings": None}
    return result | {"versions": {}, "files": {"out": None, "codebook": None}}


HOSTILE = "<script>alert(1)</script> | *R&D* $x$ `q` \x1b[31m "


def many_long_names() -> dict[str, Any]:
    """Twelve quasi-identifiers with long names and markup."""
    result = second_rung()
    names = [f"{HOSTILE}{'very_long_name_' * 3}{number}" for number in range(11)] + ["市" * 30]
    rows = [variable(name, HIERARCHIES["age"], 1, 100 * at) for at, name in enumerate(names)]
    rows[0] |= {"level": f"every {HOSTILE}", "max_level": None}
    result["settings"] |= {"quasi": names, "table": f"data/{HOSTILE}.csv"}
    result["variables"] = rows
    result["solution"] |= {
        "levels": dict.fromkeys(names, "week"),
        "by_column": {row["column"]: row["suppressed_cells"] for row in rows},
        "by_column_share": {row["column"]: row["suppressed_share"] for row in rows},
    }
    for row in [*result["candidates"], *result["named_solutions"]]:
        row["levels"] = dict.fromkeys(names, "week")
    result["associations"] = [
        {"columns": [one, other], "measure": "Cramer's V", "before": 0.5, "after": 0.5 - at / 100}
        for at, one in enumerate(names)
        for other in names[at + 1 :]
    ]
    result["codebook"] = [
        {
            "column": name,
            "role": "quasi-identifier",
            "treatment": HOSTILE,
            "type_before": "DATE",
            "type_after": "VARCHAR",
            "position": at,
        }
        for at, name in enumerate(names)
    ]
    return result


def by_record() -> dict[str, Any]:
    """Records that were treated one by one, some cells of which are suppressed."""
    rows = [("FM"[n % 2], 20 + n * n % 37, None if n % 20 == 0 else "abc"[n % 7 % 3]) for n in range(120)]
    columns = dict(zip(("sex", "age", "ward"), zip(*rows, strict=True), strict=True))
    done = rr.deidentify(
        pa.table({name: list(values) for name, values in columns.items()}),
        rr.Schema(quasi=("sex", "age", "ward")),
        {"age": rr.Hierarchy.numbers("age", [{"width": 5}, {"width": 10}]).limited("width 10")},
        max_suppression=0.9,
        options=rr.DeidentifyOptions(method="local"),
    )
    return done.to_dict()


CASES = {
    "second rung": second_rung,
    "first rung": first_rung,
    "no solution": no_solution,
    "records": records_suppressed,
    "interrupted": interrupted,
    "bare": bare,
    "many long names": many_long_names,
    "by record": by_record,
}
"""Every shape that the dictionary takes."""
