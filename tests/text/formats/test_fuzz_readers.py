"""Damaged files: whatever the bytes, a reader gives documents or an error of ours."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reidrisk.errors import ReidRiskError
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import READERS, read_documents

TEXT = "Mr. Ángel Müller 😀 (MRN 719435)\r\nsaw Dr. O'Neil in Graz.\n"
NAME, NUMBER, TOWN = (4, 16), (24, 30), (51, 55)


def _span(place: tuple[int, int], start: str, end: str, **more: Any) -> dict[str, Any]:
    return {start: place[0], end: place[1], **more}


def _surface(place: tuple[int, int]) -> str:
    return TEXT[slice(*place)]


def _jsonl() -> str:
    entity = _span(
        NAME, "start", "end", type="PATIENT", id_type="DIRECT", entity_id="e1", text=_surface(NAME)
    )
    split = _span((24, 55), "start", "end", type="ID", id="a2", fragments=[list(NUMBER), list(TOWN)])
    gold = {"doc_id": "d1", "text": TEXT, "entities": [entity, split]}
    tool = {"doc_id": 2, "spans": [_span(TOWN, "start", "end", label="CITY", score=0.5)]}
    return json.dumps(gold) + "\n" + json.dumps(tool, ensure_ascii=False) + "\n"


def _tab() -> str:
    more = {
        "entity_type": "PERSON",
        "identifier_type": "DIRECT",
        "entity_id": "e1",
        "span_text": _surface(NAME),
    }
    mention = _span(NAME, "start_offset", "end_offset", **more)
    annotators = {name: {"entity_mentions": [mention]} for name in ("annotator1", "annotator2")}
    return json.dumps([{"doc_id": "d1", "text": TEXT, "annotations": annotators}])


def _samples() -> str:
    spans = [_span(NAME, "start_position", "end_position", entity_type="PERSON", entity_value=_surface(NAME))]
    return json.dumps([{"full_text": TEXT, "spans": spans, "sample_id": 4}, {"full_text": "x", "spans": []}])


def _wrapped() -> str:
    results = [_span(TOWN, "start", "end", entity_type="LOCATION", score=0.85)]
    return json.dumps({"doc_id": "d1", "text": TEXT, "results": results})


XML = (
    f"<?xml version='1.0' encoding='UTF-8'?>\n<deIdi2b2>\n<TEXT><![CDATA[{TEXT}]]></TEXT>\n<TAGS>\n"
    f'<NAME id="P0" start="4" end="16" text="{_surface(NAME)}" TYPE="PATIENT" comment="" />\n'
    "</TAGS></deIdi2b2>\n"
)
OTHERS: dict[str, tuple[str, str]] = {
    "i2b2-2006": (
        "a.xml",
        f'<ROOT><RECORD ID="1"><TEXT>Mr. <PHI TYPE="NAME">{_surface(NAME)}</PHI> 😀</TEXT></RECORD></ROOT>',
    ),
    "spacy-train": ("a.json", json.dumps([[TEXT, {"entities": [[*NAME, "PATIENT"]]}]])),
    "prodigy": (
        "a.jsonl",
        json.dumps(
            {"text": TEXT, "spans": [_span(NAME, "start", "end", label="PATIENT")], "meta": {"id": 1}}
        ),
    ),
    "doccano": ("a.jsonl", json.dumps({"id": 1, "text": TEXT, "label": [[*NAME, "PATIENT"]]})),
    "doccano-graphemes": ("a.jsonl", json.dumps({"id": 1, "text": TEXT, "label": [[*NAME, "PATIENT"]]})),
    "label-studio": (
        "a.json",
        json.dumps(
            [
                {
                    "id": 1,
                    "data": {"text": TEXT},
                    "annotations": [
                        {
                            "completed_by": 1,
                            "result": [
                                {
                                    "value": _span(
                                        NAME, "start", "end", text=_surface(NAME), labels=["PATIENT"]
                                    )
                                }
                            ],
                        }
                    ],
                }
            ]
        ),
    ),
    "physionet": ("a.phrase", f"7 2 4 18 PTName {_surface(NAME)}\n"),
    "gate-xml": (
        "a.xml",
        f'<GateDocument><TextWithNodes><Node id="0"/>{_surface(NAME)}<Node id="12"/> 😀</TextWithNodes>'
        '<AnnotationSet Name="m"><Annotation Id="1" Type="X" StartNode="0" EndNode="12"/></AnnotationSet>'
        "</GateDocument>",
    ),
    "bdoc": (
        "a.bdocjs",
        json.dumps(
            {
                "text": TEXT,
                "offset_type": "j",
                "annotation_sets": {"": {"annotations": [_span(NAME, "start", "end", type="PATIENT")]}},
            }
        ),
    ),
    "uima-json": (
        "a.json",
        json.dumps(
            {
                "%FEATURE_STRUCTURES": [
                    {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": TEXT},
                    _span(
                        NAME, "begin", "end", **{"%ID": 2, "%TYPE": "custom.PHI", "@sofa": 1, "kind": "NAME"}
                    ),
                ]
            }
        ),
    ),
    "uima-xmi": (
        "a.xmi",
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore">'
        f'<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString="{_surface(NAME)} 😀"/>'
        '<PHI xmi:id="2" sofa="1" begin="0" end="12" kind="NAME"/></xmi:XMI>',
    ),
    "asq": (
        "b.txt",
        "===QUERY===\nMr. Ángel Müller?\n===PHI_TAGS===\n"
        '{"identifier_type": "NAME", "value": "Ángel Müller"}\n',
    ),
    "conll": ("b.conll", "Mr. O\nÁngel B-NAME\nMüller I-NAME\n😀 O\n"),
    "inline": ("b.txt", f"Mr. <NAME>{_surface(NAME)}</NAME> 😀\r\n"),
    "spacy": ("a.spacy", "x"),
}
ANN = (
    f"T1\tPATIENT 4 16\t{_surface(NAME)}\nT2\tID 24 30;51 55\t719435 Graz\n"
    "A1\tIdentifier T1 DIRECT\n*\tEquiv T1 T2\n#1\tAnnotatorNotes T1\tnone\n"
)
REDACTED = TEXT.replace(_surface(NAME), "[NAME]").replace(_surface(NUMBER), "******")
VALID: dict[str, tuple[str, str]] = {
    "jsonl": ("a.jsonl", _jsonl()),
    "brat": ("a.ann", ANN),
    "i2b2-2014": ("a.xml", XML),
    "tab": ("a.json", _tab()),
    "tab masks": ("a.json", json.dumps({"d1": [[4, 16], [24, 30, "ID"]], "d2": []})),
    "presidio": ("a.json", _wrapped()),
    "presidio list": ("a.json", json.dumps(json.loads(_wrapped())["results"])),
    "presidio mapping": ("a.json", json.dumps({"d1": json.loads(_wrapped())["results"]})),
    "presidio samples": ("a.json", _samples()),
    "presidio lines": ("a.jsonl", _wrapped() + "\n"),
    "redacted": ("b.txt", REDACTED),
    "redacted lines": ("a.jsonl", json.dumps({"doc_id": "d1", "text": REDACTED}) + "\n"),
    "surrogate": ("a.jsonl", json.dumps({"doc_id": "d1", "text": REDACTED}) + "\n"),
    "presidio field": (
        "a.json",
        json.dumps([{"key": "d1", "value": TEXT, "recognizer_results": json.loads(_wrapped())["results"]}]),
    ),
    **{case: (name, content) for case, (name, content) in OTHERS.items()},
}
ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    2.5,
    10**30,
    float("nan"),
    "",
    "\0",
    "\ud83d",
    [],
    [[]],
    {},
    {"start": 1},
    [0, 1],
]


def swapped(value: Any, rng: random.Random) -> Any:
    """The value with one odd thing somewhere inside."""
    if rng.random() < 0.2 or not isinstance(value, dict | list) or not value:
        return rng.choice(ODD)
    result: Any = value.copy()
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    if isinstance(value, dict) and rng.random() < 0.1:
        del result[key]
    else:
        result[key] = swapped(value[key], rng)
    return result


def _swap_json(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines() or [b""]
    number = rng.randrange(len(lines))
    try:
        lines[number] = json.dumps(swapped(json.loads(lines[number]), rng)).encode()
    except (ValueError, RecursionError):
        return data[: rng.randrange(len(data) + 1)]
    return b"\n".join(lines)


def _flip(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.randrange(1, 12) :]


def _truncate(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _insert(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    bit = rng.choice(
        [b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b'"', b"9" * 5000, b"[" * 3000, b"\t", b"\n", b"<", b"&x;"]
    )
    return data[:place] + bit + data[place:]


CHANGES: list[Callable[[bytes, random.Random], bytes]] = [_flip, _cut, _truncate, _insert, _swap_json]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The data after one to three changes."""
    for _ in range(rng.randint(1, 3)):
        data = rng.choice(CHANGES)(data, rng)
    return data


def attempt(folder: Path, case: str, data: bytes) -> str:
    """Read the data in both ways; the message of the error, empty if there was none."""
    path = folder / VALID[case][0]
    path.write_bytes(data)
    (folder / "a.txt").write_text(TEXT, encoding="utf-8", newline="")
    message = ""
    for name in (None, case.partition(" ")[0]):
        try:
            for document in read_documents(path, format=name, settings=ReadSettings(max_line=10**5)):
                assert document.text is None or all(a.end <= len(document.text) for a in document.annotations)
        except ReidRiskError as error:
            message = str(error)
            assert "Hint:" in message
            assert not any(secret in message for secret in ("Müller", "Ángel", "719435", "O'Neil"))
    return message


def test_every_format_is_among_the_examples() -> None:
    assert {case.partition(" ")[0] for case in VALID} == {reader.name for reader in READERS}


@pytest.mark.parametrize("case", [case for case in VALID if case != "spacy"])
def test_the_examples_themselves_are_valid(case: str, tmp_path: Path) -> None:
    assert attempt(tmp_path, case, VALID[case][1].encode()) == ""


@pytest.mark.parametrize("case", VALID)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200))
def test_random_bytes_raise_nothing_but_our_errors(case: str, tmp_path: Path, data: bytes) -> None:
    attempt(tmp_path, case, data)


@pytest.mark.parametrize("case", VALID)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_damaged_files_raise_nothing_but_our_errors(case: str, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    attempt(tmp_path, case, mutated(VALID[case][1].encode(), rng))


def test_a_damaged_text_beside_an_ann_file_raises_nothing_but_our_errors(tmp_path: Path) -> None:
    rng = random.Random(7)  # noqa: S311
    (tmp_path / "b.ann").write_text(ANN, encoding="utf-8")
    for _ in range(200):
        (tmp_path / "b.txt").write_bytes(mutated(TEXT.encode(), rng))
        with contextlib.suppress(ReidRiskError):
            list(read_documents(tmp_path / "b.ann"))
