"""Commands run in the tests' own process."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reidrisk.cli.main import run

Run = Callable[..., tuple[int, str, str]]


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit code, standard output, standard error. Always from the top: commands remember their context."""

    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        code = ended.value.code
        return (code if isinstance(code, int) else 0), captured.out, captured.err

    return call
