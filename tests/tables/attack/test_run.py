from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.tables.attack.success import AttackResult, GuessCount
from tests.tables.attack.people import generalized, people

QUASI = ("age", "sex", "zip")
PLAN = rr.AttackPlan(quasi=QUASI, secret=("diagnosis", "income"), guesses=500)


def shuffled(table: pa.Table, seed: int = 1) -> pa.Table:
    return table.take(np.random.default_rng(seed).permutation(len(table)))


def without(table: pa.Table, *names: str) -> pa.Table:
    return table.drop_columns(list(names))


@pytest.mark.parametrize("seed", range(4))
def test_the_marketer_risk_of_a_sample_lies_in_the_interval_of_the_attack(seed: int) -> None:
    """Nearly all seeds would do; they are fixed, so that each is asked."""
    population = people(4000, seed)
    sample = shuffled(population, seed).slice(0, 1500)
    plan = rr.AttackPlan(quasi=QUASI, id="person", guesses=300)
    found = rr.attack_table(generalized(sample), population, plan, seed=seed)
    coarse = generalized(population)
    risk = rr.table_risk(generalized(sample), rr.Schema(quasi=QUASI), population=coarse, drivers=False)
    assert found.expected == pytest.approx(risk.expected_matches)
    main = found.exact.main
    assert main is not None
    rate = main.rate(0.95)
    assert rate.low <= risk.expected_matches / 1500 <= rate.high


@pytest.mark.parametrize("seed", range(2))
def test_the_risk_of_an_exact_release_lies_in_the_interval_too(seed: int) -> None:
    original = people(1500, seed)
    found = rr.attack_table(original, original, rr.AttackPlan(quasi=QUASI, guesses=300), seed=seed)
    classes = rr.table_risk(original, rr.Schema(quasi=QUASI), drivers=False).to_dict()["classes"]
    assert found.expected == classes
    assert found.prediction_holds


def test_on_a_safe_release_no_attack_does_better_than_its_control() -> None:
    original, control = people(3000, 1), people(3000, 2)
    found = rr.attack_table(generalized(original), original, PLAN, control=control)
    assert [one.possible for one in found.criteria] == [False, False, False]
    for one in (*found.singling, found.linkability, *found.inference):
        assert one.risk is None or one.risk.low == 0


def test_on_an_exact_release_every_attack_does() -> None:
    original, control = people(2000, 1, areas=400), people(2000, 2, areas=400)
    plan = rr.AttackPlan(
        quasi=(*QUASI, "born"), secret=("diagnosis",), guesses=500, sets=(("age", "born"), ("zip", "income"))
    )
    found = rr.attack_table(original, original, plan, control=control)
    assert [one.possible for one in found.criteria] == [True, True, True]
    assert found.linkability.right == found.linkability.main.successes  # type: ignore[union-attr]
    assert found.inference[0].risk.value > 0.9  # type: ignore[union-attr]
    assert found.to_dict()["linkage"]["exact"]["main"]["value"] > 0.9


def test_noise_hides_from_exact_linkage_and_not_from_the_nearest() -> None:
    original = people(1500, 3, areas=400)
    rng = np.random.default_rng(1)
    noisy = original.set_column(
        original.column_names.index("income"),
        "income",
        [original["income"].to_numpy() + rng.normal(0, 0.2, 1500)],
    )
    plan = rr.AttackPlan(quasi=("income", "zip", "sex"), id="person", guesses=500)
    found = rr.attack_table(shuffled(noisy), original, plan)
    assert found.exact.main == GuessCount(0, 1500)
    assert found.nearest.main is not None
    assert found.nearest.main.successes > 300
    assert found.unmatched == 1500
    assert found.prediction_holds is False
    told = found.to_dict()
    assert "above this interval, on the safe side" in told["reasons"][0]
    assert "1,500 released records match nobody in the other table." in told["warnings"]


@given(st.integers(0, 1000), st.sampled_from([5, 10, 20, 40]))
@settings(max_examples=8)
def test_wider_intervals_never_leave_fewer_people(seed: int, width: int) -> None:
    original = people(60, seed)
    plan = rr.AttackPlan(quasi=("age", "sex"), guesses=10)
    expected = []
    for wide in (1, width, 2 * width):
        ages = [
            f"{age // wide * wide}-{age // wide * wide + wide - 1}" for age in original["age"].to_pylist()
        ]
        release = original.set_column(1, "age", pa.array(ages))
        found = rr.attack_table(release, original, plan)
        assert found.is_known
        expected.append(found.expected)
    assert expected == sorted(expected, reverse=True)


def test_more_neighbours_link_more_as_by_looking_at_all_records() -> None:
    """A second way: all distances as they are, sets of neighbours as Python sets."""
    original = people(150, 3)
    rng = np.random.default_rng(1)
    noisy = {name: original[name].to_numpy() + rng.normal(0, 2, 150).round(3) for name in ("age", "income")}
    release = pa.table({"person": original["person"], **noisy})
    sets = (("age",), ("income",))
    linked = []
    for many in (1, 2, 5):
        plan = rr.AttackPlan(quasi=("age", "income"), sets=sets, id="person", neighbours=many)
        found = rr.attack_table(shuffled(release), original, plan).linkability
        assert found.main is not None
        near = [
            np.argsort(np.abs(original[name].to_numpy()[:, None] - noisy[name][None]), axis=1)[:, :many]
            for name in ("age", "income")
        ]
        assert found.main.successes == sum(
            bool(set(a) & set(b)) for a, b in zip(near[0].tolist(), near[1].tolist(), strict=True)
        )
        assert found.right == sum(at in near[0][at] and at in near[1][at] for at in range(150))
        linked.append(found.main.successes)
    assert linked == sorted(linked)
    assert linked[0] < linked[-1]


def test_who_is_who_is_known_by_a_column_or_by_order_or_not_at_all() -> None:
    original = people(600, 4)
    release = generalized(original)
    by_order = rr.attack_table(without(release, "person"), original, PLAN)
    assert by_order.to_dict()["truth"] == {"known": True, "how": "by the order of rows"}
    by_id = rr.attack_table(shuffled(release), original, rr.AttackPlan(quasi=QUASI, id="person", guesses=100))
    assert by_id.exact.main is not None
    assert by_id.exact.main.guesses == 600
    unknown = rr.attack_table(shuffled(release), original, PLAN)
    assert not unknown.is_known
    assert unknown.exact.main is None
    assert unknown.prediction_holds is None
    assert "do not match in order" in unknown.truth
    shorter = rr.attack_table(release.slice(0, 500), original, PLAN)
    assert "differ in length" in shorter.truth
    assert "would be linked" in shorter.to_dict()["reasons"][0]


def test_people_of_a_larger_table_are_targets_only_if_they_are_in_the_release() -> None:
    population = people(1000, 5)
    sample = population.slice(100, 300)
    plan = rr.AttackPlan(quasi=QUASI, secret=("income",), id="person", guesses=500)
    found = rr.attack_table(sample, population, plan)
    assert found.inference[0].main is not None
    assert found.inference[0].main.guesses == 300
    mixed = rr.attack_table(pa.concat_tables([sample, people(200, 6)]), population, plan)
    assert mixed.exact.main is not None
    assert mixed.exact.main.guesses == 300
    assert mixed.prediction_holds
    strangers = rr.attack_table(people(50, 6), population, plan)
    assert strangers.exact.reason.startswith("No released record belongs")
    assert strangers.inference[0].main is None
    assert strangers.linkability.main is None


def test_the_same_seed_gives_the_same_answer_and_another_attack_changes_nothing() -> None:
    original = people(500, 6)
    once, again = (rr.attack_table(original, original, PLAN, seed=3).to_dict() for _ in range(2))
    assert once == again
    fewer = rr.attack_table(original, original, rr.AttackPlan(quasi=QUASI, guesses=500), seed=3).to_dict()
    for part in ("linkage", "singling_out", "linkability"):
        assert fewer[part] == once[part]
    assert json.loads(json.dumps(once)) == once


def test_a_threshold_decides_and_none_decides_nothing() -> None:
    original, control = people(1200, 7), people(1200, 8)
    limit = rr.Threshold.from_cell_size(5, "policy")
    plan = rr.AttackPlan(quasi=QUASI, secret=("diagnosis",), threshold=limit)
    assert rr.attack_table(generalized(original), original, plan, control=control).acceptable
    refused = rr.attack_table(original, original, plan, control=control)
    assert not refused.acceptable
    said = refused.to_dict()
    rate = said["linkage"]["exact"]["risk"]
    figures = f"exact linkage ({rate['value']:.4f}, upper limit {rate['high']:.4f})"
    assert f"The upper limit of the interval decides; above it: {figures}" in said["reasons"][-1]
    open_ = rr.attack_table(original, original, PLAN).to_dict()
    assert open_["acceptable"]
    assert not open_["decided"]
    assert any("No control group" in one for one in open_["warnings"])


def test_nothing_of_a_person_is_in_the_result() -> None:
    original = people(300, 9)
    result = rr.attack_table(original, original, PLAN)
    told = json.dumps(result.to_dict()) + str(result) + repr(result)
    assert "9-17" not in told
    assert "53101" not in told


def test_one_quasi_identifier_and_no_secret_leave_questions_open() -> None:
    original = people(200, 1)
    found = rr.attack_table(original, original, rr.AttackPlan(quasi=("age",)))
    assert [one.possible for one in found.criteria][1:] == [None, None]
    assert "--sets" in found.criteria[1].answer
    assert "--secret" in found.criteria[2].answer


def test_a_control_of_another_size_is_counted_as_if_it_had_the_same() -> None:
    original, small, same = people(3000, 1), people(1500, 2), people(3000, 3)
    plan = rr.AttackPlan(quasi=("age", "income", "born"), guesses=800)
    rates = []
    for control in (
        small,
        same,
    ):  # the model says a little less than there is: what a release adds, a little more
        found = rr.attack_table(original, original, plan, control=control).singling[1].control
        assert found is not None
        rates.append(found.successes / found.guesses)
    assert rates[0] == pytest.approx(rates[1], abs=0.06)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"quasi": ()}, "at least one quasi-identifier"),
        ({"quasi": "age"}, "not one text"),
        ({"quasi": ("age", "age")}, "named twice"),
        ({"guesses": 0}, "The setting guesses cannot be 0"),
        ({"neighbours": 0}, "1 to 100"),
        ({"neighbours": 101}, "1 to 100"),
        ({"level": 1.0}, "up to 0.9999"),
        ({"level": 0.9999999999999999}, "up to 0.9999"),
        ({"sets": (("age",), ("age",))}, "do not overlap"),
        ({"sets": (("age",), ("sex",), ("zip",))}, "two sets"),
        ({"secret": ("income",), "known": ("income",)}, "both known and sensitive"),
        ({"id": "age"}, "cannot be used"),
    ],
)
def test_plans_that_make_no_sense_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        rr.AttackPlan(**{"quasi": QUASI, **change})


def test_bad_tables_are_refused() -> None:
    original = people(50, 1)
    with pytest.raises(UnknownColumn, match="'agee'"):
        rr.attack_table(original, original, rr.AttackPlan(quasi=("agee",)))
    with pytest.raises(UnknownColumn, match="no column 'income'"):
        rr.attack_table(without(original, "income"), original, PLAN)
    with pytest.raises(UnknownColumn):
        rr.attack_table(original, original, PLAN, control=without(original, "zip"))
    with pytest.raises(NothingToMeasure, match="no records"):
        rr.attack_table(original.slice(0, 0), original, PLAN)
    with pytest.raises(BadData, match="more than once") as refused:
        rr.attack_table(
            pa.concat_tables([original, original]), original, rr.AttackPlan(quasi=QUASI, id="person")
        )
    assert "1-7" not in str(refused.value)


def test_a_control_that_always_succeeds_leaves_the_risk_undefined() -> None:
    certain = AttackResult("x", ("a",), 0.95, main=GuessCount(5, 10), control=GuessCount(10**9, 10**9))
    assert certain.risk is None or certain.risk.value >= 0
    nothing = AttackResult("x", ("a",), 0.95, reason="why")
    assert nothing.risk is None
    assert nothing.succeeds is None
    assert not nothing.is_weak
    weak = AttackResult("x", ("a",), 0.95, main=GuessCount(1, 10), baseline=GuessCount(2, 10))
    assert weak.is_weak
    assert not weak.succeeds
    assert AttackResult("x", ("a",), 0.95, main=GuessCount(1, 10)).succeeds


def test_suppressed_cells_of_several_columns_are_noted_once() -> None:
    original = people(60, 3)
    ages, sexes = (original[name].to_pylist() for name in ("age", "sex"))
    blank = {"age": [None, None, *ages[2:]], "sex": [None, *sexes[1:]]}
    released = pa.table({name: blank.get(name, original[name]) for name in original.column_names})
    warnings = rr.attack_table(released, original, rr.AttackPlan(quasi=QUASI)).to_dict()["warnings"]
    assert [text for text in warnings if "suppressed" in text] == [
        "Empty cells of age, sex in the release count as suppressed: they match any value."
    ]
