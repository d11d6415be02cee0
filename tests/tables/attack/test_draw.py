"""Tables that are too large are attacked by a sample of persons, which never hides a risk."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.core.limits import Limits
from reidrisk.errors import BadData
from reidrisk.tables.attack import draw
from tests.tables.attack.people import generalized, people
from tests.tables.attack.test_run import shuffled
from tests.tables.attack.test_unit import visits

QUASI = ("age", "sex", "zip")
PLAN: dict[str, Any] = {"quasi": QUASI, "sensitive": ("diagnosis",), "guesses": 300}


def test_the_same_persons_are_drawn_and_risks_are_not_hidden() -> None:
    original, control = people(2500, 1), people(1500, 2)
    release = shuffled(original)
    whole = rr.attack_table(release, original, rr.AttackPlan(**PLAN, id="person"), control=control)
    plan = rr.AttackPlan(**PLAN, id="person", rows=1000)
    some = rr.attack_table(release, original, plan, control=control)
    assert whole.sampled is None
    assert some.sampled is not None
    rows = some.sampled["tables"]
    assert rows["released"] == rows["against"] == {"drawn": some.records, "of": 2500}
    assert 850 < some.records < 1150
    assert rows["control"]["of"] == 1500
    assert some.people == some.records
    assert some.exact.main is not None
    assert whole.exact.main is not None
    assert some.exact.main.guesses == some.records  # everybody who was drawn is in both tables
    for one, other in zip(_all(some), _all(whole), strict=True):
        assert one.risk is not None
        assert other.risk is not None
        assert one.risk.high >= other.risk.value
    found = some.to_dict()
    assert found["warnings"][0] == some.sampled["note"]
    assert "sample: " in str(some)
    assert found["sampled"]["because"] == "rows"
    assert rr.attack_table(release, original, plan, control=control).to_dict() == found


def _all(attack: rr.TableAttack) -> list[rr.AttackResult]:
    linked = [attack.exact, attack.nearest, attack.probabilistic.result, attack.linkability]
    return [*linked, *attack.singling[1:], *attack.inference]


def test_inference_that_grows_with_the_release_is_not_underestimated() -> None:
    """Nobody's own record helps: the code is learned from others, the better the more there are."""
    rng = np.random.default_rng(3)
    number = 4000
    code = rng.integers(0, 1500, number)
    table = pa.table(
        {
            "person": [f"p{at}" for at in range(number)],
            "code": [f"c{one}" for one in code],
            "sex": rng.choice(["F", "M"], number),
            "secret": [f"s{one % 40}" for one in code],
        }
    )
    other = table.set_column(1, "code", pa.array([f"c{one}" for one in (code + 1) % 1500]))
    plan: dict[str, Any] = {
        "quasi": ("code", "sex"),
        "sensitive": ("secret",),
        "known": ("code",),
        "id": "person",
    }
    released = table.set_column(3, "secret", pa.array([f"s{one % 40}" for one in code]))
    whole = rr.attack_table(released, other, rr.AttackPlan(**plan)).inference[0]
    some = rr.attack_table(released, other, rr.AttackPlan(**plan, rows=1000)).inference[0]
    assert some.main is not None
    assert whole.main is not None
    assert some.risk is not None
    assert some.allowance is not None
    assert some.risk.high >= whole.main.rate(0.95).value


def test_a_sample_does_not_tell_that_nobody_can_be_singled_out() -> None:
    """One person of 5,000 has a value of their own, and is not drawn."""
    rows = {
        "person": range(5000),
        "age": [30 + at % 2 for at in range(4999)] + [99],
        "sex": ["F", "M"] * 2500,
    }
    table = pa.table(rows)
    limit = rr.Threshold(0.999, "a test")
    plans = [rr.AttackPlan(("age", "sex"), id="person", rows=1000, threshold=limit)] * 2
    some, safe = (
        rr.attack_table(one, one, plan)
        for one, plan in zip((table, table.slice(0, 4998)), plans, strict=True)
    )
    assert [one.main for one in some.singling] == [None, None]
    assert [one.succeeds for one in some.singling] == [None, None]
    assert "the sample does not tell" in some.criteria[0].answer
    assert [one.risk.high for one in some.singling if one.risk] == [1.0, 1.0]
    assert not some.acceptable
    assert [(one.succeeds, one.risk) for one in safe.singling] == [(False, None)] * 2


def test_all_rows_of_a_person_are_drawn_or_none() -> None:
    original = visits(1500, 1)
    plan = rr.AttackPlan(quasi=QUASI, unit="person", guesses=200, rows=1000)
    found = rr.attack_table(shuffled(original), original, plan)
    assert found.sampled is not None
    assert found.sampled["by"] == "the column person"
    persons = original["person"].to_pylist()
    assert found.people < len(set(persons)) / 2
    assert found.exact.main is not None
    assert found.exact.main.guesses == found.people
    mean = len(persons) / len(set(persons))
    assert found.records / found.people == pytest.approx(mean, rel=0.1)


def test_a_large_control_group_alone_is_sampled() -> None:
    """The release is attacked whole, also if nobody knows whose its records are."""
    plan = rr.AttackPlan(QUASI, guesses=200, rows=1000)
    found = rr.attack_table(generalized(people(700, 1)), people(800, 1), plan, control=people(3000, 2))
    assert found.sampled is not None
    assert found.sampled["what"] == "control group"
    assert (found.records, found.people) == (700, 800)
    assert found.control_records is not None
    assert 850 < found.control_records < 1150
    assert [one.allowance for one in found.singling] == [None, None]
    assert found.to_dict()["warnings"][0].startswith("The control group was sampled")


def test_rows_in_the_same_place_are_drawn_together() -> None:
    original = people(3000, 1)
    plan = rr.AttackPlan(quasi=QUASI, guesses=200, rows=1000)
    found = rr.attack_table(generalized(original), original, plan)
    assert found.truth == "by the order of rows"
    assert found.sampled is not None
    assert found.sampled["by"] == "the order of rows"


@pytest.mark.parametrize(
    ("release", "plan", "why"),
    [
        (generalized(people(2500, 1)), {}, "differ in length"),
        (shuffled(generalized(people(3000, 1))), {}, "do not match in order"),
        (generalized(people(3000, 1)).drop_columns(["person"]), {"unit": "person"}, "is not in both"),
        (generalized(people(3000, 5)), {"unit": "person"}, "share no value of person"),
    ],
)
def test_persons_that_cannot_be_told_are_not_drawn(release: pa.Table, plan: dict[str, Any], why: str) -> None:
    with pytest.raises(BadData, match=why) as caught:
        rr.attack_table(release, people(3000, 1), rr.AttackPlan(QUASI, rows=1000, **plan))
    assert "--id" in str(caught.value)


def test_memory_that_does_not_hold_the_rows_leads_to_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "WHOLE", 0.0005)
    original = people(3000, 1)
    plan = rr.AttackPlan(QUASI, id="person", guesses=200)
    found = rr.attack_table(generalized(original), original, plan, limits=Limits(memory="200MB"))
    assert found.sampled is not None
    assert found.sampled["because"] == "memory"
    assert "allowed memory" in found.sampled["note"]
    assert rr.attack_table(generalized(original), original, plan).sampled is None
