"""What one process does: find identifiers in texts, and replace them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from reidrisk.detect.detector import build_detector
from reidrisk.detect.finding import Detector, Finding
from reidrisk.detect.settings import DetectSettings
from reidrisk.resynthesis.dates.shift import days_in
from reidrisk.resynthesis.kinds import kind_of
from reidrisk.resynthesis.real import Hashing, RealValues, RealValuesInMemory, parts_of
from reidrisk.resynthesis.replace import Replaced, apart, marking, replace_findings, surrogate_text, values_of
from reidrisk.resynthesis.secret import Secret
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.surrogates import Surrogates
from reidrisk.resynthesis.work_file import RealValuesOnDisk


@dataclass(frozen=True, slots=True)
class Task:
    """One text, whose it is, and what is known to be in it."""

    text: str = field(repr=False)
    scope: str = field(repr=False)
    findings: tuple[Finding, ...] | None = None
    """None if they must be looked for."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the first look at a text found, as numbers that tell nothing without the key."""

    findings: tuple[Finding, ...]
    values: tuple[int, ...]
    days: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a process needs to begin."""

    detect: DetectSettings | Detector
    settings: ResynthesisSettings
    key: bytes = field(repr=False)
    database: Path | None = None
    """Where the real values are, for the second look."""


class Worker:
    """Looks at texts and replaces what it finds."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._secret = Secret(setup.key)
        self._real: RealValues = (
            RealValuesInMemory(self._secret)
            if setup.database is None
            else RealValuesOnDisk(setup.database, self._secret)
        )

    def look(self, tasks: Sequence[Task]) -> list[Seen]:
        """The first look: what there is, so that no surrogate becomes one of the real values."""
        return [self._seen(task) for task in tasks]

    def replace(self, tasks: Sequence[Task]) -> list[Replaced]:
        """The second look: new texts."""
        return [self._replaced(task) for task in tasks]

    def _findings(self, task: Task) -> list[Finding]:
        if task.findings is not None:
            return apart(task.findings, len(task.text))
        return apart(_detector(self._setup.detect).find(task.text), len(task.text)) if task.text else []

    def _seen(self, task: Task) -> Seen:
        findings = self._findings(task)
        hashing = Hashing(self._secret)
        values = values_of(task.text, findings)
        parts = {part for value in values for part in parts_of(value.text)}
        person = hashing.person(task.scope)
        days = {
            (person, hashing.day(task.scope, day))
            for value in values
            if kind_of(value.type) in ("date", "words")
            for day in days_in(value.text, self._setup.settings)
        }
        return Seen(
            tuple(findings), tuple(hashing.value(part) for part in sorted(parts)), tuple(sorted(days))
        )

    def _replaced(self, task: Task) -> Replaced:
        findings, settings = self._findings(task), self._setup.settings
        if settings.mode != "surrogate":
            return replace_findings(task.text, findings, marking(settings.mode))
        made = Surrogates(
            values_of(task.text, findings),
            task.scope,
            secret=self._secret,
            real=self._real,
            settings=settings,
        )
        return surrogate_text(task.text, findings, made)


@lru_cache(maxsize=1)
def _built(settings: DetectSettings) -> Detector:
    return build_detector(settings)


def _detector(given: DetectSettings | Detector) -> Detector:
    return _built(given) if isinstance(given, DetectSettings) else given
