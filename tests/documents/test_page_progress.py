"""Work on documents is followed page by page, and can be cancelled there."""

from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.core.stopping import stoppable
from reidrisk.documents.anonymize.run import anonymize_documents
from reidrisk.documents.detection.run import detect_documents
from reidrisk.errors import Cancelled
from tests.documents.making import PERSON, TEXT, pdf, txt


@pytest.fixture
def documents(tmp_path: Path) -> list[Path]:
    return [pdf(tmp_path / "a.pdf", [TEXT] * 3), txt(tmp_path / "b.txt")]


def test_every_page_counts_once(documents: list[Path], tmp_path: Path) -> None:
    expected = [
        ("a.pdf", 0, 4),
        ("a.pdf", 1, 4),
        ("a.pdf", 2, 4),
        ("a.pdf", 3, 4),
        ("b.txt", 3, 4),
        ("b.txt", 4, 4),
    ]
    seen: list[tuple[str, int, int]] = []
    detect_documents(documents, values=[PERSON], progress=lambda *step: seen.append(step))
    assert seen == expected
    seen.clear()
    anonymize_documents(
        documents, tmp_path / "out", values=[PERSON], progress=lambda *step: seen.append(step)
    )
    assert seen == expected


def test_it_is_cancelled_between_two_pages(documents: list[Path], tmp_path: Path) -> None:
    seen: list[int] = []
    with pytest.raises(Cancelled), stoppable(lambda: "cancel" if len(seen) > 1 else None):
        anonymize_documents(
            documents, tmp_path / "out", values=[PERSON], progress=lambda *step: seen.append(step[1])
        )
    assert seen == [0, 1]
    assert not (tmp_path / "out").exists()
