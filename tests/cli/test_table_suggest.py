from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.running import Run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "rx.csv"
    rows = ["visit_id,sex,age,dx,ward"]
    rows += [f"V{n},{'MF'[n % 2]},{30 + n % 3},{('J45', 'E84.0')[n % 2]},{'ab'[n % 2]}" for n in range(24)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_suggest_ends_with_the_next_command(command: Run, table: Path) -> None:
    code, out, err = command("table", "suggest", table)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].strip() == f"reidrisk table risk {table} --quasi sex,age"
    assert "A SUGGESTION, NOT A DECISION" in out
    assert "must decide" in out


def test_suggest_as_json_and_page(command: Run, table: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, out, _ = command("table", "suggest", table, "--json", "-", "--html", page, "--scenario", "registry")
    result = json.loads(out)
    assert (code, result["kind"], result["scenario"]["name"]) == (0, "table_suggestion", "registry")
    assert result["quasi"] == ["sex", "age"]
    assert "Scenario: registry" in page.read_text(encoding="utf-8")


def test_hipaa_says_by_exit_code(command: Run, table: Path, tmp_path: Path) -> None:
    code, out, _ = command("table", "hipaa", table)
    assert code == 3
    assert "SAFE HARBOR IDENTIFIERS REMAIN" in out
    assert "visit_id" in out
    plain = tmp_path / "plain.csv"
    plain.write_text("sex,age\nM,40\nF,50\n", encoding="utf-8")
    page = tmp_path / "page.html"
    code, out, _ = command("table", "hipaa", plain, "--json", "-", "--html", page)
    assert (code, json.loads(out)["kind"]) == (0, "table_hipaa")
    assert "No Safe Harbor identifier found" in page.read_text(encoding="utf-8")


def test_rare_codes_and_subgroups(command: Run, table: Path, tmp_path: Path) -> None:
    rare = tmp_path / "rare.txt"
    rare.write_text("E84*\n", encoding="utf-8")
    code, out, _ = command(
        *("table", "risk", table, "--quasi", "sex", "--rare", rare, "--rare-column", "dx"),
        *("--by", "ward", "--by", "age", "--json", "-"),
    )
    result = json.loads(out)
    assert (code, result["rare_codes"]["records"]) == (3, 12)
    assert {row["column"] for row in result["subgroups"]} == {"ward", "age"}
    code, out, _ = command("table", "risk", table, "--quasi", "sex", "--by", "ward")
    assert "BY WARD" in out


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("suggest", "--scenario", "neighbor"), 2, "Did you mean 'neighbour'"),
        (("risk", "--quasi", "sex", "--by", "wards"), 1, "Did you mean 'ward'"),
        (
            ("risk", "--quasi", "sex", "--rare", "gone.txt", "--rare-column", "dx"),
            1,
            "gone.txt does not exist",
        ),
        (("risk", "--quasi", "sex", "--rare-column", "dx"), 2, "--rare-column needs a list"),
    ],
)
def test_wrong_usage_is_one_clear_message(
    command: Run,
    table: Path,
    options: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    verb, *rest = options
    found, out, err = command("table", verb, table, *rest)
    assert (found, out) == (code, "")
    assert said in err
    assert "defect" not in err


def test_a_list_must_say_where_to_look(command: Run, table: Path, tmp_path: Path) -> None:
    rare = tmp_path / "rare.txt"
    rare.write_text("E84\n", encoding="utf-8")
    code, _, err = command("table", "risk", table, "--quasi", "sex", "--rare", rare)
    assert code == 2
    assert "which column" in err
    rare.write_text("\n", encoding="utf-8")
    code, _, err = command("table", "risk", table, "--quasi", "sex", "--rare", rare, "--rare-column", "dx")
    assert code == 1
    assert "has no codes" in err
    code, _, err = command("table", "risk", table, "--quasi", "sex", "--rare", rare, "--json", rare)
    assert code == 2
    assert "must not be written" in err


@pytest.mark.parametrize("verb", ["suggest", "hipaa"])
def test_a_table_that_is_not_there(command: Run, tmp_path: Path, verb: str) -> None:
    code, out, err = command("table", verb, tmp_path / "gone.csv")
    assert (code, out) == (1, "")
    assert "Hint:" in err


def test_suggest_drafts_hierarchies_and_the_command_that_uses_them(
    command: Run, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = command("table", "suggest", table, "--hierarchies", "rules.yaml")
    assert (code, err) == (0, "")
    assert "Hierarchies: rules.yaml" in out
    [line] = [line.strip() for line in out.splitlines() if line.startswith("  reidrisk table deidentify")]
    words = shlex.split(line)
    assert words[words.index("--hierarchies") + 1] == "rules.yaml"
    code, _, err = command(*words[1:])
    assert (code, err) == (0, "")
    assert Path(words[-1]).exists()


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("rx.csv", 2, "must not be written"),
        ("rules.txt", 2, "ends in .yaml"),
        ("old.yaml", 1, "exists, and reidrisk did not write it"),
    ],
)
def test_a_draft_replaces_no_file(
    command: Run, table: Path, tmp_path: Path, name: str, code: int, said: str
) -> None:
    (tmp_path / "old.yaml").write_text("sex: exact\n", encoding="utf-8")
    before = table.read_bytes()
    found, _, err = command("table", "suggest", table, "--hierarchies", tmp_path / name)
    assert found == code
    assert said in err
    found, _, err = command("init", table, "--out", tmp_path / name)
    assert found == code
    assert said in err
    assert table.read_bytes() == before
