"""What is written reads back the same, and is there completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reidrisk.engine.duckdb.classes import class_sizes
from reidrisk.engine.duckdb.table import open_embedded
from reidrisk.engine.settings import CsvDialect, ScanSettings
from reidrisk.errors import InvalidSetting, UnreadableFile
from tests.engine.builders import COLUMNS, SIZES, arrow_people, write_out


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.parquet", "out.arrow", "out.FEATHER"])
def test_written_tables_read_back(name: str, tmp_path: Path) -> None:
    people = open_embedded(arrow_people())
    (tmp_path / name).write_text("the old file")
    write_out(people, tmp_path / name)
    again = open_embedded(tmp_path / name)
    assert again.columns == COLUMNS
    assert dict(again.types) == dict(people.types)
    assert class_sizes(again, COLUMNS) == SIZES
    assert os.listdir(tmp_path) == [name]  # noqa: PTH208


def test_a_relation_can_be_written(tmp_path: Path) -> None:
    people = open_embedded(arrow_people())
    write_out(people.relation.filter("age > 40"), tmp_path / "old.csv")
    assert class_sizes(open_embedded(tmp_path / "old.csv"), COLUMNS) == ((3, 1),)


def test_a_failure_leaves_the_old_file_and_shows_no_value(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("the old file")
    people = open_embedded(arrow_people())
    broken = people.relation.project("CAST(region AS INTEGER) AS region")
    with pytest.raises(UnreadableFile, match="could not be computed") as caught:
        write_out(broken, path)
    assert "North" not in str(caught.value)
    assert path.read_text() == "the old file"
    assert os.listdir(tmp_path) == ["out.csv"]  # noqa: PTH208


def test_a_text_file_counts_as_it_was_when_it_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    table = open_embedded(path, settings=ScanSettings(csv=CsvDialect(delimiter=",")))
    path.write_text("a,b\n1,2\nSECRET,4\n")
    assert class_sizes(table, ["a"]) == ((1, 2),)
    assert table.relation.fetchall() == [(1, 2), (3, 4)]


def test_odd_targets_are_refused(tmp_path: Path) -> None:
    people = open_embedded(arrow_people())
    with pytest.raises(InvalidSetting, match=r"\.xlsx"):
        write_out(people, tmp_path / "out.ods")
    with pytest.raises(UnreadableFile, match="cannot be written"):
        write_out(people, tmp_path / "missing" / "out.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(UnreadableFile, match="not a regular file"):
        write_out(people, tmp_path / "folder.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(UnreadableFile, match="not a regular file"):
        write_out(people, tmp_path / "pipe.csv")
