"""The generated prescription records: published counts, sane visits, nobody's data."""

from __future__ import annotations

import csv
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reidrisk.demo import vocabulary
from reidrisk.demo.prescriptions import COLUMNS, prescription_records, write_prescriptions
from reidrisk.demo.prescriptions.dispensing import DOSES_A_DAY, FOR_EVERYONE, drugs
from reidrisk.demo.prescriptions.illnesses import frequencies, illnesses, seasons
from reidrisk.demo.prescriptions.table import WARDS
from reidrisk.demo.prescriptions.visits import BANDS, admission_weights, band_of, time_of_year
from reidrisk.errors import UnreadableFile

SEEDS = [0, 7]
OF_VISIT = (
    *("patient_name", "health_card", "mrn", "diagnosis_code", "age_days", "sex", "postal_fsa"),
    *("admission_date", "discharge_date", "service", "location", "prescriber_group"),
)
OF_PATIENT = ("patient_name", "health_card", "sex")
PATTERNS = {
    "health_card": r"0000-\d{3}-\d{3}",
    "mrn": r"M\d{7}",
    "visit_id": r"V\d{6}",
    "diagnosis_code": r"[A-Z]\d\d(\.\d)?",
    "sex": r"[FM]",
    "postal_fsa": r"[ABEGHJKLMNPRTVX]\d[ABCEGHJKLMNPRSTVWXYZ]",
    "drug_code": r"X\d{7}",
}


@cache
def records(seed: int = 7) -> dict[str, NDArray[Any]]:
    return prescription_records(seed=seed)


@cache
def visits(seed: int = 7) -> dict[str, NDArray[Any]]:
    """One row a visit, those of a patient together in order of time."""
    found = records(seed)
    first = np.unique(found["visit_id"], return_index=True)[1]
    first = first[np.lexsort((found["admission_date"][first], found["mrn"][first]))]
    return {name: column[first] for name, column in found.items()}


def again(found: dict[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Which visits follow another of the same patient."""
    return np.asarray(found["mrn"][1:] == found["mrn"][:-1])


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_and_months_are_those_of_the_study(seed: int) -> None:
    found = records(seed)
    assert {column.shape for column in found.values()} == {(94_100,)}
    assert np.unique(found["visit_id"]).size == 10_364
    assert np.unique(found["mrn"]).size == np.unique(found["health_card"]).size == 6_970
    for name in ("admission_date", "discharge_date", "dose_date"):
        assert found[name].min() >= np.datetime64("2007-01-01")
        assert found[name].max() <= np.datetime64("2008-06-30")


def test_columns_stand_in_order() -> None:
    assert tuple(records()) == COLUMNS
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert COLUMNS[4:11] == (
        *("diagnosis_code", "age_days", "sex", "postal_fsa"),
        *("admission_date", "discharge_date", "service"),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_visit_has_one_value_of_all_that_is_its_own(seed: int) -> None:
    found = records(seed)
    pairs = {name: np.unique(found[name], return_inverse=True)[1] for name in ("visit_id", *OF_VISIT)}
    for name in OF_VISIT:
        both = np.unique(np.stack((pairs["visit_id"], pairs[name])), axis=1)
        assert both.shape[1] == 10_364, name


@pytest.mark.parametrize("seed", SEEDS)
def test_a_patient_keeps_name_sex_birthday_and_mostly_the_area(seed: int) -> None:
    found = visits(seed)
    same = again(found)
    for name in OF_PATIENT:
        assert (found[name][1:] == found[name][:-1])[same].all()
    birth = found["admission_date"] - found["age_days"]
    assert (birth[1:] == birth[:-1])[same].all()
    stays = (found["postal_fsa"][1:] == found["postal_fsa"][:-1])[same]
    assert 0.94 < stays.mean() < 1
    letter = found["postal_fsa"].astype("<U1")
    assert (letter[1:] == letter[:-1])[same].all()


@pytest.mark.parametrize("seed", SEEDS)
def test_visits_of_a_patient_follow_each_other(seed: int) -> None:
    found = visits(seed)
    assert (found["discharge_date"] >= found["admission_date"]).all()
    assert (found["admission_date"][1:] > found["discharge_date"][:-1])[again(found)].all()


@pytest.mark.parametrize("seed", SEEDS)
def test_drugs_are_given_during_the_visit_in_order_of_time(seed: int) -> None:
    found = records(seed)
    assert (found["dose_date"] >= found["admission_date"]).all()
    last = found["dose_date"] + found["days_supplied"] - 1
    assert (last <= found["discharge_date"]).all()
    assert (found["dose_date"][1:] >= found["dose_date"][:-1]).all()
    assert found["days_supplied"].min() == 1
    assert found["dose"].min() > 0
    assert found["cost"].min() > 0
    daily = np.array([DOSES_A_DAY[schedule] for schedule in found["schedule"].tolist()])
    repeated = found["schedule"] != "once"
    assert (found["doses"] == daily * found["days_supplied"])[repeated].all()
    assert (found["doses"][~repeated] == 1).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_patients_are_children(seed: int) -> None:
    found = visits(seed)
    years = found["age_days"] / 365.25
    assert found["age_days"].min() == 0
    assert years.max() < 22
    assert 0 < (years >= 18).mean() < 0.02
    assert 0.18 < (years < 1).mean() < 0.30
    assert np.quantile(years, [0.25, 0.5, 0.75]) == pytest.approx([1, 5, 12], abs=1)
    assert 0.50 < (found["sex"] == "M").mean() < 0.58


@pytest.mark.parametrize("seed", SEEDS)
def test_most_come_once_stay_briefly_and_live_near(seed: int) -> None:
    found = visits(seed)
    times = np.array(list(Counter(found["mrn"].tolist()).values()))
    assert 0.75 < (times == 1).mean() < 0.81
    assert 0.02 < (times >= 5).mean() < 0.05
    stay = (found["discharge_date"] - found["admission_date"]).astype(np.int64)
    assert np.median(stay) <= 3
    assert 3 < stay.mean() < 5
    newborn = found["age_days"] < 28
    assert stay[newborn].mean() > stay[~newborn].mean()
    letters = Counter(area[0] for area in found["postal_fsa"].tolist())
    assert [letter for letter, _ in letters.most_common(2)] == ["K", "J"]
    assert 0.78 < letters["K"] / 10_364 < 0.88


def test_longer_visits_have_more_prescriptions() -> None:
    found = visits()
    counts = Counter(records()["visit_id"].tolist())
    number = np.array([counts[visit] for visit in found["visit_id"].tolist()])
    stay = (found["discharge_date"] - found["admission_date"]).astype(np.int64)
    means = [number[(stay >= low) & (stay < high)].mean() for low, high in pairwise((0, 1, 3, 8, 30, 201))]
    assert means == sorted(means)
    assert number.min() == 1
    assert np.median(number) < number.mean() == pytest.approx(94_100 / 10_364)


def test_winter_and_weekdays_are_busier() -> None:
    weights = admission_weights()
    assert weights.sum() == pytest.approx(1)
    admitted = visits()["admission_date"]
    month = admitted.astype("datetime64[M]")
    inside = Counter(month[month < np.datetime64("2008-01")].astype(str).tolist())
    assert inside["2007-02"] / 28 > inside["2007-08"] / 31
    weekday = (admitted.astype("datetime64[D]").astype(np.int64) + 3) % 7
    assert (weekday >= 5).mean() < 2 / 7
    bronchiolitis = time_of_year(
        (admitted[visits()["diagnosis_code"] == "J21.9"] - np.datetime64("2007-01-01")).astype(np.int64)
    )
    assert ((bronchiolitis < 4) | (bronchiolitis > 11)).mean() > 0.6


def test_illnesses_and_drugs_fit_the_age() -> None:
    bands = band_of(visits()["age_days"])
    common = {illness.code: np.array(illness.by_age) > 0 for illness in illnesses()}
    begins = np.append(True, ~again(visits()))
    for code, band in zip(visits()["diagnosis_code"][begins].tolist(), bands[begins].tolist(), strict=True):
        assert common[code][band], code
    youngest = {drug.name: drug.from_band for drug in drugs()}
    given = np.array([youngest[name] for name in records()["drug"].tolist()])
    assert (given <= band_of(records()["age_days"])).all()


@pytest.mark.parametrize("name", PATTERNS)
def test_codes_are_well_formed_and_plainly_invented(name: str) -> None:
    assert all(re.fullmatch(PATTERNS[name], value) for value in np.unique(records()[name]).tolist())


def test_nobody_is_real() -> None:
    first = {*vocabulary.WOMEN, *vocabulary.MEN}
    for name in np.unique(records()["patient_name"]).tolist():
        given, family = name.split(" ", 1)
        assert given in first
        assert family in vocabulary.SURNAMES
    women = [name.split(" ")[0] for name in records()["patient_name"][records()["sex"] == "F"].tolist()]
    assert set(women) <= set(vocabulary.WOMEN)


@pytest.mark.parametrize("name", COLUMNS)
def test_another_seed_gives_other_data(name: str) -> None:
    assert not np.array_equal(records(7)[name], records(0)[name])


def test_the_same_seed_gives_the_same_bytes_and_the_file_holds_the_records(tmp_path: Path) -> None:
    for name in ("rx.csv", "again.csv"):
        write_prescriptions(tmp_path / name)
    one = (tmp_path / "rx.csv").read_bytes()
    assert one == (tmp_path / "again.csv").read_bytes()
    assert b"\r" not in one
    with (tmp_path / "rx.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == COLUMNS
    assert len(rows) == 94_100
    read = {name: np.array(column) for name, column in zip(header, zip(*rows, strict=True), strict=True)}
    for name, column in records().items():
        if column.dtype.kind == "f":
            assert np.allclose(read[name].astype(float), column, rtol=1e-5)
        else:
            assert np.array_equal(read[name], column.astype(str)), name


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be written"):
        write_prescriptions(tmp_path / "nowhere" / "rx.csv")


def test_the_tables_agree_with_each_other() -> None:
    groups = {group for drug in drugs() for group in drug.groups}
    assert {group for illness in illnesses() for group in illness.drugs} == groups - {FOR_EVERYONE}
    assert {illness.service for illness in illnesses()} == set(WARDS)
    assert {drug.schedule for drug in drugs()} == set(DOSES_A_DAY)
    assert frequencies().shape == (len(illnesses()), len(BANDS))
    assert frequencies().sum(axis=0) == pytest.approx(np.ones(len(BANDS)))
    assert seasons(np.arange(0.5, 12.0)).mean(axis=0) == pytest.approx(np.ones(len(illnesses())))
    for items in ([drug.name for drug in drugs()], [illness.code for illness in illnesses()]):
        assert len(items) == len(set(items))
