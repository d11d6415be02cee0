"""`table deidentify` through the command line: what is refused, how, and that no value is ever shown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import Run

CANARY = "CANARY7391"
"""A value of a patient, which no message may hold."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a table of 24 records and a few that cannot be used."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{CANARY} {row},{'FM'[row % 2]},{30 + row % 6},{1 + row % 4}" for row in range(24)]
    text = {
        "t.csv": "\n".join(["who,sex,age,ward", *rows]) + "\n",
        "mixed.csv": f"sex,age\nF,30\nM,{CANARY}\nF,30\nM,1990-01-05\n",
        "nulls.csv": "sex,age\n" + ",\n" * 6,
        "one.csv": f"sex,age\nF,{CANARY}\n",
        "none.csv": "sex,age\n",
        "empty.csv": "",
        "open_quote.csv": f'sex,age\n"F,30\nM,{CANARY}\n',
        "long_row.csv": f"sex,age\nF,30\nM,{CANARY},7,8\nF,2\n",
        "garbage.parquet": CANARY * 50,
        "garbage.xlsx": CANARY * 50,
        "garbage.sav": CANARY * 50,
        "garbage.duckdb": CANARY * 50,
        "short.key": "short",
        "gap/hierarchy_age.csv": "30;30-39;*\n31;30-39;*\n",
    }
    for name, content in text.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "short.key").chmod(0o600)
    return tmp_path


BOTH = ("--quasi", "sex,age")
WHO = ("--direct", "who=drop")
ALL = ("--max-suppression", "1")
HIDE = ("--direct", "who=pseudonym")


def refused(command: Run, folder: Path, *arguments: object) -> tuple[int, str]:
    """Run what must fail: code and message; nothing is written and no value is shown."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    code, out, err = command("table", "deidentify", *arguments)
    assert CANARY not in out + err
    assert "defect" not in err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return code, out + err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("t.csv", "--quasi", "sex,agee", *WHO, "--out", "o.csv"), 1, "Did you mean 'age'"),
        (("t.csv", *BOTH, "--direct", "name=drop", "--out", "o.csv"), 1, "no column 'name'"),
        (("t.csv", *BOTH, *WHO, "--unit", "visit", "--out", "o.csv"), 1, "no column 'visit'"),
        (("t.csv", *BOTH, *WHO, "--unit", "ward", "--out", "o.csv"), 1, "varies within"),
        (("mixed.csv", *BOTH, "--cell-size", "3", "--out", "o.csv"), 1, "100.0 % of the records"),
        (("one.csv", *BOTH, "--out", "o.csv"), 1, "No solution"),
        (("one.csv", *BOTH, "--suppress", "records", *ALL, "--out", "o.csv"), 1, "No solution"),
        (("t.csv", *BOTH, *WHO, "--cell-size", "25", *ALL, "--out", "o.csv"), 1, "No solution"),
        (("none.csv", *BOTH, "--out", "o.csv"), 1, "has no rows"),
        (("empty.csv", *BOTH, "--out", "o.csv"), 1, "is empty"),
        (("t.csv", *BOTH, *WHO, "--hierarchies", "gap", "--out", "o.csv"), 1, "has 4 values (16 rows)"),
        (("t.csv", *BOTH, *WHO, "--hierarchies", "nowhere", "--out", "o.csv"), 1, "nowhere does not exist"),
        (("gone.csv", *BOTH, "--out", "o.csv"), 1, "gone.csv does not exist"),
        (("open_quote.csv", *BOTH, "--out", "o.csv"), 1, "line 2"),
        (("long_row.csv", *BOTH, "--out", "o.csv"), 1, "line 3"),
        (("garbage.parquet", *BOTH, "--out", "o.csv"), 1, "cannot be read as a table"),
        (("garbage.xlsx", *BOTH, "--out", "o.csv"), 1, "cannot be read as a spreadsheet"),
        (("garbage.sav", *BOTH, "--out", "o.csv"), 1, "cannot be read as a file of SAS"),
        (("garbage.duckdb", *BOTH, "--out", "o.csv"), 1, "cannot be read"),
        (("t.csv", *BOTH, *WHO, "--out", "o.foo"), 2, "Choose one of: .csv"),
        (("t.csv", *BOTH, *WHO, "--out", "o"), 2, "Choose one of: .csv"),
        (("t.csv", *BOTH, *WHO, "--out", "o.sas7bdat"), 2, ".xpt"),
        (("t.csv", *BOTH, *WHO, "--out", "t.csv"), 2, "is an input of this command"),
        (("t.csv", *BOTH, *WHO, "--out", "gap/../t.csv"), 2, "is an input of this command"),
        (("*.csv", *BOTH, *WHO, "--out", "one.csv"), 2, "is an input of this command"),
        ((".", *BOTH, *WHO, "--out", "one.csv"), 2, "is an input of this command"),
        (("t.csv", *BOTH, *WHO, "--out", "o.csv", "--codebook", "o.csv"), 2, "same file"),
        (("t.csv", *BOTH, *WHO, "--out", "o.csv", "--codebook", "t.csv"), 2, "is an input of this command"),
        (("t.csv", *BOTH, *WHO, "--out", "no/o.csv"), 1, "folder does not exist"),
        (("t.csv", *BOTH, *WHO, "--out", "gap"), 1, "not a regular file"),
        (("t.csv", *BOTH, *HIDE, "--out", "o.csv"), 2, "needs a key"),
        (("t.csv", *BOTH, *HIDE, "--key", "gone", "--out", "o.csv"), 1, "gone does not exist"),
        (("t.csv", *BOTH, *HIDE, "--key", "short.key", "--out", "o.csv"), 2, "5 bytes"),
        (("t.csv", *BOTH, "--direct", "who=burn", "--out", "o.csv"), 2, "Choose one of: drop"),
        (("t.csv", *BOTH, "--direct", "sex=drop", *WHO, "--out", "o.csv"), 2, "sex"),
        (("t.csv", *BOTH, *WHO, "--ladder", "3,5", "--out", "o.csv"), 2, "strictest"),
        (("t.csv", *BOTH, *WHO, "--ladder", "3,x", "--out", "o.csv"), 2, "whole numbers"),
        (("t.csv", *BOTH, *WHO, "--weight", "sex=heavy", "--out", "o.csv"), 2, "--weight takes a number"),
        (("t.csv", *BOTH, *WHO, "--weight", "sex", "--out", "o.csv"), 2, "NAME=VALUE"),
        (("t.csv", *BOTH, *WHO, "--max-level", "age=galaxy", "--out", "o.csv"), 2, "galaxy"),
        (("t.csv", *BOTH, *WHO, "--max-suppression", "15", "--out", "o.csv"), 2, "--max-suppression"),
        (("t.csv", *BOTH, *WHO, "--cell-size", "0", "--out", "o.csv"), 2, "--cell-size"),
        (("t.csv", *WHO, "--out", "o.csv"), 2, "--quasi sex,age,region"),
        (("t.csv", *BOTH, *WHO), 2, "--out"),
        (("t.csv", "--quasi", "sex,age,who", "--out", "o.csv"), 1, "No solution"),
    ],
)  # fmt: skip
def test_refusals_name_the_place_and_no_value(
    command: Run,
    folder: Path,
    arguments: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    found, message = refused(command, folder, *arguments)
    assert (found, said in message) == (code, True), message


def test_a_forgotten_name_stops_the_verdict(command: Run, folder: Path) -> None:
    (folder / "n.csv").write_text(f"patient_name,sex\n{CANARY},F\n{CANARY},F\n")
    code, message = refused(command, folder, "n.csv", "--quasi", "sex", "--out", "o.csv", "--cell-size", "2")
    assert code == 3
    assert "patient_name (direct identifier)" in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"quasi: [{CANARY}", "c.yaml, line"),
        (f"quasi: {CANARY}", "c.yaml.quasi"),
        (f"quasi: [sex]\ncell_size: {CANARY}", "c.yaml.cell_size"),
        ("quasi: [sex]\ncell_size: 0", "c.yaml.cell_size"),
        ("quasi: [sex]\nmax_supression: 0.1", "Did you mean 'max_suppression'"),
        (f"quasi: [sex]\nmax_suppression: {CANARY}", "c.yaml.max_suppression"),
        ("quasi: [sex]\nmax_suppression: 15", "c.yaml.max_suppression"),
        (f"quasi: [sex]\nladder: {{a: {CANARY}}}", "c.yaml.ladder"),
        (f"quasi: [sex]\nladder: [5, {CANARY}]", "c.yaml.ladder[1]"),
        (f"quasi: [sex]\nderived: {{stay: {{from: {CANARY}}}}}", "c.yaml.derived.stay"),
        (f"quasi: [sex]\nderived: [{CANARY}]", "c.yaml.derived"),
        (f"quasi: [sex]\nweights: {{sex: {CANARY}}}", "c.yaml.weights.sex"),
        ("quasi: [sex]\nweights: {sex: 0}", "c.yaml.weights.sex"),
        (f"quasi: [sex]\ndirect: {{who: [{CANARY}]}}", "c.yaml.direct.who"),
        (f"quasi: [sex]\nunit: ward\nreduce: {{sex: [{CANARY}]}}", "c.yaml.reduce.sex"),
        (f"quasi: [sex]\nmax_level: {{sex: [{CANARY}]}}", "c.yaml.max_level.sex"),
        (f"quasi: [sex]\nunit: [{CANARY}]", "c.yaml.unit"),
        (f"quasi: [sex]\nlayouts: {{a: [sex, 3, {CANARY}]}}", "c.yaml.layouts.a"),
        (f"quasi: [sex]\nsolutions: {CANARY}", "c.yaml.solutions"),
        (f"quasi: [sex]\nsolutions: [{{name: a, levels: {CANARY}}}]", "c.yaml.solutions[0].levels"),
        (f"quasi: [sex]\nhierarchies: {{sex: {{kind: number, levels: [{CANARY}]}}}}", "hierarchies.sex"),
        (f"- {CANARY}", "c.yaml is not a mapping"),
        ("", "c.yaml is not a mapping"),
        ("quasi: []", "--quasi"),
    ],
)
def test_a_malformed_configuration_names_the_place(
    command: Run,
    folder: Path,
    text: str,
    said: str,
) -> None:
    (folder / "c.yaml").write_text(text + "\n")
    code, message = refused(command, folder, "t.csv", *WHO, "--config", "c.yaml", "--out", "o.csv")
    assert code in {1, 2}
    assert said in message


def test_a_configuration_that_is_no_text(command: Run, folder: Path) -> None:
    (folder / "c.yaml").write_bytes(b"\xff\xfe\x00")
    code, message = refused(command, folder, "t.csv", "--config", "c.yaml", "--out", "o.csv")
    assert (code, "UTF-8" in message) == (1, True)
    code, message = refused(command, folder, "t.csv", "--config", "gone.yaml", "--out", "o.csv")
    assert (code, "gone.yaml does not exist" in message) == (1, True)


def test_all_null_is_one_class(command: Run, folder: Path) -> None:
    code, _, err = command("table", "deidentify", "nulls.csv", *BOTH, "--out", "o.csv")
    assert (code, err) == (0, "")
    assert (folder / "o.csv").read_text() == (folder / "nulls.csv").read_text()


def test_one_row_alone_is_acceptable_only_for_a_cell_of_one(command: Run, folder: Path) -> None:
    code, _, _ = command("table", "deidentify", "one.csv", *BOTH, "--cell-size", 1, "--out", "o.csv")
    assert code == 0
    assert (folder / "o.csv").read_text() == (folder / "one.csv").read_text()


@pytest.mark.parametrize(
    "suffix", [".tsv", ".csv.gz", ".parquet", ".arrow", ".xlsx", ".sqlite", ".duckdb", ".xpt", ".sav", ".dta"]
)
def test_every_kind_of_file_can_be_made(command: Run, folder: Path, suffix: str) -> None:
    out = f"o{suffix}"
    code, said, _ = command(
        *("table", "deidentify", "t.csv", *BOTH, *WHO, "--cell-size", 4, "--max-suppression", 1),
        *("--out", out, "--json", "o.json"),
    )
    assert code == 0
    assert f"Table: {out}" in said
    code, _, _ = command("table", "risk", out, *BOTH, "--cell-size", 4)
    assert code == 0
    figures = json.loads((folder / "o.json").read_text())
    assert figures["files"]["out"] == out
    assert [name for name in os.listdir(folder) if name.endswith(".work")] == []  # noqa: PTH208


SECRET = ("--sensitive", "ward", "--l", "2")


def test_limits_on_secrets_by_options_and_by_file(command: Run, folder: Path) -> None:
    code, out, _ = command(
        *("table", "deidentify", "t.csv", *BOTH, *WHO, *ALL, *SECRET, "--cell-size", "2"),
        *("--out", "o.csv", "--json", "-"),
    )
    typed = json.loads(out)
    assert code == 0
    assert typed["after"]["attribute_disclosure"][0]["distinct_l"] >= 2
    (folder / "c.yaml").write_text(
        "quasi: [sex, age]\nsensitive: [ward]\nl: 2\ncell_size: 2\nmax_suppression: 1\ndirect: {who: drop}\n"
    )
    code, out, _ = command(
        "table", "deidentify", "t.csv", "--config", "c.yaml", "--out", "p.csv", "--json", "-"
    )
    assert code == 0
    read = json.loads(out)
    assert read["solution"] == typed["solution"]
    assert read["settings"]["secrets"]["l"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--l", "2"), 2, "need a sensitive column"),
        (("--sensitive", "wards", "--l", "2"), 1, "Did you mean 'ward'"),
        (("--sensitive", "ward", "--t", "7"), 2, "'--t': 7.0 is not in the range 0<=x<=1"),
        (("--sensitive", "age", "--l", "2"), 2, "has two"),
        (("--sensitive", "ward", "--t", "0.2", "--distance", "hierarchical"), 2, "needs a hierarchy"),
        (("--sensitive", "ward", "--l", "2", "--reading", "wildcard"), 2, "counts as a separate value"),
        (("--sensitive", "ward", "--l", "99"), 1, "limits on attribute disclosure of ward"),
    ],
)
def test_limits_on_secrets_that_cannot_be(
    command: Run, folder: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    found, message = refused(command, folder, "t.csv", *BOTH, *WHO, *arguments, "--out", "o.csv")
    assert found == code
    assert said in " ".join(message.split())
