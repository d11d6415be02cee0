"""Do the limits that decide hold? Coverage and power of the limits for texts and for populations.

The scenarios are in `coverage_text.py` and `coverage_population.py`; `python bench/bench_coverage.py text` or
`population` runs one of them. Both take seven minutes of one core. The exit code is 1 if a limit does not
hold.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

PARTS = {"text": "coverage_text", "population": "coverage_population"}


def main() -> bool:
    """Run both parts, or those that are named; whether all limits hold."""
    sys.path.insert(0, str(Path(__file__).parent))
    named = sys.argv[1:] or list(PARTS)
    found = [import_module(PARTS[name]).main() for name in named]
    return all(found)


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
