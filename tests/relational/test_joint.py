"""What parts tell together: worked examples, planted people, and what must always hold."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.core.threshold import Threshold
from reidrisk.engine.linked import NO_DAY
from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.relational.joint import JointPart, JointRisk, JointSettings, MovedDays, TextLeaks, joint_risk
from reidrisk.report.page import fragment
from reidrisk.stats.arrays import Ints
from reidrisk.stats.leaked_values import LeakKind
from tests.stats.events.databases import DATED, OFFSET, TABLES, DatedPerson, fits

FIVE = Threshold.from_cell_size(5, "a test")


def names(number: int) -> tuple[str, ...]:
    return tuple(f"p{at:04}" for at in range(number))


def events(codes: Ints) -> dict[str, Any]:
    """One event per person."""
    number = np.arange(len(codes))
    return {"person": number, "table": 0 * number, "event": codes}


def notes(values: tuple[str | None, ...], recall: tuple[int, int], leaked: Ints | None = None) -> JointPart:
    kinds = (LeakKind("AGE", recall[0], recall[1]),)
    seen = None if leaked is None else leaked.astype(np.bool_)[:, None]
    instances = np.ones((len(values), 1), dtype=np.int64)
    return JointPart("notes", names(len(values)), leaks=TextLeaks(kinds, (values,), instances, seen))


def test_tables_of_two_parts_that_are_harmless_alone() -> None:
    """The first worked example, with diagnosis and drug in different parts."""
    people = names(6)
    one = JointPart("clinic", people, tables=("diagnosis",), **events(np.array([0, 0, 0, 1, 1, 1])))
    two = JointPart("pharmacy", people, tables=("drug",), **events(np.array([0, 1, 1, 0, 1, 1])))
    found = joint_risk([one, two], threshold=Threshold.from_cell_size(2, "a test"))
    assert [round(part.highest, 4) for part in found.alone] == [0.3333, 0.5]
    assert found.together.highest == 1.0
    assert not found.acceptable
    assert found.breaking == ("clinic", "pharmacy")
    assert "It would be acceptable without clinic or without pharmacy" in found.to_dict()["reasons"][0]
    assert found.bounds == (1 / 2, 1.0)
    fewer = joint_risk([one, two], JointSettings(known=1), threshold=Threshold.from_cell_size(2, "a test"))
    assert fewer.acceptable
    assert fewer.breaking == ()


def test_an_age_that_leaks_beside_a_table() -> None:
    """The fifth worked example: the table passes 1/5, the text alone passes, both together do not."""
    table = JointPart("table", names(5), {"sex": ("F",) * 5})
    text = notes(("45", "46", "47", "48", "49"), (80_000, 100_000))
    found = joint_risk([table, text], threshold=FIVE)
    assert found.alone[0].highest == pytest.approx(0.2)
    assert found.together.risk.tolist() == pytest.approx([0.399936] * 5, abs=2e-3)
    assert found.together.highest > 0.4
    shared = joint_risk([table, notes(("47",) * 5, (80_000, 100_000))], threshold=FIVE)
    assert shared.together.highest == pytest.approx(0.2)
    assert shared.acceptable


KUMAR = ["M26", "F26", "M26", "F26", "F29", "F28", "M26", "F27", "F28", "F29"]


@pytest.mark.parametrize("value", ["27", "25-29"])
def test_a_report_that_is_finer_than_the_table(value: str) -> None:
    """The sixth worked example: the report tells an age of one woman, or the band of the table."""
    people = names(10)
    table = JointPart("table", people, {"sex": tuple(who[0] for who in KUMAR), "age": ("25-29",) * 10})
    told = tuple(value if at == 7 else None for at in range(10))
    report = JointPart("report", people, told={"AGE": told})
    same = {"age": ("table.age", "report.AGE")}
    found = joint_risk([table, report], JointSettings(same=same), threshold=FIVE)
    women = [at for at, who in enumerate(KUMAR) if who[0] == "F"]
    wanted = [1.0 if at == 7 else 1 / 6 for at in women] if value == "27" else [1 / 7] * 7
    assert found.together.risk[women].tolist() == pytest.approx(wanted)
    name = JointPart(
        "letters",
        people,
        leaks=TextLeaks((), (), np.zeros((10, 0), dtype=np.int64), direct=0.27 * 0.05),
    )
    with_name = joint_risk([table, name], threshold=FIVE).together
    assert with_name.risk[7] == pytest.approx(0.154429, abs=1e-6)


def test_leaks_that_are_known_count_as_told() -> None:
    table = JointPart("table", names(6), {"sex": ("F",) * 6})
    leaked = np.array([1, 0, 0, 0, 0, 0])
    text = notes(("45", "46", "47", "48", "49", "50"), (5, 6), leaked)
    found = joint_risk([table, text], JointSettings(leaks="observed"), threshold=FIVE)
    assert found.together.risk.tolist() == pytest.approx([1.0] + [1 / 5] * 5)
    with pytest.raises(InvalidSetting, match="not known what leaked"):
        joint_risk([table, notes(("45",) * 6, (5, 6))], JointSettings(leaks="observed"))


def part_of(table: int, people: list[DatedPerson], most: int | None) -> JointPart:
    """A part with the events of one table; those of the last table have no days."""
    rows = [(at, one) for at, (_, _, has) in enumerate(people) for one in has if one[0] == table]
    day = np.array([NO_DAY if one[2] is None else one[2] for _, one in rows], dtype=np.int64)
    return JointPart(
        f"part {table}",
        names(len(people)),
        {"class": tuple(str(of) for of, _, _ in people)} if table == 0 else {},
        tables=("events",),
        person=np.array([at for at, _ in rows], dtype=np.int64),
        table=np.zeros(len(rows), dtype=np.int64),
        event=np.array([one[1] for _, one in rows], dtype=np.int64),
        days=None
        if table == TABLES - 1
        else MovedDays(day, np.array([shift for _, shift, _ in people]), most),
    )


@given(DATED)
@settings(max_examples=40, deadline=None)
def test_distances_between_dates_of_all_parts_against_every_set_and_shift(people: list[DatedPerson]) -> None:
    known = [
        (of, shift, frozenset((t, v, None if t == TABLES - 1 else day) for t, v, day in has))
        for of, shift, has in people
    ]
    parts = [part_of(table, known, OFFSET) for table in range(TABLES)]
    found = joint_risk(parts, JointSettings(known=2)).together
    for at, (of, _, has) in enumerate(known):
        alike = [one for one in known if one[0] == of]
        sets = [set(own) for own in combinations(sorted(has, key=str), min(2, len(has)))]
        wanted = min(sum(fits(one, own, OFFSET) for one in alike) for own in sets)
        assert found.support[at] == wanted


def test_two_offsets_for_one_person_are_refused() -> None:
    person: list[DatedPerson] = [(0, 1, frozenset({(0, 0, 5), (1, 0, 5)}))]
    one, two = part_of(0, person, OFFSET), part_of(1, [(0, 2, person[0][2])], OFFSET)
    with pytest.raises(InvalidSetting, match="another number of days"):
        joint_risk([one, two])


def planted(seed: int, *, people: bool) -> tuple[list[JointPart], list[int]]:
    """A release of three parts; with `people`, three are singular only across all of them.

    Of those with the rare diagnosis, half have the rare job and half the rare age. Each pair of parts leaves
    at least five people; one person per ward has all three.
    """
    rng = np.random.default_rng([seed, 1])
    number = 600
    keys = names(number)
    wards = tuple("abc"[at % 3] for at in range(number))
    codes = rng.integers(0, 3, number)
    jobs: list[str | None] = [None] * number
    ages: list[str | None] = [None] * number
    common = rng.permutation(number)
    for at in common[:300]:
        jobs[at] = "clerk"
    for at in rng.permutation(number)[:300]:
        ages[at] = "47"
    chosen: list[int] = []
    if people:
        other = np.random.default_rng([seed, 2])
        for ward in "abc":
            mine = other.permutation([at for at in range(number) if wards[at] == ward])[:25].tolist()
            chosen.append(mine[0])
            codes[mine[:13]] = 3
            codes[mine[13:19]] = 0
            for at in (mine[0], *mine[7:13], *mine[13:19]):
                jobs[at] = "diver"
            for at in (mine[0], *mine[1:7], *mine[13:19]):
                ages[at] = "103"
            for at in mine[1:7]:
                jobs[at] = None
            for at in mine[7:13]:
                ages[at] = None
    database = JointPart("database", keys, {"ward": wards}, tables=("diagnosis",), **events(codes))
    seen = np.array([[job is not None] for job in jobs])
    leaks = TextLeaks((LeakKind("JOB", 1, 2),), (tuple(jobs),), np.ones((number, 1), dtype=np.int64), seen)
    letters = JointPart("letters", keys, leaks=leaks)
    report = JointPart("report", keys, told={"AGE": tuple(ages)})
    return [database, letters, report], chosen


@pytest.mark.parametrize("seed", range(20))
def test_planted_people_are_found_and_nobody_else(seed: int) -> None:
    settings = JointSettings(known=1, leaks="observed")
    parts, chosen = planted(seed, people=True)
    found = joint_risk(parts, settings, threshold=FIVE)
    assert not found.acceptable
    above = np.flatnonzero(found.together.above(FIVE)).tolist()
    assert sorted(chosen) == above
    assert found.together.risk[chosen].tolist() == [1.0] * 3
    assert set(found.breaking) == {"database", "letters", "report"}, "each pair of parts is harmless"
    clean, _ = planted(seed, people=False)
    assert joint_risk(clean, settings, threshold=FIVE).acceptable


def test_what_must_always_hold() -> None:
    parts, _ = planted(3, people=True)
    model = joint_risk(parts, JointSettings(known=1), threshold=FIVE)
    for one in (*model.alone, *(part for part in model.without if part is not None)):
        assert (one.high <= model.together.high + 1e-12).all(), "a part more is never less risk"
    assert model.bounds[0] <= model.together.highest + 1e-12
    shares = [part["up_to_here"]["share_above_threshold"] for part in model.to_dict()["parts"]]
    assert shares == sorted(shares)
    assert sum(part["adds"] for part in model.to_dict()["parts"]) == pytest.approx(shares[-1])


def test_parts_that_cannot_be_linked_stop_the_verdict() -> None:
    table = JointPart("table", names(10), {"sex": ("F",) * 10})
    found = joint_risk([table], threshold=FIVE, unlinked=[("scans", "it names no people.")])
    assert found.figures_acceptable
    assert not found.acceptable
    assert "scans could not be linked" in found.to_dict()["reasons"][1]
    with pytest.raises(NothingToMeasure):
        joint_risk([replace(table, people=(), attributes={})])
    with pytest.raises(InvalidSetting, match="a person twice"):
        JointPart("table", ("a", "a"))


def test_what_was_measured_is_judged_at_any_threshold() -> None:
    settings = JointSettings(known=1)
    found = joint_risk(planted(2, people=True)[0], settings, threshold=FIVE)
    again = JointRisk.from_measured(json.loads(json.dumps(found.measured())), settings, FIVE)
    assert again.to_dict() == found.to_dict()
    two = JointRisk.from_measured(found.measured(), settings, Threshold.from_cell_size(2, "another"))
    assert two.together.share_above(two.threshold) <= found.together.share_above(FIVE)


def shown() -> JointRisk:
    return joint_risk(planted(1, people=True)[0], JointSettings(known=1, leaks="observed"), threshold=FIVE)


def test_views_show_the_parts_and_no_value() -> None:
    found = shown()
    text, page = str(found), fragment(found.to_dict())
    for view in (text, page):
        assert "letters" in view
        assert "diver" not in view
        assert "p0001" not in view
    assert found.to_dict()["weakest_grade"] == "proved"
    assert found.plot() is not None
    assert found.shared()["people"] == 600
    assert "parts" not in found.shared()


def test_people_in_no_text_leak_nothing() -> None:
    """Of 20 people alike, four have notes that surely leak: the others still have 15 beside them."""
    table = JointPart("table", names(20), {"sex": ("F",) * 20})
    text = notes(("45", "46", "47", "48"), (1, 100_000))
    found = joint_risk([table, text], threshold=FIVE).together
    assert found.high[:4].tolist() == pytest.approx([1.0] * 4, abs=1e-3)
    assert found.high[4:].max() <= 1 / 16
    assert found.high[4:].min() >= 1 / 20


def test_the_only_note_hides_behind_no_other_leak() -> None:
    """Of four people alike one has a note, which leaks in one case of two; nobody else's leak singles out."""
    table = JointPart("table", names(4), {"sex": ("F",) * 4})
    found = joint_risk([table, leaking([("45",)], [(1,)], 0.5)], threshold=FIVE).together
    wanted = [1 / 2 + 1 / 2 * 1 / 4] + [1 / 2 * 1 / 3 + 1 / 2 * 1 / 4] * 3
    assert found.risk.tolist() == pytest.approx(wanted, abs=1e-5)
    assert found.high.tolist() == pytest.approx(wanted, abs=1e-5)


def leaking(
    values: list[tuple[str | None, ...]], instances: list[tuple[int, ...]], recall: float
) -> JointPart:
    """Notes of the first people, with a recall that is known almost exactly."""
    many = 10**12
    kinds = tuple(LeakKind(f"KIND{at}", int(recall * many), many) for at in range(len(values[0])))
    by_kind = tuple(tuple(own[at] for own in values) for at in range(len(kinds)))
    return JointPart("notes", names(len(values)), leaks=TextLeaks(kinds, by_kind, np.array(instances)))


def risk_of_patterns(
    values: list[tuple[str | None, ...]], chances: list[tuple[float, ...]], target: int
) -> float:
    """Every pattern of leaks of people who are alike: who weighs most is taken (RELATIONAL 5)."""
    people, kinds = len(values), len(values[0])
    total = 0.0
    for leaks in product((False, True), repeat=people * kinds):
        chance, weights = 1.0, []
        for at in range(people):
            weight = 1.0
            for kind in range(kinds):
                leaked, own = leaks[at * kinds + kind], chances[at][kind]
                chance *= own if leaked else 1 - own
                if leaked:
                    share = sum(one[kind] == values[target][kind] for one in values) / people
                    weight = weight / share if values[at][kind] == values[target][kind] else 0.0
            weights.append(weight)
        if weights[target] >= max(weights) - 1e-9:
            total += chance / sum(abs(one - weights[target]) < 1e-9 for one in weights)
    return total


VALUE = st.sampled_from(["a", "b", None])


@given(st.data(), st.integers(1, 2), st.integers(1, 4), st.sampled_from([0.0, 0.3, 0.8]))
@settings(max_examples=30, deadline=None)
def test_the_model_of_leaks_is_never_less_than_every_pattern(
    data: st.DataObject, kinds: int, people: int, recall: float
) -> None:
    people = min(people, 3) if kinds == 2 else people
    values = [tuple(data.draw(VALUE) for _ in range(kinds)) for _ in range(people)]
    numbers = [tuple(data.draw(st.integers(0, 2)) for _ in range(kinds)) for _ in range(people)]
    chances = [
        tuple(0.0 if one is None or n == 0 else 1 - recall**n for one, n in zip(*both, strict=True))
        for both in zip(values, numbers, strict=True)
    ]
    found = joint_risk(
        [JointPart("table", names(people), {"sex": ("F",) * people}), leaking(values, numbers, recall)]
    )
    for target in range(people):
        wanted = risk_of_patterns(values, chances, target)
        assert found.together.risk[target] >= wanted - 1e-5
        assert found.together.high[target] >= wanted - 1e-5
        assert 1 / people - 1e-12 <= found.together.risk[target] <= 1 + 1e-12
    if kinds == 1 and len(set(numbers)) == 1 and (1,) in numbers and (None,) not in values:
        exact = [risk_of_patterns(values, chances, target) for target in range(people)]
        assert found.together.risk.tolist() == pytest.approx(exact, abs=1e-5), "then the model is exact"


def test_averages_are_those_of_people_if_no_events_are_known() -> None:
    table = JointPart("table", names(7), {"sex": ("F",) * 5 + ("M",) * 2})
    text = notes(("45", "46", "47", "48", "49"), (8, 10))
    found = joint_risk([table, text], threshold=FIVE).together
    assert found.average == pytest.approx(found.risk.mean())
    assert found.average_high == pytest.approx(found.high.mean())
    assert found.average < found.average_high < 1
    assert found.highest == found.high.max() > found.risk.max()


def test_leaks_of_others_do_not_touch_a_class_without_texts() -> None:
    """Ten men have notes that surely leak; of the five women, none has."""
    table = JointPart("table", names(15), {"sex": ("M",) * 10 + ("F",) * 5})
    text = notes(tuple("abcdefghij"), (1, 100_000))
    found = joint_risk([table, text], threshold=FIVE).together
    assert found.risk[10:].tolist() == pytest.approx([1 / 5] * 5)
    assert found.high[10:].tolist() == pytest.approx([1 / 5] * 5)
    assert found.high[:10].tolist() == pytest.approx([1.0] * 10, abs=1e-3)


def test_notes_that_mention_nothing_leak_nothing() -> None:
    table = JointPart("table", names(4), {"sex": ("F",) * 4})
    kinds = (LeakKind("AGE", 1, 2),)
    silent = TextLeaks(kinds, (("45",) * 4,), np.zeros((4, 1), dtype=np.int64))
    found = joint_risk([table, JointPart("notes", names(4), leaks=silent)], threshold=FIVE).together
    assert found.risk.tolist() == found.high.tolist() == [0.25] * 4


def test_direct_identifiers_of_some_people() -> None:
    """A name that surely leaked singles out its person; of others the chance counts, or what is known."""
    table = JointPart("table", names(4), {"sex": ("F",) * 4})
    chances, seen = np.array([0.5, 0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0])
    none = np.zeros((4, 0), dtype=np.int64)
    letters = JointPart("letters", names(4), leaks=TextLeaks((), (), none, none > 0, chances, seen))
    model = joint_risk([table, letters], threshold=FIVE).together
    assert model.risk.tolist() == pytest.approx([0.5 + 0.5 / 4, 1 / 4, 1.0, 1 / 4])
    known = joint_risk([table, letters], JointSettings(leaks="observed"), threshold=FIVE).together
    assert known.risk.tolist() == pytest.approx([1.0, 1 / 4, 1 / 4, 1 / 4])


def test_a_part_whose_tables_are_empty_tells_nothing() -> None:
    people = names(4)
    one = JointPart("clinic", people, tables=("diagnosis",), **events(np.array([0, 0, 1, 1])))
    empty = JointPart("pharmacy", people, tables=("drug", "dose"))
    for parts in ([one, empty], [empty, one]):
        found = joint_risk(parts, threshold=FIVE).together
        assert found.risk.tolist() == [0.5] * 4
    assert joint_risk([empty], threshold=FIVE).together.risk.tolist() == [0.25] * 4


def test_people_in_some_parts_only() -> None:
    """Whoever is in a part is told from those who are not; who is in none has no risk by these parts."""
    one = JointPart("clinic", ("a", "b", "c"), {"sex": ("F", "F", "M")})
    two = JointPart("register", ("c", "d"), {"job": ("clerk", "clerk")})
    found = joint_risk([one, two], threshold=FIVE)
    assert found.alone[0].risk.tolist() == [1 / 2, 1 / 2, 1, 0]
    assert found.alone[0].support.tolist() == [2, 2, 1, 4]
    assert found.alone[1].risk.tolist() == [0, 0, 1 / 2, 1 / 2]
    assert found.together.risk.tolist() == [1 / 2, 1 / 2, 1, 1]
    assert found.together.share_above(FIVE) == 1.0
    assert found.together.share_above(Threshold.from_cell_size(2, "a test")) == 0.5
    assert found.together.above(Threshold.from_cell_size(2, "a test")).tolist() == [False, False, True, True]


def test_how_many_events_are_known_raises_the_highest_risk() -> None:
    people = names(6)
    one = JointPart("clinic", people, tables=("diagnosis",), **events(np.array([0, 0, 0, 1, 1, 1])))
    two = JointPart("pharmacy", people, tables=("drug",), **events(np.array([0, 1, 1, 0, 1, 1])))
    found = joint_risk([one, two], threshold=FIVE)
    rows = [(row["known"], row["highest"]) for row in found.to_dict()["by_known"]]
    assert rows == [(0, pytest.approx(1 / 6)), (1, 1 / 2), (2, 1.0)]


def test_the_limit_is_that_of_the_worst_recall_in_between() -> None:
    """Of two people who share a value, one has it twice: neither always nor never is the worst."""
    values: list[tuple[str | None, ...]] = [("47",), ("47",), ("46",)]
    kind = LeakKind("AGE", 2, 4)
    table = JointPart("table", names(3), {"sex": ("F",) * 3})
    leaks = TextLeaks((kind,), (("47", "47", "46"),), np.array([[1], [2], [0]]))
    found = joint_risk([table, JointPart("notes", names(3), leaks=leaks)], threshold=FIVE).together
    wanted = []
    for recall in kind.recall(np.linspace(0.025, 0.975, 20)).tolist():
        chances: list[tuple[float, ...]] = [(1 - recall,), (1 - recall**2,), (0.0,)]
        wanted.append(risk_of_patterns(values, chances, 1))
    assert max(wanted) > max(wanted[0], wanted[-1]) + 0.02
    assert found.high[1] >= max(wanted) - 1e-3
    assert found.high[1] >= found.risk[1]


def test_whoever_is_in_no_text_does_not_hide_a_leak() -> None:
    """Two people have the value, but only one has notes; these surely leak, and show whose they are."""
    table = JointPart("table", names(3), {"sex": ("F",) * 3})
    values = (("47", "47", "46"),)
    leaks = TextLeaks((LeakKind("AGE", 1, 10**9),), values, np.array([[0], [1], [0]]))
    found = joint_risk([table, JointPart("notes", names(3), leaks=leaks)], threshold=FIVE).together
    assert found.risk.tolist() == pytest.approx([1 / 2, 1.0, 1 / 2], abs=1e-6)
