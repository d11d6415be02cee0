"""The page that compares real tools is what the command says today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_comparison_of_real_tools_is_up_to_date(shared: Path, tmp_path: Path) -> None:
    program = (ROOT / "docs" / "make_comparison.py", shared, tmp_path)
    subprocess.run([sys.executable, *map(str, program)], check=True)
    page = (tmp_path / "compare-tools.md").read_text(encoding="utf-8")
    assert page == (ROOT / "docs" / "compare-tools.md").read_text(encoding="utf-8"), (
        "run docs/make_comparison.py"
    )
    drawn = sorted(path.name for path in (tmp_path / "images").iterdir())
    assert len(drawn) == 8
    assert all((ROOT / "docs" / "images" / name).exists() for name in drawn)


def test_the_page_holds_no_text_of_the_corpora(shared: Path) -> None:
    import json

    page = (ROOT / "docs" / "compare-tools.md").read_text(encoding="utf-8")
    for line in (shared / "corpora" / "asq_phi_800.jsonl").read_text(encoding="utf-8").splitlines():
        for entity in json.loads(line)["entities"]:
            assert len(entity["text"]) < 6 or entity["text"] not in page
