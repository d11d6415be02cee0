"""Machine code is kept where it can be kept; a disk that refuses is no error."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import reidrisk
from reidrisk.stats.compiled import compiled

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
    """Run Python where files cannot grow beyond a size; it keeps no compiled modules, which would be cut."""
    limit = (bytes_written, bytes_written)
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
        timeout=120,
    )


@pytest.mark.parametrize("room", [0, 300])
def test_a_full_disk_keeps_nothing_and_is_no_error(tmp_path: Path, room: int) -> None:
    script, cache = tmp_path / "loop.py", tmp_path / "cache"
    script.write_text(LOOP)
    done = run([str(script)], cache, room)
    assert (done.returncode, done.stdout) == (0, "10\n"), done.stderr
    assert not list(cache.rglob("*.nbc"))
    if room:  # something was begun
        again = run([str(script)], cache, 10**7)
        assert (again.returncode, again.stdout) == (0, "10\n"), again.stderr
        assert list(cache.rglob("*.nbc"))


def test_code_without_a_file_is_compiled_and_not_kept(tmp_path: Path) -> None:
    done = run(["-c", LOOP], tmp_path, 10**7)
    assert (done.returncode, done.stdout) == (0, "10\n"), done.stderr
    assert not list(tmp_path.iterdir())


def test_a_loop_is_the_function_until_it_is_called() -> None:
    def total(most: int) -> int:
        return sum(range(most))

    loop: Any = compiled(total)
    assert (loop.function, loop.__name__) == (total, "total")
    assert "machine_code" not in vars(loop)


TURNS = """
import sys, time
from pathlib import Path
from reidrisk.stats import compiled

compiled.MOST_SECONDS = float(sys.argv[1])
folder = Path(sys.argv[2])
folder.mkdir(exist_ok=True)
turn = compiled.Turn.at(folder / "loop.lock")
print(turn.held is not None, flush=True)
sys.stdin.read()
turn.end()
turn.end()
print((folder / "loop.lock").exists())
"""


def test_one_process_compiles_and_the_others_wait_their_time(tmp_path: Path) -> None:
    """The second process gives up while the first one has its turn; a third one has it after the first."""

    def started(seconds: str) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", TURNS, seconds, str(tmp_path)]
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    with started("60") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "True\n"
        with started("0.1") as second, started("60") as third:
            assert second.communicate()[0] == "False\nTrue\n"
            assert first.communicate()[0] == "False\n"
            assert third.communicate()[0] == "True\nFalse\n"


def test_a_loop_is_compiled_once_by_processes_that_start_together(tmp_path: Path) -> None:
    script, cache = tmp_path / "loop.py", tmp_path / "cache"
    script.write_text(f"{LOOP}\nprint(sum(total.machine_code.stats.cache_misses.values()))\n")
    environment = {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [sys.executable, str(script)]
    together = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]
    said = sorted(one.communicate()[0] for one in together)
    assert said == ["10\n0\n", "10\n1\n"]
    assert not list(cache.rglob("*.lock"))


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


@pytest.mark.parametrize("first", ["", "import coverage"])
def test_coverage_is_loaded_only_by_those_who_use_it(tmp_path: Path, first: str) -> None:
    script = tmp_path / "loop.py"
    after = (
        "import sys; print('coverage' in sys.modules); import coverage; print(coverage.Coverage.current())"
    )
    script.write_text(f"{first}\n{LOOP}\n{after}\n")
    done = run([str(script)], tmp_path / "cache", 10**7)
    assert (done.returncode, done.stdout) == (0, f"10\n{bool(first)}\nNone\n"), done.stderr
