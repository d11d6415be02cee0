"""Places where a released text matches its original in several ways are listed, in words and numbers only."""

from __future__ import annotations

import json
from pathlib import Path

from reidrisk.report.blocks.text_counts import MOST_PLACES, ambiguous_places
from reidrisk.text.evaluate import evaluate_text

ORIGINAL = "Seen Ann then Ann then Ann today."
RELEASED = "Seen [NAME] then [NAME] today."


def save(folder: Path, documents: int, released: str) -> tuple[Path, Path]:
    gold, tool = folder / "gold.jsonl", folder / "tool"
    tool.mkdir()
    marked = [{"start": start, "end": start + 3, "type": "NAME"} for start in (5, 14, 23)]
    lines = []
    for place in range(documents):
        lines.append(json.dumps({"doc_id": f"d{place:03}", "text": ORIGINAL, "entities": marked}))
        (tool / f"d{place:03}.txt").write_text(released)
    gold.write_text("\n".join(lines) + "\n")
    return gold, tool


def test_the_places_are_listed_on_the_terminal_and_on_the_page(tmp_path: Path) -> None:
    result = evaluate_text(*save(tmp_path, MOST_PLACES + 5, RELEASED))
    table = ambiguous_places(result.to_dict())
    assert table is not None
    assert len(table.rows) == MOST_PLACES
    assert table.rows[0] == ("d000", "8", "23", "2")
    assert table.note.startswith("5 more")
    assert "AMBIGUOUS PLACES" in str(result)
    page = result._repr_html_()
    assert "Ambiguous places" in page
    assert "Ann" not in str(result) + page


def test_without_ambiguity_there_is_no_table(tmp_path: Path) -> None:
    result = evaluate_text(*save(tmp_path, 2, ORIGINAL.replace("Ann", "[NAME]")))
    assert ambiguous_places(result.to_dict()) is None
    assert "AMBIGUOUS" not in str(result)
