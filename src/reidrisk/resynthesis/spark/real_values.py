"""The real values of all texts as one sorted file of keyed hashes, which every worker maps into memory."""

from __future__ import annotations

import mmap
import shutil
import sys
from array import array
from bisect import bisect_left
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from reidrisk.engine.packages import needed
from reidrisk.engine.spark.failures import job_errors
from reidrisk.engine.spark.parquet_parts import spark_path
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import Hashing
from reidrisk.resynthesis.spark.work import DISTINCT, HASHES, REAL

VALUES = "values.bin"
CACHED = 2**16
ROWS = 2**16
"""Hashes in memory at once, on the driver."""


def gather_hashes(session: Any, work: Path) -> Path:
    """The different hashes of all parts, sorted by Spark, in files that can be mapped into memory."""
    real = work / REAL
    if real.is_dir():
        return real
    distinct, partial = work / DISTINCT, work / f"{REAL}.part"
    with job_errors():
        found = session.read.schema("number long").parquet(spark_path(work / HASHES))
        found.distinct().sort("number").write.mode("overwrite").parquet(f"file:{distinct}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    with (partial / VALUES).open("wb") as values:
        for path in sorted(distinct.glob("part-*.parquet")):
            _append(path, values)
    partial.replace(real)
    shutil.rmtree(distinct)
    return real


def _append(path: Path, values: BinaryIO) -> None:
    parquet = needed("pyarrow.parquet", extra="spark")
    for batch in parquet.ParquetFile(path).iter_batches(batch_size=ROWS):
        column = array("q", batch.column("number").to_pylist())
        if sys.byteorder == "big":
            column.byteswap()
        column.tofile(values)


class RealValuesMapped:
    """Looks up real values in mapped files; all workers of a machine share the memory."""

    def __init__(self, folder: Path, keyed: KeyedDraw) -> None:
        self._hashing = Hashing(keyed)
        self._values = _mapped(folder / VALUES)
        self.holds = lru_cache(maxsize=CACHED)(self._holds)

    def _holds(self, value: str) -> bool:
        hashed = self._hashing.value(value)
        at = bisect_left(self._values, hashed)
        return at < len(self._values) and self._values[at] == hashed


def _mapped(path: Path) -> memoryview[int] | array[int]:
    """The numbers of a file; an empty file cannot be mapped."""
    if path.stat().st_size == 0:
        return array("q")
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)).cast("q")
