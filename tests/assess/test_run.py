"""Measured once, judged anew; the same bytes again; nothing left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.assess.kind import ReleasePart
from reidrisk.assess.measurement import measurement_key
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.stats.exact import exact_direct
from tests.assess.builders import HIDDEN, content, write_data, write_file


def everything(out: Path) -> dict[str, bytes]:
    """Every file but the log, which has the time of every run."""
    files = [path for path in out.rglob("*") if path.is_file() and path.name != "log.jsonl"]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the parts whose data were read."""
    found: list[str] = []
    for kind in (
        "reidrisk.assess.kinds.text.TextPart",
        "reidrisk.assess.kinds.table.TablePart",
        "reidrisk.assess.kinds.deidentify.DeidentifyPart",
        "reidrisk.assess.kinds.population.PopulationPart",
    ):
        module, _, name = kind.rpartition(".")
        cls = getattr(__import__(module, fromlist=[name]), name)
        original = cls.measure

        def counted(self: ReleasePart, work: Any, original: Any = original) -> Any:
            found.append(self.name)
            return original(self, work)

        monkeypatch.setattr(cls, "measure", counted)
    return found


def test_a_whole_release(folder: Path, tmp_path: Path) -> None:
    done = rr.assess(write_file(folder), out=tmp_path / "out")
    result = json.loads((tmp_path / "out" / "assessment.json").read_text(encoding="utf-8"))
    assert result == done.to_dict()
    assert (result["kind"], result["acceptable"], done.acceptable) == ("assessment", False, False)
    parts = {part["name"]: part for part in result["parts"]}
    assert [part["judged"]["acceptable"] for part in parts.values()] == [False, True, True, True]
    assert parts["records"]["judged"]["risk"] == pytest.approx(1 / 6)
    assert parts["made"]["task"] == "deidentify"
    assert (parts["made"]["initial"]["risk"], parts["made"]["final"]["risk"]) == (1 / 6, 1 / 6)
    assert parts["state"]["task"] == "compare"
    assert parts["notes"]["judged"]["high"] > parts["notes"]["judged"]["threshold"]
    assert result["release"]["review"] == {"months": 6, "due": "2027-05-01"}
    assert result["reasons"][0]["holds"] is None
    assert [reason["holds"] for reason in result["reasons"][1:]] == [False, True, True, True]
    assert result["monitoring"] is None
    assert {"release.yaml", "manifest.json", "parts/records/class_sizes.csv"} <= set(
        everything(tmp_path / "out")
    )
    assert (folder / "made.csv").read_text(encoding="utf-8").startswith("sex,age\n")
    assert not list(tmp_path.glob(".*")), "nothing is left beside the folder"


def test_nothing_of_a_record_or_a_text_is_in_the_folder(folder: Path, tmp_path: Path) -> None:
    rr.assess(write_file(folder), out=tmp_path / "out")
    for name, content_ in everything(tmp_path / "out").items():
        assert HIDDEN.encode() not in content_, name
        assert b"Lowell" not in content_, name
        assert str(folder).encode() not in content_, name


def test_the_same_bytes_twice_and_on_two_threads(folder: Path, tmp_path: Path) -> None:
    path = write_file(folder)
    for name, threads in (("a", 1), ("b", 1), ("c", 2)):
        exact_direct.cache_clear()
        rr.assess(path, out=tmp_path / name, threads=threads)
    first = everything(tmp_path / "a")
    assert first == everything(tmp_path / "b") == everything(tmp_path / "c")


def test_unchanged_parts_are_not_measured_again(folder: Path, tmp_path: Path, measured: list[str]) -> None:
    path, out = write_file(folder), tmp_path / "out"
    rr.assess(path, out=out)
    assert measured == ["notes", "records", "made", "state"]
    before = everything(out)
    rr.assess(path, out=out)
    assert len(measured) == 4
    assert everything(out) == before
    write_data(folder, leaky=0)
    rr.assess(path, out=out)
    assert measured[4:] == ["notes"]
    changed = {name for name, text in everything(out).items() if before[name] != text}
    assert changed
    assert all(name.startswith("parts/notes/") or "/" not in name for name in changed)
    now, then = (json.loads(one["assessment.json"])["parts"] for one in (everything(out), before))
    assert now[0] != then[0]
    assert now[1:] == then[1:], "a changed input changes only its part"


def test_a_what_if_reads_nothing_and_writes_nothing(
    folder: Path, tmp_path: Path, measured: list[str]
) -> None:
    path, out = write_file(folder), tmp_path / "out"
    rr.assess(path, out=out)
    before, made = everything(out), (folder / "made.csv").stat().st_mtime_ns
    measured.clear()
    public = rr.assess(path, out=out, changes={"context.access": "public"})
    strict = rr.assess(path, out=out, changes={"context.threshold.cell_size": "11"})
    surrogates = rr.assess(
        path, out=out, changes={"parts.notes.treatment": "resynthesis", "parts.notes.recognition": "0.1"}
    )
    assert "made" in measured, "the search aims at the threshold of the context"
    assert set(measured) == {"made"}
    assert everything(out) == before
    assert (folder / "made.csv").stat().st_mtime_ns == made
    assert public.to_dict()["context"]["access"] == "public"
    records = {part["name"]: part["judged"] for part in strict.to_dict()["parts"]}["records"]
    assert (records["acceptable"], records["cell_size"]) == (False, 11)
    notes = surrogates.to_dict()["parts"][0]["result"]["settings"]["release"]
    assert (notes["treatment"], notes["recognition"]) == ("resynthesis", 0.1)


def test_a_run_goes_on_where_it_was_interrupted(
    folder: Path, tmp_path: Path, measured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = write_file(folder, "notes", "records"), tmp_path / "out"

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("reidrisk.assess.kinds.table.measure_table", stop)
        with pytest.raises(KeyboardInterrupt):
            rr.assess(path, out=out)
    assert not (out / "assessment.json").exists()
    rr.assess(path, out=out)
    assert measured == ["notes", "records", "records"]
    assert not (out / ".measuring").exists()


def test_a_part_that_fails_is_said_and_never_left_out(folder: Path, tmp_path: Path) -> None:
    given = content("records", "state")
    given["parts"][0]["quasi"] = ["sex", "agee"]
    del given["parts"][0]["hierarchies"]
    path = folder / "release.yaml"
    path.write_text(json.dumps(given), encoding="utf-8")
    done = rr.assess(path, out=tmp_path / "out")
    result = done.to_dict()
    assert done.failed == ("records",)
    assert not done.acceptable
    failed = result["parts"][0]
    assert (failed["status"], failed["result"], failed["final"]) == ("failed", None, None)
    assert failed["error"]["problem"] == "rx.csv has no column 'agee'."
    assert "Did you mean 'age'" in failed["error"]["hint"]
    assert "could not be judged: records" in result["verdict"]["sentence"]
    assert result["reasons"][1] == {
        "part": "records",
        "text": "Could not be judged: rx.csv has no column 'agee'.",
        "holds": False,
    }
    assert result["parts"][1]["judged"]["acceptable"]
    assert "COULD NOT BE JUDGED" in str(done)


def test_a_table_goes_out_only_if_the_context_permits(folder: Path, tmp_path: Path) -> None:
    write_data(folder, extra=3)
    part = {**content("made")["parts"][0], "ladder": [5, 3], "max_suppression": 0.0, "max_level": {"age": 1}}
    path, made = write_file(folder, parts=[part]), folder / "made.csv"
    refused = rr.assess(path, out=tmp_path / "out")
    judged = refused.to_dict()["parts"][0]["judged"]
    assert (judged["acceptable"], judged["risk"]) == (False, 1 / 3)
    assert "checklist of practices" in judged["sentence"]
    assert not made.exists()
    ready = {
        "preset": "hospital",
        "access": "non_public",
        "checklist": {"others": {"answer": "yes", "evidence": "x"}},
    }
    done = rr.assess(write_file(folder, parts=[part], context=ready), out=tmp_path / "out")
    assert done.acceptable
    assert "the context permits 1/3" in done.to_dict()["parts"][0]["judged"]["sentence"]
    assert made.is_file()
    made.unlink()
    rr.assess(path.with_name("release.yaml"), out=tmp_path / "out")
    assert made.is_file(), "a table that is gone is made again"


def test_a_part_may_be_recoded_record_by_record(folder: Path, tmp_path: Path) -> None:
    write_data(folder, extra=2)
    part = {**content("made")["parts"][0], "method": "local"}
    done = rr.assess(write_file(folder, parts=[part]), out=tmp_path / "out")
    assert done.acceptable
    found = done.to_dict()["parts"][0]
    assert found["result"]["method"] == "local"
    assert "as precise in each record as its class allows" in str(done.to_dict())
    assert (folder / "made.csv").is_file()


def test_another_key_makes_another_table(folder: Path, tmp_path: Path, measured: list[str]) -> None:
    part = {**content("made")["parts"][0], "direct": {"name": "pseudonym"}, "key": "secret.key"}
    path, key = write_file(folder, parts=[part]), folder / "secret.key"
    key.write_text("a" * 32, encoding="utf-8")
    key.chmod(0o600)
    rr.assess(path, out=tmp_path / "out")
    first = (folder / "made.csv").read_bytes()
    key.write_text("b" * 32, encoding="utf-8")
    rr.assess(path, out=tmp_path / "out")
    assert (folder / "made.csv").read_bytes() != first
    assert measured == ["made"], "what is found does not depend on the key"
    for content_ in everything(tmp_path / "out").values():
        assert b"a" * 32 not in content_
        assert b"b" * 32 not in content_


def test_what_changed_since(folder: Path, tmp_path: Path) -> None:
    path = write_file(folder, "notes", "records")
    rr.assess(path, out=tmp_path / "old")
    write_data(folder, extra=3)
    later = write_file(
        folder, "records", "state", release={"name": "Later", "date": "2027-01-31", "review_months": 1}
    )
    since = rr.assess(later, previous=tmp_path / "old").to_dict()["monitoring"]
    assert since["previous"]["date"] == "2026-11-01"
    assert since["review_due"] == "2027-02-28"
    changes = {
        (change["part"], change["what"]): (change["before"], change["after"]) for change in since["changes"]
    }
    assert changes["notes", "part"] == ("present", "absent")
    assert changes["state", "part"] == ("absent", "present")
    assert changes["records", "input rx.csv"] == ("present", "changed")
    assert changes["records", "acceptable"] == (True, False)
    assert since["still_holds"], "not acceptable then, not acceptable now"
    assert since["is_late"] is False, "the review was due on 2027-05-01"
    (tmp_path / "assessment.json").write_text('{"kind": "assessment"}', encoding="utf-8")
    for bad in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UnreadableFile, match="no assessment"):
            rr.assess(later, previous=bad)


def test_a_review_that_is_late_and_other_inputs_are_said(folder: Path, tmp_path: Path) -> None:
    path = write_file(folder, "records")
    rr.assess(path, out=tmp_path / "old")
    (folder / "rx.csv").rename(folder / "newer.csv")
    part = {**content("records")["parts"][0], "table": "newer.csv"}
    later = write_file(folder, parts=[part], release={"name": "Later", "date": "2027-05-02"})
    done = rr.assess(later, previous=tmp_path / "old")
    since = done.to_dict()["monitoring"]
    assert (since["is_late"], since["previous"]["review_due"]) == (True, "2027-05-01")
    assert [(one["what"], one["after"]) for one in since["changes"]] == [
        ("input rx.csv", "absent"),
        ("input newer.csv", "new"),
    ]
    said = " ".join(str(done).split())
    assert "The verdict is unchanged: acceptable. The review was due on 2027-05-01 and is late." in said


def test_empty_folders_that_a_failed_run_left_are_no_other_files(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "charts").mkdir(parents=True)
    rr.assess(write_file(folder), out=tmp_path / "out")
    assert (tmp_path / "out" / "manifest.json").is_file()


def test_folders_that_are_not_ours_are_left_alone(folder: Path, tmp_path: Path) -> None:
    path = write_file(folder, "records")
    with pytest.raises(InvalidSetting, match="contains other files"):
        rr.assess(path, out=folder)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="not a folder"):
        rr.assess(path, out=tmp_path / "file")
    with pytest.raises(UnreadableFile, match="does not exist"):
        rr.assess(path, out=tmp_path / "no" / "such" / "out")
    with pytest.raises(InvalidSetting, match="threads"):
        rr.assess(path, threads=0)


def test_files_of_the_last_assessment_go_and_others_stay(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    rr.assess(write_file(folder, "notes", "records"), out=out)
    (out / "remarks.txt").write_text("ours", encoding="utf-8")
    rr.assess(write_file(folder, "records"), out=out)
    assert not (out / "parts" / "notes").exists()
    assert (out / "remarks.txt").exists()


def test_a_release_from_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    done = rr.assess(content("records"))
    assert done.acceptable
    assert "ACCEPTABLE" in str(done)
    assert "<div" in done._repr_html_()


def test_the_key_of_a_measurement_depends_on_what_matters(folder: Path) -> None:
    from reidrisk.assess.release_file import read_release

    def key(changes: dict[str, Any]) -> str:
        part = read_release(write_file(folder, "notes"), changes).parts[0]
        return measurement_key(part, (), 7)

    base = key({})
    assert key({"context.access": "public"}) == base
    assert key({"parts.notes.settings.gate": "never"}) == base
    assert key({"parts.notes.settings.distinct": "value"}) != base
    assert key({"parts.notes.ignore_words": "none"}) != base


def test_progress_counts_the_parts(folder: Path) -> None:
    told: list[tuple[str, str, int, int]] = []
    path = write_file(folder, "records", "state")
    rr.assess(path, progress=lambda *one: told.append(one))
    whole = [one for one in told if one[1] in ("begun", "finished")]
    assert whole == [
        ("records", "begun", 0, 0),
        ("records", "finished", 1, 2),
        ("state", "begun", 0, 0),
        ("state", "finished", 2, 2),
    ]
    told.clear()
    rr.assess(path, progress=lambda *one: told.append(one), threads=2)
    assert [one[2:] for one in told if one[1] == "finished"] == [(1, 2), (2, 2)]
