"""Clean a Word document of everything that could tell a value besides its text."""

from __future__ import annotations

from reidrisk.documents.docx.package import Package


def clean(package: Package) -> tuple[str, ...]:
    """Accept what was tracked, and take out what is not needed to show the document."""
    return tuple(f"left out: {kind}" for kind in package.left_out)
