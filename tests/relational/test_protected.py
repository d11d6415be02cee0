"""Linked tables de-identified until nobody is exposed, measured again on what is written."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reidrisk.core.threshold import Threshold
from reidrisk.engine.linked import ProofCheck, ReleasedShifts
from reidrisk.errors import InvalidSetting, NoSolution
from reidrisk.relational.config import config_of
from reidrisk.relational.database import Database
from reidrisk.relational.exposure import JoinKnowledge
from reidrisk.relational.plan import completed
from reidrisk.relational.protect import ProtectLimits
from reidrisk.relational.protected import ProtectedRelease, measure_written, protected_release
from reidrisk.relational.recount import recount_sets
from reidrisk.relational.release import release_database
from reidrisk.relational.risk import relational_risk
from reidrisk.relational.run import deidentify_relational, protect_relational, verify_relational
from reidrisk.relational.verify import pseudonyms_of
from reidrisk.report.blocks.relational import proof_reasons
from reidrisk.resynthesis.dates.shift import person_offsets
from tests.relational.databases import config, write_crowd, write_tables

KEY = b"k" * 32
FIVE = Threshold.from_cell_size(5, "a test")
KEEP = {
    "person.sex": "keep",
    "person.ward": "keep",
    "diagnosis.code": "keep",
    "diagnosis.day": "date",
    "drug.drug": "keep",
}


def released(tmp_path: Path, limits: ProtectLimits, **changes: Any) -> ProtectedRelease:
    folder = tmp_path / "crowd"
    if not folder.exists():
        write_crowd(folder, people=300, events=3)
    with Database.open(folder) as database:
        return protected_release(
            database,
            config(columns=KEEP, **changes),
            tmp_path / "out",
            key=KEY,
            threshold=FIVE,
            limits=limits,
        )


def test_rows_and_people_are_left_out_until_nobody_is_exposed(tmp_path: Path) -> None:
    done = released(tmp_path, ProtectLimits(people=0.1, rows=0.9))
    result = done.to_dict()
    assert done.acceptable
    assert not done.before.acceptable
    assert result["after"]["highest"] <= 1 / 5
    assert result["protection"]["rows_left_out"] > 0
    assert 0 < result["protection"]["loss"] < 1
    again = relational_risk(tmp_path / "out", config(columns=KEEP), threshold=FIVE)
    assert again.acceptable
    assert again.worst.least.min() == done.after.worst.least.min()
    assert len(again.exposure.people) == 300 - result["protection"]["people_left_out"]
    lost = set((tmp_path / "crowd" / "drug.csv").read_text().split()) - set(
        (tmp_path / "out" / "drug.csv").read_text().split()
    )
    assert lost


def test_dates_go_if_distances_would_expose(tmp_path: Path) -> None:
    done = released(tmp_path, ProtectLimits(people=0.1, rows=0.9), dates={"offset": 30, "know": "intervals"})
    assert done.acceptable
    assert done.to_dict()["protection"]["dates_removed"] == ["diagnosis.day"]
    rows = (tmp_path / "out" / "diagnosis.csv").read_text().split("\n")[1:-1]
    assert rows
    assert all(row.endswith((",", ',""')) for row in rows), "the last column had the dates"


def test_nothing_else_shows_dates_that_go(tmp_path: Path) -> None:
    """Ends and days of the study go with the start, and the key of a visit that shows the day elsewhere."""
    rows = [(n, 40 * n + 3 * k, k) for n in range(12) for k in range(2)]
    first = date(2019, 1, 1)
    source = write_tables(
        tmp_path / "db",
        person=["person_id,sex", *(f"{n},F" for n in range(12))],
        visit=["visit_id,person_id,day", *(f"{2 * n + k},{n},{first + timedelta(d)}" for n, d, k in rows)],
        diagnosis=[
            "person_id,code,start,stop,visit_id",
            *(f"{n},c,{first + timedelta(d)},{first + timedelta(d + n)},{2 * n + k}" for n, d, k in rows),
        ],
    )
    settings = config_of(
        {
            "person": "person.person_id",
            "keys": {
                "visit.person_id": "person.person_id",
                "diagnosis.person_id": "person.person_id",
                "diagnosis.visit_id": "visit.visit_id",
            },
            "quasi": ["person.sex"],
            "events": {"diagnosis": ["code", "start"]},
            "columns": {
                "person.sex": "keep",
                "visit.visit_id": "key",
                "visit.day": "date",
                "diagnosis.code": "keep",
                "diagnosis.start": "date",
                "diagnosis.stop": "date",
                "diagnosis.visit_id": "key",
            },
            "dates": {"offset": 30, "know": "intervals"},
        },
        folder=tmp_path,
        place="rel.yaml",
    )
    done = protect_relational(source, tmp_path / "out", key=KEY, config=settings, threshold=FIVE, known=1)
    assert done.protection.dates_removed == ("diagnosis.start", "diagnosis.stop")
    assert done.protection.keys_removed == ("diagnosis.visit_id",)
    assert "Keys removed because they would lead to these dates" in done.reasons()[-1].text
    with (tmp_path / "out" / "diagnosis.csv").open(encoding="utf-8") as file:
        assert {(row["start"], row["stop"], row["visit_id"]) for row in csv.DictReader(file)} == {
            ("", "", "")
        }


def test_fewer_people_than_the_cell_size(tmp_path: Path) -> None:
    source = write_tables(tmp_path / "db", person=["person_id,sex", "1,F", "2,F"])
    settings = config_of(
        {"person": "person.person_id", "quasi": ["person.sex"], "columns": {"person.sex": "keep"}},
        folder=tmp_path,
        place="rel.yaml",
    )
    with pytest.raises(NoSolution, match="2 people in the tables, fewer than the cell size of 5"):
        protect_relational(source, tmp_path / "out", key=KEY, config=settings, threshold=FIVE)


def test_limits_that_allow_nothing(tmp_path: Path) -> None:
    with pytest.raises(NoSolution, match="Known events"):
        released(tmp_path, ProtectLimits(people=0.0, rows=0.01))
    assert not (tmp_path / "out").exists()


def test_static_classes_first(tmp_path: Path) -> None:
    folder = write_crowd(tmp_path / "crowd", people=300, events=3)
    people = (folder / "person.csv").read_text().split("\n")
    rng = np.random.default_rng(2)
    (folder / "person.csv").write_text(
        "\n".join([people[0], *(f"{row.rpartition(',')[0]},{rng.integers(20, 80)}" for row in people[1:-1])])
        + "\n"
    )
    rules = {"person.ward": {"kind": "number", "levels": [10, 30]}}
    done = released(tmp_path, ProtectLimits(people=0.2, rows=0.9), hierarchies=rules, known=1)
    assert done.acceptable
    chosen = done.to_dict()["protection"]
    assert chosen["levels"]["person.ward"] != "exact"
    assert 1 <= chosen["evaluated"] <= chosen["nodes"]
    assert chosen["nodes"] > 2, "those at all levels of the quasi-identifiers that were looked at"


def test_events_that_are_only_a_date(tmp_path: Path) -> None:
    """Visits without any value but their day: their dates stay, or go."""
    people = [f"{n},F" for n in range(10)]
    visits = [f"{n},2020-01-{10 + n % 2}" for n in range(10)]
    write_tables(tmp_path / "db", person=["person_id,sex", *people], visit=["person_id,day", *visits])
    settings = config_of(
        {
            "person": "person.person_id",
            "keys": {"visit.person_id": "person.person_id"},
            "quasi": ["person.sex"],
            "events": {"visit": ["day"]},
            "columns": {"person.sex": "keep", "visit.day": "date"},
            "dates": {"offset": 30, "know": "intervals"},
        },
        folder=tmp_path,
        place="rel.yaml",
    )
    done = protect_relational(tmp_path / "db", tmp_path / "out", key=KEY, config=settings)
    assert done.acceptable


def test_people_without_events_are_protected_too(tmp_path: Path) -> None:
    people = [f"{n},{'FM'[n % 2]}" for n in range(12)]
    source = write_tables(tmp_path / "db", person=["person_id,sex", *people])
    plain = config_of(
        {"person": "person.person_id", "quasi": ["person.sex"], "columns": {"person.sex": "keep"}},
        folder=Path(),
        place="rel.yaml",
    )
    done = protect_relational(source, tmp_path / "out", key=KEY, config=plain, known=1)
    assert done.acceptable
    assert done.after.to_dict()["classes"]["smallest"] == 6


def sets_of(out: Path, source: Path) -> ProofCheck | None:
    proof = verify_relational(out, against=source, key=KEY)
    return next((one for one in proof.checks if one.name == "known_events"), None)


def counted_sets(out: Path) -> list[int]:
    """People by set of one or two events and class, counted without a database; distances are not known."""
    rows = {
        name: list(csv.DictReader((out / f"{name}.csv").read_text().splitlines()))
        for name in ("person", "diagnosis", "drug")
    }
    classes = {one["person_id"]: (one["sex"], one["ward"]) for one in rows["person"]}
    events: dict[str, set[tuple[str, str]]] = {key: set() for key in classes}
    for table, column in (("diagnosis", "code"), ("drug", "drug")):
        for row in rows[table]:
            if row[column]:
                events[row["person_id"]].add((table, row[column]))
    found = Counter(
        (classes[key], one)
        for key, own in events.items()
        for size in (1, 2)
        for one in combinations(sorted(own), size)
    )
    return list(found.values())


def test_the_proof_counts_sets_of_known_events(tmp_path: Path) -> None:
    dates = {"offset": 30, "know": "nothing"}
    released(tmp_path, ProtectLimits(people=0.1, rows=0.9), dates=dates)
    source, out = tmp_path / "crowd", tmp_path / "out"
    found = sets_of(out, source)
    assert found is not None
    assert (found.holds, found.checked) == (True, sum(counted_sets(out)))
    assert found.checked > 0
    assert found.found == "0 sets of up to 2 events fit fewer than 5 people"
    content = json.loads((out / "treatment.json").read_text())
    assert content["promised"] == {"cell_size": 5, "known": 2, "by_table": {}}
    strict = {**content, "promised": {**content["promised"], "cell_size": 20}}
    few = sum(number < 20 for number in counted_sets(out))
    again = recount_sets(out, strict)
    assert again is not None
    assert few > 0
    assert (again.holds, again.violations) == (False, few)
    once = {**content, "promised": {**strict["promised"], "by_table": {"diagnosis": 1, "drug": 0}}}
    one = recount_sets(out, once)
    assert one is not None
    assert 0 < one.violations < few, "nobody knows two events then"
    many = recount_sets(out, content, most=3)
    assert many is not None
    assert many.found.startswith("not checked: ")
    assert many.unchecked


def test_what_was_not_counted_is_no_success(tmp_path: Path) -> None:
    """More sets than the limit, or a quasi-identifier in another table: the proof says so, and warns."""
    released(tmp_path, ProtectLimits(people=0.1, rows=0.9), dates={"offset": 30, "know": "nothing"})
    source, out = tmp_path / "crowd", tmp_path / "out"
    content = json.loads((out / "treatment.json").read_text())
    singles = recount_sets(out, {**content, "promised": {**content["promised"], "known": 1}})
    assert singles is not None
    part, both = (recount_sets(out, content, most=number) for number in (singles.checked - 1, 10**6))
    assert part is not None
    assert both is not None
    assert (part.holds, part.checked) == (True, both.checked - singles.checked), "fewer pairs than events"
    assert part.found.startswith("0 sets of 2 events fit fewer than 5 people; not checked: ")
    assert part.unchecked == f"{singles.checked:,} sets of 1, more than {singles.checked - 1:,}"
    assert not both.unchecked
    none = recount_sets(out, content, most=3)
    assert none is not None
    elsewhere = {**content, "quasi": ["person.sex", "drug.drug"], "events": {"diagnosis": ["code"]}}
    for one in (none, recount_sets(out, elsewhere)):
        assert one is not None
        assert (one.holds, one.checked) == (True, 0)
        assert one.unchecked
    proof = verify_relational(out, against=source, key=KEY)
    assert not any(one.startswith("Not checked") for one in proof.warnings())
    told = replace(proof, checks=(*proof.checks[:-1], part, none))
    assert [one for one in told.warnings() if one.startswith("Not checked in the written files")] == [
        f"Not checked in the written files: whatever events may be known fit enough people ({one.unchecked})."
        for one in (part, none)
    ]
    answers = [one.holds for one in proof_reasons(told.to_dict()["checks"])]
    assert answers[-2:] == [None, None]


def test_sets_are_counted_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released(tmp_path, ProtectLimits(people=0.1, rows=0.9))
    content = json.loads((tmp_path / "out" / "treatment.json").read_text())
    content["promised"]["cell_size"] = 20
    whole = recount_sets(tmp_path / "out", content)
    monkeypatch.setattr("reidrisk.engine.duckdb.linked.recount.PART", 100)
    parts = recount_sets(tmp_path / "out", content)
    assert whole is not None
    assert whole.violations > 0
    assert parts == whole


def test_people_with_several_rows_are_counted(tmp_path: Path) -> None:
    """As in REDCap: a person's sex is in the first row, the answers with their days are in the others."""
    rows = [f"{n},,{'FM'[n % 2]},," for n in range(24)]
    rows += [
        f"{n},visit {at},,{'abc'[(n + at) % 3]},2020-01-{1 + 7 * at:02}" for n in range(24) for at in range(2)
    ]
    rows += [f"{n},visit 2,,rare,2020-02-01" for n in (0, 2, 4)]
    source = write_tables(tmp_path / "db", data=["record,event,sex,answer,day", *rows])
    settings = config_of(
        {
            "person": "data.record",
            "repeats": True,
            "quasi": ["data.sex"],
            "events": {"data": ["answer", "day"]},
            "columns": {"data.event": "keep", "data.sex": "keep", "data.answer": "keep", "data.day": "date"},
            "dates": {"offset": 3000, "know": "intervals"},
        },
        folder=tmp_path,
        place="rel.yaml",
    )
    done = protect_relational(
        source,
        tmp_path / "out",
        key=KEY,
        config=settings,
        threshold=Threshold.from_cell_size(4, "a test"),
        max_event_suppression=0.1,
    )
    checks = {one.name: one for one in done.release.proof.checks}
    assert (checks["known_events"].holds, checks["known_events"].checked) == (True, 24 * 3)
    assert (checks["sizes"].holds, checks["sizes"].checked) == (True, 2)
    assert not any(one.unchecked for one in done.release.proof.checks)
    content = json.loads((tmp_path / "out" / "treatment.json").read_text())
    content["promised"]["cell_size"] = 5
    few = recount_sets(tmp_path / "out", content)
    assert few is not None
    assert few.violations == 6, "four people have each pair of answers"


def test_a_pair_that_somebody_made_rare_is_found(tmp_path: Path) -> None:
    released(tmp_path, ProtectLimits(people=0.1, rows=0.9))
    source, out = tmp_path / "crowd", tmp_path / "out"
    found = sets_of(out, source)
    assert found is not None
    assert found.holds
    lines = (out / "drug.csv").read_text().splitlines()
    changed = next(at for at, line in enumerate(lines) if at and line.rpartition(",")[2])
    lines[changed] = f"{lines[changed].rpartition(',')[0]},new"
    (out / "drug.csv").write_text("\n".join(lines) + "\n")
    found = sets_of(out, source)
    assert found is not None
    assert not found.holds


def dated_people(folder: Path, people: int = 48) -> Path:
    """Two diagnoses per person, ten days or more apart, and a drug, so that few combinations exist."""
    rng = np.random.default_rng(5)
    days = [date(2020, 1, 1) + timedelta(int(10 * at)) for at in range(4)]
    rows = [
        f"{n},d{at if n % 3 else 0},{days[int(place)]}"
        for n in range(people)
        for at, place in enumerate(sorted(rng.choice(4, 2, replace=False)))
    ]
    return write_tables(
        folder,
        person=["person_id,sex,ward", *(f"{n},{'FM'[n % 2]},0" for n in range(people))],
        diagnosis=["person_id,code,day", *rows],
        drug=["person_id,drug", *(f"{n},r{n % 2}" for n in range(people))],
    )


def test_the_proof_counts_as_the_risk_does_with_distances(tmp_path: Path) -> None:
    """Dates move by at most 8 days: people with the same distance fit only if they are near in time."""
    settings = config(columns=KEEP, quasi=["person.sex"], dates={"offset": 8, "know": "intervals"})
    with Database.open(dated_people(tmp_path / "db")) as database:
        settings = completed(database, settings)
        release_database(database, settings, tmp_path / "out", key=KEY)
        keys = database.tables.person_keys(database.at(settings.person))
        content = json.loads((tmp_path / "out" / "treatment.json").read_text())
        days = person_offsets(keys, KEY, 8)
        shifts = ReleasedShifts(tuple(pseudonyms_of(content, KEY, keys)), days, 8)
        counts: set[int] = set()
        for known in (1, 2, 3):
            risk, _ = measure_written(
                tmp_path / "out", database, settings, KEY, JoinKnowledge.of(settings, known=known), FIVE
            )
            least = int(risk.worst.least.min())
            for size, holds in ((least, True), (least + 1, False)):
                content["promised"] = {"cell_size": size, "known": known, "by_table": {}}
                found = recount_sets(tmp_path / "out", content, shifts=shifts)
                assert found is not None
                assert found.holds == holds
                anywhere = recount_sets(tmp_path / "out", content)
                assert anywhere is not None
                assert anywhere.violations <= found.violations, "wherever in time, more people fit"
            counts.add(least)
        assert len(counts) > 1


def test_pairs_with_their_distances_through_other_tables(tmp_path: Path) -> None:
    """All people were seen twice, five days apart, with the same diagnoses; one date has no day."""
    people = [f"{n},F" for n in range(12)]
    days = [f"{2 * n + at},{n},2020-01-{1 + n + 5 * at:02}" for n in range(12) for at in range(2)]
    codes = [f"{2 * n + at},{'ab'[at]}" for n in range(12) for at in range(2)]
    source = write_tables(
        tmp_path / "db",
        person=["person_id,sex", *people],
        visit=["visit_id,person_id,day", *days, "24,3,2020-02", "25,4,"],
        diagnosis=["visit_id,code", *codes],
    )
    settings = config_of(
        {
            "person": "person.person_id",
            "keys": {"visit.person_id": "person.person_id", "diagnosis.visit_id": "visit.visit_id"},
            "quasi": ["person.sex"],
            "events": {"visit": ["day"], "diagnosis": ["code"]},
            "columns": {
                "person.sex": "keep",
                "visit.*_id": "key",
                "visit.day": "date",
                "diagnosis.code": "keep",
            },
            "dates": {"offset": 3000, "know": "intervals"},
        },
        folder=tmp_path,
        place="rel.yaml",
    )
    out = tmp_path / "out"
    assert protect_relational(source, out, key=KEY, config=settings).acceptable
    content = json.loads((out / "treatment.json").read_text())
    found = recount_sets(out, content)
    assert found is not None
    assert (found.holds, found.checked) == (True, 12 * 10), "two days and two codes: four events, six pairs"
    lines = (out / "visit.csv").read_text().splitlines()
    place = next(at for at, line in enumerate(lines) if re.search(r"\d-\d\d-\d\d$", line))
    day = date.fromisoformat(lines[place][-10:]) + timedelta(1)
    lines[place] = f"{lines[place][:-10]}{day}"
    (out / "visit.csv").write_text("\n".join(lines) + "\n")
    found = recount_sets(out, content)
    assert found is not None
    assert found.violations == 1, "one distance that nobody else has"


def test_the_message_says_why_and_what_would_help(tmp_path: Path) -> None:
    """Half of the people have a diagnosis of their own, which only leaving out rows can hide."""
    people = [f"{n},F,{n % 2}" for n in range(40)]
    rows = [f"{n},{'c' if n % 2 else f'own{n}'}" for n in range(40)]
    source = write_tables(
        tmp_path / "db", person=["person_id,sex,ward", *people], diagnosis=["person_id,code", *rows]
    )
    content = {
        "person": "person.person_id",
        "keys": {"diagnosis.person_id": "person.person_id"},
        "quasi": ["person.sex"],
        "events": {"diagnosis": ["code"]},
        "columns": {"person.sex": "keep", "person.ward": "drop", "diagnosis.code": "keep"},
        "hierarchies": {"person.sex": {"kind": "exact", "suppress": True}},
    }

    def refused(**changes: Any) -> NoSolution:
        settings = config_of({**content, **changes}, folder=tmp_path, place="rel.yaml")
        with pytest.raises(NoSolution) as error:
            protect_relational(source, tmp_path / "out", key=KEY, config=settings, threshold=FIVE, known=1)
        return error.value

    found = refused()
    assert "20 of 40 people are in groups smaller than 5, most of them by the table diagnosis" in str(found)
    needed = re.search(r"--max-event-suppression (\S+) with --max-suppression (\S+) would do", found.hint)
    assert needed is not None
    assert "No attribute has a hierarchy" in str(refused(hierarchies=None))
    settings = config_of(content, folder=tmp_path, place="rel.yaml")
    done = protect_relational(
        source,
        tmp_path / "out",
        key=KEY,
        config=settings,
        threshold=FIVE,
        known=1,
        max_event_suppression=float(needed[1]),
        max_suppression=float(needed[2]),
    )
    assert done.acceptable


def test_attributes_that_stand_in_several_tables_are_searched(tmp_path: Path) -> None:
    """An attribute has a name of its own then, which is not that of its column."""
    ages = [20 + n for n in range(30)]
    source = write_tables(
        tmp_path / "db",
        person=["person_id,age", *(f"{n},{age}" for n, age in enumerate(ages))],
        visit=["person_id,age", *(f"{n},{age}" for n, age in enumerate(ages))],
    )
    settings = config_of(
        {
            "person": "person.person_id",
            "keys": {"visit.person_id": "person.person_id"},
            "quasi": ["person.age"],
            "columns": {"*.age": "keep"},
            "same": {"age": ["person.age", "visit.age"]},
            "hierarchies": {"age": {"kind": "number", "levels": [10]}},
        },
        folder=tmp_path,
        place="rel.yaml",
    )
    done = protect_relational(source, tmp_path / "out", key=KEY, config=settings, threshold=FIVE)
    assert done.acceptable
    assert done.protection.levels["age"] == "width 10"


def test_nothing_else_tells_terms_that_became_coarser(tmp_path: Path) -> None:
    """Three people have each term, and its group; the group would tell as much as the term."""
    source = write_tables(
        tmp_path / "db",
        dm=["STUDYID,DOMAIN,USUBJID,SEX", *(f"S,DM,S-{n},F" for n in range(30))],
        ae=[
            "STUDYID,DOMAIN,USUBJID,AESEQ,AEDECOD,AEBODSYS",
            *(f"S,AE,S-{n},1,term {n // 3},group {n // 6}" for n in range(30)),
        ],
    )
    content = {
        "profile": "cdisc",
        "person": "dm.USUBJID",
        "quasi": ["dm.SEX"],
        "events": {"ae": ["AEDECOD"]},
        "hierarchies": {"ae.AEDECOD": {"kind": "exact", "suppress": True}},
    }
    settings = config_of(content, folder=tmp_path, place="rel.yaml")
    done = protect_relational(source, tmp_path / "out", key=KEY, config=settings, threshold=FIVE, known=1)
    assert done.protection.levels["ae.AEDECOD"] == "suppressed"
    assert done.protection.twins_removed == ("ae.AEBODSYS",)
    with (tmp_path / "out" / "ae.csv").open(encoding="utf-8") as file:
        assert {(row["AEDECOD"], row["AEBODSYS"]) for row in csv.DictReader(file)} == {("*", "")}


def test_terms_become_their_groups(tmp_path: Path) -> None:
    """Everybody has a term of their own, of one of two groups; a second column of groups merges nothing."""
    rows = [f"{n},term{n},pair{n},{'heart' if n % 2 else 'skin'}" for n in range(20)]
    rows += ["1,term1,pair1,skin", "0,term0,pair0,"]
    source = write_tables(
        tmp_path / "db",
        person=["person_id,sex", *(f"{n},F" for n in range(20))],
        event=["person_id,term,fine,organ", *rows],
    )
    content = {
        "person": "person.person_id",
        "keys": {"event.person_id": "person.person_id"},
        "quasi": ["person.sex"],
        "events": {"event": ["term"]},
        "columns": {"person.sex": "keep", "event.term": "keep", "event.fine": "drop", "event.organ": "drop"},
        "groups": {"event.TERM": ["fine", "organ"]},
    }
    settings = config_of(content, folder=tmp_path, place="rel.yaml")
    done = protect_relational(
        source, tmp_path / "out", key=KEY, config=settings, threshold=FIVE, known=1, max_event_suppression=0.2
    )
    assert done.protection.levels == {"event.term": "organ"}
    with (tmp_path / "out" / "event.csv").open(encoding="utf-8") as file:
        assert Counter(row["term"] for row in csv.DictReader(file)) == {"skin": 11, "heart": 11}
    named = config_of({**content, "levels": {"EVENT.Term": "organ"}}, folder=tmp_path, place="rel.yaml")
    assert deidentify_relational(source, tmp_path / "named", key=KEY, config=named).acceptable
    with pytest.raises(InvalidSetting, match="which has no hierarchy"):
        config_of({**content, "levels": {"event.organ": 1}}, folder=tmp_path, place="rel.yaml")
