"""Do the limits of the estimated population hold, and are samples with people in small classes refused?

Populations are known: Adult and US counties (read from `../shared`, left out where it is missing) and
simulated people. Samples are drawn from them, the population is estimated, and the estimates are compared
with the truth. Before: Pitman's model up to a tenth sampled, else the lower of Zayatz and the slide negative
binomial, and the largest mean risk of a record compared with the threshold. After: the rules of `reidrisk
table risk`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.threshold import Threshold
from reidrisk.errors import BadData
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.uniqueness.class_models import SampledClasses, WholeClasses, class_risks
from reidrisk.stats.uniqueness.copula_estimate import fit_copula
from reidrisk.stats.uniqueness.estimates import class_models, estimate_uniques
from reidrisk.stats.uniqueness.loglinear import SampleCells, independent_matches, select_loglinear
from reidrisk.tables.estimated import SampledMeasure
from reidrisk.tables.population_estimate import PopulationEstimate, estimate_population
from reidrisk.tables.sampling import Sampling

SHARED = Path(__file__).parents[2] / "shared" / "data"
CELL_SIZES = (3, 5, 11)
AVERAGE = Threshold(0.1, "average rule")
NOMINAL, MOST_UNSAFE = 0.95, 0.05
REPEATS = 8
"""Samples of each scenario and fraction."""
MOST_CELLS = 60_000
FEWEST = 3
"""Errors of the number of unique people are shown if at least so many of them are expected in the sample."""
Rng = np.random.Generator


@dataclass(frozen=True)
class People:
    """A known population: one row per person, one column per quasi-identifier."""

    name: str
    codes: Ints
    ordinal: tuple[bool, ...]
    fractions: tuple[float, ...] = (0.01, 0.1, 0.3)

    @property
    def classes(self) -> tuple[Ints, Ints]:
        """The class of every person, and the size of every class."""
        _, of, sizes = np.unique(self.codes, axis=0, return_inverse=True, return_counts=True)
        return np.asarray(of).ravel(), sizes


@dataclass(frozen=True)
class Run:
    """One sample: the truth, the estimates, and the verdicts."""

    scenario: str
    fraction: float
    covered: dict[str, bool]
    width: dict[str, float]
    smallest: int
    average: float
    ratios: dict[str, float]
    accepted: dict[tuple[str, int], bool]
    """By rule ("before", "after", "classes") and cell size."""
    average_accepted: dict[str, bool]


def numbered(columns: Sequence[Any]) -> Ints:
    """Values as codes in their natural order."""
    return np.stack([np.unique(np.asarray(column), return_inverse=True)[1] for column in columns], axis=1)


def adult() -> Iterator[People]:
    """Adult: 30,162 people."""
    import pyarrow.csv as reader

    path = SHARED / "adult" / "adult.csv"
    table = reader.read_csv(path, parse_options=reader.ParseOptions(delimiter=";"))

    def key(name: str, columns: str, **coarse: int) -> People:
        names = columns.split()
        values = [np.asarray(table[one]) for one in names]
        values = [
            one // coarse[own] if own in coarse else one for own, one in zip(names, values, strict=True)
        ]
        return People(f"Adult, {name}", numbered(values), tuple(own == "age" for own in names))

    yield key("sex age country", "sex age native-country")
    yield key("sex age race", "sex age race")
    yield key("5 columns", "sex age race marital-status education")
    yield key("8 columns", "sex age race marital-status education native-country workclass occupation")
    yield key("sex age10", "sex age", age=10)
    yield key("sex age20 race", "sex age race", age=20)
    yield key("sex marital salary", "sex marital-status salary-class")


def counties() -> Iterator[People]:
    """One state of the US in 2000: county, race, sex, age."""
    import pyarrow.compute as pc
    import pyarrow.parquet as reader

    table = reader.read_table(SHARED / "census" / "us2000_county_race_sex_age.parquet")
    state = table.filter(pc.equal(table["state"], _middle_state(table)))
    names = ("county", "race", "sex", "age_lo")
    number = np.round(np.asarray(state["n"])).astype(np.int64)
    codes = np.repeat(numbered([np.asarray(state[name]) for name in names]), number, axis=0)
    whole = People("county race sex age", codes, (False, False, False, True), (0.005, 0.03))
    yield whole
    coarse = np.stack([codes[:, 0], codes[:, 2], codes[:, 3] // 20], axis=1)
    yield People("county sex age20", coarse, (False, False, False), (0.005, 0.03))
    yield People("county race", codes[:, :2], (False, False), (0.005, 0.03))


def _middle_state(table: object) -> object:
    """The state with the number of people nearest to 600,000."""
    import pyarrow as pa

    assert isinstance(table, pa.Table)
    totals = table.group_by("state").aggregate([("n", "sum")])
    away = np.abs(np.asarray(totals["n_sum"]) - 600_000)
    return totals["state"][int(np.argmin(away))].as_py()


def simulated() -> Iterator[People]:
    """Simulated people: normal dependence, none, latent classes, one column that follows from another."""
    rng = np.random.default_rng(17)
    latent = rng.normal(size=(40_000, 4))
    latent[:, 1:] = 0.55 * latent[:, :1] + 0.835 * latent[:, 1:]
    ends = ([0.2], [-1, 0.3, 1.2, 2.0, 2.6], [-0.5, 0.5, 1.6, 2.4, 2.9, 3.3])
    edges = [np.linspace(-2.5, 2.5, 50), *(np.array(one) for one in ends)]
    normal = np.stack([np.searchsorted(edge, one) for edge, one in zip(edges, latent.T, strict=True)], axis=1)
    yield People("simulated, normal", normal, (True, False, False, False))
    yield People("simulated, normal, coarse", normal[:, 1:3], (False, False))
    shape = (30, 2, 16, 8)
    apart = np.stack(
        [rng.choice(size, 40_000, p=rng.dirichlet(np.full(size, 0.7))) for size in shape], axis=1
    )
    yield People("simulated, independent", apart, (True, False, False, False))
    kind = rng.choice(6, 40_000, p=[0.3, 0.25, 0.2, 0.15, 0.07, 0.03])
    mixed = np.stack([_by_kind(kind, size, rng) for size in (40, 12, 9, 5)], axis=1)
    yield People("simulated, latent classes", mixed, (True, False, False, False))
    follows = apart.copy()
    follows[:, 2] = np.where(rng.random(40_000) < 0.7, apart[:, 0] * 7 % 16, apart[:, 2])
    yield People("simulated, dependent", follows, (True, False, False, False))
    yield People("simulated, dependent, coarse", follows[:, 1:3], (False, False))


def rare_values() -> Iterator[People]:
    """Outside the model: most values of a column are rare, so that its counts say little about them."""
    rng = np.random.default_rng(23)
    share = 1 / np.arange(1, 4001) ** 1.1
    codes = rng.choice(4000, 60_000, p=share / share.sum())
    sex = rng.integers(0, 2, 60_000)
    few = np.where(rng.random(60_000) < 0.02, 10 + rng.integers(0, 600, 60_000), codes % 10)
    yield People("one column of 4,000 values", codes[:, None], (False,))
    yield People("4,000 values, and sex", np.stack([codes, sex], axis=1), (False, False))
    yield People("600 rare values, and sex", np.stack([few, sex], axis=1), (False, False))


def _by_kind(kind: Ints, size: int, rng: Rng) -> Ints:
    found = np.empty(len(kind), dtype=np.int64)
    for own in np.unique(kind):
        held = kind == own
        found[held] = rng.choice(size, int(held.sum()), p=rng.dirichlet(np.full(size, 0.4)))
    return found


def before(sample: SampledClasses) -> Floats:
    """The mean risk of each class by the model that decided before."""
    found = estimate_uniques(sample)
    models = class_models(sample, found)
    sparse = round(sample.fraction, 3) <= 0.1
    if sparse and found.model is not None:
        name = "pitman"
    elif sparse and sample.uniques == sample.records:
        return class_risks(WholeClasses(), sample.sizes, cell_size=2)[0]
    elif sample.uniques == 0 or isnan(found.snb) or found.zayatz <= found.snb or "snb" not in models:
        name = "zayatz"
    else:
        name = "snb"
    return class_risks(models[name], sample.sizes, cell_size=2)[0]


def run(people: People, of: Ints, whole: Ints, fraction: float, rng: Rng, *, most: int | None = None) -> Run:
    """Draw a sample, estimate, and compare; with `most`, from a sample of so many classes."""
    chosen = rng.choice(len(of), round(fraction * len(of)), replace=False)
    part = np.bincount(of[chosen], minlength=len(whole))
    seen = part > 0
    sizes, number = np.unique(part[seen], return_counts=True)
    sample = SampledClasses(sizes, number, len(of))
    codes = numbered(list(people.codes[chosen].T))
    tuples, counts = np.unique(codes, axis=0, return_counts=True)
    fit = fit_copula(tuples, counts, len(of), ordinal=people.ordinal, most=most)
    measure = SampledMeasure(Sampling(population_size=len(of)), len(of), copula=fit)
    pairs = ClassSizes(tuple(zip(sizes.tolist(), number.tolist(), strict=True)))
    found = {size: estimate_population(measure, pairs, cell_size=size) for size in CELL_SIZES}
    truth = {
        "unique in both": float((part[seen][whole[seen] == 1]).sum()),
        "unique people": float((whole == 1).sum()),
        "average risk": float((part[seen] / whole[seen]).sum() / sample.records),
        "records in classes < 5": float(part[seen][whole[seen] < 5].sum()),
    }
    means = before(sample)
    old_average = float((sizes * number) @ means / sample.records)
    smallest = int(whole[seen].min())
    rules = {
        **{("before", size): bool(means.max() <= 1 / size + 1e-12) for size in CELL_SIZES},
        **{("after", size): _accepts(found[size], size) for size in CELL_SIZES},
        **{("classes", size): bool(sizes.min() >= size) for size in CELL_SIZES},
    }
    five = found[5]
    average = {"before": old_average <= 0.1, "after": five.average_limit <= 0.1}
    return Run(
        people.name,
        fraction,
        *_limits(five, truth),
        smallest,
        truth["average risk"],
        _ratios(five, truth, sample, (tuples, counts)),
        rules,
        average,
    )


def _accepts(found: PopulationEstimate, cell_size: int) -> bool:
    return found.acceptable(Threshold.from_cell_size(cell_size, "bench"), "maximum")


def _limits(found: PopulationEstimate, truth: dict[str, float]) -> tuple[dict[str, bool], dict[str, float]]:
    risk = found.risk
    assert risk is not None
    assert risk.people is not None
    figures = dict(zip(truth, (risk.unique, risk.people, risk.average, risk.small_records), strict=True))
    covered = {name: one.low - 1e-9 <= truth[name] <= one.high + 1e-9 for name, one in figures.items()}
    return covered, {name: one.high / one.low if one.low > 0 else np.inf for name, one in figures.items()}


def _ratios(
    found: PopulationEstimate, truth: dict[str, float], sample: SampledClasses, tuples: tuple[Ints, Ints]
) -> dict[str, float]:
    """Estimated unique people over the truth, where enough of them are expected in the sample."""
    if truth["unique people"] * sample.fraction < FEWEST:
        return {}
    people = {one.model: one.population_uniques for one in found.models}
    people["loglinear"] = _loglinear(*tuples, sample.fraction) / sample.fraction
    return {name: number / truth["unique people"] for name, number in people.items() if number is not None}


def _loglinear(codes: Ints, number: Ints, fraction: float) -> float:
    try:
        cells = SampleCells.of(codes, number, fraction, most=MOST_CELLS)
    except BadData:
        return independent_matches(codes, number, fraction).population_uniques
    return select_loglinear(cells)[-1].matches.population_uniques


def runs(
    sources: Sequence[Callable[[], Iterator[People]]], repeats: int, most: int | None = None
) -> Iterator[Run]:
    for source in sources:
        for people in source():
            of, whole = people.classes
            for fraction in people.fractions:
                rng = np.random.default_rng([11, len(of), round(1000 * fraction)])
                for _ in range(repeats):
                    yield run(people, of, whole, fraction, rng, most=most)


def _decided(found: Sequence[Run], size: int) -> str:
    """Unsafe samples accepted and safe samples refused, by each rule."""
    unsafe = [one for one in found if one.smallest < size]
    safe = [one for one in found if one.smallest >= size]
    cells = []
    for rule in ("before", "after", "classes"):
        wrong = sum(one.accepted[rule, size] for one in unsafe)
        refused = sum(not one.accepted[rule, size] for one in safe)
        cells.append(f"{wrong} of {len(unsafe)}, {refused} of {len(safe)}")
    return " | ".join(cells)


def show_decisions(found: Sequence[Run]) -> None:
    rules = "before | after | only if all classes reach the cell size"
    print(f"\nUnsafe samples accepted, safe samples refused\n\n| cell size | {rules} |\n|{' --- |' * 4}")
    for size in CELL_SIZES:
        print(f"| {size} | {_decided(found, size)} |")
    print(f"\nThe same for a cell size of 5\n\n| scenario | sampled | {rules} |\n|{' --- |' * 5}")
    for scenario, fraction in dict.fromkeys((one.scenario, one.fraction) for one in found):
        own = [one for one in found if (one.scenario, one.fraction) == (scenario, fraction)]
        print(f"| {scenario} | {100 * fraction:g} % | {_decided(own, 5)} |")
    high = [one for one in found if one.average > 0.1]
    low = [one for one in found if one.average <= 0.1]
    print("\nAverage rule at 0.1: samples with a higher average accepted, with a lower one refused")
    for rule in ("before", "after"):
        wrong = sum(one.average_accepted[rule] for one in high)
        refused = sum(not one.average_accepted[rule] for one in low)
        print(f"  {rule}: {wrong} of {len(high)}, {refused} of {len(low)}")


def _median(widths: Sequence[float]) -> str:
    """Of the samples whose lower limit is above 0."""
    finite = [width for width in widths if np.isfinite(width)]
    return f"{np.median(finite):.1f} ({len(finite)} samples)"


def pooled_coverage(found: Sequence[Run]) -> list[float]:
    """Of each figure, over all samples."""
    return [float(np.mean([one.covered[name] for one in found])) for name in found[0].covered]


def show_coverage(found: Sequence[Run]) -> None:
    names = list(found[0].covered)
    print(f"\nShare of samples whose 95 % interval contains the truth ({len(found)} samples)\n")
    print(f"| scenario | sampled | {' | '.join(names)} |")
    print(f"| --- | --- |{' --- |' * len(names)}")
    keys = dict.fromkeys((one.scenario, one.fraction) for one in found)
    below = []
    for scenario, fraction in keys:
        own = [one for one in found if (one.scenario, one.fraction) == (scenario, fraction)]
        shares = {name: float(np.mean([one.covered[name] for one in own])) for name in names}
        below += [(scenario, fraction, name, share) for name, share in shares.items() if share < NOMINAL]
        print(
            f"| {scenario} | {100 * fraction:g} % | {' | '.join(f'{one:.2f}' for one in shares.values())} |"
        )
    pooled = pooled_coverage(found)
    errors = [(share * (1 - share) / len(found)) ** 0.5 for share in pooled]
    widths = [_median([one.width[name] for one in found]) for name in names]
    cells = (f"{share:.3f} ± {error:.3f}" for share, error in zip(pooled, errors, strict=True))
    print(f"| **all**, with standard errors | | {' | '.join(cells)} |")
    print(f"| median upper over lower limit | | {' | '.join(widths)} |")
    print("\nBelow nominal:" if below else "\nNo scenario is below nominal.")
    for scenario, fraction, name, share in below:
        print(f"- {scenario}, {100 * fraction:g} %: {name} {share:.2f}")


def show_errors(found: Sequence[Run]) -> None:
    print("\nUnique people, estimate over truth: mean by scenario, and root mean square of the log ratio\n")
    names = ("copula", "plug_in", "loglinear", "pitman", "snb", "zayatz")
    print(f"| scenario | sampled | {' | '.join(names)} |")
    print(f"| --- | --- |{' --- |' * len(names)}")
    logs: dict[str, list[float]] = {name: [] for name in names}
    for scenario, fraction in dict.fromkeys((one.scenario, one.fraction) for one in found if one.ratios):
        own = [one.ratios for one in found if (one.scenario, one.fraction) == (scenario, fraction)]
        cells = []
        for name in names:
            ratios = [one[name] for one in own if one.get(name, 0) > 0]
            cells.append(f"{np.mean(ratios):.2f}" if ratios else "–")
            if ratios:
                logs[name].append(float(np.log(np.mean(ratios))))
        print(f"| {scenario} | {100 * fraction:g} % | {' | '.join(cells)} |")
    errors = [float(np.sqrt(np.mean(np.square(logs[name])))) for name in names]
    print(f"| **rms log error** | | {' | '.join(f'{one:.2f}' for one in errors)} |")


def main(repeats: int = REPEATS, most: int | None = None) -> bool:
    """Print everything; whether the intervals hold over all samples and few unsafe samples are accepted."""
    start = perf_counter()
    sources: list[Callable[[], Iterator[People]]] = [simulated]
    if (SHARED / "adult").is_dir():
        sources += [adult, counties]
    else:
        print("Adult and US counties are left out: ../shared is missing.")
    found = list(runs(sources, repeats, most))
    show(found)
    hard = list(runs([rare_values], repeats, most))
    print("\nOUTSIDE THE MODEL: columns in which most values are rare; not included above")
    show(hard)
    unsafe = [one for one in (*found, *hard) if one.smallest < 5]
    share = sum(one.accepted["after", 5] for one in unsafe) / len(unsafe)
    print(
        f"\nUnsafe samples accepted at cell size 5: {100 * share:.1f} % (at most {100 * MOST_UNSAFE:.0f} %)"
    )
    print(f"{perf_counter() - start:.0f} s")
    return min(pooled_coverage(found)) >= NOMINAL and share <= MOST_UNSAFE


def show(found: Sequence[Run]) -> None:
    show_decisions(found)
    show_coverage(found)
    show_errors(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--most-classes", type=int, help="Examine a sample of so many classes, not all.")
    given = parser.parse_args()
    raise SystemExit(0 if main(given.repeats, given.most_classes) else 1)
