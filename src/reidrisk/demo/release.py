"""The release file of the demo, which covers the data of its four parts."""

from __future__ import annotations

from pathlib import Path

from reidrisk.core.files import write_text

RELEASE = Path(__file__).with_name("release.yaml")


def write_release(path: str | Path, *, seed: int = 7) -> None:
    """Write it next to the notes; tables, counts and the study are in subfolders."""
    text = RELEASE.read_text(encoding="utf-8")
    write_text(path, text.replace("\nseed: 7\n", f"\nseed: {seed}\n"))
