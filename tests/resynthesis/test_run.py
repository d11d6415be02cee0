"""From files to files: whole, in any order, with any number of processes, resumable."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from reidrisk.errors import BadData, InvalidSetting, ReidRiskError, UnknownColumn, UnreadableFile
from reidrisk.resynthesis import worker as processes
from reidrisk.resynthesis.corpus.note import SourceOptions
from reidrisk.resynthesis.corpus.plain_text import TextFolder
from reidrisk.resynthesis.run import RunOptions, deidentify_text
from reidrisk.resynthesis.settings import ResynthesisSettings
from tests.resynthesis.tiny import ANN, BOB, PLAIN, WordDetector

KEY = b"a key of thirty-two bytes, for us"
REAL = ("Lee", "LEE", "Ann", "Ray", "Bob", "0012345", "7700110", "2019-03-14", "3/20/2019", "2020-01-02")


def run(
    notes: Path, out: Path, /, *, mode: Any = "surrogate", key: Any = KEY, **given: Any
) -> dict[str, Any]:
    changes = ResynthesisSettings(mode=mode)
    options = RunOptions(**given)
    return deidentify_text(
        notes, out, settings=changes, detect=WordDetector(), key=key, options=options
    ).to_dict()


def folder(root: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return root


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return folder(
        tmp_path / "notes", {"a/ann-1.txt": ANN, "bob-1.txt": BOB, "plain.txt": PLAIN, "empty.txt": ""}
    )


def read(path: Path) -> str:
    return path.read_bytes().decode()


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("redact", "[REDACTED] ([REDACTED], MRN [REDACTED]) was"),
        ("label", "[NAME] ([NAME], MRN [MEDICALRECORD]) was"),
        ("mask", "███ ███ (███ ███, MRN ███████) was"),
    ],
)
def test_marks_in_place_of_identifiers(notes: Path, tmp_path: Path, mode: Any, expected: str) -> None:
    result = run(notes, tmp_path / "out", mode=mode)
    text = read(tmp_path / "out" / "a" / "ann-1.txt")
    assert text.startswith(expected)
    assert text.endswith("is well 🙂.")
    assert "\r\n" in text
    assert (result["documents"], result["documents_without_findings"], result["replaced"]) == (4, 2, 10)
    assert read(tmp_path / "out" / "empty.txt") == ""


def test_surrogates_hide_every_real_value_and_agree_between_files(notes: Path, tmp_path: Path) -> None:
    run(notes, tmp_path / "out")
    ann, bob = read(tmp_path / "out" / "a" / "ann-1.txt"), read(tmp_path / "out" / "bob-1.txt")
    for value in REAL:
        assert value not in ann + bob
    surname = ann.split()[1]
    assert ann.count(surname) == 2
    assert surname.upper() in ann
    assert read(tmp_path / "out" / "plain.txt") == PLAIN
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def outputs(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*.txt"))}


def test_processes_and_order_change_nothing(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(notes, tmp_path / "one")
    monkeypatch.setattr(processes, "TEXTS", 1)
    run(notes, tmp_path / "two", jobs=2)
    assert outputs(tmp_path / "one") == outputs(tmp_path / "two")
    monkeypatch.setattr(TextFolder, "notes", _backwards(TextFolder.notes))
    run(notes, tmp_path / "three")
    assert outputs(tmp_path / "one") == outputs(tmp_path / "three")
    monkeypatch.undo()
    run(notes, tmp_path / "other", key=b"another key of thirty-two bytes..")
    assert outputs(tmp_path / "one") != outputs(tmp_path / "other")


def _backwards(notes: Any) -> Any:
    return lambda source: iter(list(notes(source))[::-1])


def test_errors_come_back_from_other_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "TEXTS", 1)
    source = folder(tmp_path / "notes", {"a.txt": ANN, "b.txt": BOB})
    with pytest.raises(UnreadableFile, match="does not exist"):
        deidentify_text(source, tmp_path / "out", detect=_Refuses(), options=RunOptions(jobs=2), key=KEY)


class _Refuses:
    def find(self, text: str) -> list[Any]:  # noqa: ARG002
        raise UnreadableFile("The model does not exist.", hint="Make one.")


def test_a_stopped_folder_is_resumed(notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(notes, tmp_path / "whole")
    calls = {"left": 2}
    write = TextFolder.writer

    def stops(self: TextFolder, out: Path) -> Any:
        return _Stopping(write(self, out), calls)

    monkeypatch.setattr(TextFolder, "writer", stops)
    with pytest.raises(KeyboardInterrupt):
        run(notes, tmp_path / "out")
    monkeypatch.undo()
    assert not (tmp_path / "out").exists()
    with pytest.raises(BadData, match="different key"):
        run(notes, tmp_path / "out", resume=True, key=b"some other key of thirty-two byte")
    result = run(notes, tmp_path / "out", resume=True)
    assert result["resumed"] == 2
    assert outputs(tmp_path / "out") == outputs(tmp_path / "whole")
    assert not (tmp_path / ".out.work").exists()


class _Stopping:
    """Writes so many files and is stopped then."""

    def __init__(self, inner: Any, calls: dict[str, int]) -> None:
        self._inner, self._calls = inner, calls

    def __enter__(self) -> Any:
        write = self._inner.__enter__()

        def counted(note: Any, text: str) -> None:
            if not self._calls["left"]:
                raise KeyboardInterrupt
            self._calls["left"] -= 1
            write(note, text)

        return counted

    def __exit__(self, *error: object) -> Any:
        return self._inner.__exit__(*error)


def test_changed_files_are_not_resumed(notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"left": 1}
    write = TextFolder.writer
    monkeypatch.setattr(TextFolder, "writer", lambda self, out: _Stopping(write(self, out), calls))
    with pytest.raises(KeyboardInterrupt):
        run(notes, tmp_path / "out")
    (notes / "bob-1.txt").write_text("Bob Ray again.", encoding="utf-8")
    with pytest.raises(BadData, match="has changed since the earlier run"):
        run(notes, tmp_path / "out", resume=True)


def test_the_work_folder_holds_no_value(notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"left": 0}
    write = TextFolder.writer
    monkeypatch.setattr(TextFolder, "writer", lambda self, out: _Stopping(write(self, out), calls))
    with pytest.raises(KeyboardInterrupt):
        run(notes, tmp_path / "out")
    kept = b"".join(path.read_bytes() for path in (tmp_path / ".out.work").rglob("*") if path.is_file())
    assert kept
    assert (tmp_path / ".out.work").stat().st_mode & 0o077 == 0
    for value in ("lee", "Lee", "Ray", "ray", "0012345", "7700110", "2019-03-14"):
        assert value.encode() not in kept


def test_dates_of_a_person_move_alike_in_all_texts(tmp_path: Path) -> None:
    texts = {"p1-a.txt": "Seen 2019-03-14.", "p1-b.txt": "Seen 2019-03-24.", "p2-a.txt": "Seen 2019-03-14."}
    source = folder(tmp_path / "notes", texts)
    run(source, tmp_path / "out", source=SourceOptions(person=r"^(p\d)-"))
    from datetime import date

    a, b, _ = (date.fromisoformat(read(tmp_path / "out" / name)[5:15]) for name in texts)
    assert (b - a).days == 10
    with pytest.raises(BadData, match="does not match the id"):
        run(source, tmp_path / "other", source=SourceOptions(person=r"^(x\d)-"))
    with pytest.raises(InvalidSetting, match="nor a pattern with a group"):
        run(source, tmp_path / "third", source=SourceOptions(person="patient"))


ROWS = [
    ["id", "note", "more, text", "person"],
    ["1", ANN, "x", "p1"],
    ["2", "", 'say "hi"', "p2"],
    ["3", BOB, PLAIN, "p1"],
]


def table(path: Path, encoding: str = "utf-8") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",").writerows(ROWS)
    return path


@pytest.mark.parametrize(
    ("name", "encoding"), [("t.csv", "utf-8"), ("t.tsv", "utf-8-sig"), ("t.csv", "utf-16")]
)
def test_columns_of_a_table(tmp_path: Path, name: str, encoding: str) -> None:
    source, out = table(tmp_path / name, encoding), tmp_path / f"out-{name}"
    options = SourceOptions(columns=("note",), person="person")
    result = run(source, out, source=options)
    with out.open(encoding=encoding, newline="") as file:
        rows = list(csv.reader(file, delimiter="\t" if out.suffix == ".tsv" else ","))
    assert [[row[0], *row[2:]] for row in rows] == [[row[0], *row[2:]] for row in ROWS]
    assert rows[2][1] == ""
    assert rows[1][1] != ANN
    assert "Lee" not in rows[1][1]
    assert result["documents"] == 3
    assert out.read_bytes()[:2] == source.read_bytes()[:2]
    assert out.read_bytes().count(b"\r") == source.read_bytes().count(b"\r")


def test_a_table_needs_its_column(tmp_path: Path) -> None:
    source = table(tmp_path / "t.csv")
    with pytest.raises(InvalidSetting, match="Which column"):
        run(source, tmp_path / "out.csv")
    with pytest.raises(UnknownColumn, match="notes"):
        run(source, tmp_path / "out.csv", source=SourceOptions(columns=("notes",)))
    assert not (tmp_path / "out.csv").exists()


def test_columns_of_a_parquet_file(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    texts = [ANN, None, BOB, PLAIN] * 300
    made = pa.table({"n": list(range(1200)), "note": texts, "person": ["p1", "p2", None, "p3"] * 300})
    pq.write_table(made, tmp_path / "t.parquet")
    run(
        tmp_path / "t.parquet",
        tmp_path / "out.parquet",
        source=SourceOptions(columns=("note",), person="person"),
    )
    new = pq.read_table(tmp_path / "out.parquet")
    assert new.schema == made.schema
    assert new.column("n") == made.column("n")
    found = new.column("note").to_pylist()
    assert found[1] is None
    assert found[3] == PLAIN
    assert len(set(found)) == 4
    with pytest.raises(UnknownColumn, match="int64"):
        run(tmp_path / "t.parquet", tmp_path / "x.parquet", source=SourceOptions(columns=("n",)))


def test_json_lines_keep_their_other_fields_but_no_annotations(tmp_path: Path) -> None:
    entity = {"start": 0, "end": 7, "type": "NAME", "text": "Ms. Lee"}
    records = [
        {"doc_id": "a", "text": ANN, "ward": 3, "entities": [entity]},
        {"doc_id": "b", "text": BOB, "ward": 4},
    ]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    result = run(source, out)
    new = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(one["doc_id"], one["ward"]) for one in new] == [("a", 3), ("b", 4)]
    assert "Lee" not in out.read_text(encoding="utf-8")
    assert "entities" not in new[0]
    assert any("entities" in warning for warning in result["warnings"])


def test_findings_say_where_in_both_texts(notes: Path, tmp_path: Path) -> None:
    findings = tmp_path / "found.jsonl"
    run(notes, tmp_path / "out", findings=findings)
    assert "Lee" not in findings.read_text(encoding="utf-8")
    lines = {one["doc_id"]: one for one in map(json.loads, findings.read_text(encoding="utf-8").splitlines())}
    new = read(tmp_path / "out" / "a" / "ann-1.txt")
    name, *_, last = lines["a/ann-1"]["spans"]
    assert ANN[name["start"] : name["end"]] == "Ms. Lee"
    assert new[name["new_start"] : name["new_end"]].startswith("Ms. ")
    assert new[last["new_start"] : last["new_end"]].isupper()
    run(notes, tmp_path / "again", findings=findings, show_text=True)
    assert "Ms. Lee" in findings.read_text(encoding="utf-8")
    import reidrisk as rr

    assert {one.id for one in rr.read_documents(findings)} == set(lines)


def test_marks_of_another_tool_are_replaced(tmp_path: Path) -> None:
    source = folder(tmp_path / "notes", {"a.txt": ANN})
    marks = tmp_path / "marks.jsonl"
    marks.write_text(
        json.dumps({"doc_id": "a", "spans": [{"start": 0, "end": 7, "label": "PATIENT"}]}) + "\n"
    )
    result = run(source, tmp_path / "out", marks=marks, mode="label")
    assert read(tmp_path / "out" / "a.txt").startswith("[PATIENT] (Ann Lee")
    assert result["by_source"] == [{"source": "marks", "replaced": 1}]
    marks.write_text(json.dumps({"doc_id": "b", "spans": []}) + "\n")
    with pytest.raises(BadData, match="do not contain document"):
        run(source, tmp_path / "other", marks=marks)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_encodings_and_marks_are_kept(tmp_path: Path, encoding: str) -> None:
    source = tmp_path / "note.txt"
    data = ANN.encode(encoding) if encoding != "utf-16-be" else b"\xfe\xff" + ANN.encode(encoding)
    source.write_bytes(data)
    run(source, tmp_path / "out.txt", mode="label")
    new = (tmp_path / "out.txt").read_bytes()
    assert (new[:2] == data[:2]) == (encoding != "utf-8")
    assert new.decode(encoding).lstrip("\ufeff").startswith("[NAME] ([NAME]")
    assert "\r\n" in new.decode(encoding)


def test_a_named_encoding(tmp_path: Path) -> None:
    source = tmp_path / "note.txt"
    source.write_bytes("Zoë Núñez".encode("cp1252"))
    with pytest.raises(UnreadableFile, match=r"byte 2 \(from 0\) is not valid utf-8") as refused:
        run(source, tmp_path / "out.txt")
    assert "--encoding cp1252" in refused.value.hint
    run(source, tmp_path / "out.txt", source=SourceOptions(encoding="cp1252"))
    assert (tmp_path / "out.txt").read_bytes().decode("cp1252") != "Zoë Núñez"
    with pytest.raises(InvalidSetting, match="no encoding"):
        run(source, tmp_path / "x.txt", source=SourceOptions(encoding="klingon"))


def test_binary_files_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "scan.txt"
    source.write_bytes(b"text\0\x01\x02")
    with pytest.raises(UnreadableFile, match="not a text file: it contains a zero byte at 4"):
        run(source, tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()
    assert list(tmp_path.iterdir()) == [source]


def test_right_to_left_text_keeps_its_order(tmp_path: Path) -> None:
    source = tmp_path / "note.txt"
    source.write_text("המטופלת Ann Lee נבדקה ב-2019-03-14.", encoding="utf-8")
    run(source, tmp_path / "out.txt", mode="label")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "המטופלת [NAME] נבדקה ב-[DATE]."


def test_outputs_never_replace_inputs(notes: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="output is inside the input"):
        run(notes, notes / "out")
    with pytest.raises(InvalidSetting, match="output is inside the input"):
        run(notes, notes)
    with pytest.raises(InvalidSetting, match="Only runs on a folder"):
        run(notes / "bob-1.txt", tmp_path / "out.txt", resume=True)


def test_a_key_file_is_made_and_kept(notes: Path, tmp_path: Path) -> None:
    key = tmp_path / "my.key"
    run(notes, tmp_path / "one", key=key)
    assert key.stat().st_mode & 0o777 == 0o600
    assert run(notes, tmp_path / "two", key=key)["warnings"] == []
    assert outputs(tmp_path / "one") == outputs(tmp_path / "two")
    key.chmod(0o644)
    with pytest.raises(InvalidSetting, match="Other users of this computer can read the key file"):
        run(notes, tmp_path / "three", key=key)
    assert "No key was given" in run(notes, tmp_path / "four", key=None)["warnings"][0]


def test_messages_hold_no_text(tmp_path: Path) -> None:
    source = folder(tmp_path / "notes", {"a.txt": ANN})
    marks = tmp_path / "marks.jsonl"
    marks.write_text(
        json.dumps({"doc_id": "a", "spans": [{"start": 0, "end": 9999, "label": "NAME"}]}) + "\n"
    )
    with pytest.raises(ReidRiskError) as refused:
        run(source, tmp_path / "out", marks=marks)
    assert "Lee" not in str(refused.value)


def test_unreadable_folders(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(UnreadableFile, match="no text file"):
        run(tmp_path / "none", tmp_path / "out")
    with pytest.raises(UnreadableFile, match="does not exist"):
        run(folder(tmp_path / "a", {"a.txt": ANN}), tmp_path / "no" / "out")
    assert list((tmp_path / "none").iterdir()) == []
