from __future__ import annotations

import pytest

from reidrisk.core.reference_lists import CHAPTERS
from reidrisk.errors import BadData
from reidrisk.tables.hierarchy.codes import chapter_of
from reidrisk.tables.hierarchy.hierarchy import Hierarchy


def test_diagnoses_by_category_and_chapter() -> None:
    levels = Hierarchy.icd10("diagnosis").on(["E11.9", "e119", "E10", "I21.0", "C4A.1", "A17.0†"])
    assert levels.names == ("exact", "category", "chapter", "suppressed")
    assert levels.labels[1].tolist() == ["E11", "E11", "E10", "I21", "C4A", "A17"]
    assert levels.labels[2].tolist() == ["E00-E90", "E00-E90", "E00-E90", "I00-I99", "C00-D48", "A00-B99"]


def test_every_range_ends_in_its_own_chapter() -> None:
    for chapter in CHAPTERS:
        first, last = chapter.split("-")
        assert chapter_of(first) == chapter_of(last) == chapter


@pytest.mark.parametrize(
    ("category", "chapter"),
    [
        ("D49", "C00-D48"),
        ("D50", "D50-D89"),
        ("H59", "H00-H59"),
        ("H60", "H60-H95"),
        ("V00", "V01-Y98"),
        ("T88", "S00-T98"),
    ],
)
def test_borders_of_chapters(category: str, chapter: str) -> None:
    assert chapter_of(category) == chapter


def test_drugs_by_their_groups() -> None:
    levels = Hierarchy.atc("drug").on(["A10BA02", "a10bb", "C09AA01", "C"])
    assert levels.names == ("exact", "chemical", "pharmacological", "therapeutic", "anatomical", "suppressed")
    assert levels.labels[1].tolist() == ["A10BA", "A10BB", "C09AA", "C"]
    assert levels.labels[3].tolist() == ["A10", "A10", "C09", "C"]
    assert levels.labels[4].tolist() == ["A", "A", "C", "C"]


@pytest.mark.parametrize("odd", ["diabetes", "11", "E1", ""])
def test_other_texts_are_counted_and_not_shown(odd: str) -> None:
    with pytest.raises(
        BadData, match="'diagnosis' has 1 value \\(4 rows\\) not in the form of an ICD-10 code"
    ) as caught:
        Hierarchy.icd10("diagnosis").on([odd, "E11"], [4, 5])
    assert "diabetes" not in str(caught.value)
    with pytest.raises(BadData, match="not in the form of an ATC code"):
        Hierarchy.atc("drug").on([odd])
