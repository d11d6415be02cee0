"""Runs every measure in a process of its own and writes docs/benchmarks.json and docs/benchmarks.md.

    python bench/page.py [--quick] [--only NAME ...] [--patience 5] [--draw]

`make bench` runs it in full (at most two hours), `make bench QUICK=1` in small (at most ten minutes). A busy
machine needs more `--patience`. `--draw` only draws the page again from the JSON file; `--only` measures
some questions again and prints them without writing anything.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from measures import growth, start, tables, texts
from measures.declare import Curve, Measure, NotMeasured, Setup
from page_drawing import draw
from peers_setup import make_peers, peers_found

HERE = Path(__file__).parent
PEERS = HERE / ".peers"
PAGE, FIGURES = (HERE.parent / "docs" / name for name in ("benchmarks.md", "benchmarks.json"))
MEASURES: dict[str, tuple[str, Measure]] = {
    measure.name: (title, measure)
    for title, module in (
        ("Whole commands", start),
        ("Tables", tables),
        ("Text", texts),
        ("Growth", growth),
    )
    for measure in module.MEASURES
}
PACKAGES = ("duckdb", "numpy", "scipy", "numba", "pyarrow", "polars", "python-crfsuite", "ahocorasick-rs")
QUICK_SECONDS, FULL_SECONDS = 600, 7200


def measured(name: str, setup: Setup) -> dict[str, Any]:
    """The rows and curves of one measure; those found before a failure are kept."""
    title, measure = MEASURES[name]
    found: dict[str, Any] = {"name": name, "section": title, "rows": [], "curves": [], "problem": ""}
    try:
        for one in measure.work(setup):
            found["curves" if isinstance(one, Curve) else "rows"].append(one.to_dict())
    except NotMeasured as reason:
        found["problem"] = str(reason)
    return found


def in_own_process(name: str, asked: argparse.Namespace, limit: float) -> dict[str, Any]:
    """A measure with a time limit; whatever it started ends with it."""
    title, _ = MEASURES[name]
    nothing = {"name": name, "section": title, "rows": [], "curves": []}
    with tempfile.TemporaryDirectory() as folder:
        given = [sys.executable, __file__, "--measure", name, "--folder", folder]
        given += ["--patience", str(asked.patience), *(["--quick"] if asked.quick else [])]
        child = subprocess.Popen(given, stdout=subprocess.PIPE, text=True, start_new_session=True)
        try:
            said, _ = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return {**nothing, "problem": f"not finished within {limit:.0f} s"}
    if child.returncode:
        return {**nothing, "problem": "the measurement failed; see what the run printed"}
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def machine() -> dict[str, Any]:
    """What the figures depend on, without the name of the machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    model = platform.processor() or platform.machine()
    described = Path("/proc/cpuinfo")
    if described.is_file():
        names = [line.partition(":")[2].strip() for line in described.read_text().splitlines()
                 if line.startswith("model name")]  # fmt: skip
        model = names[0] if names else model
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "gigabytes": memory,
        "system": f"{platform.system()} {platform.machine()}",
        "load": os.getloadavg()[0],
    }


def versions() -> dict[str, str]:
    found = {"Python": platform.python_version(), "reidrisk": metadata.version("reidrisk")}
    return found | {name: metadata.version(name) for name in PACKAGES}


def run(asked: argparse.Namespace) -> dict[str, Any]:
    """Every measure, one after the other, within the time of the whole run."""
    begun = time.monotonic()
    allowed = asked.patience * (QUICK_SECONDS if asked.quick else FULL_SECONDS)
    before = machine()
    make_peers(PEERS)
    results = []
    for name in asked.only or MEASURES:
        measure = MEASURES[name][1]
        limit = asked.patience * (measure.quick_seconds if asked.quick else measure.full_seconds)
        left = allowed - (time.monotonic() - begun)
        started = time.monotonic()
        results.append(in_own_process(name, asked, max(1.0, min(limit, left))))
        print(f"{name}: {time.monotonic() - started:.0f} s {results[-1]['problem']}", flush=True)
    return {
        "made": {
            "mode": "quick" if asked.quick else "full",
            "date": datetime.now(UTC).date().isoformat(),
            "seconds": time.monotonic() - begun,
            "machine": before,
            "versions": versions(),
            "peers": peers_found(PEERS),
        },
        "measures": results,
    }


def write(path: Path, text: str) -> None:
    """The whole file or none."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def rounded(value: Any) -> Any:
    """Four digits of every figure: more is noise."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--only", nargs="+", choices=list(MEASURES))
    parser.add_argument("--patience", type=float, default=1.0)
    parser.add_argument("--measure", choices=list(MEASURES), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        setup = Setup(asked.quick, asked.folder, PEERS, asked.patience)
        print(json.dumps(rounded(measured(asked.measure, setup))))
        return
    found = json.loads(FIGURES.read_text(encoding="utf-8")) if asked.draw else rounded(run(asked))
    if asked.only:
        print(draw(found))
        return
    if not asked.draw:
        write(FIGURES, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    write(PAGE, draw(found))
    print(f"Wrote {PAGE.name} and {FIGURES.name} in docs")


if __name__ == "__main__":
    main()
