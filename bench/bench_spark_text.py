"""How fast are notes de-identified on Spark, compared with the embedded command on the same cores?

A standalone master and two workers of one core each on this machine, against two processes. The texts must be
the same. Spark is timed from its start, and once more when it is warm.

    python bench/bench_spark_text.py [NOTES]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from reidrisk.demo.notes import clinical_notes
from reidrisk.resynthesis.corpus.note import SourceOptions
from reidrisk.resynthesis.run import RunOptions, deidentify_text

ROOT = Path(__file__).parents[1]
KEY = b"a key of thirty-two bytes, for us"
WORKERS = 2
NOTES = 600
SOURCE = SourceOptions(columns=("text",), person="patient")


def main(notes: int) -> None:
    """Print notes per second on both, and the ratio."""
    if find_spec("pyspark") is None:
        print("PySpark is not installed: make spark")
        return
    from tests.spark.conftest import started_cluster

    from reidrisk.engine.spark.session import spark_session

    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT / "src", ROOT)))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_notes(root / "notes.parquet", notes)
        with started_cluster(root, workers=WORKERS) as master:
            start = time.perf_counter()
            with spark_session(master) as session:
                run(root, "cold", session)
                whole = time.perf_counter() - start
                warm = timed(lambda: run(root, "warm", session))
        embedded = timed(lambda: run(root, "embedded.parquet", None))
        same(root)
    print(f"{notes:,} notes, {WORKERS} cores each; the same texts")
    for name, seconds in (("embedded", embedded), ("Spark, with its start", whole), ("Spark, warm", warm)):
        speed, ratio = notes / seconds, embedded / seconds
        print(f"  {name:<24} {seconds:7.1f} s  {speed:7.0f} notes/s  {ratio:5.2f} of embedded")


def write_notes(path: Path, number: int) -> None:
    """Demo notes; from the second round on, each with a line of its own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = [note.text or "" for note in clinical_notes(documents=120)]
    rows = [f"{texts[at % 120]}\nVisit number {at}." for at in range(number)]
    pq.write_table(pa.table({"patient": [at // 4 for at in range(number)], "text": rows}), path)


def run(root: Path, out: str, engine: Any) -> None:
    """De-identify the notes on an engine."""
    options = RunOptions(source=SOURCE, jobs=WORKERS)
    deidentify_text(root / "notes.parquet", root / out, key=KEY, options=options, engine=engine)


def same(root: Path) -> None:
    """Compare the texts of all runs."""
    import pyarrow.parquet as pq

    expected = pq.read_table(root / "embedded.parquet")
    for name in ("cold", "warm"):
        assert pq.read_table(root / name).equals(expected)


def timed(work: Callable[[], object]) -> float:
    """Seconds of one run: a second one would find everything in the caches."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else NOTES)
