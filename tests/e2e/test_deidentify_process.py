"""`table deidentify` as a process of its own: a full disk, a sudden end, Ctrl-C."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")

CANARY = "CANARY7391"
LIMIT = 100_000
"""Bytes of the largest file that the process may write, in the place of a full disk."""
WIDTHS = "[{width: 2}, {width: 4}, {width: 8}, {width: 16}, {width: 32}]"
PATIENCE = 120


def call(*arguments: object) -> list[str]:
    return [
        sys.executable,
        "-c",
        "from reidrisk.cli.main import run; run()",
        "table",
        "deidentify",
        *map(str, arguments),
    ]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Larger than the limit in every format."""
    path = tmp_path_factory.mktemp("data") / "t.csv"
    rng = random.Random(3)  # noqa: S311 - no secret
    rows = (f"{'FM'[row % 2]},{rng.choice('NSEW')},{CANARY} {rng.random()}" for row in range(12_000))
    path.write_text("\n".join(["sex,region,note", *rows]) + "\n")
    return path


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))


FORMATS = ("csv", "parquet", "arrow", "sqlite", "duckdb", "xpt", "dta", "xlsx")
EACH = """
import sys
from reidrisk.cli.main import run

common = sys.argv[:-1]
for out in sys.argv[-1].split(","):
    sys.argv = [*common, "--out", out]
    try:
        run()
    except SystemExit as end:
        print(f"exit code {end.code} of {out}", file=sys.stderr)
"""
"""The command as a program runs it, for one format after the other."""


def test_a_full_disk_leaves_nothing(table: Path, tmp_path: Path) -> None:
    outs = [f"out.{name}" for name in FORMATS]
    for name in outs:
        (tmp_path / name).write_text("the old file")
    words = ("--quasi", "sex,region", "--other", "note=a test", "--overwrite", ",".join(outs))
    done = subprocess.run(
        [sys.executable, "-c", EACH, "table", "deidentify", str(table), *words],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_PROCESS")},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    *said, end = re.split(r"^exit code (.+)\n", done.stderr, flags=re.MULTILINE)
    assert said[1::2] == [f"1 of {name}" for name in outs]
    assert end == ""
    assert ["cannot be written" in one for one in said[::2]] == [True] * len(outs)
    assert CANARY not in done.stdout + done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(outs)
    assert {path.read_text() for path in tmp_path.iterdir()} == {"the old file"}


def test_a_sudden_end_leaves_no_half_table(table: Path, tmp_path: Path) -> None:
    """The work folder stays for its owner alone; under the name of the table there is nothing."""
    out = tmp_path / "out.xlsx"
    with subprocess.Popen(
        call(table, "--quasi", "sex,region", "--other", "note=a test", "--out", out, "--quiet")
    ) as process:
        end = time.monotonic() + PATIENCE
        while (
            not list(tmp_path.glob(".*.work/*/out.xlsx"))
            and process.poll() is None
            and time.monotonic() < end
        ):
            time.sleep(0.001)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not out.exists()
    assert all(path.suffix == ".work" for path in tmp_path.iterdir())
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.iterdir())


def long_search(folder: Path) -> tuple[Path, Path]:
    """A lattice of 282 million nodes."""
    rng = random.Random(5)  # noqa: S311 - no secret
    names = [f"q{place}" for place in range(10)]
    rows = [",".join(str(min(63, int(rng.expovariate(0.08)))) for _ in names) for _ in range(3000)]
    (folder / "long.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    lines = [f"  {name}: {{kind: number, levels: {WIDTHS}, suppress: true}}" for name in names]
    (folder / "long.yaml").write_text(
        "\n".join([f"quasi: [{', '.join(names)}]", "hierarchies:", *lines]) + "\n"
    )
    return folder / "long.csv", folder / "long.yaml"


def until(terminal: int, words: bytes) -> bytes:
    seen = b""
    while words not in seen:
        try:
            seen += os.read(terminal, 4096)
        except OSError:  # the other side has ended
            break
    return seen


def test_ctrl_c_gives_the_best_so_far(tmp_path: Path) -> None:
    table, config = long_search(tmp_path)
    out = tmp_path / "out.csv"
    ours, theirs = pty.openpty()
    arguments = call(table, "--config", config, "--out", out)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        until(ours, b" nodes")
        process.send_signal(signal.SIGINT)
        assert b"Stopping with the best solution found so far" in until(ours, b"quit without one.")
        said, _ = process.communicate(timeout=PATIENCE)
    os.close(ours)
    assert process.returncode == 0
    assert "NOT PROVEN TO BE THE BEST" in said
    assert "The search was interrupted" in said
    assert len(out.read_text().splitlines()) > 2000


def test_two_ctrl_c_give_up(tmp_path: Path) -> None:
    table, config = long_search(tmp_path)
    ours, theirs = pty.openpty()
    arguments = call(table, "--config", config, "--out", tmp_path / "out.csv")
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        until(ours, b" nodes")
        process.send_signal(signal.SIGINT)
        until(ours, b"quit without one.")
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=PATIENCE)
    os.close(ours)
    assert process.returncode in {0, 1}
    assert (tmp_path / "out.csv").exists() == (process.returncode == 0)
    assert not list(tmp_path.glob(".*.work"))
    assert process.returncode == 0 or said == ""
