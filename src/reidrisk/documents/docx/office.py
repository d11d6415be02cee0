"""LibreOffice, where it is installed, as one more reader of Word documents."""

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
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        return
    with tempfile.TemporaryDirectory(prefix=".office.", dir=path.parent) as folder:
        _convert(program, path, Path(folder))
        made = Path(folder) / f"{path.stem}.txt"
        if not made.is_file():
            raise UnreadableFile(
                f"LibreOffice cannot open {path.name}.", hint="Open it by hand to see what is wrong with it."
            )
        yield "the document (LibreOffice)", made.read_text("utf-8", "replace")


def _convert(program: str, path: Path, folder: Path) -> None:
    profile = (folder / "profile").as_uri()
    command = [program, f"-env:UserInstallation={profile}", "--headless", "--norestore", "--convert-to"]
    try:
        subprocess.run(  # noqa: S603 - the program is the one that the system names
            [*command, "txt:Text (encoded):UTF8", "--outdir", str(folder), str(path)],
            capture_output=True,
            check=False,
            timeout=_LONGEST,
        )
    except (OSError, subprocess.TimeoutExpired):
        raise UnreadableFile(
            "LibreOffice did not finish.", hint="Try again, or uninstall it: the other readers suffice."
        ) from None
