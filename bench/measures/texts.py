"""Texts: evaluation and detection, against reading the text and two peers."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

import reidrisk as rr
from measures.declare import (
    LARGE_ENOUGH,
    Found,
    Goal,
    Measure,
    Row,
    Setup,
    Timing,
    command,
    in_turns,
    least,
    timed,
)
from measures.made import write_documents
from reidrisk.demo import clinical_notes

TYPES = ("NAME", "DATE", "CITY", "ID")
ROLES: dict[str, Literal["direct", "quasi", "ignored"]] = {
    "NAME": "direct",
    "DATE": "quasi",
    "CITY": "quasi",
    "ID": "direct",
}
PARSE = """
import json, sys
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)
"""


def evaluation(setup: Setup) -> Found:
    documents = setup.pick(20_000, 100_000)
    gold, tool = map(str, write_documents(setup.folder, documents))
    ours, floor = in_turns(
        lambda: command("text", "evaluate", gold, tool, "--quiet"),
        lambda: command(gold, tool, program=(sys.executable, "-c", PARSE)),
        runs=2,
    )
    why = (
        "Every span is checked, matched and counted in Python, in many small steps of which none stands out; "
        "the limit only parses the two files."
    )
    data = f"generated JSON Lines, {documents:,} documents, {5 * documents:,} gold spans"
    against = "reading the text: Python parses both files"
    yield Row("Evaluate a text tool, whole command", data, Goal("limit", 5, why), ours, floor, against)


def long_document(spans: int) -> tuple[rr.Document, rr.Document]:
    """Gold marks every third word; the tool finds nine in ten and a few more."""
    rng = np.random.default_rng(7)
    gold, tool = [], []
    for number in range(spans):
        start = 15 * number
        mark = rr.Annotation(start, start + 4, TYPES[number % len(TYPES)])
        gold.append(mark)
        if rng.random() < 0.9:
            tool.append(mark)
        if rng.random() < 0.1:
            tool.append(rr.Annotation(start + 5, start + 9, "NAME"))
    return rr.Document("d", tuple(gold), "word " * (3 * spans)), rr.Document("d", tuple(tool))


def nervaluate(setup: Setup) -> Found:
    spans = setup.pick(3_000, 5_000)
    gold, tool = long_document(spans)
    counting = rr.Counting(types=rr.TypeMap(ROLES))

    def work() -> object:
        return rr.evaluate_text([gold], [tool], counting=counting)

    work()
    ours = least([timed(work) for _ in range(5)])
    given: dict[str, Any] = {"types": TYPES}
    for name, document in (("gold", gold), ("tool", tool)):
        given[name] = [
            [{"label": one.type, "start": one.start, "end": one.end} for one in document.annotations]
        ]
    path = setup.folder / "spans.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    other = Timing(**setup.peer("nervaluate", str(path))["time"])
    why = "reidrisk also computes the risk with its intervals, which takes as long for few spans as for many."
    data = f"one generated document with {spans:,} spans, in memory"
    said = (LARGE_ENOUGH,)
    yield Row("Evaluate one long document", data, Goal("peer", 10, why), ours, other, "nervaluate", said)


def notes_of(documents: int) -> list[str]:
    return [document.text or "" for document in clinical_notes(documents=documents, seed=3).documents]


def words_of(texts: Sequence[str]) -> int:
    """The least that anybody does who reads a text: split it into words."""
    return sum(len(re.findall(r"\w+", text)) for text in texts)


def detection(setup: Setup) -> Found:
    texts = notes_of(setup.pick(60, 300))
    size = sum(map(len, texts))
    data = f"{len(texts)} generated notes, {size:,} characters, one process"
    rules, whole = rr.build_detector(rr.DetectSettings(model=None)), rr.build_detector()
    for detector in (rules, whole):
        detector.find(texts[0])
    mine = least([timed(lambda: [rules.find(text) for text in texts]) for _ in range(3)])
    model, floor = in_turns(
        lambda: timed(lambda: [whole.find(text) for text in texts]), lambda: timed(lambda: words_of(texts))
    )
    why = "Finding identifiers is far more than reading: a model weighs dozens of features of every word."
    speed = (f"Speed: {size / model.cpu:,.0f} characters per second of one processor",)
    against = "reading the text: a regular expression that finds words"
    question = "Find identifiers with rules and model"
    yield Row(question, data, Goal("limit", 200, why), model, floor, against, speed)
    path = setup.folder / "texts.json"
    path.write_text(json.dumps(texts), encoding="utf-8")
    other = Timing(**setup.peer("presidio-analyzer", str(path))["time"])
    why = "reidrisk has far more rules than the patterns of Presidio: dictionaries, contexts and repeats."
    against = (
        "Presidio with its patterns alone; the models for its full pipeline are not on the package index"
    )
    question = "Find identifiers with rules alone"
    yield Row(question, data, Goal("peer", 2, why), mine, other, against)


def replacement(setup: Setup) -> Found:
    texts = notes_of(setup.pick(100, 1_000))
    folder = setup.folder / "notes"
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    out = setup.folder / "released"
    given: tuple[str, ...] = ("text", "deidentify", str(folder), "--out", str(out), "--jobs", "1", "--quiet")
    given += ("--key", str(setup.folder / "key.txt"))
    took = command(*given)
    size = sum(map(len, texts))
    floor = timed(lambda: words_of([path.read_text(encoding="utf-8") for path in folder.iterdir()]))
    data = f"{len(texts):,} generated notes, {size:,} characters, one process"
    why = "Finding identifiers is far more than reading, and replacements must be consistent in all notes."
    notes = (f"Speed: {size / took.cpu:,.0f} characters per second of one processor, start-up included",)
    against = "reading the text: files opened and split into words"
    question = "De-identify notes, whole command"
    yield Row(question, data, Goal("limit", 400, why), took, floor, against, notes)


MEASURES = (
    Measure("text_evaluate", evaluation, 60, 300),
    Measure("nervaluate", nervaluate, 60, 300),
    Measure("detection", detection, 60, 300),
    Measure("text_deidentify", replacement, 60, 300),
)
