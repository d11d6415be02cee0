"""Puts small faults into the statistics and the code that decides, and counts those that no test notices.

    python bench/mutants.py [--sample 1000] [--seed 7] [--only stats/leak.py ...] [--map FILE] [--jobs 2]
                            [--tests tests/stats ...] [--again FILE] [--survivors FILE]
                            [--slowest 6] [--together 40]

First every test runs once, to see which functions it calls and how long it takes. FILE keeps this, so that a
later run does it for new or changed tests only. Then each fault runs in a process of its own, with the tests
that call its function: those of the same room first, of these the fastest. Compiled loops run as plain
Python. Exit code 1 if fewer than 90 % of the faults are noticed.

Most faults are noticed by the tests of the same room. To save time, run with --tests and --survivors FILE
first, and then give the faults that were left to all other tests with --again FILE.
"""

from __future__ import annotations

import argparse
import builtins
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
from contextlib import suppress
from functools import _lru_cache_wrapper
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import IO, Any

import pytest
from _pytest.runner import runtestprotocol

from mutations import Mutant, marked_codes, mutants_of, mutated_code
from reidrisk.stats.compiled import CompiledLoop

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "reidrisk"
DECIDES = (
    "core/classes.py", "core/estimate.py", "core/threshold.py", "context", "text/assess.py", "text/gates.py",
    "text/models.py", "text/observed.py", "text/tally.py", "text/verdict.py", "tables/measure.py",
    "tables/risk.py", "tables/sampling.py", "tables/sensitive.py", "population/risk.py", "documents/risk",
    "assess/judgement.py", "assess/verdict.py", "assess/joint_people.py", "assess/kinds/joint.py",
    "relational/exposure.py", "relational/joint.py", "relational/people.py", "relational/recount.py",
    "relational/risk.py", "relational/together.py", "relational/told.py",
)  # fmt: skip
TESTS = (
    "tests/stats", "tests/papers", "tests/core", "tests/context", "tests/text", "tests/tables",
    "tests/population", "tests/relational", "tests/documents/risk", "tests/assess", "src/reidrisk/stats",
)  # fmt: skip
ENOUGH = 0.9
EXAMPLES = 10
WAITING, LEAST = 20, 900.0
"""Times the seconds of the processor that a piece of work may take, on a machine that others use, too; and
the least number of seconds."""
Place = tuple[str, str, int]
"""Path, qualified name and first line of a function."""


def files(only: Sequence[str]) -> Iterator[str]:
    """The files that get faults, relative to the package."""
    for name in only or ("stats", *DECIDES):
        place = SOURCE / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            yield path.relative_to(SOURCE).as_posix()


class Called:
    """Which of the functions that get faults are called: their code says so itself."""

    MARK = "_reidrisk_called"

    def __init__(self) -> None:
        self.seen: set[str] = set()
        setattr(builtins, self.MARK, self.seen.add)
        self.codes: dict[Place, CodeType] = {}
        for name in files(()):
            path = SOURCE / name
            codes = marked_codes(name, path.read_text("utf-8"), str(path), mark=self.MARK)
            for function, code in codes.items():
                self.codes[str(path), function, code.co_firstlineno] = code

    def mark(self) -> None:
        """Give every function its code with the mark."""
        for place, own in functions().items():
            for function in own if place in self.codes else ():
                function.__code__ = self.codes[place]


class InOwnProcesses:
    """Runs pieces of work in forked processes, a few at a time; each writes one line of JSON."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.waiting: dict[int, tuple[Any, IO[bytes], float]] = {}

    def run(self, works: Iterable[tuple[Any, Any, float]]) -> Iterator[tuple[Any, Any]]:
        """Each (name, work, processor seconds); yields its name and what it wrote, None if it died."""
        for name, work, limit in works:
            while len(self.waiting) >= self.jobs:
                yield self._one()
            said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is read
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                self._work(work, said, limit)
            self.waiting[child] = name, said, time.monotonic() + max(LEAST, WAITING * limit)
        while self.waiting:
            yield self._one()

    @staticmethod
    def _work(work: Any, said: IO[bytes], limit: float) -> None:
        os.setsid()
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        resource.setrlimit(resource.RLIMIT_AS, (8 * 2**30, 8 * 2**30))
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))
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
                    with suppress(ProcessLookupError):
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
        self.functions: dict[Place, list[FunctionType]] = {}
        self.caches: list[Any] = []
        self.noticed: dict[Mutant, bool] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        for item in session.items:
            fewer_examples(item)
        for name in files(()):  # what is imported when it is used would be imported without its fault
            module_of(name)
        found = self.calls()
        tests = defaultdict(list)
        for test, (seconds, functions) in found.items():
            for function in functions:
                tests[function].append((seconds, test))
        self.run(sample(self.asked), tests)
        return True

    def calls(self) -> dict[str, tuple[float, list[str]]]:
        """Seconds and functions of each test that passes as it is."""
        kept: Path | None = self.asked.map
        known: dict[str, Any] = json.loads(kept.read_text()) if kept and kept.is_file() else {}
        by_file: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in self.items.values():
            by_file[os.path.relpath(item.path, ROOT)].append(item)
        digests = {name: sha256((ROOT / name).read_bytes()).hexdigest() for name in by_file}
        called = Called()
        works = [
            (name, lambda own=own: watched(own, called, slowest=self.asked.slowest), 1200.0)
            for name, own in by_file.items()
            if name not in known or known[name]["digest"] != digests[name]
        ]
        for name, own in InOwnProcesses(self.asked.jobs).run(works):
            print(f"{name}: {'no answer' if own is None else len(own)}", flush=True)
            known[name] = {"digest": digests[name], "tests": own or {}}
            if kept:
                kept.write_text(json.dumps(known))
        own_tests = [one for name in by_file for one in known[name]["tests"].items()]
        return {test: found for test, found in own_tests if test in self.items}

    def run(self, mutants: list[Mutant], tests: dict[str, list[tuple[float, str]]]) -> None:
        self.functions = functions()
        self.caches = caches()
        gc.freeze()  # so that a process of its own need not copy what it does not change
        works = []
        for one in mutants:
            chosen = in_time(nearest_first(one.file, tests[key_of(one)]), self.asked.together)
            limit = sum(patience(seconds) for seconds, _ in chosen)
            works.append((one, lambda one=one, chosen=chosen: self.survives(one, chosen), limit))
        for number, (one, survived) in enumerate(InOwnProcesses(self.asked.jobs).run(works), 1):
            self.noticed[one] = survived is not True
            said = "NOT noticed" if survived else "noticed"
            print(
                f"{number:5} {said}: {one.name} in {one.function}, {len(tests[key_of(one)])} tests",
                flush=True,
            )

    def survives(self, mutant: Mutant, tests: Sequence[tuple[float, str]]) -> bool:
        """Whether every test passes with the fault; a test that takes much longer ends the process."""
        path = SOURCE / mutant.file
        code = mutated_code(mutant, path.read_text("utf-8"), str(path))
        for function in self.functions[str(path), mutant.function, code.co_firstlineno]:
            function.__code__ = code
        for one in self.caches:  # what was computed without the fault would hide it
            one.cache_clear()
        for seconds, test in tests:
            signal.setitimer(signal.ITIMER_PROF, patience(seconds))
            if not passes(self.items[test]):
                return False
        return True


def fewer_examples(item: pytest.Item) -> None:
    """Drawn examples make tests slow; the first ten notice most faults, and nobody reads the smallest one."""
    from hypothesis import Phase, settings

    test = getattr(item, "obj", None)
    if hasattr(test, "is_hypothesis_test"):
        usual: Any = getattr(test, "_hypothesis_internal_use_settings", None) or settings.default
        phases = (Phase.explicit, Phase.reuse, Phase.generate)
        fewer = settings(usual, max_examples=min(usual.max_examples, EXAMPLES), phases=phases)
        test._hypothesis_internal_use_settings = fewer  # type: ignore[union-attr]


def patience(seconds: float) -> float:
    """Seconds of the processor for a test that took so many as it is."""
    return 3 + 10 * seconds


def key_of(mutant: Mutant) -> str:
    return f"{mutant.file}|{mutant.function}"


def module_of(file: str) -> ModuleType:
    return import_module(".".join(("reidrisk", *Path(file).with_suffix("").parts)).removesuffix(".__init__"))


def nearest_first(file: str, tests: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Tests whose path shares most with the path of a file of the package, of these the fastest."""
    own = Path(file).with_suffix("").parts

    def distance(test: tuple[float, str]) -> tuple[int, float, str]:
        seconds, name = test
        path = Path(name.partition("::")[0].removeprefix("tests/")).with_suffix("")
        parts = [part.removeprefix("test_") for part in path.parts]
        return -len(set(own) & set(parts)), seconds, name

    return sorted(tests, key=distance)


def in_time(tests: Sequence[tuple[float, str]], most: float) -> list[tuple[float, str]]:
    """The first tests, up to a total."""
    chosen: list[tuple[float, str]] = []
    total = 0.0
    for seconds, test in tests:
        total += seconds
        if chosen and total > most:
            break
        chosen.append((seconds, test))
    return chosen


def functions() -> dict[Place, list[FunctionType]]:
    """Every function of the package that there is, by its place; whoever imported one has the same."""
    found = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(SOURCE)):
            code = one.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
    return found


def caches() -> list[Any]:
    """Every function that keeps its results."""
    return [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]


def passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, nextitem=None, log=False)
    return not any(report.failed for report in reports)


class TooSlow(BaseException):
    """A test that takes too long; not an Exception, so that nothing tries it again."""


def _too_slow(*_: object) -> None:
    raise TooSlow


def watched(
    items: Sequence[pytest.Item], called: Called, *, slowest: float
) -> dict[str, tuple[float, list[str]]]:
    """Seconds and functions of each test of a file that passes and is fast enough."""
    found = {}
    called.mark()
    cached = caches()
    signal.signal(signal.SIGPROF, _too_slow)
    slow = set()
    for item in items:
        if item.nodeid.partition("[")[0] in slow:  # with other parameters it is no faster
            continue
        for one in cached:  # what an earlier test computed is computed again
            one.cache_clear()
        called.seen.clear()
        started = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, slowest)
        good = passes(item)
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - started
        if seconds > slowest:
            slow.add(item.nodeid.partition("[")[0])
        elif good:
            found[item.nodeid] = (seconds, sorted(called.seen))
    return found


def sample(asked: argparse.Namespace) -> list[Mutant]:
    every = [
        one for name in files(asked.only) for one in mutants_of(name, (SOURCE / name).read_text("utf-8"))
    ]
    print(f"{len(every):,} faults are possible", flush=True)
    drawn = random.Random(asked.seed).sample(every, min(asked.sample, len(every)))  # noqa: S311
    if asked.again is None:
        return drawn
    left = set(json.loads(asked.again.read_text()))
    return [one for one in drawn if one.name in left]


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
    parser.add_argument("--tests", nargs="+", default=TESTS)
    parser.add_argument("--slowest", type=float, default=6, help="seconds: slower tests are left out")
    parser.add_argument("--together", type=float, default=40, help="seconds of tests for each fault")
    parser.add_argument("--again", type=Path, help="only the faults that this file names")
    parser.add_argument("--survivors", type=Path, help="writes the faults that were not noticed")
    asked = parser.parse_args()
    plugin = Plugin(asked)
    given = ["-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--tb=native", *asked.tests]
    os.chdir(ROOT)
    CompiledLoop.machine_code = property(lambda loop: loop.function)  # type: ignore[assignment]
    pytest.main(given, plugins=[plugin])
    if asked.survivors:
        left = [one.name for one, good in plugin.noticed.items() if not good]
        asked.survivors.write_text(json.dumps(left, indent=1))
    return int(show(plugin.noticed) < ENOUGH) if plugin.noticed else 1


if __name__ == "__main__":
    sys.exit(main())
