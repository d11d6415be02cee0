"""The process from which Spark's Python workers are forked, with the packages that all of them would import.

A worker that fails is replaced by a new one, which would import them again.
"""

from __future__ import annotations

import warnings
from importlib import import_module

NEEDED = (
    "pyspark.worker",
    "pandas",
    "pyspark.sql.pandas.serializers",
    "reidrisk.resynthesis.spark.jobs",
    "reidrisk.text.spark.job",
)


def run() -> None:
    """Import what workers need, and serve Spark as its own process does."""
    from pyspark.daemon import manager

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in NEEDED:
            import_module(name)
    manager()


if __name__ == "__main__":
    run()
