"""Damages every kind of file that users give, guided by coverage: no traceback, no hang, at most 2 GB.

    python bench/fuzz.py [TARGET ...] [--minutes 60] [--seed 7] [--jobs 2] [--keep FOLDER]

The targets share the minutes. Atheris (Linux only; `make fuzz` installs it) keeps inputs that reach new code
of reidrisk and damages them further. What goes wrong is written to the folder, once for each place, and the
exit code is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
PATIENCE = 30
"""Seconds of the processor for one input."""
ROOM = 2 * 2**30


def packed(files: dict[str, bytes]) -> bytes:
    """Files as the one piece of data that a fuzzer handles."""
    parts = [one for name, data in files.items() for one in (name.encode(), data)]
    return b"".join(struct.pack("<I", len(one)) + one for one in parts)


def unpacked(data: bytes) -> dict[str, bytes]:
    """Damaged, it is as much as can be read."""
    parts, at = [], 0
    while at + 4 <= len(data):
        (size,) = struct.unpack_from("<I", data, at)
        parts.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return {name.decode("utf-8", "replace"): one for name, one in zip(parts[::2], parts[1::2], strict=False)}


class Hang(BaseException):
    """An input that takes too long; not an Exception, so that no reader can catch it."""


def _give_up(*_: object) -> None:
    raise Hang


class OneTarget:
    """Runs a target on inputs, and keeps those on which it fails."""

    def __init__(self, name: str, keep: Path, seed: int) -> None:
        from fuzz_targets import targets

        self.target = targets()[name]
        self.cases = self.target.cases()
        self.keep = keep / name
        self.rng = random.Random(seed)  # noqa: S311
        self.failures: set[str] = set()
        self.runs = 0
        self.folder = Path(tempfile.mkdtemp(prefix="reidrisk-fuzz-"))

    def change(self, data: bytes, most: int, seed: int) -> bytes:
        """A damaged input: a change that knows formats, or one of the fuzzer's own."""
        import atheris

        from fuzz_changes import changed

        files = unpacked(data)
        if not files or any(not name or "/" in name for name in files):
            files = dict(self.rng.choice(self.cases))
        rng = random.Random(seed)  # noqa: S311
        if rng.random() < 0.6:
            files = changed(files, self.cases, rng)
        else:
            name = rng.choice(list(files))
            files[name] = atheris.Mutate(files[name], max(1, min(most, 2**20)))
        made = packed(files)
        return made if len(made) <= most else data

    def run(self, data: bytes) -> None:
        files = unpacked(data)
        if not files or list(files) not in [list(case) for case in self.cases]:
            return
        self.runs += 1
        work = self.folder / "w"
        work.mkdir()
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            for name, content in files.items():
                (work / name).write_bytes(content)
            self.read(work, work / next(iter(files)))
        except (Exception, Hang) as error:  # noqa: BLE001 - whatever goes wrong is looked for
            self.save(error, files)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            shutil.rmtree(work, ignore_errors=True)

    def read(self, work: Path, first: Path) -> None:
        from reidrisk.errors import ReidRiskError

        try:
            self.target.read(work, first)
        except ReidRiskError as error:
            assert error.hint  # noqa: PT017 - every error says what to do

    def save(self, error: BaseException, files: dict[str, bytes]) -> None:
        """Write a failing input with its traceback, once for each place where things go wrong."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [
            frame for frame in frames if "reidrisk" in frame.filename and "bench" not in frame.filename
        ] or frames
        kind = f"{type(error).__name__} {Path(own[-1].filename).name}:{own[-1].lineno}"
        target = self.keep / hashlib.sha256(kind.encode()).hexdigest()[:8]
        if kind not in self.failures and not target.exists():
            target.mkdir(parents=True)
            for name, data in files.items():
                (target / name).write_bytes(data)
            (target / "traceback.log").write_text("".join(traceback.format_exception(error)))
        self.failures.add(kind)


def fuzz(asked: argparse.Namespace) -> None:
    """One target in this process, for its time."""
    import atheris

    with atheris.instrument_imports(include=["reidrisk"]):
        one = OneTarget(asked.one, asked.keep, asked.seed)
        for case in one.cases:  # modules that are imported when they are used
            one.run(packed(case))
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, _give_up)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 2**10
    resource.setrlimit(resource.RLIMIT_AS, (ROOM + 8 * used, resource.RLIM_INFINITY))
    corpus = one.folder / "corpus"
    corpus.mkdir()
    for number, case in enumerate(one.cases):
        (corpus / str(number)).write_bytes(packed(case))
    end = time.monotonic() + asked.seconds

    def run(data: bytes) -> None:
        if time.monotonic() > end:
            kept = len(list(corpus.iterdir()))
            shutil.rmtree(one.folder, ignore_errors=True)
            said = {"runs": one.runs, "kept": kept, "failures": sorted(one.failures)}
            Path(asked.answer).write_text(json.dumps(said))
            os._exit(0)
        one.run(data)

    options = {"seed": asked.seed, "max_len": 2**20, "timeout": 300, "verbosity": 0, "rss_limit_mb": 0}
    given = [sys.argv[0], str(corpus), *(f"-{name}={value}" for name, value in options.items())]
    atheris.Setup(given, run, custom_mutator=one.change)
    atheris.Fuzz()


def in_own_process(name: str, seconds: float, asked: argparse.Namespace) -> int:
    """Fuzz a target in a process of its own and print what came of it; the number of failures."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        given = [sys.executable, __file__, "--one", name, "--seconds", str(seconds), "--answer", str(answer)]
        given += ["--seed", str(asked.seed), "--keep", str(asked.keep)]
        done = subprocess.run(given, capture_output=True, text=True, errors="replace", check=False)
        if not answer.is_file():
            print(f"{name}: the process died, exit code {done.returncode}", flush=True)
            print(done.stderr[-2000:], flush=True)
            return 1
        said = json.loads(answer.read_text())
    print(f"{name}: {said['runs']:,} inputs in {seconds:.0f} s, {said['kept']} kept, "
          f"{len(said['failures'])} failures {'; '.join(said['failures'])}", flush=True)  # fmt: skip
    return len(said["failures"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--answer", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        fuzz(asked)
        return
    from fuzz_targets import targets

    names = asked.targets or list(targets())
    seconds = 60 * asked.minutes / len(names)
    with ThreadPoolExecutor(asked.jobs) as pool:
        failures = sum(pool.map(lambda name: in_own_process(name, seconds, asked), names))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
