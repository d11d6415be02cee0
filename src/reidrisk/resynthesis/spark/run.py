"""De-identify texts on Spark: two jobs, look and replace, whose parts are kept if the run is stopped."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from reidrisk.core.file_set import together
from reidrisk.core.files import whole_file
from reidrisk.detect.settings import DetectSettings
from reidrisk.engine.packages import needed
from reidrisk.engine.spark.failures import job_errors
from reidrisk.engine.spark.parquet_parts import RowPart, open_parquet, part_frame
from reidrisk.engine.spark.session import spark_session
from reidrisk.errors import FailedCheck, InvalidSetting
from reidrisk.resynthesis.choices import fingerprint
from reidrisk.resynthesis.corpus.note import SourceOptions
from reidrisk.resynthesis.corpus.rows import check_text_column, text_columns
from reidrisk.resynthesis.result import ReplacementCounts
from reidrisk.resynthesis.spark.real_values import gather_hashes
from reidrisk.resynthesis.spark.work import FOUND, TEXTS, SparkWork, free_folder, part_name
from reidrisk.resynthesis.worker import Setup

ROWS = 1024
"""Rows of a part: what is done again if a run is stopped, and what a worker has in memory."""
Progress = Callable[[str, int, int, str], None]


class SparkTextRun:
    """One run over Parquet files of texts."""

    def __init__(self, source: Path, out: Path, setup: Setup, options: SourceOptions) -> None:
        self._setup = setup
        self._input = open_parquet(source, size=ROWS)
        columns = text_columns(source, options.columns, options.person, self._input.schema.names)
        for column in columns:
            check_text_column(self._input.schema, column)
        self._source = replace(options, columns=columns)
        _check(setup, source, out)
        self.resumed = 0
        """Texts that an earlier run wrote."""

    def all(
        self, out: Path, engine: Any, *, resume: bool, findings: Path | None, progress: Progress | None
    ) -> ReplacementCounts:
        """Both jobs; the output appears when every part was written and checked."""
        state = fingerprint(
            self._setup,
            None,
            self._source.columns,
            self._source.person,
            self._input.digest,
            _contents(self._setup),
        )
        self._progress = progress
        with together() as files:  # texts and findings appear together
            target = free_folder(out, files.tell)
            work = SparkWork(target, f"{state} {findings is not None}", resume=resume, tell=files.tell)
            files.then(work.remove)
            files.otherwise(work.keep)
            left = self._both_jobs(work, engine, findings=findings is not None)
            self.resumed = (self._input.rows - sum(part.rows for part in left)) * len(self._source.columns)
            counts = self._checked_counts(work)
            if findings is not None:
                self._join_findings(work, findings)
            self._gather(work)
            files.adopt(work.ready, target)
        return counts

    def _both_jobs(self, work: SparkWork, engine: Any, *, findings: bool) -> list[RowPart]:
        """Look and replace; the parts of the new texts that an earlier run had not written."""
        for part, ready in self._names(work):
            if ready.exists():  # an earlier run was stopped on its way to the output
                ready.replace(part)
        with spark_session(engine) as session:
            setup = self._setup
            if setup.settings.mode == "surrogate":
                self._run(session, work, FOUND, setup)
                setup = replace(setup, database=gather_hashes(session, work.path))
            return self._run(session, work, TEXTS, setup, findings=findings)

    def _run(
        self, session: Any, work: SparkWork, stage: str, setup: Setup, *, findings: bool = False
    ) -> list[RowPart]:
        """The parts that a stage still has to do, which are then done."""
        from reidrisk.resynthesis.spark import jobs

        left = work.open_parts(stage, self._input.parts())
        if not left:
            return left
        person = (self._source.person,) if self._source.person else ()
        names = list(dict.fromkeys((*self._source.columns, *person)))
        if stage == TEXTS:
            names = self._input.schema.names
        arrow = needed("pyarrow", extra="spark")
        job = jobs.TextJob.of(
            setup,
            work=work.path,
            schema=arrow.schema(
                [self._input.schema.field(name) for name in names], self._input.schema.metadata
            ),
            source=self._source,
            parts={part.number: part for part in left},
            findings=findings,
        )
        task = jobs.look if stage == FOUND else jobs.replace_texts
        with job_errors(), self._watched(work, stage):
            frame = part_frame(session, self._input, left, names)
            frame.mapInArrow(partial(task, job), jobs.ANSWER).collect()
        return left

    @contextmanager
    def _watched(self, work: SparkWork, stage: str) -> Iterator[None]:
        """Report how many rows are done, while Spark works."""
        report = self._progress
        if report is None:
            yield
            return
        ended = threading.Event()
        what = "Searching" if stage == FOUND else "Replacing"

        def watch() -> None:
            while not ended.wait(1.0):
                left = sum(part.rows for part in work.open_parts(stage, self._input.parts()))
                report(what, self._input.rows - left, self._input.rows, "rows")

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _checked_counts(self, work: SparkWork) -> ReplacementCounts:
        """The sum of the counts; every part must be there, with its rows and its size."""
        parquet = needed("pyarrow.parquet", extra="spark")
        total = ReplacementCounts()
        for part in self._input.parts():
            path = work.path / TEXTS / part_name(part)
            about = path.with_name(f"{path.name}.json")
            if not (path.is_file() and about.is_file()):
                raise _incomplete(part)
            known: dict[str, Any] = json.loads(about.read_text(encoding="utf-8"))
            if path.stat().st_size != known["bytes"] or parquet.read_metadata(path).num_rows != part.rows:
                raise _incomplete(part)
            total.add_counts(known["counts"])
        return total

    def _join_findings(self, work: SparkWork, path: Path) -> None:
        with whole_file(path) as file:
            for part in self._input.parts():
                own = work.path / TEXTS / f"{part_name(part)}.findings"
                file.write(own.read_text(encoding="utf-8"))

    def _gather(self, work: SparkWork) -> None:
        """Give the parts the folders and names of the output."""
        parquet = needed("pyarrow.parquet", extra="spark")
        for at, file in enumerate(self._input.files):
            folder = (work.ready / file.name).parent
            folder.mkdir(parents=True, exist_ok=True)
            if not file.rows:
                parquet.write_table(self._input.schema.empty_table(), folder / _name(at, 0))
        for part, ready in self._names(work):
            part.replace(ready)

    def _names(self, work: SparkWork) -> Iterator[tuple[Path, Path]]:
        """Each part as workers write it, and as the output has it."""
        for part in self._input.parts():
            folder = (work.ready / self._input.files[part.file].name).parent
            yield work.path / TEXTS / part_name(part), folder / _name(part.file, part.piece)


def _name(file: int, piece: int) -> str:
    return f"part-{file:05d}-{piece:06d}.parquet"


def _incomplete(part: RowPart) -> FailedCheck:
    return FailedCheck(
        f"Part {part.number} was not written completely.",
        hint="Start again without --resume. If it happens again, check the disk.",
    )


def _check(setup: Setup, source: Path, out: Path) -> None:
    if not isinstance(setup.detect, DetectSettings):
        raise InvalidSetting(
            "A detector of your own cannot be sent to Spark workers.",
            hint="Pass DetectSettings, or leave out the engine.",
        )
    if out.resolve() == source.resolve() or source.resolve() in out.resolve().parents:
        raise InvalidSetting(
            "The output is inside the input.", hint="Choose another file or folder with --out."
        )


def _contents(setup: Setup) -> list[str]:
    """Digests of the files that the detector reads."""
    detect = setup.detect
    if not isinstance(detect, DetectSettings):
        return []
    files = [path for path in (detect.model, detect.known, *detect.terms) if path is not None]
    return [sha256(path.read_bytes()).hexdigest() for path in files if path.is_file()]
