"""Tags inside plain text, and queries with lists of values."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.text.formats.files import marked, read, read_one, refused, save

from reidrisk.errors import UnreadableFile

SINGLE = "Né 😀\r\n<First_Name>Ángel</First_Name> <Last_Name>Müller</Last_Name> <3 & <x> in Graz\r\n"
DOUBLE = "Né 😀\r\n<<PATIENT:Ángel Müller>> <b> in <<CITY:Graz>>\r\n"


def test_tags_that_are_closed(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.txt", SINGLE), "inline")
    assert document.text == "Né 😀\r\nÁngel Müller <3 & <x> in Graz\r\n"
    assert marked(document) == [("First_Name", "Ángel"), ("Last_Name", "Müller")]


def test_values_between_double_brackets(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.txt", DOUBLE), "inline")
    assert document.text == "Né 😀\r\nÁngel Müller <b> in Graz\r\n"
    assert marked(document) == [("PATIENT", "Ángel Müller"), ("CITY", "Graz")]


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.txt", "\ufeff" + SINGLE), "inline")
    assert (document.text or "").startswith("Né")
    assert document.notes == ("the byte order mark was left out of the text",)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (SINGLE.replace("<Last_Name>", ""), "annotation 2: a tag is closed that is not open"),
        (
            SINGLE.replace("</First_Name>", "") + "<First_Name>x</First_Name>",
            "annotation 1: another tag starts",
        ),
        (SINGLE + "<Last_Name>", "annotation 3: its tag is not closed"),
        (SINGLE.replace("Ángel", ""), "annotation 1: its end is not after"),
        (DOUBLE.replace("Graz>>", "Graz"), "annotation 2: its brackets are not closed"),
        (DOUBLE.replace("Müller>>", ""), "annotation 1: its brackets are not closed"),
        (DOUBLE.replace("Graz", " "), "annotation 2: it covers only white space"),
    ],
)
def test_a_tag_that_cannot_be_is_named(tmp_path: Path, content: str, says: str) -> None:
    refused(save(tmp_path, "a.txt", content), "inline", "a.txt, document 'a'.*" + says)


def test_two_kinds_of_tags_are_refused(tmp_path: Path) -> None:
    refused(save(tmp_path, "a.txt", SINGLE + DOUBLE), "inline", "both kinds", kind=UnreadableFile)


QUERIES = (
    "===QUERY===\nNé 😀 Ángel Müller,\nGraz?\n===PHI_TAGS===\n"
    '{"identifier_type": "NAME", "value": "Ángel Müller"}\n'
    '{"identifier_type": "CITY", "value": "Graz"}\n\n===QUERY===\nnothing\n===PHI_TAGS===\n\n'
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_queries_are_numbered_and_values_found(tmp_path: Path, end: str) -> None:
    first, second = read(save(tmp_path, "a.txt", QUERIES.replace("\n", end)), "asq")
    assert marked(first) == [("NAME", "Ángel Müller"), ("CITY", "Graz")]
    assert (first.id, second.id, second.text) == ("1", "2", "nothing")


def test_a_value_is_marked_wherever_it_stands(tmp_path: Path) -> None:
    first, _ = read(save(tmp_path, "a.txt", QUERIES.replace("Graz?", "Graz? Graz!")), "asq")
    assert [a.start for a in first.annotations] == [5, 19, 25]
    assert "every occurrence was marked" in first.notes[1]


def test_a_value_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = save(tmp_path, "a.txt", QUERIES.replace('"Graz"', '"Wien"'))
    refused(path, "asq", r"a\.txt, document '1', annotation 2: its value is not in the text")


def test_a_file_that_breaks_off_loses_its_last_query_only(tmp_path: Path) -> None:
    cut = QUERIES + '===QUERY===\nx Graz\n===PHI_TAGS===\n{"identifier_type": "CI'
    documents = read(save(tmp_path, "a.txt", cut), "asq")
    assert len(documents) == 2
    assert "its last query was left out" in documents[1].notes[-1]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("x\n" + QUERIES, "does not start with a query"),
        (QUERIES.replace("===PHI_TAGS===\n", "", 1), "0 lists of tags"),
        (
            QUERIES.replace('{"identifier_type": "CITY", "value": "Graz"}', "[]"),
            "annotation 2: the tag is not",
        ),
        (QUERIES.replace('"Graz"', '""'), "annotation 2: the tag has no value"),
        (QUERIES.replace('"CITY"', "null"), 'annotation 2: "identifier_type" is missing'),
    ],
)
def test_damaged_queries_are_refused(tmp_path: Path, content: str, says: str) -> None:
    refused(save(tmp_path, "a.txt", content), "asq", says, kind=UnreadableFile)
