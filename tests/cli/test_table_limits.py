"""--memory, --cores and --temp on every table command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reidrisk.cli.table import command as table_commands
from reidrisk.core.limits import Limits, limits_now
from reidrisk.engine.duckdb import session, table
from tests.cli.running import Run

RULES = "age: {kind: number, levels: [10]}\n"
STEPS = "steps:\n- {kind: sample, share: 0.5}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "".join(f"{n},{'MF'[n % 2]},{30 + n % 3}\n" for n in range(60))
    (tmp_path / "t.csv").write_text(f"visit,sex,age\n{rows}", encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(RULES, encoding="utf-8")
    (tmp_path / "steps.yaml").write_text(STEPS, encoding="utf-8")
    (tmp_path / "work").mkdir()
    return tmp_path


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Limits]:
    """The limits within which databases were started."""
    found: list[Limits] = []
    original = session.start_session

    def noted(settings: Any) -> Any:
        found.append(limits_now())
        return original(settings)

    monkeypatch.setattr(table, "start_session", noted)
    return found


COMMANDS: dict[str, tuple[str, ...]] = {
    "suggest": ("t.csv", "--hierarchies", "drafted.yaml"),
    "risk": ("t.csv", "--quasi", "sex,age", "--other", "visit=needed", "--population", "t.csv"),
    "hipaa": ("t.csv",),
    "preview": ("t.csv", "--hierarchies", "rules.yaml"),
    "deidentify": (
        *("t.csv", "--quasi", "sex,age", "--hierarchies", "rules.yaml", "--other", "visit=needed"),
        *("--out", "out.csv"),
    ),
    "transform": ("t.csv", "--config", "steps.yaml", "--out", "out.csv"),
    "attack": ("t.csv", "--against", "t.csv", "--quasi", "sex,age"),
    "utility": ("t.csv", "--against", "t.csv"),
    "classes": ("t.csv", "--quasi", "sex,age"),
}


def test_every_command_that_opens_a_table_is_here() -> None:
    with_limits = {
        name
        for name, one in table_commands.commands.items()
        if {"memory", "cores", "temp"} <= {option.name for option in one.params}
    }
    assert with_limits == set(COMMANDS)
    assert set(table_commands.commands) - with_limits == {"key", "explore"}  # these open no table


@pytest.mark.parametrize("name", COMMANDS)
def test_every_table_is_opened_within_the_limits(
    name: str, command: Run, folder: Path, seen: list[Limits], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    limits = ("--memory", "1GB", "--cores", "1", "--temp", "work")
    code, _, error = command("table", name, *COMMANDS[name], *limits)
    assert code in (0, 3), error
    assert seen
    assert set(seen) == {Limits(memory="1GB", cores=1, temp="work")}
    assert not list((folder / "work").iterdir())


def test_limits_that_make_no_sense_are_wrong_usage(command: Run, folder: Path) -> None:
    for option, value, problem in (
        ("--memory", "much", "memory limit"),
        ("--memory", "1MB", "too little"),
        ("--cores", "0", "--cores"),
    ):
        code, _, error = command("table", "risk", folder / "t.csv", "--quasi", "sex", option, value)
        assert code == 2
        assert problem in error
