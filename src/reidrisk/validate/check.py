"""A check: what it shows, how it is run, and what came of it."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from reidrisk.core.shell import pip_install

Phase = Literal["IQ", "OQ"]
"""Installation or operational qualification."""
Outcome = Literal["pass", "fail", "not run"]
PASSED: Outcome = "pass"
FAILED: Outcome = "fail"
NOT_RUN: Outcome = "not run"


class NotRun(Exception):
    """A check cannot be run on this machine; the text says why."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """What the program must do, in a sentence, and who asks for it."""

    id: str
    text: str
    source: str

    def to_dict(self) -> dict[str, str]:
        """As JSON types."""
        return {"id": self.id, "text": self.text, "source": self.source}


@dataclass(frozen=True, slots=True)
class Bench:
    """Where a check works, and how much of it is asked for."""

    folder: Path
    """An empty folder of its own, which is removed afterward."""
    full: bool = False
    quick: bool = False

    def draws(self, usual: int, *, full: int) -> int:
        """How often a simulation draws: in a quick run a quarter of what is usual."""
        return full if self.full else usual // 4 if self.quick else usual


@dataclass(frozen=True, slots=True)
class Observed:
    """What a check saw."""

    holds: bool
    text: str
    """In a sentence; every figure in it was computed in this run."""
    values: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    """Single values: id, source, expected, seen, holds."""


@dataclass(frozen=True, slots=True)
class Check:
    """One test of one or more requirements."""

    id: str
    phase: Phase
    title: str
    requirements: tuple[str, ...]
    test: str
    """What is done, in a sentence."""
    expected: str
    """What must be seen, in a sentence."""
    run: Callable[[Bench], Observed] = field(repr=False)
    packages: tuple[str, ...] = ()
    """Modules that it needs; without them it is not run."""
    extra: str = ""
    """The extra that installs them."""
    is_slow: bool = False
    """Whether a quick run leaves it out."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check with its result."""

    check: Check
    result: Outcome
    seen: str
    why: str | None
    """Why it was not run."""
    seconds: float
    values: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        own = self.check
        return {
            "id": own.id,
            "phase": own.phase,
            "title": own.title,
            "requirements": list(own.requirements),
            "test": own.test,
            "expected": own.expected,
            "seen": self.seen,
            "result": self.result,
            "why": self.why,
            "seconds": round(self.seconds, 2),
            "values": [dict(one) for one in self.values],
        }


def run_check(check: Check, bench: Bench) -> CheckResult:
    """Run a check. An error within it is a failure: it names the error and its place, and no data."""
    start = perf_counter()
    missing = [name for name in check.packages if find_spec(name) is None]
    if missing:
        why = f"{', '.join(missing)} not installed: {pip_install(check.extra)}"
        return CheckResult(check, NOT_RUN, "", why, perf_counter() - start)
    try:
        found = check.run(bench)
    except NotRun as reason:
        return CheckResult(check, NOT_RUN, "", str(reason), perf_counter() - start)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, the check did not pass
        return CheckResult(check, FAILED, _stopped(error), None, perf_counter() - start)
    result = PASSED if found.holds else FAILED
    return CheckResult(check, result, found.text, None, perf_counter() - start, found.values)


def _stopped(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"Stopped by an error: {type(error).__name__} at {Path(place.filename).name}:{place.lineno}."
