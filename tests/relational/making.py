"""Small databases for tests."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from reidrisk.relational.config import RelationalConfig, config_of

KEY = b"0123456789abcdef0123456789abcdef"


def written(folder: Path, files: dict[str, str]) -> Path:
    """A folder with text files."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


SETTINGS: dict[str, Any] = {
    "person": "people.pid",
    "keys": {"visits.pid": "people.pid", "codes.visit": "visits.visit", "codes.pid": "people.pid"},
    "quasi": ["people.sex"],
    "events": {"codes": ["code", "day"]},
    "columns": {
        "people.sex": "keep",
        "people.born": "year",
        "people.site": {"pseudonym": "site"},
        "visits.visit": "key",
        "visits.day": "date",
        "visits.site": {"pseudonym": "site"},
        "codes.row": "key",
        "codes.day": "date",
        "codes.code": {"rare": 3},
        "codes.words": "drop",
    },
}


def settings(**changes: Any) -> RelationalConfig:
    """The settings of the clinic, with changes."""
    content = {**SETTINGS, **changes}
    return config_of(content, folder=Path(), place="rel.yaml")


def clinic(folder: Path, *, people: int = 12, seed: int = 1) -> Path:
    """People with visits and codes; ids are texts, dates may lack the day or have a time."""
    rng = random.Random(seed)  # noqa: S311 - test data
    rows: dict[str, list[str]] = {
        "people": ["pid,sex,born,site"],
        "visits": ["visit,pid,day,site"],
        "codes": ["row,pid,visit,day,code,words"],
    }
    visit = row = 0
    for person in range(people):
        pid = f"P-{person:03d}-X"
        rows["people"].append(f"{pid},{'FM'[person % 2]},19{50 + person}-03-0{1 + person % 9},S{person % 3}")
        for _ in range(rng.randint(1, 4)):
            visit += 1
            day = date(2019, 1, 1) + timedelta(rng.randint(0, 700))
            rows["visits"].append(f"{visit},{pid},{day},S{person % 3}")
            for _ in range(rng.randint(0, 3)):
                row += 1
                shown = rng.choice([f"{day}", f"{day:%Y-%m}", f"{day:%Y}", f"{day}T10:30"])
                rows["codes"].append(f"{row},{pid},{visit},{shown},C{rng.randint(0, 4)},said by {pid}")
    return written(folder, {f"{name}.csv": "\n".join(lines) + "\n" for name, lines in rows.items()})
