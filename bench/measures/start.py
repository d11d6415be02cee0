"""Whole commands: how long a user waits, from typing to the answer."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from measures.declare import SHARED, Found, Goal, Measure, Row, Setup, command, in_turns, least
from measures.made import ADULT, write_adult

START = (
    "Most of it is start-up: Python loads NumPy, DuckDB and the modules of reidrisk before the first "
    "record is read."
)


def adult(folder: Path) -> tuple[Path, Path, str]:
    """Adult where it is beside the project, a generated table of the same shape elsewhere."""
    real = SHARED / "adult" / "adult.csv"
    if real.is_file():
        shutil.copyfile(real, folder / "adult.csv")
        return folder / "adult.csv", real.parent, "Adult, 30,162 records, 9 quasi-identifiers"
    made, _ = write_adult(folder, 30_162)
    return made, folder, "generated table like Adult (Adult is not beside the project), 30,162 records"


def commands(setup: Setup) -> Found:
    table, hierarchies, data = adult(setup.folder)
    help_, python = in_turns(
        lambda: command("--help"), lambda: command("-c", "pass", program=(sys.executable,)), runs=5
    )
    slow_help = Goal("limit", 10, "Help imports the command line library and the list of commands.")
    yield Row("`reidrisk --help`", "none", slow_help, help_, python, "Python that does nothing")
    runs = setup.pick(4, 7)
    quasi = ",".join(ADULT)
    given: tuple[str, ...] = ("table", "risk", str(table), "--quasi", quasi, "--quiet")
    risk = least([command(*given) for _ in range(runs)])
    yield Row("`reidrisk table risk`", data, Goal("seconds", 1, START), risk, None, "one second")
    out = str(setup.folder / "out.csv")
    given = ("table", "deidentify", str(table), "--quasi", quasi, "--hierarchies", str(hierarchies))
    given += ("--max-suppression", "0.02", "--suppress", "records", "--out", out, "--quiet")
    release = least([command(*given) for _ in range(runs)])
    why = f"{START} The search also loads the runtime of the compiler."
    yield Row("`reidrisk table deidentify`", data, Goal("seconds", 1, why), release, None, "one second")


def large_lattice(setup: Setup) -> Found:
    columns = (*ADULT, "place")
    table, _ = write_adult(setup.folder, 73_489, columns=columns)
    given: tuple[str, ...] = ("table", "deidentify", str(table), "--quasi", ",".join(columns))
    given += ("--hierarchies", str(setup.folder), "--max-suppression", "0.02", "--suppress", "records")
    given += ("--out", str(setup.folder / "out.csv"), "--quiet")
    release = least([command(*given) for _ in range(setup.pick(2, 4))])
    why = (
        "More than half of the processor time are two searches beside each other, for the best node and for "
        "all minimal ones; each counts thousands of nodes from a table of nearly as many tuples as records. "
        "The rest is start-up, reading, writing and checking."
    )
    data = "generated, 73,489 records, 10 quasi-identifiers, 116,640 nodes"
    goal = Goal("seconds", 2, why)
    yield Row("`reidrisk table deidentify`, large lattice", data, goal, release, None, "two seconds")


MEASURES = (
    Measure("start", commands, 60, 120),
    Measure("large_lattice", large_lattice, 60, 120),
)
