"""Outputs appear whole: written under another name, checked, and renamed once.

On this machine rows are written to `.NAME.RUN.part/` beside the target, where the workers can see them. Once
they are checked, the folder is renamed together with the other files of a command. RUN follows from the input
files, the plan and the versions, so that a run that was killed after its rows were written goes on with the
check; what other dead runs left is removed. Stores that cannot rename get a manifest of all parts as the last
file; without it the folder is unfinished.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from reidrisk.core.file_set import at_once, errors_about, together, work_beside
from reidrisk.core.files import new_folder, write_text
from reidrisk.core.places import HIVE
from reidrisk.engine.plans import ReleasePlan
from reidrisk.engine.protocol import Check
from reidrisk.engine.spark.hive import write_hive
from reidrisk.engine.spark.jobs import Frame, spark_errors
from reidrisk.engine.spark.owner import Owner
from reidrisk.engine.spark.postgres import SCHEMES, jdbc_table, write_jdbc
from reidrisk.engine.spark.release import check_plan, released
from reidrisk.engine.spark.storage import (
    MANIFEST,
    REMOTE,
    UNFINISHED,
    digests,
    names_in,
    read_remote,
    remove,
    write_remote,
)
from reidrisk.engine.spark.table import SparkTable, described
from reidrisk.errors import BadData, UnreadableFile

ROWS, DONE, OWNER = "rows-", "_SUCCESS", "owner.json"
NO_MARK = "mapreduce.fileoutputcommitter.marksuccessfuljobs"
WRITTEN = "The written table"


def write_release(
    table: SparkTable, records: SparkTable, plan: ReleasePlan, path: str | Path, check: Check
) -> None:
    """Write every row as the plan says: to a folder, an object store, or a table of PostgreSQL or Hive."""
    check_plan(table, plan)
    with ExitStack() as kept:

        def rows() -> Frame:
            with spark_errors(table.source):
                return released(table, records, plan, kept)

        def checked(frame: Frame) -> None:
            check(described(frame, WRITTEN))

        target = str(path)
        if target.startswith(SCHEMES):
            write_jdbc(table.session, rows, jdbc_table(target), checked)
        elif target.startswith(HIVE):
            write_hive(table.session, rows, target, checked)
        elif REMOTE.match(target):
            write_with_manifest(table.session, rows, target, checked)
        else:
            run = fingerprint(table, records, plan) if table.inputs else secrets.token_hex(6)
            write_folder(table.session, rows, target.removeprefix("file://"), checked, run=run)


def write_folder(
    session: Any, rows: Callable[[], Frame], path: str | Path, check: Callable[[Frame], None], *, run: str
) -> None:
    """Write Parquet files to a new folder of this machine, or of a disk that it shares with the workers."""
    with errors_about(path), together() as files:
        target = Path(path).resolve()
        work = target.parent / f".{target.name}.{run}.part"
        work_beside(target)  # a killed run whose files were complete is completed before it is cleared away
        _clear(target, work)
        new_folder(path)
        files.remove_at_end(work)
        files.adopt(_written(session, rows, work, check, place=str(path)), target)


def _written(
    session: Any, rows: Callable[[], Frame], work: Path, check: Callable[[Frame], None], *, place: str
) -> Path:
    """The folder of checked rows in a work folder; rows that a killed run wrote to the end are taken."""
    work.mkdir(mode=0o700, exist_ok=True)
    with at_once():  # whoever comes next must see it as long as this run lives
        write_text(work / OWNER, json.dumps(Owner.here().to_dict()))
    # A worker of a dead run may still write, but never to a name of ours.
    written = _whole(work) or work / f"{ROWS}{secrets.token_hex(6)}"
    url = f"file:{_spark_path(written)}"
    with spark_errors(place):
        if not written.exists():
            rows().write.parquet(url)
        frame = session.read.parquet(url)
    check(frame)
    return written


def write_with_manifest(
    session: Any, rows: Callable[[], Frame], url: str, check: Callable[[Frame], None]
) -> None:
    """Write Parquet files to where nothing can be renamed; the manifest comes last and makes them a table."""
    url = url.rstrip("/")
    with spark_errors(url):
        _refuse_taken(session, url)
        remove(session, url)
        write_remote(session, f"{url}/{UNFINISHED}", json.dumps(Owner.here().to_dict()))
    try:
        with spark_errors(url):
            rows().write.mode("append").option(NO_MARK, "false").parquet(url)
            frame = session.read.parquet(url)
        check(frame)
        with spark_errors(url):
            write_remote(session, f"{url}/{MANIFEST}", json.dumps({"parts": digests(session, url)}, indent=1))
            remove(session, f"{url}/{UNFINISHED}")
    except BaseException:
        with spark_errors(url):
            remove(session, url)
        raise


def fingerprint(table: SparkTable, records: SparkTable, plan: ReleasePlan) -> str:
    """The same for the same input files, plan and versions."""
    digest = sha256()

    def said(*things: Any) -> None:
        digest.update(repr(things).encode("utf-8", "surrogatepass"))

    for package in ("reidrisk", "pyspark"):
        try:
            said(package, version(package))
        except PackageNotFoundError:
            said(package, None)
    said(table.columns, [one.simpleString() for one in table.types], table.reading.to_dict())
    said([(one.path, one.size, one.changed) for one in table.inputs], records.columns, records.notes)
    said(
        plan.unit, plan.order, plan.salt, sha256(plan.key or b"").hexdigest(), sorted(plan.treatments.items())
    )
    said(plan.tuples.columns, [values.tolist() for values in plan.tuples.values])
    said([None if one.labels is None else one.labels.tolist() for one in plan.recodes])
    arrays: list[NDArray[Any]] = [
        plan.tuples.codes,
        plan.tuples.counts,
        plan.blanks.codes,
        plan.blanks.masks,
        plan.blanks.numbers,
    ]
    arrays += [one.codes for one in plan.recodes]
    if plan.by_tuple is not None:
        said([None if labels is None else labels.tolist() for labels in plan.by_tuple.labels])
        arrays += [plan.by_tuple.codes, plan.by_tuple.masks]
    for array in arrays:
        said(array.shape)
        digest.update(array.tobytes())
    return digest.hexdigest()[:12]


def _clear(target: Path, work: Path) -> None:
    """Remove what dead runs left; rows that are whole and made from the same things stay."""
    name = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{12}}\.part")
    for left in [one for one in target.parent.glob(".*.part") if name.fullmatch(one.name)]:
        owner = Owner.of((left / OWNER).read_text(encoding="utf-8")) if (left / OWNER).exists() else None
        if owner is not None and owner.may_live:
            raise _busy(str(target), str(left))
        if left != work or _whole(left) is None:
            shutil.rmtree(left, ignore_errors=True)


def _whole(work: Path) -> Path | None:
    """Rows that a run wrote to the end."""
    return next((mark.parent for mark in sorted(work.glob(f"{ROWS}*/{DONE}"))), None)


def _refuse_taken(session: Any, url: str) -> None:
    """Nothing of others is removed, and nothing that is complete."""
    names = names_in(session, url)
    if not names:
        return
    if MANIFEST in names or UNFINISHED not in names:
        raise UnreadableFile(
            f"{url} already exists and is not an empty folder.",
            hint="Choose a folder that does not exist yet.",
        )
    owner = Owner.of(read_remote(session, f"{url}/{UNFINISHED}"))
    if owner is not None and owner.may_live:
        raise _busy(url, url)


def _busy(target: str, folder: str) -> BadData:
    return BadData(
        f"{target} is being written by another run, or a run on another machine was stopped.",
        hint=f"Wait until that has ended. If it was stopped, remove {folder}.",
    )


def _spark_path(path: Path) -> str:
    return re.sub(r"([\\{}\[\]*?^])", r"\\\1", str(path))
