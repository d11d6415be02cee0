"""What the profile of trials does: continents, high ages, twins, define.xml, and the proof of it."""

from __future__ import annotations

import csv
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reidrisk.core.countries import CONTINENTS, continent_of, countries
from reidrisk.core.threshold import Threshold
from reidrisk.errors import UnreadableFile
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.define import read_definition
from reidrisk.relational.people import people_of
from reidrisk.relational.plan import config_for
from reidrisk.relational.recount import compared
from reidrisk.relational.release import RelationalRelease
from reidrisk.relational.run import deidentify_relational, protect_relational, verify_relational
from tests.relational.making import KEY, written

PEOPLE = 12
PAIRS = Threshold(0.5, "for the test")
COUNTRIES = ("DEU", "France", "US", "Atlantis")
DEFINE = """<?xml version="1.0" encoding="UTF-8"?>
<ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" xmlns:def="http://www.cdisc.org/ns/def/v2.1">
 <Study OID="S"><MetaDataVersion OID="M" Name="D">
  <ItemGroupDef OID="IG.MH" Name="MH" Repeating="Yes">
   <ItemRef ItemOID="IT.MH.USUBJID" KeySequence="1"/><ItemRef ItemOID="IT.MH.MHSEQ" KeySequence="2"/>
   <ItemRef ItemOID="IT.MH.WHEN"/></ItemGroupDef>
  <ItemDef OID="IT.MH.USUBJID" Name="USUBJID" DataType="text"/>
  <ItemDef OID="IT.MH.MHSEQ" Name="MHSEQ" DataType="integer"/>
  <ItemDef OID="IT.MH.WHEN" Name="MHWHEN" DataType="partialDate">
   <Description><TranslatedText>Day of the interview</TranslatedText></Description></ItemDef>
 </MetaDataVersion></Study></ODM>
"""


def subject(at: int) -> str:
    return f"S-{at:02d}-X"


def trial(folder: Path) -> Path:
    """Datasets of people, one of whom has an illness of long ago."""
    dm = ["USUBJID,RFSTDTC,AGE,SEX,RACE,ETHNIC,COUNTRY"]
    adsl = ["USUBJID,AGE,AGEGR1,RACE,RACEN,SEX,HEIGHTBL,WEIGHTBL,BMIBL,BMIBLGR1"]
    mh = ["USUBJID,MHSEQ,MHDECOD,MHSTDTC,MHSTDY,MHWHEN"]
    for at in range(PEOPLE):
        age = 84 + at
        dm.append(f"{subject(at)},2014-03-{1 + at:02d},{age},{'FM'[at % 2]},WHITE,NO,{COUNTRIES[at % 4]}")
        height, weight = 160 + at, 60 + 2 * at
        index = round(weight / (height / 100) ** 2, 1)
        adsl.append(
            f"{subject(at)},{age},{'>80' if age > 80 else '<=80'},WHITE,1,{'FM'[at % 2]},{height},{weight},"
            f"{index},{'>=25' if index >= 25 else '<25'}"
        )
        mh += [
            f"{subject(at)},1,Flu,2013-11-0{1 + at % 9},-100,2014-02",
            f"{subject(at)},2,Flu,2013,,2014-02-01",
        ]
    mh.append(f"{subject(11)},3,Flu,1919-05-04,-34000,2014-02-01")
    mh.append(f"{subject(11)},4,Flu,1919,,2014-02-01")
    mh.append(f"{subject(10)},3,Flu,1927-05-04,-31000,2014-02-01")
    lines = {"dm": dm, "adsl": adsl, "mh": mh}
    files = {f"{name}.csv": "\n".join(rows) + "\n" for name, rows in lines.items()}
    return written(folder, {**files, "define.xml": DEFINE})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, RelationalRelease]:
    """The trial, its release, and what was done."""
    folder = tmp_path_factory.mktemp("trial")
    source = trial(folder / "source")
    done = deidentify_relational(source, folder / "out", key=KEY, profile="sdtm")
    return source, folder / "out", done


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def variable(done: RelationalRelease, table: str, name: str) -> dict[str, Any]:
    return next(
        one for one in done.to_dict()["variables"] if (one["table"], one["variable"]) == (table, name)
    )


def test_a_country_becomes_its_continent_and_counts(made: tuple[Path, Path, RelationalRelease]) -> None:
    source, out, done = made
    rows = rows_of(out / "dm.csv")
    assert "COUNTRY" not in rows[0]
    assert sorted(row["REGIONDI"] for row in rows) == ["", "", "", *["Europe"] * 6, *["North America"] * 3]
    assert (
        variable(done, "dm", "COUNTRY")["treatment"]
        == "generalized to the level continent, released as REGIONDI"
    )
    limited = protect_relational(
        source, out.with_name("limited"), key=KEY, config=by_country(source), known=0, threshold=PAIRS
    )
    classes = limited.after.to_dict()["classes"]
    assert classes == {"classes": 3, "smallest": 3, "columns": ["dm.COUNTRY"]}


def by_country(source: Path) -> RelationalConfig:
    with Database.open(source) as database:
        return config_for(database, "cdisc").changed(quasi=("dm.country",), events={})


def test_every_country_has_a_continent() -> None:
    assert {one.continent for one in countries()} == set(CONTINENTS)
    assert {continent_of(form) for one in countries() for form in (one.two, one.three, *one.names)} <= set(
        CONTINENTS
    )


def test_dates_that_show_a_high_age_go(made: tuple[Path, Path, RelationalRelease]) -> None:
    _, out, _ = made
    by_person: dict[str, list[dict[str, str]]] = {}
    for row in rows_of(out / "mh.csv"):
        by_person.setdefault(row["USUBJID"], []).append(row)
    most = max(by_person.values(), key=len)
    oldest = [row for row in most if row["MHSEQ"] in "34"]
    assert [(row["MHSTDTC"], row["MHSTDY"]) for row in oldest] == [("", ""), ("", "")]
    assert all(row["MHSTDTC"] for row in most if row["MHSEQ"] in "12")
    [second] = [rows for rows in by_person.values() if len(rows) == 3]
    assert all(row["MHSTDTC"] for row in second), "87 years show no age above 89"
    ages = {row["AGE"] for row in rows_of(out / "dm.csv")}
    assert max(int(age) for age in ages if age) == 89


def test_twins_follow_what_is_released(made: tuple[Path, Path, RelationalRelease]) -> None:
    _, out, _ = made
    for row in rows_of(out / "adsl.csv"):
        assert bool(row["AGEGR1"]) == bool(row["AGE"])
        assert "BMIBLGR1" not in row
        height, weight = float(row["HEIGHTBL"]), float(row["WEIGHTBL"])
        assert height % 5 == weight % 5 == 0
        assert float(row["BMIBL"]) == pytest.approx(weight / (height / 100) ** 2, abs=0.051)


def test_ages_above_the_limit_are_said_to_be_so_and_counted(
    made: tuple[Path, Path, RelationalRelease], tmp_path: Path
) -> None:
    source, out, done = made
    for table in ("dm", "adsl"):
        rows = rows_of(out / f"{table}.csv")
        assert sorted(row["AGECATDI"] for row in rows) == [""] * 6 + [">89"] * 6
        assert all(bool(row["AGE"]) != bool(row["AGECATDI"]) for row in rows)
    assert variable(done, "dm", "AGE")["treatment"] == "emptied above 89, where AGECATDI says so"
    with Database.open(source) as database:
        settings = config_for(database, "cdisc").changed(events={})
    assert settings.quasi == ("dm.sex", "dm.age", "dm.race", "dm.ethnic", "dm.country", "dm.AGECATDI")
    ages = settings.changed(quasi=("dm.age", "dm.AGECATDI"))
    with Database.open(out) as released:
        assert np.bincount(people_of(released, ages).static).tolist() == [1] * 6 + [6]
    with Database.open(source) as database:
        assert people_of(database, ages).columns.keys() == {"dm.age"}
    wrong = (out / "dm.csv").read_text(encoding="utf-8").replace(">89", ">95", 1)
    bad = tmp_path / "bad"
    shutil.copytree(out, bad)
    (bad / "dm.csv").write_text(wrong, encoding="utf-8")
    assert "Values that follow from others" in verify_relational(bad, against=source, key=KEY).failed()


def test_a_profile_alone_limits_the_risk(made: tuple[Path, Path, RelationalRelease], tmp_path: Path) -> None:
    """Hierarchies are those of the draft: nothing but the profile is given."""
    source, _, _ = made
    done = protect_relational(
        source, tmp_path / "out", key=KEY, profile="cdisc", known=1, threshold=PAIRS, max_suppression=0.2
    )
    assert done.acceptable
    assert not done.before.acceptable
    assert done.to_dict()["protection"]["levels"]["age"] != "exact"


def test_the_description_gives_dates_labels_and_keys(made: tuple[Path, Path, RelationalRelease]) -> None:
    source, _, done = made
    found = variable(done, "mh", "MHWHEN")
    assert (found["role"], found["source"], found["label"]) == (
        "date",
        "define.xml: a date",
        "Day of the interview",
    )
    checks = {one.name: one for one in done.proof.checks}
    assert checks["declared_keys"].checked == 1
    assert checks["sizes"].checked == 2, "classes, and the events of one table"
    assert read_definition(source).keys == {"mh": ("usubjid", "mhseq")}


def test_a_description_of_the_first_version(tmp_path: Path) -> None:
    old = (
        '<ODM><ItemGroupDef Name="DM" def:DomainKeys="STUDYID, USUBJID"><ItemRef ItemOID="A"/></ItemGroupDef>'
        '<ItemDef OID="A" Name="USUBJID" DataType="text" def:Label="Subject"/></ODM>'
    )
    found = read_definition(written(tmp_path, {"define.xml": old}))
    assert found.keys == {"dm": ("studyid", "usubjid")}
    assert [one.label for one in found.variables.values()] == ["Subject"]
    for bad in ('<!DOCTYPE x [<!ENTITY e "e">]><ODM>&e;</ODM>', "<ODM>"):
        with pytest.raises(UnreadableFile, match=r"define\.xml"):
            read_definition(written(tmp_path, {"define.xml": bad}))


FAULTS = {
    "ages": ("mh.csv", "MHSTDTC", "1900-01-01"),
    "twins": ("adsl.csv", "BMIBL", "27.31"),
    "declared_keys": ("mh.csv", "MHSEQ", "1"),
}


@pytest.mark.parametrize("check", FAULTS)
def test_the_proof_finds_the_fault(
    made: tuple[Path, Path, RelationalRelease], tmp_path: Path, check: str
) -> None:
    source, out, _ = made
    shutil.copytree(out, tmp_path / "out")
    name, column, value = FAULTS[check]
    rows = rows_of(tmp_path / "out" / name)
    for row in rows if check == "declared_keys" else rows[:1]:
        row[column] = value
    with (tmp_path / "out" / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    proof = verify_relational(tmp_path / "out", against=source, key=KEY)
    assert check in {one.name for one in proof.checks if not one.holds}


def test_sizes_that_differ_are_found(made: tuple[Path, Path, RelationalRelease]) -> None:
    _, out, done = made
    files = {"dm": str(out / "dm.csv"), "mh": str(out / "mh.csv")}
    with Database.open(out, files=files) as released:
        people = people_of(released, done.config)
        assert compared(released, done.config, people).holds
        merged = replace(people, static=np.zeros_like(people.static))
        assert not compared(released, done.config, merged).holds
        fewer = replace(people, event=np.zeros_like(people.event), person=people.person // 2)
        assert not compared(released, done.config, fewer).holds


def test_first_and_last_days_are_told_as_a_risk(tmp_path: Path) -> None:
    days = [date(2020, 1, 1).toordinal() + 3 * at for at in range(PEOPLE)]
    dm = ["USUBJID,SEX,RFSTDTC", *(f"{subject(at)},F,{date.fromordinal(day)}" for at, day in enumerate(days))]
    source = written(tmp_path / "source", {"dm.csv": "\n".join(dm) + "\n"})
    done = deidentify_relational(source, tmp_path / "out", key=KEY, profile="cdisc")
    [warning] = done.to_dict()["warnings"]
    assert f"of {PEOPLE} people" in warning, "days of one month tell where the offset took them"
