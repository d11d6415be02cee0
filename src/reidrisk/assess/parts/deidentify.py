"""A table part that is de-identified: every rung is searched on condition, the context says which counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.parts.part import Work
from reidrisk.assess.parts.releasing import ReleasingPart
from reidrisk.assess.parts.table import hierarchy_files
from reidrisk.context.score import ContextScore
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.core.yaml_file import read_yaml
from reidrisk.tables.deidentify.config import KEYS, TableConfig, config_from, read_config
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.result import Deidentified
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.deidentify.search import Watch
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

REASON = "cell size {0}, tried in turn; the context says whether it may be used"


@dataclass(frozen=True, slots=True)
class Target:
    """What the search must reach, where the part itself does not say."""

    cell_sizes: tuple[int, ...]
    """Strictest first."""
    average: float | None = None

    @classmethod
    def of(cls, score: ContextScore) -> Target:
        """The thresholds that the context knows; under an overall rule what it leaves for the data."""
        if score.rule == "cell_size":
            later = [rung.threshold.cell_size for rung in score.context.chosen.later]
            return cls(tuple(sorted({score.threshold.cell_size, *later}, reverse=True)))
        cap = Threshold(score.cap, "cap").cell_size
        if score.statistic == "highest":
            return cls((cap,))
        return cls((cap,), score.left)


@dataclass(frozen=True)
class DeidentifyPart(ReleasingPart):
    """A table that is generalized and suppressed before it is released."""

    kind: ClassVar[str] = "table"
    task: ClassVar[str] = "deidentify"

    target: Target

    @cached_property
    def config(self) -> TableConfig:
        """The file that is named, with what the release file says itself on top."""
        named = self.given.get("config")
        base = read_config(self.path(named)) if named else TableConfig()
        inline = {name: value for name, value in self.given.items() if name in KEYS and value is not None}
        if isinstance(inline.get("direct"), list):
            inline["direct"] = dict.fromkeys(inline["direct"], "drop")
        own = config_from(inline, folder=self.folder, place=self.name)
        return base.under(own)

    @property
    def schema(self) -> Schema:
        """What the columns mean."""
        return self.config.schema

    @property
    def rungs(self) -> tuple[int, ...]:
        """The cell sizes that are tried, strictest first."""
        said = self.config.values
        own = {*said.get("ladder", ()), *([said["cell_size"]] if "cell_size" in said else [])}
        return tuple(sorted(own, reverse=True)) if own else self.target.cell_sizes

    @property
    def states_rungs(self) -> str | None:
        """The setting by which the part itself says what is tried."""
        return next((name for name in ("ladder", "cell_size") if name in self.config.values), None)

    @property
    def average(self) -> float | None:
        """The largest average risk, as stated or as the context needs it."""
        stated = self.config.values.get("average")
        if stated is not None:
            return float(stated)
        return None if self.states_rungs else self.target.average

    @property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """By column."""
        return self.config.hierarchies

    @property
    def ladder(self) -> tuple[Threshold, ...]:
        """The thresholds that are tried; their reasons are the context's."""
        return tuple(Threshold.from_cell_size(size, REASON.format(size)) for size in self.rungs)

    @property
    def options(self) -> DeidentifyOptions:
        """How it is de-identified."""
        asked = self.config.under(TableConfig({"average": self.average}))
        return asked.options(self.ladder, key=self.secret)

    def sources(self) -> tuple[str, ...]:
        """The table and its rules; never the key."""
        named = self.given.get("config")
        files = [str(self.given["table"]), *([named] if named else [])]
        if named and (self.folder / named).is_file():
            content = read_yaml(self.folder / named)
            below = Path(named).parent
            rules = content.get("hierarchies") if isinstance(content, Mapping) else None
            files += [str(below / file) for file in hierarchy_files(rules)]
        return (*files, *hierarchy_files(self.given.get("hierarchies")))

    def counted(self) -> Mapping[str, Any]:
        """Everything but where the result goes, and the secret unless transformations draw with it."""
        apart = ("out", "key", "name")
        said = {name: value for name, value in self.given.items() if name not in apart}
        drawn = {"secret": self.fingerprint} if self.config.steps else {}
        return {**said, "rungs": list(self.rungs), "average": self.average, **drawn}

    def measure(self, work: Work) -> dict[str, Any]:
        """Search the least loss at every rung in turn, all of them on condition."""
        found: dict[str, Any] = self.told(self.searched(work).to_dict())
        return found

    def searched(self, work: Work) -> Deidentified:
        """The result itself, which can write the table."""
        progress = work.progress

        def tell(what: str, done: int, total: int) -> None:
            if progress is not None:
                progress(self.name, what, done, total)

        return deidentify(
            self.path(self.given["table"]),
            self.schema,
            self.hierarchies,
            threshold=self.ladder[0],
            max_suppression=self.config.max_suppression,
            options=self.options,
            watch=Watch(work.stop, tell, work.seed),
        )

    def write(self, work: Work, path: Path) -> None:
        """Search again, and write what is found."""
        self.searched(work).write(path)
