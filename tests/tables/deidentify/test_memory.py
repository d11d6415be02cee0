"""Distinct tuples that do not fit are counted at the lowest permitted levels; the release is the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.limits import Limits
from reidrisk.core.schema import Schema
from reidrisk.engine import budget
from reidrisk.errors import OverBudget
from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout
from reidrisk.tables.deidentify.result import Deidentified
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, hierarchies_from

SCHEMA = Schema(quasi=("sex", "age", "zip"), other={"cost": "needed"})
ROWS = 1200
NAMES = ("lattice", "before", "after", "threshold_ladder", "named_solutions", "codebook", "conditions")
LIMITS = Limits(memory="1GB")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of other tests do not count here."""
    monkeypatch.setattr(budget, "_registry", budget._Registry())


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    cells = [
        f"{'FM'[n % 2]},{n * 37 % 90 if n % 50 else ''},{n * 7919 % 600:05d},{n % 9}" for n in range(ROWS)
    ]
    path.write_text("\n".join(["sex,age,zip,cost", *cells, ""]), encoding="utf-8")
    return path


def rules(**least: str) -> dict[str, Hierarchy]:
    content: dict[str, Any] = {
        "age": {"kind": "number", "levels": [10, 30]},
        "zip": {"kind": "prefix", "lengths": [3, 2]},
    }
    for name, level in least.items():
        content[name]["min_level"] = level
    return hierarchies_from(content, folder=Path(), place="")


def tight(monkeypatch: pytest.MonkeyPatch, tuples: int) -> None:
    """Let so many tuples fit, and no more."""
    monkeypatch.setattr(budget, "TUPLE", int(0.6e9) // tuples)


def without_loss(result: Deidentified) -> dict[str, Any]:
    found = result.to_dict()
    return {name: found[name] for name in NAMES}


@pytest.mark.parametrize("layouts", [(), (Layout("few", ("sex", "age")),)], ids=["all", "layout"])
def test_the_release_is_the_same_as_with_enough_memory(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layouts: tuple[Layout, ...]
) -> None:
    least, options = rules(age="width 10", zip="3 characters"), DeidentifyOptions(layouts=layouts)
    wide = deidentify(
        table, SCHEMA, least, options=options, max_suppression=0.1, out=tmp_path / "wide.csv", limits=LIMITS
    )
    tight(monkeypatch, 50 if layouts else 150)
    narrow = deidentify(
        table, SCHEMA, least, options=options, max_suppression=0.1, out=tmp_path / "narrow.csv", limits=LIMITS
    )
    assert wide.acceptable
    assert (tmp_path / "narrow.csv").read_bytes() == (tmp_path / "wide.csv").read_bytes()
    assert without_loss(narrow) == without_loss(wide)
    assert any("did not fit in memory" in note for note in narrow.notes)
    assert not any("did not fit in memory" in note for note in wide.notes)
    narrow.write(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "wide.csv").read_bytes()


def test_if_even_the_highest_levels_do_not_fit_the_figures_are_told(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tight(monkeypatch, 150)
    with pytest.raises(OverBudget, match=r"1,188 distinct combinations of sex, age, zip") as error:
        deidentify(table, SCHEMA, {}, limits=LIMITS)
    assert "min_level" in error.value.hint


def test_several_layouts_are_refused_if_the_lowest_levels_are_still_too_fine(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tight(monkeypatch, 50)
    layouts = (Layout("all", ("sex", "age", "zip")), Layout("few", ("sex", "age")))
    with pytest.raises(OverBudget, match=r"distinct combinations"):
        deidentify(
            table,
            SCHEMA,
            rules(age="width 10", zip="3 characters"),
            options=DeidentifyOptions(layouts=layouts),
            limits=LIMITS,
        )


def test_what_needs_exact_values_is_refused(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tight(monkeypatch, 150)
    least = rules(age="width 10", zip="3 characters")
    for options in (DeidentifyOptions(loss="entropy"), DeidentifyOptions(method="local")):
        with pytest.raises(OverBudget, match="1,188 distinct combinations") as error:
            deidentify(table, SCHEMA, least, options=options, limits=LIMITS)
        assert "would work on what does not fit" in error.value.hint
