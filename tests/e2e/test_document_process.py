"""`document anonymize` as a process of its own that ends suddenly: nothing is left that was not proved."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documents.making import AGE, MAKERS, PERSON, TEXT, text_of

PATIENCE = 120
VALUES = (PERSON, AGE)
Moment = Callable[[Path], bool]
HOLDER = ".reidrisk-*.work"
"""The hidden folder in which a document is written, in a folder of its own."""


def is_begun(out: Path) -> bool:
    return any(out.glob(f"{HOLDER}/*/"))


def is_full(out: Path) -> bool:
    return any(part.stat().st_size for part in out.glob(f"{HOLDER}/*/*"))


MOMENTS: dict[str, tuple[Moment, float]] = {
    "folder": (is_begun, 0.0),
    "bytes": (is_full, 0.0),
    "proof": (is_full, 0.05),
    "later": (is_full, 0.3),
}
"""When the process is killed: what it has done, and how many seconds after that."""


class Case:
    """A document, the values to remove, and the folders that the command may write to."""

    def __init__(self, folder: Path, suffix: str) -> None:
        pages = TEXT if suffix != ".pdf" else [TEXT] * 12
        self.source = MAKERS[suffix](folder / f"csr{suffix}", pages)  # type: ignore[call-arg]
        self.values, self.out, self.temporary = folder / "values.txt", folder / "out", folder / "tmp"
        self.values.write_text("\n".join(VALUES))
        self.temporary.mkdir()

    def start(self) -> subprocess.Popen[bytes]:
        given = ["document", "anonymize", self.source, "--values", self.values, "--out", self.out]
        return subprocess.Popen(
            [sys.executable, "-c", "from reidrisk.cli.main import run; run()", *map(str, given)],
            stdout=subprocess.DEVNULL,
            env=os.environ | {"TMPDIR": str(self.temporary)},
        )

    def killed(self, moment: Moment, after: float) -> bool:
        """Whether a run was killed at a moment, and not too late."""
        with self.start() as process:
            end = time.monotonic() + PATIENCE
            while not moment(self.out) and process.poll() is None and time.monotonic() < end:
                time.sleep(0.001)
            time.sleep(after)
            process.kill()
        return process.returncode == -signal.SIGKILL

    def left(self) -> list[Path]:
        """Every file in the folder for documents, hidden or not."""
        return [path for path in self.out.rglob("*") if path.is_file() and path.name != ".lock"]


@pytest.fixture(params=[".pdf", ".docx"])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    return Case(tmp_path, request.param)


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_any_moment_it_leaves_nothing_to_open(case: Case, moment: str) -> None:
    was_killed = case.killed(*MOMENTS[moment])
    for path in case.left():
        if path == case.out / case.source.name:
            assert not was_killed or moment in ("proof", "later")
            assert not any(value in text_of(path) for value in VALUES)
        else:
            assert path.suffix == ".unproved"
            assert path.parent.parent.parent == case.out
            assert path.parent.parent.match(HOLDER)
    assert not list(case.temporary.rglob("*"))


def test_the_next_run_removes_what_is_left(case: Case) -> None:
    assert case.killed(*MOMENTS["bytes"])
    assert case.left()
    with case.start() as process:
        assert process.wait(PATIENCE) == 0
    assert list(case.out.iterdir()) == [case.out / case.source.name]
    assert not any(value in text_of(case.out / case.source.name) for value in VALUES)
    assert not list(case.temporary.rglob("*"))
