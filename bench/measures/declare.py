"""What a measure is: a question, our figure, what it is compared with, the goal, and why it may be missed.

A measure is a function that takes a `Setup` and yields rows and curves. Goals and explanations are texts of
the declaration; every figure comes from the run.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from timing import Process

Kind = Literal["peer", "limit", "seconds", "loss"]
"""Compared with a peer's time, a physical limit, a number of seconds, or a peer's loss of information."""
SHARED = Path(__file__).parents[3] / "shared" / "data"
COMMAND = (sys.executable, "-c", "from reidrisk.cli.main import run; raise SystemExit(run())")
LAUNCH = Path(__file__).parents[1] / "timing.py"


LARGE_ENOUGH = (
    "The size of quick runs was enlarged after a first look, so that what reidrisk does once in every run "
    "does not decide; with smaller data the peer comes off better"
)
"""Said with rows that compare a peer's loops with a function that always computes more than it."""


class NotMeasured(Exception):
    """A measure that is impossible here, and the reason for the page."""


@dataclass(frozen=True)
class Timing:
    """Seconds on the clock and of all processors; memory where a whole process was measured."""

    seconds: float
    cpu: float
    megabytes: float | None = None


@dataclass(frozen=True)
class Goal:
    """How good is good enough, where the number comes from, and why it may be missed."""

    kind: Kind
    value: float
    why: str
    """Shown on the page if the goal is missed."""


@dataclass(frozen=True)
class Row:
    """One comparison."""

    question: str
    data: str
    goal: Goal
    ours: Timing | float
    other: Timing | float | None
    against: str
    """What `other` is."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": _ratio(self.goal.kind, self.ours, self.other, self.goal.value)}


@dataclass(frozen=True)
class Curve:
    """How time grows with size."""

    question: str
    data: str
    axis: str
    goal: float
    """Largest acceptable exponent between the last two points, where start-up matters least."""
    why: str
    against: str
    """What the seconds of `floor` in a point are; empty if there are none."""
    points: list[dict[str, Any]] = field(default_factory=list)

    def add(self, size: int, ours: Timing | None, floor: Timing | None = None, note: str = "") -> None:
        """A point; without a time, the note says why."""
        found = {"size": size, "ours": asdict(ours) if ours else None, "note": note}
        self.points.append(found | {"floor": asdict(floor) if floor else None})

    def to_dict(self) -> dict[str, Any]:
        timed = [(one["size"], one["ours"]["seconds"]) for one in self.points if one["ours"]]
        return {**asdict(self), "exponent": exponent(timed), "tail": exponent(timed[-2:])}


@dataclass(frozen=True)
class Setup:
    """What a measure gets: how large it may be, a folder of its own, and where the peers are."""

    quick: bool
    folder: Path
    peers: Path
    patience: float
    """Limits in seconds are multiplied by this, for busy machines."""

    def pick(self, quick: int, full: int) -> int:
        return quick if self.quick else full

    def peer(self, name: str, *given: str) -> dict[str, Any]:
        """Run a peer's script in the Python that has it."""
        from peers_setup import missing_reason, peer_python, run_peer

        reason = missing_reason(self.peers, name)
        if reason:
            raise NotMeasured(f"{name} is not installable here: {reason}")
        return run_peer(peer_python(self.peers, name), name, given)


Found = Iterator[Row | Curve]


@dataclass(frozen=True)
class Measure:
    """One process of the run."""

    name: str
    work: Callable[[Setup], Found]
    quick_seconds: int
    """Time limit of a quick run on an idle machine."""
    full_seconds: int


def _ratio(kind: Kind, ours: Timing | float, other: Timing | float | None, goal: float) -> dict[str, Any]:
    """The ratio by the clock and by the processors, and whether the goal is met by the first."""
    if kind == "seconds":
        assert isinstance(ours, Timing)
        return {"clock": ours.seconds / goal, "cpu": ours.cpu / goal, "met": ours.seconds <= goal}
    if kind == "loss":
        assert isinstance(ours, float)
        assert isinstance(other, float)
        return {"clock": ours / other, "cpu": None, "met": ours <= other * goal}
    assert isinstance(ours, Timing)
    assert isinstance(other, Timing)
    if kind == "peer":
        clock, cpu = other.seconds / ours.seconds, other.cpu / ours.cpu
        return {"clock": clock, "cpu": cpu, "met": clock >= goal}
    clock, cpu = ours.seconds / other.seconds, ours.cpu / other.cpu
    return {"clock": clock, "cpu": cpu, "met": clock <= goal}


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """Slope of a straight line through the logarithms, by least squares."""
    if len(points) < 2:
        return None
    sizes, seconds = (np.log([point[at] for point in points]) for at in (0, 1))
    slope = float(np.polyfit(sizes, seconds, 1)[0])
    return slope if math.isfinite(slope) else None


def timed(work: Callable[[], object]) -> Timing:
    """One run in this process."""
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    return Timing(time.perf_counter() - clock, time.process_time() - cpu)


def least(runs: Sequence[Timing]) -> Timing:
    """The run least disturbed by others: the shortest by the clock, the least of the processors."""
    memory = [one.megabytes for one in runs if one.megabytes is not None]
    return Timing(
        min(one.seconds for one in runs), min(one.cpu for one in runs), min(memory) if memory else None
    )


def in_turns(
    ours: Callable[[], Timing], other: Callable[[], Timing], *, runs: int = 3
) -> tuple[Timing, Timing]:
    """Both in turns, so that other work on the machine disturbs both alike."""
    found = [(ours(), other()) for _ in range(runs)]
    return least([one for one, _ in found]), least([one for _, one in found])


def command(*given: str, program: Sequence[str] = COMMAND, limit: float | None = None) -> Timing:
    """A whole command as a user types it; a verdict of "too high" is a result, not an error."""
    launch = (sys.executable, "-I", "-S", str(LAUNCH), *program, *given)
    with subprocess.Popen(launch, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0) as child:
        try:
            told, said = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired as late:
            os.killpg(child.pid, signal.SIGKILL)
            raise NotMeasured(f"not finished within {limit:.0f} s") from late
    done = Process(**json.loads(told))
    if done.exit_code not in (0, 3):
        problem = said.decode(errors="replace").strip()[-300:]
        raise NotMeasured(f"the command ended with exit code {done.exit_code}: {problem}")
    return Timing(done.seconds, done.cpu, done.megabytes)


def knows_option(*words: str, option: str) -> bool:
    """Whether a command of this version has an option."""
    help_ = subprocess.run([*COMMAND, *words, "--help"], capture_output=True, text=True, check=True)
    return option in help_.stdout
