"""Whether the tests run enough of the package; `make coverage` calls it with the limits."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

SHOWN = 15
"""Files to name: those with the most lines that no test runs."""


def percent(covered: int, every: int) -> float:
    """The share in percent; all of nothing is everything."""
    return 100 * covered / every if every else 100.0


def main() -> int:
    """Show both figures and the files that lack most; 1 if one is too low."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path)
    parser.add_argument("--lines", type=float, required=True)
    parser.add_argument("--branches", type=float, required=True)
    given = parser.parse_args()
    found = json.loads(given.report.read_text(encoding="utf-8"))
    total = found["totals"]
    lines = percent(total["covered_lines"], total["num_statements"])
    branches = percent(total["covered_branches"], total["num_branches"])
    files: list[tuple[str, Any]] = sorted(
        found["files"].items(), key=lambda one: -one[1]["summary"]["missing_lines"]
    )
    for name, file in files[:SHOWN]:
        summary = file["summary"]
        print(f"{summary['missing_lines']:6} lines, {summary['missing_branches']:5} branches not run: {name}")
    print(
        f"Lines: {lines:.2f} % (at least {given.lines:g}). "
        f"Branches: {branches:.2f} % (at least {given.branches:g})."
    )
    return int(lines < given.lines or branches < given.branches)


if __name__ == "__main__":
    sys.exit(main())
