"""From one SAS transport file to another: labels, formats and lengths stay where they fit the new values."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars
import pyreadstat
import pytest

from tests.cli.running import runner

FORMATS = {
    "AGE": "BEST12",
    "SEX": "$SEXF1",
    "RFSTDT": "E8601DA10",
    "SEEN": "DATETIME20",
    "WT": "8.1",
    "ARM": "$40",
}
LENGTHS = {"USUBJID": 20, "AGE": 8, "SEX": 1, "RFSTDT": 8, "SEEN": 8, "WT": 8, "ARM": 40}
LABELS: dict[str, str | None] = {
    "USUBJID": "Unique Subject Identifier",
    "AGE": "Age",
    "RFSTDT": "Start of treatment",
    "ARM": "Planned arm",
}
SEVERAL = [option for name in ("RFSTDT", "SEEN", "WT", "ARM") for option in ("--other", f"{name}=a test")]


def write_subjects(path: Path, *, long: bool = False) -> None:
    """Sixty participants; the first has no arm, and texts are shorter than their variables."""
    number = 60
    frame = polars.DataFrame(
        {
            "USUBJID": [f"S1-{at:03d}".ljust(20) for at in range(number)],
            "AGE": [float(30 + at % 4) for at in range(number)],
            "SEX": ["MF"[at % 2] for at in range(number)],
            "RFSTDT": [date(2020, 1, 1) + timedelta(days=at % 7) for at in range(number)],
            "SEEN": [datetime(2020, 1, 1, 3, 4, at) for at in range(number)],  # noqa: DTZ001 - SAS has no zones
            "WT": [70.5 + at % 3 for at in range(number)],
            "ARM": ["".ljust(240 if long else 40), *["Placebo"] * (number - 1)],
        }
    )
    pyreadstat.write_xport(
        frame,
        str(path),
        table_name="ADSL",
        file_label="Subject-Level Analysis",
        column_labels=LABELS,
        variable_format=FORMATS,
        file_format_version=8 if long else 5,
    )


def read(path: Path) -> tuple[dict[str, list[Any]], Any]:
    columns, meta = pyreadstat.read_xport(str(path), output_format="dict")
    return columns, meta


def told(meta: Any, names: list[str]) -> tuple[dict[str, Any], ...]:
    parts = (meta.original_variable_types, meta.variable_storage_width, meta.column_names_to_labels)
    return tuple({name: part[name] for name in names} for part in parts)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("long", [False, True])
def test_a_released_table_keeps_labels_formats_and_lengths(
    folder: Path, capsys: pytest.CaptureFixture[str], *, long: bool
) -> None:
    write_subjects(folder / "adsl.xpt", long=long)
    columns = ("--quasi", "SEX,AGE", "--direct", "USUBJID", *SEVERAL)
    code, _, error = runner(capsys)(
        "table", "deidentify", "adsl.xpt", *columns, "--out", "out.xpt", "--quiet"
    )
    assert (code, error) == (0, "")
    (before, source), (after, meta) = read(folder / "adsl.xpt"), read(folder / "out.xpt")
    names = [name for name in before if name != "USUBJID"]
    assert list(after) == names
    assert told(meta, names) == told(source, names)
    assert meta.variable_storage_width["ARM"] == (240 if long else 40)
    assert (meta.table_name, meta.file_label) == ("ADSL", "Subject-Level Analysis")
    for name in names:
        assert sorted(after[name], key=str) == sorted(before[name], key=str)


def test_a_format_goes_with_the_kind_of_value_and_a_length_grows(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_subjects(folder / "adsl.xpt")
    (folder / "rules.yaml").write_text(
        "AGE: {kind: number, levels: [{width: 10}], min_level: width 10}\n"
        "SEX: {kind: tree, tree: {any sex: [M, F]}, min_level: '1'}\n"
        "RFSTDT: {kind: date, levels: [month], min_level: month}\n"
    )
    columns = (
        "--quasi",
        "SEX,AGE,RFSTDT",
        "--direct",
        "USUBJID",
        *SEVERAL[2:],
        "--hierarchies",
        "rules.yaml",
    )
    code, _, error = runner(capsys)(
        "table", "deidentify", "adsl.xpt", *columns, "--out", "out.xpt", "--quiet"
    )
    assert (code, error) == (0, "")
    after, meta = read(folder / "out.xpt")
    assert after["AGE"][0] == "30-39"
    assert after["SEX"][0] == "any sex"
    assert after["RFSTDT"][0] == "2020-01"
    kept = meta.original_variable_types
    assert [kept[name] for name in ("AGE", "SEX", "RFSTDT", "SEEN")] == [None, None, None, "DATETIME20"]
    assert [meta.variable_storage_width[name] for name in ("AGE", "SEX", "RFSTDT")] == [5, 7, 7]
    assert meta.column_names_to_labels["AGE"] == "Age"


def test_steps_keep_them_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_subjects(folder / "adsl.xpt")
    (folder / "steps.yaml").write_text(
        "steps:\n  - {kind: sample, share: 0.5}\n  - {kind: rank_swap, columns: [WT], within: 0.2}\n"
    )
    args = ("adsl.xpt", "--config", "steps.yaml", "--out", "out.xpt", "--quiet")
    code, _, error = runner(capsys)("table", "transform", *args)
    assert (code, error) == (0, "")
    (before, source), (after, meta) = read(folder / "adsl.xpt"), read(folder / "out.xpt")
    assert told(meta, list(before)) == told(source, list(before))
    assert meta.variable_storage_width == LENGTHS
    assert {name: kept for name, kept in meta.original_variable_types.items() if kept} == FORMATS
    assert 0 < len(after["AGE"]) < 60
    assert all(name == name.strip() for name in after["USUBJID"])


def test_other_formats_of_files_are_written_as_before(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_subjects(folder / "adsl.xpt")
    columns = ("--quasi", "SEX,AGE", "--direct", "USUBJID", *SEVERAL)
    run = runner(capsys)
    assert run("table", "deidentify", "adsl.xpt", *columns, "--out", "out.sav", "--quiet")[0] == 0
    _, meta = pyreadstat.read_sav(str(folder / "out.sav"), metadataonly=True)
    assert meta.column_names_to_labels["ARM"] == "Planned arm"
    assert (
        run("table", "deidentify", "out.sav", *columns[:2], *SEVERAL, "--out", "again.xpt", "--quiet")[0] == 0
    )
    assert read(folder / "again.xpt")[1].variable_storage_width["ARM"] == 7
