"""Machine code is kept where it can be kept; a disk that refuses is no error."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import reidrisk

SOURCE = Path(reidrisk.__file__).parents[1]

LOOP = """
from reidrisk.stats.compiled import compiled

@compiled
def total(most):
    found = 0
    for value in range(most):
        found += value
    return found

print(total(5))
"""


def run(arguments: list[str], cache: Path, bytes_written: int) -> subprocess.CompletedProcess[str]:
    limit = (bytes_written, bytes_written)
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(SOURCE)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
        timeout=120,
    )


@pytest.mark.parametrize(("room", "kept"), [(0, False), (300, False), (10**7, True)])
def test_a_full_disk_keeps_nothing_and_is_no_error(tmp_path: Path, room: int, kept: bool) -> None:
    script, cache = tmp_path / "loop.py", tmp_path / "cache"
    script.write_text(LOOP)
    done = run([str(script)], cache, room)
    assert (done.returncode, done.stdout) == (0, "10\n"), done.stderr
    assert bool(list(cache.rglob("*.nbc"))) is kept
    again = run([str(script)], cache, 10**7)
    assert (again.returncode, again.stdout) == (0, "10\n"), again.stderr


def test_code_without_a_file_is_compiled_and_not_kept(tmp_path: Path) -> None:
    done = run(["-c", LOOP], tmp_path, 10**7)
    assert (done.returncode, done.stdout) == (0, "10\n"), done.stderr
    assert not list(tmp_path.iterdir())


NAMED = """
import numpy as np
from typing import NamedTuple
from reidrisk.stats.compiled import compiled

class {name}(NamedTuple):
    most: int

@compiled
def total(limit):
    found = 0
    for value in range(limit.most):
        found += value
    return found

print(total({name}(5)))
"""


def test_code_of_a_version_with_other_names_is_compiled_again(tmp_path: Path) -> None:
    script, cache = tmp_path / "loop.py", tmp_path / "cache"
    script.write_text(NAMED.format(name="Limit"))
    stamp = script.stat()
    assert run([str(script)], cache, 10**7).stdout == "10\n"
    script.write_text(NAMED.format(name="Range"))
    os.utime(script, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    for _ in range(2):
        again = run([str(script)], cache, 10**7)
        assert (again.returncode, again.stdout) == (0, "10\n"), again.stderr


OTHER = """
import sys
from loop import compiled, total

print("numba.np.arraymath" in sys.modules)

@compiled
def doubled(most):
    return 2 * total(most)

print(doubled(5))
"""


def test_kept_code_starts_without_the_compiler_and_other_code_still_compiles(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    script = tmp_path / "other.py"
    script.write_text(OTHER)
    first, second = (run([str(script)], tmp_path / "cache", 10**7) for _ in range(2))
    assert (first.returncode, first.stdout) == (0, "10\nTrue\n20\n"), first.stderr
    assert (second.returncode, second.stdout) == (0, "10\nFalse\n20\n"), second.stderr


UNUSED = """
import sys
from reidrisk.stats.compiled import compiled

@compiled
def total(most):
    return most

import reidrisk.tables.risk
print("numba" in sys.modules)
print(total(5), total.__name__, "numba" in sys.modules)
"""


def test_the_compiler_is_loaded_by_the_first_call(tmp_path: Path) -> None:
    script = tmp_path / "loop.py"
    script.write_text(UNUSED)
    done = run([str(script)], tmp_path / "cache", 10**7)
    assert (done.returncode, done.stdout) == (0, "False\n5 total True\n"), done.stderr
