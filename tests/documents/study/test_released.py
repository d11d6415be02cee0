"""Documents and released data agree: one set of rules for both."""

from __future__ import annotations

import csv
import stat
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.core.key import read_key
from reidrisk.documents.study.by_rules import Generalized, ReleasedByRules
from reidrisk.documents.study.data import StudyData, StudyTable
from reidrisk.documents.study.ids import IdForm, NewId, NewIds, folded_piece, new_pieces
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.released import Released
from reidrisk.documents.study.schema import StudySchema
from reidrisk.documents.study.study import Study
from reidrisk.documents.study.writings import dates_in, shifted
from reidrisk.errors import FailedCheck, InvalidSetting
from reidrisk.resynthesis.dates.shift import person_offsets
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from tests.documents.study.builders import YAML, write_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return read_study(write_study(tmp_path))


@pytest.fixture
def released(study: Study) -> Released:
    assert study.released is not None
    return study.released


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_tables_and_documents_get_the_same_values(study: Study, released: Released, tmp_path: Path) -> None:
    released.write_tables(tmp_path / "out")
    new = {row["USUBJID"]: row for row in rows(tmp_path / "out" / "adsl.csv")}
    events = rows(tmp_path / "out" / "ae.csv")
    assert len(new) == 4
    assert len(events) == 3, "somebody who is no participant is not released"
    for subject, old in study.data.participants.values("USUBJID"):
        row = new[released.value(subject, "USUBJID", old) or ""]
        for name in ("SUBJID", "SITEID", "AGE", "RFSTDTC", "SEX", "RACE"):
            (value,) = study.data.of(subject, name)
            assert released.value(subject, name, value) == row[name]
        for event in (one for one in events if one["USUBJID"] == row["USUBJID"]):
            (start,) = study.data.of(subject, "AESTDTC")
            assert released.value(subject, "AESTDTC", start) == event["AESTDTC"]


def test_written_tables_that_are_not_the_measured_ones_are_refused(
    released: Released, tmp_path: Path
) -> None:
    assert isinstance(released, ReleasedByRules)
    other = replace(released, levels={"AGE": Generalized({})})  # so that no age was measured, but not said so
    with pytest.raises(FailedCheck, match=r"4 rows of adsl .* Nothing was written") as error:
        other.write_tables(tmp_path / "out")
    assert "61" not in str(error.value)
    assert not (tmp_path / "out").exists()


def test_no_new_id_is_a_real_one_and_fragments_are_fragments(study: Study, released: Released) -> None:
    whole = released.value(1, "USUBJID", "DEMO-301-01-0104") or ""
    site, number = whole.split("-")[2:]
    assert whole.startswith("DEMO-301-")
    assert site not in ("01", "02")
    assert not study.data.all_of("SUBJID") & {number}
    assert released.value(1, "SUBJID", "0104") == number
    assert released.value(1, "USUBJID", "0104") == number
    assert released.value(1, "USUBJID", "01/0104") == f"{site}/{number}"
    assert released.value(1, "USUBJID", "104") == number.lstrip("0")
    assert released.value(1, "USUBJID", "DEMO301010104") == f"DEMO301{site}{number}"
    assert released.value(1, "SITEID", "01") == site
    assert released.value(1, "USUBJID", "0105") is None, "another's number is not translated as mine"


def test_ages_become_their_group_in_any_writing(released: Released) -> None:
    assert released.value(1, "AGE", "54") == "50-54"
    assert released.value(1, "AGE", "fifty-four") == "50-54"
    assert released.value(1, "AGE", "55") is None


def test_dates_move_by_one_offset_in_their_own_writing(study: Study, released: Released) -> None:
    new = date.fromisoformat(released.value(1, "RFSTDTC", "2019-03-12") or "")
    offset = new - date(2019, 3, 12)
    key = read_key(study.participants.parent / "study.key")
    assert [offset.days] == person_offsets(["DEMO-301-01-0104"], key, 365).tolist(), "as in tables and texts"
    assert released.value(1, "RFSTDTC", "12MAR2019") == f"{new:%d%b%Y}".upper()
    assert released.value(1, "RFSTDTC", "12-Mar-2019") == f"{new:%d-%b-%Y}"
    assert released.value(1, "RFSTDTC", "March 12, 2019") == f"{new:%B} {new.day}, {new.year}"
    assert released.value(1, "RFSTDTC", "03/12/2019") == f"{new:%m/%d/%Y}"
    assert released.value(1, "RFSTDTC", "12/03/2019") == f"{new:%d/%m/%Y}"
    assert released.value(1, "RFSTDTC", "2019-03-12T08:30") == f"{new.isoformat()}T08:30"
    assert released.value(1, "RFSTDTC", "March 2019") == f"{new:%B %Y}"
    assert released.value(1, "RFSTDTC", "MAR2019") == f"{new:%b%Y}".upper()
    start = date(2019, 4, 20) + offset
    assert released.value(1, "AESTDTC", "20 April 2019") == f"{start.day} {start:%B %Y}"
    assert released.value(1, "BRTHDTC", "1964-08") is None, "it would show the age in days"
    assert released.value(1, "RFSTDTC", "day one") is None
    scan = date(2019, 4, 21) + offset
    assert released.day(1, "21APR2019") == f"{scan:%d%b%Y}".upper(), "a day that the data do not have"


def test_the_same_key_gives_the_same_values_and_is_its_owners(tmp_path: Path) -> None:
    path = write_study(tmp_path)
    first, second = read_study(path).released, read_study(path).released
    assert first is not None
    assert second is not None
    assert first.value(2, "USUBJID", "0105") == second.value(2, "USUBJID", "0105")
    assert stat.S_IMODE((tmp_path / "study.key").stat().st_mode) == 0o600
    (tmp_path / "study.key").unlink()
    third = read_study(path).released
    assert third is not None

    assert third.value(2, "USUBJID", "DEMO-301-01-0105") != first.value(2, "USUBJID", "DEMO-301-01-0105")


def test_what_has_no_rule_is_not_released_where_it_names_people(tmp_path: Path) -> None:
    yaml = YAML.replace("recode: [USUBJID, SUBJID, SITEID]", "recode: [USUBJID]").replace(
        "  shift: {days: 365}\n", ""
    )
    released = read_study(write_study(tmp_path, yaml=yaml)).released
    assert released is not None
    released.write_tables(tmp_path / "out")
    for row in rows(tmp_path / "out" / "adsl.csv"):
        assert not {"SUBJID", "RFSTDTC", "BRTHDTC"} & set(row)
        assert row["USUBJID"].split("-")[2] == row["SITEID"], "a site that is released is told by ids too"
    assert released.value(1, "SUBJID", "0104") is None
    assert released.value(1, "RFSTDTC", "2019-03-12") is None
    assert released.day(1, "2019-03-12") is None


CDISC = """\
USUBJID,SITEID,SITENAM,INVID,INVNAM,BRTHDTC,AGE,SEX,RACE,RACEOTH,RFSTDTC
T-01-1,01,Clinique des Tilleuls,I7,Dr. Marchand,1958-03-02,61,F,OTHER,Breton,2019-03-12
T-02-2,02,Klinikum Lindenhof,I8,Dr. Brockmeyer,1957-11-30,62,M,WHITE,,2019-04-02
"""
CDISC_AE = """\
USUBJID,AESPID,AETERM,AEDECOD,AESTDTC,AESTDY
T-01-1,E-77,Fell off the ladder at the mill,Fall,2019-04-20,40
"""
CDISC_YAML = """\
ipd: {adsl: adsl.csv, ae: ae.csv}
deidentified:
  key: study.key
  recode: [USUBJID]
  shift: {days: 365}
  hierarchies: {AGE: {kind: age, unit: years, levels: [5 years]}}
  levels: {AGE: 5 years}
"""


def cdisc_released(
    folder: Path, yaml: str = CDISC_YAML, people: str = CDISC
) -> tuple[dict[str, str], dict[str, str]]:
    """A row of each table as released under the default rules."""
    (folder / "adsl.csv").write_text(people, encoding="utf-8")
    (folder / "ae.csv").write_text(CDISC_AE, encoding="utf-8")
    (folder / "study.yaml").write_text(yaml, encoding="utf-8")
    study = read_study(folder / "study.yaml")
    assert study.released is not None
    study.released.write_tables(folder / "out")
    women = [row for row in rows(folder / "out" / "adsl.csv") if row["SEX"] == "F"]
    return women[0], rows(folder / "out" / "ae.csv")[0]


@pytest.mark.parametrize("level", ["5 years", "suppressed"])
def test_rows_that_are_measured_are_those_that_are_written(tmp_path: Path, level: str) -> None:
    """Labels in their own letters, and a value that is suppressed beside one that was missing."""
    yaml = CDISC_YAML.replace("levels: {AGE: 5 years}", f"levels: {{AGE: {level}}}")
    cdisc_released(tmp_path, yaml, CDISC.replace(",62,", ",,"))
    study = read_study(tmp_path / "study.yaml")
    assert study.released is not None
    for name in ("adsl", "ae"):
        written = rows(tmp_path / "out" / f"{name}.csv")
        columns = tuple(written[0])
        measured = [dict(zip(columns, row, strict=True)) for _, row in study.released.rows(name, columns)]
        assert sorted(measured, key=str) == sorted(
            ({column: cell or None for column, cell in row.items()} for row in written), key=str
        )


def test_births_sites_staff_and_typed_text_are_dropped_by_default(tmp_path: Path) -> None:
    person, event = cdisc_released(tmp_path)
    assert set(person) == {"USUBJID", "SITEID", "AGE", "SEX", "RACE", "RFSTDTC"}
    assert person["AGE"] == "60-64"
    assert person["SITEID"] not in ("01", "02")
    assert person["SITEID"] == person["USUBJID"].split("-")[1]
    assert set(event) == {"USUBJID", "AEDECOD", "AESTDTC", "AESTDY"}


def test_a_default_is_undone_only_with_a_reason(tmp_path: Path) -> None:
    schema = "{quasi: [AGE, SEX, RACE], other: {SITENAM: one in the country}, text: {AETERM: keep}}"
    person, event = cdisc_released(tmp_path, f"{CDISC_YAML}schema: {schema}\n")
    assert person["SITENAM"] == "Clinique des Tilleuls"
    assert "AETERM" in event
    with pytest.raises(InvalidSetting, match="SITENAM is released without a reason"):
        StudySchema(quasi=("AGE",), other={"SITENAM": " "})
    with pytest.raises(InvalidSetting, match="AETERM"):
        StudySchema(quasi=("AGE",), text={"AETERM": "deidentify"})  # type: ignore[dict-item]


def test_numbers_of_sites_are_dropped_where_no_key_can_recode_them(tmp_path: Path) -> None:
    yaml = "ipd: {adsl: adsl.csv, ae: ae.csv}\n" + CDISC_YAML[CDISC_YAML.index("deidentified") :]
    for line in ("  key: study.key\n", "  recode: [USUBJID]\n", "  shift: {days: 365}\n"):
        yaml = yaml.replace(line, "")
    person, _ = cdisc_released(tmp_path, yaml)
    assert set(person) == {"AGE", "SEX", "RACE"}


def test_released_tables_of_somebody_else_are_looked_up(tmp_path: Path) -> None:
    path = write_study(tmp_path)
    study = read_study(path)
    assert study.released is not None
    study.released.write_tables(tmp_path / "released")
    ids = dict(study.data.participants.values("USUBJID"))
    lines = [f"{old},{study.released.value(number, 'USUBJID', old)}" for number, old in ids.items()]
    (tmp_path / "link.csv").write_text("\n".join(["old,new", *lines]))
    start, rest = YAML.split("deidentified:\n")
    other = "deidentified: {tables: {adsl: released/adsl.csv, ae: released/ae.csv}, link: link.csv}\n"
    yaml = start + other + rest[rest.index("sections:") :]
    looked_up = read_study(write_study(tmp_path, yaml=yaml)).released
    assert looked_up is not None
    for subject, old in ids.items():
        for name, written in (
            ("USUBJID", old),
            ("USUBJID", old[-4:]),
            ("AGE", study.data.of(subject, "AGE")[0]),
            ("SEX", "female"),
            ("RFSTDTC", study.data.of(subject, "RFSTDTC")[0]),
        ):
            assert looked_up.value(subject, name, written) == study.released.value(subject, name, written)
    assert looked_up.day(1, "21APR2019") == study.released.day(1, "21APR2019")
    assert looked_up.value(1, "AESTDTC", "20APR2019") == study.released.value(1, "AESTDTC", "20APR2019")


@given(
    st.dates(date(1930, 1, 1), date(2035, 12, 31)),
    st.integers(-900, 900),
    st.sampled_from(
        ["%Y-%m-%d", "%d%b%Y", "%d %B %Y", "%d-%b-%Y", "%B %d, %Y", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y"]
    ),
)
def test_a_date_moves_in_any_writing(day: date, days: int, form: str) -> None:
    new = shifted(day.strftime(form), days, [day]) or ""
    wanted = (day + timedelta(days)).strftime(form)
    assert new == wanted or (" " in form and int(new.split(" ")[form != "%d %B %Y"].strip(",")) < 10)


@given(
    st.dates(date(1930, 1, 1), date(2035, 12, 31)), st.sampled_from(["%Y-%m", "%b%Y", "%B %Y", "UN-%b-%Y"])
)
def test_a_partial_date_says_no_more_afterwards(day: date, form: str) -> None:
    (found,) = dates_in(day.strftime(form))
    assert (found.year, found.month, found.day) == (day.year, day.month, None)
    assert shifted(day.strftime(form), 40, [day]) == (day + timedelta(40)).strftime(form)


@given(st.sets(st.integers(0, 99), min_size=1, max_size=100))
def test_new_pieces_are_free_and_differ_even_where_room_is_short(numbers: set[int]) -> None:
    pieces = [f"{number:02d}" for number in numbers]
    new = new_pieces(KeyedDraw(b"k" * 16), pieces, pieces, "site")
    old = {folded_piece(piece) for piece in pieces}
    assert len({folded_piece(one) for one in new.values()}) == len(old)
    assert not old & {folded_piece(one) for one in new.values()}


@given(st.binary(min_size=16, max_size=16))
def test_no_two_people_get_one_id_where_a_number_is_written_like_their_site(key: bytes) -> None:
    rows = tuple((f"W-{at:02d}", "07") for at in range(1, 31))
    table = StudyTable("adsl", Path("adsl.csv"), ("USUBJID", "SITEID"), rows, tuple(range(1, 31)))
    data = StudyData("USUBJID", {"adsl": table})
    new = NewIds.of(data, ["USUBJID"], KeyedDraw(key), hides_site=True)
    assert len({new.rewritten(at, "USUBJID", value) for at, (value, _) in enumerate(rows, 1)}) == 30


def test_numbers_that_begin_with_their_site_keep_doing_so() -> None:
    form = IdForm.of([("1010001", "101"), ("1010002", "101"), ("2020001", "202")])
    assert form.split("1010002", "101") == [[("101", "site"), ("0002", "number")]]


def test_a_fragment_in_the_middle_is_a_fragment() -> None:
    new = NewId(["DEMO", "301", "01", "0104"], ["DEMO", "301", "77", "5832"])
    assert new.rewritten("301-01") == "301-77"
    assert new.rewritten("demo 301") == "demo 301"
    assert new.rewritten("0101") is None
