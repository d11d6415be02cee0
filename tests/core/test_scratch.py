"""Files that readers need for a while: only their owner opens them, and a killed run leaves none for long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from reidrisk.core import work_folder
from reidrisk.core.file_set import together
from reidrisk.core.files import writable
from reidrisk.core.limits import Limits, within
from reidrisk.core.scratch import scratch_folder
from reidrisk.core.work_folder import LockedFolder, new_work_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no locks that a run forgets")
_USING = """
import sys, time
from reidrisk.core.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "1.txt").write_text("x")
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's temporary folder, for this process and for those that it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_only_its_owner_opens_it_and_nothing_is_left(temporary: Path) -> None:
    with scratch_folder() as folder:
        assert folder.parent == temporary
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "1.txt").write_text("x")
    assert not list(temporary.iterdir())


def test_what_a_killed_run_left_goes_and_what_another_uses_stays(temporary: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", _USING], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        other = Path(process.stdout.readline().strip())
        try:
            with scratch_folder() as own:
                assert (other / "1.txt").exists()
                assert {own, other} == set(temporary.iterdir())
        finally:
            os.kill(process.pid, signal.SIGKILL)
    assert (other / "1.txt").exists()
    with scratch_folder() as own:
        assert [own] == list(temporary.iterdir())


def test_folders_of_others_stay(temporary: Path) -> None:
    open_to_all, linked = temporary / ".reidrisk-open.work", temporary / ".reidrisk-link.work"
    open_to_all.mkdir(mode=0o755)
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    linked.symlink_to(elsewhere)
    with scratch_folder():
        pass
    assert {open_to_all, linked, elsewhere} == set(temporary.iterdir())


def test_work_folders_are_next_to_the_output_or_where_temp_says(temporary: Path, tmp_path: Path) -> None:
    out, temp = tmp_path / "out", tmp_path / "temp"
    out.mkdir()
    temp.mkdir()
    with together():
        writable(out / "a.csv")
        with scratch_folder() as folder:
            assert folder.parent == out
        with within(Limits(temp=temp)), scratch_folder() as folder:
            assert folder.parent == temp


def test_memory_may_be_freed_while_a_folder_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python frees a session whenever it likes, also in the middle of the list of folders."""
    other = new_work_folder(tmp_path)

    class Interrupted(dict[Path, LockedFolder]):
        def __setitem__(self, path: Path, folder: LockedFolder) -> None:
            if folder is not other:
                other.remove()
            super().__setitem__(path, folder)

    monkeypatch.setattr(work_folder._OWN, "folders", Interrupted(work_folder._OWN.folders))
    made = new_work_folder(tmp_path)
    assert made.path.is_dir()
    assert not other.path.exists()
    made.remove()
