"""The guide to Spark runs, at the master of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run
from tests.test_docs import ON_SPARK, blocks, run_console

ANY_MASTER = "spark://HOST:7077"


def test_the_blocks_of_the_guide_run_in_order(
    spark: Any, spark_master: str, command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "docs"}
    found = blocks(ON_SPARK)
    assert any(ANY_MASTER in body for _, body in found)
    for kind, body in found:
        here = body.replace(ANY_MASTER, spark_master)
        if kind == "python":
            exec(compile(here, str(ON_SPARK), "exec"), names)  # noqa: S102 - our own page
        elif kind == "console":
            run_console(here, lambda line: command(*line.split()[1:]))
