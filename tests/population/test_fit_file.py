from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.errors import InvalidSetting, ReidRiskError
from reidrisk.population.fit_file import fit_from_file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "race.csv": "parish,race,n\na,x,77\na,y,33\nb,x,20\nb,y,20\n",
        "age.csv": "parish,age_lo,age_hi,n\na,0,84,100\na,85,,10\nb,0,84,35\nb,85,,5\n",
        "sex.csv": "parish,sex,n\na,F,50\na,M,50\nb,F,20\nb,M,20\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def fitted(folder: Path, text: str) -> int:
    path = folder / "margins.yaml"
    path.write_text(text, encoding="utf-8")
    return fit_from_file(path).people


AREAS = "areas: [parish]"


def test_margins_lie_beside_the_file(folder: Path) -> None:
    text = f"margins:\n  - {{file: race.csv, {AREAS}}}\n  - {{file: age.csv, {AREAS}, open_band_years: 15}}\n"
    assert fitted(folder, text) == 150


def test_settings_for_all_and_rescaling(folder: Path) -> None:
    text = (
        f"margins:\n  - {{file: race.csv, {AREAS}}}\n  - {{file: sex.csv, {AREAS}}}\n"
        f"start:\n  - {{file: age.csv, areas: parish}}\nopen_band_years: 15\nrescale: true\n"
    )
    assert fitted(folder, text) == 150


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- race.csv\n", "is not a mapping"),
        ("margins: []\n", "empty"),
        ("margin: [race.csv]\n", "'margin'"),
        ("margins: [{fil: race.csv}]\n", "'fil'"),
        ("margins: [{fields: [race]}]\n", "'file'"),
        ("margins: [{file: race.csv, areas: 3}]\n", "is not a list of columns"),
        ("margins: [age.csv]\nopen_band_years: 0\n", "whole number"),
        ("margins: [nowhere.csv]\n", "does not exist"),
        ("margins: [age.csv]\n", "open"),
    ],
)
def test_refusals(folder: Path, text: str, said: str) -> None:
    with pytest.raises(ReidRiskError, match=said):
        fitted(folder, text)


def test_margins_that_disagree_are_an_error_unless_said(folder: Path) -> None:
    with pytest.raises(ReidRiskError, match="disagree"):
        fitted(folder, f"margins: [{{file: race.csv, {AREAS}}}, {{file: sex.csv, {AREAS}}}]\n")


def test_a_truth_value_is_one(folder: Path) -> None:
    with pytest.raises(InvalidSetting, match="neither true nor false"):
        fitted(folder, f"margins: [{{file: race.csv, {AREAS}}}]\nrescale: perhaps\n")
