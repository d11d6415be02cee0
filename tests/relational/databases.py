"""Small databases written as files, for tests of risk and release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.relational.config import RelationalConfig, config_of
from reidrisk.relational.people import People

SETTINGS: dict[str, Any] = {
    "person": "person.person_id",
    "keys": {"diagnosis.person_id": "person.person_id", "drug.person_id": "person.person_id"},
    "quasi": ["person.sex", "person.ward"],
    "events": {"diagnosis": ["code", "day"], "drug": ["drug"]},
    "dates": {"know": "nothing"},
}
DIAGNOSES, DRUGS = "xxxyyy", "mnnmnn"


def config(**changes: Any) -> RelationalConfig:
    """Settings for the tables of `write_people`."""
    return config_of({**SETTINGS, **changes}, folder=Path(), place="rel.yaml")


def write_tables(folder: Path, **tables: list[str]) -> Path:
    """Write one CSV file per table: a line for the columns, then one per row."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def write_people(folder: Path, diagnoses: str = DIAGNOSES, drugs: str = DRUGS, wards: str = "") -> Path:
    """Write people with one diagnosis and one drug each."""
    number = len(diagnoses)
    places = wards or "a" * number
    return write_tables(
        folder,
        person=["person_id,sex,ward", *(f"{n},F,{places[n]}" for n in range(number))],
        diagnosis=[
            "person_id,code,day",
            *(f"{n},{code},2020-01-{n + 10:02}" for n, code in enumerate(diagnoses)),
        ],
        drug=["person_id,drug", *(f"{n},{code}" for n, code in enumerate(drugs))],
    )


def six_people() -> People:
    """The people of `write_people`, as numbers."""
    codes = np.array([DIAGNOSES.index(one) // 3 for one in DIAGNOSES] + [2 + (one == "n") for one in DRUGS])
    nobody = np.zeros(6, dtype=np.int64)
    return People(
        static=nobody,
        columns={"person.sex": nobody},
        tables=("diagnosis", "drug"),
        person=np.tile(np.arange(6), 2),
        table=np.repeat([0, 1], 6),
        event=codes,
        day=None,
        labels={"person.sex": ("F",)},
        events=((0, ("x",)), (0, ("y",)), (1, ("m",)), (1, ("n",))),
        event_columns=(("code",), ("drug",)),
    )


def write_crowd(folder: Path, people: int = 200, events: int = 6, codes: int = 12) -> Path:
    """Write people with several diagnoses on different days, and drugs."""
    rng = np.random.default_rng(11)
    rows = [
        (int(n), int(codes * rng.random() ** 2), int(rng.integers(1, 28)))
        for n in range(people)
        for _ in range(events)
    ]
    drugs = [(int(n), int(codes * rng.random() ** 2)) for n in range(people) for _ in range(events)]
    return write_tables(
        folder,
        person=["person_id,sex,ward", *(f"{n},{'FM'[n % 2]},{n % 3}" for n in range(people))],
        diagnosis=["person_id,code,day", *(f"{n},d{code},2020-01-{day:02}" for n, code, day in rows)],
        drug=["person_id,drug", *(f"{n},r{code}" for n, code in drugs)],
    )
