"""Values that stand right beside an id, in lists without a head and in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.documents.detection.detect import detect_document
from reidrisk.documents.study.study import Study
from tests.documents.detection.finding import ONLY_KNOWN, Found, a_study, found_in, told
from tests.documents.making import pdf

WOMAN = 1


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return a_study(tmp_path_factory.mktemp("study"))


LISTED = {
    "sex and age": "DEMO-301-01-0104 F 54",
    "age and sex": "DEMO-301-01-0104 54 F",
    "commas": "DEMO-301-01-0104, F, 54",
    "semicolons": "DEMO-301-01-0104; 54; F",
    "dashes": "DEMO-301-01-0104 - F - 54",
    "aligned": "DEMO-301-01-0104      F        54",
    "a further value": "DEMO-301-01-0104 F 54 headache, mild",
    "brackets": "DEMO-301-01-0104 (F, 54)",
    "a number of the list": "1. DEMO-301-01-0104 F 54",
    "the number alone": "0104 F 54",
    "words": "DEMO-301-01-0104 female 54",
}


@pytest.mark.parametrize("case", LISTED)
def test_a_line_of_a_list(tmp_path: Path, study: Study, case: str) -> None:
    found = told(found_in(tmp_path, LISTED[case], study=study))
    assert {(variable, subjects) for _, variable, subjects in found if variable in ("AGE", "SEX")} == {
        ("AGE", (WOMAN,)),
        ("SEX", (WOMAN,)),
    }


def test_each_line_of_a_list_is_of_its_own_id(tmp_path: Path, study: Study) -> None:
    rows = ["DEMO-301-01-0104 54 F", "DEMO-301-01-0105 71 M", "DEMO-301-02-0202 33 F"]
    expected = [("54", (1,)), ("F", (1,)), ("71", (2,)), ("M", (2,)), ("33", (4,)), ("F", (4,))]
    for text in ("\n".join(rows), "\n\n".join(rows)):
        found = told(found_in(tmp_path, text, study=study))
        assert [(value, whose) for value, name, whose in found if name != "USUBJID"] == expected


PROSE: dict[str, tuple[str, list[Found]]] = {
    "both": (
        "Subjects 0104 and 0202 (both women, 54 and 33) left.",
        [("women", "SEX", (1, 4)), ("54", "AGE", (1,)), ("33", "AGE", (4,))],
    ),
    "the same age": (
        "Subjects 0104 and 0201 (both White, both 54) left.",
        [("White", "RACE", (1, 3)), ("54", "AGE", (1, 3))],
    ),
    "both were": ("Subjects 0104 and 0201 were both 54 and left.", [("54", "AGE", (1, 3))]),
    "two men": (
        "Subjects 0105 and 0201 (two men, 71 and 54) left.",
        [("men", "SEX", (2, 3)), ("71", "AGE", (2,)), ("54", "AGE", (3,))],
    ),
    "before the ids": ("Both women, Subjects 0104 and 0202, left.", [("women", "SEX", (1, 4))]),
    "respectively": (
        "Subjects 0104 and 0105 were 54 and 71, respectively.",
        [("54", "AGE", (1,)), ("71", "AGE", (2,))],
    ),
    "age in brackets": ("Subject 0104 (54) left.", [("54", "AGE", (1,))]),
    "a woman of": ("Subject 0104, a woman of 54, left.", [("woman", "SEX", (1,)), ("54", "AGE", (1,))]),
    "turned": ("Subject 0104 had just turned 54.", [("54", "AGE", (1,))]),
    "numbers alone": (
        "They were 0104 (F, 54) and 0105 (M, 71).",
        [("F", "SEX", (1,)), ("54", "AGE", (1,)), ("M", "SEX", (2,)), ("71", "AGE", (2,))],
    ),
    "country": ("Subject 0104 (54, Germany) left.", [("54", "AGE", (1,)), ("Germany", "COUNTRY", (1,))]),
}


@pytest.mark.parametrize("case", PROSE)
def test_a_sentence(tmp_path: Path, study: Study, case: str) -> None:
    text, expected = PROSE[case]
    assert [one for one in told(found_in(tmp_path, text, study=study)) if one[1] != "SUBJID"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "DEMO-301-01-0104 took 54 tablets.",
        "Subject 0104 (54 mg) left.",
        "Subject 0104 (54 days) left.",
        "Subject 0104 (54 %) left.",
        "Subject 0104 (54/80 mmHg) left.",
        "Subject 0104 (Table 54) left.",
        "Subject 0104 had values of 54 and 33.",
        "DEMO-301-01-0104 Day 54 ALT 54 U/L",
        "Subjects 0104 and 0201 came to Visit 54 and left.",
        "Subject 0104 left; it is rarer in women than in men.",
        "A total of 0104 and 54 were counted.",
        "They counted 0104 (54) of them.",
        "0104 F\n54",
    ],
)
def test_what_is_no_value_is_left_alone(tmp_path: Path, study: Study, text: str) -> None:
    assert {name for _, name, _ in told(found_in(tmp_path, text, study=study))} <= {"SUBJID", "USUBJID"}


def test_an_age_alone_on_the_line_of_an_id(tmp_path: Path, study: Study) -> None:
    found = told(found_in(tmp_path, "DEMO-301-01-0104 54\nDEMO-301-01-0105 12 54\n", study=study))
    assert [one[:2] for one in found if one[1] != "USUBJID"] == [("54", "AGE")]


def test_a_sentence_whose_lines_begin_with_ids_is_no_list(tmp_path: Path, study: Study) -> None:
    text = (
        "Participant\nDEMO-301-01-0105, aged 71, left. At a site in Germany, Subject\n"
        "DEMO-301-01-0104 left.\n"
    )
    found = told(found_in(tmp_path, text, study=study))
    assert ("Germany", "COUNTRY", (1,)) in found


def test_a_list_under_a_line_that_looks_like_a_head(tmp_path: Path, study: Study) -> None:
    found = told(found_in(tmp_path, "Listing of subjects\nDEMO-301-01-0104  F  54\n", study=study))
    assert [name for _, name, _ in found] == ["USUBJID", "SEX", "AGE"]


def test_a_list_in_a_pdf(tmp_path: Path, study: Study) -> None:
    path = pdf(tmp_path / "csr.pdf", ["DEMO-301-01-0104 F 54\nDEMO-301-01-0105 M 71\n"])
    found = detect_document(path, study, settings=ONLY_KNOWN).findings
    assert [one.variable for one in found] == ["USUBJID", "SEX", "AGE"] * 2
