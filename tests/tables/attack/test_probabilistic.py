from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow.csv import ParseOptions, read_csv

import reidrisk as rr
from reidrisk.errors import InvalidSetting
from tests.tables.attack.people import generalized, people
from tests.tables.attack.test_run import shuffled

QUASI = ("age", "sex", "zip", "born")


def mistyped(table: pa.Table, share: float, seed: int) -> pa.Table:
    """In each column this share of the values is somebody else's."""
    rng = np.random.default_rng(seed)
    found = {"person": table["person"]}
    for name in table.column_names[1:]:
        values = table[name].to_numpy(zero_copy_only=False)
        other = values[rng.permutation(len(values))]
        found[name] = pa.array(np.where(rng.random(len(values)) < share, other, values))
    return pa.table(found)


def attacked(release: pa.Table, against: pa.Table, *, quasi: tuple[str, ...] = QUASI) -> rr.TableAttack:
    return rr.attack_table(release, against, rr.AttackPlan(quasi=quasi, id="person", guesses=1000))


@pytest.mark.parametrize("seed", range(3))
def test_without_errors_it_achieves_what_exact_linkage_does(seed: int) -> None:
    original = people(1000, seed)
    for release in (original, generalized(original)):
        found = attacked(shuffled(release), original, quasi=("age", "sex", "zip"))
        main, exact = found.probabilistic.result.main, found.exact.main
        assert main is not None
        assert exact is not None
        rate = main.rate(0.99)
        assert rate.low <= found.marketer <= rate.high
        assert found.probabilistic.expected / 1000 == pytest.approx(found.marketer, abs=0.01)


def test_typing_errors_hide_from_exact_linkage_and_not_from_the_probable() -> None:
    original = people(1500, 3, areas=400)
    found = attacked(original, mistyped(original, 0.1, 1)).to_dict()
    exact, probable = (found["linkage"][name]["main"] for name in ("exact", "probabilistic"))
    assert exact["value"] < 0.72
    assert probable["low"] > 0.95
    told = found["probabilistic_linkage"]
    assert told["expected"] == pytest.approx(probable["value"], abs=0.02)
    assert told["precision"]["low"] > 0.9
    assert 0.9 < told["recall"]["value"] < probable["value"]
    for one in told["levels"]:
        if one["level"] == "agrees" and one["column"] != "sex":
            assert one["m"] == pytest.approx(0.9, abs=0.03)
            assert one["weight"] == pytest.approx(np.log2(one["m"] / one["u"]))


def test_small_errors_in_numbers_are_near() -> None:
    original = people(1500, 4, areas=400)
    rng = np.random.default_rng(2)
    ages = original["age"].to_numpy() + rng.choice([0, 0, 0, 1, -1], 1500)
    found = attacked(original, original.set_column(1, "age", pa.array(ages)), quasi=("age", "sex", "zip"))
    levels = {one.level: one for one in found.probabilistic.fits if one.column == "age"}
    assert levels["agrees"].match == pytest.approx(0.6, abs=0.05)
    assert levels["near"].match == pytest.approx(0.4, abs=0.05)
    assert levels["near"].weight > 0 > levels["far"].weight


def test_useless_columns_lead_nowhere() -> None:
    original, strangers = people(800, 5), people(800, 6)
    renamed = strangers.set_column(0, "person", original["person"])
    found = attacked(original, renamed)
    main = found.probabilistic.result.main
    assert main is not None
    assert main.successes <= 5
    assert not found.probabilistic.result.succeeds


def test_claims_on_records_of_strangers_are_wrong_claims() -> None:
    original = people(1200, 7, areas=400)
    half = original.slice(0, 600)
    found = attacked(original, half)
    assert found.probabilistic.result.main is not None
    assert found.probabilistic.result.main.guesses == pytest.approx(500, abs=50)
    assert found.probabilistic.present == pytest.approx(0.5, abs=0.05)
    told = found.to_dict()["probabilistic_linkage"]
    assert told["records"] == 1000
    assert told["precision"]["guesses"] == told["claimed"]
    assert told["precision"]["low"] > 0.95


@pytest.mark.parametrize("seed", range(2))
def test_a_sample_expects_what_it_achieves(seed: int) -> None:
    """A record that fits one person is not taken for an absent one, because its values are rare."""
    original = skewed(6000, seed)
    found = attacked(original.slice(0, 500), original, quasi=("age", "sex", "zip", "diagnosis"))
    told = found.to_dict()["probabilistic_linkage"]
    assert 0.1 < found.marketer < 0.6
    assert told["expected"] == pytest.approx(found.marketer, abs=0.015)
    assert told["condition"] == "if everybody is in the other table"
    assert "linkage is right if everybody is in the other table" in " ".join(str(found).split())


def test_a_given_share_of_people_in_the_other_table() -> None:
    """Half of the released records belong to nobody in the other table."""
    original = skewed(6000, 3)
    released = pa.concat_tables([original.slice(0, 250), skewed(250, 99)])
    quasi = ("age", "sex", "zip", "diagnosis")
    plan = rr.AttackPlan(quasi=quasi, id="person", guesses=1000, present=0.5)
    found = rr.attack_table(released, original, plan)
    told = found.to_dict()["probabilistic_linkage"]
    main = found.probabilistic.result.main
    assert main is not None
    assert (told["present"], told["present_is_given"], told["condition"]) == (0.5, True, None)
    assert told["expected_matches"] == pytest.approx(main.successes, abs=0.15 * main.guesses)
    unknown = attacked(released, original, quasi=quasi)
    assert unknown.probabilistic.expected > found.probabilistic.expected
    assert "if everybody" not in str(found)


def skewed(number: int, seed: int) -> pa.Table:
    """People whose values are common or rare."""
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "person": [f"{seed}-{at}" for at in range(number)],
            "age": (18 + 70 * rng.random(number) ** 2).astype(int),
            "sex": rng.choice(["F", "M"], number),
            "zip": [f"{53100 + int(area)}" for area in 20 * rng.random(number) ** 3],
            "diagnosis": rng.choice(list("ABCDEFGH"), number, p=[0.4, 0.3, 0.1, 0.1, 0.04, 0.03, 0.02, 0.01]),
        }
    )


@pytest.mark.parametrize(
    ("columns", "errors", "present", "expected"),
    [(5, 0.0, None, 0.216), (7, 0.05, None, 0.496), (5, 0.0, 0.5, 0.110)],
)
def test_adult_expects_what_the_specification_measured(
    shared: Path, columns: int, errors: float, present: float | None, expected: float
) -> None:
    """500 targets of 30,162 people; with u averaged over all values, 0.017, 0.347 and 0.012 were expected."""
    adult = read_csv(shared / "adult" / "adult.csv", parse_options=ParseOptions(delimiter=";"))
    quasi = ("sex", "age", "race", "marital-status", "education", "workclass", "occupation")[:columns]
    rows = np.random.default_rng(4).choice(adult.num_rows, 500, replace=False)
    everybody = pa.table(
        {"person": pa.array([str(at) for at in range(adult.num_rows)])}
        | {name: adult[name].cast(pa.string()) for name in quasi}
    )
    absent = rows[: 250 if present else 0]
    people = everybody.take(np.setdiff1d(np.arange(adult.num_rows), absent))
    plan = rr.AttackPlan(quasi=quasi, id="person", guesses=500, present=present)
    found = rr.attack_table(mistyped(everybody.take(rows), errors, 5), people, plan)
    main = found.probabilistic.result.main
    assert main is not None
    assert found.probabilistic.expected / 500 == pytest.approx(expected, abs=0.04)
    assert found.probabilistic.expected / 500 == pytest.approx(main.successes / 500, abs=0.04)


def test_nobody_knows_who_is_who_and_much_is_expected_nevertheless() -> None:
    original = people(400, 8)
    found = rr.attack_table(original.slice(0, 300), original, rr.AttackPlan(quasi=QUASI, guesses=100))
    assert found.probabilistic.result.main is None
    told = found.to_dict()["probabilistic_linkage"]
    assert told["precision"] is None
    assert told["recall"] is None
    assert told["expected"] > 0.9
    assert told["claimed"] > 90


def test_one_column_foresees_nothing() -> None:
    original = people(300, 5)
    found = attacked(original, original, quasi=("born",))
    told = found.to_dict()["probabilistic_linkage"]
    assert (told["expected"], told["expected_matches"], told["present"]) == (None, None, None)
    assert "a single column" in told["reason"]
    assert "n/a" in str(found)
    assert found.probabilistic.result.main is not None


def test_suppressed_cells_speak_for_nobody() -> None:
    original = people(600, 9)
    starred = original.set_column(1, "age", pa.array(["*"] * 600))
    found = attacked(starred, original, quasi=("age", "sex", "zip"))
    assert {one.column for one in found.probabilistic.fits} == {"sex", "zip"}


def test_many_columns_are_compared_as_far_as_patterns_go() -> None:
    rng = np.random.default_rng(1)
    table = pa.table({f"c{at:02}": rng.choice(["a", "b"], 100) for at in range(16)})
    found = rr.attack_table(table, table, rr.AttackPlan(quasi=tuple(table.column_names), guesses=50))
    assert len(found.probabilistic.result.columns) == 14
    assert any("did not compare c14, c15" in one for one in found.to_dict()["warnings"])


def test_a_confidence_is_a_probability() -> None:
    with pytest.raises(InvalidSetting, match="confidence"):
        rr.AttackPlan(quasi=QUASI, confidence=0.0)
