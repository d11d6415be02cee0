"""Persons with several rows: they are attacked, not their rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.stats.attack.candidates import candidates
from reidrisk.stats.attack.columns import cover
from reidrisk.tables.attack.data import Persons
from tests.tables.attack.people import generalized, people
from tests.tables.attack.test_run import shuffled

QUASI = ("age", "sex", "zip")


def thrice(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table] * 3)


def visits(persons: int, seed: int) -> pa.Table:
    """One to four rows a person: the same sex and birth, another year and perhaps another place each time."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(persons), rng.integers(1, 5, persons))
    base = people(persons, seed).take(rows)
    ages = base["age"].to_numpy() + rng.integers(0, 4, len(rows))
    zips = np.where(rng.random(len(rows)) < 0.2, "53100", base["zip"].to_numpy(zero_copy_only=False))
    found = base.set_column(1, "age", pa.array(ages)).set_column(3, "zip", pa.array(zips))
    return found.append_column("visit", pa.array([f"v{at}" for at in range(len(rows))]))


def renamed(table: pa.Table) -> pa.Table:
    """New pseudonyms in the place of persons."""
    marks, of = np.unique(table["person"].to_numpy(zero_copy_only=False), return_inverse=True)
    new = [f"p{number}" for number in np.random.default_rng(1).permutation(len(marks))[of]]
    return table.set_column(0, "person", pa.array(new))


def test_rows_that_repeat_change_nothing_for_persons() -> None:
    original, control = people(600, 1), people(600, 2)
    plan = rr.AttackPlan(quasi=QUASI, secret=("diagnosis",), id="person", unit="person", guesses=300)
    once = rr.attack_table(generalized(original), original, plan, control=control)
    often = rr.attack_table(
        shuffled(thrice(generalized(original))), thrice(original), plan, control=thrice(control)
    )
    assert (often.records, often.people, often.control_records) == (1800, 600, 600)
    assert often.expected == pytest.approx(once.expected)
    assert often.sizes == once.sizes
    assert often.prediction_holds
    for one in (often.exact, often.probabilistic.result):
        assert one.main is not None
        assert one.main.guesses <= 600
    assert [one.possible for one in often.criteria] == [one.possible for one in once.criteria]
    exact = rr.attack_table(thrice(original), thrice(original), plan, control=thrice(control))
    assert exact.singling[1].main is not None
    assert exact.singling[1].main.successes == exact.singling[1].main.guesses


def test_one_row_a_person_is_as_without_a_unit() -> None:
    original = people(500, 3)
    plain, asked = (
        rr.attack_table(
            generalized(original), original, rr.AttackPlan(quasi=QUASI, id="person", unit=unit, guesses=200)
        )
        for unit in (None, "person")
    )
    assert plain.expected == pytest.approx(asked.expected)
    assert plain.sizes == asked.sizes
    assert plain.exact.main is not None
    assert asked.exact.main is not None
    assert plain.exact.main.guesses == asked.exact.main.guesses


def test_visits_are_linked_with_persons_through_pseudonyms() -> None:
    original = visits(400, 4)
    release = shuffled(renamed(original))
    plan = rr.AttackPlan(quasi=(*QUASI, "born"), secret=("diagnosis",), id="visit", unit="person")
    found = rr.attack_table(release, original, plan)
    assert found.truth == "by the column visit"
    for one in (found.exact, found.nearest, found.probabilistic.result, found.inference[0]):
        assert one.main is not None
        assert one.main.guesses == 400
        assert one.main.successes > 380
    assert found.linkability.main is not None
    assert found.linkability.right is not None
    assert found.linkability.right <= found.linkability.main.successes
    in_order = rr.AttackPlan(quasi=QUASI, unit="person", guesses=100)
    assert rr.attack_table(renamed(original), original, in_order).truth == "by the order of rows"
    same = rr.attack_table(shuffled(original), original, in_order)
    assert same.truth == "by the column person"


@given(st.integers(0, 2**31))
@settings(max_examples=25)
def test_candidates_are_persons_as_by_looking_at_every_pair(seed: int) -> None:
    rng = np.random.default_rng(seed)
    covers = [cover(np.array([0, 1, 2, -1]), {3: np.array([0, 2])}, 3) for _ in range(2)]
    stands = [{0}, {1}, {2}, {0, 2}]
    released, rows = rng.integers(4, size=(8, 2)), rng.integers(3, size=(12, 2))
    person = rng.integers(5, size=12)
    found = candidates(covers, released.astype(np.int32), rows.astype(np.int32), persons=person)
    for record, number in zip(released, found, strict=True):
        fits = {
            int(who)
            for row, who in zip(rows, person, strict=True)
            if all(int(row[at]) in stands[record[at]] for at in range(2))
        }
        assert number == len(fits)


def test_rows_of_persons() -> None:
    found = Persons.marked(np.array([7, 3, 7, 9, 3, 7], dtype=np.uint64))
    assert found.number == 3
    place, rows = found.all_rows(np.array([1, 0, 1]))
    assert list(zip(place.tolist(), rows.tolist(), strict=True)) == [
        (0, 0), (0, 2), (0, 5), (1, 1), (1, 4), (2, 0), (2, 2), (2, 5)
    ]  # fmt: skip
    drawn = found.one_each(np.array([0, 1, 2, 4]), np.random.default_rng(1))
    assert sorted(found.of[drawn].tolist()) == [0, 1]


def test_units_that_make_no_sense_are_refused() -> None:
    original = visits(30, 5)
    with pytest.raises(InvalidSetting, match="cannot be used"):
        rr.AttackPlan(quasi=("age",), unit="age")
    with pytest.raises(UnknownColumn, match="'patient'"):
        rr.attack_table(original, original, rr.AttackPlan(quasi=QUASI, unit="patient"))
    holes = original.set_column(0, "person", pa.array([None, *original["person"].to_pylist()[1:]]))
    with pytest.raises(BadData, match="is empty in 1 row"):
        rr.attack_table(original, holes, rr.AttackPlan(quasi=QUASI, unit="person"))
    with pytest.raises(BadData, match="belong to several persons") as refused:
        rr.attack_table(original, original, rr.AttackPlan(quasi=QUASI, id="diagnosis", unit="person"))
    assert "5-1" not in str(refused.value)
    with pytest.raises(BadData, match="more than once") as repeated:
        rr.attack_table(original, original, rr.AttackPlan(quasi=QUASI, id="person"))
    assert "--unit" in str(repeated.value)
