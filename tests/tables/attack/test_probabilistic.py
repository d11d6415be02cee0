from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

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
