from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting, UnknownType, UnreadableFile
from reidrisk.report.page import page
from reidrisk.report.plain_text import WIDTH, width_of
from reidrisk.report.views import draw
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import Run
from tests.detect.model.trained import QUICK, notes, small_model


@cache
def trained() -> tuple[dict[str, Any], bytes]:
    with TemporaryDirectory() as folder:
        out = Path(folder) / "notes.model"
        result = rr.train_text([notes()[:4], notes()[4:12]], out, folds=2, settings=QUICK)
        return result.to_dict(), out.read_bytes()


def test_figures_are_of_unseen_documents_by_the_measures_of_an_evaluation() -> None:
    result, _ = trained()
    assert result["kind"] == "text_training"
    assert result["documents"] == 12
    assert 0.85 < result["masking"]["recall"] < 1
    assert 0.85 < result["masking"]["precision"] <= 1
    direct = result["all_direct"]
    assert 0 <= direct["low"] < direct["value"] < direct["high"] <= 1
    marked = sum(len(one.annotations) for one in notes()[:12])
    assert sum(one["instances"] for one in result["by_type"]) == marked == result["model"]["annotations"]


def test_the_knob_trades_precision_for_recall_and_names_the_usual_setting() -> None:
    knob = trained()[0]["knob"]
    recalls = [one["recall"] for one in knob]
    assert recalls == sorted(recalls, reverse=True)
    assert knob[0]["precision"] < knob[-1]["precision"]
    usual = [one for one in knob if one["threshold"] == trained()[0]["settings"]["threshold"]]
    assert usual[0]["recall"] == trained()[0]["masking"]["recall"]


def test_confidences_are_held_against_the_truth() -> None:
    bins = trained()[0]["calibration"]
    assert all(one["low"] <= one["confidence"] <= one["high"] for one in bins)
    assert bins[0]["share"] < 0.05
    assert bins[-1]["share"] > 0.95


def test_the_model_written_is_that_of_all_documents(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(trained()[1])
    model = rr.load_model(tmp_path / "m")
    text = notes()[3].text or ""
    expected = small_model()
    assert model.find(text) == expected.find(text)
    assert model.about == expected.about


def test_the_views_show_it_and_no_text() -> None:
    result, _ = trained()
    terminal = str(draw(result, "terminal"))
    assert all(width_of(line) <= WIDTH for line in terminal.splitlines())
    assert "MODEL TRAINED" in terminal
    assert "CHOOSING A THRESHOLD" in terminal
    written = page([result])
    assert written == page([json.loads(json.dumps(result))])
    assert written.count("<svg") >= 3
    assert draw(result, "figure").get_size_inches()[0] > 5
    assert "Overview" in page([result, result])
    names = {(one.text or "")[mark.start : mark.end] for one in notes() for mark in one.annotations}
    assert not [name for name in names if len(name) > 8 and (name in written or name in terminal)]


def test_what_cannot_work_is_said_before_any_work(tmp_path: Path) -> None:
    odd = [Document(str(n), (Annotation(0, 3, "GNOME"),), "Ann came") for n in range(10)]
    with pytest.raises(UnknownType, match="GNOME"):
        rr.train_text([odd], tmp_path / "m", settings=QUICK)
    with pytest.raises(UnreadableFile, match="cannot be written"):
        rr.train_text([notes()], tmp_path / "absent" / "m", settings=QUICK)
    with pytest.raises(InvalidSetting, match="iterations takes a whole number, 1 or more, not 'many'"):
        rr.TrainSettings.choose({"iterations": "many"})
    with pytest.raises(InvalidSetting, match="smoothing"):
        rr.TrainSettings.choose({"smothing": "1"})
    assert not list(tmp_path.iterdir())


def test_the_command_writes_a_model_and_its_figures(command: Run, tmp_path: Path) -> None:
    write_jsonl(rr.Corpus(notes()[:8]), tmp_path / "notes.jsonl")
    options = ("--out", str(tmp_path / "own.model"), "--folds", "2", "--set", "iterations=5", "--json", "-")
    code, out, _ = command("text", "train", str(tmp_path / "notes.jsonl"), *options)
    assert code == 0
    result = json.loads(out)
    assert (result["kind"], result["documents"]) == ("text_training", 8)
    assert result["settings"]["iterations"] == 5
    assert any("A few hundred are better" in warning for warning in result["warnings"])
    assert rr.load_model(tmp_path / "own.model").labels
    code, _, error = command(
        "text", "train", str(tmp_path / "notes.jsonl"), "--out", str(tmp_path / "notes.jsonl")
    )
    assert code == 2
    assert "must not be written" in error
