"""Rules of a context on what was measured; nothing is read here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.assess.judgement import Judgement
from reidrisk.assess.kinds.deidentify import judge_deidentified
from reidrisk.assess.kinds.population import PopulationPart
from reidrisk.assess.kinds.table import TablePart
from reidrisk.assess.measurement import Measurement
from reidrisk.assess.verdict import decide_records
from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.tables.measure import TableMeasure
from tests.context.builders import every, scored

HOSPITAL = {"preset": "hospital", "access": "non_public"}
IPC = {"preset": "ipc", "access": "non_public", "invasion": "low"}


def measured(*sizes: tuple[int, int]) -> dict[str, Any]:
    return TableMeasure(ClassSizes(sizes), Schema(("age",)), 1).to_dict()


def table(**given: Any) -> TablePart:
    return TablePart("t", {"quasi": ["age"], **given}, Path())


def test_the_example_of_the_guideline() -> None:
    """IPC Ontario 2016, as in SPEC 7.5: 0.2 times 0.5 is 0.1, at a threshold of 0.1."""
    score = scored(**IPC, controls="low", motives="medium")
    found = decide_records(score, smallest=5, average=0.2)
    assert found.overall == pytest.approx(0.1)
    assert (found.attempt, found.acceptable) == (0.5, True)
    assert not decide_records(score, smallest=5, average=0.21).acceptable


def test_no_record_may_be_above_the_cap_whatever_the_average() -> None:
    score = scored(**IPC, controls="high", motives="low")
    assert decide_records(score, smallest=3, average=0.2).acceptable
    found = decide_records(score, smallest=2, average=0.2)
    assert not found.acceptable
    assert "highest single risk is 0.5" in found.why


@pytest.mark.parametrize(
    ("variant", "size", "fine"), [("cell_size_11", 11, True), ("literal_0.09", 11, False)]
)
def test_eleven_is_enough_for_a_cell_size_but_not_for_the_letter(
    variant: str, size: int, *, fine: bool
) -> None:
    score = scored(preset="ema", variant=variant)
    assert table().judge(measured((size, 3)), score, seed=7).acceptable is fine


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.sampled_from(["low", "medium", "high"]))
def test_better_controls_never_make_a_table_worse(sizes: list[int], motives: str) -> None:
    found = measured(*((size, 1) for size in set(sizes)))
    for base in (HOSPITAL, IPC):
        judged = [
            table().judge(found, scored(**base, controls=level, motives=motives), seed=7)
            for level in ("low", "medium", "high")
        ]
        ratios = [one.ratio for one in judged]
        assert ratios == sorted(ratios, reverse=True)
        assert [one.acceptable for one in judged] == sorted(one.acceptable for one in judged)


def test_the_verdict_on_a_part_is_found_by_its_name() -> None:
    """One table of classes of five, one of people who are alone, and one that could not be read."""
    tables = {"good": measured((5, 3)), "bad": measured((1, 3)), "lost": None}
    every = [
        Measurement(TablePart(name, {"quasi": ["age"]}, Path()), measured=found)
        for name, found in tables.items()
    ]
    judged = Judgement.of(every, scored(preset="hospital", access="public"), seed=7)
    assert judged.verdict_on("lost") is None
    risks = {name: verdict.risk for name in tables if (verdict := judged.verdict_on(name)) is not None}
    assert risks == {"good": 1 / 5, "bad": 1.0}
    assert [one.part.name for one in judged.failed] == ["lost"]


def deidentified(smallest: int | None) -> dict[str, Any]:
    before = {"prosecutor": {"highest": 1.0}}
    after = {"smallest_class": smallest, "prosecutor": {"highest": 1.0, "average": 0.1}}
    return {
        "before": before,
        "after": after,
        "solution": None if smallest is None else {"suppressed_cells": 0},
        "readings": None,
        "settings": {"reading": "value", "treatments": {"mrn": "drop"}, "derived": []},
        "variables": [{"column": "age", "level": "years", "level_number": 1}],
        "codebook": [],
        "inventory": [],
        "threshold_ladder": [{"cell_size": 5}, {"cell_size": 3}],
    }


@pytest.mark.parametrize(
    ("smallest", "context", "fine", "cell_size"),
    [
        (5, {"controls": "medium"}, True, 5),
        (4, {"controls": "high"}, False, 5),
        (3, {"checklist": every()}, True, 3),
        (4, {"checklist": every()}, True, 3),
        (3, {"checklist": every(alarms="no")}, False, 5),
        (2, {"checklist": every()}, False, 5),
        (None, {"checklist": every()}, False, 5),
    ],
)
def test_the_ladder_asks_the_checklist(
    smallest: int | None, context: dict[str, Any], cell_size: int, *, fine: bool
) -> None:
    found = judge_deidentified(deidentified(smallest), scored(**HOSPITAL, **context))
    assert (found.acceptable, found.cell_size) == (fine, cell_size)


def test_what_was_done_is_told() -> None:
    found = judge_deidentified(deidentified(5), scored(**HOSPITAL))
    assert found.measures == ("age is generalized to years.", "mrn is left out.")


def population(
    share: float | None, smallest: int = 5, context: dict[str, Any] = HOSPITAL, **given: Any
) -> Any:
    from pathlib import Path

    part = PopulationPart("p", {"policy": "safe", **given}, Path())
    risk = {
        "total_risk": {"share": share},
        "g_distinct": {"5": 0.02},
        "people": 1000,
        "smallest_group": smallest,
        "policy": {"name": "Safe Harbor", "fields": {"sex": "as counted"}},
        "unknown": None if share is not None else "Nobody knows the list.",
    }
    return part.judge(risk, scored(**context, controls="medium", motives="low"), seed=7)


def test_a_cell_size_looks_at_the_smallest_group_of_a_population() -> None:
    found = population(1.0, 1)  # everybody is alone; the attempt of 0.2 made it acceptable
    assert (found.overall, found.attempt, found.acceptable) == (1.0, 1.0, False)
    assert "the threshold is 1/5" in found.sentence
    assert population(0.001, 5).acceptable
    assert not population(0.001, 4).acceptable


def test_an_overall_probability_multiplies_the_share_of_people_and_keeps_the_cap() -> None:
    found = population(0.39, 3, IPC)
    assert (found.overall, found.acceptable) == (pytest.approx(0.078), True)
    assert found.statistic == "expected share of people re-identified"
    capped = population(0.39, 2, IPC)
    assert (capped.overall, capped.acceptable) == (pytest.approx(0.078), False)
    assert "highest single risk is 0.5" in capped.sentence
    terms = population(0.01, 5, {**IPC, "access": "semi_public"})
    assert (terms.statistic, terms.overall) == ("highest risk of a person", pytest.approx(0.12))
    assert not terms.acceptable


def test_limits_of_a_population_part_replace_the_rule() -> None:
    assert "instead of the rule of the context" in population(0.39, max_share={"total": 0.5}).sentence
    assert not population(0.39, max_share={"total": 0.1}).acceptable
    assert population(0.39, max_share={"5": 0.02}).acceptable
    assert not population(0.39, max_share={"5": 0.02, "total": 0.2}).acceptable


def test_what_is_unknown_is_not_acceptable() -> None:
    found = population(None)
    assert (found.acceptable, found.risk, found.overall) == (False, None, None)
    assert "Nobody knows the list." in found.sentence


def sampled_ages(*, small: int) -> TableMeasure:
    """A tenth of a population: 40 ages of 120 people each, and ages of 20 people each."""
    import pyarrow as pa

    from reidrisk.tables.measure import MeasureSettings
    from reidrisk.tables.risk import measure_table
    from reidrisk.tables.sampling import Sampling

    ages = [age for age in range(40) for _ in range(12)] + [
        age for age in range(40, 40 + small) for _ in range(2)
    ]
    settings = MeasureSettings(sampling=Sampling(fraction=0.1), drivers=False)
    return measure_table(pa.table({"age": ages}), Schema(("age",)), settings=settings)


def test_an_estimated_journalist_is_judged_by_the_limit() -> None:
    score = scored(**HOSPITAL, controls="medium", motives="low")
    part = table(adversary="journalist", sampling_fraction=0.1)
    for small, accepted in ((0, True), (3, True), (30, False)):
        found = sampled_ages(small=small)
        known = table().judge(found.to_dict(), score, seed=7)
        guessed = part.judge(found.to_dict(), score, seed=7)
        estimate = found.risk(score.threshold).estimate
        assert estimate is not None
        assert guessed.risk == 1 / estimate.smallest_limit
        assert guessed.acceptable is accepted is (estimate.risk.chance <= 0.05)  # type: ignore[union-attr]
        assert known.acceptable is (small == 0)
        assert "Chance that some record is in a population class smaller than 5" in guessed.sentence


def test_the_average_of_an_estimate_is_judged_by_its_limit() -> None:
    found = sampled_ages(small=3)
    score = scored(**IPC)
    guessed = table(adversary="journalist", sampling_fraction=0.1).judge(found.to_dict(), score, seed=7)
    estimate = found.risk(score.threshold).estimate
    assert estimate is not None
    assert guessed.risk == estimate.average_limit > estimate.risk.average.value  # type: ignore[union-attr]


def test_an_estimate_that_failed_leaves_the_classes_of_the_table() -> None:
    from dataclasses import replace

    from reidrisk.tables.estimated import SampledMeasure
    from reidrisk.tables.sampling import Sampling

    found = TableMeasure(ClassSizes(((1, 200), (5, 60))), Schema(("age",)), 1)
    drawn = replace(found, sampled=SampledMeasure(Sampling(fraction=0.01), 50_000))
    score = scored(**HOSPITAL, controls="medium", motives="low")
    guessed = table(adversary="journalist", sampling_fraction=0.01).judge(drawn.to_dict(), score, seed=7)
    assert (guessed.risk, guessed.acceptable) == (1.0, False)
    assert "nothing was estimated" in guessed.sentence


def test_revealing_too_much_about_a_sensitive_column_is_not_acceptable() -> None:
    import pyarrow as pa

    from reidrisk.stats.disclosure.limits import SensitiveLimits
    from reidrisk.tables.measure import MeasureSettings
    from reidrisk.tables.risk import measure_table

    rows = pa.table({"age": [1] * 6 + [2] * 6, "drug": ["a"] * 6 + ["a", "b", "c"] * 2})
    schema = Schema(("age",), sensitive=("drug",))
    score = scored(**HOSPITAL, controls="medium", motives="low")
    for asked, fine in ((None, True), (SensitiveLimits(l=2), False)):
        found = measure_table(rows, schema, settings=MeasureSettings(sensitive_limits=asked)).to_dict()
        judged = table(sensitive=["drug"]).judge(found, score, seed=7)
        assert judged.acceptable is fine
    assert "reveal too much about drug" in judged.sentence
