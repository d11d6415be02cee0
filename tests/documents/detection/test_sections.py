"""Headings of reports: numbers and titles, lists of contents left aside."""

from __future__ import annotations

import pytest

from reidrisk.documents.detection.owners import Sections, header_of, heading_of


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("12 Safety Evaluation", "12"),
        ("12. SAFETY EVALUATION", "12"),
        ("12.3.2 Narratives of Deaths", "12.3.2"),
        ("12.3.2.4 Subject 0104", "12.3.2"),
        ("## 16.2 Participant data listings", "16.2"),
        ("Synopsis", "2"),
        ("12 patients left.", None),
        ("12 The dose was low", None),
        ("85. Subject 0104 had", None),
        ("12.3 g/dL was the lowest value", None),
        ("12.3.2 Narratives ........ 47", None),
        ("12.3.2 Narratives\t47", None),
        ("9.4 mg/mL of the drug", None),
        ("11.2 Tables were made.", None),
    ],
)
def test_a_heading_has_a_number_and_a_title(line: str, section: str | None) -> None:
    found = heading_of(line)
    assert (found and found.section) == section


def test_a_list_of_contents_opens_nothing_and_the_text_behind_it_does() -> None:
    lines = [
        *("Contents", "2 Synopsis", "5 Ethics", "9 Investigational Plan", "16 Appendices"),
        *("2 Synopsis", "It was good.", "5 Ethics", "5.1 Committee", "All agreed."),
    ]
    sections = Sections()
    opened = []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        found = sections.heading(line, after)
        if found is not None:
            sections.open(found)
            opened.append((line, sections.section))
    assert opened[-3:] == [("2 Synopsis", "2"), ("5 Ethics", "5"), ("5.1 Committee", "5.1")]


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("Subject\tAge/Sex/Race\tReported term", {"subject", "age", "sex", "race"}),
        (
            "Participant Age (years) Sex Race Site Cause Date of death",
            {"subject", "age", "sex", "race", "site"},
        ),
        ("The age, sex and race of every subject were asked for before", None),
        ("Site 101 had no subject", None),
    ],
)
def test_the_head_of_a_table_is_made_of_such_words(line: str, kinds: set[str] | None) -> None:
    assert header_of(line) == kinds
