"""Errors on their way from a worker to the user, without any value of the data."""

from __future__ import annotations

import base64
import json
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reidrisk.errors import ReidRiskError, SparkFailure

_MARKED = re.compile(r"<<reidrisk:([A-Za-z0-9+/=]+)>>")
_NOT_INSTALLED = re.compile(r"ModuleNotFoundError: No module named '(reidrisk|pyarrow|pandas|numpy)")


class WorkerFailure(Exception):
    """Raised in a worker instead of an error that could quote data; carries our own message, if any."""


@contextmanager
def without_values() -> Iterator[None]:
    """In a worker: errors leave without values, because Spark writes them to its logs."""
    try:
        yield
    except ReidRiskError as error:
        raise WorkerFailure(packed(error)) from None
    except Exception as error:  # noqa: BLE001 - whatever it is, its message may quote a text
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}, line {frame.lineno}"
        raise WorkerFailure(_marked("", f"{type(error).__name__} in {place}", "")) from None


def packed(error: ReidRiskError) -> str:
    """An error of ours as a text that survives Spark, whatever Spark writes around it."""
    return _marked(type(error).__name__, error.problem, error.hint)


def unpacked(text: str) -> ReidRiskError | None:
    """The error that is packed in the text of one of Spark's, if there is one."""
    found = _MARKED.search(text)
    if found is None:
        return None
    kind, problem, hint = json.loads(base64.b64decode(found[1]))
    if kind in (known := _kinds(ReidRiskError)):
        return known[kind](problem, hint=hint)
    return SparkFailure(
        f"A Spark worker failed: {problem}.",
        hint="Check the disks and the memory of the workers, then repeat the command with --resume.",
    )


def _marked(kind: str, problem: str, hint: str) -> str:
    return f"<<reidrisk:{base64.b64encode(json.dumps([kind, problem, hint]).encode()).decode()}>>"


@contextmanager
def job_errors() -> Iterator[None]:
    """On the driver: a failed job becomes one clear error."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError, EOFError) as error:
        failure = _clear(str(error))
    else:
        return
    raise failure from None


def _clear(text: str) -> ReidRiskError:
    ours = unpacked(text)
    if ours is not None:
        return ours
    missing = _NOT_INSTALLED.search(text)
    if missing is not None:
        return SparkFailure(
            f"A Spark worker has no package {missing[1]}.",
            hint="Install 'reidrisk[spark,text]' in the same version on every worker, and set PYSPARK_PYTHON "
            "to its Python.",
        )
    return SparkFailure(
        "Spark stopped before the work was done.",
        hint="The logs of the master and the workers say why. Repeat the command with --resume.",
    )


def _kinds(base: type[ReidRiskError]) -> dict[str, type[ReidRiskError]]:
    """The kinds of errors by name."""
    found = {base.__name__: base}
    for kind in base.__subclasses__():
        found |= _kinds(kind)
    return found
