"""The demo's table with its key, hierarchies and configuration."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from reidrisk.core.files import write_text
from reidrisk.demo.prescriptions.table import write_prescriptions

LAYOUT = Path(__file__).with_name("layout.yaml")
"""Generalization hierarchies, with the maximum acceptable generalization of each."""
CONFIG = Path(__file__).with_name("table.yaml")
"""The configuration of the release; it reads the hierarchies from the same folder."""


RECORDS, KEY = "prescriptions.csv", "demo.key"


def write_case(folder: str | Path, *, seed: int = 7) -> None:
    """Write records, configuration, hierarchies and a key; the same seed gives the same bytes."""
    target = Path(folder)
    for source in (CONFIG, LAYOUT):
        write_text(target / source.name, source.read_text(encoding="utf-8"))
    write_text(target / KEY, demo_key(seed))
    write_prescriptions(target / RECORDS, seed=seed)


def demo_key(seed: int) -> str:
    """A key that anybody can reproduce, so that the demo can be repeated. It protects nothing.

    >>> demo_key(7) == demo_key(7), demo_key(7) == demo_key(8)
    (True, False)
    """
    noise = sha256(f"reidrisk demo {seed}".encode()).hexdigest()
    return f"No secret: made from seed {seed}. A real key is made by: reidrisk table key FILE. {noise}\n"
