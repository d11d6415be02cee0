"""Cells that a spreadsheet would run are counted and escaped, and nothing else is changed."""

from __future__ import annotations

import csv
import gzip
import logging
from pathlib import Path

import pytest

from reidrisk.core.input_limits import changed_limits
from reidrisk.engine.duckdb.formulas import is_formula, watch_formulas, watching_formulas
from tests.cli.running import runner

ROWS = [
    ["name", "note", "n"],
    ["=HYPERLINK(0)", "@here", "-3"],
    ["+1 555", "", "+2.5"],
    ["plain", 'quote " and\nline', "-1,5"],
    ["-", "\tx", "=1"],
    ["- stable", "-1-1", "1e5"],
]
ESCAPED = {"name": 3, "note": 3, "n": 1}


def written(path: Path, *, packed: bool = False) -> Path:
    opened = gzip.open if packed else open
    with opened(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(ROWS)
    return path


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("line", [2_000_000, 12])
def test_formulas_are_escaped(tmp_path: Path, *, packed: bool, line: int) -> None:
    path = written(tmp_path / "t.csv", packed=packed)
    with changed_limits({"line": line}), watching_formulas(escapes=True) as found:
        watch_formulas(path, ",", packed=packed)
    assert found.counts == ESCAPED
    assert found.warning() is None
    opened = gzip.open if packed else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    expected = [[f"'{cell}" if is_formula(cell) else cell for cell in row] for row in ROWS]
    assert rows == expected
    assert [one.name for one in tmp_path.iterdir()] == ["t.csv"]


def test_formulas_are_warned_of_without_values(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path / "t.csv")
    before = path.read_bytes()
    with caplog.at_level(logging.WARNING, logger="reidrisk"):
        watch_formulas(path, ",", packed=False)
    assert "3 cells of 'name', 3 cells of 'note', 1 cell of 'n'" in caplog.text
    assert "HYPERLINK" not in caplog.text
    assert path.read_bytes() == before


@pytest.mark.parametrize("block", [1, 2, 7])
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("a,b\n1,=2\n", 1),
        ("a,b\n=1,2\n", 1),
        ('a,b\n1,"=2,3"\n', 1),
        ('a,b\n1,"x\n=2"\n', 0),
        ("a,b\nx-y,1=2\n-1,2\n", 0),
        ("a-b,c@d\nx=1,é=2\n", 0),
    ],
)
def test_a_formula_is_found_wherever_a_block_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, text: str, number: int
) -> None:
    monkeypatch.setattr("reidrisk.engine.duckdb.formulas.BLOCK", block)
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8", newline="")
    with watching_formulas() as found:
        watch_formulas(path, ",", packed=False)
    assert sum(found.counts.values()) == number


def test_commands_warn_or_escape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, steps, out = (tmp_path / name for name in ("t.csv", "steps.yaml", "out.csv"))
    table.write_text("a,b\n" + "".join(f"{at},=SECRET\n" for at in range(20)), encoding="utf-8")
    steps.write_text("steps:\n  - kind: sample\n    share: 0.5\n", encoding="utf-8")
    command = runner(capsys)
    code, _, err = command("table", "transform", table, "--config", steps, "--out", out)
    assert code == 0
    number = len(out.read_text(encoding="utf-8").splitlines()) - 1
    assert f"{number} cells of 'b'" in err
    assert "--escape-formulas" in err
    assert "SECRET" not in err
    code, _, err = command("table", "transform", table, "--config", steps, "--out", out, "--escape-formulas")
    assert (code, err) == (0, "")
    assert out.read_text(encoding="utf-8").count(",'=SECRET") == number
