from __future__ import annotations

import pytest

from reidrisk.detect.detector import combine
from reidrisk.detect.dictionaries.find import DictionaryDetector

DETECTOR = DictionaryDetector()


def found(text: str, *kinds: str) -> list[str]:
    """The words that are found under some types, at the usual threshold."""
    findings = combine(DETECTOR.find(text), threshold=0.5)
    return [text[one.start : one.end] for one in findings if one.type in kinds]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("seen by Dr. Lockwood today", "Lockwood"),
        ("Mr. James T. came", "James T."),
        ("a patient like Anna S. was", "Anna S."),
        ("signed by J. Pemberton, MD", "J. Pemberton"),
        ("Maria Gonzalez-Smith was seen", "Maria Gonzalez-Smith"),
        ("Patient: Vandermeer, Zhiqiang", "Vandermeer, Zhiqiang"),
        ("his wife Grace said", "Grace"),
        ("told mr. smith that", "smith"),
        ("Krisztián Szöllösy left", "Krisztián Szöllösy"),
        ("SMITH, JOHN", "SMITH, JOHN"),
        ("Mrs. van der Berg left", "van der Berg"),
        ("Dr. Will May said", "Will May"),
        ("met Sarah Baker twice", "Sarah Baker"),
        ("What is your name? Zhovna Baker", "Zhovna Baker"),
        ("people call me Zhovna here", "Zhovna"),
        ("it is late, says Zhovna.", "Zhovna"),
        ("Zhovna lives alone.", "Zhovna"),
        ("Ilse van de Zhovna left", "Ilse van de Zhovna"),
    ],
)
def test_names_of_people(text: str, name: str) -> None:
    assert found(text, "NAME") == [name]


@pytest.mark.parametrize(
    "text",
    [
        "Parkinson's disease and Crohn's",
        "a Foley catheter",
        "Lewy body dementia",
        "Graves disease",
        "Hodgkin lymphoma",
        "HISTORY OF PRESENT ILLNESS",
        "The patient will rest in May.",
        "Glasgow Coma Scale",
        "Will she walk? May be.",
        "Review of Systems: negative",
        "Started Lisinopril and Metformin.",
        "an African American man",
        "Mark the site.",
        "Hashimoto's thyroiditis",
        "Epstein-Barr virus",
        "What is the best therapy?",
    ],
)
def test_words_that_only_look_like_names(text: str) -> None:
    assert found(text, "NAME", "CITY", "HOSPITAL", "ORGANIZATION", "STATE", "LOCATION-OTHER") == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("treated at Methodist Hospital last", "Methodist Hospital"),
        ("seen at Cedar Crest for", "Cedar Crest"),
        ("from UCLA Medical Center today", "UCLA Medical Center"),
        ("The Mayo Clinic wrote", "Mayo Clinic"),
        ("went to the University Hospital of Springfield", "University Hospital of Springfield"),
    ],
)
def test_hospitals(text: str, place: str) -> None:
    assert found(text, "HOSPITAL") == [place]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("moved here from Kenosha with", "Kenosha"),
        ("lives in Elkbrook, MO with", "Elkbrook, MO"),
        ("of Springfield, Illinois.", "Springfield, Illinois"),
        ("flew in from Canada.", "Canada"),
    ],
)
def test_places(text: str, place: str) -> None:
    assert found(text, "CITY", "STATE", "COUNTRY") == [place]


def test_a_comma_between_two_people_does_not_make_them_one() -> None:
    assert found("We met Ann Smith, Mary Jones and Dr. Tillman.", "NAME") == [
        "Ann Smith",
        "Mary Jones",
        "Tillman",
    ]


def test_a_degree_is_no_state() -> None:
    assert found("signed by Helen Ogilvie, MD", "NAME") == ["Helen Ogilvie"]


@pytest.mark.parametrize(
    "text", ["", " ", "\r\n\r\n", "🙂🙂", "שלום עולם", "Ａ" * 50, "A" * 5000, "A " * 2000]
)
def test_odd_texts_have_right_offsets(text: str) -> None:
    for finding in DETECTOR.find(text):
        assert 0 <= finding.start < finding.end <= len(text)


def test_an_unknown_word_with_a_capital_is_found_with_low_confidence() -> None:
    (one,) = DETECTOR.find("they like Zhovna a lot")[:1]
    assert one.confidence > 0.5
    (other,) = DETECTOR.find("we bought Zhovna in a shop")
    assert 0.2 <= other.confidence < 0.5


@pytest.mark.parametrize(
    "term", ["Creatinine", "Haemoglobin", "Cholelithiasis", "Diarrhoea", "Discontinuations"]
)
def test_terms_are_not_names_of_people(term: str) -> None:
    text = f"Day 133 ALT (U/L) {term} (g/L) and more"
    assert not [one for one in DETECTOR.find(text) if one.confidence >= 0.2 and one.type == "NAME"]


def test_a_name_that_is_a_common_word_needs_its_capital() -> None:
    assert [one.confidence >= 0.2 for one in DETECTOR.find("we asked Grace about it")] == [True]
    assert not [one for one in DETECTOR.find("We asked for grace about it") if one.confidence >= 0.2]
