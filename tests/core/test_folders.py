from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.core.files import new_folder, whole_path
from reidrisk.errors import UnreadableFile


def write_half(path: Path) -> None:
    with whole_path(path, folder=True) as part:
        (part / "a.txt").write_text("a", encoding="utf-8")
        raise RuntimeError("half way")


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="half"):
        write_half(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    with whole_path(tmp_path / "out", folder=True) as part:
        (part / "a.txt").write_text("a", encoding="utf-8")
        assert not (tmp_path / "out").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "a.txt").read_text(encoding="utf-8") == "a"


def test_what_is_there_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnreadableFile, match="already exists"):
        new_folder(tmp_path / "full")
    with pytest.raises(UnreadableFile, match="its parent folder does not exist"):
        new_folder(tmp_path / "nowhere" / "out")
    with whole_path(tmp_path / "empty", folder=True) as part:
        (part / "a").touch()
    assert (tmp_path / "empty" / "a").exists()
