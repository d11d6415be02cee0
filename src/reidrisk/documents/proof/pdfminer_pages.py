"""Text of pages as pdfminer finds it; long documents are read by several processes at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

from reidrisk.errors import FailedCheck, MissingPackage

_ALONE = 80
"""Pages that one process reads sooner than another has started."""


def read_pages(path: Path, pages: int) -> Iterator[tuple[int, str]]:
    """Number from 1 and text of each page."""
    processes = min(os.cpu_count() or 1, 4, pages // _ALONE)
    if processes < 2:
        yield from _read(path, range(pages))
        return
    bounds = [pages * part // processes for part in range(processes + 1)]
    command = [sys.executable, "-m", __name__, str(path)]
    children = [
        subprocess.Popen(  # noqa: S603 - its complaints may quote the document
            [*command, str(first), str(last)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for first, last in pairwise(bounds)
    ]
    try:
        # All are listened to at once: who is not would wait until its words are taken.
        with ThreadPoolExecutor(processes) as listeners:
            for written in listeners.map(_said, children):
                for line in written.splitlines():
                    number, text = json.loads(line)
                    yield number, text
    finally:
        for child in children:
            child.kill()
            child.wait()


def _said(child: subprocess.Popen[bytes]) -> bytes:
    written, _ = child.communicate()
    if child.returncode:
        raise FailedCheck("pdfminer cannot read the file: nothing is proved.", hint="Is it whole?")
    return written


def _read(path: Path, numbers: range) -> Iterator[tuple[int, str]]:
    try:
        from pdfminer.high_level import extract_pages
        from pdfminer.layout import LAParams
    except ImportError as error:
        raise MissingPackage.of_extra("pdfminer.six", "documents") from error
    settings = LAParams(boxes_flow=None, all_texts=True)
    found = extract_pages(path, page_numbers=list(numbers), laparams=settings)
    for number, page in zip(numbers, found, strict=False):
        yield number + 1, "\n".join(_texts(page))


def _texts(layout: Any) -> Iterator[str]:
    if hasattr(layout, "get_text"):
        yield layout.get_text()
    elif hasattr(layout, "__iter__"):
        for item in layout:
            yield from _texts(item)


def main() -> None:
    """Write the pages of a file, from one number to another, to the standard output."""
    path, first, last = sys.argv[1:4]
    for number, text in _read(Path(path), range(int(first), int(last))):
        sys.stdout.write(json.dumps([number, text]) + "\n")


if __name__ == "__main__":
    main()
