"""Inject faults into every command that writes: `make test-faults`.

    python -m tests.faults.run [--faults N] [--seed N] [--only NAME]

Every file operation of every command is struck: by a kill, and by one more fault that can happen to it,
drawn by the seed. Files that native code writes are cut at several sizes. The table says what was lost; the
exit code is 1 if anything was. `--faults` draws so many of them instead of all.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from tests.faults.cases import CASES
from tests.faults.shim import BY_OPERATION, Fault, Kind, Operation
from tests.faults.trial import Bench, Case

KINDS = get_args(Kind)
WIDTH = 11
"""Columns of the table."""
SIZES = (0.0, 0.3, 0.9)
"""Where files are cut, as shares of the largest one that the command writes."""


@dataclass
class Tally:
    """What became of the faults of one command."""

    name: str
    operations: int
    kinds: Counter[str] = field(default_factory=Counter)
    """How many faults there were of each kind."""
    lost: int = 0
    """How many faults broke something."""
    losses: list[str] = field(default_factory=list)
    """What they broke, in words."""

    @property
    def faults(self) -> int:
        return self.kinds.total()

    def line(self) -> str:
        kinds = "".join(f"{self.kinds[kind]:{WIDTH},}" for kind in KINDS)
        return f"{self.name:28}{self.operations:{WIDTH},}{self.faults:{WIDTH},}{kinds}{self.lost:{WIDTH},}"

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.name,
            self.operations + other.operations,
            self.kinds + other.kinds,
            self.lost + other.lost,
            self.losses + other.losses,
        )


def faults_of(bench: Bench, rng: random.Random) -> list[Fault]:
    """A kill and one more fault at every operation, and cuts of files at several sizes."""
    found = list(_at_operations(bench.clean.operations, rng))
    largest = max(len(data) for name, data in bench.clean.files.items() if data != bench.before.get(name))
    for share in SIZES:
        found += [Fault("limit", int(largest * share)), Fault("limit-kill", int(largest * share))]
    return found


def _at_operations(operations: Sequence[Operation], rng: random.Random) -> Iterator[Fault]:
    for number, operation in enumerate(operations):
        yield Fault("kill", number)
        yield Fault(rng.choice([kind for kind in BY_OPERATION[operation] if kind != "kill"]), number)


def strike(case: Case, folder: Path, *, seed: int, most: int | None = None) -> Tally:
    """Run a command under many faults."""
    rng = random.Random(f"{seed} {case.name}")  # noqa: S311 - no secret
    bench = Bench(case, folder)
    every = faults_of(bench, rng)
    chosen = every if most is None or most >= len(every) else rng.sample(every, most)
    tally = Tally(case.name, len(bench.clean.operations))
    for fault in chosen:
        tally.kinds[fault.kind] += 1
        operations = bench.clean.operations
        what = "bytes" if fault.kind.startswith("limit") else operations[fault.at]
        found = [f"{case.name}, {fault.kind} at {what} {fault.at}: {one}" for one in bench.losses(fault)]
        tally.lost += bool(found)
        tally.losses += found
    return tally


def main() -> None:
    """Strike every command and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, help="how many, for all commands together")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", action="append", help="the name of a command; may be repeated")
    given = parser.parse_args()
    chosen = [case for case in CASES if not given.only or case.name in given.only]
    most = None if given.faults is None else -(-given.faults // len(chosen))
    names = ("operations", "faults", *KINDS, "lost")
    print(f"{'command':28}{''.join(f'{name:>{WIDTH}}' for name in names)}", flush=True)
    whole = Tally("all", 0)
    for case in chosen:
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            tally = strike(case, Path(folder) / "bench", seed=given.seed, most=most)
        print(tally.line(), flush=True)
        for loss in tally.losses:
            print(f"    {loss}", flush=True)
        whole += tally
    print(whole.line())
    raise SystemExit(1 if whole.losses else os.EX_OK)


if __name__ == "__main__":
    main()
