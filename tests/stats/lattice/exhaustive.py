"""Every node, one after the other, in plain Python: slow, and sharing nothing with the search."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import product

from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples

Node = tuple[int, ...]


@dataclass(frozen=True)
class Figures:
    score: float
    suppressed: int
    classes: int


@dataclass(frozen=True)
class Exhaustive:
    tuples: Tuples
    recodings: list[Recoding]
    criterion: Criterion
    weights: list[float]

    def nodes(self) -> list[Node]:
        return list(product(*(range(each.lowest, each.top + 1) for each in self.recodings)))

    def classes(self, node: Node) -> Counter[tuple[int, ...]]:
        found: Counter[tuple[int, ...]] = Counter()
        for row, count in zip(self.tuples.codes.tolist(), self.tuples.counts.tolist(), strict=True):
            found[self.general(node, row)] += count
        return found

    def general(self, node: Node, row: list[int]) -> tuple[int, ...]:
        return tuple(
            int(r.levels[level][code]) for r, level, code in zip(self.recodings, node, row, strict=True)
        )

    def kept(self, node: Node) -> dict[tuple[int, ...], int]:
        least = self.criterion.smallest
        while True:
            kept = {key: size for key, size in self.classes(node).items() if size >= least}
            average = len(kept) / sum(kept.values()) if kept else 0.0
            if self.criterion.average is None or average <= self.criterion.average + 1e-12:
                return kept
            least += 1

    def figures(self, node: Node, loss: str) -> Figures:
        kept = self.kept(node)
        records = self.tuples.records
        suppressed = records - sum(kept.values())
        if loss == "dm":
            score = float(sum(size**2 for size in kept.values()) + records * suppressed)
            return Figures(score, suppressed, len(kept))
        losses = [self.attribute(a, node, kept, loss) for a in range(len(node))]
        whole = sum(self.weights)
        if loss == "loss_gm":
            score = math.prod((x + 1) ** (w / whole) for x, w in zip(losses, self.weights, strict=True)) - 1
        else:
            score = sum(x * w for x, w in zip(losses, self.weights, strict=True))
            score /= 1 if loss == "entropy" else whole
        return Figures(score, suppressed, len(kept))

    def attribute(self, a: int, node: Node, kept: dict[tuple[int, ...], int], loss: str) -> float:
        recoding, level, records = self.recodings[a], node[a], self.tuples.records
        gone = records - sum(kept.values())
        if loss == "prec":
            share = level / recoding.height if recoding.height else 0.0
            return ((records - gone) * share + gone) / records
        if loss == "entropy":
            return self.entropy(a, node, kept)
        total = float(gone)
        for key, size in kept.items():
            total += size * int(recoding.leaves[level][key[a]]) / recoding.domain
        least = records / recoding.domain
        return max(0.0, (total - least) / (records - least)) if recoding.domain > 1 else 0.0

    def entropy(self, a: int, node: Node, kept: dict[tuple[int, ...], int]) -> float:
        values: Counter[int] = Counter()
        for row, count in zip(self.tuples.codes.tolist(), self.tuples.counts.tolist(), strict=True):
            values[row[a]] += count
        general: Counter[int] = Counter()
        for value, count in values.items():
            general[int(self.recodings[a].levels[node[a]][value])] += count
        lost: Counter[int] = Counter()
        for key, size in self.classes(node).items():
            lost[key[a]] += size if key not in kept else 0
        bits = sum(
            n * math.log2(n / general[int(self.recodings[a].levels[node[a]][v])]) for v, n in values.items()
        )
        gone = sum(lost.values())
        return -bits - sum(n * math.log2(n / gone) for n in lost.values() if n)

    def acceptable(self, loss: str) -> dict[Node, Figures]:
        most = self.criterion.may_suppress(self.tuples.records)
        found = {node: self.figures(node, loss) for node in self.nodes()}
        return {node: figures for node, figures in found.items() if figures.suppressed <= most}

    def minimal(self, loss: str) -> dict[Node, Figures]:
        good = self.acceptable(loss)
        return {
            node: figures
            for node, figures in good.items()
            if not any(
                other != node and all(x <= y for x, y in zip(other, node, strict=True)) for other in good
            )
        }
