"""People who are singular only across parts are found; `bench/bench_planted_people.py` tries 20 seeds."""

from __future__ import annotations

from pathlib import Path

import reidrisk as rr
from tests.assess.planted import PlantedRelease, people_above


def test_planted_people_are_found_and_nobody_else(tmp_path: Path) -> None:
    release = PlantedRelease.generated(1).plant(1)
    content = release.write(tmp_path)
    done = rr.assess(content).to_dict()
    judged = {part["name"]: part["judged"] for part in done["parts"]}
    assert not done["acceptable"]
    assert [name for name, one in judged.items() if not one["acceptable"]] == ["together"]
    assert judged["together"]["risk"] == 1.0
    assert set(done["parts"][-1]["result"]["breaking"]) == {"database", "notes", "report"}
    assert people_above(content) == {release.key(at) for at in release.planted}


def test_the_same_release_without_them_is_acceptable(tmp_path: Path) -> None:
    content = PlantedRelease.generated(2).write(tmp_path)
    assert rr.assess(content).acceptable
    assert people_above(content) == set()
