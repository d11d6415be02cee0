"""The published case study from end to end, and the detector on generated notes."""

from __future__ import annotations

from typing import Any

from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.text.evaluate import evaluate_text
from reidrisk.validate.check import Bench, Observed

SCAIANO = "Scaiano et al. 2016, J Biomed Inform 63:174 (doi:10.1016/j.jbi.2016.07.015)"
TABLE_5 = {
    "ID": (105, 438),
    "PHONE": (34, 78),
    "STREET": (10, 14),
    "NAME": (118, 1332),
    "DATE": (111, 703),
    "ORGANIZATION": (50, 110),
    "AGE": (2, 3),
    "ZIP": (9, 13),
    "COUNTRY": (2, 3),
    "STATE": (32, 47),
    "CITY": (43, 78),
}
"""Documents and instances of each type."""
TABLE_6 = {"direct": 0.9758, "quasi": 0.8757}
"""Recall over all instances, printed with four digits."""
LEAST_MASKED = {False: 0.95, True: 0.95}
SEED = 11


def case_study(_: Bench) -> Observed:
    """Evaluate the tool of the demo on its notes, which have the frequencies of the publication."""
    notes = clinical_notes(seed=7)
    risk = evaluate_text(notes, case_study_tool(notes, seed=7)).to_dict()
    types = {row["type"]: row for row in risk["by_type"]}
    groups = {row["group"]: row for row in risk["by_group"]}
    rows = [
        _row(
            f"{name}: documents, instances",
            f"{SCAIANO}, table 5",
            [documents, instances],
            _counts(types, name),
        )
        for name, (documents, instances) in TABLE_5.items()
    ]
    rows += [
        _row(
            f"recall of {name} identifiers",
            f"{SCAIANO}, table 6",
            recall,
            round(groups[name]["micro_recall"], 4),
        )
        for name, recall in TABLE_6.items()
    ]
    by_document = groups["direct"]["leaking_documents"] / risk["documents"]
    rows.append(
        _row("share of leaking documents", "Computed: counted", by_document, risk["direct"]["plug_in"])
    )
    wrong = [row["id"] for row in rows if not row["holds"]]
    text = f"All {len(rows)} figures are those of the publication."
    return Observed(not wrong, f"Differs: {', '.join(wrong)}." if wrong else text, tuple(rows))


def _counts(types: dict[str, Any], name: str) -> list[int]:
    row = types.get(name, {})
    return [row.get("documents", 0), row.get("instances", 0)]


def _row(name: str, source: str, expected: Any, seen: Any) -> dict[str, Any]:
    return {"id": name, "source": source, "expected": expected, "seen": seen, "holds": expected == seen}


def detector(bench: Bench) -> Observed:
    """Find identifiers in notes that were generated with a gold standard, and count masked characters."""
    from reidrisk.detect.detector import build_detector
    from reidrisk.detect.finding import find_in_each

    notes = list(clinical_notes(seed=SEED, documents=120 if bench.full else 24))
    found = find_in_each(build_detector(), [note.text or "" for note in notes])
    held = masked = 0
    for note, findings in zip(notes, found, strict=True):
        covered = {place for one in findings for place in range(one.start, one.end)}
        for mark in note.annotations:
            letters = [place for place in range(mark.start, mark.end) if (note.text or "")[place].isalnum()]
            held += len(letters)
            masked += sum(place in covered for place in letters)
    share = masked / held
    text = (
        f"{100 * share:.1f} % of {held:,} letters and digits of identifiers in {len(notes)} notes are masked."
    )
    return Observed(share >= LEAST_MASKED[bench.full], text)
