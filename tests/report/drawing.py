"""What holds of the drawing of any result."""

from __future__ import annotations

import json
import re
from typing import Any

from reidrisk.report.page import page
from reidrisk.report.plain_text import WIDTH, width_of
from reidrisk.report.views import draw


def readable(case: dict[str, Any]) -> str:
    """Its words on the terminal, within the width, without colours and without what Python calls nothing."""
    text = str(draw(case, "terminal"))
    assert all(width_of(line) <= WIDTH for line in text.splitlines())
    assert "\x1b" not in text
    assert "None" not in text.replace("None of", "")
    return text


def drawn_alike(case: dict[str, Any]) -> str:
    """Its page, which is the same after JSON, runs nothing and names no place twice; and its figure."""
    written = page([case])
    assert written == page([json.loads(json.dumps(case))])
    assert "<script" not in written
    ids = re.findall(r'\bid="([^"]+)"', written)
    assert len(ids) == len(set(ids))
    assert draw(case, "figure").get_size_inches()[0] > 5
    return written
