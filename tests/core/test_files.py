from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.core.files import whole_file, write_bytes, write_text
from reidrisk.errors import UnreadableFile


def test_bytes_and_texts_arrive_whole(tmp_path: Path) -> None:
    write_bytes(tmp_path / "a.pdf", b"%PDF\r\n\x00")
    write_text(tmp_path / "a.txt", "eins\nzwei\n")
    assert (tmp_path / "a.pdf").read_bytes() == b"%PDF\r\n\x00"
    assert (tmp_path / "a.txt").read_bytes() == b"eins\nzwei\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "a.txt"]


def test_what_fails_on_the_way_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(TypeError), whole_file(path) as file:
        file.write(b"neither text nor new")  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="its folder does not exist"):
        write_bytes(tmp_path / "none" / "a.pdf", b"")
