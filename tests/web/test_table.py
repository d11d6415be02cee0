"""The page of a table without a browser: figures, writes, refusals, and that no value slips out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reidrisk.assess.editing import release_sha256
from reidrisk.assess.release_file import read_release
from tests.cli.running import Run
from tests.web.conftest import DEMO
from tests.web.serving import Client, client_of

PART = f"/r/{DEMO}/table/released"
MEASURED = "assessment/parts/released/measured.json"


def figures(client: Client, **asked: Any) -> dict[str, Any]:
    answer = client.get(f"{PART}/solutions/figures", params=asked)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(("size", "limit"), [(3, 0.15), (5, 0.15), (5, 0.224), (2, 0.05), (11, 0.6)])
def test_figures_are_those_of_the_command_line(
    client: Client, demo_releases: Path, tmp_path: Path, command: Run, size: int, limit: float
) -> None:
    measured = demo_releases / DEMO / MEASURED
    given = ["--cell-size", size, "--max-suppression", limit, "--json", tmp_path / "e.json", "--quiet"]
    code, _, _ = command("table", "explore", measured, *given)
    assert code == 0
    expected = json.loads((tmp_path / "e.json").read_text(encoding="utf-8"))
    assert figures(client, cell_size=size, max_suppression=limit) == expected


def test_the_search_of_the_assessment_agrees(client: Client, demo_releases: Path) -> None:
    path = demo_releases / DEMO / "assessment/parts/released/result.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    assert "profile" not in result
    found = figures(client, cell_size=result["threshold"]["cell_size"], max_suppression=0.15)
    for mine, theirs in zip(found["candidates"], result["candidates"], strict=True):
        assert {key: mine[key] for key in theirs} == theirs
    first = result["threshold_ladder"][0]
    none = figures(client, cell_size=first["cell_size"], max_suppression=0.15)
    assert none["nearest"]["suppressed_share"] == first["suppressed_share"]
    assert none["nearest"]["cell_size"] == result["threshold"]["cell_size"]


def test_every_tab_answers(client: Client) -> None:
    for tab, text in (
        ("columns", "Codebook"),
        ("hierarchies", "Counting the values"),
        ("hierarchies/cards", "At most this"),
        ("solutions?cell_size=3", "1,282"),
        ("solutions", "No combination of levels is acceptable here"),
        ("risk", "Risk before and after"),
        ("download", "It was not written"),
    ):
        answer = client.get(f"{PART}/{tab}")
        assert answer.status_code == 200, tab
        assert text in answer.text, tab
    assert client.get(PART).headers["location"].endswith("/solutions")


def test_a_table_page_of_a_part_that_is_none(client: Client) -> None:
    for path in (f"/r/{DEMO}/table/nothing/solutions", f"/r/{DEMO}/table/nothing", "/r/none/table/a/risk"):
        assert client.get(path).status_code == 404
    assert client.get(f"{PART}/hierarchies/preview?column=nothing&kind=date&levels=day").status_code == 404
    assert client.get(f"{PART}/download/table").status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "cell_size=1",
        "cell_size=51",
        "cell_size=5&max_suppression=1.1",
        "cell_size=5&max_suppression=nan",
        "cell_size=5&max_suppression=0.1&node=x",
        "cell_size=5&max_suppression=0.1&node=9-9-9-9-9",
        "cell_size=5&max_suppression=0.1&node=1",
        "cell_size=5&max_suppression=0.1&layout=none",
    ],
)
def test_numbers_out_of_range_are_refused(client: Client, query: str) -> None:
    for path in ("solutions/view", "solutions/figures", "solutions"):
        assert client.get(f"{PART}/{path}?{query}").status_code == 422


def test_a_dot_can_be_described(client: Client) -> None:
    found = figures(client, cell_size=3, max_suppression=0.4)
    assert len(found["candidates"]) > 1
    other = next(one for one in found["candidates"] if not one["chosen"])
    node = "-".join(str(level) for level in other["level_numbers"].values())
    chosen = figures(client, cell_size=3, max_suppression=0.4, node=node)["selected"]
    assert chosen["levels"] == other["levels"]
    view = client.get(f"{PART}/solutions/view?cell_size=3&max_suppression=0.4&node={node}")
    assert f'data-node="{node}" data-layout' in view.text
    assert "style=" not in view.text


def test_the_preview_shows_frequent_examples_only(client: Client) -> None:
    asked = {"column": "admission_date", "kind": "date", "levels": "day, month, year"}
    answer = client.get(f"{PART}/hierarchies/preview", params=asked)
    assert answer.status_code == 200
    assert "Nothing is saved yet" in answer.text
    bad = client.get(f"{PART}/hierarchies/preview", params={**asked, "levels": "parsec"})
    assert bad.status_code == 422
    assert client.get(f"{PART}/hierarchies/preview", params={**asked, "kind": "tree"}).status_code == 422


@pytest.fixture
def own(own_releases: Path) -> Client:
    return client_of(own_releases)


def sha(releases: Path) -> str:
    return release_sha256(releases / DEMO / "release.yaml")


def test_the_maximum_is_written_with_comments_kept(own: Client, own_releases: Path) -> None:
    file = own_releases / DEMO / "release.yaml"
    form = {"column": "postal_fsa", "level": "2 characters", "sha256": sha(own_releases)}
    assert own.post(f"{PART}/hierarchies/most", data=form).status_code == 303
    text = file.read_text(encoding="utf-8")
    assert "# prescription records, de-identified" in text
    part = next(one for one in read_release(file).parts if one.name == "released")
    assert part.given["max_level"] == {"postal_fsa": "2 characters"}
    assert own.post(f"{PART}/hierarchies/most", data=form).status_code == 409
    wrong = {**form, "level": "9 characters", "sha256": sha(own_releases)}
    assert own.post(f"{PART}/hierarchies/most", data=wrong).status_code == 422
    log = (own_releases / DEMO / ".reidrisk/log.jsonl").read_text(encoding="utf-8")
    assert "serve: maximum level of postal_fsa in released" in log


def test_levels_are_written(own: Client, own_releases: Path) -> None:
    form = {"column": "admission_date", "kind": "date", "levels": "day, quarter", "sha256": sha(own_releases)}
    assert own.post(f"{PART}/hierarchies/levels", data=form).status_code == 303
    part = next(
        one for one in read_release(own_releases / DEMO / "release.yaml").parts if one.name == "released"
    )
    written = part.given["hierarchies"]["admission_date"]
    assert (written["levels"], written["max_level"]) == (["day", "quarter"], "quarter")
    assert own.post(f"{PART}/hierarchies/levels", data={**form, "levels": ""}).status_code == 422
    assert own.post(f"{PART}/hierarchies/levels", data=form).status_code == 409


def test_use_this_makes_the_next_run_find_it(own: Client, own_releases: Path) -> None:
    found = figures(own, cell_size=3, max_suppression=0.4)
    other = next(one for one in found["candidates"] if not one["chosen"])
    node = "-".join(str(level) for level in other["level_numbers"].values())
    form = {
        "cell_size": 3,
        "max_suppression": 0.4,
        "node": node,
        "layout": found["layout"],
        "sha256": sha(own_releases),
    }
    answer = own.post(f"{PART}/solutions/use", data=form)
    assert answer.status_code == 303
    assert "used=1" in answer.headers["location"]
    assert "Written to the release file" in own.get(answer.headers["location"]).text
    from reidrisk.assess.kind import RunControl

    part = next(
        one for one in read_release(own_releases / DEMO / "release.yaml").parts if one.name == "released"
    )
    result = part.measure(RunControl(7))
    assert result["solution"]["levels"] == other["levels"]
    assert result["threshold"]["cell_size"] == 3
    assert own.post(f"{PART}/solutions/use", data=form).status_code == 409
    none = {**form, "cell_size": 50, "max_suppression": 0, "sha256": sha(own_releases)}
    assert own.post(f"{PART}/solutions/use", data=none).status_code == 422


def test_only_preparers_write(own_releases: Path) -> None:
    reader = client_of(own_releases, "Rita", ("reviewer",))
    before = sha(own_releases)
    for path in ("hierarchies/most", "hierarchies/levels", "solutions/use"):
        form = {
            "column": "sex",
            "level": "exact",
            "kind": "exact",
            "cell_size": 3,
            "max_suppression": 0.15,
            "node": "0-2-2-2-2",
            "sha256": before,
        }
        assert reader.post(f"{PART}/{path}", data=form).status_code == 403
    assert sha(own_releases) == before


def test_values_of_a_class_only_after_a_click_that_is_logged(own: Client, own_releases: Path) -> None:
    plain = own.get(f"{PART}/risk/classes?released=0&number=2")
    assert plain.status_code == 200
    assert "Show the values of this class (logged)" in plain.text
    asked = own.post(f"{PART}/risk/values", data={"number": 2, "released": 0})
    values = re.findall(r'<b class="value">([^<]+)</b>', asked.text)
    assert len(values) == 5
    dates = [value for value in values if re.fullmatch(r"\d{4}-\d\d-\d\d", value)]
    assert dates
    assert not any(value in plain.text for value in dates)
    log = (own_releases / DEMO / ".reidrisk/log.jsonl").read_text(encoding="utf-8")
    assert "show values of class 2 of released" in log.splitlines()[-1]
    assert not any(value in log.splitlines()[-1] for value in dates)
    assert own.get(f"{PART}/risk/classes?number=2000").status_code == 422
    released = own.get(f"{PART}/risk/classes?released=1")
    assert "1,282 (12.4 %)" in released.text


def test_before_and_after_of_another_candidate(client: Client) -> None:
    found = figures(client, cell_size=3, max_suppression=0.15)
    node = "-".join(str(level) for level in found["candidates"][0]["level_numbers"].values())
    answer = client.get(f"{PART}/solutions/distributions?cell_size=3&max_suppression=0.15&node={node}")
    assert answer.status_code == 200
    assert "As measured in the last run" in answer.text
    none = client.get(f"{PART}/solutions/distributions?cell_size=5&max_suppression=0.15&node={node}")
    assert none.status_code == 422


def test_the_codebook_is_the_one_for_recipients(client: Client, demo_releases: Path) -> None:
    from reidrisk.report.codebook import codebook_text

    answer = client.get(f"{PART}/download/codebook")
    assert answer.status_code == 200
    path = demo_releases / DEMO / "assessment/parts/released/result.json"
    assert answer.text == codebook_text(json.loads(path.read_text(encoding="utf-8")))
    assert answer.headers["content-disposition"] == 'attachment; filename="released.codebook.md"'


def test_a_release_that_was_not_run_yet(own: Client, own_releases: Path) -> None:
    import shutil

    shutil.rmtree(own_releases / DEMO / "assessment")
    assert own.get(PART).headers["location"].endswith("/columns")
    for tab, text in (
        ("columns", "was not measured yet"),
        ("solutions", "There are no solutions yet"),
        ("risk", "The risk was not measured yet"),
        ("download", "There is nothing to download yet"),
    ):
        answer = own.get(f"{PART}/{tab}")
        assert (answer.status_code, text in answer.text) == (200, True), tab
    assert own.get(f"{PART}/solutions/view?cell_size=5&max_suppression=0.1").status_code == 422
    assert own.get(f"{PART}/download/codebook").status_code == 404


def test_a_table_that_is_measured_as_it_is(own: Client, own_releases: Path) -> None:
    folder = own_releases / "plain"
    folder.mkdir()
    rows = [f"{'FM'[at % 2]},{30 + at % 7}" for at in range(40)]
    (folder / "t.csv").write_text("\n".join(["sex,age", *rows]), encoding="utf-8")
    (folder / "release.yaml").write_text(
        "reidrisk: 1\nrelease: {name: A}\ncontext: {preset: ipc, access: public}\nparts:\n"
        "  - {name: t, kind: table, table: t.csv, quasi: [sex, age]}\n",
        encoding="utf-8",
    )
    for tab, text in (("hierarchies", "measured as it is"), ("solutions", "measured as it is")):
        assert text in own.get(f"/r/plain/table/t/{tab}").text
    assert "in 14 classes" in own.get("/r/plain/table/t/risk/classes?number=1").text
    assert own.get("/r/plain/table/t/hierarchies/cards").status_code == 422
