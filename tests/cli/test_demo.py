"""`reidrisk demo` by the real program: five jobs from nothing to pages and a file that may go out."""

from __future__ import annotations

import csv
import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
import yaml

from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.demo.hospital import write_hospital
from reidrisk.demo.population import write_figure_one, write_population
from reidrisk.demo.prescriptions import CONFIG, KEY, LAYOUT, RECORDS, demo_key, write_case
from reidrisk.text.formats.jsonl import write_jsonl
from tests.cli.running import PROGRAM

QUASI = ("sex", "age_days", "postal_fsa", "admission_date", "discharge_date")
"""Of the layout that is released."""
DIRECT = ("patient_name", "health_card", "mrn", "visit_id")
TEXT_FILES = {"gold.jsonl", "tool.jsonl", "types.yaml", "result.json", "report.html"}
MADE = {"released.csv", "released.codebook.md", "result.json", "report.html"}
STATE_FILES = {"state.csv", "figure-1", "result.json", "report.html", "explored.json", "explored.html"}
DOCUMENT = Path(__file__).parents[2] / "docs" / "hospital-study.md"


class Demo(NamedTuple):
    """What a run left."""

    folder: Path
    output: str

    @property
    def table(self) -> Path:
        return self.folder / "table"

    @property
    def result(self) -> dict[str, Any]:
        return dict(json.loads((self.table / "result.json").read_text(encoding="utf-8")))

    @property
    def state(self) -> Path:
        return self.folder / "population"


@pytest.fixture(scope="module")
def demo(demo_folder: Callable[[], Path]) -> Demo:
    folder = demo_folder()
    return Demo(folder / "demo-output", (folder / "output.txt").read_text(encoding="utf-8"))


def test_it_prints_all_verdicts_and_where_to_find_the_reports(demo: Demo) -> None:
    text, table, state, trial, people, whole, program, app = demo.output.splitlines()[-8:]
    assert text == f"Text:    too few documents to decide; {demo.folder / 'report.html'}"
    assert table == f"Table:   acceptable at 1/3, under conditions; {demo.table / 'report.html'}"
    finding = "Limited Dataset exposes 481 times as many people as Safe Harbor"
    assert state == f"State:   {finding}; {demo.state / 'report.html'}"
    report = demo.folder / "assessment"
    assert people == "People:  above 1/5 by hospital 0 %, with notes 13.3 % of 900 patients"
    assert whole == f"Release: NOT acceptable; {report / 'report.html'}; {report / 'report.pdf'}"
    assert all((report / name).stat().st_size > 10_000 for name in ("report.html", "report.pdf"))
    study = demo.folder / "study"
    assert trial == f"Trial:   acceptable; {study / 'report.html'}; {study / 'replaced'}"
    assert "With less detail: 0.091 by age and sex, but 1.00 if somebody knows one event." in demo.output
    assert "Without events: 0.091." in demo.output
    tables = {"adsl.xpt", "ae.csv", "mh.csv", "codebook.md"}
    assert {file.name for file in (study / "released").iterdir()} == tables
    assert {file.name for file in (study / "replaced").iterdir()} == {"csr.pdf", "csr.docx"}
    certificate = demo.folder / "validation" / "certificate.pdf"
    assert program == f"Program: 31 checks passed, 0 failed, 3 not run; {certificate}"
    assert app == f"To open the app on this release, run: reidrisk serve {demo.folder}"
    folders = {"table", "population", "assessment", "study", "hospital", "validation"}
    others = {"release.yaml", "keys", ".reidrisk"}
    assert {file.name for file in demo.folder.iterdir()} == TEXT_FILES | folders | others
    assert {file.name for file in demo.state.iterdir()} == STATE_FILES
    given = {RECORDS, KEY, CONFIG.name, LAYOUT.name}
    assert {file.name for file in demo.table.iterdir()} == MADE | given
    for name in MADE:
        assert str(demo.table / name) in demo.output
    assert "Verdict: too few documents to decide" in demo.output
    assert f"VERIFIED: {report} is what was signed" in demo.output
    assert "(trusted key " in demo.output
    assert "A real key is made by: reidrisk table key" in (demo.table / KEY).read_text(encoding="utf-8")


def test_the_reviewed_report_is_acceptable_and_the_draft_that_nobody_read_is_not(demo: Demo) -> None:
    """Every participant is unique on one event; only the report without events passes."""
    assessed = json.loads((demo.folder / "assessment" / "assessment.json").read_text(encoding="utf-8"))
    parts = {one["name"]: one for one in assessed["parts"]}
    report, draft = parts["report"], parts["report_draft"]
    assert report["judged"]["acceptable"]
    assert report["result"]["review"]["full"]
    assert not draft["judged"]["acceptable"]
    known = draft["result"]["known"]
    assert known["static"]["highest"] == pytest.approx(1 / 11)
    assert (known["with_events"]["unique"], known["with_events"]["highest"]) == (60, 1.0)
    (item,) = draft["result"]["unmeasured"]
    assert item["item"] == "review of the documents"
    assert {"part": "report_draft", **item} in assessed["unmeasured"]


def test_a_database_is_acceptable_and_not_so_with_the_notes_of_its_patients(demo: Demo) -> None:
    assessed = json.loads((demo.folder / "assessment" / "assessment.json").read_text(encoding="utf-8"))
    parts = {one["name"]: one for one in assessed["parts"]}
    assert parts["hospital"]["judged"]["acceptable"]
    joint = parts["together"]["result"]
    assert not joint["acceptable"]
    assert (joint["people"], joint["breaking"], joint["unlinked"]) == (900, ["notes"], [])
    assert [row["part"] for row in joint["parts"]] == ["hospital", "notes"]
    share = len(clinical_notes(seed=7)) / 900
    assert [row["adds"] for row in joint["parts"]] == pytest.approx([0, share]), "all patients with a note"
    lines = (demo.folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    named = {json.loads(line)["patient"] for line in lines}
    people = counted("SELECT patient_id FROM {t0}", demo.folder / "hospital" / "tables" / "patients.csv")
    assert len(named & {row[0] for row in people}) == 120


def test_the_loop_goes_from_no_solution_at_a_fifth_to_one_at_a_third(demo: Demo) -> None:
    ladder = demo.result["threshold_ladder"]
    assert [(rung["cell_size"], rung["outcome"]) for rung in ladder] == [(5, "no solution"), (3, "solution")]
    assert ladder[0]["suppressed_share"] > 0.15 >= ladder[1]["suppressed_share"]
    assert demo.result["layout"] == "admission and discharge", "a length of stay in days is too exact"
    assert demo.result["conditions"]
    assert demo.result["solution"]["optimal"]
    requested = demo.result["named_solutions"][0]
    assert requested["shares"] == {"5": 1.0, "3": 1.0}
    for line in ("As requested: 100 %", "At 1/5: no solution; ", "At 1/3: solution; "):
        assert line in demo.output


def counted(query: str, *files: Path) -> list[tuple[Any, ...]]:
    """Plain SQL on files whose cells are texts, so that nothing of ours is believed."""
    sources = {f"t{at}": f"read_csv('{file}', all_varchar=true)" for at, file in enumerate(files)}
    return duckdb.sql(query.format(**sources)).fetchall()


def test_no_class_of_visits_in_the_file_is_smaller_than_three(demo: Demo) -> None:
    classes = f"SELECT count(DISTINCT visit_id) AS size FROM {{t0}} GROUP BY {', '.join(QUASI)}"  # noqa: S608
    released = demo.table / "released.csv"
    ((smallest, visits),) = counted(f"SELECT min(size), sum(size) FROM ({classes})", released)  # noqa: S608
    assert smallest == 3
    assert visits == 10_364, "a visit has one class, and none is lost"
    assert counted("SELECT count(*) FROM {t0}", released) == [(94_100,)]


def test_no_direct_identifier_of_the_source_is_in_the_file(demo: Demo) -> None:
    with (demo.table / RECORDS).open(newline="", encoding="utf-8") as file:
        secrets = {value for row in csv.DictReader(file) for name in DIRECT if (value := row[name])}
    assert len(secrets) > 25_000
    with (demo.table / "released.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert not {"patient_name", "health_card", "mrn", "dose_date", "length_of_stay"} & set(header)
    shown = {cell for row in rows for cell in row}
    assert not shown & secrets


def test_prescriptions_of_a_visit_stay_together_and_drugs_stay_as_they_are(demo: Demo) -> None:
    released, source = demo.table / "released.csv", demo.table / RECORDS
    sizes = "SELECT n, count(*) FROM (SELECT count(*) AS n FROM {t0} GROUP BY visit_id) GROUP BY n ORDER BY n"
    assert counted(sizes, released) == counted(sizes, source)
    drugs = "SELECT drug, dose, cost, count(*) FROM {t0} GROUP BY ALL ORDER BY ALL"
    assert counted(drugs, released) == counted(drugs, source)


def test_the_same_seed_gives_the_same_bytes(demo: Demo, tmp_path: Path) -> None:
    """What the program wrote, written again in another process: in this one."""
    notes = clinical_notes(seed=7)
    write_jsonl(notes, tmp_path / "gold.jsonl", about=True)
    write_jsonl(case_study_tool(notes, seed=7), tmp_path / "tool.jsonl")
    for place in ("table", "population/figure-1"):
        (tmp_path / place).mkdir(parents=True)
    write_case(tmp_path / "table", seed=7)
    write_population(tmp_path / "population/state.csv", seed=7)
    write_figure_one(tmp_path / "population/figure-1")
    write_hospital(tmp_path / "hospital", seed=7)
    made = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert len(made) == 14
    for name in made:
        assert (demo.folder / name).read_bytes() == (tmp_path / name).read_bytes(), name


def test_the_command_that_is_printed_does_it_again(demo: Demo, tmp_path: Path) -> None:
    """The same bytes, by the demo and by hand."""
    printed = next(
        line for line in demo.output.splitlines() if line.startswith("  reidrisk table deidentify")
    )
    again = tmp_path / "table"
    again.mkdir()
    for name in (RECORDS, KEY, CONFIG.name, LAYOUT.name):
        shutil.copy(demo.table / name, again / name)
    words = shlex.split(printed.replace(str(demo.table), str(again)))[1:]
    done = subprocess.run([PROGRAM, *words, "--quiet"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for name in ("released.csv", "released.codebook.md"):
        assert (again / name).read_bytes() == (demo.table / name).read_bytes(), name


def test_two_policies_are_compared_and_what_lies_between_is_explored(demo: Demo) -> None:
    compared, explored = (
        json.loads((demo.state / name).read_text(encoding="utf-8"))
        for name in ("result.json", "explored.json")
    )
    limited, safe = compared["risks"]
    assert limited["people"] == safe["people"] == 1_711_000
    assert limited["total_risk"]["share"] > 400 * safe["total_risk"]["share"] > 0
    by_people = sorted(limited["by_area"], key=lambda row: row["people"])
    assert [row["area"] for row in by_people][::11] == ["Basin", "Harbour"]
    assert by_people[0]["total_risk"]["share"] > 3 * by_people[-1]["total_risk"]["share"]
    under = [policy["name"] for policy in explored["policies"] if policy["under_target"]]
    assert "year of birth, county, sex, race" in under
    assert "Limited Dataset" not in under
    for line in ("Unique people: 20.8 %", "in Basin county", "could share year of birth, county, sex, race"):
        assert line in demo.output


def test_the_printed_comparison_does_it_again(demo: Demo, tmp_path: Path) -> None:
    printed = next(
        line for line in demo.output.splitlines() if line.startswith("  reidrisk population compare")
    )
    words = shlex.split(printed)[1:]
    again = tmp_path / "again.json"
    words[words.index("--json") + 1], words[words.index("--html") + 1] = str(again), str(tmp_path / "p.html")
    done = subprocess.run([PROGRAM, *words, "--quiet"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert again.read_bytes() == (demo.state / "result.json").read_bytes()


def test_the_configuration_names_the_rows_of_the_study_under_its_numbers() -> None:
    """Table 3 of Can J Hosp Pharm 62(4):307: dates, area, age of rows 1 to 7."""
    weeks = "weeks to one year, then years"
    rows = [row["levels"] for row in yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["solutions"]]
    shown = [
        (row["admission_date"], row.get("discharge_date"), row["postal_fsa"], row["age_days"]) for row in rows
    ]
    assert shown[:7] == [
        ("day", "day", "3 characters", "days"),
        ("day", "day", "1 character", "days"),
        ("month", "month", "3 characters", weeks),
        ("month", "month", "1 character", weeks),
        ("quarter", "quarter", "3 characters", weeks),
        ("quarter", "quarter", "1 character", weeks),
        ("quarter", None, "1 character", weeks),
    ]
    assert rows[6]["length_of_stay"] == "days"
    assert shown[7:] == [(*row[:3], "days") for row in shown[2:6]]
    assert all(row["sex"] == "exact" for row in rows)


def test_the_figures_in_the_documentation_are_those_of_the_demo(demo: Demo) -> None:
    """docs/hospital-study.md: a table of rows, the study's two figures, then ours."""
    printed = {
        cells[0]: cells[-2:]
        for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and (cells := [cell.strip() for cell in line.strip("|").split("|")])
    }
    rows = demo.result["named_solutions"]
    figures = {
        str(row["number"]): [f"{100 * row['shares'][size]:.1f}" for size in ("5", "3")] for row in rows[:7]
    }
    figures |= {
        f"{row['name'].split()[0]}, age in days": [f"{100 * row['shares'][size]:.1f}" for size in ("5", "3")]
        for row in rows[7:11]
    }
    assert {name: printed[name] for name in figures} == figures
    reached = {point["risk"]: point["share_of_records"] for point in demo.result["after"]["risk_curve"]}
    assert {size: printed[f"at most 1/{size}"][-1] for size in (10, 5, 3)} == {
        size: f"{100 * reached[1 / size]:.1f} %" for size in (10, 5, 3)
    }
    text = DOCUMENT.read_text(encoding="utf-8")
    assert f"average risk is {demo.result['after']['prosecutor']['average']:.2f}." in text
    lost = demo.result["solution"]["by_column_share"]
    assert {name: printed[name][-1] for name in lost} == {name: f"{100 * lost[name]:.1f}" for name in lost}


def test_another_seed_has_another_key() -> None:
    assert demo_key(7) != demo_key(8)
    assert len(demo_key(7)) > 64
