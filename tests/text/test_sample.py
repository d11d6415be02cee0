from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.demo import clinical_notes
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnmatchedDocuments, UnreadableFile
from reidrisk.text.formats.jsonl import write_jsonl
from reidrisk.text.sample import allocate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Sixty letters, thirty notes and one odd piece, with Windows line ends and an emoji."""
    for kind, number in (("letters", 60), ("notes/ward", 30), ("odd", 1)):
        (tmp_path / "texts" / kind).mkdir(parents=True)
        for place in range(number):
            content = f"{kind} {place}\r\nJane \U0001f9d1 Doe".encode()
            (tmp_path / "texts" / kind / f"{place:02}.txt").write_bytes(content)
    return tmp_path / "texts"


def ids(path: Path) -> list[str]:
    return [one["id"] for one in json.loads((path / "sample.json").read_text(encoding="utf-8"))["drawn"]]


def test_files_are_drawn_from_every_folder_and_copied_byte_by_byte(folder: Path, tmp_path: Path) -> None:
    result = rr.sample_documents(folder, documents=20, strata="folder", out=tmp_path / "out", seed=3)
    assert [(one.name, one.documents, one.sampled) for one in result.strata] == [
        ("letters", 60, 13),
        ("notes/ward", 30, 6),
        ("odd", 1, 1),
    ]
    written = sorted(path for path in (tmp_path / "out").rglob("*.txt"))
    assert len(written) == 20
    for path in written:
        assert path.read_bytes() == (folder / path.relative_to(tmp_path / "out")).read_bytes()
    listed = json.loads((tmp_path / "out" / "sample.json").read_text(encoding="utf-8"))
    assert listed["kind"] == "text_sample"
    assert sum(one["weight"] for one in listed["drawn"]) == pytest.approx(91)
    assert "drawn" not in result.to_dict(), "ids stand in the sample's own file only"
    assert result.drawn[0].id not in repr(result)


def test_the_seed_decides_and_a_larger_sample_holds_the_smaller(folder: Path, tmp_path: Path) -> None:
    for name, number, seed in (("a", 20, 3), ("b", 20, 3), ("c", 40, 3), ("d", 20, 4)):
        rr.sample_documents(folder, documents=number, strata="folder", out=tmp_path / name, seed=seed)
    drawn = {name: set(ids(tmp_path / name)) for name in "abcd"}
    assert drawn["a"] == drawn["b"]
    assert drawn["a"] < drawn["c"]
    assert drawn["a"] != drawn["d"]


def test_annotations_of_brat_go_with_their_text(tmp_path: Path) -> None:
    (tmp_path / "brat").mkdir()
    for name in "ab":
        (tmp_path / "brat" / f"{name}.txt").write_text("Ann", encoding="utf-8")
        (tmp_path / "brat" / f"{name}.ann").write_text("T1\tNAME 0 3\tAnn\n", encoding="utf-8")
    rr.sample_documents(tmp_path / "brat", documents=1, out=tmp_path / "out")
    assert len(list((tmp_path / "out").iterdir())) == 3


def test_json_lines_keep_all_that_they_hold(tmp_path: Path) -> None:
    lines = [{"id": n, "text": f"text {n}", "ward": "AB"[n % 2], "more": {"x": [n]}} for n in range(10)]
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = rr.sample_documents(path, documents=4, strata="column:ward", out=tmp_path / "out")
    assert [one.sampled for one in result.strata] == [2, 2]
    written = (tmp_path / "out" / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line) in lines for line in written)
    assert len(written) == 4


def test_rows_of_a_table_are_drawn_too(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["note_id", "note_text", "year"])
        writer.writerows([[n, f"line one\nline, two {n}", 2019 + n % 3] for n in range(9)])
    result = rr.sample_documents(path, documents=3, strata="column:year", out=tmp_path / "out")
    assert [one.name for one in result.strata] == ["2019", "2020", "2021"]
    with (tmp_path / "out" / "documents.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3
    assert rows[0]["note_text"].startswith("line one\nline, two")


def test_an_annotated_corpus_keeps_its_marks(tmp_path: Path) -> None:
    notes = clinical_notes(documents=8)
    write_jsonl(notes, tmp_path / "notes.jsonl")
    rr.sample_documents(tmp_path / "notes.jsonl", documents=4, strata="^([a-z-]+)-", out=tmp_path / "out")
    read = list(rr.read_documents(tmp_path / "out" / "documents.jsonl"))
    originals = {note.id: note for note in notes}
    assert len(read) == 4
    assert all(one.annotations == originals[one.id].annotations for one in read)


def test_as_many_are_drawn_as_are_needed(folder: Path) -> None:
    wanted = rr.Wanted(recall=1.0, upper=0.08)
    result = rr.sample_documents(folder, wanted=wanted)
    assert result.needed is not None
    assert result.sampled == result.needed.assured == 45
    assert result.acceptable
    assert result.chance == 1
    fewer = rr.sample_documents(folder, documents=30, wanted=wanted)
    assert not fewer.acceptable
    assert fewer.chance == 0
    all_of_them = rr.sample_documents(folder, wanted=rr.Wanted(recall=0.99, upper=0.03))
    assert (all_of_them.sampled, all_of_them.acceptable) == (91, False)


@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(1, 500), min_size=1, max_size=8),
    st.floats(0, 1),
)
def test_allocation_is_whole_proportional_and_leaves_nobody_out(sizes: dict[str, int], share: float) -> None:
    whole = sum(sizes.values())
    documents = max(len(sizes), round(share * whole))
    given_ = allocate(sizes, documents)
    assert sum(given_.values()) == documents
    for name, size in sizes.items():
        assert 1 <= given_[name] <= size
    if min(documents * size / whole for size in sizes.values()) >= 1:
        assert all(abs(given_[name] - documents * size / whole) < 1 for name, size in sizes.items())


def test_what_cannot_be_drawn_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="2 documents cannot be drawn from 91 in 3 strata"):
        rr.sample_documents(folder, documents=2, strata="folder")
    with pytest.raises(InvalidSetting, match="100 documents cannot be drawn"):
        rr.sample_documents(folder, documents=100)
    with pytest.raises(InvalidSetting, match="number of documents to draw is missing"):
        rr.sample_documents(folder)
    with pytest.raises(InvalidSetting, match="no number of documents"):
        rr.sample_documents(folder, wanted=rr.Wanted(recall=0.5))
    with pytest.raises(BadData, match="has no field ward"):
        rr.sample_documents(folder, documents=5, strata="column:ward")
    with pytest.raises(UnreadableFile, match="already exists"):
        rr.sample_documents(folder, documents=5, out=folder)
    with pytest.raises(UnreadableFile, match="does not exist"):
        rr.sample_documents(tmp_path / "nothing", documents=5)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.jsonl", '{"doc_id": "a"}\n', "no text"),
        ("a.jsonl", '{"text": "Jane Doe"}\n', 'no usable "doc_id"'),
        ("a.jsonl", '{"doc_id": "a", "text": "x"}\n{"doc_id": "a", "text": "y"}\n', "twice"),
        ("a.csv", "id,note_id\n1,2\n", "none of the columns text"),
        ("a.csv", "id,text\n1,Jane,Doe\n", "row 2, has 3 cells"),
        ("a.csv", 'id,text\n1,"Jane\n', "not a CSV file"),
        ("a.csv", "id,text\n", "no document"),
    ],
)
def test_damaged_corpora_are_refused_by_place_without_data(
    tmp_path: Path, name: str, content: str, problem: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises((BadData, NothingToMeasure, UnmatchedDocuments), match=problem) as refused:
        rr.sample_documents(path, documents=1)
    assert "Jane" not in str(refused.value)


def test_nothing_is_left_behind_when_copying_fails(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("reidrisk.text.sources.shutil.copyfile", fail)
    with pytest.raises(UnreadableFile, match="No space left"):
        rr.sample_documents(folder, documents=5, out=tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["texts"]
