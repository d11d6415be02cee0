"""What every kind of part of a release must provide, and the list of kinds.

A kind of part is one class in one file of `assess/kinds`: its form in the release file, how it is measured,
judged and remedied, and how it is drafted from files. To add a kind, write its file, add a line to `KINDS`
and add a test. The file is imported only when a release file names the kind.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Self

from reidrisk.assess.inputs import source_exists
from reidrisk.assess.moved_dates import MovedDates
from reidrisk.assess.paths import check_part_inside
from reidrisk.assess.sketch import DraftFile, PartSketch
from reidrisk.assess.verdict import PartVerdict, Rejudge, Remedy, RemedyKind, SensitivityRow
from reidrisk.context.score import ContextScore
from reidrisk.core.inventory import Inventory
from reidrisk.core.key import read_key
from reidrisk.core.place import SettingPlace
from reidrisk.core.settings import SettingGroup
from reidrisk.core.stopping import Stop
from reidrisk.core.wording import path_text, probability

Progress = Callable[[str, str, int, int], None]
"""Called with the part, the current step, the amount done and the total amount (0 if unknown)."""
FINGERPRINT_ROUNDS = 200_000
"""Rounds of the hash that makes it slow to guess a key from its fingerprint."""


@dataclass(frozen=True, slots=True)
class RunControl:
    """The seed of a run, and how it reports progress or is stopped."""

    seed: int
    progress: Progress | None = None
    stop: Stop | None = None
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    """Results of searches that were stopped, by part: another search would give another result."""
    searched: dict[str, tuple[ReleasePart, Any]] = field(default_factory=dict, repr=False)
    """Parts and results of complete searches, by name: what is written needs no second search."""

    joined: frozenset[str] = frozenset()
    """Names of parts that are also measured together with others."""
    written: dict[str, tuple[ReleasePart, Any]] = field(default_factory=dict, repr=False)
    """What such parts wrote aside, by name: what they tell together needs no second writing."""
    writing: Lock = field(default_factory=Lock, repr=False)
    """Held while a part is written aside for others, so that two groups do not write it twice."""

    @property
    def is_stopped(self) -> bool:
        """Whether somebody asked to stop, in whichever way."""
        return self.stop is not None and self.stop() is not None

    def report(self, part: str, step: str, done: int = 0, total: int = 0) -> None:
        """Report progress, if anybody listens."""
        if self.progress is not None:
            self.progress(part, step, done, total)


@dataclass(frozen=True)
class ReleasePart(ABC):
    """One part of a release. Each kind of part is a subclass."""

    kind: ClassVar[str]
    """The value of `kind:` in the release file."""
    task: ClassVar[str] = "risk"
    form: ClassVar[SettingGroup]
    """The settings that the part may have in a release file."""
    sketch_order: ClassVar[int] = 0
    """Files to draft are offered to the kinds in this order, lowest first."""

    name: str
    given: Mapping[str, Any] = field(repr=False)
    """The settings in the release file, checked by the form."""
    folder: Path
    """The folder of the release file."""

    @classmethod
    def of(cls, name: str, given: Mapping[str, Any], folder: Path, score: ContextScore) -> Self:  # noqa: ARG003 - some kinds need the score
        """The part with these settings."""
        return cls(name, given, folder)

    def check(self, place: SettingPlace, score: ContextScore) -> None:  # noqa: ARG002 - some kinds need the score
        """Refuse contradictions and missing files by their line; read no data."""
        self.check_sources(place)

    @abstractmethod
    def sources(self) -> tuple[str, ...]:
        """Everything the part reads, as named in the release file; key files are left out."""

    @abstractmethod
    def counted(self) -> Mapping[str, Any]:
        """The settings on which the measurement depends, as JSON types."""

    @abstractmethod
    def measure(self, control: RunControl) -> dict[str, Any]:
        """Read the data and count: everything the verdict needs, as JSON types, without any record."""

    @abstractmethod
    def judge(
        self, measured: Mapping[str, Any], score: ContextScore, *, seed: int, quick: bool = False
    ) -> PartVerdict:
        """The verdict in a context, from the measurement only; `quick` leaves out the full result."""

    @abstractmethod
    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """Changes to this part that would lower its risk."""

    def leaves(self, parts: Sequence[ReleasePart]) -> Inventory:  # noqa: ARG002 - some kinds look at other parts
        """What leaves with the part, for kinds whose measurement has no inventory of its own."""
        return Inventory()

    def sensitivity(
        self,
        measured: Mapping[str, Any],  # noqa: ARG002 - only some kinds have such assumptions
        verdict: PartVerdict | None,  # noqa: ARG002
        score: ContextScore,  # noqa: ARG002
        *,
        seed: int,  # noqa: ARG002
    ) -> Iterator[SensitivityRow]:
        """The verdict under other assumptions that only this kind of part has."""
        yield from ()

    @property
    def moved_dates(self) -> MovedDates | None:
        """How the dates of a person move; None if the release file does not say it."""
        return None

    @classmethod
    def sketch(cls, file: DraftFile) -> PartSketch | None:  # noqa: ARG003 - overridden
        """What to draft for a file; None if the file is not of this kind."""
        return None

    @property
    def shown_task(self) -> str:
        """The task as results name it."""
        return self.task

    @property
    def out(self) -> Path | None:
        """Where the part writes a table if it is acceptable; None if it writes none."""
        return None

    def writer(self) -> TableWriter | None:
        """The part as one that writes a table; None if it cannot."""
        return None

    def path(self, source: str) -> str:
        """The path of a source from the current folder; a URL stays as it is."""
        return source if "://" in source else str(self.folder / source)

    def with_short_paths(self, found: Any) -> Any:
        """JSON with paths as the release file names them, wherever it was run."""
        names = {self.path(source): source for source in self.sources()}
        return _with_names(found, {long: short for long, short in names.items() if long != short})

    def check_sources(self, place: SettingPlace) -> None:
        """Refuse a source that does not exist by the line that names it."""
        for source in self.sources():
            if not source_exists(source, self.folder):
                key = next((key for key, value in self.given.items() if value == source), None)
                here = place if key is None else place.at(key)
                raise here.missing(source)


def _with_names(found: Any, names: Mapping[str, str]) -> Any:
    if isinstance(found, dict):
        return {_with_names(name, names): _with_names(value, names) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [_with_names(value, names) for value in found]
    if isinstance(found, str):
        for long, short in sorted(names.items(), key=lambda pair: -len(pair[0])):
            found = found.replace(path_text(long), short)
    return found


class TableWriter(ReleasePart):
    """A part that writes a table if it is acceptable, if needed with a key."""

    writes_folder: ClassVar[bool] = False
    """Whether `out` is a folder with several tables."""

    @property
    def out(self) -> Path | None:
        """Where the table is written if it is acceptable."""
        return Path(self.path(self.given["out"])) if self.given.get("out") else None

    def writer(self) -> TableWriter | None:
        """This part."""
        return self

    @property
    def key(self) -> bytes | None:
        """The key for pseudonyms and random steps; None if the part has none."""
        file = self.given.get("key")
        return read_key(self.path(file)) if file else None

    @cached_property
    def fingerprint(self) -> str | None:
        """A hash by which a key is recognized, slow to guess; None without a key."""
        key = self.key
        if key is None:
            return None
        return hashlib.pbkdf2_hmac("sha256", key, b"reidrisk fingerprint", FINGERPRINT_ROUNDS).hex()

    def write_file(self, control: RunControl, path: Path) -> None:
        """Write the table as the part asks for it."""
        from reidrisk.engine.opening import watching_formulas

        with watching_formulas(escapes=bool(self.given.get("escape_formulas"))):
            self.write(control, path)

    @abstractmethod
    def write(self, control: RunControl, path: Path) -> None:
        """Write the whole table or nothing; the same seed and key write the same bytes."""

    def check_key(self, place: SettingPlace) -> None:
        """Refuse a key file that does not exist."""
        key = self.given.get("key")
        if key and not (self.folder / key).is_file():
            raise place.at("key").missing(key, hint="Create it with: reidrisk table key FILE")

    def check_out(self, place: SettingPlace) -> None:
        """Refuse a target that cannot be written or that is an input."""
        if self.out is None:
            return
        from reidrisk.engine.opening import ready_to_write

        with place.at("out").names_line():
            ready_to_write(self.out)
        if not self.out.parent.is_dir():
            raise place.at("out").wrong(
                "is in a folder that does not exist.", hint="Create the folder first."
            )
        inputs = [(self.folder / source).resolve() for source in self.sources()]
        if self.out.resolve() in inputs:
            raise place.at("out").wrong("is also an input.", hint="Name another file to write.")


@dataclass(frozen=True, slots=True)
class PartCase:
    """A part whose risk is too high, as remedies need it."""

    name: str
    verdict: PartVerdict
    score: ContextScore
    seed: int
    parts: tuple[ReleasePart, ...]
    """All parts of the release."""
    others_acceptable: bool

    def remedy(
        self,
        kind: RemedyKind,
        text: str,
        rejudge: Rejudge,
        change: Mapping[str, Any] | None,
        size: float,
        *,
        outside: str | None = None,
    ) -> Iterator[Remedy]:
        """The remedy with its effect; nothing if it does not lower the risk.

        Without a change, `text` says what must be done outside; with one, `outside` does if there is more.
        """
        judged = partial(self._with_inventory, rejudge)
        after = judged(self.score)
        if after.ratio >= self.verdict.ratio * (1 - 1e-9):
            return
        before, then = self.verdict.overall, after.overall
        effect = ""
        if before is not None and then is not None:
            effect = f": lowers the risk from {probability(before)} to {probability(then)}"
        yield Remedy(
            kind=kind,
            part=self.name,
            text=f"{text}{effect}.",
            change=change,
            risk_before=before,
            risk_after=then,
            part_acceptable_after=after.acceptable,
            acceptable_after=after.acceptable and self.others_acceptable,
            outside=tuple(one for one in (outside if change else text,) if one),
            size=size,
            rejudge=judged,
        )

    def _with_inventory(self, rejudge: Rejudge, score: ContextScore) -> PartVerdict:
        """What was not measured stays so, unless the verdict itself tells what leaves."""
        after = rejudge(score)
        return after if after.inventory.items else after.with_inventory(self.verdict.inventory)

    def untested_remedy(
        self, kind: RemedyKind, text: str, change: Mapping[str, Any] | None, size: float
    ) -> Remedy:
        """A remedy whose effect only a new measurement can show."""
        return Remedy(
            kind,
            self.name,
            text,
            change,
            self.verdict.overall,
            None,
            None,
            None,
            outside=() if change else (text,),
            size=size,
        )


@dataclass(frozen=True, slots=True)
class KindEntry:
    """A line of the list of kinds."""

    kind: str
    """The value of `kind:` in a release file."""
    module: str
    """The file in `assess/kinds`."""
    part: str
    """The class in that file."""
    when: str | None = None
    """The setting that chooses this class among those of the same kind."""

    def load(self) -> type[ReleasePart]:
        """Import the file and return its class."""
        found: type[ReleasePart] = getattr(import_module(f"reidrisk.assess.kinds.{self.module}"), self.part)
        return found


KINDS = (
    KindEntry("text", "text", "TextPart"),
    KindEntry("table", "table", "TablePart"),
    KindEntry("table", "deidentify", "DeidentifyPart", when="deidentify"),
    KindEntry("table", "attack", "AttackPart", when="against"),
    KindEntry("table", "transform", "TransformPart", when="steps"),
    KindEntry("population", "population", "PopulationPart"),
    KindEntry("documents", "documents", "DocumentsPart"),
    KindEntry("relational", "relational", "RelationalPart"),
)
JOINABLE = ("table", "text", "documents", "relational")
"""Kinds of parts that are about single people, who may be in several of them."""
KIND_NAMES = tuple(dict.fromkeys(entry.kind for entry in KINDS))


def part_class(given: Mapping[str, Any]) -> type[ReleasePart]:
    """The class for a part with these settings; its file is imported now."""
    same_kind = [entry for entry in KINDS if entry.kind == given["kind"]]
    chosen = next((entry for entry in same_kind if entry.when and given.get(entry.when)), None)
    return (chosen or next(entry for entry in same_kind if entry.when is None)).load()


def all_part_classes() -> tuple[type[ReleasePart], ...]:
    """The classes of all kinds; imports all their files."""
    return tuple(entry.load() for entry in KINDS)


def read_part(
    given: Mapping[str, Any],
    place: SettingPlace,
    *,
    folder: Path,
    score: ContextScore,
    allow_outside: bool = False,
) -> ReleasePart:
    """The part that some settings describe; contradictions and missing files are named by their line."""
    part = part_class(given).of(str(given["name"]), given, folder, score)
    if not allow_outside:
        check_part_inside(part.sources(), given, folder, place)
    part.check(place, score)
    return part
