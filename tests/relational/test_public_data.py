"""Published figures of public data: shares of people whom two known events leave in small groups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reidrisk.relational.config import config_of
from reidrisk.relational.risk import RelationalRisk, relational_risk

SHARED = Path(__file__).parents[3] / "shared" / "data"
PILOT, GIBLEED = SHARED / "cdisc_pilot" / "sdtm", SHARED / "omop_sample" / "gibleed"


def measured(folder: Path, **settings: Any) -> RelationalRisk:
    if not folder.is_dir():
        pytest.skip("the public data are not here")
    config = config_of({"dates": {"know": "nothing"}, **settings}, folder=folder, place="rel.yaml")
    return relational_risk(folder, config)


def shares(found: RelationalRisk) -> tuple[list[float], float, int]:
    """The tables alone, all together, and the number of sets."""
    result = found.to_dict()
    alone = [round(one["alone"]["share_above_threshold"], 2) for one in result["tables"]]
    worst = result["by_known"][2]
    return alone, round(worst["share_above_threshold"], 2), worst["subsets"]


def pilot(quasi: list[str]) -> RelationalRisk:
    treated = [{"table": name, "key": f"{name}.usubjid"} for name in ("ae", "mh", "cm")]
    return measured(
        PILOT,
        person="dm.usubjid",
        keys={one["key"]: "dm.usubjid" for one in treated},
        quasi=quasi,
        events={"ae": ["aedecod"], "mh": ["mhdecod"], "cm": ["cmdecod"]},
    )


def test_the_pilot_study() -> None:
    assert shares(pilot(["dm.sex"])) == ([0.62, 0.75, 0.22], 0.81, 18_534)


def test_the_average_does_not_fall_with_more_tables() -> None:
    row = pilot(["dm.sex", "dm.age", "dm.race"]).to_dict()["by_known"][2]
    assert round(row["average"], 3) >= 0.743


def test_the_hospital_database() -> None:
    tables = ("condition_occurrence", "drug_exposure", "procedure_occurrence")
    found = measured(
        GIBLEED,
        person="person.person_id",
        keys={f"{name}.person_id": "person.person_id" for name in tables},
        quasi=["person.gender_concept_id"],
        events={
            "condition_occurrence": ["condition_concept_id"],
            "drug_exposure": ["drug_concept_id"],
            "procedure_occurrence": ["procedure_concept_id"],
        },
    )
    alone, union, sets = shares(found)
    assert (alone, union) == ([0.32, 0.25, 0.13], 0.51)
    assert round(sets / 1e6, 2) == 1.27
