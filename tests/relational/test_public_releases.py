"""Public data from files to a release by a profile alone, looked at by SQL that shares nothing with ours."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from reidrisk.relational.run import deidentify_relational
from tests.relational.independent import look, look_at_resources
from tests.relational.making import KEY, clinic
from tests.relational.making import settings as clinic_settings

SAMPLES = {
    "adam": ("cdisc_pilot/adam", 254),
    "omop": ("omop_sample/synthea27_v54", 28),
    "redcap": ("redcap_sample/longitudinal", 3),
}


@pytest.mark.parametrize("profile", SAMPLES)
def test_nothing_of_the_originals_is_left(tmp_path: Path, shared: Path, profile: str) -> None:
    place, people = SAMPLES[profile]
    deidentify_relational(shared / place, tmp_path / "out", key=KEY, profile=profile)
    found = look(shared / place, tmp_path / "out")
    assert found.faults == 0, found
    assert found.people >= people
    assert found.matched > people / 4, "people are told apart by their dates"


def test_resources_too(tmp_path: Path, shared: Path) -> None:
    source = shared / "fhir_sample" / "bulk100"
    deidentify_relational(source, tmp_path / "out", key=KEY, profile="fhir", orphans="detach")
    found = look_at_resources(source, tmp_path / "out")
    assert found.faults == 0, found
    assert found.matched > 20


def test_the_look_sees_faults(tmp_path: Path) -> None:
    """It must not be blind: each fault that is put into a release shows."""
    source, out = clinic(tmp_path / "db"), tmp_path / "out"
    deidentify_relational(source, out, key=KEY, config=clinic_settings())
    assert look(source, out).faults == 0
    treatment = json.loads((out / "treatment.json").read_text(encoding="utf-8"))
    visits = (out / treatment["tables"]["visits"]).read_text(encoding="utf-8").splitlines()
    lines = [line.split(",") for line in visits]
    for column, value, figure in (
        (1, "P-003-X", "ids_left"),
        (1, "NOBODY", "lost_keys"),
        (2, "2001-01-01", "other_intervals"),
        (3, "said by P-003-X", "texts_left"),
    ):
        bad = tmp_path / f"bad_{figure}"
        shutil.copytree(out, bad)
        changed = [*lines[:-1], [*lines[-1][:column], value, *lines[-1][column + 1 :]]]
        (bad / "visits.csv").write_text("\n".join(map(",".join, changed)) + "\n", encoding="utf-8")
        assert getattr(look(source, bad), figure) > 0, figure
    shutil.rmtree(out)
    shutil.copytree(source, out)
    (out / "treatment.json").write_text(json.dumps(treatment), encoding="utf-8")
    assert look(source, out).unmoved > 0
