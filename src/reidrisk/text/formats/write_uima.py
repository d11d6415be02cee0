"""Writers of UIMA CAS, as JSON and as XMI with its type system."""

from __future__ import annotations

from typing import Any

from reidrisk.text.corpus import Document
from reidrisk.text.formats.uima_cas import METADATA, SOFA, TEXT_SUFFIX
from reidrisk.text.formats.write_gate import features, in_utf16, utf16_places
from reidrisk.text.formats.write_json import dumps
from reidrisk.text.formats.write_xml import DECLARATION, attribute
from reidrisk.text.formats.writer import FILE_NAME, NOT_IN_XML, Capabilities, FilePerDocument

TYPE = "webanno.custom.PHI"
_META = f"de.tudarmstadt.ukp.dkpro.core.api.metadata.type.{METADATA}"
_FEATURES = {
    "kind": "uima.cas.String",
    "identifier_type": "uima.cas.String",
    "entity_id": "uima.cas.String",
    "score": "uima.cas.Double",
}


def _marks(document: Document) -> list[dict[str, Any]]:
    astral = utf16_places(document.text or "")
    return [
        {"begin": in_utf16(mark.start, astral), "end": in_utf16(mark.end, astral), "kind": mark.type}
        | features(mark)
        for mark in document.annotations
    ]


def _metadata(document: Document) -> dict[str, Any]:
    text = document.text or ""
    end = in_utf16(len(text), utf16_places(text))
    title = document.id + TEXT_SUFFIX
    return {"begin": 0, "end": end, "language": "x-unspecified", "documentTitle": title}


def _json(document: Document) -> dict[str, str]:
    described = {name: {"%NAME": name, "%RANGE": kind} for name, kind in _FEATURES.items()}
    sofa = {"sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text/plain", "sofaString": document.text}
    structures = [
        {"%ID": 1, "%TYPE": SOFA} | sofa,
        {"%ID": 2, "%TYPE": _META, "@sofa": 1} | _metadata(document),
        *({"%ID": n, "%TYPE": TYPE, "@sofa": 1} | mark for n, mark in enumerate(_marks(document), 3)),
    ]
    members = [structure["%ID"] for structure in structures[1:]]
    whole = {
        "%TYPES": {TYPE: {"%NAME": TYPE, "%SUPER_TYPE": "uima.tcas.Annotation"} | described},
        "%FEATURE_STRUCTURES": structures,
        "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": members}},
    }
    return {f"{document.id}.json": dumps(whole) + "\n"}


def _element(name: str, number: int, values: dict[str, Any]) -> str:
    pairs = " ".join(f"{key}={attribute(str(value))}" for key, value in values.items())
    return f'<{name} xmi:id="{number}" {pairs}/>\n'


def _xmi(document: Document) -> dict[str, str]:
    marks = _marks(document)
    sofa = {"sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text/plain", "sofaString": document.text}
    elements = [_element("type:DocumentMetaData", 2, {"sofa": 1} | _metadata(document))]
    elements += [_element("custom:PHI", n, {"sofa": 1} | mark) for n, mark in enumerate(marks, 3)]
    members = " ".join(str(number) for number in range(2, len(marks) + 3))
    body = (
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
        'xmlns:custom="http:///webanno/custom.ecore" '
        'xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/metadata/type.ecore" xmi:version="2.0">\n'
        f'<cas:NULL xmi:id="0"/>\n{"".join(elements)}{_element("cas:Sofa", 1, sofa)}'
        f'<cas:View sofa="1" members="{members}"/>\n</xmi:XMI>\n'
    )
    return {f"{document.id}.xmi": DECLARATION + body}


def _described(name: str, above: str, described: dict[str, str]) -> str:
    inside = "".join(
        f"<featureDescription><name>{feature}</name><description/><rangeTypeName>{kind}</rangeTypeName>"
        "</featureDescription>"
        for feature, kind in described.items()
    )
    return (
        f"<typeDescription><name>{name}</name><description/><supertypeName>{above}</supertypeName>"
        f"<features>{inside}</features></typeDescription>"
    )


def _type_system() -> str:
    names = dict.fromkeys(("documentTitle", "documentId", "documentUri"), "uima.cas.String")
    types = _described(TYPE, "uima.tcas.Annotation", _FEATURES)
    types += _described(_META, "uima.tcas.DocumentAnnotation", names)
    schema = "http://uima.apache.org/resourceSpecifier"
    return (
        f'{DECLARATION}<typeSystemDescription xmlns="{schema}"><types>{types}</types>'
        "</typeSystemDescription>\n"
    )


UIMA_JSON = FilePerDocument(
    "uima-json", "uima-json", Capabilities(roles=True, entities=True, scores=True, names=FILE_NAME), _json
)
UIMA_XMI = FilePerDocument(
    "uima-xmi",
    "uima-xmi",
    Capabilities(roles=True, entities=True, scores=True, names=FILE_NAME, characters=NOT_IN_XML),
    _xmi,
    beside={"TypeSystem.xml": _type_system()},
)
