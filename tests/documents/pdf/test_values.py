from __future__ import annotations

import pytest

from reidrisk.documents.pdf.values import RemovedValues


def values(*known: str) -> RemovedValues:
    made = RemovedValues()
    for value in known:
        made.add(value, "PPD")
    return made


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Narrative of Jan Kowalski", "Narrative of PPD"),
        ("NARRATIVE OF JAN  KOWALSKI", "NARRATIVE OF PPD"),
        ("Kowalski, Jan", "PPD, Jan"),
        ("jankowalski@example.org", "PPD@example.org"),
        ("Narrative of Ann", "Narrative of PPD"),
        ("Annual report", "Annual report"),
        ("Age 24 of 2024", "Age 24 of 2024"),
        ("Seen 1 March 2021 and 21 March 2021", "Seen PPD and 21 March 2021"),
        ("12.2 Adverse events", "12.2 Adverse events"),
    ],
)
def test_texts_lose_values_and_nothing_else(text: str, cleaned: str) -> None:
    assert (
        values("Jan Kowalski", "Ann", "24", "1 March 2021", "adverse event of Jan").cleaned(text) == cleaned
    )


def test_a_name_in_an_address_is_found() -> None:
    known = values("Jan Kowalski")
    assert known.within("https://example.org/?q=Jan%20Kowalski")
    assert known.within("https://example.org/kowalski", parts=True)
    assert not known.within("https://example.org/kowalski")
    assert not known.within("https://example.org/")


def test_nothing_is_found_where_nothing_is_known() -> None:
    assert not RemovedValues().within("")
    assert not RemovedValues().within("Anything")
    assert RemovedValues().cleaned("Anything") == "Anything"
