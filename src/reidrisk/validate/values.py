"""Numbers with their sources: publications, other programs, exact computations; and how they compare."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import isclose, isfinite, isnan
from typing import Any

from reidrisk.validate.check import Bench, Observed
from reidrisk.validate.formulas import Compute

COMPILED = ("lattice", "suppression")
"""Groups whose functions are compiled, which needs a package of the tables."""


@cache
def reference_values() -> tuple[Mapping[str, Any], ...]:
    """All values: id, group, function, inputs, expected, tolerance, source."""
    text = (files("reidrisk.validate") / "data" / "values.json").read_text(encoding="utf-8")
    return tuple(json.loads(text))


def formula(name: str) -> Compute:
    """The function that computes values of this name."""
    from reidrisk.validate.class_formulas import CLASS_FORMULAS
    from reidrisk.validate.formulas import TEXT_FORMULAS
    from reidrisk.validate.limit_formulas import LIMIT_FORMULAS

    return (TEXT_FORMULAS | CLASS_FORMULAS | LIMIT_FORMULAS)[name]


def compare_values(group: str) -> Observed:
    """Compute every value of a group and compare it with what was published or computed elsewhere."""
    rows = tuple(_compared(case) for case in reference_values() if case["group"] == group)
    wrong = [row["id"] for row in rows if not row["holds"]]
    if wrong:
        shown = ", ".join(wrong[:5]) + (f" and {len(wrong) - 5} more" if len(wrong) > 5 else "")
        return Observed(holds=False, text=f"{len(wrong)} of {len(rows)} values differ: {shown}.", values=rows)
    far = max((row["difference"] or 0.0 for row in rows), default=0.0)
    text = f"All {len(rows)} values agree; the largest difference is {far:.1g}."
    return Observed(holds=bool(rows), text=text, values=rows)


def checker(group: str) -> Any:
    """The check of one group of values."""

    def run(_: Bench) -> Observed:
        return compare_values(group)

    return run


def _compared(case: Mapping[str, Any]) -> dict[str, Any]:
    expected, compute = case["expected"], formula(case["function"])
    try:
        found = _plain(compute(case["inputs"]))
    except Exception as error:  # noqa: BLE001 - a formula that fails does not give the value
        found = f"stopped by {type(error).__name__}"
    if case["id"] == "pitman-boundary" and isinstance(found, list):
        found = found[1]  # of the two parameters only the one on its boundary is known
    if isinstance(expected, dict) and isinstance(found, dict):
        found = {name: found.get(name) for name in expected}
    return {
        "id": case["id"],
        "source": case["source"],
        "expected": expected,
        "seen": found,
        "difference": _difference(expected, found),
        "holds": agree(expected, found, case["tolerance"]),
    }


def agree(expected: Any, found: Any, tolerance: Mapping[str, float]) -> bool:
    """Whether numbers agree within the tolerance, and everything else exactly; null is "undefined"."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            agree(one, found.get(name), tolerance) for name, one in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(agree(*pair, tolerance) for pair in zip(expected, found, strict=True))
        )
    if isinstance(expected, bool) or isinstance(found, bool | str | None):
        return type(expected) is type(found) and bool(expected == found)
    if not isinstance(expected, int | float):
        return bool(expected == found)
    return isclose(found, expected, rel_tol=tolerance.get("rel", 0.0), abs_tol=tolerance.get("abs", 0.0))


def _plain(value: Any) -> Any:
    """As JSON types; what is undefined is null."""
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and isnan(value):
        return None
    return value


def _difference(expected: Any, found: Any) -> float | None:
    """The largest absolute difference of the numbers; None if there are none to compare."""
    if isinstance(expected, dict) and isinstance(found, dict):
        pairs = [(expected[name], found.get(name)) for name in expected]
    elif isinstance(expected, list) and isinstance(found, list):
        pairs = list(zip(expected, found, strict=False))
    else:
        numbers = all(isinstance(one, int | float) for one in (expected, found))
        return abs(float(expected) - float(found)) if numbers and isfinite(found) else None
    each = [one for one in (_difference(*pair) for pair in pairs) if one is not None]
    return max(each, default=None)
