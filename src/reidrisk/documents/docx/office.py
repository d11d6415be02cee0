"""LibreOffice, where it is installed: one more reader of Word documents, and a way from RTF to DOCX."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from reidrisk.errors import UnreadableFile

_LONGEST = 600
"""Seconds after which it is no longer waited for."""


def by_office(path: Path) -> Iterator[tuple[str, str]]:
    """The text of a document as LibreOffice shows it; nothing where it is not installed.

    What it writes on its way lies beside the document, and is removed.
    """
    if _program() is None:
        return
    with tempfile.TemporaryDirectory(prefix=".office.", dir=path.parent) as folder:
        made = _converted(path, Path(folder), "txt:Text (encoded):UTF8")
        yield "the document (LibreOffice)", made.read_text("utf-8", "replace")


def docx_from(path: str | Path, folder: str | Path) -> Path | None:
    """A DOCX made from another document, such as RTF, in a folder; None where LibreOffice is not installed.

    It keeps the look of the document, and all that the document hides: it is for reading and writing, not for
    release.
    """
    return _converted(Path(path), Path(folder), "docx:MS Word 2007 XML") if _program() else None


def _program() -> str | None:
    return shutil.which("soffice") or shutil.which("libreoffice")


def _converted(path: Path, folder: Path, kind: str) -> Path:
    made = folder / f"{path.stem}.{kind.partition(':')[0]}"
    with tempfile.TemporaryDirectory(prefix=".profile.", dir=folder) as profile:
        command = [
            _program() or "",
            f"-env:UserInstallation={Path(profile).resolve().as_uri()}",
            "--headless",
        ]
        try:
            subprocess.run(  # noqa: S603 - the program is the one that the system names
                [*command, "--norestore", "--convert-to", kind, "--outdir", str(folder), str(path)],
                capture_output=True,
                check=False,
                timeout=_LONGEST,
            )
        except (OSError, subprocess.TimeoutExpired):
            raise UnreadableFile(
                "LibreOffice did not finish.", hint="Try again, or uninstall it: it is not needed."
            ) from None
    if not made.is_file():
        raise UnreadableFile(
            f"LibreOffice cannot open {path.name}.", hint="Open it by hand to see what is wrong with it."
        )
    return made
