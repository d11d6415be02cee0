"""The invented study: data, report and answer key tell the same."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from reidrisk.demo.study import ANSWERS, DATA, REPORTS, Size, write_study
from reidrisk.demo.study.cohort import COUNTRIES, RACES, STUDY
from reidrisk.demo.study.elements import PARTICIPANT, MarkedValue, fill, join, say
from reidrisk.demo.study.voice import spell_number

pyreadstat = pytest.importorskip("pyreadstat")
pypdfium2 = pytest.importorskip("pypdfium2")
pytest.importorskip("typst")
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
FORMATS = ("%d%b%Y", "%d %B %Y", "%d-%b-%Y", "%Y-%m-%d", "%B %d, %Y", "%d %b %Y")
PARTIAL = ("%B %Y", "%b %Y", "%Y-%m", "%b%Y")


@pytest.fixture(scope="module")
def study(demo_study: Path) -> Path:
    return demo_study


@pytest.fixture(scope="module")
def answers(study: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (study / ANSWERS).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def subjects(study: Path) -> list[dict[str, Any]]:
    columns, _ = pyreadstat.read_xport(str(study / DATA[0]), output_format="dict")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def marked(answers: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for piece in answers:
        for mention in piece["mentions"]:
            yield piece["text"][mention["start"] : mention["end"]], mention


def test_a_text_knows_where_it_speaks_of_whom() -> None:
    mark = MarkedValue("54", "quasi", "AGE", (3,))
    one = fill("Aged {age}.", {"age": mark})
    two = join([say("Subject"), one])
    assert (two.text, two.mentions[0].start, two.mentions[0].end) == ("Subject Aged 54.", 13, 15)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write_study(tmp_path / folder, size=Size(12, 1), seed=3)
    write_study(tmp_path / "c", size=Size(12, 1), seed=4)
    for name in (*DATA, *REPORTS, ANSWERS, "study.yaml", "strict.yaml", "masked.yaml", "study.key"):
        made = [(tmp_path / folder / name).read_bytes() for folder in ("a", "b", "c")]
        assert made[0] == made[1], name
        assert name.endswith(".yaml") or made[0] != made[2], name
    assert (tmp_path / "a" / "study.key").stat().st_mode & 0o777 == 0o600


def test_the_transport_file_holds_what_was_drawn(subjects: list[dict[str, Any]]) -> None:
    assert len(subjects) == 60
    assert len({one["USUBJID"] for one in subjects}) == len({one["SUBJID"] for one in subjects}) == 60
    for one in subjects:
        assert one["USUBJID"] == f"{STUDY}-{one['SITEID']}-{one['SUBJID']}"
        assert one["TRTSDT"].isoformat()[:10] == one["RFSTDTC"]
        assert 19 <= one["AGE"] <= 88
        assert int(one["RFSTDTC"][:4]) - int(one["BRTHDTC"][:4]) - one["AGE"] in (0, 1)


def test_every_event_belongs_to_a_participant(study: Path, subjects: list[dict[str, Any]]) -> None:
    names = {one["USUBJID"]: one for one in subjects}
    with (study / DATA[1]).open(encoding="utf-8") as file:
        events = list(csv.DictReader(file))
    assert len(events) > 80
    for event in events:
        assert names[event["USUBJID"]]["RFSTDTC"] <= event["AESTDTC"]
        assert (event["AEOUT"] == "FATAL") <= (event["AEENDTC"] == names[event["USUBJID"]]["DTHDTC"])


def test_the_report_has_about_thirty_pages_and_the_headings_of_the_guideline(
    study: Path, answers: list[dict[str, Any]]
) -> None:
    assert 27 <= len(pypdfium2.PdfDocument(study / REPORTS[0])) <= 33
    sections = {piece["section"] for piece in answers if piece["kind"] == "heading"}
    assert {"2", "5", "6", "9", "10.1", "11.4", "12.3.2", "13", "14.3.3", "16.2.4", "16.2.7"} <= sections


def test_every_piece_stands_in_both_reports(study: Path, answers: list[dict[str, Any]]) -> None:
    """Searched with other readers than ours, without white space and the hyphens of broken lines."""
    pages = pypdfium2.PdfDocument(study / REPORTS[0])
    in_pdf = folded("".join(page.get_textpage().get_text_bounded() for page in pages))
    with zipfile.ZipFile(study / REPORTS[1]) as package:
        body = ElementTree.fromstring(package.read("word/document.xml"))  # noqa: S314 - our own
    in_docx = folded("".join(node.text or "" for node in body.iter(f"{WORD}t")))
    assert in_docx == folded("".join(piece["text"] for piece in answers))
    missing = [piece["piece"] for piece in answers if folded(piece["text"]) not in in_pdf]
    broken_by_a_page = 40
    assert len(missing) < broken_by_a_page


def folded(text: str) -> str:
    return re.sub(r"[\s\x02\ufffe\u00ad-]", "", text)


def test_mentions_of_participants_are_written_values_of_their_data(
    answers: list[dict[str, Any]], subjects: list[dict[str, Any]]
) -> None:
    for text, mention in marked(answers):
        variable = mention["variable"]
        for subject in mention["subjects"]:
            assert could_mean(text, variable, subjects[subject - 1]), (variable, mention["kind"])


def could_mean(text: str, variable: str | None, one: dict[str, Any]) -> bool:
    if variable in ("RFSTDTC", "RFENDTC", "DTHDTC", "BRTHDTC"):
        return iso(text) == str(one[variable])
    words = {"F": ("F", "Female", "female", "woman"), "M": ("M", "Male", "male", "man")}
    known = {
        "AGE": (str(int(one["AGE"])), spell_number(int(one["AGE"]))),
        "SEX": words[one["SEX"]],
        "RACE": (one["RACE"], *RACES[one["RACE"]]),
        "COUNTRY": (one["COUNTRY"], *COUNTRIES[one["COUNTRY"]]),
        "USUBJID": (one["USUBJID"], f"{one['SITEID']}-{one['SUBJID']}"),
        "SUBJINIT": (one["SUBJINIT"], ".".join(one["SUBJINIT"]) + "."),
    }
    return variable not in one or text in known.get(variable, (one[variable],))


def iso(text: str) -> str | None:
    for width, formats in ((10, FORMATS), (7, PARTIAL), (4, ("%Y",))):
        for layout in formats:
            try:
                return datetime.strptime(text, layout).date().isoformat()[:width]  # noqa: DTZ007 - a day
            except ValueError:
                continue
    return None


def test_who_is_spoken_of_is_known_for_what_speaks_of_participants(answers: list[dict[str, Any]]) -> None:
    kinds = {mention["kind"] for _, mention in marked(answers)}
    assert kinds == {*PARTICIPANT, "site", "staff", "study"}
    for _, mention in marked(answers):
        assert bool(mention["subjects"]) == (mention["kind"] in PARTICIPANT)


def test_dates_of_the_study_are_dates_of_nobody(
    answers: list[dict[str, Any]], subjects: list[dict[str, Any]]
) -> None:
    own = {iso(text) for text, mention in marked(answers) if mention["kind"] == "study"}
    theirs = {iso(text) for text, mention in marked(answers) if mention["kind"] == "date"}
    assert len(own) == 6
    assert not own & theirs
