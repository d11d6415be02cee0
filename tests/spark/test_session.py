"""Starting Spark, and errors of workers that reach the user without values."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from reidrisk.engine.spark.session import spark_session
from reidrisk.errors import BadData, InvalidSetting, MissingPackage, SparkFailure
from tests.spark.conftest import free_port, needs_spark

PATIENT = "Wilhelmina Quackenbush"


@pytest.mark.parametrize(
    "master", ["", "cluster", "sc://host:15002", "spark://host", "local[two]", "http://x:1"]
)
def test_something_else_than_a_master_is_refused(master: str) -> None:
    needs_spark()
    with pytest.raises(InvalidSetting, match="is not the URL of a Spark master"), spark_session(master):
        pass


def test_a_master_that_is_not_there_is_named_at_once() -> None:
    needs_spark()
    with pytest.raises((SparkFailure, InvalidSetting)), spark_session(f"spark://127.0.0.1:{free_port()}"):
        pass


def test_without_java_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_spark()
    from reidrisk.engine.spark import session

    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(MissingPackage, match=r"reidrisk\[spark\]"):
        session._check_java()


def test_the_session_of_the_caller_keeps_its_settings(spark: Any) -> None:
    name = "spark.sql.session.timeZone"
    before = spark.conf.get(name)
    spark.conf.set(name, "Asia/Tokyo")
    try:
        with spark_session(spark) as own:
            assert own.conf.get(name) == "UTC"
            assert own.range(3).count() == 3
        assert spark.conf.get(name) == "Asia/Tokyo"
        assert spark.range(3).count() == 3
    finally:
        spark.conf.set(name, before)


def raising(error: Exception) -> Any:
    def job(batches: Iterator[Any]) -> Iterator[Any]:
        from reidrisk.engine.spark.failures import without_values

        with without_values():
            for _ in batches:
                raise error
            yield from ()

    return job


def failure_of(spark: Any, error: Exception) -> BaseException:
    from reidrisk.engine.spark.failures import job_errors

    with (
        spark_session(spark) as own,
        pytest.raises(Exception) as caught,  # noqa: PT011 - looked at by the caller
        job_errors(),
    ):
        own.range(1).mapInArrow(raising(error), "x long").collect()
    return caught.value


def test_a_workers_error_reaches_the_user_without_its_values(spark: Any) -> None:
    found = failure_of(spark, ValueError(f"cannot parse {PATIENT}"))
    assert isinstance(found, SparkFailure)
    assert "ValueError" in found.problem
    assert PATIENT not in str(found)
    assert found.__suppress_context__
    assert PATIENT not in str(found.__context__)


def test_our_own_error_arrives_as_it_was_raised(spark: Any) -> None:
    found = failure_of(spark, BadData("Row 3 is wrong.", hint="Mend it."))
    assert type(found) is BadData
    assert (found.problem, found.hint) == ("Row 3 is wrong.", "Mend it.")
