"""Participants in a text: whole ids and fragments, values in context, and nobody where nobody is meant."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.detection.detect import detect_document
from reidrisk.documents.findings.finding import mentions
from tests.documents.detection.finding import ONLY_KNOWN, a_study, found_in, told
from tests.documents.making import pdf


@pytest.mark.parametrize(
    ("written", "variable"),
    [
        ("DEMO-301-01-0104", "USUBJID"),
        ("DEMO 301 01 0104", "USUBJID"),
        ("demo-301-01-0104", "USUBJID"),
        ("DEMO301010104", "USUBJID"),
        ("01-0104", "USUBJID"),
        ("DEMO-301-01-\n0104", "USUBJID"),
        ("DEMO-301-\n01-0104", "USUBJID"),
        ("DEMO_301_01_0104", "USUBJID"),
        ("DEMO-301-1-104", "USUBJID"),
        ("0104", "SUBJID"),
        ("104", "SUBJID"),
    ],
)
def test_an_id_is_found_in_every_writing(tmp_path: Path, written: str, variable: str) -> None:
    found = found_in(tmp_path, f"It was said that Subject {written} left.\n")
    assert told(found) == [(" ".join(written.split()), variable, (1,))]


@pytest.mark.parametrize(
    "text",
    [
        "The lot L0104-19 was used.",
        "The difference was significant (p = 0.0104).",
        "Bottles 0104B and A0104 were returned.",
        "A total of 104 participants took 54 mg for 54 days.",
        "Adults aged 54 years or older were eligible.",
        "Female rats and white mice from Germany were used.",
        "Of 4 subjects 2 were male and 2 female; 3 were White or Asian.",
    ],
)
def test_what_only_looks_like_a_participant_is_left_alone(tmp_path: Path, text: str) -> None:
    assert found_in(tmp_path, text) == []


def test_several_ids_after_one_word_are_all_found(tmp_path: Path) -> None:
    found = found_in(tmp_path, "Subjects 0104, 0105 and 0202 (aged 54, 71 and 33 years) left early.")
    assert told(found) == [
        ("0104", "SUBJID", (1,)),
        ("0105", "SUBJID", (2,)),
        ("0202", "SUBJID", (4,)),
        ("54", "AGE", (1,)),
        ("71", "AGE", (2,)),
        ("33", "AGE", (4,)),
    ]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("a 54 y/o woman", ["54", "woman"]),
        ("54yo F", ["54", "F"]),
        ("(54F)", ["54", "F"]),
        ("(F/54)", ["F", "54"]),
        ("(54 years, female)", ["54", "female"]),
        (", aged 54", ["54"]),
        ("(age: fifty-four)", ["fifty-four"]),
        ("known to be ill for 54 years", []),
        ("on 54 mg for 54 days, 54 % of them at 54/80 mmHg", []),
        ("in 12.03.2019", ["12.03.2019"]),
        ("on 03/12/19", ["03/12/19"]),
        ("on 12/03/2019", ["12/03/2019"]),
        ("on the 12th of March 2019", ["12th of March 2019"]),
        ("on Tuesday, 12 March.", ["12 March"]),
        ("in Mar-2019", ["Mar-2019"]),
        ("on UN-MAR-2019", ["UN-MAR-2019"]),
        ("at 2019-03-12T08:30", ["2019-03-12"]),
        ("from Ger-\nmany, a fifty-\nfour-year-\nold woman", ["Ger- many", "fifty- four", "woman"]),
        ("on 12 Ma-\nrch 2019", ["12 Ma- rch 2019"]),
        ("on Day 12 March 12, 2019", ["March 12, 2019"]),
        (", White, had black stools and white blood cells", ["White"]),
    ],
)
def test_values_count_where_the_words_around_them_say_so(
    tmp_path: Path, written: str, found: list[str]
) -> None:
    told_of = told(found_in(tmp_path, f"Subject 0104 {written}"))
    assert [text for text, _, _ in told_of] == ["0104", *found]
    assert {subjects for _, _, subjects in told_of} == {(1,)}


def test_the_id_of_a_row_may_stand_in_any_column(tmp_path: Path) -> None:
    rows = "01|0104|54|F\n02|0202|33|F"
    for text in (rows.replace("|", "\t"), "\n".join(f"| {row} |" for row in rows.split("\n"))):
        found = told(found_in(tmp_path, f"Site\tSubject\tAge\tSex\n{text}\n"))
        assert [(value, subjects) for value, _, subjects in found] == [
            *(("01", (1,)), ("0104", (1,)), ("54", (1,)), ("F", (1,))),
            *(("02", (4,)), ("0202", (4,)), ("33", (4,)), ("F", (4,))),
        ]


def test_a_value_that_two_pages_tear_apart_is_found_on_both(tmp_path: Path) -> None:
    path = pdf(tmp_path / "csr.pdf", ["The dose of Subject DEMO-301-01-", "0104 was taken on time."])
    found = detect_document(path, a_study(tmp_path), settings=ONLY_KNOWN)
    assert [(one.block, one.subjects, one.variable) for one in found.findings] == [
        ("page 1", (1,), "USUBJID"),
        ("page 2", (1,), "USUBJID"),
    ]


NARRATIVES = """\
12 Safety Evaluation
12.3.2 Narratives
12.3.2.1 Participant DEMO-301-01-0104: Angina pectoris
This fifty-four-year-old White woman from Germany was enrolled at Site 01. The first dose of 54 mg was
taken on 12 March 2019. On 20APR2019 she had chest pain on exertion; the white blood cells were 5.4. A scan
on 21 April 2019 showed 54 mm. It ended on April 22,
2019. She was born in August 1964.

12.3.2.2 Subject 0201
Age/sex/race: 54/M/White. Country: USA. Headache began on 2019-04-01 and ended in April 2019.
13 Discussion and Overall Conclusions
A 54-day course was enough for White and Asian people from Germany.
"""


def test_a_narrative_gives_shared_values_to_its_participant(tmp_path: Path) -> None:
    found = found_in(tmp_path, NARRATIVES)
    assert told(found) == [
        ("DEMO-301-01-0104", "USUBJID", (1,)),
        ("Angina pectoris", "AEDECOD", (1,)),
        ("fifty-four", "AGE", (1,)),
        ("White", "RACE", (1,)),
        ("woman", "SEX", (1,)),
        ("Germany", "COUNTRY", (1,)),
        ("01", "SITEID", (1,)),
        ("12 March 2019", "RFSTDTC", (1,)),
        ("20APR2019", "AESTDTC", (1,)),
        ("chest pain on exertion", "AETERM", (1,)),
        ("21 April 2019", None, (1,)),
        ("April 22, 2019", "AEENDTC", (1,)),
        ("August 1964", "BRTHDTC", (1,)),
        ("0201", "SUBJID", (3,)),
        ("54", "AGE", (3,)),
        ("M", "SEX", (3,)),
        ("White", "RACE", (3,)),
        ("USA", "COUNTRY", (3,)),
        ("Headache", "AEDECOD", (3,)),
        ("2019-04-01", "AESTDTC", (3,)),
        ("April 2019", "AEENDTC", (3,)),
    ]
    assert {one.section for _, one in found} == {"12.3.2"}


def test_rows_of_a_table_belong_to_the_id_in_them(tmp_path: Path) -> None:
    text = (
        "Listing 16.2.4 Demography\nSubject\tAge\tSex\tRace\tSite\tALT\n"
        "0104\t54\tF\tWHITE\t01\t54\n0201\t54\tM\tWHITE\t02\t33\n"
    )
    assert told(found_in(tmp_path, text)) == [
        ("0104", "SUBJID", (1,)),
        ("54", "AGE", (1,)),
        ("F", "SEX", (1,)),
        ("WHITE", "RACE", (1,)),
        ("01", "SITEID", (1,)),
        ("0201", "SUBJID", (3,)),
        ("54", "AGE", (3,)),
        ("M", "SEX", (3,)),
        ("WHITE", "RACE", (3,)),
        ("02", "SITEID", (3,)),
    ]


def test_a_table_without_ages_has_none(tmp_path: Path) -> None:
    text = "Subject\tDay\tALT\tWhite cells\n0104\t54\t54\t5.4\n0202\t33\t12\t3.3\n"
    assert told(found_in(tmp_path, text)) == [("0104", "SUBJID", (1,)), ("0202", "SUBJID", (4,))]


def test_a_day_of_one_participant_is_known_anywhere_and_one_of_several_is_nobodys(tmp_path: Path) -> None:
    adsl = tmp_path / "adsl.csv"
    study = a_study(tmp_path)
    adsl.write_text(adsl.read_text().replace("2019-05-06", "2019-03-29"))
    found = found_in(tmp_path, "Doses were given on 12MAR2019 and 29MAR2019, not on 30MAR2019.", study=study)
    assert told(found) == [("12MAR2019", "RFSTDTC", (1,)), ("29MAR2019", "RFSTDTC", ())]


def test_an_id_of_somebody_who_is_not_in_the_data_is_found_by_its_shape(tmp_path: Path) -> None:
    ((text, one),) = found_in(tmp_path, "DEMO-301-07-0777 failed screening.")
    assert (text, one.type, one.source, one.subjects) == ("DEMO-301-07-0777", "IDNUM", "shape:USUBJID", ())


def test_given_values_are_found_with_and_without_a_study(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Lot XK-4711 was shipped by Mrs. Quandt\nMeier.")
    for study in (None, a_study(tmp_path)):
        found = detect_document(path, study, ("XK-4711", "Quandt Meier"), ONLY_KNOWN)
        assert [(one.start, one.end, one.source) for one in found.findings] == [
            (4, 11, "known:value"),
            (32, 44, "known:value"),
        ]


def test_without_a_study_the_detector_for_texts_decides(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("Call John Smith at 617-555-0143 on 12 March 2019.")
    found = detect_document(path, settings=DetectSettings(model=None))
    assert [one.type for one in found.findings] == ["NAME", "PHONE", "DATE"]
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.blocks == ("text",)


def test_with_a_study_days_of_the_study_and_criteria_are_not_taken_for_identifiers(tmp_path: Path) -> None:
    text = (
        "Clinical Study Report DEMO-301, EudraCT 2018-004999-54. On Day 57 (Week 8) the dose was 12.3 mg; "
        "people aged 18 years or above from France took part.\n"
    )
    assert found_in(tmp_path, text, settings=DetectSettings()) == []


def test_mentions_are_the_variables_that_appear_of_each_participant(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text(NARRATIVES)
    found = detect_document(path, a_study(tmp_path), settings=ONLY_KNOWN)
    assert mentions(found) == mentions([found])
    assert list(mentions(found)) == [1, 3]
    assert mentions(found)[3] == frozenset(
        ("SUBJID", "AGE", "SEX", "RACE", "COUNTRY", "AEDECOD", "AESTDTC", "AEENDTC")
    )


def test_nothing_shows_a_text_or_a_participant(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text(NARRATIVES)
    shown = repr(detect_document(path, a_study(tmp_path), settings=ONLY_KNOWN))
    assert "0104" not in shown
    assert "(1,)" not in shown
