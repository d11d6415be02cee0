from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.population.people import AgeGroups, Population
from reidrisk.population.read import read_population
from reidrisk.population.write import write_population


@pytest.fixture
def people() -> Population:
    return Population(
        areas=("state", "county"),
        fields=("sex",),
        labels={"state": ("01",), "county": ("01001", "01003"), "sex": ("F", "M")},
        codes={
            "state": np.zeros(3, dtype=np.int32),
            "county": np.array([0, 0, 1], dtype=np.int32),
            "sex": np.array([0, 1, 0], dtype=np.int32),
        },
        counts=np.array([5, 6, 7]),
        ages=AgeGroups(np.array([0, 0, 110], dtype=np.int16), np.array([5, 5, 3], dtype=np.int16)),
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_what_is_written_reads_back_without_any_setting(
    tmp_path: Path, people: Population, suffix: str
) -> None:
    path = tmp_path / f"pop{suffix}"
    write_population(people, path)
    back = read_population(path)
    assert (back.areas, back.fields, back.modelled) == (people.areas, people.fields, None)
    assert dict(back.labels) == dict(people.labels)
    assert back.counts.tolist() == [5, 6, 7]
    assert back.ages is not None
    assert back.ages.years.tolist() == [5, 5, 3]


def test_modelled_counts_keep_their_label(tmp_path: Path, people: Population) -> None:
    write_population(replace(people, modelled="fitted, somehow"), tmp_path / "pop.csv")
    back = read_population(tmp_path / "pop.csv")
    assert back.modelled == "fitted, somehow"
    assert back.fields == ("sex",)


def test_without_ages(tmp_path: Path, people: Population) -> None:
    write_population(replace(people, ages=None), tmp_path / "pop.csv")
    header = (tmp_path / "pop.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header == "state,county,sex,n"


def test_an_unknown_suffix_writes_nothing(tmp_path: Path, people: Population) -> None:
    with pytest.raises(InvalidSetting, match="suffix"):
        write_population(people, tmp_path / "pop.docx")
    assert list(tmp_path.iterdir()) == []
