"""What comes with the prescription records: their hierarchies, and how they are to be released."""

from __future__ import annotations

from pathlib import Path

LAYOUT = Path(__file__).with_name("layout.yaml")
"""Generalization hierarchies, with the maximum acceptable generalization of each."""
CONFIG = Path(__file__).with_name("table.yaml")
"""The configuration of the release; it reads the hierarchies from beside itself."""
