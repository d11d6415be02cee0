"""`reidrisk relational` from a folder to a release that verifies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.relational.making import clinic

SETTINGS = """
person: people.pid
keys: {visits.pid: people.pid, codes.visit: visits.visit, codes.pid: people.pid}
quasi: [people.sex]
columns:
  people.sex: keep
  people.born: year
  "*.site": {pseudonym: site}
  visits.visit: key
  codes.row: key
  "*.day": date
  codes.code: {rare: 3}
  codes.words: drop
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Run) -> Path:
    clinic(tmp_path / "db")
    (tmp_path / "rel.yaml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    command("key", "new", "my.key", "--for", "pseudonyms")
    return tmp_path


def test_from_a_folder_to_a_verified_release(place: Path, command: Run) -> None:
    code, out, _ = command(
        "relational", "deidentify", "db", "--config", "rel.yaml", "--key", "my.key", "--out", "out",
        "--json", "r.json", "--html", "r.html",
    )  # fmt: skip
    assert code == 0
    assert "WRITTEN AND PROVED" in out
    result = json.loads((place / "r.json").read_text())
    assert (result["kind"], result["people"], result["acceptable"]) == ("relational_release", 12, True)
    losses = {(one["table"], one["variable"]): one["loss"] for one in result["variables"]}
    assert losses["codes", "words"] == 1
    assert losses["visits", "day"] == 0
    code, out, _ = command(
        "relational", "verify", "out", "--against", "db", "--key", "my.key", "--html", "v.html"
    )
    assert (code, "PROVED" in out) == (0, True)
    code, out, _ = command(
        "relational", "attack", "out", "--against", "db", "--config", "rel.yaml", "--key", "my.key",
        "--known", "1", "--targets", "40", "--seed", "3", "--json", "a.json",
    )  # fmt: skip
    assert (code, "LINKAGE: PREDICTED AND MEASURED" in out) == (0, True)
    assert json.loads((place / "a.json").read_text())["kind"] == "relational_attack"
    (place / "out" / "visits.csv").write_text((place / "db" / "visits.csv").read_text())
    code, out, _ = command("relational", "verify", "out", "--against", "db", "--key", "my.key")
    assert (code, "NOT PROVED" in out) == (3, True)


def test_a_draft_can_be_used(place: Path, command: Run) -> None:
    code, out, _ = command("relational", "suggest", "db", "--out", "draft.yaml")
    assert code == 0
    assert "visits.visit" in out
    assert 'person: "people.pid"' in (place / "draft.yaml").read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--config", "rel.yaml", "--profile", "omop"), "not both"),
        ((), "follow no standard"),
        (("--profile", "cdisc"), "has no table of people"),
    ],
)
def test_what_is_refused(place: Path, command: Run, words: tuple[str, ...], says: str) -> None:
    code, _, error = command("relational", "deidentify", "db", *words, "--key", "my.key", "--out", "out")
    assert code != 0
    assert says in error
    assert not (place / "out").exists()
