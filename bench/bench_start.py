"""How long until `reidrisk --help` answers, against Python that does nothing?"""

from __future__ import annotations

import sys
from pathlib import Path

from timing import run_process


def main() -> None:
    program = str(Path(sys.executable).with_name("reidrisk"))
    bare = min(run_process(sys.executable, "-c", "pass").seconds for _ in range(7))
    ours = min(run_process(program, "--help").seconds for _ in range(7))
    print(f"reidrisk --help {1000 * ours:.0f} ms, bare Python {1000 * bare:.0f} ms: {ours / bare:.1f} times")


if __name__ == "__main__":
    main()
