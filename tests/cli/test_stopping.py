"""A command that is asked to stop says so, whatever the packages below make of the signal."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from reidrisk.cli import main
from reidrisk.errors import BadData


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
@pytest.mark.parametrize("error", [RuntimeError("Query interrupted"), BadData("It is damaged.", hint="-")])
def test_an_error_after_a_signal_is_a_stop(
    number: signal.Signals,
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(**_: Any) -> None:
        try:
            os.kill(os.getpid(), number)
            signal.sigtimedwait([], 5)  # the handler runs before this ends
        except KeyboardInterrupt:
            raise error from None

    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    signal.signal(signal.SIGINT, signal.default_int_handler)  # others may have set their own
    monkeypatch.setattr(main.reidrisk, "main", interrupted)
    try:
        with pytest.raises(SystemExit) as ended:
            main.run([])
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    assert ended.value.code == 1
    assert capsys.readouterr().err == "Stopped.\n"


def test_an_error_without_a_signal_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(**_: Any) -> None:
        raise BadData("It is damaged.", hint="Get another one.")

    monkeypatch.setattr(main.reidrisk, "main", failing)
    with pytest.raises(SystemExit) as ended:
        main.run([])
    assert ended.value.code == 1
    assert "It is damaged." in capsys.readouterr().err
