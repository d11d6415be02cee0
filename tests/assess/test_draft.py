from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import reidrisk as rr
from reidrisk.assess.kinds.text import TextSketch
from reidrisk.assess.release_file import read_release
from reidrisk.errors import InvalidSetting, UnreadableFile
from tests.assess.builders import HIDDEN


@pytest.fixture
def draft(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    return rr.draft_release(["rx.csv", "tool.jsonl", "gold.jsonl", "people.csv"])


def test_files_become_parts_by_what_is_in_them(draft: str) -> None:
    parts = {part["name"]: part for part in yaml.safe_load(draft)["parts"]}
    assert [part["kind"] for part in parts.values()] == ["text", "table", "population"]
    assert (parts["notes"]["gold"], parts["notes"]["tool"]) == ("gold.jsonl", "tool.jsonl")
    assert parts["rx"]["quasi"] == ["sex", "age"]
    assert parts["rx"]["direct"] == {"name": "drop"}
    assert parts["rx"]["confirmed"] is False
    assert set(parts["rx"]["hierarchies"]) == {"sex", "age"}
    assert (parts["rx"]["deidentify"], parts["rx"]["out"]) == (True, "rx-released.csv")
    assert parts["people"]["population"] == "people.csv"


def test_it_can_be_assessed_as_it_is_and_says_what_it_means(draft: str, folder: Path) -> None:
    (folder / "release.yaml").write_text(draft, encoding="utf-8")
    assert len(read_release(folder / "release.yaml").parts) == 3
    keys = [line for line in draft.splitlines() if ": " in line and not line.lstrip().startswith(("#", "-"))]
    assert sum("#" in line for line in keys) > len(keys) / 2
    assert HIDDEN not in draft


def test_a_missing_side_is_left_for_a_person(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "release.yaml").write_text(rr.draft_release(["gold.jsonl"]), encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"line \d+: parts\[0\].tool names TO-BE-NAMED"):
        read_release(folder / "release.yaml")


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["a.jsonl", "b.jsonl"], [("a.jsonl", "b.jsonl")]),
        (["pred/", "gold/"], [("gold/", "pred/")]),
        (["gold", "tool1", "tool2"], [("gold", "tool1"), ("gold", "tool2")]),
        (["tool", "x"], [("x", "tool")]),
        (["tool"], [("tool", None)]),
        ([], []),
    ],
)
def test_sides_by_their_names(names: list[str], pairs: list[tuple[str, str | None]]) -> None:
    found = TextSketch.pair([TextSketch(name) for name in names])
    assert [(one.path, one.tool) for one in found] == pairs


def test_strange_names_stay_readable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    odd = folder / "rx, of: 2026 #1.csv"
    odd.write_text(
        (folder / "rx.csv").read_text(encoding="utf-8").replace("sex", "sex: m/f #"), encoding="utf-8"
    )
    found = yaml.safe_load(rr.draft_release([odd.name, odd.name]))
    assert [part["table"] for part in found["parts"]] == [odd.name, odd.name]
    assert len({part["name"] for part in found["parts"]}) == 2


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="No file"):
        rr.draft_release([])
    with pytest.raises(UnreadableFile, match="does not exist"):
        rr.draft_release([tmp_path / "none.csv"])


MESSY = """\
patient_id,visit no,no,date of birth,zip,visit_date,icd,weight,comment,Ärzte: "x"
"""


def messy_rows(rows: int = 240) -> str:
    """Several rows per person, odd dates, ZIP+4 codes and blanks, sentences, and names that need quotes."""
    lines = []
    for n in range(rows):
        who = n // 2
        area = "" if n % 9 == 0 else f"{10001 + who % 7}{'-1234' if n % 5 == 0 else ''}"
        day = "unknown" if n % 40 == 0 else f"2022-{1 + n % 12:02}-{1 + n % 28:02}"
        said = f"Left a message with the family at {n} o'clock today."
        code = ("E11.9", "I21.0", "n/a")[n % 3]
        born = f"{1940 + who % 50}-0{1 + who % 9}-11"
        lines.append(f"P{who},V{n},{n % 4},{born},{area},{day},{code},{50 + n % 40},{said},a")
    return MESSY + "\n".join(lines) + "\n"


def test_a_drafted_table_ends_in_a_verdict_without_an_edit(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "messy.csv").write_text(messy_rows(), encoding="utf-8")
    text = rr.draft_release([tmp_path / "data" / "messy.csv"], folder=tmp_path)
    release = tmp_path / "release.yaml"
    release.write_text(text, encoding="utf-8")
    [part] = yaml.safe_load(text)["parts"]
    assert (part["unit"], part["known"], part["text"]) == ("patient_id", 1, {"comment": "drop"})
    assert {"visit_date", "icd"} <= set(part["events"])
    done = rr.assess(release, out=tmp_path / "first")
    assert not done.failed
    assert not done.acceptable
    assert not (tmp_path / "messy-released.csv").exists()
    release.write_text(text.replace("confirmed: false", "confirmed: true"), encoding="utf-8")
    done = rr.assess(release, out=tmp_path / "second")
    assert not done.failed
    assert done.acceptable
    released = (tmp_path / "messy-released.csv").read_text(encoding="utf-8")
    assert "o'clock" not in released
    assert "-11," not in released


def test_paths_are_relative_to_the_release_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "t.csv").write_text("sex,age\n" + "F,30\nM,40\n" * 20, encoding="utf-8")
    found = yaml.safe_load(rr.draft_release(["t.csv"], folder="there"))
    assert found["parts"][0]["table"] == "../t.csv"


def test_a_missing_hierarchy_is_no_reason_to_suppress_more(tmp_path: Path) -> None:
    rows = "\n".join(f"{'FM'[n % 2]},{10000 + n % 150}" for n in range(400))
    (tmp_path / "t.csv").write_text(f"sex,zip\n{rows}\n", encoding="utf-8")
    (tmp_path / "r.yaml").write_text(
        "reidrisk: 1\nrelease: {name: x}\ncontext: {preset: hospital, access: public}\nparts:\n"
        "  - {name: t, kind: table, table: t.csv, quasi: [sex, zip], deidentify: true}\n",
        encoding="utf-8",
    )
    remedies = rr.assess(tmp_path / "r.yaml", out=tmp_path / "a").to_dict()["remedies"]
    assert any("zip (150 distinct values) has no hierarchy" in one["text"] for one in remedies)
    assert not any("allow suppressed values" in one["text"] for one in remedies)


def test_a_draft_says_how_the_file_is_read(tmp_path: Path) -> None:
    sexes = ("weiblich", "MÄNNLICH")
    rows = "\n".join(f"{sexes[n % 2]};0{1 + n % 9}/0{1 + n % 7}/2022" for n in range(60))
    (tmp_path / "t.csv").write_bytes(f"Geschlecht;visit_date\n{rows}\n".encode("cp1252"))
    text = rr.draft_release([tmp_path / "t.csv"], folder=tmp_path)
    [part] = yaml.safe_load(text)["parts"]
    assert part["encoding"] == "cp1252"
    assert set(part["date_format"]) == {"visit_date"}
    assert "check which is right" in text
    assert part["hierarchies"]["visit_date"]["min_level"] == "month"
    (tmp_path / "r.yaml").write_text(text, encoding="utf-8")
    assert not rr.assess(tmp_path / "r.yaml", out=tmp_path / "a").failed
