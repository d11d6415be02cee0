"""How far are estimates of a population from the truth, and how much do they scatter?

Populations are made, samples are drawn from them, and each model is held against what is true: a ratio of 1
is right, 2 is twice too many. From the project's folder:

    python bench/bench_uniqueness.py [--repeats 20] [--table FILE --quasi COLUMNS]

With a table, that table is the population.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reidrisk.engine.opening import open_table
from reidrisk.stats.arrays import Ints
from reidrisk.stats.uniqueness.class_models import SampledClasses, class_figures
from reidrisk.stats.uniqueness.copula_estimate import CopulaFit, fit_copula
from reidrisk.stats.uniqueness.estimates import class_models, estimate_uniques
from reidrisk.stats.uniqueness.loglinear import SampleCells, select_loglinear

FRACTIONS = (0.01, 0.05, 0.1, 0.3, 0.5)
PEOPLE = 60_000
CELL_SIZE = 5
SHAPE = (30, 2, 16, 8, 6)
MODELS = ("pitman", "zayatz", "snb", "loglinear", "copula")
MOST_CELLS = 500_000
Rng = np.random.Generator
Key = tuple[str, float, str, str]


@dataclass(frozen=True)
class People:
    """Everybody: one row a person, one column a quasi-identifier; or class numbers alone."""

    codes: Ints

    @property
    def classes(self) -> Ints:
        _, of = np.unique(self.codes, axis=0, return_inverse=True)
        return np.asarray(of, dtype=np.int64)


def pitman(rng: Rng) -> People:
    """The Ewens-Pitman urn: theta 200, alpha 0.5."""
    of = np.zeros(PEOPLE, dtype=np.int64)
    sizes, chance = [1], rng.random(PEOPLE)
    for person in range(1, PEOPLE):
        if chance[person] * (person + 200.0) < 200.0 + len(sizes) * 0.5:
            of[person] = len(sizes)
            sizes.append(1)
            continue
        other = of[rng.integers(person)]
        while rng.random() * sizes[other] < 0.5:
            other = of[rng.integers(person)]
        of[person] = other
        sizes[other] += 1
    return People(of[:, None])


def slide(rng: Rng) -> People:
    """Classes of 1 + NB(0.7, 0.1) people."""
    sizes = 1 + rng.negative_binomial(0.7, 0.1, PEOPLE // 7)
    return People(np.repeat(np.arange(sizes.size), sizes)[:, None])


def lognormal(rng: Rng) -> People:
    """Classes whose share is log-normal."""
    share = rng.lognormal(0, 2, PEOPLE // 3)
    return People(rng.choice(share.size, PEOPLE, p=share / share.sum())[:, None])


def independent(rng: Rng) -> People:
    """Five columns that have nothing to do with each other."""
    columns = [rng.choice(size, PEOPLE, p=rng.dirichlet(np.full(size, 0.7))) for size in SHAPE]
    return People(np.stack(columns, axis=1))


def dependent(rng: Rng) -> People:
    """Two pairs of columns that mostly follow from each other."""
    codes = independent(rng).codes
    codes[:, 2] = np.where(rng.random(PEOPLE) < 0.7, codes[:, 0] * 7 % SHAPE[2], codes[:, 2])
    codes[:, 4] = np.where(rng.random(PEOPLE) < 0.6, codes[:, 3] * 5 % SHAPE[4], codes[:, 4])
    return People(codes)


KINDS: dict[str, Callable[[Rng], People]] = {
    "Pitman": pitman,
    "slide NB": slide,
    "log-normal": lognormal,
    "independent columns": independent,
    "dependent columns": dependent,
}


def held(people: People, fraction: float, rng: Rng) -> Iterator[tuple[str, str, float]]:
    """Model, what is estimated, and estimate over truth, for one sample."""
    of = people.classes
    chosen = rng.choice(of.size, round(fraction * of.size), replace=False)
    whole = np.bincount(of)
    part = np.bincount(of[chosen], minlength=whole.size)
    seen = part > 0
    sizes, number = np.unique(part[seen], return_counts=True)
    sample = SampledClasses(sizes, number, of.size)
    found = estimate_uniques(sample)
    truth = {
        "uniques": float((whole == 1).sum()),
        "average": float((part[seen] / whole[seen]).sum() / sample.records),
        "small": float(part[seen][whole[seen] < CELL_SIZE].sum() / sample.records),
    }
    models = class_models(sample, found)
    uniques = {"pitman": found.pitman, "zayatz": found.zayatz, "snb": found.snb}
    for name, people_alone in uniques.items():
        yield name, "uniques", people_alone / truth["uniques"]
        model = models.get(name)
        if model is not None:
            risk = class_figures(model, sample, cell_size=CELL_SIZE)
            yield name, "average", risk.average / truth["average"]
            yield name, "small", risk.small_share / truth["small"]
    fit = _copula(people.codes[chosen], of.size)
    yield "copula", "uniques", fit.unique / fraction / truth["uniques"]
    yield "copula", "average", fit.main.average / truth["average"]
    small = fit.small_classes(CELL_SIZE).records[fit.models.index(fit.main)]
    yield "copula", "small", small / sample.records / truth["small"]
    if people.codes.shape[1] > 1 and np.prod(people.codes.max(axis=0) + 1.0) <= MOST_CELLS:
        yield "loglinear", "uniques", _loglinear(people.codes[chosen], fraction) / truth["uniques"]


def _copula(codes: Ints, population: int) -> CopulaFit:
    dense = np.stack([np.unique(column, return_inverse=True)[1] for column in codes.T], axis=1)
    distinct, number = np.unique(dense, axis=0, return_counts=True)
    return fit_copula(distinct, number, population, ordinal=(True,) + (False,) * (codes.shape[1] - 1))


def _loglinear(codes: Ints, fraction: float) -> float:
    distinct, number = np.unique(codes, axis=0, return_counts=True)
    best = select_loglinear(SampleCells.of(distinct, number, fraction))[-1]
    return best.matches.population_uniques / fraction


def runs(kinds: dict[str, Callable[[Rng], People]], repeats: int) -> dict[Key, list[float]]:
    """Every ratio, by population, fraction, model and figure."""
    found: dict[Key, list[float]] = defaultdict(list)
    for kind, make in kinds.items():
        for fraction in FRACTIONS:
            rng = np.random.default_rng(11)
            for _ in range(repeats):
                for model, figure, ratio in held(make(rng), fraction, rng):
                    found[kind, fraction, model, figure].append(ratio)
    return found


def cell(ratios: list[float]) -> str:
    """The mean ratio and the span of nine in ten."""
    good = [ratio for ratio in ratios if np.isfinite(ratio)]
    if not good:
        return "–"
    low, high = np.quantile(good, [0.05, 0.95])
    missing = f", {len(ratios) - len(good)} without" if len(good) < len(ratios) else ""
    return f"{np.mean(good):.2f} ({low:.2f} to {high:.2f}{missing})"


TITLES = {
    "uniques": "unique people: estimate over truth",
    "average": "average journalist risk: estimate over truth",
    "small": f"records in population classes below {CELL_SIZE}: estimate over truth",
}


def show(found: dict[Key, list[float]], kinds: list[str]) -> None:
    for figure, title in TITLES.items():
        models = [name for name in MODELS if figure == "uniques" or name != "loglinear"]
        print(f"\n{title}: mean (nine in ten samples)\n")
        print(f"| population | sampled | {' | '.join(models)} |")
        print(f"| --- | --- |{' --- |' * len(models)}")
        for kind in kinds:
            for fraction in FRACTIONS:
                cells = [cell(found.get((kind, fraction, model, figure), [])) for model in models]
                print(f"| {kind} | {100 * fraction:g} % | {' | '.join(cells)} |")


def of_table(path: str, quasi: list[str]) -> People:
    """A table as the population."""

    with open_table(path) as table:
        tuples = table.tuples(quasi)
        return People(np.repeat(tuples.codes.astype(np.int64), tuples.counts, axis=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--table")
    parser.add_argument("--quasi", default="")
    given = parser.parse_args()
    kinds = KINDS
    if given.table:
        people = of_table(given.table, given.quasi.split(","))
        kinds = {Path(given.table).stem: lambda _: people}
    show(runs(kinds, given.repeats), list(kinds))


if __name__ == "__main__":
    main()
