"""Inputs that are too large are refused with the limit and the option that raises it."""

from __future__ import annotations

import gzip
import json
import os
import zipfile
from pathlib import Path

import pytest

from reidrisk.core.input_limits import INPUT_LIMITS, LIMITS, changed_limits, check_depth, limit_values
from reidrisk.core.yaml_file import read_yaml
from reidrisk.engine.opening import open_table
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.text.read import read_documents
from tests.cli.running import runner


def wide(path: Path, columns: int) -> Path:
    head = ",".join(f"c{at}" for at in range(columns))
    path.write_text(f"{head}\n" + f"{','.join('1' * columns)}\n" * 3, encoding="utf-8")
    return path


def test_columns(tmp_path: Path) -> None:
    table = wide(tmp_path / "wide.csv", 150)
    with open_table(table) as opened:
        assert len(opened.columns) == 150
        assert set(opened.kinds.values()) == {"whole number"}, "also beyond the first hundred"
    with (
        changed_limits({"columns": 149}),
        pytest.raises(UnreadableFile, match=r"more than 149 columns(.|\n)*--input-limit columns=NUMBER"),
    ):
        open_table(table)
    parquet = tmp_path / "wide.parquet"
    with open_table(table) as opened:
        opened.session.connection.sql("SELECT 1 AS a, 2 AS b").write_parquet(str(parquet))  # type: ignore[attr-defined]
    with changed_limits({"columns": 1}), pytest.raises(UnreadableFile, match="more than 1 columns"):
        open_table(parquet)


def test_the_length_of_a_line(tmp_path: Path) -> None:
    table = tmp_path / "long.csv"
    table.write_text(f"a,b\n1,{'x' * 2_100_000}\n2,y\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"--input-limit line=NUMBER"):
        open_table(table)
    with changed_limits({"line": 4_000_000}), open_table(table) as opened:
        assert opened.count() == 2


def test_what_is_packed(tmp_path: Path) -> None:
    table = tmp_path / "bomb.csv.gz"
    table.write_bytes(gzip.compress(b"a,b\n" + b"0,0\n" * 2_000_000))
    with (
        changed_limits({"archive_ratio": 100}),
        pytest.raises(UnreadableFile, match="--input-limit archive_ratio"),
    ):
        open_table(table)


def test_nesting(tmp_path: Path) -> None:
    deep: object = []
    for _ in range(100):
        deep = [deep]
    with pytest.raises(UnreadableFile, match="more than 100 levels of nesting"):
        check_depth(deep, "It")
    lines = tmp_path / "deep.jsonl"
    lines.write_text(json.dumps({"doc_id": "1", "text": "a", "entities": [], "more": deep}), encoding="utf-8")
    with pytest.raises(UnreadableFile, match="--input-limit nesting=NUMBER"):
        list(read_documents(lines, format="jsonl"))
    lines.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(UnreadableFile, match="levels of nesting"):
        list(read_documents(lines, format="jsonl"))
    settings = tmp_path / "deep.yaml"
    settings.write_text("a: " + "[" * 150 + "]" * 150, encoding="utf-8")
    with pytest.raises(UnreadableFile, match="more than 100 levels"):
        read_yaml(settings)
    marks = tmp_path / "deep.xml"
    marks.write_text("<root>" + "<a>" * 150 + "</a>" * 150 + "</root>", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="the XML has more than 100 levels"):
        list(read_documents(marks, format="i2b2-2014"))


def test_a_pdf(tmp_path: Path) -> None:
    pikepdf = pytest.importorskip("pikepdf")
    from reidrisk.documents.pdf.reading import opened

    made = pikepdf.new()
    for _ in range(3):
        made.add_blank_page()
    made.save(tmp_path / "three.pdf")
    for name in ("pages", "objects"):
        with (
            changed_limits({name: 2}),
            pytest.raises(UnreadableFile, match=f"--input-limit {name}=NUMBER"),
            opened(tmp_path / "three.pdf"),
        ):
            pass


def test_limits_are_named_and_last_for_one_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InvalidSetting, match="Did you mean 'columns'"):
        limit_values(["colums=3"])
    with pytest.raises(InvalidSetting, match="whole number above 0"):
        limit_values(["columns=-3"])
    table = wide(tmp_path / "wide.csv", 12)
    command = runner(capsys)
    code, _, err = command("table", "suggest", table, "--input-limit", "columns=11")
    assert code == 1
    assert "more than 11 columns" in err
    assert LIMITS not in os.environ
    assert command("table", "suggest", table, "--input-limit", "columns=12", "--quiet")[0] == 0
    code, _, err = command("table", "suggest", table, "--input-limit", "rows=3")
    assert code == 2
    assert "columns" in err


def test_the_reference_page_lists_every_limit() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "limits.md"
    text = page.read_text(encoding="utf-8")
    assert all(f"`{one.name}`" in text and f"{one.most:,}" in text for one in INPUT_LIMITS)


def test_other_archives(tmp_path: Path) -> None:
    from reidrisk.population.read import read_population

    for name in ("counts.zip", "people.xlsx"):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/workbook.csv", b"0" * 3_000_000)
        read = read_population if name.endswith(".zip") else open_table
        with pytest.raises(UnreadableFile, match="--input-limit archive_ratio"):
            read(path)
