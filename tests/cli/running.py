"""Commands run in the tests' own process, and the demo by the real program."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reidrisk.cli.main import run

Run = Callable[..., tuple[int, str, str]]
PROGRAM = str(Path(sys.executable).with_name("reidrisk"))


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit code, standard output, standard error. Always from the top: commands remember their context."""

    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        code = ended.value.code
        return (code if isinstance(code, int) else 0), captured.out, captured.err

    return call


def run_demo(folder: Path) -> None:
    """Run `reidrisk demo` by the real program: its files in `demo-output`, what it prints in `output.txt`."""
    made = folder / "demo-output"
    done = subprocess.run([PROGRAM, "demo", str(made)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (folder / "output.txt").write_text(done.stdout, encoding="utf-8")
