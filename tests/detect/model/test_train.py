from __future__ import annotations

import json
import re
import zipfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.detect.model.file import load_model, model_bytes, save_model
from reidrisk.detect.model.model import blocks
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.train import parts, train
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnreadableFile
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evaluate import gather_evidence
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting
from tests.detect.model.trained import QUICK, notes, small_model


def test_identifiers_of_unseen_notes_are_found() -> None:
    model, unseen = small_model(), notes()[16:]
    marked = [
        replace(
            one, annotations=tuple(Annotation(f.start, f.end, f.type) for f in model.find(one.text or ""))
        )
        for one in unseen
    ]
    evidence = gather_evidence(unseen, marked, settings=TextSettings(), counting=Counting())
    assert evidence.word_recall() > 0.9
    assert evidence.precision > 0.8


def test_findings_are_in_order_and_do_not_overlap_and_the_knob_finds_more() -> None:
    text = notes()[17].text or ""
    found = small_model().find(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert {one.type for one in found} <= set(small_model().labels)
    assert all(one.confidence >= 0.2 for one in found)
    masked = [sum(f.end - f.start for f in small_model().find(text, threshold=t)) for t in (0.9, 0.2, 0.01)]
    assert masked == sorted(masked)
    assert masked[0] < masked[2]


@settings(max_examples=25)
@given(st.text(max_size=60))
def test_any_text_has_findings_within_it(text: str) -> None:
    for one in small_model().find(text, threshold=0.0001):
        assert 0 <= one.start < one.end <= len(text)
        assert not text[one.start].isspace()


def test_windows_line_ends_move_nothing_but_offsets() -> None:
    text = notes()[18].text or ""
    plain = [text[f.start : f.end] for f in small_model().find(text)]
    windows = text.replace("\n", "\r\n")
    assert [windows[f.start : f.end] for f in small_model().find(windows)] == plain


def test_a_long_text_is_worked_on_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n\n".join(one.text or "" for one in notes()[16:20])
    monkeypatch.setattr("reidrisk.detect.model.model.LONGEST", 3000)
    pieces = list(blocks(text))
    assert len(pieces) > 2
    assert "".join(text[start:end] for start, end in pieces) == text
    expected = [
        (one.type, one.start + start) for start, end in pieces for one in small_model().find(text[start:end])
    ]
    found = small_model().find(text)
    assert [(one.type, one.start) for one in found] == expected
    assert list(blocks("x" * 7000)) == [(0, 3000), (3000, 6000), (6000, 7000)]


def test_a_file_gives_the_same_model_and_the_same_documents_the_same_bytes(tmp_path: Path) -> None:
    save_model(small_model(), tmp_path / "notes.model")
    again = load_model(tmp_path / "notes.model")
    text = notes()[19].text or ""
    assert again.find(text) == small_model().find(text)
    assert again.about == small_model().about
    few = notes()[:4]
    assert model_bytes(train(few, folds=2, settings=QUICK)) == model_bytes(
        train(few, folds=2, settings=QUICK)
    )


def test_no_word_of_a_single_document_and_no_long_number_is_stored(tmp_path: Path) -> None:
    seen = [set(re.findall(r"[^\W\d_]+", (one.text or "").casefold())) for one in notes()[:12]]
    save_model(small_model(), tmp_path / "m")
    with zipfile.ZipFile(tmp_path / "m") as archive:
        words = json.loads(archive.read("words.json"))
        about = archive.read("about.json").decode()
    letters = [word for word in words["word"] if word.isalpha()]
    assert letters
    assert all(sum(word in own for own in seen) >= 2 for word in letters)
    assert not [word for word in words["word"] if word.isdecimal() and len(word) > 2 and set(word) != {"0"}]
    assert not any(one.id in about for one in notes()[:12])


def test_parts_are_disjoint_and_complete() -> None:
    drawn = parts(11, 3, seed=1)
    assert sorted(place for part in drawn for place in part.tolist()) == list(range(11))
    assert max(map(len, drawn)) - min(map(len, drawn)) <= 1


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(NothingToMeasure, match="too few to train with"):
        train([Document("a", (), "no names")])
    with pytest.raises(InvalidSetting, match="at least 2 folds"):
        train(notes(), folds=1)
    with pytest.raises(BadData, match="has no text"):
        train([Document("a", (Annotation(0, 2, "NAME"),))])


@pytest.mark.parametrize(
    "wrong", [{"min_documents": 0}, {"iterations": 0}, {"sparsity": -1.0}, {"smoothing": float("nan")}]
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidSetting):
        replace(TrainSettings(), **wrong)


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not exist"):
        load_model(tmp_path / "absent")
    for name, content in (("empty", b""), ("text", b"no model"), ("cut", model_bytes(small_model())[:5000])):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(UnreadableFile, match="cannot be read"):
            load_model(tmp_path / name)


def test_a_model_of_another_version_or_with_odd_parts_is_refused(tmp_path: Path) -> None:
    def changed(name: str, old: bytes, new: bytes) -> Path:
        save_model(small_model(), tmp_path / "m")
        with zipfile.ZipFile(tmp_path / "m") as archive, zipfile.ZipFile(tmp_path / "new", "w") as out:
            for entry in archive.namelist():
                content = archive.read(entry)
                out.writestr(entry, content.replace(old, new) if entry == name else content)
        return tmp_path / "new"

    with pytest.raises(UnreadableFile, match="another version"):
        load_model(changed("about.json", b'"reidrisk_model":2', b'"reidrisk_model":1'))
    with pytest.raises(UnreadableFile, match="cannot be read"):
        load_model(changed("about.json", b'["O",', b'["O","B-X",'))
