from __future__ import annotations

import csv
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.engine.opening import open_table
from reidrisk.errors import BadData, UnreadableFile
from reidrisk.stats.lattice.inputs import Criterion, Tuples
from reidrisk.stats.lattice.search import solve
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, read_hierarchies
from reidrisk.tables.hierarchy.listed import column_of, read_arx_csv


def test_adult_has_the_scores_of_arx(shared: Path) -> None:
    reference = json.loads((shared / "arx_reference.json").read_text(encoding="utf-8"))
    [case] = [
        case
        for case in reference["anonymization"]
        if (case["metric"], case["supp"], case["k"], len(case["optimum"])) == ("loss_gm", 0.02, 5, 9)
    ]
    hierarchies = read_hierarchies(shared / "adult")
    with open_table(shared / "adult" / "adult.csv") as table:
        tuples = table.tuples(case["optimum"])
    levels = [
        hierarchies[column].on(values) for column, values in zip(tuples.columns, tuples.values, strict=True)
    ]
    assert levels[tuples.columns.index("age")].recoding.domain == 100
    outcome = solve(
        Tuples(tuples.codes, tuples.counts),
        [level.recoding for level in levels],
        Criterion(case["k"], limit=0.02),
        "loss_gm",
    )
    assert outcome.solution is not None
    assert outcome.solution.score == pytest.approx(0.3137130353, abs=1e-9)
    assert outcome.solution.score == pytest.approx(case["score"], rel=1e-9)
    assert outcome.solution.suppressed == case["suppressed_rows"]


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_encodings_and_line_ends(tmp_path: Path, delimiter: str, encoding: str, end: str) -> None:
    rows = [("Zürich", "CH", "*"), ("Genf", "CH", "*"), ("Wien", "AT", "*")]
    text = end.join(delimiter.join(row) for row in rows) + end + end
    path = written(tmp_path / "hierarchy_town.csv", text, encoding)
    levels = Hierarchy.csv("town", path).on(["Wien", "Zürich"])
    assert levels.names == ("0", "1", "2")
    assert [labels.tolist() for labels in levels.labels] == [["Wien", "Zürich"], ["AT", "CH"], ["*", "*"]]


def test_leaves_are_rows_of_the_file_and_not_values_of_the_data(tmp_path: Path) -> None:
    path = written(tmp_path / "h.csv", "a;x;*\nb;x;*\nc;y;*\nd;y;*\ne;y;*\n")
    recoding = Hierarchy.csv("c", path).on(["a", "d"]).recoding
    assert recoding.domain == 5
    assert [
        leaves[codes].tolist() for codes, leaves in zip(recoding.levels, recoding.leaves, strict=True)
    ] == [
        [1, 1],
        [2, 3],
        [5, 5],
    ]


def test_missing_values_are_a_row_of_their_own_unless_listed(tmp_path: Path) -> None:
    plain = Hierarchy.csv("c", written(tmp_path / "a.csv", "a;x;*\nb;x;*\n")).on(["a", None])
    assert [labels.tolist() for labels in plain.labels] == [["a", None], ["x", None], ["*", "*"]]
    assert plain.recoding.domain == 3
    assert [
        int(leaves[codes[1]])
        for codes, leaves in zip(plain.recoding.levels, plain.recoding.leaves, strict=True)
    ] == [
        1,
        1,
        3,
    ]
    listed = Hierarchy.csv("c", written(tmp_path / "b.csv", "a;x;all\n;unknown;all\n")).on(["a", None])
    assert [labels.tolist() for labels in listed.labels] == [["a", None], ["x", "unknown"], ["all", "all"]]
    assert listed.recoding.domain == 2
    top = Hierarchy.csv("c", written(tmp_path / "c.csv", "a;all\nb;all\n")).on(["a", None])
    assert top.labels[1].tolist() == ["all", None]


def test_several_writings_of_a_value_share_its_row(tmp_path: Path) -> None:
    path = written(tmp_path / "h.csv", "1;low\n2;low\n3;high\n")
    levels = Hierarchy.csv("c", path).on([" 1", "1", "3"])
    assert levels.labels[1].tolist() == ["low", "low", "high"]
    assert levels.recoding.domain == 3


def test_a_gap_is_told_by_column_and_numbers_only(tmp_path: Path) -> None:
    path = written(tmp_path / "h.csv", "a;*\n")
    with pytest.raises(
        BadData, match=r"'drug' has 2 values \(1,007 rows\) without a row in .*h\.csv"
    ) as caught:
        Hierarchy.csv("drug", path).on(["a", "zzsecret", "yysecret"], [1, 1000, 7])
    assert "secret" not in str(caught.value)
    with pytest.raises(BadData, match="'drug' has 1 value without a row"):
        Hierarchy.csv("drug", path).on(["b"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"h\.csv is empty"),
        ("\n \n", r"h\.csv is empty"),
        ("aa;x;*\nbb;x\n", "line 2 has 2 columns where line 1 has 3"),
        ("aa;x\nbb;y\n\naa;x\n", "line 1 and line 4 list the same value"),
        ("aa;x;u\nbb;y;u\ncc;x;v\n", "level 2 splits a group of level 1: line 1 and line 3"),
        ("aa;x;u\nbb;x;v\ncc;x;v\n", r"line 1 and line 2 .* \(2 rows in all\)"),
        ("aa;;u\n", "line 1 has no label at level 1"),
        ('aa;"x\n', "cannot be parsed"),
    ],
)
def test_a_faulty_file_is_named_by_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadData, match=said) as caught:
        read_arx_csv(written(tmp_path / "h.csv", text))
    assert "aa" not in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes(b"a;x\nb\xe4h;x\n")
    with pytest.raises(UnreadableFile, match="line 2 is not UTF-8"):
        read_arx_csv(path)
    with pytest.raises(UnreadableFile, match="No such file"):
        read_arx_csv(tmp_path / "gone.csv")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_arx_csv(tmp_path)


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("adult_hierarchy_marital-status.csv", "marital-status"),
        ("hierarchy_age.csv", "age"),
        ("x hierarchy_a.b c%.CSV", "a.b c%"),
        ("adult_hierarchy_hierarchy_x.csv", "hierarchy_x"),
        ("hierarchy_.csv", None),
        ("adult.csv", None),
        ("hierarchy_age.txt", None),
    ],
)
def test_the_column_is_in_the_name_of_the_file(name: str, column: str | None) -> None:
    assert column_of(Path(name)) == column


def test_separators_of_other_lines_stay_in_a_label(tmp_path: Path) -> None:
    path = written(tmp_path / "h.csv", 'a\u2028b;x\n"c\nd";y\n')
    assert np.array_equal(Hierarchy.csv("c", path).on(["a\u2028b", "c\nd"]).labels[1], ["x", "y"])


@given(
    st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=12, unique=True),
    st.integers(1, 4),
    st.sampled_from([";", ",", "\t"]),
)
def test_what_is_written_is_read(values: list[str], parts: int, delimiter: str) -> None:
    rows = [(value, f"group {at % parts}", f"half {at % parts % 2}", "*") for at, value in enumerate(values)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "hierarchy_c.csv"
        with path.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
        try:
            path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            with pytest.raises(UnreadableFile, match="not UTF-8"):
                read_arx_csv(path)
            return
        levels = Hierarchy.csv("c", path).on(values)
    assert [tuple(labels) for labels in zip(*levels.labels, strict=True)] == rows
