from __future__ import annotations

from reidrisk.core.reason import Reason, holds, texts


def test_texts_and_marks_are_parallel_lists() -> None:
    reasons = [Reason("Within the limit.", True), Reason("Only a note.", None)]
    assert texts(reasons) == ["Within the limit.", "Only a note."]
    assert holds(reasons) == [True, None]
