"""Nothing leaves unmeasured: for each case, what a person types and what is released."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run


def write(path: Path, names: str, rows: Sequence[Sequence[object]]) -> Path:
    lines = [names, *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def result(command: Run, *words: object) -> tuple[int, dict[str, Any]]:
    code, out, error = command(*words, "--json", "-")
    assert out, error
    return code, json.loads(out)


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def admissions(tmp_path: Path) -> Path:
    """Large classes of sex and age; places, days and comments that nobody mentioned."""
    rows = [
        ("FM"[n % 2], 20 + n % 5 * 10, 43201 + n % 40, f"2022-{1 + n % 12:02}-{1 + n % 28:02}",
         f"Stable today. Call wife at 614-732-{1000 + 7 * n} about room {n}.", "ABC"[n % 3])
        for n in range(100)
    ]  # fmt: skip
    return write(tmp_path / "admissions.csv", "sex,age,zip,admitted,comment,ward", rows)


def test_options_that_give_roles_can_be_pasted(command: Run, admissions: Path) -> None:
    code, out, _ = command("table", "risk", admissions, "--quasi", "sex,age")
    pasted = shlex.split(out.partition("use these options:")[2].splitlines()[1])
    assert code == 3
    assert pasted == ["--quasi", "sex,age,zip,admitted", "--text", "comment=drop"]
    code, found = result(command, "table", "risk", admissions, *pasted)
    assert (code, found["unmeasured"]) == (3, [])  # measured now, and too exact


def test_columns_that_nobody_mentioned_stop_the_verdict(command: Run, admissions: Path) -> None:
    start = ("table", "risk", admissions, "--quasi", "sex,age")
    code, found = result(command, *start)
    assert (code, found["acceptable"], found["prosecutor"]["highest"]) == (3, False, 1 / 10)
    assert [one["item"] for one in found["unmeasured"]] == ["zip", "admitted", "comment"]
    assert all(one["role"] and one["reason"] for one in found["unmeasured"])
    stated = ("--direct", "admitted", "--text", "comment=drop", "--other", "zip=forty areas")
    code, out, _ = command(*start, *stated)
    assert code == 0
    listed = plain(out.partition("RELEASED WITHOUT BEING MEASURED")[2])
    assert "forty areas" in listed
    assert "ward" in listed
    assert "no sign of an identifier found" in listed


def test_comments_do_not_leave_by_mistake(command: Run, admissions: Path, tmp_path: Path) -> None:
    _, found = result(command, "table", "suggest", admissions)
    assert [one["column"] for one in found["columns"] if one["role"] == "text"] == ["comment"]
    out = tmp_path / "out.csv"
    roles = ("--quasi", "sex,age", "--direct", "zip=drop,admitted=drop", "--out", out)
    start = ("table", "deidentify", admissions, *roles)
    assert command(*start)[0] == 3
    assert not out.exists()
    assert command(*start, "--text", "comment")[0] == 0
    assert list(read(out)[0]) == ["sex", "age", "ward"], "free text is dropped by default"
    assert command(*start, "--text", "comment=keep")[0] == 3
    masked = ("--text", "comment=deidentify", "--other", "comment=read by two people")
    code, found = result(command, *start, *masked)
    assert (code, found["text"][0]["by_type"]["PHONE"]) == (0, 100)
    assert not any("614-732" in row["comment"] for row in read(out))


def test_safe_harbor_looks_inside_values(command: Run, tmp_path: Path) -> None:
    notes = ["feels better today"] * 9 + ["call wife at 614-732-1234"]
    rows = [(note, f"GHX {4821 + n}", "*") for n, note in enumerate(notes)]
    table = write(tmp_path / "t.csv", "comment,license_plates,email", rows)
    code, found = result(command, "table", "hipaa", table)
    held = {one["letter"]: [column["column"] for column in one["columns"]] for one in found["identifiers"]}
    assert code == 3
    assert held["D"] == ["comment"]
    assert held["L"] == ["license_plates"]
    assert held["F"] == [], "all its cells are suppressed"
    said = plain(command("table", "hipaa", table)[1])
    assert "other scripts are not recognized" in said


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    """Sixty people with three visits each, on another day each time."""
    rows = [(f"P{n // 3}", "FM"[n // 3 % 2], f"2023-01-{1 + n % 3:02}") for n in range(180)]
    return write(tmp_path / "visits.csv", "person,sex,day", rows)


def test_dates_that_a_rule_overwrites_are_counted(command: Run, visits: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    start = ("table", "deidentify", visits, "--quasi", "sex,day", "--unit", "person", "--out", out)
    code, text, _ = command(*start, "--reduce", "day=first", "--json", tmp_path / "r.json")
    assert code == 0
    assert {row["day"] for row in read(out)} == {"2023-01-01"}
    assert "--reduce day=first overwrites 120 rows of 180" in plain(text)
    assert "--events day" in text
    assert "overwrites 120 rows of 180" in plain((tmp_path / "out.codebook.md").read_text(encoding="utf-8"))
    assert json.loads((tmp_path / "r.json").read_text())["reduced"][0]["rows_changed"] == 120
    assert "name it with --events" in plain(command(*start)[2])


def test_a_date_with_two_readings_is_not_guessed(command: Run, tmp_path: Path) -> None:
    """The first of every month; read as day and month, all of them are in January."""
    rows = [("FM"[n % 2], f"{1 + n % 12:02}/01/2022") for n in range(120)]
    table, out = write(tmp_path / "t.csv", "sex,admitted", rows), tmp_path / "out.csv"
    (tmp_path / "rules.yaml").write_text("admitted: {kind: date, levels: [month], min_level: month}\n")
    files = ("--hierarchies", tmp_path / "rules.yaml", "--out", out)
    start = ("table", "deidentify", table, "--quasi", "sex,admitted", *files)
    code, _, error = command(*start)
    assert code == 1
    assert "%d/%m/%Y" in error
    assert "%m/%d/%Y" in error
    assert command(*start, "--date-format", "%m/%d/%Y")[0] == 0
    assert {row["admitted"] for row in read(out)} == {f"2022-{month:02}" for month in range(1, 13)}
    assert "%m/%d/%Y" in command("table", "suggest", table)[1]
    assert command("init", table, "--out", tmp_path / "release.yaml")[0] == 0
    draft = (tmp_path / "release.yaml").read_text(encoding="utf-8")
    assert "can be read as %d/%m/%Y or %m/%d/%Y" in draft
    assert "date_format" in draft


def test_three_unknown_days_are_counted_and_may_be_missing(command: Run, tmp_path: Path) -> None:
    rows = [("FM"[n % 2], "unknown" if n in (2, 7, 9) else f"2022-{1 + n % 12:02}-14") for n in range(120)]
    table, out = write(tmp_path / "t.csv", "sex,admitted", rows), tmp_path / "out.csv"
    (tmp_path / "rules.yaml").write_text("admitted: {kind: date, levels: [year], min_level: year}\n")
    files = ("--hierarchies", tmp_path / "rules.yaml", "--out", out)
    start = ("table", "deidentify", table, "--quasi", "sex,admitted", *files)
    code, _, error = command(*start)
    assert code == 1
    assert "3 cells of column 'admitted'" in error
    assert "rows 3, 8, 10" in error
    assert "--null" in error
    assert command(*start, "--null", "unknown")[0] == 0
    assert {row["admitted"] for row in read(out)} == {"2022", ""}


def test_partial_dates_are_shifted(command: Run, tmp_path: Path) -> None:
    days = ("2022", "2022-03", "2022-03-14", "2022-03-14T10:30")
    table = write(tmp_path / "t.csv", "person,day", [(n // 4, days[n % 4]) for n in range(40)])
    step = {"kind": "shift_dates", "dates": ["day"], "person": "person", "days": 900}
    (tmp_path / "steps.yaml").write_text(json.dumps({"steps": [step]}))
    assert command("table", "key", tmp_path / "key")[0] == 0
    out = tmp_path / "out.csv"
    files = ("--config", tmp_path / "steps.yaml", "--key", tmp_path / "key", "--out", out)
    code, _, error = command("table", "transform", table, *files)
    assert code == 0, error
    assert {len(row["day"]) for row in read(out)} == {4, 7, 10, 16}
    assert not {row["day"][:10] for row in read(out)} <= set(days)


def test_a_column_that_is_lost_is_named_beside_the_verdict(command: Run, tmp_path: Path) -> None:
    rows = [(43000 + 7 * n, 20 + n % 2 * 10) for n in range(200)]
    table, out = write(tmp_path / "t.csv", "zip,age", rows), tmp_path / "out.csv"
    (tmp_path / "rules.yaml").write_text("zip: {kind: prefix, lengths: [3], suppress: true}\n")
    start = ("table", "deidentify", table, "--quasi", "zip,age", "--hierarchies", tmp_path / "rules.yaml")
    code, text, _ = command(*start, "--cell-size", 60, "--out", out)
    assert code == 0
    assert len({row["zip"] for row in read(out)}) == 1
    head = plain(text.partition("\n\n\n")[0])
    assert "No detail left in zip" in head
    assert "To keep it" in head


def test_a_draft_runs_without_an_edit(command: Run, tmp_path: Path) -> None:
    rows = [
        (f"P{n // 2}", f"{1940 + n // 2 % 50}-0{1 + n // 2 % 9}-11", 43000 + n // 2 % 90, 30 + n // 2 % 40,
         f"2022-{1 + n % 12:02}-{1 + n % 28:02}", ("E11.9", "I21.0", "J45.9")[n % 3], ("a", "b")[n // 2 % 2])
        for n in range(240)
    ]  # fmt: skip
    names = "patient_id,date_of_birth,zip,age,visit_date,icd,sex"
    table, release = write(tmp_path / "visits.csv", names, rows), tmp_path / "release.yaml"
    code, draft, _ = command("init", table)
    assert code == 0
    assert "unit: patient_id" in draft
    assert re.search(r"events:[^#]*visit_date", draft)
    for name in ("date_of_birth", "zip", "age", "visit_date", "icd", "sex"):
        assert re.search(rf"^ +{name}: \{{", draft, re.MULTILINE), f"{name} has a hierarchy"
    assert command("init", table, "--out", release)[0] == 0
    code, out, error = command("assess", release, "--out", tmp_path / "assessed")
    assert code == 3, f"not confirmed: a verdict, not a failure\n{out}{error}"


def test_the_cause_of_no_solution_is_named(command: Run, visits: Path, tmp_path: Path) -> None:
    rows = [("FM"[n % 2], 10000 + n % 150) for n in range(400)]
    table = write(tmp_path / "a table.csv", "sex,zip", rows)
    code, out, error = command(
        "table", "deidentify", table, "--quasi", "sex,zip", "--out", tmp_path / "o.csv"
    )
    hint = next(line for line in out.splitlines() if line.startswith("To draft hierarchies, run: "))
    assert shlex.split(hint.partition(": ")[2])[:4] == ["reidrisk", "table", "suggest", str(table)]
    said = plain(out + error)
    assert code in (1, 3)
    assert "zip (150 distinct values) has no hierarchy" in said
    assert "suppression limit" not in said
    said = plain(command("table", "risk", visits, "--quasi", "sex")[1])
    assert "person repeats: 180 rows of 60 people" in said
    assert "Use --unit person" in said


def test_two_releases_with_one_seed_and_key_cannot_be_joined_by_row_number(
    command: Run, tmp_path: Path
) -> None:
    people = [(n * 37 % 101 % 40, n * 53 % 103 % 40) for n in range(1000)]
    table = write(tmp_path / "t.csv", "age,town", people)
    assert command("table", "key", tmp_path / "key")[0] == 0
    sides = []
    for quasi, other in (("age", "town"), ("town", "age")):
        out = tmp_path / f"{quasi}.csv"
        words = ("--quasi", quasi, "--direct", f"{other}=drop", "--seed", 7, "--key", tmp_path / "key")
        assert command("table", "deidentify", table, *words, "--out", out)[0] == 0
        sides.append([int(row[quasi]) for row in read(out)])
    joined, true = list(zip(*sides, strict=True)), set(people)
    ages, towns = Counter(age for age, _ in people), Counter(town for _, town in people)
    by_chance = sum(ages[age] * towns[town] for age, town in true) / 1000**2
    assert sum(pair in true for pair in joined) / 1000 < by_chance + 0.1 < 0.8  # six standard deviations
    start = ("table", "deidentify", table, "--quasi", "age", "--direct", "town=drop")
    code, found = result(command, *start, "--order", "keep", "--out", tmp_path / "kept.csv")
    assert (code, [one["item"] for one in found["unmeasured"]]) == (3, ["order of the rows"])


def test_what_is_shared_does_not_give_back_a_suppressed_record(command: Run, tmp_path: Path) -> None:
    """The 81st record is another one; table, codebook and shared report must be the same."""
    others = [(sex, age) for sex in "FM" for age in (20, 40, 50, 60)] * 10
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, record in zip(folders, [("F", 30), ("M", 80)], strict=True):
        folder.mkdir()
        table, out = write(folder / "t.csv", "sex,age", [record, *others]), folder / "out.csv"
        words = ("--quasi", "sex,age", "--suppress", "records", "--max-suppression", 0.1, "--out", out)
        assert command("table", "deidentify", table, *words, "--json", folder / "r.json")[0] == 0
    assert alike(folders, "out.csv")
    assert alike(folders, "out.codebook.md")
    codebook = (folders[0] / "out.codebook.md").read_text(encoding="utf-8")
    assert not re.search(r"(?<![\d.,])[1-4] (of \d+ )?(record|row|cell|suppressed)", codebook)
    assert "Audience: shared" in codebook
    assert not alike(folders, "r.json"), "it is internal"
    assert json.loads((folders[0] / "r.json").read_text(encoding="utf-8"))["audience"] == "internal"
    for folder in folders:
        files = ("--html", folder / "s.html", "--json", folder / "s.json")
        assert command("report", folder / "r.json", "--audience", "shared", *files)[0] == 0
    assert alike(folders, "s.html")
    assert alike(folders, "s.json")
    assert json.loads((folders[0] / "s.json").read_text(encoding="utf-8"))["audience"] == "shared"


def alike(folders: Sequence[Path], name: str) -> bool:
    """Whether a file is the same in all folders, but for their names."""
    return len({one.joinpath(name).read_text(encoding="utf-8").replace(str(one), "") for one in folders}) == 1


def test_a_person_whose_events_are_all_gone_is_not_found(command: Run, tmp_path: Path) -> None:
    """Who knows a code that nobody in the town has any more looks for people there without any code."""
    rows = [(f"P{n}", "AB"[n % 2], "common") for n in range(20)]
    rows += [("P20", "A", "rare"), ("P21", "B", "odd")]
    table, out = write(tmp_path / "t.csv", "person,town,code", rows), tmp_path / "out.csv"
    events = ("--events", "code", "--known", 1, "--max-event-suppression", 1)
    start = ("table", "deidentify", table, "--quasi", "town", "--unit", "person", *events)
    assert command(*start, "--cell-size", 3, "--out", out)[0] == 0
    codes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in read(out):
        codes[row["town"], row["person"]].update([row["code"]] if row["code"] else [])
    for town in "AB":
        without = sum(place == town and not known for (place, _), known in codes.items())
        assert without == 0 or without >= 3
    assert len(codes) == 20


@pytest.fixture
def rare(tmp_path: Path) -> Path:
    """Forty people; three have a more exact code than the one in the list."""
    rows = [("FM"[n % 2], "E84.0" if n in (3, 4, 5) else "J45.9") for n in range(40)]
    (tmp_path / "rare.csv").write_text("code,column\nE84,dx\n", encoding="utf-8")
    return write(tmp_path / "t.csv", "sex,dx", rows)


def test_rare_codes_decide_and_can_be_treated(command: Run, rare: Path, tmp_path: Path) -> None:
    listed = ("--rare", tmp_path / "rare.csv")
    code, found = result(command, "table", "risk", rare, "--quasi", "sex", *listed)
    assert (found["rare_codes"]["records"], code) == (3, 3)
    out, start = tmp_path / "out.csv", ("table", "deidentify", rare, "--quasi", "sex", *listed)
    assert command(*start, "--out", out)[0] == 0
    assert not any(row["dx"].startswith("E84") for row in read(out))
    assert command("table", "risk", out, "--quasi", "sex", *listed)[0] == 0


def test_an_assessment_says_that_rare_codes_decide(command: Run, rare: Path, tmp_path: Path) -> None:
    part = {"name": "visits", "kind": "table", "table": "t.csv", "quasi": ["sex"], "rare": "rare.csv"}
    context = {"preset": "hospital", "access": "public"}
    content = {"reidrisk": 1, "release": {"name": "Visits"}, "context": context, "parts": [part]}
    (tmp_path / "release.yaml").write_text(json.dumps(content), encoding="utf-8")
    code, out, _ = command("assess", tmp_path / "release.yaml", "--out", tmp_path / "assessed")
    assert code == 3
    assert "3 records of 40 have a code listed as rare and visible" in plain(out)


def test_suppressed_records_do_what_is_said(command: Run, tmp_path: Path) -> None:
    rows = [(age, age % 7) for age in [30] * 40 + [41] * 40 + [51, 52, 53, 54]]
    table, out = write(tmp_path / "t.csv", "age,dose", rows), tmp_path / "out.csv"
    limits = ("--cell-size", 3, "--max-suppression", 0.1, "--suppress", "records")
    start = ("table", "deidentify", table, "--quasi", "age", *limits, "--out", out)
    for records, left in (("remove", 80), ("blank", 84)):
        code, found = result(command, *start, "--records", records)
        assert (code, len(read(out))) == (0, left)
        assert [found["solution"][f"{name}_records"] for name in ("suppressed", "removed", "blank")] == [
            4, 84 - left, left - 80,
        ]  # fmt: skip


def test_one_result_has_one_discernibility(command: Run, tmp_path: Path) -> None:
    rows = [(age,) for age in [30] * 40 + [41] * 40 + [51, 52, 53, 54]]
    table = write(tmp_path / "t.csv", "age", rows)
    limits = ("--quasi", "age", "--cell-size", 3, "--max-suppression", 0.1)
    words = (*limits, "--suppress", "records", "--loss", "dm", "--out", tmp_path / "out.csv")
    utility = result(command, "table", "deidentify", table, *words)[1]["solution"]["utility"]
    assert utility["loss"] == utility["discernibility"] == 2 * 40**2 + 4 * 84


def test_direct_identifiers_are_removed_at_every_level(command: Run, tmp_path: Path) -> None:
    (tmp_path / "adsl.csv").write_text("USUBJID,SEX\n" + "".join(f"T-{n},F\n" for n in range(12)))
    answers = "{identifiers: high, population: moderate, participants: moderate, centres: moderate}"
    start = "study: T\nipd: {adsl: adsl.csv}\nschema: {quasi: [SEX]}\nqualitative: "
    (tmp_path / "study.yaml").write_text(f"{start}{answers}\n")
    words = ("document", "risk", "--study", tmp_path / "study.yaml", "--scenario", "qualitative")
    for level, code in (("low", 0), ("moderate", 3), ("high", 3)):
        found, out, _ = command(*words, "--set", f"remaining={level}")
        assert found == code
        assert re.search(r"Redact or transform (the|all) direct identifiers", plain(out)), level
