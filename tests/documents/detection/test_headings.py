"""Words of headings are no names, unless they are."""

from __future__ import annotations

import pytest

from reidrisk.detect.finding import Finding
from reidrisk.documents.detection.plausible import is_heading_word

WORDS = [
    ("14 <Tables>, Figures and Graphs Referred to but Not Included in the Text", "STREET"),
    ("14 Tables, Figures and <Graphs Referred> to but Not Included in the Text", "NAME"),
    ("<14 Tables>, Figures and Graphs Referred to but Not Included in the Text", "STREET"),
    ("9 <Investigational> Plan ................. 4", "NAME"),
    ("5.3 Participant Information and <Consent .......... 4>", "STREET"),
    ("<12.3.2.15 Subject> 0104, Hip fracture", "IPADDR"),
    ("Listing 16.2.1.1 <Discontinuations>", "CITY"),
    ("Listing <16.2.1.1> Discontinuations", "IPADDR"),
    ("11.2 Demographic and <Other Baseline> Characteristics", "NAME"),
]
NAMES = [
    ("12.3.2.1 Narrative of <Odile Marchand>", "NAME"),
    ("12.3.2.1 Narrative for participant <DEMO-301-101-0105>", "PHONE"),
    ("12.3.2.1 Narrative for participant <0105> ............. 7", "IDNUM"),
    ("9.1 Sites in <Lyon>", "CITY"),
    ("He met <Overall Consent> there.", "NAME"),
    ("101\\t<Clinique> des Tilleuls", "HOSPITAL"),
]


def _hit(line: str, kind: str) -> bool:
    text = "Before.\n" + line.replace("<", "").replace(">", "") + "\nAfter."
    start = len("Before.\n") + line.index("<")
    end = len("Before.\n") + line.index(">") - 1
    return is_heading_word(Finding(start, end, kind, 0.5, "model"), text)


@pytest.mark.parametrize(("line", "kind"), WORDS)
def test_words_of_a_heading_are_left_alone(line: str, kind: str) -> None:
    assert _hit(line, kind)


@pytest.mark.parametrize(("line", "kind"), NAMES)
def test_names_and_numbers_count_in_headings_too(line: str, kind: str) -> None:
    assert not _hit(line, kind)
