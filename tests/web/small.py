"""Small files to make a release of, with values that nobody may see."""

from __future__ import annotations

import json
from pathlib import Path

SECRET = "Quixana Zebulon"  # noqa: S105 - a name


def write_table(path: Path, rows: int = 60) -> Path:
    """Visits of invented people."""
    lines = ["patient_name,sex,age,postal_code,diagnosis_code,ward"]
    lines += [
        f"{SECRET} {at},{'FM'[at % 2]},{30 + at % 4},K1A{at % 3},E11.{at % 3},{'ABC'[at % 3]}"
        for at in range(rows)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_texts(folder: Path) -> list[Path]:
    """Annotations by people and by a tool."""
    text = f"Mr. {SECRET} was seen on 03/14/2019 in Ohio."
    name = {"start": 4, "end": 4 + len(SECRET), "label": "NAME"}
    day = {"start": text.index("03"), "end": text.index(" in"), "label": "DATE"}
    found = []
    for file, spans in (("gold.jsonl", [name, day]), ("tool.jsonl", [day])):
        lines = [json.dumps({"id": f"d{at}", "text": text, "spans": spans}) for at in range(12)]
        (folder / file).write_text("\n".join(lines) + "\n")
        found.append(folder / file)
    return found


def write_release(folder: Path, rows: int = 60) -> Path:
    """A release of the table, as `reidrisk init` drafts it."""
    from reidrisk.assess.drafting import draft_parts

    (folder / "uploads").mkdir(parents=True)
    write_table(folder / "uploads" / "visits.csv", rows)
    (folder / "release.yaml").write_text(draft_parts(folder).text)
    return folder
