"""Published corpora and samples of formats, where the folder with them is beside the repository."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from reidrisk.text.convert import WRITERS, convert
from reidrisk.text.corpus import Document
from reidrisk.text.formats.writer import AnnotationWriter, DocumentFitter, signature
from reidrisk.text.read import read_documents


def places(documents: Iterable[Document]) -> dict[str, list[tuple[int, int, str]]]:
    return {d.id: sorted((a.start, a.end, a.type) for a in d.annotations) for d in documents}


def test_meddocan_is_the_same_in_brat_and_in_xml(shared: Path) -> None:
    brat = places(read_documents(shared / "corpora" / "meddocan_brat_sample"))
    xml = places(read_documents(shared / "corpora" / "meddocan_xml_sample"))
    assert len(brat) == 60
    assert brat == xml


def test_meddocan_is_the_same_in_jsonl(shared: Path) -> None:
    lines = places(read_documents(shared / "corpora" / "meddocan_train.jsonl"))
    brat = places(read_documents(shared / "corpora" / "meddocan_brat_sample"))
    common = brat.keys() & lines.keys()
    assert common
    assert {name: lines[name] for name in common} == {name: brat[name] for name in common}


@pytest.mark.parametrize(
    ("path", "documents", "annotations"),
    [
        ("corpora/tab144.jsonl", 144, 6613),
        ("corpora/dab.jsonl", 54, 1503),
        ("corpora/grascco_phi.jsonl", 63, 1439),
        ("corpora/asq_phi_800.jsonl", 800, 2245),
        ("corpora/pl_pdf.jsonl", 14, 187),
        ("corpora/presidio_synth_v2.jsonl", 1500, 2863),
        ("predictions/tab144/presidio_md.jsonl", 144, 6889),
        ("formats/asq_tagvalue", 4, 10),
        ("formats/brat", 2, 25),
        ("formats/conll_bio/echr_fr_head.tsv", 1, 13),
        ("formats/conll_bio/own_conll2003_4col.txt", 1, 1),
        ("formats/conll_bio", 2, 14),
        ("formats/doccano/own_entities_relations.jsonl", 1, 6),
        ("formats/doccano/own_label_list.jsonl", 1, 6),
        ("formats/doccano/own_labels_alias.jsonl", 1, 6),
        ("formats/gate_xml", 1, 6),
        ("formats/i2b2_2006_xml", 1, 6),
        ("formats/i2b2_2014_xml", 2, 27),
        ("formats/inline_tags", 1, 2),
        ("formats/label_studio", 2, 28),
        ("formats/physionet_deid", 1, 5),
        ("formats/physionet_deid/own_id.deid", 1, 5),
        ("formats/physionet_deid/own_id.phi", 1, 5),
        ("formats/physionet_deid/own_id-phi.phrase", 1, 5),
        ("formats/presidio_json/analyzer_result.json", 1, 5),
        ("formats/presidio_json/presidio_research_sample.json", 2, 9),
        ("formats/spacy", 2, 12),
        ("formats/tab_json/one_doc.json", 1, 48),
        ("formats/tab_json/masks.json", 1, 2),
        ("formats/uima_cas/Baastrup.json", 1, 24),
        ("formats/uima_cas/Baastrup.xmi", 1, 24),
        ("formats/uima_cas/own_astral.json", 1, 2),
        ("formats/uima_cas/own_astral.xmi", 1, 2),
        ("formats/uima_cas/TypeSystem.xml", 0, 0),
    ],
)
def test_samples_are_recognised_and_fit_their_texts(
    shared: Path, path: str, documents: int, annotations: int
) -> None:
    found = list(read_documents(shared / path))
    assert len(found) == documents
    assert sum(len(document.annotations) for document in found) == annotations


def test_brat_attributes_and_equivalences_of_our_sample(shared: Path) -> None:
    (document,) = read_documents(shared / "formats" / "brat" / "own_discontinuous.ann")
    assert [a.role for a in document.annotations] == ["direct", None, None, None]
    assert document.annotations[3].fragments == ((80, 99), (101, 105))
    assert document.annotations[2].entity == document.annotations[3].entity is not None


@pytest.mark.parametrize("file", ["Baastrup.json", "Baastrup.xmi"])
def test_a_cas_is_the_same_in_the_corpus_made_from_it(shared: Path, file: str) -> None:
    (cas,) = read_documents(shared / "formats" / "uima_cas" / file)
    corpus = {d.id: d for d in read_documents(shared / "corpora" / "grascco_phi.jsonl")}
    assert cas.text == corpus["Baastrup"].text
    assert places([cas]) == places([corpus["Baastrup"]])


@pytest.mark.parametrize("file", ["own_astral.json", "own_astral.xmi"])
def test_utf16_offsets_of_our_sample_become_code_points(shared: Path, file: str) -> None:
    (cas,) = read_documents(shared / "formats" / "uima_cas" / file)
    assert [(a.start, a.end) for a in cas.annotations] == [(11, 16), (21, 31)]


def test_label_studio_tasks_are_the_same_in_the_corpus_made_from_them(shared: Path) -> None:
    corpus = {d.id: d for d in read_documents(shared / "corpora" / "dab.jsonl")}
    for task in read_documents(shared / "formats" / "label_studio"):
        assert task.text == corpus[task.id].text
        expected = {(a.start, a.end): a for a in corpus[task.id].annotations}
        assert {(a.start, a.end) for a in task.annotations} == expected.keys()
        for annotation in task.annotations:
            other = expected[annotation.start, annotation.end]
            assert other.entity == f"{task.id}_e{annotation.entity}"
            assert annotation.role in (other.role, None)


def test_queries_are_the_same_in_the_corpus_made_from_them(shared: Path) -> None:
    corpus = {d.text: d for d in read_documents(shared / "corpora" / "asq_phi_800.jsonl")}
    queries = list(read_documents(shared / "formats" / "asq_tagvalue"))
    known = [query for query in queries if query.text in corpus]
    assert len(known) >= 3
    for query in known:
        assert places([replace(query, id="q")]) == places([replace(corpus[query.text], id="q")])


def test_our_samples_of_one_note_agree_across_formats(shared: Path) -> None:
    names = ("doccano/own_label_list.jsonl", "spacy/own_prodigy.jsonl", "spacy/own_v2_train.json")
    found = [next(iter(read_documents(shared / "formats" / name))) for name in names]
    assert len({document.text for document in found}) == 1
    assert len({document.annotations for document in found}) == 1


@pytest.mark.parametrize("writer", WRITERS, ids=[writer.name for writer in WRITERS])
def test_published_corpora_come_back_from_every_format(
    tmp_path: Path, shared: Path, writer: AnnotationWriter
) -> None:
    """Documents that a format cannot hold, by overlaps or names, are left out here and refused there."""
    fitter = DocumentFitter(writer.name, writer.capabilities)
    corpora = ("grascco_phi", "pl_pdf", "meddocan_brat_sample")
    paths = [shared / "corpora" / (name if "sample" in name else f"{name}.jsonl") for name in corpora]
    documents = [document for path in paths for document in read_documents(path)]
    kept = []
    for number, document in enumerate(documents, 1):
        named = replace(document, id=f"{number}-1") if writer.name == "physionet" else document
        if writer.capabilities.overlaps or not _overlap(named):
            kept.append(named)
    out = tmp_path / f"out{writer.suffix}"
    assert convert(kept, writer.name, out).documents == len(kept) > 100
    found = {d.id: signature(d) for d in read_documents(out, format=writer.reads_as)}
    assert sorted(found.values()) == sorted(signature(fitter.fit(document)) for document in kept)


def _overlap(document: Document) -> bool:
    edges = sorted((a.start, a.end) for a in document.annotations)
    return any(after[0] < before[1] for before, after in pairwise(edges))


def test_every_file_of_the_samples_is_among_those_read(shared: Path) -> None:
    """A sample that is added later must be read too; redacted output has no annotations."""
    for path in sorted((shared / "formats").rglob("*")):
        if path.is_file() and path.suffix != ".res":
            found = list(read_documents(path))
            assert found or path.stem.endswith("TypeSystem"), path
