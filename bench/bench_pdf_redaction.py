"""How long do reading, replacing and proving a report of 500 pages take, and how much memory?"""

from __future__ import annotations

import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import typst

from reidrisk.documents.document import Change, OpenDocument
from reidrisk.documents.formats import format_of, prove_document
from reidrisk.documents.pdf.reading import read_pdf
from reidrisk.documents.proof.needles import counted

PAGES, SUBJECTS = 500, 200
VALUE = re.compile(r"1001-\d{4}|\d{1,2}\s+(?:March|April|May|June)\s+2021|\b\d{2}-year-old")
T = TypeVar("T")


def report(path: Path, pages: int) -> None:
    """Narratives of about a page each with a table, as a sponsor writes them."""
    rng = random.Random(7)  # noqa: S311
    words = ("patient", "study", "drug", "dose", "event", "nausea", "visit", "treatment", "hospital")
    parts = []
    for page in range(pages):
        subject = f"1001-{page % SUBJECTS:04d}"
        text = " ".join(rng.choice(words) for _ in range(330))
        date = f"{rng.randint(1, 28)} {rng.choice(['March', 'April', 'May', 'June'])} 2021"
        cells = "".join(f"[{subject}],[Visit {row}],[{rng.randint(60, 180)}],[{date}]," for row in range(8))
        parts.append(
            f"= Narrative {page}\nSubject {subject}, a {rng.randint(20, 79)}-year-old woman, fell on {date}. "
            f"{text}. On {date} she left.\n#table(columns: 4, {cells})\n"
        )
    head = "#set text(size: 10pt)\n#set par(justify: true)\n#set page(header: [Study X-1 CONFIDENTIAL])\n"
    path.write_bytes(typst.compile((head + "#pagebreak()\n".join(parts)).encode()))


def processor_seconds() -> float:
    """Of this process and of those it started."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def timed(what: str, pages: int, work: Callable[[], T]) -> T:
    start, used = time.perf_counter(), processor_seconds()
    result = work()
    seconds, used = time.perf_counter() - start, processor_seconds() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    speed = f"{seconds:6.1f} s ({used:6.1f} s processor), {pages / seconds:5.1f} pages/s"
    print(f"{what:8} {speed}, at most {peak:.0f} MB so far", flush=True)
    return result


def found(document: OpenDocument) -> tuple[list[Change], dict[str, int]]:
    changes, values = [], dict[str, int]()
    for block in document.blocks:
        for place in VALUE.finditer(block.text):
            changes.append(Change(block.name, place.start(), place.end(), f"2001-{place.start():04d}"))
            values[" ".join(place[0].split())] = 0
    return changes, values


def main() -> None:
    if sys.argv[1:2] == ["--make"]:
        report(Path(sys.argv[2]), int(sys.argv[3]))
        return
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "in.pdf", Path(folder) / "out.pdf"
        subprocess.run([sys.executable, __file__, "--make", str(source), str(pages)], check=True)
        with format_of(source).opened(source) as document:
            changes, values = timed("read", pages, lambda: found(document))
            written = timed("replace", pages, lambda: document.write(out, changes, look=None, check=None))
        proof = timed("prove", pages, lambda: prove_document(out, list(values)))
        left = sum(counted(block.text, value) for block in read_pdf(out) for value in list(values)[:5])
        print(f"{written.blocks} pages, {len(changes)} changes, {len(values)} values, {left} of five left")
        print(f"proof {'holds' if proof.holds else 'FAILS'}, rasterised {len(written.rasterised)}")


if __name__ == "__main__":
    main()
