"""UIMA CAS in both of its writings: UTF-16 units, layers of words left out, names from the metadata."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.text.formats.files import marked, read_one, refused, save

from reidrisk.errors import UnreadableFile
from reidrisk.text.corpus import Document

TEXT = "Né 😀\r\nÁngel Müller in Graz"
META = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
WORD_TYPE = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
FORMATS = ("uima-json", "uima-xmi")


def cas(*more: dict[str, Any], end: int = 19, sofa: Any = TEXT) -> list[dict[str, Any]]:
    return [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": sofa},
        {"%ID": 2, "%TYPE": META, "@sofa": 1, "begin": 0, "end": 27, "documentTitle": "note 7.txt"},
        {"%ID": 3, "%TYPE": WORD_TYPE, "@sofa": 1, "begin": 0, "end": 2},
        {"%ID": 4, "%TYPE": "webanno.custom.PHI", "@sofa": 1, "begin": 7, "end": end, "kind": "PATIENT"},
        {"%ID": 5, "%TYPE": ENTITY, "@sofa": 1, "begin": 23, "end": 27, "value": "LOC"},
        {"%ID": 6, "%TYPE": "webanno.custom.PHI", "@sofa": 1, "begin": 0, "end": 2},
        *more,
    ]


def as_json(structures: list[dict[str, Any]]) -> str:
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": {}})


def as_xmi(structures: list[dict[str, Any]]) -> str:
    elements = []
    for one in structures:
        package, _, name = one["%TYPE"].rpartition(".")
        uri = f"http:///{package.replace('.', '/')}.ecore"
        values = {key.lstrip("@"): value for key, value in one.items() if not key.startswith("%")}
        pairs = " ".join(
            f'{key}="{str(value).replace(chr(13), "&#13;").replace(chr(10), "&#10;")}"'
            for key, value in values.items()
            if value is not None
        )
        elements.append(f'<t:{name} xmlns:t="{uri}" xmi:id="{one["%ID"]}" {pairs}/>')
    return f'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI">{"".join(elements)}</xmi:XMI>'


def written(folder: Path, name: str, structures: list[dict[str, Any]]) -> Path:
    if name == "uima-json":
        return save(folder, "a.json", as_json(structures))
    return save(folder, "a.xmi", as_xmi(structures))


def read(folder: Path, name: str, structures: list[dict[str, Any]]) -> Document:
    return read_one(written(folder, name, structures), name)


@pytest.mark.parametrize("name", FORMATS)
def test_identifiers_and_the_name_of_the_document(tmp_path: Path, name: str) -> None:
    document = read(tmp_path, name, cas())
    assert document.id == "note 7"
    assert document.text == TEXT
    assert marked(document) == [("PATIENT", "Ángel Müller"), ("LOC", "Graz"), ("PHI", "Né")]


@pytest.mark.parametrize("name", FORMATS)
def test_without_metadata_the_file_names_the_document(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, name, [*cas()[:1], *cas()[3:]]).id == "a"


@pytest.mark.parametrize("name", FORMATS)
def test_a_corrupted_offset_is_named(tmp_path: Path, name: str) -> None:
    place = "document 'note 7', annotation 1: "
    refused(written(tmp_path, name, cas(end=190)), name, place + "it ends at 189, beyond")
    middle = [*cas()[:3], {"%ID": 9, "%TYPE": "x.Y", "@sofa": 1, "begin": 4, "end": 9}]
    refused(written(tmp_path, name, middle), name, place + "it starts or ends inside a character")


@pytest.mark.parametrize("name", FORMATS)
def test_other_views_and_chains_are_noted(tmp_path: Path, name: str) -> None:
    chain = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceChain"
    more = (
        {"%ID": 7, "%TYPE": "uima.cas.Sofa", "sofaNum": 2, "sofaID": "other", "sofaString": "x"},
        {"%ID": 8, "%TYPE": "webanno.custom.PHI", "@sofa": 7, "begin": 0, "end": 1},
        {"%ID": 9, "%TYPE": chain},
    )
    document = read(tmp_path, name, cas(*more))
    assert len(document.annotations) == 3
    assert document.notes == (
        "1 annotations of other views were left out",
        "coreference chains were not read",
    )


@pytest.mark.parametrize("name", FORMATS)
def test_a_cas_without_one_text_is_refused(tmp_path: Path, name: str) -> None:
    refused(written(tmp_path, name, cas()[1:]), name, "0 views", kind=UnreadableFile)
    refused(written(tmp_path, name, cas(sofa=None)), name, "contains no text", kind=UnreadableFile)


def test_anchors_may_be_marked(tmp_path: Path) -> None:
    marks = {"%ID": 9, "%TYPE": "x.Y", "@sofa": 1, "^begin": 23, "^end": 27, "label": "CITY"}
    assert marked(read(tmp_path, "uima-json", [cas()[0], marks])) == [("CITY", "Graz")]


def test_damage_of_json_is_refused(tmp_path: Path) -> None:
    for content, says in (("[]", "not an object"), ('{"%FEATURE_STRUCTURES": [{}]}', "no %ID or no %TYPE")):
        refused(save(tmp_path, "a.json", content), "uima-json", says, kind=UnreadableFile)


def test_a_type_system_is_no_document(tmp_path: Path) -> None:
    save(tmp_path, "TypeSystem.xml", "<typeSystemDescription/>")
    written(tmp_path, "uima-xmi", cas())
    assert read_one(tmp_path, "uima-xmi").id == "note 7"


def test_damage_of_xmi_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path, "a.xmi", as_xmi(cas()).replace('end="19"', 'end="x"'))
    refused(path, "uima-xmi", "not a whole number", kind=UnreadableFile)
    path = save(tmp_path, "a.xmi", '<!DOCTYPE x [<!ENTITY y "z">]>' + as_xmi(cas()))
    refused(path, "uima-xmi", "declares a document type", kind=UnreadableFile)
