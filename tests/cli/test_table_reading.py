"""Every table command reads a table as the options and the files say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.key import make_key
from tests.cli.running import Run, runner

COMMANDS = ("suggest", "hipaa", "preview", "risk", "deidentify", "transform", "attack", "utility")
SAID = ("--null", "unknown,?", "--date-format", "when=%m/%d/%Y", "--encoding", "cp1252")
TEXT_FILE = ("--delimiter", "|", "--decimal", ",")
FILE = {"null": ["unknown", "?"], "date_format": {"when": "%m/%d/%Y"}, "encoding": "cp1252"}
NEEDS_DATES = ("preview", "deidentify", "transform", "attack", "utility")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [f"P{n % 40}|{'FM'[n % 2]}|{n % 12 + 1:02d}/01/2022|{n % 5},5|Süd" for n in range(240)]
    for row, word in ((3, "unknown"), (8, "?"), (11, "unknown")):
        rows[row - 1] = f"P1|F|{word}|{word}|Nord"
    (tmp_path / "t.csv").write_bytes(
        ("person|sex|when|dose|region\n" + "\n".join(rows) + "\n").encode("cp1252")
    )
    (tmp_path / "rules.yaml").write_text(
        "when: [day, month, year]\ndose: {kind: number, levels: [{width: 10}]}\n"
    )
    shift = "  - {kind: shift_dates, dates: [when], person: person, days: 9}\n"
    (tmp_path / "steps.yaml").write_text(f"steps:\n{shift}")
    make_key(tmp_path / "key")
    return tmp_path


def words(name: str, folder: Path) -> list[str]:
    """A call of a command that needs dates wherever the command can need them."""
    table, rules, out = str(folder / "t.csv"), str(folder / "rules.yaml"), str(folder / "out.csv")
    quasi = ["--quasi", "sex,when,dose"]
    more = {
        "suggest": [],
        "hipaa": [],
        "preview": ["--hierarchies", rules],
        "risk": quasi,
        "deidentify": [*quasi, "--direct", "person=drop", "--hierarchies", rules, "--out", out],
        "transform": ["--config", str(folder / "steps.yaml"), "--key", str(folder / "key"), "--out", out],
        "attack": [*quasi, "--against", table, "--hierarchies", rules, "--guesses", "50"],
        "utility": ["--against", table, "--hierarchies", rules],
    }
    return ["table", name, table, *more[name]]


def read_as(folder: Path) -> str:
    return " ".join(json.loads((folder / "r.json").read_text())["settings"]["read_as"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_options_and_records_them(name: str, folder: Path, call: Run) -> None:
    code, _, errors = call(*words(name, folder), *SAID, *TEXT_FILE, "--json", folder / "r.json")
    assert code in (0, 3), errors
    found = read_as(folder)
    assert "column 'when': dates read as %m/%d/%Y" in found
    assert "column 'when': 3 cells read as missing" in found
    assert "column 'dose': 3 cells read as missing" in found
    assert "texts that mean missing: unknown, ?" in found
    assert "decimals: ," in found


@pytest.mark.parametrize("name", NEEDS_DATES)
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), ("3 cells of column", "rows 3, 8, 11", "--null VALUE")),
        (("--null", "unknown", "--null", "?"), ("ambiguous", "%d/%m/%Y", "%m/%d/%Y", "--date-format")),
    ],
)
def test_what_cannot_be_read_is_refused(
    name: str, options: tuple[str, ...], expected: tuple[str, ...], folder: Path, call: Run
) -> None:
    code, shown, errors = call(*words(name, folder), "--encoding", "cp1252", *TEXT_FILE, *options)
    assert code == 1
    for text in expected:
        assert text in errors
    assert "unknown" not in f"{shown}{errors}"
    assert not (folder / "out.csv").exists()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("option", ["--encoding", "--delimiter"])
def test_only_text_files_have_an_encoding_and_a_delimiter(
    name: str, option: str, folder: Path, call: Run
) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rows = pa.table({"person": ["P1"], "sex": ["F"], "when": ["01/02/2022"], "dose": [1.5], "region": ["x"]})
    parquet.write_table(rows, folder / "t.parquet")
    line = [word.replace("t.csv", "t.parquet") for word in words(name, folder)]
    code, _, errors = call(*line, option, {"--encoding": "cp1252", "--delimiter": ";"}[option])
    assert code in (1, 2)
    assert f"only CSV and TSV files have the setting {option[2:]}" in errors


def _deidentify(folder: Path) -> list[str]:
    content = {**FILE, "delimiter": "|", "decimal": ",", "quasi": ["when"], "direct": {"person": "drop"}}
    rules = {"hierarchies": "rules.yaml", "other": dict.fromkeys(("sex", "region"), "a test")}
    (folder / "c.yaml").write_text(json.dumps({**content, **rules}))
    return ["table", "deidentify", str(folder / "t.csv"), "--config", str(folder / "c.yaml")]


def _transform(folder: Path) -> list[str]:
    steps = [{"kind": "shift_dates", "dates": ["when"], "person": "person", "days": 9}]
    (folder / "c.yaml").write_text(json.dumps({**FILE, "delimiter": "|", "decimal": ",", "steps": steps}))
    key = ["--key", str(folder / "key")]
    return ["table", "transform", str(folder / "t.csv"), "--config", str(folder / "c.yaml"), *key]


@pytest.mark.parametrize("command", [_deidentify, _transform])
def test_a_configuration_has_the_same_settings(
    command: Callable[[Path], list[str]], folder: Path, call: Run
) -> None:
    line = [*command(folder), "--out", str(folder / "out.csv"), "--json", str(folder / "r.json")]
    code, _, errors = call(*line)
    assert code == 0, errors
    assert "column 'when': dates read as %m/%d/%Y" in read_as(folder)
    code, _, errors = call(*line, "--date-format", "when=%d/%m/%Y")
    assert code == 0, errors
    assert "column 'when': dates read as %d/%m/%Y" in read_as(folder)


def test_utility_reads_them_from_its_file(folder: Path, call: Run) -> None:
    (folder / "u.yaml").write_text(
        "null: [unknown, '?']\nencoding: cp1252\ndate_format: {when: '%m/%d/%Y'}\n"
    )
    line = words("utility", folder)
    code, _, errors = call(*line, "--config", folder / "u.yaml", "--json", folder / "r.json")
    assert code == 1, "the doses have a decimal comma"
    assert "cannot be read as a number" in errors
    code, _, errors = call(*line, "--config", folder / "u.yaml", *TEXT_FILE, "--json", folder / "r.json")
    assert code == 0, errors
    assert "column 'when': dates read as %m/%d/%Y" in read_as(folder)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--date-format", "%m/%d/%Y", "--date-format", "when=%m/%d/%Y"), "one format for all dates"),
        (("--date-format", "%m/%Y"), "does not give year, month and day"),
        (("--decimal", ";"), "--decimal"),
        (("--encoding", "nothing"), "no encoding"),
        (("--date-format", "wen=%m/%d/%Y"), "Did you mean 'when'"),
    ],
)
def test_options_that_make_no_sense(options: tuple[str, ...], expected: str, folder: Path, call: Run) -> None:
    given: Any = options if "--encoding" in options else ("--encoding", "cp1252", *options)
    code, _, errors = call(*words("hipaa", folder), *given)
    assert code in (1, 2)
    assert expected in errors


def test_the_command_of_the_issue(tmp_path: Path, call: Run) -> None:
    rows = "".join(
        f"{n},{n % 2},{n % 3},{n % 5 if n else 'unknown'},{n % 12 + 1}/1/2022\n" for n in range(60)
    )
    (tmp_path / "T.csv").write_text("id,a,b,ward,seen\n" + rows)
    options = ["--null", "unknown", "--date-format", "%m/%d/%Y", "--json", tmp_path / "r.json"]
    code, _, errors = call("table", "risk", tmp_path / "T.csv", "--quasi", "a,b", *options)
    assert code in (0, 3), errors
    assert "column 'seen': dates read as %m/%d/%Y" in read_as(tmp_path)
    assert "column 'ward': 1 cell read as missing" in read_as(tmp_path)
