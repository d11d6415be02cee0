"""A table of events de-identified: the written file is counted once more, with sets and nothing else."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.errors import BadData, FailedCheck, InvalidSetting, UnknownColumn
from reidrisk.tables.hierarchy.hierarchy import hierarchies_from

SCHEMA = rr.Schema(quasi=("sex", "born"), unit="person")
THREE = rr.Threshold.from_cell_size(3, "test")
RULES = hierarchies_from(
    {
        "born": {"kind": "number", "levels": [10, 20]},
        "code": {"kind": "prefix", "lengths": [1]},
        "day": {"kind": "date", "levels": ["day", "month", "year"]},
    },
    folder=Path(),
    place="test: ",
)


def events(people: int = 120, rows: int = 500, seed: int = 4) -> pa.Table:
    rng = np.random.default_rng(seed)
    person = np.concatenate([np.arange(people), rng.integers(0, people, rows - people)])
    code = rng.choice(12, rows, p=np.arange(12, 0, -1) / 78)
    spelled: list[str | None] = [f"{'ABC'[n % 3]}{n}" for n in code]
    day: list[Any] = [np.datetime64("2023-01-01") + int(n) for n in rng.integers(0, 300, rows)]
    for at in rng.choice(np.arange(people, rows), 12, replace=False):
        spelled[at] = day[at] = None
    born = rng.integers(1950, 1990, people)
    return pa.table(
        {
            "person": [f"P{n}" for n in person],
            "sex": ["FM"[n % 2] for n in person],
            "born": born[person],
            "code": pa.array(spelled, pa.string()),
            "day": pa.array([None if one is None else one.astype("O") for one in day], pa.date32()),
            "paid": np.arange(rows),
        }
    )


def options(**more: Any) -> rr.DeidentifyOptions:
    known = rr.EventKnowledge(("code", "day"), more.pop("known", 2), more.pop("counted", False))
    return rr.DeidentifyOptions(events=known, **{"max_event_suppression": 0.4, **more})


def written(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def fewest(rows: list[dict[str, str]], known: int, *, counted: bool = False) -> int:
    """The fewest people of a class whom something that may be known fits."""
    has: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    of: dict[str, tuple[str, str]] = {}
    for row in rows:
        of[row["person"]] = (row["sex"], row["born"])
        has[row["person"]].update([(row["code"], row["day"])] if row["code"] or row["day"] else [])
    found = []
    for person, events_of in has.items():
        mine = list(events_of.elements()) if counted else sorted(events_of)
        for part in combinations(mine, min(known, len(mine))):
            wanted = Counter(part)
            alike = [other for other in of if of[other] == of[person]]
            found.append(sum(wanted <= has[other] for other in alike))
    return min(found)


@pytest.mark.parametrize(
    ("known", "counted", "more"),
    [
        (1, False, {"suppress": "records"}),
        (2, False, {"method": "local"}),
        (2, True, {"treatments": {"person": "pseudonym"}, "key": b"secret of some bytes"}),
    ],
)
def test_the_file_keeps_what_is_promised(tmp_path: Path, known: int, counted: bool, more: Any) -> None:
    out, table = tmp_path / "out.csv", events()
    asked = options(known=known, counted=counted, **more)
    done = rr.deidentify(table, SCHEMA, RULES, threshold=THREE, options=asked, max_suppression=0.2, out=out)
    assert done.acceptable
    rows = written(out)
    assert fewest(rows, known, counted=counted) >= 3
    said = done.to_dict()
    assert len({row["person"] for row in rows}) == 120 - said["events"]["people_left_out"]
    assert said["after"]["records"] == 120 - said["events"]["people_left_out"]
    assert said["after"]["longitudinal"]["acceptable"]
    assert not said["before"]["longitudinal"]["acceptable"]
    assert len(rows) == said["after"]["rows"]
    assert said["events"]["rows_left_out"] <= 0.4 * said["events"]["rows"]
    measured = rr.table_risk(out, SCHEMA, threshold=THREE, events=asked.events)
    rows_of = (risk["longitudinal"]["by_known"] for risk in (measured.to_dict(), said["after"]))
    for one, two in zip(*rows_of, strict=True):
        assert one == pytest.approx(two)
    again = done.to_arrow()
    assert sorted(map(str, again.column("paid").to_pylist())) == sorted(row["paid"] for row in rows)
    for view in (str(done), done._repr_html_()):
        assert "Events to release".upper() in view.upper()


def test_the_order_of_rows_tells_nothing_and_may_be_kept(tmp_path: Path) -> None:
    table = events()
    done = rr.deidentify(table, SCHEMA, RULES, threshold=THREE, options=options(), max_suppression=0.2)
    asked = options(order="keep")
    kept = rr.deidentify(table, SCHEMA, RULES, threshold=THREE, options=asked, max_suppression=0.2)
    assert not kept.acceptable
    accepted = replace(SCHEMA, other={"order of the rows": "shuffled by the registry"})
    kept = rr.deidentify(table, accepted, RULES, threshold=THREE, options=asked, max_suppression=0.2)
    kept.write(tmp_path / "kept.parquet")
    paid = kept.to_arrow().column("paid").to_pylist()
    assert paid == sorted(paid)
    [note] = [note for note in kept.notes if "order of the source" in note]
    assert note.endswith("generalized or removed: born, code, day") or "code, day" in note
    assert done.to_arrow().column("paid").to_pylist() != paid
    assert fewest([{k: str(v or "") for k, v in row.items()} for row in kept.to_arrow().to_pylist()], 2) >= 3


def test_too_much_would_have_to_go() -> None:
    done = rr.deidentify(
        events(),
        SCHEMA,
        {},
        threshold=THREE,
        options=options(max_event_suppression=0.01),
        max_suppression=0.9,
    )
    assert not done.acceptable
    assert done.events is None
    assert "at the coarsest levels" in done.to_dict()["reasons"][0]
    assert "NO SOLUTION" in str(done).upper()


def test_a_ladder_goes_on_where_events_have_no_form() -> None:
    ladder = (THREE, rr.Threshold.from_cell_size(1, "test"))
    done = rr.deidentify(
        events(),
        SCHEMA,
        {},
        threshold=THREE,
        options=options(max_event_suppression=0.0, ladder=ladder),
        max_suppression=0.9,
    )
    assert [rung.outcome for rung in done.rungs] == ["no solution", "solution"]


def test_a_file_that_fails_the_check_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = rr.deidentify(events(), SCHEMA, RULES, threshold=THREE, options=options(), max_suppression=0.2)
    monkeypatch.setattr("reidrisk.engine.duckdb.event_release.with_events", lambda table, _: table)
    with pytest.raises(FailedCheck, match=r"not released: .*known events would fit fewer than 3"):
        done.to_arrow()
    out = tmp_path / "out.csv"
    with pytest.raises(FailedCheck, match="known events would fit fewer than 3"):
        rr.deidentify(
            events(), SCHEMA, RULES, threshold=THREE, options=options(), max_suppression=0.2, out=out
        )
    assert not out.exists()


def test_a_table_that_changed_is_not_written(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = tmp_path / "in.parquet"
    pq.write_table(events(), path)
    done = rr.deidentify(path, SCHEMA, RULES, threshold=THREE, options=options(), max_suppression=0.2)
    table = events()
    pq.write_table(table.set_column(3, "code", pa.array(["Z1"] * len(table))), path)
    with pytest.raises(BadData, match="events have changed"):
        done.write(tmp_path / "out.csv")


def test_what_makes_no_sense_is_refused() -> None:
    table = events()
    with pytest.raises(InvalidSetting, match="wildcard"):
        options(reading="wildcard")
    with pytest.raises(InvalidSetting, match=r"max_event_suppression cannot be 1\.5"):
        options(max_event_suppression=1.5)
    with pytest.raises(InvalidSetting, match="which rows belong to one person"):
        rr.deidentify(table, rr.Schema(quasi=("sex",)), options=options())
    for treated in ("person", "code"):
        with pytest.raises(InvalidSetting, match="events need it"):
            rr.deidentify(table, SCHEMA, options=options(treatments={treated: "drop"}))
    secret = rr.Schema(quasi=("sex",), unit="person", sensitive=("paid",), reduce={"paid": "max"})
    with pytest.raises(InvalidSetting, match="sensitive column paid varies within a person"):
        rr.deidentify(table, secret, options=options())
    kept = rr.deidentify(table, secret, RULES, options=options(max_event_suppression=0.0, known=0))
    assert kept.acceptable
    since = rr.Derived("wait", "born", "day")
    with pytest.raises(InvalidSetting, match="derived from day, which is then removed"):
        rr.deidentify(table, SCHEMA, options=options(derived=(since,)))
    with pytest.raises(UnknownColumn, match="'kode'"):
        rr.deidentify(table, SCHEMA, options=rr.DeidentifyOptions(events=rr.EventKnowledge(("kode",))))
    with pytest.raises(InvalidSetting, match="one role: sex"):
        rr.deidentify(table, SCHEMA, options=rr.DeidentifyOptions(events=rr.EventKnowledge(("sex",))))


def people_and_codes(seed: int) -> pa.Table:
    """Thirty people of three classes with one to three codes each, some of which are rare."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"P{person}", "ABC"[person % 3], f"c{code}")
        for person in range(30)
        for code in rng.choice(12, rng.integers(1, 4), replace=False, p=np.arange(12, 0, -1) / 78)
    ]
    return pa.table(dict(zip(("person", "town", "code"), map(list, zip(*rows, strict=True)), strict=True)))


def groups_of_people(table: pa.Table, released: list[dict[str, Any]], known: int) -> dict[str, list[int]]:
    """How many people fit, for each person and each thing an adversary may know.

    The adversary knows that a person is in the source, the town and some codes. A code that nobody of the
    town has was suppressed. If all known codes were, the person is among those of the town who have none;
    otherwise among those who have all the others.
    """
    now: dict[str, tuple[str, set[str]]] = {}
    for row in released:
        now.setdefault(row["person"], (row["town"], set()))[1].update([row["code"]] if row["code"] else [])
    mine: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in table.to_pylist():
        mine[row["person"], row["town"]].add(row["code"])
    found: dict[str, list[int]] = defaultdict(list)
    for (person, town), codes in mine.items():
        inside = [events for place, events in now.values() if place == town]
        seen = set().union(*inside)
        for part in combinations(sorted(codes), min(known, len(codes))):
            still = seen.intersection(part)
            found[person].append(sum(still <= events if still else not events for events in inside))
    return found


@pytest.mark.parametrize("known", [1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nobody_is_found_because_all_events_are_gone(known: int, seed: int) -> None:
    """Nobody fits, because the person was left out, or as many as the cell size."""
    table = people_and_codes(seed)
    asked = rr.DeidentifyOptions(events=rr.EventKnowledge(("code",), known), max_event_suppression=1.0)
    schema = rr.Schema(quasi=("town",), unit="person")
    done = rr.deidentify(table, schema, {}, threshold=THREE, options=asked)
    released = done.to_arrow().to_pylist()
    found = groups_of_people(table, released, known)
    assert all(size == 0 or size >= 3 for sizes in found.values() for size in sizes)
    said, kept = done.to_dict(), len({row["person"] for row in released})
    assert said["events"]["people_left_out"] == 30 - kept
    assert said["after"]["records"] == kept
    assert said["after"]["smallest_class"] >= 3
    assert said["after"]["rows"] == len(released)
    assert said["events"]["rows_removed"] == len(table) - len(released)
    if kept < 30:
        people = "1 person" if kept == 29 else f"{30 - kept} people"
        assert f"{people} without any event left: left out" in " ".join(said["reasons"])


def test_people_without_events_stay_where_enough_of_their_class_have_none() -> None:
    """Six people of one town, each with a code of their own, and five who share one."""
    rows: list[tuple[str, str, str | None]] = [(f"P{n}", "A", f"c{n}") for n in range(6)]
    rows += [(f"Q{n}", "B", "c") for n in range(5)]
    rows += [(f"R{n}", "C", "d") for n in range(4)] + [("S", "C", "rare"), ("S", "C", None)]
    names = ("person", "town", "code")
    table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    asked = rr.DeidentifyOptions(events=rr.EventKnowledge(("code",), 1), max_event_suppression=1.0)
    done = rr.deidentify(table, rr.Schema(quasi=("town",), unit="person"), {}, threshold=THREE, options=asked)
    released, said = done.to_arrow().to_pylist(), done.to_dict()
    assert Counter(row["town"] for row in released) == {"A": 6, "B": 5, "C": 4}
    assert [row["code"] for row in released if row["town"] == "A"] == [None] * 6
    assert (said["events"]["rows_emptied"], said["events"]["people_left_out"]) == (6, 1)
    assert said["events"]["rows_removed"] == 2, "also the row of that person that had no event"
    columns = {one["column"]: one["treatment"] for one in said["codebook"]}
    assert (
        columns["code"] == "exact values; 2 rows removed; 6 rows with the event suppressed; 1 person left out"
    )
    assert "1 person without any event left is left out" in " ".join(str(done).split())


def test_dates_of_events_that_were_moved_are_not_those_that_are_known() -> None:
    steps = [
        {"kind": "shift_dates", "dates": ["day"], "person": "person", "days": 30, "release": "one"},
        {"kind": "sample", "share": 0.9, "person": "person"},
        {"kind": "pseudonyms", "columns": ["person"], "release": "one"},
    ]
    asked = options(steps=steps, key=b"secret of some bytes")
    done = rr.deidentify(events(), SCHEMA, RULES, threshold=THREE, options=asked, max_suppression=0.2)
    assert "known events are counted on values that were changed at random: day" in " ".join(done.notes)
    made = done.to_arrow().to_pylist()
    assert not {row["person"] for row in made} & set(events()["person"].to_pylist())
    assert fewest([{name: str(value or "") for name, value in row.items()} for row in made], 2) >= 3


def test_nothing_known_is_said_in_words() -> None:
    known = rr.EventKnowledge(("code",), known=0)
    risk = rr.table_risk(events(), rr.Schema(quasi=("sex",), unit="person"), events=known).to_dict()
    assert risk["reasons"][-1].startswith("To an adversary who knows no event of a person (code)")


@pytest.mark.parametrize(
    ("person", "words"),
    [(None, "not sampled by person: most of them may still be in it"), ("person", "--sampling-fraction 0.5")],
)
def test_rows_drawn_one_by_one_are_no_sample_of_people(person: str | None, words: str) -> None:
    step = {"kind": "sample", "share": 0.5, **({"person": person} if person else {})}
    schema = rr.Schema(quasi=("sex",), unit="person")
    done = rr.deidentify(events(), schema, RULES, threshold=THREE, options=options(steps=[step], known=0))
    assert words in " ".join(done.notes)
    worth = done.to_dict()["steps"][0]["worth"]
    assert worth.endswith("0.5 if every row is a person." if person is None else "0.5.")
