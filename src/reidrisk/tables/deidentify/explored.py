"""What a lattice profile says at one threshold and one suppression limit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import percent, plural
from reidrisk.stats.lattice.profile import MOST_SIZE, AcceptableNodes

if TYPE_CHECKING:
    from reidrisk.tables.deidentify.profile import LatticeProfile, LayoutProfile


@dataclass(frozen=True)
class TableExploration(Result):
    """The candidates at one threshold and limit, the best of them, and one described in full."""

    profile: LatticeProfile
    layout: LayoutProfile
    nodes: AcceptableNodes
    selected: int | None
    """The place of the combination that is described; None if nothing was counted."""

    @property
    def acceptable(self) -> bool:
        """Always False: an exploration decides nothing."""
        return False

    @cached_property
    def candidates(self) -> list[dict[str, Any]]:
        """Every minimal combination and the best one, as the result of a de-identification lists them."""
        nodes, minimal = self.nodes, self.nodes.minimal
        places = set(np.flatnonzero(minimal).tolist())
        if nodes.best is not None:
            places.add(nodes.best)
        found = [(nodes.solution(place), place) for place in places]
        several = len(self.profile.layouts) > 1
        return [
            {
                "levels": self.layout.named(one.levels),
                "level_numbers": dict(zip(self.layout.quasi, one.levels, strict=True)),
                "layout": self.layout.name if several else None,
                "loss": one.score,
                "suppressed_records": one.suppressed,
                "suppressed_share": one.suppressed / nodes.counts.records,
                "minimal": bool(minimal[place]),
                "optimum": place == nodes.best and nodes.counts.complete,
                "chosen": place == nodes.best,
            }
            for one, place in sorted(found, key=lambda pair: (pair[0].score, pair[0].levels))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types."""
        counts, profile, reasons = self.nodes.counts, self.profile, self._reasons()
        return {
            "kind": "table_exploration",
            "version": own_version(),
            "acceptable": None,
            "settings": {
                "table": profile.table,
                "cell_size": self.nodes.cell_size,
                "max_suppression": self.nodes.limit,
                "average": profile.average,
                "loss": profile.loss,
                "suppress": profile.suppress,
                "layouts": [one.name for one in profile.layouts],
                "searched": {
                    "cell_sizes": list(profile.cell_sizes),
                    "max_suppression": profile.max_suppression,
                },
            },
            "seed": None,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "threshold": {"probability": 1 / self.nodes.cell_size, "cell_size": self.nodes.cell_size},
            "records": counts.records,
            "layout": self.layout.name if len(profile.layouts) > 1 else None,
            "lattice": {
                "nodes": counts.lattice,
                "counted": len(counts.levels),
                "complete": counts.complete,
                "acceptable": int(np.count_nonzero(self.nodes.acceptable)),
            },
            "candidates": [{**one, **self._risks(one["level_numbers"])} for one in self.candidates],
            "nearest": None if self.nodes.best is not None else self._nearest(),
            "selected": None if self.selected is None else self._selected(self.selected),
            "by_cell_size": self.by_cell_size,
            "notes": self._notes(),
        }

    def _risks(self, levels: dict[str, int]) -> dict[str, Any]:
        return self._risks_at(self.layout.place_of(levels))

    def _risks_at(self, place: int) -> dict[str, Any]:
        """The risk of the records that are kept; the smallest class is known up to the largest cell size."""
        nodes, counts = self.nodes, self.nodes.counts
        kept = counts.records - int(nodes.suppressed[place])
        classes = int(nodes.kept_classes[place])
        new = np.diff(counts.classes[place])
        left = np.flatnonzero(new[int(nodes.column[place]) :])
        smallest = int(nodes.column[place]) + 1 + int(left[0]) if left.size else None
        return {
            "kept_records": kept,
            "classes": classes,
            "smallest_class": smallest,
            "highest_risk": None if smallest is None or not kept else 1 / smallest,
            "average_risk": classes / kept if kept else None,
        }

    def _selected(self, place: int) -> dict[str, Any]:
        """One combination of levels in full."""
        nodes, counts = self.nodes, self.nodes.counts
        one = nodes.solution(place)
        return {
            "levels": self.layout.named(one.levels),
            "level_numbers": dict(zip(self.layout.quasi, one.levels, strict=True)),
            "acceptable": bool(nodes.acceptable[place]),
            "minimal": bool(nodes.minimal[place]),
            "best": place == nodes.best,
            "loss": one.score,
            "suppressed_records": one.suppressed,
            "suppressed_share": one.suppressed / counts.records,
            **self._risks_at(place),
            "columns": [
                {
                    "column": column,
                    "level": names[level],
                    "level_number": level,
                    "levels": list(names),
                    "lowest": low,
                    "highest": high,
                }
                for column, names, level, low, high in zip(
                    self.layout.quasi,
                    self.layout.names,
                    one.levels,
                    counts.lowest,
                    counts.highest,
                    strict=True,
                )
            ],
            "risk_curve": self._curve(place),
            "exact_risk_curve": self._exact_curve(),
        }

    def _curve(self, place: int) -> list[dict[str, Any]]:
        """By cell size: the records whose class is smaller, so that their risk is higher."""
        counts = self.nodes.counts
        return [
            {
                "cell_size": size,
                "risk": 1 / size,
                "records_above": int(counts.below[place, size - 1]),
                "share_above": int(counts.below[place, size - 1]) / counts.records,
            }
            for size in range(2, MOST_SIZE + 1)
        ]

    def _exact_curve(self) -> list[dict[str, Any]] | None:
        """The same at the most exact levels allowed, for comparison."""
        counts = self.nodes.counts
        exact = np.flatnonzero((counts.levels == np.array(counts.lowest)).all(axis=1))
        return self._curve(int(exact[0])) if exact.size else None

    def _nearest(self) -> dict[str, Any] | None:
        """Without an acceptable combination: how far away one is."""
        place = self.nodes.nearest
        if place is None:
            return None
        one = self.nodes.solution(place)
        smaller = [row["cell_size"] for row in self.by_cell_size if row["loss"] is not None]
        below = [size for size in smaller if size < self.nodes.cell_size]
        return {
            "levels": self.layout.named(one.levels),
            "suppressed_records": one.suppressed,
            "suppressed_share": one.suppressed / self.nodes.counts.records,
            "cell_size": max(below) if below else None,
        }

    @property
    def by_cell_size(self) -> list[dict[str, Any]]:
        """The best combination at every cell size, with the same suppression limit."""
        known = self.profile.known_limits
        if self.nodes.limit not in known:
            known.clear()
            known[self.nodes.limit] = self._by_cell_size()
        return known[self.nodes.limit]

    def _by_cell_size(self) -> list[dict[str, Any]]:
        rows = []
        for size in range(2, MOST_SIZE + 1):
            layout, nodes = self.profile.best_at(size, self.nodes.limit)
            best = None if nodes.best is None else nodes.solution(nodes.best)
            rows.append(
                {
                    "cell_size": size,
                    "loss": best.score if best else None,
                    "suppressed_records": best.suppressed if best else None,
                    "suppressed_share": best.suppressed / nodes.counts.records if best else None,
                    "layout": layout.name if best and len(self.profile.layouts) > 1 else None,
                    "levels": layout.named(best.levels) if best else None,
                }
            )
        return rows

    def _reasons(self) -> list[Reason]:
        nodes, counts = self.nodes, self.nodes.counts
        found = int(np.count_nonzero(nodes.acceptable))
        start = (
            f"At a cell size of {nodes.cell_size}, with suppressed values in at most {percent(nodes.limit)} "
            f"of records, {found:,} of {plural(len(counts.levels), 'combination')} of levels "
            f"{'is' if found == 1 else 'are'} acceptable."
        )
        if nodes.best is not None:
            best = nodes.solution(nodes.best)
            share = percent(best.suppressed / counts.records)
            text = (
                f"The smallest loss is {best.score:.3g}, with {plural(best.suppressed, 'record')} ({share}) "
                "in smaller classes."
            )
            return [Reason(start, None), Reason(text, None)]
        nearest = self._nearest()
        if nearest is None:
            return [Reason(start, None)]
        options = [
            f"allow suppressed values in {percent(_rounded_up(nearest['suppressed_share']))} of records"
        ]
        if nearest["cell_size"] is not None:
            options.append(f"accept a cell size of {nearest['cell_size']}")
        return [Reason(start, None), Reason(f"To get a solution, {' or '.join(options)}.", None)]

    def _notes(self) -> list[str]:
        counts, notes = self.nodes.counts, []
        if not counts.complete:
            notes.append(
                f"Only {plural(len(counts.levels), 'combination')} of {counts.lattice:,} were counted: the "
                "candidates of the search. At another threshold or limit, a new search may find a better one."
            )
        if self.profile.suppress == "cells":
            notes.append(
                "The counts here are records in small classes. The released file suppresses single cells, so "
                "the number of records that lose a value may differ a little."
            )
        return notes


def _rounded_up(share: float) -> float:
    """Rounded so that the limit is certainly met."""
    return float(np.ceil(share * 1000) / 1000)
