"""A lattice profile says what a new search would find, and survives being written and damaged."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.tables.deidentify import profile as module
from tests.cli.running import Run

KEYS = (
    "levels",
    "level_numbers",
    "layout",
    "loss",
    "suppressed_records",
    "suppressed_share",
    "minimal",
    "optimum",
    "chosen",
)
"""What the candidates of a de-identification have."""


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = random.Random(3)  # noqa: S311 - no secret
    rows = [
        f"{rng.choice('FM')},{int(rng.gauss(45, 18)) % 95},K{rng.randrange(1, 9)}{rng.choice('ABC')},"
        f"2019-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
        for _ in range(900)
    ]
    path = tmp_path_factory.mktemp("people") / "people.csv"
    path.write_text("\n".join(["sex,age,area,seen", *rows]) + "\n", encoding="utf-8")
    return path


QUASI = ("sex", "age", "area", "seen")


def rules() -> dict[str, rr.Hierarchy]:
    return {
        "sex": rr.Hierarchy.exact("sex", suppress=True),
        "age": rr.Hierarchy.ages("age", ["years", "5 years", "10 years", "20 years"], unit="years"),
        "area": rr.Hierarchy.prefixes("area", [3, 2, 1]),
        "seen": rr.Hierarchy.dates("seen", ["day", "month", "quarter", "year"]),
    }


def made(people: Path, size: int, limit: float, **given: Any) -> rr.Deidentified:
    return rr.deidentify(
        people,
        rr.Schema(quasi=QUASI),
        rules(),
        threshold=rr.Threshold.from_cell_size(size, "test"),
        max_suppression=limit,
        options=rr.DeidentifyOptions(**given),
    )


def candidates(found: rr.TableExploration) -> list[dict[str, Any]]:
    return [{key: one[key] for key in KEYS} for one in found.to_dict()["candidates"]]


@pytest.mark.parametrize("loss", LOSSES)
def test_any_threshold_and_limit_gives_what_a_new_search_finds(people: Path, loss: Loss) -> None:
    profile = made(people, 5, 0.1, loss=loss, suppress="records").lattice_profile()
    for size, limit in ((2, 0.0), (3, 0.02), (5, 0.1), (7, 0.3), (20, 0.15), (50, 0.5)):
        searched = made(people, size, limit, loss=loss, suppress="records").to_dict()
        found = profile.explore(cell_size=size, max_suppression=limit)
        assert candidates(found) == searched["candidates"]
        best = found.to_dict()["selected"]
        for key in ("levels", "suppressed_records", "suppressed_share"):
            assert best[key] == searched["solution"][key]
        assert best["loss"] == searched["solution"]["utility"]["search_loss"]
        assert best["kept_records"] == found.to_dict()["records"] - best["suppressed_records"]


def test_an_average_limit_is_kept(people: Path) -> None:
    profile = made(people, 2, 0.2, average=0.1).lattice_profile()
    searched = made(people, 3, 0.3, average=0.1).to_dict()
    assert candidates(profile.explore(cell_size=3, max_suppression=0.3)) == searched["candidates"]


def test_without_a_solution_it_says_how_near_one_is(people: Path) -> None:
    profile = made(people, 5, 0.1).lattice_profile()
    tight = rules()["age"].limited("5 years")
    none = rr.deidentify(
        people, rr.Schema(quasi=QUASI), {**rules(), "age": tight, "seen": rules()["seen"].limited("month")}
    ).lattice_profile()
    result = none.explore(cell_size=50, max_suppression=0.0).to_dict()
    assert result["candidates"] == []
    share = result["nearest"]["suppressed_share"]
    again = none.explore(cell_size=50, max_suppression=share)
    assert again.to_dict()["nearest"] is None
    smaller = result["nearest"]["cell_size"]
    if smaller is not None:
        assert none.explore(cell_size=smaller, max_suppression=0.0).to_dict()["nearest"] is None
    assert "To get a solution" in result["reasons"][1]
    assert profile.explore(cell_size=2, max_suppression=0.9).to_dict()["nearest"] is None


def test_layouts_are_taken_in_order_of_preference(people: Path) -> None:
    layouts = (rr.Layout("all", QUASI), rr.Layout("without the date", QUASI[:3]))
    given = {"layouts": layouts, "max_level": {"seen": "day"}}
    profile = made(people, 5, 0.05, **given).lattice_profile()
    assert [one.name for one in profile.layouts] == ["all", "without the date"]
    for size, limit in ((5, 0.05), (2, 0.6), (2, 1.0)):
        searched = made(people, size, limit, **given).to_dict()
        result = profile.explore(cell_size=size, max_suppression=limit).to_dict()
        assert result["layout"] == searched["layout"]
        assert result["candidates"][0]["levels"] == searched["candidates"][0]["levels"]
    with pytest.raises(InvalidSetting, match="layout"):
        profile.explore(layout="none of them")


def test_one_combination_can_be_described(people: Path) -> None:
    profile = made(people, 5, 0.1).lattice_profile()
    levels = {"sex": 0, "age": 2, "area": 1, "seen": 3}
    one = profile.explore(levels=levels).to_dict()["selected"]
    assert one["level_numbers"] == levels
    assert [row["records_above"] for row in one["risk_curve"]] == sorted(
        row["records_above"] for row in one["risk_curve"]
    )
    exact = one["exact_risk_curve"]
    assert all(
        row["share_above"] <= fine["share_above"] for row, fine in zip(one["risk_curve"], exact, strict=True)
    )
    assert one["columns"][1]["levels"][2] == one["columns"][1]["level"] == one["levels"]["age"]
    for wrong in ({"sex": 0}, {**levels, "age": 9}):
        with pytest.raises(InvalidSetting):
            profile.explore(levels=wrong)


def test_it_is_written_small_and_read_again(people: Path, tmp_path: Path) -> None:
    profile = made(people, 5, 0.1).lattice_profile()
    profile.write(tmp_path / "p.json")
    assert (tmp_path / "p.json").stat().st_size < 200_000
    again = rr.read_lattice_profile(tmp_path / "p.json")
    assert again.explore().to_dict() == profile.explore().to_dict()
    inside = tmp_path / "measured.json"
    inside.write_text(json.dumps({"measured": {"profile": profile.to_dict()}}), encoding="utf-8")
    assert rr.read_lattice_profile(inside).explore().to_dict() == profile.explore().to_dict()


def test_a_large_lattice_keeps_the_candidates_of_the_search(
    people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = made(people, 5, 0.1).lattice_profile().explore().to_dict()
    monkeypatch.setattr(module, "MOST_NODES", 10)
    profile = made(people, 5, 0.1).lattice_profile()
    result = profile.explore().to_dict()
    assert not result["lattice"]["complete"]
    assert result["lattice"]["nodes"] == whole["lattice"]["nodes"]
    assert result["selected"]["levels"] == whole["selected"]["levels"]
    assert [one["levels"] for one in result["candidates"]] == [one["levels"] for one in whole["candidates"]]
    assert not any(one["optimum"] for one in result["candidates"])
    assert "were counted" in result["notes"][0]


def test_there_is_none_without_a_lattice(people: Path) -> None:
    done = rr.deidentify(
        people, rr.Schema(quasi=QUASI), rules(), options=rr.DeidentifyOptions(method="local")
    )
    with pytest.raises(InvalidSetting, match="Only the method global"):
        done.lattice_profile()


@pytest.mark.parametrize("seed", range(40))
def test_damaged_files_are_refused_in_words(people: Path, tmp_path: Path, seed: int) -> None:
    path = tmp_path / "p.json"
    made(people, 5, 0.1).lattice_profile().write(path)
    rng = random.Random(seed)  # noqa: S311 - no secret
    content = json.loads(path.read_text(encoding="utf-8"))
    inner = content["layouts"][0]
    place = rng.choice([content, inner, inner["counts"]])
    place[rng.choice(list(place))] = rng.choice([None, -1, 1e308, "x", [], {}, [[1]], "0" * 50, True])
    path.write_text(json.dumps(content), encoding="utf-8")
    with suppress(ReidRiskError):  # nothing else may be raised
        rr.read_lattice_profile(path).explore().to_dict()
    path.write_bytes(path.read_bytes()[: rng.randrange(200)])
    with pytest.raises(BadData):
        rr.read_lattice_profile(path)


def test_the_command_line_writes_and_explores_it(people: Path, tmp_path: Path, command: Run) -> None:
    settings = (
        "sex: {kind: exact, suppress: true}\nage: {kind: age, unit: years, levels: [years, 10 years]}\n"
    )
    (tmp_path / "rules.yaml").write_text(settings + "seen: [day, month, year]\n", encoding="utf-8")
    given = ["--quasi", "sex,age,seen", "--other", "area=x", "--hierarchies", tmp_path / "rules.yaml"]
    files = ["--out", tmp_path / "out.csv", "--profile", tmp_path / "p.json", "--json", tmp_path / "r.json"]
    code, _, _ = command("table", "deidentify", people, *given, "--max-suppression", "0.1", *files, "--quiet")
    assert code == 0
    code, out, _ = command("table", "explore", tmp_path / "p.json", "--json", tmp_path / "e.json")
    assert code == 0
    assert "SOLUTIONS AT 1/5" in out
    searched = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    found = json.loads((tmp_path / "e.json").read_text(encoding="utf-8"))
    assert [{key: one[key] for key in KEYS} for one in found["candidates"]] == searched["candidates"]
    code, out, _ = command("table", "explore", tmp_path / "p.json", "--cell-size", 50, "--max-suppression", 0)
    assert code == 0
    levels = [f"--level={column}=1" for column in ("sex", "age", "seen")]
    code, out, _ = command("table", "explore", tmp_path / "p.json", *levels)
    assert "10 years" in out
    code, _, err = command("table", "explore", tmp_path / "p.json", "--level", "age=x")
    assert (code, "number of a level" in err) == (1, True) or code == 2
    code, _, err = command("table", "explore", people)
    assert code == 1
    assert "not a JSON file" in err
