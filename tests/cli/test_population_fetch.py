from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reidrisk.population.read import read_population
from tests.cli.running import Run
from tests.population.builders import cells
from tests.population.census_server import Bureau, bureau


@pytest.fixture
def server() -> Iterator[Bureau]:
    with bureau(cells()) as running:
        yield running


@pytest.mark.parametrize("name", ["oh.parquet", "oh.csv"])
def test_fetched_and_written(
    command: Run, server: Bureau, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "s3cr3t")
    out, cache = tmp_path / name, tmp_path / "cache"
    asked = ("--year", 2020, "--state", "OH", "--out", out, "--base-url", server.url, "--cache", cache)
    code, said, errors = command("population", "fetch", *asked, "--key-variable", "MY_KEY")
    assert (code, errors) == (0, "")
    assert f"{server.made[:, :, 0].sum():,} people (1 x state, 2 x county)" in said
    assert "s3cr3t" not in said
    assert all(path.endswith("key=s3cr3t") for path in server.asked)
    people = read_population(out)
    assert people.people == server.made[:, :, 0].sum()
    assert people.ages is not None
    assert set(people.ages.years[people.ages.first == 110]) == {1}
    assert len(list(cache.iterdir())) == 7


def test_a_failure_leaves_no_file(command: Run, server: Bureau, tmp_path: Path) -> None:
    server.statuses = [404]
    out = tmp_path / "oh.parquet"
    code, _, errors = command(
        "population",
        "fetch",
        "--year",
        2020,
        "--state",
        "OH",
        "--out",
        out,
        "--base-url",
        server.url,
        "--cache",
        tmp_path,
    )
    assert code == 1
    assert "status 404" in errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--year", 2015, "--state", "OH", "--out", "x.csv"), "year of a census"),
        (("--year", 2020, "--state", "Ohoi", "--out", "x.csv"), "is not a state"),
        (("--year", 2020, "--state", "OH", "--out", "x.docx"), "suffix"),
        (("--year", 2020, "--state", "OH"), "--out"),
    ],
)
def test_wrong_usage_asks_nobody(
    command: Run,
    tmp_path: Path,
    arguments: tuple[object, ...],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("socket.create_connection", lambda *_: pytest.fail("the network was used"))
    code, _, errors = command("population", "fetch", *arguments)
    assert code == 2
    assert said in errors


def test_margins_are_fitted_and_the_label_stays(command: Run, tmp_path: Path) -> None:
    (tmp_path / "race.csv").write_text("county,race,n\na,x,70\na,y,40\nb,x,20\nb,y,20\n", encoding="utf-8")
    (tmp_path / "age.csv").write_text(
        "county,age_lo,age_hi,n\na,0,84,100\na,85,,10\nb,0,84,35\nb,85,,5\n", encoding="utf-8"
    )
    margins, out = tmp_path / "margins.yaml", tmp_path / "pop.parquet"
    margins.write_text("margins: [race.csv, age.csv]\nopen_band_years: 15\n", encoding="utf-8")
    code, said, errors = command("population", "fit", margins, "--out", out)
    assert (code, errors) == (0, "")
    assert "150 people (2 x county)" in said
    assert "Modeled: iterative proportional fitting of 2 margins" in said
    people = read_population(out)
    assert people.people == 150
    assert people.modelled == "iterative proportional fitting of 2 margins"
    assert command("population", "fit", margins, "--out", margins)[0] == 2
    assert command("population", "fit", margins, "--out", out, "--quiet")[1] == ""
