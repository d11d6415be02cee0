"""study.yaml: what it says, and what is refused by its line."""

from __future__ import annotations

from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.schema import StudySchema
from reidrisk.documents.study.study import ReleaseRules, Study
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from tests.documents.study.builders import YAML, write_study


def test_every_part_of_the_file_arrives(tmp_path: Path) -> None:
    study = read_study(write_study(tmp_path))
    assert (study.name, study.subject) == ("DEMO-301", "USUBJID")
    assert study.participants == tmp_path / "adsl.csv"
    assert study.roles.quasi == ("AGE", "SEX", "RACE", "COUNTRY", "SITEID")
    assert study.roles.events["ae"] == ("AETERM", "AEDECOD", "AESTDTC", "AEENDTC")
    assert study.document_paths() == (tmp_path / "csr.txt",)
    assert isinstance(study.deidentified, ReleaseRules)
    assert study.deidentified.shift_days == 365
    assert dict(study.sections) == {"16.2": "leave_out", "14.3.3": "redact"}
    assert study.threshold is not None
    assert study.threshold.cell_size == 11
    assert study.review == tmp_path / "reviewed.json"
    assert study.qualitative is not None
    assert study.qualitative.level == "moderate"


def test_participants_are_numbered_by_row_and_strangers_are_told(tmp_path: Path) -> None:
    data = read_study(write_study(tmp_path)).data
    assert len(data) == 4
    assert data.of(3, "AGE") == ("54",)
    assert data.of(3, "AESTDTC") == ("2019-04-01",)
    assert data.tables["ae"].subjects == (1, 3, 4, None)
    assert data.notes == ("1 row of ae of people who are not in adsl",)


def test_a_study_without_a_schema_is_proposed_from_cdisc_names(tmp_path: Path) -> None:
    start, rest = YAML.split("schema:\n")
    yaml = start + rest[rest.index("documents:") :]
    study = read_study(write_study(tmp_path, yaml=yaml))
    assert study.is_proposed
    assert study.roles == StudySchema(
        quasi=("SITEID", "AGE", "SEX", "RACE", "COUNTRY"),
        direct=("SUBJID", "BRTHDTC"),
        dates=("RFSTDTC",),
        events={"ae": ("AETERM", "AEDECOD", "AESTDTC", "AEENDTC")},
    )


def test_a_study_is_made_of_one_table_and_its_schema_too(tmp_path: Path) -> None:
    write_study(tmp_path)
    schema = rr.Schema(quasi=("AGE", "SEX"), direct=("SUBJID",))
    study = Study(tmp_path / "adsl.csv", schema, subject="USUBJID", documents=str(tmp_path))
    assert list(study.tables) == ["adsl"]
    assert study.roles.quasi == ("AGE", "SEX")
    assert study.document_paths() == (tmp_path / "csr.txt",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "subject: USUBJID",
            "subjects: USUBJID",
            "study.yaml, line 2: 'subjects' is not a setting of a study",
        ),
        ("quasi:", "quasis:", "study.yaml, line 8: schema has no setting 'quasis'"),
        ("shift: {days: 365}", "shift: {weeks: 3}", "line 15: deidentified.shift has no setting 'weeks'"),
        ("shift: {days: 365}", "shift: {days: 3}", "shifted by 14 to 3,650 days"),
        ("cell_size: 11", "cell_size: eleven", "line 20: threshold.cell_size"),
        ("cell_size: 11", "preset: ema", "can be read in two ways"),
        ("centres: moderate", "centres: some", "line 22: qualitative"),
        ('16.2": leave_out', '16.2": drop', "The rule for section 16.2 cannot be 'drop'"),
        ("  key: study.key\n", "", "need a key"),
        ("levels: {AGE: 5 years}", "levels: {SEX: 1}", "SEX"),
        ("{ae: [AETERM", "{cm: [AETERM", "'cm' is not a table of events"),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in YAML
    with pytest.raises(InvalidSetting) as refused:
        read_study(write_study(tmp_path, yaml=YAML.replace(old, new)))
    assert said in refused.value.problem


def test_the_ema_preset_is_read_in_the_way_that_is_said(tmp_path: Path) -> None:
    yaml = YAML.replace("cell_size: 11", "preset: ema, variant: literal_0.09")
    threshold = read_study(write_study(tmp_path, yaml=yaml)).threshold
    assert threshold is not None
    assert threshold.cell_size == 12


def test_variables_that_are_not_there_are_named(tmp_path: Path) -> None:
    yaml = YAML.replace("quasi: [AGE,", "quasi: [AGES,")
    with pytest.raises(UnknownColumn, match="adsl has no column 'AGES'"):
        _ = read_study(write_study(tmp_path, yaml=yaml)).roles


def test_a_participant_twice_or_without_an_id_is_refused_without_naming_them(tmp_path: Path) -> None:
    path = write_study(tmp_path)
    table = tmp_path / "adsl.csv"
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines, lines[1]]))
    with pytest.raises(BadData, match="Row 5 of adsl repeats the USUBJID of row 1") as refused:
        _ = read_study(path).data
    assert "0104" not in str(refused.value)


def test_no_repr_shows_a_participant(tmp_path: Path) -> None:
    study = read_study(write_study(tmp_path))
    shown = f"{study!r} {study.data!r} {study.released!r}"
    assert "0104" not in shown
    assert "2019" not in shown
