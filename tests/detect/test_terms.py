from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.detect.detector import TermList, build_detector
from reidrisk.detect.settings import DetectSettings
from reidrisk.errors import UnreadableFile


def listed(folder: Path, text: str) -> Path:
    path = folder / "terms.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_terms_are_found_in_any_case_as_whole_words(tmp_path: Path) -> None:
    terms = TermList.read([listed(tmp_path, "# ours\nHOSPITAL: blue heron\nproject zebra\nblue\n")])
    text = "At BLUE  Heron, Project Zebra; blue sky, blueish."
    assert [(text[one.start : one.end], one.type) for one in terms.find(text)] == [
        ("BLUE  Heron", "HOSPITAL"),
        ("Project Zebra", "OTHER"),
        ("blue", "OTHER"),
    ]


def test_a_term_that_never_identifies_is_left_out(tmp_path: Path) -> None:
    settings = DetectSettings(model=None, terms=(listed(tmp_path, "never: Mayo Clinic\n"),))
    text = "At Mayo Clinic and at Duke Clinic."
    assert [text[one.start : one.end] for one in build_detector(settings).find(text)] == ["Duke Clinic"]


def test_a_list_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not exist"):
        TermList.read([tmp_path / "none.txt"])
    path = tmp_path / "bad.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="UTF-8"):
        TermList.read([path])
