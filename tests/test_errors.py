"""Errors carry nothing of the data, not even in what they are chained to."""

from __future__ import annotations

import ast
import pickle
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import reidrisk
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError

SOURCE = Path(reidrisk.__file__).parent
CANARY = "Qanarybird"
FROM_A_NAME = re.compile(r"\bfrom (?!None\b)\w+\s*(#.*)?$", re.MULTILINE)
"""How a line ends that chains an error; few modules have one, and only they are parsed."""


def chained() -> None:
    try:
        int(CANARY)
    except ValueError as error:
        raise BadData("It is wrong.", hint="Correct it.") from error


def handled() -> None:
    try:
        int(CANARY)
    except ValueError:
        raise BadData("It is wrong.", hint="Correct it.")  # noqa: B904 - that it is not chained by hand


def wrapped() -> None:
    @contextmanager
    def renamed() -> Iterator[None]:
        try:
            yield
        except KeyError:
            raise BadData("It is wrong.", hint="Correct it.") from None

    with ExitStack() as stack:
        stack.enter_context(renamed())
        stack.enter_context(renamed())
        raise KeyError(CANARY)


@pytest.mark.parametrize("fail", [chained, handled, wrapped])
def test_no_error_is_chained(fail: Callable[[], None]) -> None:
    with pytest.raises(BadData) as caught:
        fail()
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    for slot in ("__cause__", "__context__"):
        assert BaseException.__dict__[slot].__get__(error) is None, "Python itself has forgotten it, too"
    assert CANARY not in "".join(traceback.format_exception(error))
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(again), str(again)) == (BadData, str(error))


def test_an_error_of_another_process_may_be_given_a_cause() -> None:
    error = InvalidSetting("It is wrong.", hint="Correct it.")
    error.__cause__ = ValueError(CANARY)
    error.__context__ = ValueError(CANARY)
    assert CANARY not in "".join(traceback.format_exception(error))


def test_the_code_chains_no_error_by_hand() -> None:
    """It would hand on what another package said; core/files.py chains errors of the system only."""
    by_hand = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in sorted(SOURCE.rglob("*.py"))
        if FROM_A_NAME.search(text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Raise) and isinstance(node.cause, ast.Name)
    ]
    assert by_hand, "those of the system are found"
    assert [place for place in by_hand if not place.startswith("core/files.py")] == []


def test_the_base_has_all() -> None:
    assert issubclass(BadData, ReidRiskError)
