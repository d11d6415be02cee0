"""`text deidentify` as a process of its own: what a sudden end leaves behind."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CANARY = "Qanarybird"
NUMBER = "55443322"
TEXTS = 1500
PATIENCE = 120


def call(*arguments: object) -> list[str]:
    program = "from reidrisk.cli.main import run; run()"
    return [sys.executable, "-c", program, "text", "deidentify", *map(str, arguments)]


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "notes.jsonl"
    text = f"Mr. Zeb {CANARY}, MRN {NUMBER}, was seen on 03/14/2019."
    path.write_text("".join(json.dumps({"id": str(number), "text": text}) + "\n" for number in range(TEXTS)))
    return path


@pytest.mark.parametrize("waits_for", [".out.jsonl.work/found.sqlite", ".reidrisk-*.work/*/out.jsonl"])
def test_a_sudden_end_leaves_no_text_that_others_could_read(
    notes: Path, tmp_path: Path, waits_for: str
) -> None:
    """Findings and keyed hashes, and the new texts so far, for the owner's eyes only."""
    options = ("--out", tmp_path / "out.jsonl", "--model", "none", "--jobs", 1, "--quiet")
    with subprocess.Popen(call(notes, *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        end = time.monotonic() + PATIENCE
        while not any(path.stat().st_size for path in tmp_path.glob(waits_for)):
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.001)
        process.kill()
        said = process.stdout.read() if process.stdout else b""
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "out.jsonl").exists()
    assert CANARY.encode() not in said
    left = list(tmp_path.iterdir())
    assert left
    assert all(path.stat().st_mode & 0o077 == 0 for path in left)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert CANARY.encode() not in kept
    assert CANARY.lower().encode() not in kept
    assert NUMBER.encode() not in kept
