"""The folder that the driver and all workers share while texts are de-identified on Spark.

It is hidden, next to the output. Each stage has its own folder, and each part of the input one file in it,
which appears there when it is complete. Texts that were not changed yet are never written.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from reidrisk.core.files import new_folder, write_text
from reidrisk.core.wording import path_text
from reidrisk.engine.spark.parquet_parts import RowPart
from reidrisk.errors import BadData, UnreadableFile

ABOUT = "about.json"
FOUND, HASHES, TEXTS = "found", "hashes", "texts"
"""Stages: findings of each part, hashes of its values, and its new texts."""
DISTINCT, REAL = "distinct", "real"
"""The different hashes as Spark writes them, and as workers map them into memory."""


class SparkWork:
    """The work folder of one run, or of one that is continued."""

    def __init__(self, out: Path, fingerprint: str, *, resume: bool) -> None:
        self.out = new_folder(out)
        self._root = self.out.parent / f".{self.out.name}.work"
        earlier = self._earlier(fingerprint) if resume else None
        self.resumed = earlier is not None
        try:
            self.path = earlier or self._begin(fingerprint)
        except OSError as error:
            raise UnreadableFile(
                f"{path_text(self._root)} cannot be written: {error.strerror or 'no reason is known'}.",
                hint="Choose a folder for --out in which you may write.",
            ) from None

    def _begin(self, fingerprint: str) -> Path:
        """A folder with a new name: workers of a run that was killed cannot write into it."""
        self.remove()
        path = self._root / secrets.token_hex(8)
        for name in (FOUND, HASHES, TEXTS):
            (path / name).mkdir(parents=True)
        self._root.chmod(0o700)
        write_text(path / ABOUT, json.dumps({"fingerprint": fingerprint}))
        return path

    def _earlier(self, fingerprint: str) -> Path | None:
        found = sorted(self._root.glob(f"*/{ABOUT}"))
        if not found:
            return None
        if json.loads(found[0].read_text(encoding="utf-8"))["fingerprint"] != fingerprint:
            raise BadData(
                f"The earlier run in {path_text(self._root)} had other texts, settings, version or key.",
                hint="Repeat the same command, or start again without --resume.",
            )
        return found[0].parent

    def open_parts(self, stage: str, parts: Iterable[RowPart]) -> list[RowPart]:
        """The parts that a stage has not finished."""
        done = {path.name for path in (self.path / stage).glob("*.parquet")}
        return [part for part in parts if part_name(part) not in done]

    def remove(self) -> None:
        """Remove the folder, with all that earlier runs left."""
        if self._root.is_dir():
            shutil.rmtree(self._root)


def part_name(part: RowPart) -> str:
    """The name of the file of a part."""
    return f"{part.number:09d}.parquet"


@contextmanager
def whole_part(folder: Path, name: str) -> Iterator[Path]:
    """A temporary file that gets its name when it is complete; the folder must exist."""
    part = folder / f".{name}.{secrets.token_hex(8)}.part"
    try:
        yield part
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        part.replace(folder / name)
    finally:
        part.unlink(missing_ok=True)
