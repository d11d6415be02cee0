from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.tables.hierarchy.hierarchy import hierarchies_from, read_hierarchies

EVERY_KIND = """
sex: exact
admitted: [day, month, quarter, year]
stay: [days, weeks]
discharged:
  levels: [day, month]
  max_level: month
age:
  kind: age
  unit: days
  levels:
    - days
    - name: weeks
      steps: [{below: 1 year, by: 1 week}, {by: 1 year}]
    - {name: five years, years: 5}
  top: 90 years
  min_level: weeks
  max_level: five years
  reason: organ maturity
income: {kind: number, levels: [1000, {width: 5000}, {quantiles: 4}], top: 100000}
postal: {kind: prefix, lengths: [3, 1], normalise: true}
zip: {kind: zip, restricted: [036, 059, 102]}
diagnosis: icd10
drug: atc
answer:
  kind: tree
  tree: {given: [Yes, No], none: [refused]}
  names: [answer, whether]
region: {kind: csv, file: region.csv, suppress: false}
"""


def test_every_kind_in_yaml(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    (tmp_path / "region.csv").write_text("north;*\nsouth;*\n", encoding="utf-8")
    path.write_text(EVERY_KIND.replace(", suppress: false", ""), encoding="utf-8-sig")
    found = read_hierarchies(path)
    assert list(found) == [
        *("sex", "admitted", "stay", "discharged", "age", "income", "postal", "zip", "diagnosis", "drug"),
        *("answer", "region"),
    ]
    assert found["admitted"].on(["2007-03-14"]).names == ("day", "month", "quarter", "year", "suppressed")
    assert found["stay"].on([8]).names == ("days", "weeks", "suppressed")
    assert found["discharged"].max_level == "month"
    ages = found["age"].on([3, 400])
    assert ages.names == ("days", "weeks", "five years", "suppressed")
    assert (ages.recoding.lowest, ages.recoding.highest, ages.reason) == (1, 2, "organ maturity")
    assert found["zip"].on(["03601", "06301"]).labels[1].tolist() == ["000", "063"]
    assert found["answer"].on(["Yes", "refused"]).labels[1].tolist() == ["given", "none"]
    assert found["region"].on(["north"]).names == ("0", "1")


def test_a_folder_of_files(tmp_path: Path) -> None:
    for name in ("x_hierarchy_age.csv", "x_hierarchy_marital-status.csv", "x.csv", ".hierarchy_a.csv"):
        (tmp_path / name).write_text("1;*\n", encoding="utf-8")
    assert list(read_hierarchies(tmp_path)) == ["age", "marital-status"]
    assert list(read_hierarchies(str(tmp_path / "x_hierarchy_age.csv"))) == ["age"]
    (tmp_path / "y_hierarchy_age.csv").write_text("1;*\n", encoding="utf-8")
    with pytest.raises(BadData, match=r"two hierarchies for 'age': x_hierarchy_age\.csv and y_"):
        read_hierarchies(tmp_path)


def test_where_there_is_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"has no file \*hierarchy_COLUMN\.csv"):
        read_hierarchies(tmp_path)
    with pytest.raises(UnreadableFile, match=r"rules\.yaml does not exist"):
        read_hierarchies(tmp_path / "rules.yaml")
    with pytest.raises(UnreadableFile, match="does not exist"):
        read_hierarchies(tmp_path / "gone")
    (tmp_path / "rules.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="not a folder, a YAML file or a hierarchy"):
        read_hierarchies(tmp_path / "rules.json")


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("sex: exact\nsex: exact\n", InvalidSetting, r"rules\.yaml, line 2 repeats a key of line 1"),
        ("sex: {kind: exact, kind: date}\n", InvalidSetting, "line 1 repeats a key of line 1"),
        ("sex: [\n", UnreadableFile, r"rules\.yaml, line 2 is not plain YAML"),
        ("a: &x exact\nb: *x\n", UnreadableFile, "is not plain YAML"),
        ("a: !!python/object:os.system x\n", UnreadableFile, "is not plain YAML"),
        ("- exact\n", InvalidSetting, "expected a mapping of columns"),
        ("", InvalidSetting, "expected a mapping of columns"),
        ("1: exact\n", InvalidSetting, "column name is not text"),
        ("sex: 3\n", InvalidSetting, r"rules\.yaml: sex is not a mapping"),
        ("sex:\n", InvalidSetting, r"rules\.yaml: sex is not a mapping"),
        ("sex: {1: x}\n", InvalidSetting, "sex has a setting whose name is not text"),
        ("sex: excat\n", InvalidSetting, r"sex.kind cannot be 'excat'(.|\n)*'exact'"),
        ("sex: {kind: [exact]}\n", InvalidSetting, r"sex.kind cannot be"),
        ("sex: {levels: [3, 2]}\n", InvalidSetting, "sex needs the setting 'kind'"),
        ("sex: [day, years]\n", InvalidSetting, "sex needs the setting 'kind'"),
        ("sex: {kind: exact, max_levle: 1}\n", InvalidSetting, "Did you mean 'max_level'"),
        (
            "sex: {kind: exact, max_level: 1.5}\n",
            InvalidSetting,
            "sex.max_level is neither the name nor the number",
        ),
        ("sex: {kind: exact, reason: 1}\n", InvalidSetting, "sex.reason is not text"),
        ("sex: {kind: exact, suppress: yes}\n", InvalidSetting, "sex.suppress is neither true nor false"),
        ("d: {kind: date, levels: [day, monht]}\n", InvalidSetting, r"rules\.yaml: d\.levels\[1\]"),
        ("d: {kind: csv}\n", InvalidSetting, "d needs the setting 'file'"),
        ("d: {kind: csv, file: gone.csv}\n", UnreadableFile, r"gone\.csv cannot be read"),
        ("d: {kind: csv, file: x.csv, suppress: true}\n", InvalidSetting, "d has no setting 'suppress'"),
    ],
)
def test_a_faulty_file_is_named_by_place(
    tmp_path: Path, text: str, error: type[Exception], said: str
) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error, match=said):
        read_hierarchies(path)


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "rules.yml"
    path.write_bytes(b"a: \xff\n")
    with pytest.raises(UnreadableFile, match="UTF-8"):
        read_hierarchies(path)


def test_a_mapping_within_another_file(tmp_path: Path) -> None:
    (tmp_path / "region.csv").write_text("north;*\n", encoding="utf-8")
    content: dict[str, Any] = {"region": {"kind": "csv", "file": "region.csv"}}
    assert hierarchies_from(content, folder=tmp_path, place="")["region"].on(["north"]).names == ("0", "1")
    with pytest.raises(InvalidSetting, match=r"^release\.yaml: hierarchies\.sex has no setting"):
        hierarchies_from({"sex": {"kind": "exact", "x": 1}}, folder=".", place="release.yaml: hierarchies.")


def test_files_of_arx_need_no_yaml_and_no_compiler() -> None:
    code = (
        "import sys, reidrisk.tables.hierarchy.hierarchy\n"
        "heavy = {'yaml', 'numba', 'scipy', 'duckdb', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
