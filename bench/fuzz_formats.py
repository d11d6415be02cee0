"""Damage files of every format, guided by coverage: no traceback, no hang, no memory above 1 GB.

    python bench/fuzz_formats.py [FORMAT ...] [--seconds 300] [--seed 7] [--keep FOLDER]

An input is kept if it reaches a line of a reader that none did before, and damaged further. What goes
wrong is written to the folder, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import reidrisk.text.formats
from fuzz_changes import changed
from fuzz_seeds import Files, seeds
from reidrisk.errors import ReidRiskError
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import read_documents

SETTINGS = ReadSettings(max_line=10**6, max_bytes=8 * 2**20)
PATIENCE = 20
"""Seconds of the processor for one input."""
ROOM = 2**30
WATCHED = str(Path(reidrisk.text.formats.__file__).parent)


class Hang(BaseException):
    """An input that takes too long; not an Exception, so that no reader can catch it."""


class Coverage:
    """Lines of the readers that were reached."""

    def __init__(self) -> None:
        self.seen: set[tuple[CodeType, int]] = set()
        self._new = False
        self._watched: dict[CodeType, bool] = {}

    def run(self, work: Callable[[], None]) -> bool:
        """Run the work; whether it reached a line for the first time."""
        self._new = False
        sys.settrace(self._call)
        try:
            work()
        finally:
            sys.settrace(None)
        return self._new

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if code not in self._watched:
            self._watched[code] = code.co_filename.startswith(WATCHED)
        return self._line if self._watched[code] else None

    def _line(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        place = frame.f_code, frame.f_lineno
        if place not in self.seen:
            self.seen.add(place)
            self._new = True
        return self._line


def read(folder: Path, files: Files, name: str) -> None:
    """Read the first file, named and not, and the folder."""
    for old in folder.iterdir():
        old.unlink()
    for file, data in files.items():
        (folder / file).write_bytes(data)
    first = folder / next(iter(files))
    named = None if name == "zip" else name
    ways = ((first, named), (first, None), (folder, named))
    for path, format_ in ways:
        try:
            for document in read_documents(path, format=format_, settings=SETTINGS):
                assert document.text is None or all(a.end <= len(document.text) for a in document.annotations)
        except ReidRiskError as error:
            assert error.hint  # noqa: PT017 - this is no test of pytest


def fuzz(name: str, cases: list[Files], rng: random.Random, seconds: float, keep: Path) -> int:
    """Fuzz one format; the number of different failures."""
    coverage = Coverage()
    corpus, failures, runs = list(cases), set[str](), 0
    signal.signal(signal.SIGPROF, _give_up)
    with tempfile.TemporaryDirectory() as folder:
        end = time.monotonic() + seconds
        pending = list(cases)
        while pending or time.monotonic() < end:
            files = pending.pop() if pending else changed(rng.choice(corpus), corpus, rng)
            runs += 1
            signal.setitimer(signal.ITIMER_PROF, PATIENCE)
            try:
                if coverage.run(lambda case=files: read(Path(folder), case, name)):  # type: ignore[misc]
                    corpus.append(files)
            except (Exception, Hang) as error:  # noqa: BLE001 - whatever goes wrong is looked for
                if not isinstance(error, Hang) or _hangs(Path(folder), files, name):
                    failures.add(_saved(error, files, keep / name))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(
        f"{name}: {runs:,} inputs in {seconds:.0f} s, {len(corpus)} kept, {len(coverage.seen):,} lines, "
        f"{len(failures)} failures, peak {peak:.0f} MB",
        flush=True,
    )
    return len(failures)


def _hangs(folder: Path, files: Files, name: str) -> bool:
    """Whether it also takes too long without being traced, which slows large texts down twentyfold."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        read(folder, files, name)
    except Hang:
        return True
    return False


def _give_up(*_: object) -> None:
    raise Hang


def _saved(error: BaseException, files: Files, folder: Path) -> str:
    """Write a failing input with its traceback, once for each place where things go wrong."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "reidrisk" in frame.filename] or frames
    kind = f"{type(error).__name__} {Path(own[-1].filename).name}:{own[-1].lineno}"
    target = folder / hashlib.sha256(kind.encode()).hexdigest()[:8]
    if not target.exists():
        target.mkdir(parents=True)
        for name, data in files.items():
            (target / name).write_bytes(data)
        (target / "traceback.log").write_text("".join(traceback.format_exception(error)))
        print(f"  {kind}: {target}", flush=True)
    return kind


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("formats", nargs="*")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"))
    given = parser.parse_args()
    found = seeds()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 2**10
    resource.setrlimit(resource.RLIMIT_AS, (ROOM + 4 * used, resource.RLIM_INFINITY))
    names = given.formats or list(found)
    rng = random.Random(given.seed)  # noqa: S311
    sys.exit(bool(sum(fuzz(name, found[name], rng, given.seconds, given.keep) for name in names)))


if __name__ == "__main__":
    main()
