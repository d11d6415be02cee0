"""10,000 files of every format, read and checked, against a plain read and parse of the same bytes.

python bench/bench_text_formats.py [FORMAT ...]
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from reidrisk.demo import clinical_notes
from reidrisk.text.convert import writer_named
from reidrisk.text.corpus import Document
from reidrisk.text.formats.msgpack import unpack
from reidrisk.text.formats.names import WRITABLE
from reidrisk.text.formats.writer import DocumentFitter
from reidrisk.text.read import read_documents

FILES = 10_000
LIMIT = 10


def plain_json(data: bytes) -> object:
    return json.loads(data)


def plain_lines(data: bytes) -> object:
    return [json.loads(line) for line in data.decode().splitlines()]


def plain_xml(data: bytes) -> object:
    return ET.fromstring(data)  # noqa: S314 - written by ourselves a moment ago


def plain_table(data: bytes) -> object:
    return [line.split("\t") for line in data.decode().split("\n")]


def plain_words(data: bytes) -> object:
    return [line.split(" ") for line in data.decode().split("\n")]


def plain_spacy(data: bytes) -> object:
    return unpack(zlib.decompress(data))


PARSERS: dict[str, Callable[[bytes], object]] = {
    ".jsonl": plain_lines,
    ".json": plain_json,
    ".bdocjs": plain_json,
    ".xml": plain_xml,
    ".xmi": plain_xml,
    ".ann": plain_table,
    ".conll": plain_table,
    ".phrase": plain_words,
    ".text": plain_words,
    ".txt": plain_words,
    ".spacy": plain_spacy,
}


def notes(name: str) -> Iterator[Document]:
    """Notes of the demonstration as the format can hold them, as many as files."""
    fitter = DocumentFitter(name, writer_named(name).capabilities)
    found = [fitter.fit(replace(note, id="1-1")) for note in clinical_notes(seed=7)]
    for number in range(FILES):
        yield replace(found[number % len(found)], id=f"{number:05d}-1")


def write(target: Path, name: str) -> None:
    """One file a document, or the two that make one."""
    writer = writer_named(name)
    target.mkdir()
    if not writer.suffix and name != "physionet":
        writer.write(notes(name), target)
        return
    for note in notes(name):
        if writer.suffix:
            writer.write([note], target / f"{note.id}{writer.suffix}")
        else:
            part = target / "part"
            part.mkdir()
            writer.write([note], part)
            (part / "notes.text").rename(target / f"{note.id}.text")
            (part / "notes-phi.phrase").rename(target / f"{note.id}-phi.phrase")
            part.rmdir()


def plain(folder: Path) -> int:
    """Open every file, read it, parse it with what Python has."""
    count = 0
    for path in sorted(folder.iterdir()):
        PARSERS[path.suffix](path.read_bytes())
        count += 1
    return count


def ours(folder: Path, name: str | None) -> int:
    """Read and check every document; ids that a format has not repeat from file to file."""
    if name is not None and not writer_named(name).capabilities.ids:
        return sum(1 for path in sorted(folder.iterdir()) for _ in read_documents(path))
    return sum(1 for _ in read_documents(folder))


def seconds(work: Callable[[], int]) -> float:
    times = []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(name: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        write(out, name)
        floor, own = seconds(lambda: plain(out)), seconds(lambda: ours(out, name))
        size = sum(path.stat().st_size for path in out.iterdir()) / 2**20
    print(
        f"{name:18} {size:6.0f} MB  plain {floor:6.2f} s  ours {own:6.2f} s  ratio {own / floor:4.1f}",
        flush=True,
    )
    return own / floor


def measure_zip() -> float:
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "brat.zip", Path(folder) / "out"
        write(out, "brat")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(out.iterdir()):
                archive.write(file, file.name)

        def plain_zip() -> int:
            with zipfile.ZipFile(path) as archive:
                for info in archive.infolist():
                    PARSERS[Path(info.filename).suffix](archive.read(info))
            return 1

        floor, own = seconds(plain_zip), seconds(lambda: ours(path, None))
    print(
        f"{'zip of brat':18} {'':9}  plain {floor:6.2f} s  ours {own:6.2f} s  ratio {own / floor:4.1f}",
        flush=True,
    )
    return own / floor


def main() -> None:
    names = sys.argv[1:] or [*WRITABLE, "zip"]
    ratios = {name: measure_zip() if name == "zip" else measure(name) for name in names}
    worst = max(ratios, key=lambda name: ratios[name])
    print(f"{FILES:,} files each; highest ratio {ratios[worst]:.1f} ({worst}), at most {LIMIT}")
    sys.exit(ratios[worst] > LIMIT)


if __name__ == "__main__":
    main()
