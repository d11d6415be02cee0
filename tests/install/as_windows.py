"""Runs reidrisk without what Windows lacks: modules, functions and signals of POSIX.

It is not a real Windows: paths are those of this system, and so are packages that are loaded before.
"""

from __future__ import annotations

import os
import signal
import sys
import types
from pathlib import Path

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
FUNCTIONS = (
    *(
        "chown",
        "fchmod",
        "fchown",
        "fork",
        "getegid",
        "geteuid",
        "getgid",
        "getpgid",
        "getuid",
        "killpg",
        "lchown",
    ),
    *(
        "mkfifo",
        "openpty",
        "pread",
        "pwrite",
        "sched_getaffinity",
        "setsid",
        "statvfs",
        "sync",
        "sysconf",
        "uname",
    ),
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "register_at_fork"),
)
SIGNALS = ("SIGHUP", "SIGKILL", "SIGALRM", "SIGPIPE", "SIGUSR1", "SIGUSR2", "SIGCHLD")


def loaded_before() -> None:
    """Packages of others are loaded as on this system: only our own code is tried."""
    import asyncio  # noqa: F401
    import concurrent.futures.process  # noqa: F401
    import subprocess  # noqa: F401
    import tempfile  # noqa: F401

    import click  # noqa: F401
    import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401
    import duckdb  # noqa: F401
    import jinja2  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import numba  # noqa: F401
    import scipy.optimize
    import scipy.stats  # noqa: F401


def become_windows() -> None:
    """Take away what Windows lacks, and give it the lock that it has."""
    sys.platform = "win32"
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in FUNCTIONS:
        if hasattr(os, name):
            delattr(os, name)
    for name in SIGNALS:
        if hasattr(signal, name):
            delattr(signal, name)
    lock = types.ModuleType("msvcrt")
    lock.__dict__.update(LK_NBLCK=2, LK_LOCK=1, LK_UNLCK=0, locking=lambda *_: None)
    sys.modules["msvcrt"] = lock


def main(lines: list[str]) -> None:
    """Run commands one after another; each must end with the code before it."""
    loaded_before()
    become_windows()
    from reidrisk.cli.main import run

    for line in lines:
        wanted, *words = line.split()
        try:
            run(words)
        except SystemExit as ended:
            code = ended.code
        assert code == int(wanted), f"{line}: {code}"
    sys.stdout.write(f"all as expected {sorted(one.name for one in Path().iterdir())}\n")


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    main(sys.argv[2:])
