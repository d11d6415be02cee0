"""Values of a column as numbers or as codes to compute with."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.tables.hierarchy.chain import Values, refuse

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")


def floats(values: Values) -> Floats:
    """The values as numbers; texts that are written as numbers are taken too."""
    present = values.present
    kinds = {type(value) for value in present.tolist()}
    if kinds <= {int, float, Decimal}:
        found = present.astype(np.float64)
    else:
        found = np.array([_float(value) for value in present.tolist()], dtype=np.float64)
    refuse(
        values,
        ~np.isfinite(found),
        "not in the form of a number",
        hint="Correct the column, or give it another kind of hierarchy.",
    )
    return found


def _float(value: Any) -> float:
    if isinstance(value, bool):
        return np.nan
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else np.nan
    return float(value) if isinstance(value, int | float | Decimal) else np.nan
