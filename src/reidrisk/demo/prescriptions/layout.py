"""The hierarchies of the prescription records, with the maximum acceptable generalization of each."""

from __future__ import annotations

from pathlib import Path

LAYOUT = Path(__file__).with_name("layout.yaml")
"""The file that comes with the package."""
