"""De-identify a file or folder of texts: find identifiers, replace them, write the new texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import tee
from pathlib import Path
from typing import Any

from reidrisk.core.file_set import FileSet, together
from reidrisk.core.files import new_folder, writable
from reidrisk.core.wording import path_text
from reidrisk.detect.finding import Detector
from reidrisk.detect.settings import DetectSettings
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.resynthesis.choices import choose_key, detection_settings, fingerprint, key_text
from reidrisk.resynthesis.corpus.note import Note, NoteSource, SourceOptions
from reidrisk.resynthesis.corpus.plain_text import TextFolder
from reidrisk.resynthesis.corpus.rows import open_source
from reidrisk.resynthesis.findings_file import Marks, findings_writer
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.replace import DeidentifiedNote
from reidrisk.resynthesis.result import ReplacementCounts, TextDeidentification
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.work_file import WorkFolder, database_errors, remove_finished
from reidrisk.resynthesis.worker import Setup, Task, TextScan, run_in_order

Progress = Callable[[str, int, int, str], None]
"""Called with the task, the amount done, the total and the unit."""
OFTEN = 200
"""Save the work after this many texts."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Where files are and how the work is done; none of this changes what is found or drawn."""

    source: SourceOptions = field(default_factory=SourceOptions)
    marks: Path | None = None
    """Annotations of another tool or a reviewer, replaced instead of the detector's findings."""
    findings: Path | None = None
    """Where to write the findings."""
    show_text: bool = False
    jobs: int = 1
    resume: bool = False
    """Continue an earlier run on a folder that was interrupted."""
    progress: Progress | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise InvalidSetting(f"The number of processes cannot be {self.jobs}.", hint="Use at least 1.")


def deidentify_text(  # noqa: PLR0913 - input, output, what to find and draw, and where
    source: str | Path,
    out: str | Path,
    *,
    settings: ResynthesisSettings | None = None,
    detect: DetectSettings | Detector | None = None,
    key: str | Path | bytes | None = None,
    options: RunOptions | None = None,
    engine: Any = None,
) -> TextDeidentification:
    """Find identifiers in texts, replace them, and write the new texts, complete or not at all.

    `source` is a text file, a folder of them, a CSV or Parquet file (with `options.source.columns`) or JSON
    lines. `key` is a key file, created if it does not exist, or the key itself; the same key gives the same
    surrogates. An interrupted run on a folder can be resumed.

    With `engine`, the URL of a Spark master or a SparkSession, Parquet files are de-identified on Spark, with
    the same result: `source` is a file or folder of them, and `out` becomes a folder.
    """
    options = options or RunOptions()
    warnings: list[str] = []
    settings = settings or ResynthesisSettings()
    setup = Setup(detect or DetectSettings(), settings, choose_key(key, warnings, settings))
    run = _embedded if engine is None else partial(_on_spark, engine=engine)
    count, resumed, others = run(Path(source), Path(out), setup, options)
    shown = {
        **settings.to_dict(),
        **detection_settings(setup, options.marks),
        "key": key_text(key, settings),
    }
    return TextDeidentification(
        source=path_text(Path(source).name),
        out=path_text(Path(out).name),
        count=count,
        settings=shown,
        warnings=(*warnings, *others),
        resumed=resumed,
    )


Outcome = tuple[ReplacementCounts, int, Sequence[str]]
"""The counts, the number of texts that an earlier run wrote, and warnings."""


def _embedded(source: Path, out: Path, setup: Setup, options: RunOptions) -> Outcome:
    texts = open_source(source, options.source)
    state = fingerprint(setup, options.marks, options.source.person)
    with database_errors(out), together() as files:  # texts and findings appear together
        target = _target(source, out, texts, options, files)
        work = WorkFolder(target, state, resume=options.resume, tell=files.tell)
        files.then(work.remove)
        files.otherwise(work.keep if isinstance(texts, TextFolder) else work.remove)
        if isinstance(texts, TextFolder):
            files.adopt(work.texts, target)
        place = work.texts if isinstance(texts, TextFolder) else target
        run = _TextRun(texts, place, setup, options, work)
        count = run.all()
    return count, run.resumed, texts.warnings


def _on_spark(source: Path, out: Path, setup: Setup, options: RunOptions, *, engine: Any) -> Outcome:
    from reidrisk.resynthesis.spark.run import SparkTextRun

    for given, what in ((options.marks, "Annotations (marks)"), (options.show_text, "Texts of findings")):
        if given:
            raise InvalidSetting(
                f"{what} cannot be used on Spark.", hint="Leave them out, or leave out --master."
            )
    run = SparkTextRun(source, out, setup, options.source)
    count = run.all(out, engine, resume=options.resume, findings=options.findings, progress=options.progress)
    return count, run.resumed, ()


class _TextRun:
    """One run over one source of texts."""

    def __init__(
        self, source: NoteSource, out: Path, setup: Setup, options: RunOptions, work: WorkFolder
    ) -> None:
        self._source, self._out, self._options, self._work = source, out, options, work
        self._setup = setup
        self._marks = Marks(options.marks) if options.marks else None
        self.resumed = 0

    def all(self) -> ReplacementCounts:
        """Read all texts once if surrogates must avoid the real values; then replace."""
        if self._setup.settings.mode == "surrogate":
            self._scan()
        return self._replace()

    def _scan(self) -> None:
        keyed = KeyedDraw(self._setup.key)
        noted: deque[tuple[int, int]] = deque()

        def tasks() -> Iterator[Task]:
            for number, note in enumerate(self._source.notes(), start=1):
                self._report("Searching", note)
                hashed = keyed.number("text", note.text) >> 65
                if not self._work.known(number, hashed):
                    noted.append((number, hashed))
                    yield Task(note.text, note.scope, self._marks.of(note) if self._marks else None)

        answers: Iterator[TextScan] = run_in_order(tasks(), "scan", self._setup, jobs=self._options.jobs)
        for at, seen in enumerate(answers):
            number, hashed = noted.popleft()
            self._work.remember(number, hashed, seen.findings, seen.values)
            if at % OFTEN == 0:
                self._work.commit()
        self._work.commit()

    def _replace(self) -> ReplacementCounts:
        setup = self._setup
        if setup.settings.mode == "surrogate":
            setup = Setup(setup.detect, setup.settings, setup.key, self._work.database)
        before = self._work.written()
        count = ReplacementCounts()
        notes, again = tee(self._notes())
        tasks = (task for _, task in again)
        with (
            self._source.writer(self._out) as write,
            findings_writer(self._options.findings, show_text=self._options.show_text) as note_findings,
        ):
            for (note, _), done in zip(
                notes, run_in_order(tasks, "replace", setup, jobs=self._options.jobs), strict=True
            ):
                self._finish(note, done, write, before)
                note_findings(note, done)
                count.add(note.text, done)
                self._report("Replacing", note)
        return count

    def _finish(
        self, note: Note, done: DeidentifiedNote, write: Callable[[Note, str], None], before: set[str]
    ) -> None:
        if note.id in before and isinstance(self._source, TextFolder):
            self.resumed += 1
            return
        write(note, done.text)
        if isinstance(self._source, TextFolder):
            self._work.wrote(note.id)

    def _notes(self) -> Iterator[tuple[Note, Task]]:
        surrogate = self._setup.settings.mode == "surrogate"
        found = self._work.findings() if surrogate else None
        for note in self._source.notes():
            findings = self._marks.of(note) if self._marks else None
            yield note, Task(note.text, note.scope, tuple(next(found)) if found is not None else findings)

    def _report(self, what: str, note: Note) -> None:
        if self._options.progress is not None:
            self._options.progress(what, note.position, self._source.total, self._source.unit)


def _target(source: Path, out: Path, texts: NoteSource, options: RunOptions, files: FileSet) -> Path:
    """Where to write: not into the input, and not into a folder with files."""
    if out.resolve() == source.resolve() or source.resolve() in out.resolve().parents:
        raise InvalidSetting(
            "The output is inside the input.", hint="Choose another file or folder with --out."
        )
    if not isinstance(texts, TextFolder):
        if options.resume:
            raise InvalidSetting(
                "Only runs on a folder can be resumed.",
                hint="Leave out --resume; a file is always written whole.",
            )
        return writable(out)
    if out.exists() and not out.is_dir():
        raise UnreadableFile(
            f"{path_text(out)} is not a folder.", hint="The texts of a folder are written to a folder."
        )
    if not out.resolve().parent.is_dir():
        raise UnreadableFile(
            f"The parent folder of {path_text(out)} does not exist.", hint="Create it first."
        )
    files.visit(out.resolve().parent)
    if out.is_dir() and any(out.iterdir()):
        remove_finished(out.resolve(), files.tell)
        raise UnreadableFile(
            f"The folder {path_text(out)} is not empty.",
            hint="Choose a new folder. --resume continues an interrupted run, whose folder is not there yet.",
        )
    return new_folder(out)
