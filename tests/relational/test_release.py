"""Linked tables are de-identified as one thing, and the proof finds every fault."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reidrisk.errors import BadData, FailedCheck, InvalidSetting, ReidRiskError
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.people import people_of
from reidrisk.relational.release import RelationalRelease, release_database
from reidrisk.relational.run import deidentify_relational
from reidrisk.relational.verify import pseudonyms_of, read_treatment, verify_release
from tests.relational.making import KEY, SETTINGS, clinic, settings, written

Rows = list[dict[str, str]]


def released(
    source: Path, out: Path, config: RelationalConfig | None = None, **options: Any
) -> RelationalRelease:
    with Database.open(source) as database:
        return release_database(database, config or settings(), out, key=KEY, **options)


def rows_of(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def people_map(source: Path, out: Path) -> dict[str, str]:
    olds = sorted(row["pid"] for row in rows_of(source / "people.csv"))
    return dict(zip(olds, pseudonyms_of(read_treatment(out), KEY, olds), strict=True))


def days_of(rows: Rows, column: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if len(row[column]) >= 10:
            found[row["pid"]].append(date.fromisoformat(row[column][:10]).toordinal())
    return {person: sorted(days) for person, days in found.items()}


def test_every_person_has_one_pseudonym_and_one_offset_everywhere(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    result = released(source, out)
    assert result.acceptable
    new = people_map(source, out)
    offsets: dict[str, set[int]] = defaultdict(set)
    for name, column in (("visits", "day"), ("codes", "day")):
        before = days_of(rows_of(source / f"{name}.csv"), column)
        after = days_of(rows_of(out / f"{name}.csv"), column)
        assert set(after) == {new[person] for person in before}
        for person, days in before.items():
            moved = after[new[person]]
            offsets[person] |= {late - early for early, late in zip(days, moved, strict=True)}
    assert all(len(one) == 1 and 0 < abs(next(iter(one))) <= 365 for one in offsets.values())
    assert len({next(iter(one)) for one in offsets.values()}) > 1


def test_partial_dates_stay_partial_and_times_stay(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    released(source, out)
    before, after = (
        Counter((len(row["day"]), row["day"][10:]) for row in rows_of(folder / "codes.csv"))
        for folder in (source, out)
    )
    assert before == after
    assert {size for size, _ in before} == {4, 7, 10, 16}


def test_a_partial_date_moves_from_the_middle_of_its_month(tmp_path: Path) -> None:
    """The example of the rule: 2015-03 less 20 days is 23 February, so 2015-02."""
    files = {
        "people.csv": "pid,sex\nAAAAAA1,F\n",
        "codes.csv": "pid,day\nAAAAAA1,2015-03-15\nAAAAAA1,2015-03\nAAAAAA1,2015\n",
    }
    config = settings(
        keys={"codes.pid": "people.pid"},
        columns={"people.sex": "keep", "codes.day": "date"},
        events={},
        dates={"anchor": date(2015, 2, 23)},
    )
    out = tmp_path / "out"
    released(written(tmp_path / "db", files), out, config)
    # The first full date is 15 March; it becomes 23 February, 20 days before.
    assert sorted(row["day"] for row in rows_of(out / "codes.csv")) == ["2015", "2015-02", "2015-02-23"]


def test_keys_sites_and_dropped_text(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    released(source, out)
    people, visits, codes = (rows_of(out / f"{name}.csv") for name in ("people", "visits", "codes"))
    assert {row["visit"] for row in codes} <= {row["visit"] for row in visits}
    sites = {row["pid"]: row["site"] for row in people}
    assert len(set(sites.values())) == 3
    assert all(row["site"] == sites[row["pid"]] for row in visits)
    assert not {row["site"] for row in visits} & {"S0", "S1", "S2"}
    assert "words" not in codes[0]
    assert all(len(row["born"]) == 4 for row in people)
    text = "".join((out / f"{name}.csv").read_text() for name in ("people", "visits", "codes"))
    assert "P-0" not in text


def test_rare_values_go(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    released(source, out)
    holders: dict[str, set[str]] = defaultdict(set)
    for row in rows_of(source / "codes.csv"):
        holders[row["code"]].add(row["pid"])
    left = {row["code"] for row in rows_of(out / "codes.csv") if row["code"]}
    assert left == {code for code, some in holders.items() if len(some) >= 3}


def test_no_order_in_common(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db", people=60), tmp_path / "out"
    released(source, out)
    new = people_map(source, out)
    old = {pseudonym: person for person, pseudonym in new.items()}
    shown = [old[row["pid"]] for row in rows_of(out / "people.csv")]
    assert shown != sorted(shown)
    visits = list(dict.fromkeys(old[row["pid"]] for row in rows_of(out / "visits.csv")))
    places = [shown.index(person) for person in visits]
    assert abs(np.corrcoef(places, range(len(places)))[0, 1]) < 0.4


def test_people_who_are_left_out_are_nowhere(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    gone = np.zeros(12, dtype=np.bool_)
    gone[[2, 5]] = True
    result = released(source, out, left_out=gone)
    new = people_map(source, out)
    persons = {new["P-002-X"], new["P-005-X"]}
    for name in ("people", "visits", "codes"):
        assert not persons & {row["pid"] for row in rows_of(out / f"{name}.csv")}
    assert (result.left_out, result.proof.released) == (2, 10)


def test_the_same_key_gives_the_same_files(tmp_path: Path) -> None:
    source = clinic(tmp_path / "db")
    released(source, tmp_path / "a")
    released(source, tmp_path / "b")
    for name in ("people.csv", "visits.csv", "codes.csv", "treatment.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def orphaned(folder: Path) -> Path:
    source = clinic(folder)
    with (source / "codes.csv").open("a") as file:
        file.write("901,P-001-X,9999,2019-05-05,C1,x\n902,P-XXX-X,1,2019-05-05,C1,x\n")
    return source


@pytest.mark.parametrize(("how", "rows", "emptied"), [("drop", 2, 0), ("detach", 1, 1)])
def test_orphans(tmp_path: Path, how: str, rows: int, emptied: int) -> None:
    """A row without a person always goes; one without its visit goes or loses the key."""
    source, out = orphaned(tmp_path / "db"), tmp_path / "out"
    released(source, out, settings(orphans=how))
    before, after = rows_of(source / "codes.csv"), rows_of(out / "codes.csv")
    assert len(before) - len(after) == rows
    assert sum(row["visit"] == "" for row in after) == emptied


@pytest.mark.parametrize(("how", "rows", "emptied"), [("cascade", 1, 0), ("detach", 0, 1)])
def test_children_of_a_row_that_goes(tmp_path: Path, how: str, rows: int, emptied: int) -> None:
    """A visit of nobody goes; a code that names it goes with it, or loses the key."""
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    with (source / "visits.csv").open("a") as file:
        file.write("777,P-XXX-X,2019-05-05,S1\n")
    with (source / "codes.csv").open("a") as file:
        file.write("901,P-001-X,777,2019-05-05,C1,x\n")
    released(source, out, settings(orphans="detach", on_parent=how))
    before, after = rows_of(source / "codes.csv"), rows_of(out / "codes.csv")
    assert len(before) - len(after) == rows
    assert sum(row["visit"] == "" for row in after) == emptied


def test_free_text_can_be_de_identified(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    text = (source / "codes.csv").read_text().replace("said by", "seen by Dr. John Smith on 03/14/2019")
    (source / "codes.csv").write_text(text.replace("2019 P-0", "2019 x-0"))
    columns = {**settings().columns, "codes.words": "deidentify"}
    released(source, out, settings(columns=columns))
    words = {row["words"] for row in rows_of(out / "codes.csv")}
    assert words
    assert not any("Smith" in one or "03/14/2019" in one for one in words)


def test_people_of_a_release_can_be_counted_again(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    released(source, out)
    config = settings()
    with Database.open(source) as before, Database.open(out) as after:
        one, other = people_of(before, config), people_of(after, config)
    assert np.bincount(one.static).tolist() == np.bincount(other.static).tolist()
    assert one.day is not None
    assert other.day is not None
    assert len(other.person) <= len(one.person)


def test_orphans_are_refused_unless_said(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="codes has 1 rows"):
        released(orphaned(tmp_path / "db"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_column_that_nobody_accounted_for_is_refused(tmp_path: Path) -> None:
    columns = {name: how for name, how in settings().columns.items() if name != "codes.words"}
    with pytest.raises(InvalidSetting, match=r"codes\.words"):
        released(clinic(tmp_path / "db"), tmp_path / "out", settings(columns=columns))


def test_dates_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    source = clinic(tmp_path / "db")
    text = (source / "visits.csv").read_text() + "99,P-001-X,spring,S1\n"
    (source / "visits.csv").write_text(text)
    with pytest.raises(BadData, match=r"1 cell of visits\.day cannot be read"):
        released(source, tmp_path / "out")


def test_values_that_stand_in_several_tables_become_alike(tmp_path: Path) -> None:
    files = {
        "people.csv": "pid,age\n" + "".join(f"P-{n:03d},{30 + n}\n" for n in range(12)),
        "visits.csv": "pid,age\n" + "".join(f"P-{n:03d},{30 + n}\n" for n in range(12) for _ in (1, 2)),
    }
    config = settings(
        keys={"visits.pid": "people.pid"},
        columns={},
        events={},
        quasi=["people.age"],
        same={"age": ["people.age", "visits.age"]},
        hierarchies={"age": {"kind": "number", "levels": [5]}},
        levels={"age": 1},
    )
    out = tmp_path / "out"
    result = released(written(tmp_path / "db", files), out, config)
    ages = {row["pid"]: row["age"] for row in rows_of(out / "people.csv")}
    assert len(set(ages.values())) < 6
    assert all(row["age"] == ages[row["pid"]] for row in rows_of(out / "visits.csv"))
    lost = {one["variable"]: one["loss"] for one in result.to_dict()["variables"]}
    assert 0 < lost["age"] < 1


def _other_day(rows: Rows) -> Rows:
    return [{**rows[0], "day": "2020-02-02"}, *rows[1:]]


def _other_person(rows: Rows) -> Rows:
    return [{**rows[0], "pid": "0123456789ABCDEF"}, *rows[1:]]


def _first_id(rows: Rows) -> Rows:
    return [{**rows[0], "code": "see P-003-X"}, *rows[1:]]


FAULTS: dict[str, tuple[str, Callable[[Rows], Rows]]] = {
    "offset": ("visits.csv", _other_day),
    "keys": ("visits.csv", lambda rows: rows[1:]),
    "people": ("people.csv", _other_person),
    "ids_inside": ("codes.csv", _first_id),
    "rows": ("visits.csv", lambda rows: [*rows, rows[0]]),
    "columns": ("people.csv", lambda rows: [{k: v for k, v in row.items() if k != "sex"} for row in rows]),
    "partial": (
        "codes.csv",
        lambda rows: [{**row, "day": row["day"] + "-01"} if len(row["day"]) == 7 else row for row in rows],
    ),
    "ids": ("visits.csv", lambda rows: [{**rows[0], "site": "S1"}, *rows[1:]]),
}


@pytest.mark.parametrize("check", FAULTS)
def test_the_proof_finds_every_fault(tmp_path: Path, check: str) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    released(source, out)
    assert verify_release(out, against=source, key=KEY).acceptable
    name, change = FAULTS[check]
    rows = change(rows_of(out / name))
    with (out / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    proof = verify_release(out, against=source, key=KEY)
    assert not proof.acceptable
    assert check in {one.name for one in proof.checks if not one.holds}


def test_another_key_does_not_verify(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    released(source, out)
    proof = verify_release(out, against=source, key=b"x" * 32)
    assert "people" in {one.name for one in proof.checks if not one.holds}


def test_a_folder_that_is_no_release_is_refused(tmp_path: Path) -> None:
    source = clinic(tmp_path / "db")
    with pytest.raises(ReidRiskError, match=r"treatment\.json"):
        verify_release(source, against=source, key=KEY)


def test_pseudonyms_contain_short_numbers_by_chance(tmp_path: Path) -> None:
    """Ids that are dense numbers of six digits are inside many hashes; texts are still searched."""
    people = ["pid,site,kind", *(f"{100_000 + 9 * n},s{n % 400},k" for n in range(20_000))]
    config = settings(
        keys={},
        quasi=[],
        events={},
        columns={"people.site": {"pseudonym": "site"}, "people.kind": "keep"},
    )
    source = written(tmp_path / "db", {"people.csv": "\n".join(people) + "\n"})
    assert released(source, tmp_path / "out", config).acceptable
    people[1] = people[1][:-1] + "as 100009"
    source = written(tmp_path / "db", {"people.csv": "\n".join(people) + "\n"})
    with pytest.raises(FailedCheck, match="contains the original id"):
        released(source, tmp_path / "other", config)


def test_the_ends_of_the_data_go_if_asked(tmp_path: Path) -> None:
    """No date that is left narrows the offset of its person: with any offset it is inside the data."""
    source = clinic(tmp_path / "db", people=40)
    told = deidentify_relational(source, tmp_path / "told", key=KEY, config=settings(dates={"offset": 60}))
    done = deidentify_relational(
        source, tmp_path / "out", key=KEY, config=settings(dates={"offset": 60, "truncate": True})
    )
    assert "truncate: true" in " ".join(told.proof.warnings())
    assert done.proof.warnings() == []
    ends = next(one for one in done.proof.checks if one.name == "ends")
    assert ends.holds
    assert ends.checked
    true, left = (
        [row.split(",")[2] for row in (folder / "visits.csv").read_text().splitlines()[1:]]
        for folder in (source, tmp_path / "out")
    )
    first, last = date.fromisoformat(min(true)), date.fromisoformat(max(true))
    days = [date.fromisoformat(one) for one in left if one]
    assert 0 < len(days) < len(true) == len(left), "rows stay, dates near the ends go"
    assert first + timedelta(60) <= min(days)
    assert max(days) <= last - timedelta(60)
    with pytest.raises(BadData, match="within 730 days"):
        deidentify_relational(source, tmp_path / "none", key=KEY, config=settings(dates={"truncate": True}))
    with pytest.raises(InvalidSetting, match="range of their offset"):
        settings(dates={"anchor": date(2020, 1, 1), "truncate": True})


@pytest.mark.parametrize(
    ("column", "how"), [("visits.day", "keep"), ("visits.day", "year"), ("visits.year", "keep")]
)
def test_true_dates_beside_moved_ones_are_refused(tmp_path: Path, column: str, how: str) -> None:
    """A visit with its true day or year gives the offset of its diagnosis away."""
    source = clinic(tmp_path / "db")
    visits = (source / "visits.csv").read_text(encoding="utf-8").splitlines()
    lines = [f"{visits[0]},year", *(f"{line},{line.split(',')[2][:4]}" for line in visits[1:])]
    (source / "visits.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = {**SETTINGS["columns"], "visits.year": "drop", column: how}
    with pytest.raises(InvalidSetting, match="Together they show by how many days") as error:
        deidentify_relational(source, tmp_path / "out", key=KEY, config=settings(columns=columns))
    assert column in str(error.value)
    assert not (tmp_path / "out").exists()
    gone = settings(
        columns={**columns, column: "keep"},
        hierarchies={column: {"kind": "exact", "suppress": True}},
        levels={column: "suppressed"},
    )
    done = deidentify_relational(source, tmp_path / "gone", key=KEY, config=gone)
    assert done.acceptable, "a date that is suppressed tells nothing"
    stays = {"offset": "none", "reason": "for the test"}
    done = deidentify_relational(
        source, tmp_path / "true", key=KEY, config=settings(columns=columns, dates=stays)
    )
    assert done.acceptable


def test_a_true_birth_date_beside_moved_dates_is_refused(tmp_path: Path) -> None:
    """Whole, at a level with days, or as a day of the month; a year, a decade or nothing may stay."""
    source = clinic(tmp_path / "db")
    people = (source / "people.csv").read_text(encoding="utf-8").splitlines()
    lines = [f"{people[0]},day_of_birth", *(f"{line},{1 + at % 9}" for at, line in enumerate(people[1:]))]
    (source / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = {**SETTINGS["columns"], "people.day_of_birth": "drop"}
    rules = {"people.born": {"kind": "prefix", "lengths": [4]}}

    def tried(name: str, **changes: Any) -> RelationalRelease:
        return deidentify_relational(source, tmp_path / name, key=KEY, config=settings(**changes))

    for place, changes in (
        ("born", {"columns": {**columns, "people.born": "keep"}}),
        ("born", {"columns": {**columns, "people.born": {"rare": 2}}}),
        ("born", {"columns": columns, "hierarchies": rules, "levels": {"people.born": 0}}),
        ("day_of_birth", {"columns": {**columns, "people.day_of_birth": "keep"}}),
    ):
        with pytest.raises(InvalidSetting, match=f"people.{place} .* true date of birth"):
            tried("refused", **changes)
    assert not (tmp_path / "refused").exists()
    assert tried("year", columns=columns).acceptable
    assert tried("level", columns=columns, hierarchies=rules, levels={"people.born": 1}).acceptable
    told = tried("moved", columns={**columns, "people.born": "date"})
    assert "people.born is a birth date that moves" in " ".join(told.to_dict()["warnings"])
    stays = {"offset": "none", "reason": "for the test"}
    assert tried("true", columns={**columns, "people.born": "keep"}, dates=stays).acceptable


def test_an_age_beside_the_year_of_birth_is_a_remaining_risk(tmp_path: Path) -> None:
    source = clinic(tmp_path / "db")
    people = (source / "people.csv").read_text(encoding="utf-8").splitlines()
    lines = [
        f"{people[0]},age,joined",
        *(f"{line},{30 + at},2019-01-0{1 + at % 9}" for at, line in enumerate(people[1:])),
    ]
    (source / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns = {**SETTINGS["columns"], "people.age": "keep", "people.joined": "year"}
    done = deidentify_relational(source, tmp_path / "out", key=KEY, config=settings(columns=columns))
    told = " ".join(done.to_dict()["warnings"])
    assert "people.joined is cut to the true year" in told
    assert "people.age and people.born together tell" in told
    assert "people.born is cut" not in told


def test_each_released_table_is_a_frame_by_its_name(tmp_path: Path) -> None:
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    result = released(source, out)
    assert {"people", "visits", "codes", "variables"} <= set(result.frame_names)
    visits = rows_of(out / "visits.csv")
    frame = result.to_polars("visits")
    assert (frame.columns, frame.height) == (list(visits[0]), len(visits))
    assert result.to_polars().height == 1  # without a name: the figures
