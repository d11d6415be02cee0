"""One tree of errors. Every error says what is wrong, where, and what to do; none shows or carries data."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

_CAUSE: Any = BaseException.__dict__["__cause__"]
_CONTEXT: Any = BaseException.__dict__["__context__"]
"""Where Python itself keeps the errors that an error is chained to."""


class ReidRiskError(Exception):
    """Base of every error raised on purpose.

    * ReidRiskError
      - InvalidSetting     a number or option makes no sense          (exit code 2)
      - MissingPackage     an optional package is not installed
      - BadData            a file or a document cannot be used
          - UnreadableFile     it cannot be read or parsed
            - UnwritableFile   an output cannot be written
          - ChangedMeanwhile   somebody else changed a file that was to be changed
          - MisalignedOffsets  an annotation does not fit its text
          - UnknownType        no mapping says what an annotation type is
          - UnknownColumn      the table lacks a column that is named
          - UnmatchedDocuments gold standard and tool output name different documents
          - NothingToMeasure   there is no document or no identifier
          - OverBudget         it does not fit in the memory that may be used
      - NoSolution         no de-identification meets the limits
      - FailedCheck        a result does not keep its promise: a fault of ours
        - FailedPages      only some pages of a document do not
      - SparkFailure       Spark or one of its workers stopped
      - Interrupted        the work was stopped before there was anything to show
        - Cancelled        somebody cancelled it
      - AlreadyRunning     another process does the same work now
    """

    exit_code = 1

    def __init__(self, problem: str, *, hint: str) -> None:
        super().__init__(f"{problem}\n\nHint: {hint}")
        self.problem = problem
        self.hint = hint
        self.__suppress_context__ = True

    @property
    def __cause__(self) -> None:
        """Nothing: what another package said about the data may quote them."""
        _CAUSE.__set__(self, None)

    @__cause__.setter
    def __cause__(self, _: BaseException | None) -> None:
        _CAUSE.__set__(self, None)

    @property
    def __context__(self) -> None:
        """Nothing, for the same reason: Python chains the error that is being handled without being asked."""
        _CONTEXT.__set__(self, None)

    @__context__.setter
    def __context__(self, _: BaseException | None) -> None:
        _CONTEXT.__set__(self, None)

    def __reduce__(self) -> tuple[object, ...]:
        """An error of another process arrives as it was raised there."""
        return _raised_again, (type(self), self.problem, self.hint)


def _raised_again(kind: type[ReidRiskError], problem: str, hint: str) -> ReidRiskError:
    return kind(problem, hint=hint)


class InvalidSetting(ReidRiskError, ValueError):
    """A number or option makes no sense."""

    exit_code = 2

    @classmethod
    def among(cls, what: str, given: str, known: Iterable[str]) -> InvalidSetting:
        """Refuse a name that is not one of the known ones, suggesting the nearest.

        `what` is a setting, such as "The profile", or with "A" what the name should be one of.

        >>> InvalidSetting.among("The profile", "papr", ["paper"]).problem
        "The profile cannot be 'papr'."
        >>> InvalidSetting.among("A kind of result", "risk", ["table_risk"]).problem
        "'risk' is not a kind of result."
        """
        names = [str(name) for name in known]
        near = difflib.get_close_matches(given, names, n=1)
        meant = f"Did you mean {near[0]!r}? " if near else ""
        problem = f"{what} cannot be {given!r}"
        if what.startswith(("A ", "An ")):
            problem = f"{given!r} is not a{what[1:]}"
        return cls(f"{problem}.", hint=f"{meant}Choose one of: {', '.join(names)}.")


class MissingPackage(ReidRiskError, ImportError):
    """An optional package is not installed."""

    @classmethod
    def of_extra(cls, package: str, extra: str) -> MissingPackage:
        """Say which extra brings the package."""
        return cls(f"This needs the package {package}.", hint=f'Run: pip install "reidrisk[{extra}]"')


class BadData(ReidRiskError):
    """A file or a document cannot be used."""


class UnreadableFile(BadData):
    """A file cannot be read or parsed."""

    @classmethod
    def missing(cls, path: object, *, hint: str = "") -> UnreadableFile:
        """There is nothing at a path; the message is the same wherever this is noticed."""
        shown = str(path).encode("utf-8", "backslashreplace").decode()
        return cls(
            f"{shown} does not exist.", hint=f"Check the spelling and the current folder. {hint}".strip()
        )


class UnwritableFile(UnreadableFile):
    """An output cannot be written: the fault of a disk or of permissions, not of the data."""


class ChangedMeanwhile(BadData):
    """Somebody else changed a file since it was read; it is left as it is now."""


class MisalignedOffsets(BadData):
    """An annotation does not fit its text."""


class UnknownType(BadData, LookupError):
    """No mapping says whether an annotation type is direct, quasi or ignored."""


class UnknownColumn(BadData, LookupError):
    """The table lacks a column that is named."""

    @classmethod
    def among(cls, missing: str, columns: Iterable[str], *, source: str = "The table") -> UnknownColumn:
        """Suggest the nearest column, or list them."""
        names = list(columns)
        near = difflib.get_close_matches(missing, names, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Columns are: {', '.join(names)}."
        return cls(f"{source} has no column {missing!r}.", hint=hint)


class UnmatchedDocuments(BadData):
    """Gold standard and tool output name different documents."""


class NothingToMeasure(BadData):
    """There is no document or no identifier to measure."""


class OverBudget(BadData):
    """The data do not fit in the memory that may be used."""


class NoSolution(ReidRiskError):
    """No de-identification meets the limits."""


class FailedCheck(ReidRiskError):
    """A result does not keep its promise: a fault of ours, so nothing of it is left."""


class FailedPages(FailedCheck):
    """Some pages of a document cannot be released; the others could."""

    def __init__(
        self,
        problem: str,
        *,
        hint: str,
        pages: Iterable[int],
        why: str,
        left: Mapping[int, tuple[str, ...]] | None = None,
    ) -> None:
        super().__init__(problem, hint=hint)
        self.pages = tuple(pages)
        """Numbers from 1."""
        self.left = left or {}
        """Values that can still be read, by the page; they are never shown."""
        self.why = why
        """In words that may stand in the place of such a page."""


class SparkFailure(ReidRiskError):
    """Spark cannot be started, or stopped before the work was done."""


class Interrupted(ReidRiskError):
    """The work was stopped before there was anything to show."""


class Cancelled(Interrupted):
    """Somebody cancelled the work."""


class AlreadyRunning(ReidRiskError):
    """Another process does the same work now."""
