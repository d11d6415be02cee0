"""Does `table deidentify` end within its memory if hardly two records have the same values?

A table in which nearly every tuple has one record is de-identified by the whole command, with writing and
the check of what was written. The tuples do not fit in the budget, so that a sample suggests what is
counted exactly. Goals: an acceptable release, and at most 1.2 times the budget in memory.

    python bench/bench_beyond_memory.py [ROWS] [MEMORY] [FOLDER]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from bench_drivers import BARE, COMMAND, generate
from reidrisk.core.limits import memory_bytes
from timing import run_process

ROWS, MEMORY = 20_000_000, "2GB"
RULES = """
sex: {kind: exact, suppress: true}
birth: {kind: date, levels: [day, month, quarter, half_year, year, decade]}
zip: {kind: prefix, lengths: [4, 3, 2, 1]}
race: {kind: exact, suppress: true}
a: {kind: number, levels: [10, 100, 500]}
c: {kind: exact, suppress: true}
"""


def main(rows: int, memory: str, folder: Path) -> None:
    """Print the figures of one run."""
    path, columns = generate("high", rows, folder)
    rules, out, found = folder / "rules.yaml", folder / "released.parquet", folder / "result.json"
    rules.write_text(RULES, encoding="utf-8")
    bare = run_process(sys.executable, "-c", BARE, str(path), columns)
    asked = ("table", "deidentify", str(path), "--quasi", columns, "--hierarchies", str(rules))
    limits = ("--max-suppression", "0.05", "--memory", memory, "--temp", str(folder))
    files = ("--out", str(out), "--json", str(found), "--quiet")
    run = run_process(sys.executable, "-c", COMMAND, *asked, *limits, *files)
    if run.exit_code:
        raise SystemExit(f"table deidentify ended with exit code {run.exit_code}")
    result = json.loads(found.read_text(encoding="utf-8"))
    sampled, budget = result["sampled_search"], memory_bytes(memory) / 1e6
    peak = run.megabytes * 2**20 / 1e6
    print(f"{rows:,} rows, budget {memory}")
    print(f"  bare group-by      {bare.seconds:7.1f} s {bare.cpu:7.1f} s CPU")
    print(f"  table deidentify   {run.seconds:7.1f} s {run.cpu:7.1f} s CPU   {run.cpu / bare.cpu:.1f} x CPU")
    print(f"  peak memory        {peak:7.0f} MB = {peak / budget:.2f} of the budget")
    print(f"  released levels    {result['solution']['levels']}")
    print(
        f"  smallest class     {result['after']['smallest_class']} of {result['after']['records']:,} records"
    )
    print(f"  suppressed records {result['solution']['suppressed_share']:.2%}")
    print("  in memory: all tuples" if sampled is None else f"  {sampled}")


if __name__ == "__main__":
    given = sys.argv[1:]
    number, limit = int(float(given[0])) if given else ROWS, given[1] if len(given) > 1 else MEMORY
    if len(given) > 2:
        main(number, limit, Path(given[2]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(number, limit, Path(temporary))
