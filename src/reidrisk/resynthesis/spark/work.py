"""The folder that the driver and all workers share while texts are de-identified on Spark.

It is hidden, next to the output. Each stage has its own folder, and each part of the input one file in it,
which appears there when it is complete. Texts that were not changed yet are never written.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from reidrisk.core.file_set import at_once, errors_about
from reidrisk.core.files import new_folder, write_text
from reidrisk.core.wording import path_text
from reidrisk.engine.spark.parquet_parts import RowPart
from reidrisk.errors import BadData, UnreadableFile
from reidrisk.resynthesis.work_file import clear_work, lock_work, remove_left, work_path

ABOUT = "about.json"
FOUND, HASHES, TEXTS = "found", "hashes", "texts"
"""Stages: findings of each part, hashes of its values, and its new texts."""
DISTINCT, REAL = "distinct", "real"
"""The different hashes as Spark writes them, and as workers map them into memory."""
READY = "ready"
"""All new texts, under the names that they have in the output."""


class SparkWork:
    """The work folder of one run, or of one that is continued. Only this run uses it, until it ends."""

    def __init__(self, out: Path, fingerprint: str, *, resume: bool, tell: Callable[[str], None]) -> None:
        self.out = out
        self._lock = lock_work(out)
        try:
            earlier = self._earlier(fingerprint) if resume else None
            self.resumed = earlier is not None
            with errors_about(self._lock.path):
                self.path = earlier or self._begin(fingerprint, tell)
        except BaseException:
            self.keep() if resume else self.remove()
            raise

    def _begin(self, fingerprint: str, tell: Callable[[str], None]) -> Path:
        """A folder with a new name: workers of a run that was killed cannot write into it."""
        clear_work(self._lock.path, tell)
        path = self._lock.path / secrets.token_hex(8)
        for name in (FOUND, HASHES, TEXTS):
            (path / name).mkdir(parents=True)
        with at_once():  # by this file workers know that they see the folder of the driver
            write_text(path / ABOUT, json.dumps({"fingerprint": fingerprint}))
        return path

    def _earlier(self, fingerprint: str) -> Path | None:
        found = sorted(self._lock.path.glob(f"*/{ABOUT}"))
        if not found:
            return None
        if json.loads(found[0].read_text(encoding="utf-8"))["fingerprint"] != fingerprint:
            raise BadData(
                f"The earlier run in {path_text(self._lock.path)} had other texts, settings, version or key.",
                hint="Repeat the same command, or start again without --resume.",
            )
        return found[0].parent

    @property
    def ready(self) -> Path:
        """The folder that becomes the output. It is alone in its own, which is empty once it was renamed."""
        return self.path / READY / self.out.name

    def open_parts(self, stage: str, parts: Iterable[RowPart]) -> list[RowPart]:
        """The parts that a stage has not finished."""
        done = {path.name for path in (self.path / stage).glob("*.parquet")}
        return [part for part in parts if part_name(part) not in done]

    def keep(self) -> None:
        """Leave the folder to a run that resumes the work."""
        self._lock.release()

    def remove(self) -> None:
        """Remove the folder."""
        self._lock.remove()


def free_folder(out: Path, tell: Callable[[str], None]) -> Path:
    """Check that the output is new; what a run left that was killed after it was complete is removed."""
    try:
        return new_folder(out)
    except UnreadableFile:
        path = work_path(out.resolve())
        if any(not any(one.iterdir()) for one in path.glob(f"*/{READY}")):
            remove_left(path, tell)
        raise


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
