"""Attacks on a release of linked tables: success beside the predicted risk."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting
from reidrisk.relational.attack import SURE, RelationalAttack, SharedOrder, TriedGuesses
from reidrisk.stats.attack.joined import KnownEvent, ReleasedJoin
from reidrisk.stats.mean_limit import clopper_pearson
from tests.relational.databases import config, write_crowd
from tests.relational.making import KEY

COLUMNS = {
    "person.sex": "keep",
    "person.ward": "keep",
    "diagnosis.code": "keep",
    "diagnosis.day": "date",
    "drug.drug": {"rare": 20},
}


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attacked")
    write_crowd(folder / "base", people=150, events=4, codes=6)
    return folder


def released(folder: Path, name: str, **changes: Any) -> Any:
    """The settings, after a release with them."""
    settings = config(columns=COLUMNS, **changes)
    if not (folder / name).exists():
        rr.deidentify_relational(folder / "base", folder / name, key=KEY, config=settings)
    return settings


def attacked(folder: Path, name: str, seed: int = 1, **changes: Any) -> RelationalAttack:
    settings = released(folder, name, **changes)
    return rr.attack_relational(
        folder / name, against=folder / "base", config=settings, key=KEY, targets=400, seed=seed
    )


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("know", ["intervals", "nothing"])
def test_the_success_is_the_predicted_one(crowd: Path, know: str, seed: int) -> None:
    found = attacked(crowd, know, seed, dates={"offset": 30, "know": know})
    assert [one.known for one in found.linkage] == [0, 1, 2]
    for one in found.linkage:
        low, high = clopper_pearson(one.guesses.right, one.guesses.tried, SURE)
        assert low <= one.predicted <= high
    assert all(one.nobody == 0 for one in found.linkage), "what is true of a target fits the target"
    assert found.acceptable
    assert found.to_dict()["linkage"][-1]["tried"] == 400
    assert bool(found.offsets) is (know == "intervals")


def test_events_are_known_as_the_release_generalizes_them(crowd: Path) -> None:
    found = attacked(
        crowd,
        "generalized",
        dates={"offset": 30, "know": "nothing"},
        hierarchies={"diagnosis.code": {"kind": "prefix", "lengths": [1]}},
        levels={"diagnosis.code": 1},
    )
    assert not any(one.exceeds for one in found.linkage)
    assert all(one.nobody == 0 for one in found.linkage)


def test_offsets_come_back_from_true_dates_and_not_without(crowd: Path) -> None:
    rows = {one.clue: one for one in attacked(crowd, "intervals", dates={"offset": 30}).offsets}
    assert set(rows) == {
        "weekday",
        "season",
        "period of the data",
        "weekday, season and period",
        "1 known date and quasi-identifiers",
        "2 known dates and quasi-identifiers",
    }
    two = rows["2 known dates and quasi-identifiers"]
    assert two.succeeds
    assert two.guesses.right > rows["1 known date and quasi-identifiers"].guesses.right
    assert rows["season"].chance < 0.03


def test_ids_and_orders_that_somebody_put_back(crowd: Path, tmp_path: Path) -> None:
    name = "nothing"
    settings = released(crowd, name, dates={"offset": 30, "know": "nothing"})
    clean = attacked(crowd, name, dates={"offset": 30, "know": "nothing"})
    assert not any(one.leaks for one in clean.ids)
    assert not any(one.leaks for one in clean.orders)
    folder = tmp_path / "sorted"
    folder.mkdir()
    for path in (crowd / name).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    for table in ("drug", "diagnosis"):
        with (folder / f"{table}.csv").open(newline="") as file:
            head, *rows = list(csv.reader(file))
        ordered = sorted(rows, key=lambda row: row[head.index("person_id")])
        with (folder / f"{table}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([head, *ordered])
    found = rr.attack_relational(
        folder, against=crowd / "base", config=settings, key=KEY, known=0, targets=50
    )
    leaking = [(one.one, one.other) for one in found.orders if one.leaks]
    assert ("diagnosis", "drug") in leaking
    assert not found.acceptable
    assert "diagnosis and drug" in found.to_dict()["reasons"][-1]


def test_an_attack_that_exceeds_the_prediction_is_refused(crowd: Path) -> None:
    found = attacked(crowd, "nothing", dates={"offset": 30, "know": "nothing"})
    worse = replace(found.linkage[-1], guesses=TriedGuesses(390, 400))
    assert worse.exceeds
    refused = replace(found, linkage=(*found.linkage[:-1], worse))
    assert not refused.acceptable
    assert "more often than predicted" in refused.to_dict()["reasons"][0]
    assert not SharedOrder("a", "b", 100, 0.2, 0.4).leaks
    with pytest.raises(InvalidSetting, match="number of targets"):
        rr.attack_relational(
            crowd / "nothing", against=crowd / "base", config=config(columns=COLUMNS), key=KEY, targets=0
        )


@pytest.mark.parametrize("most", [None, 3])
def test_who_fits_agrees_with_trying_every_shift(most: int | None) -> None:
    rng = np.random.default_rng(5)
    number = 30
    class_of = rng.integers(0, 2, number)
    person, event = rng.integers(0, number, 90), rng.integers(0, 3, 90)
    day, dated = rng.integers(0, 8, 90), rng.random(90) < 0.8
    join = ReleasedJoin.of(class_of, person, event, day, dated, most=most)
    held = {
        (int(who), int(what), int(when) if has else None)
        for who, what, when, has in zip(person, event, day, dated, strict=True)
    }
    for of_class, first, second, one, two in product((0, 1), range(3), range(3), (0, 4), (2, None)):
        known = [KnownEvent(first, one), KnownEvent(second, two)]
        shifts = range(-20, 21) if most is None else range(-most, most + 1)
        wanted = {
            who
            for who in range(number)
            if class_of[who] == of_class
            and any(
                all((who, what, None if when is None else when + shift) in held for what, when in known)
                for shift in shifts
            )
        }
        assert set(join.fitting(of_class, known).tolist()) == wanted
