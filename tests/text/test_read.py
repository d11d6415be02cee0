"""Files and folders: formats found or named, and what is refused before anything is read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from reidrisk.errors import InvalidSetting, UnmatchedDocuments, UnreadableFile
from reidrisk.text.formats.names import READABLE
from reidrisk.text.formats.reader import ReadSettings
from reidrisk.text.read import FORMATS, READERS, read_documents

LINE = '{"doc_id": "d1", "text": "Anna", "entities": [{"start": 0, "end": 4, "type": "NAME"}]}\n'
XML = '<MEDDOCAN><TEXT>Anna</TEXT><TAGS><NAME start="0" end="4" TYPE="X"/></TAGS></MEDDOCAN>'


def test_every_format_has_a_name_and_a_line_of_help() -> None:
    assert tuple(FORMATS) == READABLE
    assert len(FORMATS) == len(READERS)
    assert all(FORMATS.values())


def test_a_folder_of_several_formats_in_the_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text(LINE)
    (tmp_path / "a.xml").write_text(XML)
    (tmp_path / "c.ann").write_text("T1\tX 0 4\tAnna\n")
    (tmp_path / "c.txt").write_text("Anna")
    (tmp_path / "d.json").write_text('{"d2": [[0, 4]]}')
    (tmp_path / ".hidden.xml").write_text("broken")
    (tmp_path / "README.md").write_text("no annotations")
    (tmp_path / "e.xml").mkdir()
    assert [d.id for d in read_documents(tmp_path)] == ["a", "d1", "c", "d2"]
    assert [d.id for d in read_documents(str(tmp_path), format="i2b2-2014")] == ["a"]


def test_a_file_that_should_fit_and_does_not_is_no_gap(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(XML)
    (tmp_path / "b.xml").write_text("<html/>")
    with pytest.raises(UnreadableFile, match=r"b\.xml has an unknown format(.|\n)*Hint: .*--gold-format"):
        read_documents(tmp_path)


def test_our_lines_are_recognised_behind_a_long_text_and_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"doc_id": "d", "text": "x" * 2_000_000, "entities": []}))
    assert [d.id for d in read_documents(path)] == ["d"]
    path = path.rename(tmp_path / "a.data")
    path.write_text(LINE)
    assert [d.id for d in read_documents(path)] == ["d1"]


@pytest.mark.parametrize(
    ("content", "said"), [(b"", "is empty"), (b" \n", "is empty"), (b"\xff\xfe\0", "is UTF-16 text")]
)
def test_what_is_empty_or_in_another_encoding_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=said):
        read_documents(path)


def test_a_broken_link_in_a_folder_is_an_error_not_a_gap(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "gone.jsonl")
    with pytest.raises(UnreadableFile, match=r"b\.jsonl has the name of a file to read"):
        list(read_documents(tmp_path))


def test_a_list_of_annotations_given_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINE.replace('"entities"', '"entities": [], "entities"'))
    with pytest.raises(UnreadableFile, match="the same key twice"):
        list(read_documents(path))


@pytest.mark.parametrize("content", [b"plain", b"[1, 2]", b"{}", b'{"text": "Anna"}', b"[[[["])
def test_what_no_reader_recognises_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=r"a\.json has an unknown format(.|\n)*Hint: .*--tool-format"):
        read_documents(path)


def test_paths_that_cannot_be_read_are_refused_at_once(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path / "a\0b", tmp_path / ("x" * 5000)):
        with pytest.raises(UnreadableFile, match="Hint: Check the"):
            read_documents(path)
    with pytest.raises(UnreadableFile, match=r"contains no annotation file(.|\n)*--gold-format"):
        read_documents(tmp_path)
    with pytest.raises(UnreadableFile, match="contains no brat file"):
        read_documents(tmp_path, format="brat")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="neither a file nor a folder"):
        read_documents(tmp_path / "pipe")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="an administrator may read all")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINE)
    path.chmod(0)
    with pytest.raises(UnreadableFile, match="permission denied"):
        read_documents(path)


def test_permission_errors_become_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINE)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UnreadableFile, match=r"permission denied(.|\n)*Hint:"):
        read_documents(path)


def test_unknown_formats_and_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="Did you mean 'presidio'"):
        read_documents(tmp_path, format="presido")
    with pytest.raises(InvalidSetting, match="Hint:"):
        ReadSettings(annotator="")
    with pytest.raises(InvalidSetting, match="Hint:"):
        ReadSettings(max_line=0)


def test_documents_in_two_files_of_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    (tmp_path / "b.jsonl").write_text(LINE)
    with pytest.raises(UnmatchedDocuments, match=r"b\.jsonl contains document 'd1' and so does .*a\.jsonl"):
        list(read_documents(tmp_path))
