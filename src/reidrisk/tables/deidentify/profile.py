"""The lattice profile of a table: every combination of levels, counted once for all cell sizes.

A de-identification answers for one threshold and one suppression limit. Its profile keeps, for each
combination of levels, how many records are in classes smaller than 2, 3, … 50, and the loss. From these
counts the candidates and the best combination at any other threshold and limit follow at once, and they are
those that a new search would find. A profile has names of columns and levels, and counts; no values, no rows.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.about import own_version
from reidrisk.core.audience import INTERNAL
from reidrisk.core.files import write_text
from reidrisk.core.regular_files import read_regular
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import one_line, path_text
from reidrisk.errors import BadData, Interrupted, InvalidSetting
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.stats.lattice.profile import (
    MOST_SIZE,
    AcceptableNodes,
    LatticeCounts,
    profile_lattice,
    profile_levels,
)
from reidrisk.tables.deidentify.explored import TableExploration
from reidrisk.tables.deidentify.problem import SearchProblem
from reidrisk.tables.deidentify.search import LevelSolution, Watch

KIND = "lattice_profile"
MOST_NODES = 20_000
"""Of a larger lattice only the candidates of the search are counted."""
MOST_CANDIDATES = 100
"""These, at most."""
MOST_BYTES = 128 * 2**20
NOT_GLOBAL = "Only the method global searches a lattice."
WITH_LIMITS = "With limits on sensitive columns, the counts of classes do not decide alone."
BEYOND_MEMORY = "The distinct combinations of values did not fit in memory."
STOPPED = "The search was stopped."


@dataclass(frozen=True, slots=True, eq=False)
class LayoutProfile:
    """The counts for one choice of variables."""

    name: str
    quasi: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    """By variable: the names of all levels of its hierarchy."""
    counts: LatticeCounts = field(repr=False)

    def named(self, levels: Sequence[int]) -> dict[str, str]:
        """The level names of a node, by column."""
        pairs = zip(self.quasi, self.names, levels, strict=True)
        return {column: names[level] for column, names, level in pairs}

    def place_of(self, levels: Mapping[str, int]) -> int:
        """The place of a node; refuses one that was not counted."""
        if set(levels) != set(self.quasi):
            raise InvalidSetting(
                "A combination of levels needs a level for each of the variables.",
                hint=f"The variables are: {', '.join(self.quasi)}.",
            )
        wanted = np.array([levels[name] for name in self.quasi])
        found = np.flatnonzero((self.counts.levels == wanted).all(axis=1))
        if not found.size:
            raise InvalidSetting(
                "This combination of levels is not in the profile.",
                hint="Choose levels within the limits of the hierarchies.",
            )
        return int(found[0])


@dataclass(frozen=True, eq=False)
class LatticeProfile:
    """What every combination of levels would suppress and lose."""

    layouts: tuple[LayoutProfile, ...]
    """In order of preference."""
    table: str
    loss: Loss
    average: float | None
    cell_sizes: tuple[int, ...]
    """Those of the search, strictest first."""
    max_suppression: float
    """That of the search."""
    suppress: str
    """Whether the release suppresses cells or records."""
    known_limits: dict[float, list[dict[str, Any]]] = field(default_factory=dict, repr=False)
    """The best combinations by cell size at the last suppression limit, for those who move the threshold."""

    def explore(
        self,
        *,
        cell_size: int | None = None,
        max_suppression: float | None = None,
        layout: str | None = None,
        levels: Mapping[str, int] | None = None,
    ) -> TableExploration:
        """Recount for another threshold and limit; those of the search by default.

        The first layout with an acceptable combination is taken, unless one is named. `levels` selects the
        combination to describe; by default the best one.
        """
        size = self.cell_sizes[0] if cell_size is None else cell_size
        limit = self.max_suppression if max_suppression is None else max_suppression
        tried = [
            (one, AcceptableNodes(one.counts, size, limit, self.average)) for one in self._layouts(layout)
        ]
        chosen, nodes = _first_solved(tried)
        if levels is not None:
            chosen, nodes = next((pair for pair in tried if set(pair[0].quasi) == set(levels)), tried[0])
        place = nodes.best if levels is None else chosen.place_of(levels)
        return TableExploration(self, chosen, nodes, nodes.nearest if place is None else place)

    def best_at(self, cell_size: int, limit: float) -> tuple[LayoutProfile, AcceptableNodes]:
        """The layout that is taken at another cell size and limit, with its acceptable combinations."""
        tried = [(one, AcceptableNodes(one.counts, cell_size, limit, self.average)) for one in self.layouts]
        return _first_solved(tried)

    def _layouts(self, name: str | None) -> list[LayoutProfile]:
        if name is None:
            return list(self.layouts)
        found = [one for one in self.layouts if one.name == name]
        if not found:
            raise InvalidSetting.among("A layout", name, [one.name for one in self.layouts])
        return found

    def to_dict(self) -> dict[str, Any]:
        """As JSON types; arrays are compressed."""
        return {
            "kind": KIND,
            "version": own_version(),
            "audience": INTERNAL,
            "table": self.table,
            "loss": self.loss,
            "average": self.average,
            "cell_sizes": list(self.cell_sizes),
            "max_suppression": self.max_suppression,
            "suppress": self.suppress,
            "layouts": [_packed_layout(one) for one in self.layouts],
        }

    def write(self, path: str | Path) -> None:
        """Write the profile as a JSON file."""
        write_text(path, json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> LatticeProfile:
        """Read what `to_dict` made; anything else is refused."""
        if given.get("missing"):
            raise InvalidSetting(
                f"There is no profile of the lattice. {one_line(str(given['missing']))}",
                hint="Run reidrisk table deidentify with other settings instead.",
            )
        try:
            if (
                given["kind"] != KIND
                or given["loss"] not in LOSSES
                or not given["layouts"]
                or not given["cell_sizes"]
            ):
                raise _not_a_profile()
            average = given["average"]
            return cls(
                tuple(_unpacked_layout(one) for one in given["layouts"]),
                str(given["table"]),
                given["loss"],
                None if average is None else float(average),
                tuple(Threshold.from_cell_size(int(size), KIND).cell_size for size in given["cell_sizes"]),
                float(given["max_suppression"]),
                str(given["suppress"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, zlib.error, binascii.Error):
            raise _not_a_profile() from None


def _first_solved(
    tried: Sequence[tuple[LayoutProfile, AcceptableNodes]],
) -> tuple[LayoutProfile, AcceptableNodes]:
    """The first layout with an acceptable combination, or the one that comes closest."""
    solved = next((pair for pair in tried if pair[1].best is not None), None)
    return solved or min(tried, key=lambda pair: pair[1].fewest)


def _not_a_profile() -> BadData:
    return BadData(
        "The file has no profile of a lattice.",
        hint="Make one with: reidrisk table deidentify TABLE … --profile FILE.",
    )


def read_lattice_profile(path: str | Path) -> LatticeProfile:
    """Read a profile: a file of `--profile`, or `measured.json` of a part in the folder of an assessment."""
    try:
        content = json.loads(read_regular(Path(path), most=MOST_BYTES))
    except (ValueError, RecursionError):
        raise BadData(
            f"{path_text(path)} is not a JSON file.",
            hint="Name a file that reidrisk table deidentify --profile wrote.",
        ) from None
    for key in ("measured", "profile"):
        if isinstance(content, dict) and isinstance(content.get(key), dict):
            content = content[key]
    if not isinstance(content, dict):
        raise _not_a_profile()
    return LatticeProfile.from_dict(content)


def profile_missing(problems: Sequence[SearchProblem], *, stopped: bool = False) -> str | None:
    """Why there can be no profile; None if there can."""
    if problems[0].options.method != "global":
        return NOT_GLOBAL
    if problems[0].sensitive:
        return WITH_LIMITS
    if any(problem.stored is not None for problem in problems):
        return BEYOND_MEMORY
    return STOPPED if stopped else None


def profile_problems(
    problems: Sequence[SearchProblem],
    ladder: Sequence[Threshold],
    found: LevelSolution | None,
    table: str,
    watch: Watch,
) -> LatticeProfile:
    """Count the lattice of every layout, one after another: each takes the memory of one search."""
    missing = profile_missing(problems)
    if missing is not None:
        raise InvalidSetting(f"There is no profile of the lattice. {missing}", hint="Leave out the profile.")
    options = problems[0].options
    return LatticeProfile(
        tuple(_profiled(problem, found, watch) for problem in problems),
        table,
        options.loss,
        options.average,
        tuple(threshold.cell_size for threshold in ladder),
        problems[0].limit,
        options.suppress,
    )


def _profiled(problem: SearchProblem, found: LevelSolution | None, watch: Watch) -> LayoutProfile:
    recodings = problem.recodings
    nodes = int(np.prod([one.top - one.lowest + 1 for one in recodings], dtype=np.float64))
    progress = watch.progress_of("profile of all combinations of levels")
    question = (problem.search_tuples(), recodings, problem.options.loss)
    if nodes <= MOST_NODES:
        counts = profile_lattice(*question, weights=problem.weights, stop=watch.stop, progress=progress)
    else:
        chosen = _candidates(problem, found)
        counts = profile_levels(
            *question, chosen, weights=problem.weights, stop=watch.stop, progress=progress
        )
    if counts is None:
        raise Interrupted("The profile was interrupted.", hint="Let it run longer.")
    names = tuple(levels.names for levels in problem.levels)
    return LayoutProfile(problem.layout.name, problem.layout.quasi, names, counts)


def _candidates(problem: SearchProblem, found: LevelSolution | None) -> list[tuple[int, ...]]:
    """The nodes of a large lattice that are counted: the candidates of least loss, and the top."""
    best: list[tuple[int, ...]] = []
    if found is not None and found.problem.layout == problem.layout:
        best = [found.solution.levels, *(node.levels for node in found.minimal.nodes)]
    return list(dict.fromkeys([*best[:MOST_CANDIDATES], problem.top]))


def _packed_layout(one: LayoutProfile) -> dict[str, Any]:
    counts = one.counts
    return {
        "name": one.name,
        "quasi": list(one.quasi),
        "levels": [list(names) for names in one.names],
        "lowest": list(counts.lowest),
        "highest": list(counts.highest),
        "order": list(counts.order),
        "records": counts.records,
        "nodes": len(counts.levels),
        "counts": {
            "levels": _packed(counts.levels),
            "below": _packed(np.diff(counts.below, axis=1, prepend=0)),
            "classes": _packed(np.diff(counts.classes, axis=1, prepend=0)),
            "loss": _packed(counts.loss),
            "total": _packed(counts.total),
        },
    }


def _unpacked_layout(given: Mapping[str, Any]) -> LayoutProfile:
    nodes, width = int(given["nodes"]), len(given["quasi"])
    if not 0 <= nodes <= MOST_NODES or not 0 < width <= 1000 or len(given["levels"]) != width:
        raise ValueError

    def array(name: str, columns: int, kind: str = "<i8") -> NDArray[Any]:
        return _unpacked(given["counts"][name], nodes, columns, kind)

    lowest, highest = (tuple(int(level) for level in given[end]) for end in ("lowest", "highest"))
    names = tuple(tuple(str(name) for name in listed) for listed in given["levels"])
    levels = array("levels", width)
    if any(not 0 <= low <= high < len(own) for low, high, own in zip(lowest, highest, names, strict=True)):
        raise ValueError
    if (levels < lowest).any() or (levels > highest).any() or int(given["records"]) < 1:
        raise ValueError
    counts = LatticeCounts(
        levels,
        np.cumsum(array("below", MOST_SIZE), axis=1),
        np.cumsum(array("classes", MOST_SIZE), axis=1),
        array("loss", MOST_SIZE, "<f8"),
        array("total", 1)[:, 0],
        lowest,
        highest,
        tuple(int(place) for place in given["order"]),
        int(given["records"]),
    )
    return LayoutProfile(str(given["name"]), tuple(str(name) for name in given["quasi"]), names, counts)


def _packed(array: NDArray[Any]) -> str:
    """An array as text: first bytes of all numbers, then second bytes, …, which compresses well."""
    kind = "<f8" if array.dtype.kind == "f" else "<i8"
    content = np.ascontiguousarray(array, dtype=kind).view(np.uint8).reshape(-1, 8)
    return base64.b85encode(zlib.compress(content.T.tobytes())).decode("ascii")


def _unpacked(text: str, nodes: int, columns: int, kind: str) -> NDArray[Any]:
    size = 8 * nodes * columns
    reader = zlib.decompressobj()
    content = reader.decompress(base64.b85decode(text), size + 1)
    if len(content) != size:
        raise ValueError
    numbers = np.frombuffer(content, dtype=np.uint8).reshape(8, -1).T
    return np.ascontiguousarray(numbers).view(kind).reshape(nodes, columns)
