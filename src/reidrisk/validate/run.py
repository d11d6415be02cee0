"""Run every check, and write the certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.file_set import at_once, together, work_beside
from reidrisk.core.files import write_bytes
from reidrisk.core.result import Result
from reidrisk.core.scratch import scratch_folder
from reidrisk.core.wording import plural
from reidrisk.validate.check import FAILED, NOT_RUN, PASSED, Bench, Check, CheckResult, run_check
from reidrisk.validate.checks import CHECKS, REQUIREMENTS
from reidrisk.validate.installation import described

CERTIFICATE, FIGURES = "certificate.pdf", "certificate.json"
QUICK = "Left out of a quick run; run reidrisk validate without --quick."
Progress = Callable[[str, int, int], None]
"""Called with the title of the check that begins, the number of checks done, and the number of all."""


@dataclass(frozen=True, slots=True)
class Performed:
    """Who validated, when and where; only the time is filled in."""

    by: str | None = None
    where: str | None = None
    machine: bool = False
    """Whether the name of the machine is recorded."""
    at: str = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0).isoformat())
    """By the clock of this machine, in UTC."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {"by": self.by, "where": self.where, "at": self.at, "clock": "of this machine, in UTC"}


@dataclass(frozen=True, slots=True)
class Validation(Result):
    """What every check found on this machine."""

    results: tuple[CheckResult, ...]
    performed: Performed
    installation: dict[str, Any] = field(repr=False)
    mode: str = "default"

    @property
    def acceptable(self) -> bool:
        """Whether no check failed; checks that were not run are named and do not count."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The ids of checks that failed."""
        return tuple(one.check.id for one in self.results if one.result == FAILED)

    def counts(self) -> dict[str, int]:
        """How many checks passed, failed, or were not run."""
        found = [one.result for one in self.results]
        return {"pass": found.count(PASSED), "fail": found.count(FAILED), "not_run": found.count(NOT_RUN)}

    def to_dict(self) -> dict[str, Any]:
        """Everything that the certificate needs, as JSON types."""
        reasons = self._reasons()
        return {
            "kind": "validation",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {"mode": self.mode},
            "seed": None,
            "versions": versions(),
            "reasons": [text for text, _ in reasons],
            "holds": [holds for _, holds in reasons],
            "warnings": [
                f"{one.check.id}, {one.check.title}, was not run. {one.why}"
                for one in self.results
                if one.result == NOT_RUN
            ],
            "counts": self.counts(),
            "performed": self.performed.to_dict(),
            "installation": self.installation,
            "requirements": [one.to_dict() for one in REQUIREMENTS],
            "checks": [one.to_dict() for one in self.results],
            "traceability": self._traced(),
        }

    def _reasons(self) -> list[tuple[str, bool | None]]:
        counts = self.counts()
        whole = f"{counts['pass']} of {plural(len(self.results), 'check')} passed, {counts['fail']} failed, "
        said: list[tuple[str, bool | None]] = [(f"{whole}{counts['not_run']} were not run.", self.acceptable)]
        said += [
            (f"{one.check.id}, {one.check.title}: {one.seen}", False)
            for one in self.results
            if one.result == FAILED
        ]
        return said

    def _traced(self) -> list[dict[str, Any]]:
        """From each requirement to the checks that show it, and what they say together."""
        rows = []
        for own in REQUIREMENTS:
            found = [one for one in self.results if own.id in one.check.requirements]
            results = {one.result for one in found}
            told = FAILED if FAILED in results else PASSED if PASSED in results else NOT_RUN
            rows.append({"requirement": own.id, "checks": [one.check.id for one in found], "result": told})
        return rows


def validate(
    out: str | Path | None = None,
    *,
    full: bool = False,
    quick: bool = False,
    performed: Performed | None = None,
    progress: Progress | None = None,
) -> Validation:
    """Repeat on this machine what shows that the program is installed well and computes as it should.

    With `out`, the certificate is written to this folder as `certificate.pdf` and `certificate.json`. `full`
    draws more in every simulation; `quick` draws less and leaves out checks that start other processes.
    """
    about = performed or Performed()
    if out is not None:
        work_beside(out)
    results = []
    for number, check in enumerate(CHECKS):
        if progress is not None:
            progress(check.title, number, len(CHECKS))
        results.append(_one(check, full=full, quick=quick))
    mode = "full" if full else "quick" if quick else "default"
    found = Validation(tuple(results), about, described(machine=about.machine), mode)
    if out is not None:
        write_certificate(found, out)
    return found


def _one(check: Check, *, full: bool, quick: bool) -> CheckResult:
    if quick and check.is_slow:
        return CheckResult(check, NOT_RUN, "", QUICK, 0.0)
    with scratch_folder() as folder, at_once():
        return run_check(check, Bench(folder, full, quick))


def write_certificate(found: Validation, folder: str | Path) -> list[Path]:
    """Write the certificate as PDF and JSON: both are made before either is written."""
    from reidrisk.report.document_pdf import document_pdf
    from reidrisk.report.documents.certificate import certificate

    target = Path(folder)
    drawn = document_pdf(certificate(found.to_dict()))
    paths = [target / CERTIFICATE, target / FIGURES]
    with together() as files:
        files.make_folder(target)
        for path, content in zip(paths, (drawn, found.to_json().encode()), strict=True):
            write_bytes(path, content)
    return paths
