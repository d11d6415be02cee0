"""The measured recognition lies where it must."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reidrisk as rr
from reidrisk.context.recognition import Recognition
from reidrisk.demo import clinical_notes, simulate_tool
from reidrisk.errors import InvalidSetting
from reidrisk.resynthesis.attack.instances import AttackedTexts, Instance
from reidrisk.resynthesis.attack.scores import flag, folds_of
from reidrisk.resynthesis.attack.settings import attack_settings
from reidrisk.resynthesis.draw import Draw
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.replace import placeholder_for, replace_findings, surrogate_text, values_of
from reidrisk.resynthesis.surrogates import Surrogates
from reidrisk.stats.uncertain import Beta
from reidrisk.text.corpus import Corpus, Document
from tests.resynthesis.builders import KEY


@cache
def notes() -> Corpus:
    return clinical_notes(documents=120)


@cache
def released(mode: Any) -> tuple[Document, ...]:
    """The demo notes as a tool of recall 0.95 would leave them; the set shares one list of real values."""
    tool = {one.id: one for one in simulate_tool(notes(), recall=0.95)}
    found = {
        one.id: [
            rr.Finding(mark.start, mark.end, mark.type, 1.0, "tool") for mark in tool[one.id].annotations
        ]
        for one in notes()
    }
    from reidrisk.resynthesis.real import RealValuesInMemory

    keyed = KeyedDraw(KEY)
    every = [value.text for one in notes() for value in values_of(one.text or "", found[one.id])]
    real = RealValuesInMemory(keyed, every)
    texts = []
    for one in notes():
        text = one.text or ""
        if mode == "surrogate":
            values = values_of(text, found[one.id])
            made = Surrogates(values, one.id, draw=Draw(keyed, real), settings=rr.ResynthesisSettings())
            new = surrogate_text(text, found[one.id], made)
        else:
            new = replace_findings(text, found[one.id], placeholder_for(mode))
        texts.append(Document(one.id, (), new.text))
    return tuple(texts)


@cache
def attacked(mode: str) -> dict[str, Any]:
    return rr.attack_text(released(mode), notes()).to_dict()


@pytest.mark.parametrize("mode", ["redact", "label", "mask"])
def test_marks_give_every_leak_away(mode: str) -> None:
    result = attacked(mode)
    assert result["method"] == "redaction"
    assert result["recognition"] == {"value": 1.0, "low": 1.0, "high": 1.0, "level": 0.95}
    assert result["recognition_option"] is None
    assert result["leaks"] > 80
    assert sum(row["flagged"] for row in result["by_type"]) == result["leaks"]


def test_surrogates_hide_most_leaks() -> None:
    result = attacked("surrogate")
    assert result["method"] == "resynthesis"
    assert 1 - result["leaks"] / result["instances"] >= 0.95
    assert result["recognition"]["high"] < 0.3
    assert {row["attack"] for row in result["attacks"]} >= {
        "frequency",
        "consistency",
        "parrot",
        "all together",
    }
    assert result["best"] in {row["attack"] for row in result["attacks"]}
    assert result["recognition"]["low"] <= result["recognition"]["value"] <= result["recognition"]["high"]


def test_who_accepts_more_wrong_flags_recognises_more() -> None:
    shares = [row["recognition"] for row in attacked("surrogate")["trade"]]
    assert shares[0] <= shares[-1]
    assert shares[-1] > 0.2


def test_the_risk_falls_with_the_recognition() -> None:
    rows = {row["recognition"]: row["quasi"]["value"] for row in attacked("surrogate")["risks"]}
    ordered = [rows[value] for value in sorted(rows)]
    assert ordered == sorted(ordered)
    assert ordered[0] < ordered[-1] / 10
    assert [row["name"] for row in attacked("redact")["risks"]] == ["every leak recognized"]


def test_originals_that_look_different_are_recognised() -> None:
    """Surrogates from one list and originals from another: an attack that misses this is blind."""
    texts, gold = [], []
    for number in range(60):
        leak = number % 6 == 0
        name = "Qxwzrk" if leak else "Springfield"
        original = (
            f"Note {number}. The patient from Qxwzrk came in with a cough and felt better after some rest."
        )
        at = original.index("Qxwzrk")
        gold.append(Document(f"d{number}", (rr.Annotation(at, at + 6, "CITY"),), original))
        texts.append(Document(f"d{number}", (), original.replace("Qxwzrk", name)))
    result = rr.attack_text(texts, gold).to_dict()
    assert result["leaks"] == 10
    assert result["recognition"]["value"] == 1.0


def test_the_answer_is_the_same_for_the_same_seed() -> None:
    again = rr.attack_text(released("surrogate"), notes()).to_dict()
    assert again == attacked("surrogate")


def test_nothing_leaked_is_nothing_to_recognise() -> None:
    gold = [Document("a", (rr.Annotation(0, 7, "NAME"),), "Ann Lee came in with a cough.")]
    result = rr.attack_text([Document("a", (), "Bob Ray came in with a cough.")], gold).to_dict()
    assert result["recognition"] is None
    assert "nothing leaked" in result["undefined"]
    with pytest.raises(InvalidSetting, match="No document with annotations"):
        rr.attack_text([Document("b", (), "Bob Ray came.")], gold)


def test_limits_are_learnt_on_other_documents_only() -> None:
    """Scores that tell the answer are used; scores that are noise flag nothing for certain."""
    rng = np.random.default_rng(1)
    leaked = np.arange(400) % 10 == 0
    instances = tuple(Instance(at // 4, "NAME", "direct", 0, 1, bool(leaked[at]), "x") for at in range(400))
    found = AttackedTexts(("x",) * 100, instances)
    folds = folds_of(100, folds=5, rng=rng)
    perfect = flag("perfect", found, leaked.astype(float), folds, precision=0.5)
    assert (perfect.right, perfect.wrong) == (40, 0)
    noise = flag("noise", found, rng.random(400), folds, precision=0.5)
    assert noise.right <= 8


def test_a_result_file_is_a_recognition(tmp_path: Path) -> None:
    path = tmp_path / "attack.json"
    path.write_text(json.dumps(attacked("surrogate")), encoding="utf-8")
    flagged = sum(row["flagged"] for row in attacked("surrogate")["by_type"])
    assert Recognition.parse([str(path)]).default == Beta(
        flagged + 0.5, attacked("surrogate")["leaks"] - flagged + 0.5
    )
    path.write_text(json.dumps(attacked("redact")), encoding="utf-8")
    with pytest.raises(InvalidSetting, match="has no recognition"):
        Recognition.parse([str(path)])
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidSetting, match="not the result of an attack"):
        Recognition.parse([str(path)])


def test_settings_that_make_no_sense_are_refused() -> None:
    assert attack_settings(0.5, {"folds": "4", "level": "0.9"}).folds == 4
    for precision, options in ((0.0, {}), (0.5, {"folds": "1"}), (0.5, {"fold": "5"}), (0.5, {"level": "x"})):
        with pytest.raises(InvalidSetting):
            attack_settings(precision, options)


def test_no_text_and_no_id_in_the_result() -> None:
    told = json.dumps(attacked("surrogate"))
    assert "social-work" not in told
    assert not any(name in told for name in ("Whitaker", "Okafor", "Kowalczyk"))
