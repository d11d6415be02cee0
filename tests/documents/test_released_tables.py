"""Tables of a study and linked tables are judged alike: the written files are measured as linked tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reidrisk.documents.released_tables import release_tables
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.engine.linked import TableColumn
from reidrisk.relational.config import DateRule, RelationalConfig
from reidrisk.relational.risk import relational_risk

YAML = """\
study: W
ipd: {adsl: adsl.csv, ae: ae.csv, mh: mh.csv}
schema: {quasi: [SEX, RACE], events: {ae: [AEDECOD, AESEV], mh: [MHDECOD]}}
deidentified: {key: study.key, recode: [USUBJID]}
threshold: {cell_size: 2}
"""
TERMS = ("Nausea", "Headache", "Rash")


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("known", [1, 2, 3])
def test_the_risk_is_that_of_linked_tables(tmp_path: Path, seed: int, known: int) -> None:
    rng = np.random.default_rng(seed)
    people = [
        f"W-{at:03d},{sex},{race}\n"
        for at, (sex, race) in enumerate(
            zip(rng.choice(["F", "M"], 400), rng.choice(["A", "B"], 400), strict=True)
        )
    ]
    owners = rng.integers(0, 400, (2, 500))
    events = [f"W-{one:03d},{rng.choice(TERMS)},{rng.choice(['mild', 'severe'])}\n" for one in owners[0]]
    history = [f"W-{one:03d},{rng.choice(TERMS)}\n" for one in owners[1]]
    for name, header, rows in (
        ("adsl", "USUBJID,SEX,RACE", people),
        ("ae", "USUBJID,AEDECOD,AESEV", events),
        ("mh", "USUBJID,MHDECOD", history),
    ):
        (tmp_path / f"{name}.csv").write_text(f"{header}\n{''.join(rows)}", encoding="utf-8")
    (tmp_path / "study.yaml").write_text(YAML, encoding="utf-8")
    found = release_tables(
        tmp_path / "study.yaml", tmp_path / "out", settings=DocumentSettings(known=known)
    ).to_dict()
    first = TableColumn("adsl", "USUBJID")
    config = RelationalConfig(
        person=first,
        keys={TableColumn(name, "USUBJID"): first for name in ("ae", "mh")},
        quasi=("adsl.SEX", "adsl.RACE"),
        events={"ae": ("AEDECOD", "AESEV"), "mh": ("MHDECOD",)},
        dates=DateRule(know="nothing"),
    )
    place = tmp_path / "out" if found["acceptable"] else tmp_path
    linked = relational_risk(place, config, known=known, drivers=False).to_dict()
    assert [row["highest"] for row in found["known"]["by_known"]] == [
        row["highest"] for row in linked["by_known"]
    ]
    assert [row["unique"] / 400 for row in found["known"]["by_known"]] == [
        row["unique_share"] for row in linked["by_known"]
    ]
