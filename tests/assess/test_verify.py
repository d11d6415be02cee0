"""Manipulations of an assessment, also by somebody who recomputes every hash: each is found and named."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.assess.manifest import MANIFEST, REPORTS, json_text
from reidrisk.core.limits import limits_now
from reidrisk.errors import UnreadableFile
from reidrisk.report.assessment_folder import write_reports
from tests.assess.builders import content, write_data, write_file
from tests.assess.trusted import change, forge, forge_reports, read, write_assessed
from tests.sharing import made_once

Change = Callable[[Path], None]


@pytest.fixture(scope="session")
def assessed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "reidrisk-assessed", write_assessed)


@pytest.fixture
def out(assessed: Path, tmp_path: Path) -> Path:
    """A copy for the test, of which the data lie beside it in `data`."""
    shutil.copytree(assessed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "out"


def test_an_untouched_folder_is_consistent_with_itself_and_no_more(out: Path) -> None:
    found = rr.verify(out)
    assert found.differences == ()
    assert found.is_repeated
    assert str(found).startswith("CONSISTENT WITH ITSELF")
    assert "It is not signed" in str(found)
    assert found.root in str(found)
    for word in ("VERIFIED", "unchanged", "as it was made"):
        assert word not in str(found)


def test_quick_says_what_it_did_not_do(out: Path) -> None:
    found = rr.verify(out, quick=True)
    assert (found.holds, found.is_repeated, found.state) == (True, False, "consistent")
    assert "Not done: it was not run again, and its reports were not drawn again." in str(found)


def test_a_copy_without_its_inputs_can_be_verified_alone(out: Path, tmp_path: Path) -> None:
    copy = tmp_path / "sent to us" / "assessment"
    shutil.copytree(out, copy)
    whole = str(rr.verify(copy))
    assert "is missing." in whole
    assert whole.endswith(f"run: reidrisk verify '{copy}' --folder-only")
    alone = rr.verify(copy, folder_only=True)
    assert (alone.holds, alone.state, alone.inputs, alone.is_repeated) == (True, "consistent", 0, False)
    assert "Not done: inputs, released tables and codebooks were not compared" in str(alone)
    (copy / "report.html").write_text("forged", encoding="utf-8")
    assert rr.verify(copy, folder_only=True).differences == ("report.html was changed.",)


def test_a_root_hash_from_elsewhere_vouches(out: Path) -> None:
    root = rr.verify(out, quick=True).root
    assert rr.verify(out, root=f" {root.upper()} ").state == "verified"
    assert rr.verify(out, root=root, quick=True).state == "consistent", "reports were not drawn again"
    found = rr.verify(out, root="0" * 64)
    assert "not the one that you gave" in str(found)
    assert not found.holds


def edit(path: str, how: Callable[[Any], None]) -> Change:
    return lambda out: change(out / path, how)


def settings(out: Path) -> None:
    """A milder threshold, in everything that states it."""
    copy = out / "release.yaml"
    copy.write_text(copy.read_text().replace("name: A small release", "name: Another release"))
    change(out / "assessment.json", lambda one: one["settings"]["release"].update(name="Another release"))
    change(out / "assessment.json", lambda one: one["release"].update(name="Another release"))


def swap(out: Path) -> None:
    one, other = (out / "parts" / name / "measured.json" for name in ("records", "made"))
    first = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(first)


def without_part(out: Path) -> None:
    shutil.rmtree(out / "parts" / "records")
    change(
        out / MANIFEST,
        lambda one: one.update(files=[e for e in one["files"] if not e["path"].startswith("parts/records/")]),
    )


def other_input(out: Path) -> None:
    write_data(out.parent / "data", extra=1)


def other_table(out: Path) -> None:
    table = out.parent / "data" / "made.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("F", "M", 1), encoding="utf-8")


def other_seed(out: Path) -> None:
    change(out / MANIFEST, lambda one: one.update(seed=8))


def verdict(content: Any) -> None:
    content["acceptable"] = content["verdict"]["acceptable"] = not content["acceptable"]


FORGED: dict[str, tuple[Change, str]] = {
    "an edited verdict": (
        edit("assessment.json", verdict),
        "assessment.json differs when it is run again, in: acceptable",
    ),
    "an edited figure": (
        edit("assessment.json", lambda one: one["parts"][0]["judged"].update(risk=0.001)),
        "assessment.json differs when it is run again, in: parts.",
    ),
    "removed reasons": (
        edit("assessment.json", lambda one: one.update(reasons=one["reasons"][:1])),
        "assessment.json differs when it is run again, in: reasons.",
    ),
    "edited monitoring": (
        edit("assessment.json", lambda one: one["monitoring"].update(still_holds=True, changes=[])),
        "assessment.json differs when it is run again, in: monitoring.",
    ),
    "an edited earlier assessment": (
        edit("previous.json", lambda one: one.update(acceptable=True)),
        "assessment.json differs when it is run again, in: monitoring.",
    ),
    "a renamed release": (settings, "release.yaml differs when it is run again"),
    "swapped measurements": (swap, "parts/made/measured.json differs when it is run again"),
    "a deleted part": (without_part, "parts/records/result.json is missing: the run writes it."),
    "another input": (other_input, "assessment.json differs when it is run again"),
    "another released table": (other_table, "The table made.csv of made differs when it is run again."),
    "another seed": (other_seed, "manifest.json differs when it is run again, in: seed."),
    "forged versions": (
        edit(MANIFEST, lambda one: one["versions"].update(numpy="1.0")),
        "manifest.json states numpy 1.0; this run used numpy ",
    ),
    "a forged version of reidrisk": (
        edit(MANIFEST, lambda one: one.update(version="9.9")),
        "manifest.json states reidrisk 9.9; this is ",
    ),
    "another key": (
        edit(MANIFEST, lambda one: one["outputs"][0].update(secret="another")),  # noqa: S106
        "The table made.csv of made was written with another key.",
    ),
    "emptied outputs": (
        edit(MANIFEST, lambda one: one.update(outputs=[])),
        "The table made.csv of made is missing from manifest.json.",
    ),
    "emptied inputs": (
        edit(MANIFEST, lambda one: one.update(inputs=[])),
        "The input rx.csv of records is missing from manifest.json.",
    ),
    "an input too many": (
        edit(MANIFEST, lambda one: one["inputs"].append({**one["inputs"][0], "part": "nobody"})),
        "The input rx.csv of nobody does not belong to the release.",
    ),
    "a shuffled list": (
        edit(MANIFEST, lambda one: one["inputs"].reverse()),
        "manifest.json lists inputs in another order.",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forger_who_recomputes_every_hash_is_found(out: Path, name: str) -> None:
    manipulate, said = FORGED[name]
    manipulate(out)
    forge(out)
    assert rr.verify(out, quick=True).holds, "the forgery is perfect but for the run"
    found = rr.verify(out)
    assert not found.holds
    assert said in str(found)


@pytest.mark.parametrize("name", ["report.html", "report.pdf"])
def test_a_rewritten_report_is_found(out: Path, name: str) -> None:
    path = out / name
    before = path.read_bytes()
    path.write_bytes(
        before.replace(b"</body>", b"<p>Safe.</p></body>") if name.endswith("html") else before + b"\n"
    )
    assert f"{name} was changed." in rr.verify(out, quick=True).differences
    forge_reports(out)
    assert rr.verify(out, quick=True).holds
    found = rr.verify(out)
    assert f"{name} differs when it is drawn again." in found.differences


def test_a_rewritten_chart_and_codebook_are_found(out: Path) -> None:
    chart = next((out / "charts").iterdir())
    chart.write_text(chart.read_text(encoding="utf-8").replace("0", "1"), encoding="utf-8")
    forge_reports(out)
    assert f"charts/{chart.name} differs when it is drawn again." in rr.verify(out).differences
    book = out.parent / "data" / "made.codebook.md"
    book.write_text("Everything is safe.\n", encoding="utf-8")
    assert "The codebook made.codebook.md of made has changed." in rr.verify(out, quick=True).differences


def test_a_list_of_reports_without_a_report_is_found(out: Path) -> None:
    (out / "report.pdf").unlink()
    change(
        out / REPORTS, lambda one: one.update(files=[e for e in one["files"] if e["path"] != "report.pdf"])
    )
    assert "report.pdf is missing: it is drawn with the report." in rr.verify(out).differences


def test_a_release_of_another_name_and_a_release_file_that_changed_are_found(out: Path) -> None:
    change(out / MANIFEST, lambda one: one["release"].update(file="other.yaml"))
    assert "The release file other.yaml is missing." in rr.verify(out).differences
    change(out / MANIFEST, lambda one: one["release"].update(file="release.yaml"))
    write_file(out.parent / "data", "records", "made", seed=9)
    assert "The release file release.yaml has changed." in rr.verify(out).differences


def test_a_release_file_without_its_hash_is_found(out: Path) -> None:
    """Otherwise the copy in the folder would be run, which a forger can change."""
    change(out / MANIFEST, lambda one: one["release"].update(sha256=None))
    assert "manifest.json names the release file release.yaml without its hash." in rr.verify(out).differences


def test_reports_of_a_forged_assessment_are_of_no_use(out: Path) -> None:
    manipulate, said = FORGED["an edited verdict"]
    manipulate(out)
    forge(out)
    write_reports(out)
    found = rr.verify(out)
    assert said in str(found)


HIDDEN = (
    *(".hidden", "notes.txt", ".measuring/records.json", ".reidrisk/more.jsonl", "signatures/note.txt"),
    *("charts/.x.svg", "parts/records/more.csv", "parts/other/result.json", "reports/report.html"),
)


@pytest.mark.parametrize("name", HIDDEN)
def test_an_added_file_is_found_wherever_it_hides(out: Path, name: str) -> None:
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_text("{}", encoding="utf-8")
    assert any(text.startswith(f"{name} does not belong") for text in rr.verify(out, quick=True).differences)


def test_a_name_cannot_fake_a_line(out: Path) -> None:
    (out / "x\nVERIFIED: out\x1b[2J").write_text("")
    said = str(rr.verify(out, quick=True))
    assert "  - x?VERIFIED: out?[2J does not belong to the assessment." in said.splitlines()


def test_an_added_folder_is_found(out: Path) -> None:
    (out / "parts" / "empty").mkdir()
    assert "parts/empty does not belong to the assessment." in rr.verify(out).differences


def test_links_pipes_and_folders_in_the_place_of_files_are_found_and_never_waited_for(out: Path) -> None:
    (out / "extra").symlink_to(out / "assessment.json")
    (out / "loop").symlink_to(out)
    os.mkfifo(out / "pipe")
    true = out.parent / "assessment.json"
    (out / "assessment.json").rename(true)
    (out / "assessment.json").symlink_to(true)
    (out / "release.yaml").unlink()
    os.mkfifo(out / "release.yaml")
    (out / "report.html").unlink()
    (out / "report.html").mkdir()
    said = str(rr.verify(out))
    for text in (
        "extra is a link, which does not belong",
        "loop is a link, which does not belong",
        "pipe is a pipe, which does not belong",
        "assessment.json is a link, which does not belong",
        "release.yaml is a pipe, which does not belong",
        "report.html does not belong",
    ):
        assert text in said


def test_a_folder_that_is_a_link_is_found(out: Path) -> None:
    (out / "parts").rename(out.parent / "parts")
    (out / "parts").symlink_to(out.parent / "parts")
    assert "parts is a link, which does not belong to the assessment." in rr.verify(out).differences


@pytest.mark.parametrize("name", [MANIFEST, REPORTS])
def test_a_pipe_or_a_link_as_a_list_is_an_error(out: Path, name: str) -> None:
    (out / name).rename(out.parent / name)
    os.mkfifo(out / name)
    with pytest.raises(UnreadableFile, match="is not a regular file"):
        rr.verify(out)
    (out / name).unlink()
    (out / name).symlink_to(out.parent / name)
    with pytest.raises(UnreadableFile, match="is a link"):
        rr.verify(out)


def test_an_input_that_became_a_pipe_is_not_waited_for(out: Path) -> None:
    path = out.parent / "data" / "rx.csv"
    path.unlink()
    os.mkfifo(path)
    assert "is not a regular file" in str(rr.verify(out))


def _renamed(content: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    return {new if name == old else name: value for name, value in content.items()}


def with_path(path: Any) -> Callable[[dict[str, Any]], str]:
    return lambda one: json_text({**one, "files": [{**one["files"][0], "path": path}]})


PATHS = (
    *("../data/rx.csv", "/etc/passwd", "a/../../b", "a//b", "./a", "", ".", "a\\..\\b", "C:/x", "a\0b", 5),
)
MALFORMED: dict[str, tuple[Callable[[dict[str, Any]], str], str]] = {
    "no JSON": (lambda _: "{", "it is not JSON"),
    "empty": (lambda _: "", "it is not JSON"),
    "no mapping": (lambda _: "[1, 2]", "it is not a mapping"),
    "nested without end": (lambda _: "[" * 100_000, "it is not JSON"),
    "no number": (
        lambda one: json_text(one).replace('"seed": 7', '"seed": NaN'),
        "a number that JSON does not",
    ),
    "another kind": (lambda one: json_text({**one, "kind": "x"}), "kind is not what"),
    "a missing key": (lambda one: json_text(_renamed(one, "seed", "sead")), "seed is missing"),
    "a key too many": (lambda one: json_text({**one, "more": 1}), "entries that reidrisk does not write"),
    "a key twice": (
        lambda one: json_text(one).replace('{\n  "kind"', '{\n  "seed": 7,\n  "kind"', 1),
        "occurs twice",
    ),
    "a seed of text": (lambda one: json_text({**one, "seed": "7"}), "seed is not what"),
    "versions of numbers": (lambda one: json_text({**one, "versions": {"numpy": 1}}), "versions is not what"),
    "files that are no list": (lambda one: json_text({**one, "files": {}}), "files is not a list"),
    "a file that is no mapping": (
        lambda one: json_text({**one, "files": [1]}),
        "files, entry 1 is malformed",
    ),
    "a release of text": (lambda one: json_text({**one, "release": "x"}), "release is not a mapping"),
    "an absolute folder": (
        lambda one: json_text({**one, "release": {**one["release"], "folder": "/etc"}}),
        "folder is not what",
    ),
    "a short hash": (
        lambda one: json_text({**one, "files": [{**one["files"][0], "sha256": "ab"}]}),
        "sha256 is not what",
    ),
    "a negative size": (
        lambda one: json_text({**one, "files": [{**one["files"][0], "bytes": -1}]}),
        "bytes is not what",
    ),
    "a file twice": (lambda one: json_text({**one, "files": one["files"][:1] * 2}), "a file is listed twice"),
    **{f"the path {path!r}": (with_path(path), "path is not what") for path in PATHS},
    "bytes": (lambda one: json_text(one).replace("manifest", "\udcff"), "it is not UTF-8"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_manifest_is_one_clear_error(out: Path, name: str) -> None:
    write, said = MALFORMED[name]
    text = write(read(out / MANIFEST))
    (out / MANIFEST).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UnreadableFile) as error:
        rr.verify(out)
    assert said in error.value.problem
    assert "manifest.json" in error.value.problem


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (lambda one: one.update(kind="x"), "kind is not what"),
        (lambda one: one.pop("root"), "root is missing"),
        (lambda one: one["files"][0].update(path="../x"), "path is not what"),
        (lambda one: one.update(codebooks=[{}]), "part is missing"),
    ],
)
def test_a_malformed_list_of_reports_is_one_clear_error(
    out: Path, how: Callable[[Any], None], said: str
) -> None:
    change(out / REPORTS, how)
    with pytest.raises(UnreadableFile, match=r"reports\.json.* is malformed") as error:
        rr.verify(out)
    assert said in error.value.problem


def test_versions_of_the_packages_that_draw_are_named(out: Path) -> None:
    change(out / REPORTS, lambda one: one["versions"].update(typst="0.1"))
    found = rr.verify(out).differences
    assert any(text.startswith("The report was drawn with typst 0.1; this run used typst ") for text in found)


def test_a_huge_manifest_is_one_clear_error(out: Path) -> None:
    with (out / MANIFEST).open("r+b") as file:
        file.truncate(2**40)
    with pytest.raises(UnreadableFile, match="is larger than 16 MiB"):
        rr.verify(out)


def test_another_form_of_the_manifest_is_found(out: Path) -> None:
    (out / MANIFEST).write_text(json.dumps(read(out / MANIFEST)), encoding="utf-8")
    said = str(rr.verify(out, quick=True))
    assert "manifest.json was changed: it is not written as reidrisk writes it." in said
    assert "The reports show another root hash" in said


def test_what_is_no_assessment(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="contains no assessment"):
        rr.verify(tmp_path)


def test_changed_and_missing_inputs_are_named(out: Path) -> None:
    data = out.parent / "data"
    write_data(data, extra=1)
    said = {f"The input rx.csv of {part} has changed." for part in ("records", "made")}
    assert set(rr.verify(out, quick=True).differences) == said
    (data / "rx.csv").unlink()
    (data / "made.csv").unlink()
    found = rr.verify(out)
    assert not found.is_repeated, "another run makes no sense"
    assert set(found.differences) == {
        *(f"The input rx.csv of {part} is missing." for part in ("records", "made")),
        "The table made.csv of made is missing.",
    }


def test_the_run_keeps_to_the_limits_of_the_release(tmp_path: Path) -> None:
    write_data(tmp_path)
    (tmp_path / "spill").mkdir()
    limits = {"memory": "3GB", "cores": 1, "temp": "spill"}
    rr.assess(write_file(tmp_path, "records", limits=limits), out=tmp_path / "out")
    seen = set()
    found = rr.verify(
        tmp_path / "out", progress=lambda *_: seen.add((limits_now().memory, limits_now().cores))
    )
    assert (found.differences, seen) == ((), {("3GB", 1)})
    (tmp_path / "spill").rmdir()
    assert rr.verify(tmp_path / "out").holds, "a temporary folder of another machine does not count"


def test_content_without_a_file_is_run_from_its_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_data(tmp_path)
    monkeypatch.chdir(tmp_path)
    rr.assess(content("records"), out="out")
    assert rr.verify("out").holds
    change(tmp_path / "out" / MANIFEST, lambda one: one.update(seed=8))
    assert not rr.verify("out").holds


def test_a_torn_line_of_the_log_is_told_and_a_changed_one_is_found(out: Path) -> None:
    path = out / ".reidrisk" / "log.jsonl"
    before = path.read_bytes()
    path.write_bytes(before + b'{"number": 2, "prev')
    found = rr.verify(out, quick=True)
    assert found.holds
    assert "Log: Line 2 is incomplete: a command was stopped while it wrote it." in found.notes
    path.write_bytes(before.replace(b"rr.assess", b"rr.asses") + before)
    assert "The log .reidrisk/log.jsonl was changed" in str(rr.verify(out, quick=True))


def test_nothing_is_left_beside_the_folder(out: Path) -> None:
    before = sorted(out.parent.iterdir())
    rr.verify(out)
    assert sorted(out.parent.iterdir()) == before


def test_the_root_hash_can_be_computed_by_anybody(out: Path) -> None:
    """The root is the hash of the manifest, and the manifest has the hash of every file."""
    import subprocess

    lines = "".join(f"{entry['sha256']}  {entry['path']}\n" for entry in read(out / MANIFEST)["files"])
    subprocess.run(["sha256sum", "--check", "--quiet"], cwd=out, input=lines, text=True, check=True)
    done = subprocess.run(["sha256sum", MANIFEST], cwd=out, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == rr.verify(out, quick=True).root
