"""Sets of files appear together or not at all, also if a run is killed between two renames."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from reidrisk.core.file_set import FileSet, at_once, now_at, together
from reidrisk.core.files import whole_path, write_bytes, write_new, write_text
from reidrisk.errors import UnreadableFile

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no locks that a run forgets")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def killed(work: Callable[[], None], at: int) -> None:
    """Do this in a copy of the process that is killed before one of its renames."""
    child = os.fork()
    if not child:
        real, count = os.replace, iter(range(100))

        def replace(source: str, target: str) -> None:
            if next(count) == at:
                os.kill(os.getpid(), signal.SIGKILL)
            real(source, target)

        os.replace = replace  # type: ignore[assignment]
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL


def two(first: Path, second: Path) -> None:
    with together():
        write_text(first, "new")
        write_text(second, "new")


def test_they_wait_for_each_other(tmp_path: Path) -> None:
    with together():
        write_text(tmp_path / "a", "1")
        assert not (tmp_path / "a").exists()
        assert now_at(tmp_path / "a").read_text() == "1"
        with at_once():
            write_text(tmp_path / "now", "0")
        assert (tmp_path / "now").exists()
        write_text(tmp_path / "b", "2")
    assert names(tmp_path) == ["a", "b", "now"]


def test_one_that_fails_takes_the_others_with_it(tmp_path: Path) -> None:
    def fail() -> None:
        with together():
            write_text(tmp_path / "a", "1")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert names(tmp_path) == []


def test_a_rename_that_fails_gives_the_old_files_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        (tmp_path / name).write_text("old")
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        if Path(target).name == "b" and Path(source).name == "b":
            raise PermissionError(13, "Permission denied")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(UnreadableFile, match="b cannot be written: Permission denied"):
        two(tmp_path / "a", tmp_path / "b")
    assert {(tmp_path / name).read_text() for name in "ab"} == {"old"}
    assert names(tmp_path) == ["a", "b"]


@pytest.mark.parametrize(("at", "expected"), [(0, "old"), (1, "old"), (2, "new"), (3, "new")])
def test_the_next_run_completes_or_removes(tmp_path: Path, at: int, expected: str) -> None:
    """The first renames are those of the pointer in the other folder, and of the journal."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / "file").write_text("old")
    killed(lambda: two(one / "file", other / "file"), at)
    told: list[str] = []
    with together(tell=told.append):
        write_text(other / "third", "x")
    assert (one / "file").read_text() == (other / "file").read_text() == expected
    assert "interrupted run" in told[0]
    with together():
        write_text(one / "third", "x")
    assert names(one) == names(other) == ["file", "third"]


def test_what_somebody_wrote_since_stays(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    killed(lambda: two(a, b), 2)
    assert not b.exists()
    b.write_text("written by hand")
    with together(tell=lambda _: None):
        write_text(tmp_path / "c", "x")
    assert (a.read_text(), b.read_text()) == ("new", "written by hand")


def test_a_draft_changes_a_folder_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    for text in ("first", "second"):
        with together() as files:
            draft = files.draft(folder)
            (draft / "below").mkdir()
            write_text(draft / "below" / "a", text)
            assert now_at(folder) == draft
            if text == "second":
                assert (folder / "below" / "a").read_text() == "first"
                files.remove(folder / "gone")
            else:
                write_text(draft / "gone", text)
        assert (folder / "below" / "a").read_text() == text
    assert names(folder) == ["below"]


def test_a_file_of_the_second_draft_is_found_where_it_is_now(tmp_path: Path) -> None:
    for name in ("tables", "assessment"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("old")
    with together() as files:
        for name in ("tables", "assessment"):
            write_text(files.draft(tmp_path / name) / "file", "new")
        for name in ("tables", "assessment"):
            assert now_at(tmp_path / name / "file").read_text() == "new"
            assert (tmp_path / name / "file").read_text() == "old"
    assert (tmp_path / "assessment" / "file").read_text() == "new"


def test_folders_and_documents_are_dropped_alone(tmp_path: Path) -> None:
    def fail() -> None:
        with whole_path(tmp_path / "f", folder=True) as part:
            (part / "x").write_text("x")
            raise ZeroDivisionError

    with together():
        write_text(tmp_path / "a", "1")
        with pytest.raises(ZeroDivisionError):
            fail()
    assert names(tmp_path) == ["a"]


def test_a_new_file_never_replaces_one(tmp_path: Path) -> None:
    write_new(tmp_path / "key", b"1", mode=0o600)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    with pytest.raises(UnreadableFile, match="File exists"):
        write_new(tmp_path / "key", b"2", mode=0o600)
    assert (tmp_path / "key").read_bytes() == b"1"
    write_bytes(tmp_path / "other", b"3", mode=0o640)
    assert (tmp_path / "other").stat().st_mode & 0o777 == 0o640


def test_folders_that_stay_empty_go_again(tmp_path: Path) -> None:
    files = FileSet(lambda _: None)
    files.make_folder(tmp_path / "a" / "b")
    files.discard()
    assert names(tmp_path) == []


def test_a_draft_that_was_cut_is_completed_from_any_of_its_folders(tmp_path: Path) -> None:
    """The table is in one folder, the draft is for another; whoever writes to the second completes both."""
    (tmp_path / "made").mkdir()
    (tmp_path / "out" / "folder").mkdir(parents=True)

    def write() -> None:
        with together() as files:
            write_text(tmp_path / "made" / "table.csv", "new")
            draft = files.draft(tmp_path / "out" / "folder")
            (draft / "below").mkdir()
            write_text(draft / "below" / "a", "new")

    killed(write, 3)  # after the pointer, the journal and the table
    (tmp_path / "out" / "folder" / "below").rmdir()  # as if it was killed one step before
    with together(tell=lambda _: None):
        write_text(tmp_path / "out" / "other", "x")
    assert (tmp_path / "out" / "folder" / "below" / "a").read_text() == "new"
    assert (tmp_path / "made" / "table.csv").read_text() == "new"
    assert names(tmp_path / "made") == ["table.csv"]
    assert names(tmp_path / "out") == ["folder", "other"]


def adopted(folder: Path) -> None:
    """A folder that others fill, with a file beside it."""
    work = folder / "elsewhere"
    (work / "rows").mkdir(parents=True)
    (work / "rows" / "part").write_text("1")
    with together() as files:
        files.remove_at_end(work)
        files.adopt(work / "rows", folder / "out")
        write_text(folder / "b", "2")


def test_a_folder_filled_elsewhere_appears_with_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopted(tmp_path)
    assert names(tmp_path) == ["b", "out"]
    assert names(tmp_path / "out") == ["part"]
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setattr(os, "fsync", disk_full)
    with pytest.raises(UnreadableFile, match="No space left"):
        adopted(other)
    assert names(other) == []


def disk_full(_: int) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("at", range(3))
def test_a_folder_filled_elsewhere_is_completed_by_the_next_run(tmp_path: Path, at: int) -> None:
    """It stays where it is filled as long as a journal may need it."""
    killed(lambda: adopted(tmp_path), at)
    with together():
        write_text(tmp_path / "later", "3")
    left = [name for name in names(tmp_path) if name not in ("later", "elsewhere")]
    assert left in ([], ["b", "out"])
    assert (tmp_path / "elsewhere" / "rows").exists() != bool(left)
