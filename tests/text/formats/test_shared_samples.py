"""Published corpora and samples of formats, where the folder with them is beside the repository."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from reidrisk.text.corpus import Document
from reidrisk.text.read import read_documents

DATA = Path(__file__).parents[4] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not beside the repository")


def places(documents: Iterable[Document]) -> dict[str, list[tuple[int, int, str]]]:
    return {d.id: sorted((a.start, a.end, a.type) for a in d.annotations) for d in documents}


def test_meddocan_is_the_same_in_brat_and_in_xml() -> None:
    brat = places(read_documents(DATA / "corpora" / "meddocan_brat_sample"))
    xml = places(read_documents(DATA / "corpora" / "meddocan_xml_sample"))
    assert len(brat) == 60
    assert brat == xml


def test_meddocan_is_the_same_in_jsonl() -> None:
    lines = places(read_documents(DATA / "corpora" / "meddocan_train.jsonl"))
    brat = places(read_documents(DATA / "corpora" / "meddocan_brat_sample"))
    assert {name: lines[name] for name in brat if name in lines} == {
        name: marks for name, marks in brat.items() if name in lines
    }


@pytest.mark.parametrize(
    ("path", "documents", "annotations"),
    [
        ("corpora/tab144.jsonl", 144, 6613),
        ("corpora/dab.jsonl", 54, 1503),
        ("corpora/grascco_phi.jsonl", 63, 1439),
        ("corpora/asq_phi_800.jsonl", 800, 2245),
        ("predictions/tab144/presidio_md.jsonl", 144, 6889),
        ("formats/brat", 2, 25),
        ("formats/i2b2_2014_xml", 2, 27),
        ("formats/tab_json/one_doc.json", 1, 48),
        ("formats/tab_json/masks.json", 1, 2),
        ("formats/presidio_json/analyzer_result.json", 1, 5),
        ("formats/presidio_json/presidio_research_sample.json", 2, 9),
    ],
)
def test_samples_are_recognised_and_fit_their_texts(path: str, documents: int, annotations: int) -> None:
    found = list(read_documents(DATA / path))
    assert len(found) == documents
    assert sum(len(document.annotations) for document in found) == annotations


def test_brat_attributes_and_equivalences_of_our_sample() -> None:
    (document,) = read_documents(DATA / "formats" / "brat" / "own_discontinuous.ann")
    assert [a.role for a in document.annotations] == ["direct", None, None, None]
    assert document.annotations[3].fragments == ((80, 99), (101, 105))
    assert document.annotations[2].entity == document.annotations[3].entity is not None
