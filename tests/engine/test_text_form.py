"""A CSV file that is released is like its source, letter by letter where nothing was done."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.engine.duckdb.table import open_embedded
from tests.engine.builders import arrow_people, write_csv, write_out


def through(source: Path, typed: set[str], out: str = "out.csv") -> str:
    opened = open_embedded(source)
    stored = opened.as_stored(typed)
    write_out(stored, source.parent / out, like=opened.form)
    return (source.parent / out).read_bytes().decode()


LINES = '''id;zip;price;when;note;flag
0012;01234;1.50;03/04/2020;"two
lines; and ""quotes""";true
7;00501;2;15/04/2020;plain;FALSE
8;;-0.0;;"";
9;99999;1e3;01/01/1999; spaced ;t
'''


def test_what_nobody_computes_with_stays_as_it_is(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(LINES.encode())
    opened = open_embedded(source)
    assert opened.types["when"] == "DATE"
    assert through(source, set()) == LINES.replace('"";\n', ";\n")
    # an empty cell and a quoted empty cell are the same here: nothing


def test_dates_are_spelled_as_in_the_source(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(LINES.encode())
    assert through(source, {"when"}) == LINES.replace('"";\n', ";\n")


def test_moments_are_spelled_as_in_the_source(tmp_path: Path) -> None:
    text = "at|n\n31.12.2020 23:59:59|1\n01.02.2021 00:00:00|2\n"
    source = tmp_path / "in.csv"
    source.write_bytes(text.encode())
    opened = open_embedded(source)
    assert opened.types["at"] == "TIMESTAMP"
    assert through(source, {"at"}) == text


def test_codes_keep_their_zeros_even_where_they_are_counted(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(b"zip,n\n00501,1\n01234,2\n99999,3\n")
    assert open_embedded(source).types["zip"] == "VARCHAR"
    assert through(source, {"zip", "n"}) == "zip,n\n00501,1\n01234,2\n99999,3\n"


@pytest.mark.parametrize(
    "words", [("F", "F"), ("T", "F"), ("TRUE", "FALSE"), ("yes", "no"), ("true", "false")]
)
def test_a_sex_is_no_truth_value(words: tuple[str, str], tmp_path: Path) -> None:
    """A ward of women only: their F must not become false."""
    source = tmp_path / "in.csv"
    text = f"sex,n\n{words[0]},1\n{words[1]},2\n"
    source.write_text(text)
    assert open_embedded(source).types["sex"] == ("BOOLEAN" if words[0] == "true" else "VARCHAR")
    assert not [note for note in open_embedded(source).notes if "sex" in note]
    assert through(source, {"sex", "n"}) == text


def test_a_tab_if_the_suffix_says_so(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(b"a;b\n1;x\n2;y\n")
    assert through(source, set(), "out.tsv") == "a\tb\n1\tx\n2\ty\n"


def test_other_encodings_become_utf_8(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", encoding="utf-16")
    text = through(source, set())
    assert "Süd" in text
    assert len(text.splitlines()) == 10


def test_frames_have_no_spelling() -> None:
    people = open_embedded(arrow_people())
    assert people.as_stored(set()) is people
    assert people.form.text is None


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), min_size=1, max_size=4)


@given(st.lists(st.tuples(st.integers(0, 99), CELL), min_size=2, max_size=12), st.sampled_from(",;\t|"))
@settings(max_examples=15)
def test_any_text_goes_through(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str]], delimiter: str
) -> None:
    from reidrisk.engine.settings import CsvDialect, ScanSettings

    folder = tmp_path_factory.mktemp("any")
    with (folder / "in.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([("number", "text"), *rows])
    settings = ScanSettings(csv=CsvDialect(delimiter=delimiter, header=True))
    opened = open_embedded(folder / "in.csv", settings=settings)
    write_out(opened.as_stored(set()), folder / "out.csv", like=opened.form)
    text = (folder / "out.csv").read_bytes().decode()
    found = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert found == [["number", "text"], *([str(number), cell] for number, cell in rows)]
