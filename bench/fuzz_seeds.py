"""Files to begin with when readers are fuzzed: a small corpus in every format, and odd but valid ones."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

from reidrisk.text.convert import WRITERS, convert
from reidrisk.text.corpus import Annotation, Document

Files = dict[str, bytes]
"""A case: files by name. The first is read, any may be changed."""
TEXT = "Mr. Ángel Müller 😀 (MRN 719435)\r\nsaw Dr. O'Neil in Graz, e\u0301.\n"
NOTE = Document(
    "7-1",
    (
        Annotation(4, 16, "PATIENT", "direct", "e1", (), 0.5),
        Annotation(24, 30, "ID", None, "e1"),
        Annotation(51, 55, "CITY", "quasi"),
    ),
    TEXT,
)
CORPUS = (NOTE, replace(NOTE, id="7-2", annotations=(), text="nothing to see"))

_REGION = {"value": {"start": 4, "end": 16, "text": "Ángel Müller", "labels": ["PATIENT"]}, "type": "labels"}
_PAGE = {
    "start": "/p[1]/text()[1]",
    "end": "/p[1]/text()[1]",
    "startOffset": 0,
    "endOffset": 4,
    "globalOffsets": {"start": 0, "end": 4},
    "text": "Anna",
    "hypertextlabels": ["NAME"],
}
_TASK = {"id": 1, "data": {"text": TEXT}, "annotations": [{"completed_by": 1, "result": [_REGION]}]}
_HYPER = {
    "id": 2,
    "data": {"html": "<p>Anna<br>Graz &amp;</p>"},
    "annotations": [{"result": [{"value": _PAGE}]}],
}
_SHORT = {"id": 3, "text": TEXT, "label": [_REGION["value"]], "annotator": 1, "annotation_id": 2}
_MENTION = {"entity_type": "PERSON", "start_offset": 4, "end_offset": 16, "span_text": "Ángel Müller"}
_TWO = {name: {"entity_mentions": [_MENTION]} for name in ("annotator1", "annotator2")}
_RESULT = {"entity_type": "CITY", "start": 51, "end": 55, "score": 0.5}
_ENTITY = {"id": 1, "label": "CITY", "start_offset": 51, "end_offset": 55}


def _dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


EXTRA: dict[str, list[Files]] = {
    "tab": [
        {"a.json": _dump({"d1": [[4, 16], [24, 30, "ID"]], "d2": []})},
        {"a.json": _dump([{"doc_id": "d", "text": TEXT, "annotations": _TWO}])},
    ],
    "presidio": [
        {"a.json": _dump([_RESULT])},
        {"a.json": _dump({"d1": [_RESULT]})},
        {"a.json": _dump([{"key": "k", "value": TEXT, "recognizer_results": [_RESULT]}])},
    ],
    "doccano": [{"a.jsonl": _dump({"id": 1, "text": TEXT, "entities": [_ENTITY], "relations": []})}],
    "doccano-graphemes": [{"a.jsonl": _dump({"id": 1, "text": TEXT, "label": [[4, 16, "PATIENT"]]})}],
    "label-studio": [{"a.json": _dump([_TASK, _HYPER])}, {"a.json": _dump([_SHORT])}],
    "asq": [
        {
            "a.txt": b"===QUERY===\nMs. Anna S. of Graz?\n===PHI_TAGS===\n"
            + _dump({"identifier_type": "NAME", "value": "Anna S."})
            + b"\n\n===QUERY===\nnothing\n===PHI_TAGS===\n"
        }
    ],
    "conll": [
        {"a.conll": b"-DOCSTART- -X- -X- O\n\nDr. NNP B-NP O\nJane NNP I-NP B-DOC\nDoe NNP I-NP I-DOC\n"},
        {"a.conll": b"# newdoc id = x\nJane U-NAME\nof O\nGraz B-CITY\nWest L-CITY\n\nA S-X\nB E-X\n"},
    ],
    "inline": [{"a.txt": b"Seen by <<DOCTOR:Jane O'Neil>> on <<DATE:2093-01-13>>.\n"}],
    "physionet": [
        {
            "a.phi": b"\nPatient 7\tNote 2\n3\t3\t8\n9\t9\t15\n",
            "a.text": b"\nSTART_OF_RECORD=7||||2||||\nPt Angel Muller seen.\n||||END_OF_RECORD\n",
        }
    ],
    "brat": [
        {
            "a.ann": b"T1\tX 0 4;5 9\tAnna Graz\nA1\tIdentifier T1 DIRECT\n*\tEquiv T1 T1\n#1\tNote T1\tx\n",
            "a.txt": b"Anna Graz",
        }
    ],
}


def seeds() -> dict[str, list[Files]]:
    """Cases by the name of the format, and `zip`."""
    found: dict[str, list[Files]] = {}
    with tempfile.TemporaryDirectory() as name:
        for writer in WRITERS:
            target = Path(name) / f"{writer.name}{writer.suffix}"
            convert(CORPUS, writer.name, target)
            files = [target] if target.is_file() else sorted(target.iterdir())
            content = {file.name: file.read_bytes() for file in files}
            found.setdefault(writer.reads_as, []).append(content)
    for format_, cases in EXTRA.items():
        found.setdefault(format_, []).extend(cases)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, data in {**found["brat"][0], "b.txt": EXTRA["inline"][0]["a.txt"]}.items():
            archive.writestr(f"folder/{file}", data)
    found["zip"] = [{"a.zip": packed.getvalue()}]
    return found
