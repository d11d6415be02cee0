"""Texts besides the pages, read in a process of its own: a long report needs 350 MB for a moment."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from reidrisk.documents.pdf.reading import besides, opened
from reidrisk.errors import UnreadableFile


def besides_apart(path: Path, told: Iterable[str]) -> str:
    """The same as `besides`, of a file; `told` are the texts that the pages hold themselves."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-P", "-m", __name__, str(path)], capture_output=True, check=False
    )
    if done.returncode:
        raise UnreadableFile(
            f"{path.name}: the texts besides the pages cannot be read.",
            hint="Repair the file with qpdf, or export it again.",
        )
    return joined_lines((*done.stdout.decode("utf-8").split("\n"), *told))


def joined_lines(texts: Iterable[str]) -> str:
    """Each text once, on a line of its own."""
    lines = (" ".join(text.split()) for text in texts)
    return "\n".join(dict.fromkeys(line for line in lines if len(line) > 1))


if __name__ == "__main__":
    with opened(sys.argv[1]) as pdf:
        sys.stdout.buffer.write(besides(pdf, ()).encode("utf-8", "replace"))
