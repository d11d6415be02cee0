"""A seeded share of the faults that `make test-faults` injects, and signals to real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reidrisk.cli.main import reidrisk
from tests.faults.cases import CASES
from tests.faults.run import strike
from tests.faults.trial import CANARY, Case
from tests.test_canary import every_command

FAULTS = 3
"""Of each command here."""
SHARE = ("table risk", "table deidentify", "table key", "text deidentify (folder)", "text deidentify (CSV)",
         "document review", "document anonymize", "document verify", "context score", "init")  # fmt: skip
"""Commands that take little time; the others are struck by `make test-faults`."""
WRITES_NOTHING = ("check", "schema", "release list", "release jobs", "release try")
ELSEWHERE = ("release apply", "release roles", "release start", "release stop", "account remove", "serve")
"""They write as others do, or through another process, which tests kill."""
PATIENCE = 120

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the faults use /proc and signals"
)


def test_every_command_that_writes_has_a_case() -> None:
    """A new command fails here until it has a case, or is found to write nothing."""
    struck = {
        name
        for name in every_command(reidrisk)
        for case in CASES
        if f"{case.arguments} ".startswith(f"{name} ")
    }
    assert sorted(every_command(reidrisk)) == sorted({*struck, *WRITES_NOTHING, *ELSEWHERE})
    assert not struck & {*WRITES_NOTHING}
    names = [case.name for case in CASES]
    assert sorted({*names}) == sorted(names)
    assert {*SHARE} <= {*names}


@pytest.mark.parametrize("case", [case for case in CASES if case.name in SHARE], ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # a process with threads is copied
def test_nothing_is_lost(case: Case, tmp_path: Path) -> None:
    tally = strike(case, tmp_path / "bench", seed=20, most=FAULTS)
    assert tally.faults == FAULTS
    assert not tally.losses, "\n".join(tally.losses)


def long_run(folder: Path) -> subprocess.Popen[bytes]:
    """A command that takes some seconds, with two worker processes."""
    text = f"Mr. Zeb {CANARY} was seen on 03/14/2019. " * 40
    (folder / "notes").mkdir()
    for number in range(900):
        (folder / "notes" / f"{number}.txt").write_text(text)
    (folder / "tmp").mkdir()
    words = ("text", "deidentify", "notes", "--out", "out", "--model", "none", "--jobs", "2")
    return subprocess.Popen(
        [sys.executable, "-c", "from reidrisk.cli.main import run; run()", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | {"TMPDIR": str(folder / "tmp")},
        start_new_session=True,
    )


def children(group: int) -> list[int]:
    """Processes of a session that still live."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(parts[3]) == group and parts[0] != "Z":
            found.append(int(status.parent.name))
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda one: one.name)
def test_a_signal_ends_the_command_and_its_workers(number: signal.Signals, tmp_path: Path) -> None:
    process = long_run(tmp_path)
    end = time.monotonic() + PATIENCE
    while len(children(process.pid)) < 4 and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)  # the command, the tracker of resources and two workers
    assert process.poll() is None
    process.send_signal(number)
    said, _ = process.communicate(timeout=PATIENCE)
    while children(process.pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert children(process.pid) == []
    assert CANARY.encode() not in said
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "tmp").iterdir()) == []
    if number == signal.SIGKILL:
        return
    assert (process.returncode, said) == (1, b"Stopped.\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".out.work", "notes", "tmp"]
    assert (tmp_path / ".out.work").stat().st_mode & 0o077 == 0
