from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.population.census import POSTAL, STATES, state_fips
from reidrisk.population.fetch import CensusApi, Patience, cache_folder, fetch_population
from tests.population.builders import cells
from tests.population.census_server import Bureau, bureau

SOON = Patience(timeout=5.0, attempts=3, wait=0.001)
KEY = "s3cr3t-k3y"


@pytest.fixture
def server() -> Iterator[Bureau]:
    with bureau(cells()) as running:
        yield running


def api(server: Bureau, cache: Path | None = None, *, key: str | None = None) -> CensusApi:
    return CensusApi(server.url, key=key, cache=cache, patience=SOON)


@pytest.mark.parametrize(("year", "questions"), [(2000, 35), (2010, 35), (2020, 7)])
def test_the_counties_of_a_state(server: Bureau, year: int, questions: int) -> None:
    people = fetch_population(year, "OH", api=api(server))
    assert len(server.asked) == questions
    assert people.people == server.made[:, :, 0].sum()
    assert people.labels["county"] == ("39001", "39003")
    assert people.labels["race"][0] == "white"
    asian_males = (people.codes["race"] == 3) & (people.codes["sex"] == 0) & (people.codes["county"] == 1)
    assert people.counts[asian_males].sum() == server.made[3, 1, 1]
    assert people.modelled is None
    assert f"Census {year}, OH" in people.source


def test_a_question_is_asked_as_documented(server: Bureau) -> None:
    fetch_population(2020, "39", api=api(server))
    assert server.asked[0] == "/2020/dec/dhc?get=group(PCT12A)&for=county:*&in=state:39"


def test_the_key_goes_into_the_request_and_nowhere_else(server: Bureau, tmp_path: Path) -> None:
    own = api(server, tmp_path, key=KEY)
    fetch_population(2020, "OH", api=own)
    assert all(path.endswith(f"&key={KEY}") for path in server.asked)
    assert KEY not in repr(own)
    assert all(KEY not in path.name + path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    server.statuses = [400]
    with pytest.raises(BadData) as error:
        fetch_population(2010, "OH", api=own)
    assert KEY not in str(error.value)
    assert error.value.__suppress_context__


def test_a_key_is_not_sent_in_the_clear() -> None:
    with pytest.raises(InvalidSetting, match="unencrypted"):
        CensusApi("http://example.org/data", key=KEY)
    with pytest.raises(InvalidSetting, match="address"):
        CensusApi("ftp://example.org/data")


def test_answers_are_kept_and_asked_for_once_whatever_the_key(server: Bureau, tmp_path: Path) -> None:
    first = fetch_population(2020, "OH", api=api(server, tmp_path / "deep" / "cache"))
    second = fetch_population(2020, "OH", api=api(server, tmp_path / "deep" / "cache", key=KEY))
    assert len(server.asked) == 7
    assert first.counts.tolist() == second.counts.tolist()


def test_a_spoiled_answer_in_the_cache_is_asked_for_again(server: Bureau, tmp_path: Path) -> None:
    fetch_population(2020, "OH", api=api(server, tmp_path))
    next(tmp_path.iterdir()).write_text("[", encoding="utf-8")
    fetch_population(2020, "OH", api=api(server, tmp_path))
    assert len(server.asked) == 8


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_fault_is_waited_out(server: Bureau, status: int) -> None:
    server.statuses = [status, status]
    assert fetch_population(2020, "OH", api=api(server)).people > 0
    assert len(server.asked) == 9


def test_an_answer_that_is_cut_short_is_asked_for_again(server: Bureau) -> None:
    server.cut = 1
    assert fetch_population(2020, "OH", api=api(server)).people > 0
    assert len(server.asked) == 8


def test_a_lasting_fault_is_told(server: Bureau, tmp_path: Path) -> None:
    server.statuses = [200, 200, 503, 503, 503]
    with pytest.raises(BadData, match="status 503"):
        fetch_population(2020, "OH", api=api(server, tmp_path))
    fetch_population(2020, "OH", api=api(server, tmp_path))
    assert len(server.asked) == 5 + 5


@pytest.mark.parametrize("status", [400, 403, 404])
def test_what_will_not_change_is_asked_once(server: Bureau, status: int) -> None:
    server.statuses = [status]
    with pytest.raises(BadData, match=f"status {status}"):
        fetch_population(2020, "OH", api=api(server))
    assert len(server.asked) == 1


def test_nobody_else_is_asked(server: Bureau) -> None:
    server.statuses = [302]
    with pytest.raises(BadData, match=r"redirects the request \(302\)") as error:
        fetch_population(2020, "OH", api=api(server, key=KEY))
    assert "CENSUS_API_KEY" in error.value.hint
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html><title>Invalid Key</title></html>",
        b"{}",
        b"[]",
        b'[["a"]]',
        b'[["a"], ["1", "2"]]',
        b'[[1], ["2"]]',
        b'["a", "b"]',
        b"",
        b"\xff\xfe",
    ],
)
def test_another_shape_is_refused_and_not_kept(server: Bureau, tmp_path: Path, body: bytes) -> None:
    server.body = body
    with pytest.raises(BadData, match="did not return rows of values"):
        fetch_population(2020, "OH", api=api(server, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_columns_that_are_missing_are_told(server: Bureau) -> None:
    server.body = json.dumps([["NAME", "state", "county"], ["x", "39", "001"]]).encode()
    with pytest.raises(BadData, match="lacks 209 columns, such as PCT12A_001N"):
        fetch_population(2020, "OH", api=api(server))


def changed(server: Bureau, name: str, value: object) -> bytes:
    lines = server.answer("/2020/dec/dhc?get=group(PCT12A)&for=county:*&in=state:39")
    lines[1][lines[0].index(name)] = value  # type: ignore[call-overload]
    return json.dumps(lines).encode()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PCT12A_005N", None, "cells without a count"),
        ("PCT12A_005N", "-1", "cells without a count"),
        ("PCT12A_005N", "999999", "do not add up"),
        ("state", "40", "another state"),
    ],
)
def test_nonsense_in_an_answer_is_refused(server: Bureau, name: str, value: object, said: str) -> None:
    server.body = changed(server, name, value)
    with pytest.raises(BadData, match=said):
        fetch_population(2020, "OH", api=api(server))


@pytest.mark.parametrize(
    ("name", "value"), [("PCT12A_005N", "999999"), ("state", "40"), ("county", "009"), ("PCT12A_005N", None)]
)
def test_an_answer_without_sense_is_not_kept(
    server: Bureau, tmp_path: Path, name: str, value: object
) -> None:
    """Otherwise nobody could fetch this state again before emptying the cache by hand."""
    right = int(server.made[:, :, 0].sum())
    server.bodies = [changed(server, name, value)]
    with pytest.raises(BadData):
        fetch_population(2020, "OH", api=api(server, tmp_path))
    again = fetch_population(2020, "OH", api=api(server, tmp_path))
    assert again.people == right


@pytest.mark.parametrize("body", [b"[" * 100_000, b'[["a"], ["' + b"9" * 5_000 + b'"]]'])
def test_a_hostile_answer_is_refused(server: Bureau, body: bytes) -> None:
    server.body = body
    with pytest.raises(BadData):
        fetch_population(2020, "OH", api=api(server))


@pytest.mark.parametrize("digits", [19, 5_000])
def test_a_count_of_too_many_digits_is_no_count(server: Bureau, digits: int) -> None:
    server.body = changed(server, "PCT12A_005N", "9" * digits)
    with pytest.raises(BadData, match="cells without a count"):
        fetch_population(2020, "OH", api=api(server))


def test_a_cache_that_is_no_folder_is_told(server: Bureau, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    for place in (file, file / "below"):
        with pytest.raises(UnreadableFile, match="cannot be used as a cache"):
            fetch_population(2020, "OH", api=api(server, place))


def test_a_message_names_the_first_of_fifty_columns(server: Bureau) -> None:
    server.statuses = [400]
    with pytest.raises(BadData) as error:
        fetch_population(2010, "OH", api=api(server))
    assert "/2010/dec/sf1 (PCT012A001 and others) returned status 400" in str(error.value)


def test_an_answer_that_drips_is_given_up(server: Bureau) -> None:
    server.drip = 0.02
    hurried = CensusApi(server.url, patience=Patience(timeout=0.1, attempts=2, wait=0.001))
    with pytest.raises(BadData, match="did not respond in time") as error:
        fetch_population(2020, "OH", api=hurried)
    assert "data.census.gov" in error.value.hint
    assert len(server.asked) == 2


def test_offline_says_what_to_do(server: Bureau) -> None:
    gone = CensusApi("http://127.0.0.1:9", patience=SOON)
    with pytest.raises(BadData, match=r"127\.0\.0\.1 cannot be reached") as error:
        fetch_population(2020, "OH", api=gone)
    assert "Without a network" in error.value.hint


@pytest.mark.parametrize(
    ("year", "state", "said"), [(2015, "OH", "year of a census"), (2020, "XX", "is not a state")]
)
def test_what_does_not_exist_is_not_asked_for(server: Bureau, year: int, state: str, said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        fetch_population(year, state, api=api(server))
    assert server.asked == []


def test_states_by_either_code() -> None:
    assert len(STATES) == len(POSTAL) == 52
    assert [state_fips(text) for text in ("WY", "56", " dc", "11", "pr", "6", "new york")] == [
        "56",
        "56",
        "11",
        "11",
        "72",
        "06",
        "36",
    ]
    with pytest.raises(InvalidSetting, match="is not a state"):
        state_fips("03")


def test_the_cache_is_where_the_system_keeps_such_things(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "reidrisk" / "census"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folder() == tmp_path / "local" / "reidrisk" / "census"


def test_progress_is_told_by_table(server: Bureau) -> None:
    seen: list[tuple[int, int]] = []
    fetch_population(2020, "OH", api=api(server), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(done, 7) for done in range(1, 8)]
