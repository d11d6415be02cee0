"""spaCy DocBin without spaCy: its numbers for strings, its packing, its tokens."""

from __future__ import annotations

import zlib
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.formats.files import marked, read, read_one, refused, save

from reidrisk.errors import BadData, UnreadableFile
from reidrisk.text.formats.msgpack import pack, unpack
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.formats.spacy_strings import number_of, table_of
from reidrisk.text.read import read_documents

WORDS = ["Né", "😀", "\r\n", "Ángel", "Müller", "in", "Graz"]
SPACES = [1, 0, 0, 1, 1, 1, 0]
TAGS = [(2, ""), (2, ""), (2, ""), (3, "PATIENT"), (1, "PATIENT"), (2, ""), (3, "GPE")]
ATTRIBUTES = [65, 77, 78]


def content(**more: Any) -> dict[str, Any]:
    numbers = [
        n
        for word, (iob, kind) in zip(WORDS, TAGS, strict=True)
        for n in (number_of(word), iob, number_of(kind))
    ]
    return {
        "version": "0.1",
        "attrs": ATTRIBUTES,
        "tokens": array("Q", numbers).tobytes(),
        "spaces": bytes(SPACES),
        "lengths": array("i", [len(WORDS)]).tobytes(),
        "strings": [*WORDS, "PATIENT", "GPE", ""],
        "cats": [{}],
        "flags": [{"has_unknown_spaces": False}],
    } | more


def saved(folder: Path, **more: Any) -> Path:
    return save(folder, "a.spacy", zlib.compress(pack(content(**more))))


def test_strings_are_numbered_as_spacy_documents_it() -> None:
    assert number_of("coffee") == 3197928453018144401
    assert number_of("apple") == 8566208034543834098
    documented = {
        "": 0,
        "PERSON": 380,
        "ORG": 383,
        "GPE": 384,
        "DEP": 76,
        "nsubj": 429,
        "prep": 443,
        "NOUN": 92,
    }
    assert {name: number_of(name) for name in documented} == documented
    assert table_of(["PERSON"])[380] == "PERSON"


def test_tokens_become_a_text_with_entities(tmp_path: Path) -> None:
    document = read_one(saved(tmp_path), "spacy")
    assert document.text == "Né 😀\r\nÁngel Müller in Graz"
    assert marked(document) == [("PATIENT", "Ángel Müller"), ("GPE", "Graz")]
    assert document.notes == ("the text has no id and is named by its position in the file",)


def test_ids_are_in_the_user_data(tmp_path: Path) -> None:
    assert read_one(saved(tmp_path, user_data=[pack({"doc_id": "d7"})]), "spacy").id == "d7"
    # an extension attribute has a key of four parts
    key = b"\x94" + pack("._.") + pack("doc_id") + pack(None) + pack(None)
    assert read_one(saved(tmp_path, user_data=[b"\x81" + key + pack(8)]), "spacy").id == "8"


def test_unknown_spaces_and_span_groups(tmp_path: Path) -> None:
    document = read_one(saved(tmp_path, flags=[{"has_unknown_spaces": True}], span_groups=[b"xyz"]), "spacy")
    assert document.text == "Né 😀 \r\n Ángel Müller in Graz "
    assert "span groups were not read, only entities" in document.notes


def test_several_documents(tmp_path: Path) -> None:
    documents = read(saved(tmp_path, lengths=array("i", [3, 0, 4]).tobytes()), "spacy")
    assert [document.text for document in documents] == ["Né 😀\r\n", "", "Ángel Müller in Graz"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"attrs": [65]}, "no words or no entities"),
        ({"attrs": [65, 77, 78, 79]}, "do not fit together"),
        ({"tokens": b"123"}, "damaged"),
        ({"lengths": array("i", [3]).tobytes()}, "numbers of tokens per document"),
        ({"lengths": array("i", [-1, 8]).tobytes()}, "numbers of tokens per document"),
        ({"strings": [5]}, "is not text"),
        ({"strings": ["Né"]}, "a token is not among the strings"),
        ({"strings": WORDS}, "annotation 1: .ENT_TYPE. is missing"),
        ({"user_data": [pack({"doc_id": ["x"]})]}, "no usable"),
        ({"user_data": [b"\xc1"]}, "unknown kind of value"),
    ],
)
def test_damage_is_refused(tmp_path: Path, more: dict[str, Any], says: str) -> None:
    refused(saved(tmp_path, **more), "spacy", says, kind=UnreadableFile)


def test_what_is_not_packed_as_spacy_does_is_refused(tmp_path: Path) -> None:
    whole = zlib.compress(pack(content()))
    for data, says in (
        (b"no zlib at all", "not compressed"),
        (whole[:-9], "incomplete"),
        (zlib.compress(pack([])), "not an object"),
        (zlib.compress(pack({}) + b"\0"), "there is more data"),
        (zlib.compress(b"\x91" * 100), "nested too deeply"),
        (zlib.compress(b"\xdd\xff\xff\xff\xff"), "damaged"),
    ):
        refused(save(tmp_path, "a.spacy", data), "spacy", says, kind=UnreadableFile)
    save(tmp_path, "a.spacy", zlib.compress(b"\xc6\x00\x98\x96\x80" + bytes(10**7)))
    with pytest.raises(UnreadableFile, match="unpacked data are too large"):
        list(read_documents(tmp_path / "a.spacy", settings=ReadSettings(max_bytes=10**5)))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_packed_is_unpacked(value: Any) -> None:
    assert unpack(pack(value)) == value


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\xca\x3f\xc0\x00\x00", 1.5),
        (b"\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", 1.5),
        (b"\xcd\x01\x00", 256),
        (b"\xff", -1),
        (b"\xa2hi", "hi"),
        (b"\x92\x01\xc2", [1, False]),
        (b"\x81\x92\x01\x02\xc0", {(1, 2): None}),
        (b"\xd9\x02hi", "hi"),
        (b"\xdc\x00\x01\x05", [5]),
        (b"\xde\x00\x01\x05\x06", {5: 6}),
    ],
)
def test_every_way_to_write_a_value_is_read(data: bytes, value: Any) -> None:
    assert unpack(data) == value


@given(st.binary(max_size=60))
def test_random_bytes_are_refused_by_name(data: bytes) -> None:
    try:
        unpack(data)
    except BadData as error:
        assert error.hint  # noqa: PT017 - most are refused, some are values
