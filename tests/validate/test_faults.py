"""A fault put into a formula makes the right check fail, and the validation names it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from reidrisk.stats import caught, class_risk, distinctness, leak, mean_limit
from reidrisk.stats.suppress import result as suppressed
from reidrisk.stats.uniqueness import model_limits
from reidrisk.validate import run
from reidrisk.validate.check import Bench, Check, run_check
from reidrisk.validate.checks import CHECKS


def broken(function: Any, wrong: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the code of a function for everybody who has imported it; the right one is `__right__`."""
    right = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    right.__kwdefaults__ = function.__kwdefaults__
    monkeypatch.setitem(function.__globals__, "__right__", right)
    monkeypatch.setattr(function, "__code__", wrong.__code__)
    monkeypatch.setattr(function, "__defaults__", wrong.__defaults__)
    monkeypatch.setattr(function, "__kwdefaults__", wrong.__kwdefaults__)


def sum_of_leaks(probabilities: Any) -> float:
    return float(probabilities.sum())  # forgets that two types can leak together


def limit_at_95(leaking: float, units: float, level: float) -> tuple[float, float]:
    found: tuple[float, float] = __right__(leaking, units, level - 0.025)  # type: ignore[name-defined]  # noqa: F821
    return found


def average_for_highest(sizes: Any, number: Any, *, cell_size: int) -> Any:
    found = __right__(sizes, number, cell_size=cell_size)  # type: ignore[name-defined]  # noqa: F821
    return type(found)(found.average, found.average, found.share_above)


def without_oneself(g: Any, n: Any, p: Any) -> Any:
    return __right__(g - 1, n, p)  # type: ignore[name-defined]  # noqa: F821


def more_cells(moves: Any, table: Any, *rest: Any, **named: Any) -> Any:
    from dataclasses import replace

    found = __right__(moves, table, *rest, **named)  # type: ignore[name-defined]  # noqa: F821
    return replace(found, cells=found.cells + 1)


def lenient_gate(chance: float, *, smallest: int, cell_size: int) -> bool:
    return True


def literal_sum(*given: Any, **named: Any) -> float:
    return float(1.01 * __right__(*given, **named))  # type: ignore[name-defined]  # noqa: F821


FAULTS: dict[str, tuple[Any, Callable[..., Any], tuple[str, ...]]] = {
    "direct leak": (leak.any_of, sum_of_leaks, ("OQ-02",)),
    "binomial limit": (mean_limit.clopper_pearson, limit_at_95, ("OQ-06", "OQ-16")),
    "class risk": (class_risk.prosecutor, average_for_highest, ("OQ-07", "OQ-21")),
    "g-distinct": (distinctness._distinct, without_oneself, ("OQ-09", "OQ-19")),
    "suppression": (suppressed.finish, more_cells, ("OQ-12", "OQ-24")),
    "decision on a sample": (model_limits.accepts_maximum, lenient_gate, ("OQ-10", "OQ-20")),
    "leak and catch": (caught.replaced_quasi, literal_sum, ("OQ-15",)),
}
BY_ID: dict[str, Check] = {check.id: check for check in CHECKS}


def results(ids: tuple[str, ...], folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in ids:
        place = folder / name
        place.mkdir()
        found[name] = run_check(BY_ID[name], Bench(place)).result
    return found


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_formula_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    function, wrong, ids = FAULTS[name]
    broken(function, wrong, monkeypatch)
    assert results(ids, tmp_path) == dict.fromkeys(ids, "fail")


def test_the_validation_names_the_check_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only two checks are run: the one that sees the fault, and one that does not."""
    broken(leak.any_of, sum_of_leaks, monkeypatch)
    monkeypatch.setattr(run, "CHECKS", (BY_ID["OQ-02"], BY_ID["OQ-05"]))
    found = run.validate()
    assert not found.acceptable
    assert found.failed == ("OQ-02",)
    told = found.to_dict()
    assert "OQ-02, Direct identifiers in text: " in told["reasons"][1]
    assert "FAILED" in str(found)
    assert {row["requirement"]: row["result"] for row in told["traceability"]}["R2"] == "fail"
    assert any(not value["holds"] for value in told["checks"][0]["values"])


def test_a_check_that_stops_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("secret")

    broken(mean_limit.clopper_pearson, stops, monkeypatch)
    found = run_check(BY_ID["OQ-16"], Bench(tmp_path))
    assert found.result == "fail"
    assert "ZeroDivisionError" in found.seen
    assert "secret" not in found.seen
