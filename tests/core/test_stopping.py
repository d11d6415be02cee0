"""Work is stopped from outside, wherever it is."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from reidrisk.core.stopping import StopRequest, check_stop, stoppable
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.session import start_session
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import Cancelled

LONG = "SELECT count(*) FROM range(3000000000) a WHERE hash(a.range) % 7 = 1"


class Button:
    """Asks to stop once it is pressed."""

    def __init__(self, wanted: StopRequest = "cancel") -> None:
        self.wanted, self.is_pressed = wanted, False

    def __call__(self) -> StopRequest | None:
        return self.wanted if self.is_pressed else None


def pressed_soon(button: Button) -> Button:
    threading.Timer(0.2, lambda: setattr(button, "is_pressed", True)).start()
    return button


def test_places_where_work_can_end() -> None:
    button = Button()
    with stoppable(button):
        check_stop()
    check_stop()
    button.is_pressed = True
    with pytest.raises(Cancelled), stoppable(button):
        check_stop()
    best = Button("best")
    best.is_pressed = True
    with stoppable(best):
        check_stop()


def test_python_is_interrupted_in_the_main_thread() -> None:
    with pytest.raises(Cancelled), stoppable(pressed_soon(Button())):
        time.sleep(60)


def test_python_is_interrupted_where_ctrl_c_is_ignored() -> None:
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stoppable(Button()):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(Cancelled), stoppable(pressed_soon(Button())):
            time.sleep(60)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, usual)


def test_a_query_is_interrupted_in_any_thread() -> None:
    ended: list[type[BaseException]] = []

    def work() -> None:
        try:
            with stoppable(pressed_soon(Button())), without_values("a table"):
                session = start_session(ScanSettings())
                session.connection.execute(LONG).fetchall()
        except Cancelled as error:
            ended.append(type(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [Cancelled]


def test_ctrl_c_is_still_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt), stoppable(Button()):
        raise KeyboardInterrupt
