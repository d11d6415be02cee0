"""Puts small faults into the statistics and the code that decides, and counts those that no test notices.

    python bench/mutants.py [--sample 1000] [--seed 7] [--only stats/leak.py ...] [--map FILE] [--jobs 2]

First every test runs once, to see which functions it calls and how long it takes (kept in FILE). Then each
fault runs in a process of its own, with the tests that call its function, the fastest first. Compiled loops
run as plain Python. Exit code 1 if fewer than 90 % of the faults are noticed.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import IO, Any

import pytest
from _pytest.runner import runtestprotocol

from mutations import Mutant, mutants_of, mutated_code
from reidrisk.stats.compiled import CompiledLoop

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "reidrisk"
DECIDES = (
    "core/classes.py", "core/estimate.py", "core/threshold.py", "context", "text/assess.py", "text/gates.py",
    "text/models.py", "text/observed.py", "text/tally.py", "text/verdict.py", "tables/measure.py",
    "tables/risk.py", "tables/sampling.py", "tables/sensitive.py", "population/risk.py", "documents/risk",
    "assess/judgement.py", "assess/verdict.py",
)  # fmt: skip
TESTS = (
    "tests/stats", "tests/papers", "tests/core", "tests/context", "tests/text", "tests/tables",
    "tests/population", "tests/documents/risk", "tests/assess", "src/reidrisk/stats",
)  # fmt: skip
ENOUGH = 0.9
SLOWEST, TOGETHER = 6.0, 40.0
"""Seconds: tests that take longer are left out; so much of tests is run for one fault."""


def files(only: Sequence[str]) -> Iterator[str]:
    """The files that get faults, relative to the package."""
    for name in only or ("stats", *DECIDES):
        place = SOURCE / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            yield path.relative_to(SOURCE).as_posix()


def key_of(code: CodeType) -> str | None:
    """File and function of a piece of code of the package."""
    if not code.co_filename.startswith(str(SOURCE)):
        return None
    return f"{os.path.relpath(code.co_filename, SOURCE)}|{code.co_qualname.split('.<locals>')[0]}"


class Watch:
    """Which functions are called."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self._keys: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code not in self._keys:
            self._keys[code] = key_of(code)
        key = self._keys[code]
        if key is not None:
            self.seen.add(key)


class InOwnProcesses:
    """Runs pieces of work in forked processes, a few at a time; each writes one line of JSON."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.waiting: dict[int, tuple[Any, IO[bytes], float]] = {}

    def run(self, works: Iterable[tuple[Any, Any, float]]) -> Iterator[tuple[Any, Any]]:
        """Each (name, work, seconds); yields its name and what it wrote, None if it died or took too long."""
        for name, work, limit in works:
            while len(self.waiting) >= self.jobs:
                yield self._one()
            said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is read
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                self._work(work, said)
            self.waiting[child] = name, said, time.monotonic() + limit
        while self.waiting:
            yield self._one()

    @staticmethod
    def _work(work: Any, said: IO[bytes]) -> None:
        os.setsid()
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        resource.setrlimit(resource.RLIMIT_AS, (16 * 2**30, 16 * 2**30))
        code = 1
        try:
            said.write(json.dumps(work()).encode())
            said.flush()
            code = 0
        finally:
            os._exit(code)

    def _one(self) -> tuple[Any, Any]:
        while True:
            for child, (name, said, end) in list(self.waiting.items()):
                late = time.monotonic() > end
                if late:
                    os.killpg(child, signal.SIGKILL)
                ended, status = os.waitpid(child, 0 if late else os.WNOHANG)
                if not ended:
                    continue
                del self.waiting[child]
                with said:
                    said.seek(0)
                    return name, json.loads(said.read()) if status == 0 else None
            time.sleep(0.01)


class Plugin:
    """Takes the collected tests, and runs them as often as there are faults."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.items: dict[str, pytest.Item] = {}
        self.noticed: dict[Mutant, bool] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        found = self.calls()
        tests = defaultdict(list)
        for test, (seconds, functions) in found.items():
            for function in functions:
                tests[function].append((seconds, test))
        self.run(sample(self.asked), tests)
        return True

    def calls(self) -> dict[str, tuple[float, list[str]]]:
        """Seconds and functions of each test that passes as it is."""
        kept = self.asked.map
        if kept and kept.is_file():
            found: dict[str, tuple[float, list[str]]] = json.loads(kept.read_text())
            return {test: one for test, one in found.items() if test in self.items}
        by_file: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in self.items.values():
            by_file[str(item.path)].append(item)
        works = ((name, lambda own=own: watched(own), 900.0) for name, own in by_file.items())
        found = {}
        for name, own in InOwnProcesses(self.asked.jobs).run(works):
            print(f"{os.path.relpath(name, ROOT)}: {'no answer' if own is None else len(own)}", flush=True)
            found.update(own or {})
        if kept:
            kept.write_text(json.dumps(found))
        return found

    def run(self, mutants: list[Mutant], tests: dict[str, list[tuple[float, str]]]) -> None:
        sources = {one.file: (SOURCE / one.file).read_text(encoding="utf-8") for one in mutants}
        works = []
        for one in mutants:
            chosen = in_time(sorted(tests[f"{one.file}|{one.function}"]))
            limit = 30 + 10 * sum(seconds for seconds, _ in chosen)
            names = [test for _, test in chosen]
            works.append(
                (one, lambda one=one, names=names: self.survives(one, sources[one.file], names), limit)
            )
        for number, (one, survived) in enumerate(InOwnProcesses(self.asked.jobs).run(works), 1):
            self.noticed[one] = survived is not True
            if survived is True:
                print(f"{number:5} not noticed: {one.name} in {one.function}", flush=True)

    def survives(self, mutant: Mutant, source: str, tests: Sequence[str]) -> bool:
        """Whether every test passes with the fault."""
        put(mutated_code(mutant, source, str(SOURCE / mutant.file)), mutant)
        return all(passes(self.items[test]) for test in tests)


def in_time(tests: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """The fastest tests, up to a total."""
    chosen: list[tuple[float, str]] = []
    total = 0.0
    for seconds, test in tests:
        total += seconds
        if chosen and total > TOGETHER:
            break
        chosen.append((seconds, test))
    return chosen


def put(code: CodeType, mutant: Mutant) -> None:
    """Give every function object of this name the code with the fault; whoever imported it has it too."""
    path = str(SOURCE / mutant.file)
    for one in gc.get_objects():
        if (
            isinstance(one, FunctionType)
            and one.__code__.co_filename == path
            and one.__code__.co_qualname == mutant.function
        ):
            one.__code__ = code


def passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, nextitem=None, log=False)
    return not any(report.failed for report in reports)


def _too_slow(*_: object) -> None:
    pytest.fail("too slow to be run for every fault")


def watched(items: Sequence[pytest.Item]) -> dict[str, tuple[float, list[str]]]:
    """Seconds and functions of each test of a file that passes and is fast enough."""
    found = {}
    for item in items:
        watch = Watch()
        started = time.process_time()
        signal.signal(signal.SIGPROF, _too_slow)
        signal.setitimer(signal.ITIMER_PROF, 2 * SLOWEST)
        sys.setprofile(watch)
        try:
            good = passes(item)
        finally:
            sys.setprofile(None)
            signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - started
        if good and seconds <= SLOWEST:
            found[item.nodeid] = (seconds, sorted(watch.seen))
    return found


def sample(asked: argparse.Namespace) -> list[Mutant]:
    every = [
        one for name in files(asked.only) for one in mutants_of(name, (SOURCE / name).read_text("utf-8"))
    ]
    print(f"{len(every):,} faults are possible", flush=True)
    return random.Random(asked.seed).sample(every, min(asked.sample, len(every)))  # noqa: S311


def show(noticed: dict[Mutant, bool]) -> float:
    """A table by room; the share that was noticed."""
    rooms = Counter(one.file.rsplit("/", 1)[0] for one in noticed)
    caught = Counter(one.file.rsplit("/", 1)[0] for one, good in noticed.items() if good)
    print(f"{'room':40} {'faults':>7} {'noticed':>8}")
    for room, number in sorted(rooms.items()):
        print(f"{room:40} {number:7} {caught[room]:8}")
    share = sum(noticed.values()) / len(noticed)
    print(f"{'all':40} {len(noticed):7} {sum(noticed.values()):8}  {share:.1%}")
    return share


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--map", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    plugin = Plugin(parser.parse_args())
    given = ["-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", *TESTS]
    os.chdir(ROOT)
    CompiledLoop.machine_code = property(lambda loop: loop.function)  # type: ignore[assignment]
    pytest.main(given, plugins=[plugin])
    return int(show(plugin.noticed) < ENOUGH) if plugin.noticed else 1


if __name__ == "__main__":
    sys.exit(main())
