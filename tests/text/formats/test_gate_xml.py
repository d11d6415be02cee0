"""GATE XML: nodes that say where they stand, and annotation sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.text.formats.files import marked, read_one, refused, save

from reidrisk.errors import InvalidSetting, UnreadableFile

FEATURE = (
    '<Feature><Name className="java.lang.String">identifier_type</Name>'
    '<Value className="java.lang.String">DIRECT</Value></Feature>'
)
FILE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument version="3">\n'
    '<TextWithNodes><Node id="0"/>Né 😀\n<Node id="6"/>Ángel Müller<Node id="18"/> in '
    '<Node id="22"/>Graz<Node id="26"/></TextWithNodes>\n<AnnotationSet></AnnotationSet>\n'
    '<AnnotationSet Name="Original markups">'
    '<Annotation Id="0" Type="p" StartNode="0" EndNode="26"/></AnnotationSet>\n'
    '<AnnotationSet Name="manual">'
    f'<Annotation Id="1" Type="PATIENT" StartNode="6" EndNode="18">{FEATURE}</Annotation>'
    '<Annotation Id="2" Type="CITY" StartNode="22" EndNode="26"></Annotation>'
    '<Annotation Id="3" Type="Token" StartNode="22" EndNode="26"></Annotation>'
    "</AnnotationSet>\n</GateDocument>\n"
)


def test_nodes_count_utf16_units(tmp_path: Path) -> None:
    document = read_one(save(tmp_path, "a.xml", FILE), "gate-xml")
    assert document.id == "a"
    assert marked(document) == [("PATIENT", "Ángel Müller"), ("CITY", "Graz")]
    assert [a.role for a in document.annotations] == ["direct", None]
    assert document.notes == (
        "annotations of words and sentences (Token, SpaceToken, Sentence, Split) were left out",
    )


def test_windows_line_ends_that_were_counted_are_noted(tmp_path: Path) -> None:
    counted = FILE
    for old in (26, 22, 18, 6):
        counted = counted.replace(f'"{old}"', f'"{old + 1}"')
    document = read_one(save(tmp_path, "a.xml", counted.replace("\n", "\r\n")), "gate-xml")
    assert marked(document)[0] == ("PATIENT", "Ángel Müller")
    assert "node numbers were read as UTF-16 units that count a line end as two" in document.notes


def test_nodes_that_count_code_points_are_noted(tmp_path: Path) -> None:
    points = FILE
    for old in (6, 18, 22, 26):
        points = points.replace(f'"{old}"', f'"{old - 1}"')
    document = read_one(save(tmp_path, "a.xml", points), "gate-xml")
    assert marked(document)[1] == ("CITY", "Graz")
    assert "node numbers were read as code points" in document.notes


def test_a_corrupted_offset_is_named(tmp_path: Path) -> None:
    refused(
        save(tmp_path, "a.xml", FILE.replace('EndNode="18"', 'EndNode="17"')),
        "gate-xml",
        r"a\.xml, document 'a', annotation 1: it names a node that is not in the text",
    )
    refused(
        save(tmp_path, "a.xml", FILE.replace('"22"', '"21"')),
        "gate-xml",
        "annotation 1: the ids of the nodes do not match their positions",
    )


def test_the_set_can_be_named(tmp_path: Path) -> None:
    path = save(tmp_path, "a.xml", FILE)
    assert marked(read_one(path, "gate-xml", annotator="Original markups"))[0][0] == "p"
    assert marked(read_one(path, "gate-xml", annotator="default")) == []
    with pytest.raises(InvalidSetting, match="Did you mean 'manual'"):
        read_one(path, "gate-xml", annotator="manuel")


def test_one_of_several_sets_is_read_and_noted(tmp_path: Path) -> None:
    other = '<AnnotationSet Name="b"><Annotation Id="9" Type="X" StartNode="0" EndNode="6"/></AnnotationSet>'
    path = save(tmp_path, "a.xml", FILE.replace("</GateDocument>", f"{other}</GateDocument>"))
    assert "annotation set 'manual' of 2 was read" in read_one(path, "gate-xml").notes


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("</GateDocument>", "", "malformed"),
        ("TextWithNodes>", "Text>", "0 TextWithNodes"),
        ('<Node id="6"/>', '<Node id="0"/>', "two nodes have the same id"),
        ('<Node id="6"/>', "<b/>", "not a Node"),
        ('StartNode="6"', "", "not a whole number"),
        ('Name="manual"', f'Name="{"x" * 300}"', "too long or not printable"),
    ],
)
def test_other_damage_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    refused(save(tmp_path, "a.xml", FILE.replace(old, new)), "gate-xml", says, kind=UnreadableFile)
