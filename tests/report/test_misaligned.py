"""Annotations that do not fit their text are listed for one tool and for several, without their text."""

from __future__ import annotations

import reidrisk as rr
from reidrisk.report.blocks.text_counts import MOST_PLACES, misaligned_annotations
from reidrisk.text.corpus import Annotation, Document

TEXT = "Anna came to Graz."
GOLD = [
    Document(f"d{at:03}", (Annotation(0, 4, "NAME", "direct"), Annotation(13, 90, "CITY", "quasi")), TEXT)
    for at in range(MOST_PLACES + 5)
]
SETTINGS = rr.text_settings(options={"misaligned": "skip"})


def evaluated(*marks: Annotation) -> rr.TextRisk:
    tool = [Document(one.id, marks) for one in GOLD]
    return rr.evaluate_text(GOLD, tool, settings=SETTINGS)


def test_the_first_ones_are_shown_and_the_others_counted() -> None:
    result = evaluated(Annotation(0, 4, "NAME"))
    table = misaligned_annotations(result.to_dict())
    assert table is not None
    assert table.rows[0] == ("gold", "d000", "CITY", "13", "90", "skipped")
    assert (len(table.rows), table.note.split()[0]) == (MOST_PLACES, "5")
    assert "Annotations that do not fit their text" in result._repr_html_()
    assert misaligned_annotations({"misaligned": {}}) is None


def test_a_comparison_lists_the_gold_standard_once_and_every_tool() -> None:
    results = [
        evaluated(Annotation(0, 4, "NAME")),
        evaluated(Annotation(0, 4, "NAME"), Annotation(20, 30, "X")),
    ]
    whole = rr.compare_risks(results, names=["one", "two"])
    shown = str(whole)
    assert shown.count("ANNOTATIONS THAT DO NOT FIT") == 1
    assert f"{5 + len(GOLD)} more" in shown
    assert "Anna" not in shown
