"""Do the limits hold? Exact coverage where it can be computed, seeded simulation elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

import numpy as np
from scipy.stats import binom

from reidrisk.core.classes import ClassSizes
from reidrisk.core.threshold import Threshold
from reidrisk.stats.arrays import Ints
from reidrisk.stats.distinctness import distinct_people, occupied_bins
from reidrisk.stats.observed_limit import ObservedRisk, SampleDesign
from reidrisk.stats.uniqueness.copula_estimate import fit_copula
from reidrisk.tables.estimated import SampledMeasure
from reidrisk.tables.population_estimate import PopulationEstimate, estimate_population
from reidrisk.tables.sampling import Sampling
from reidrisk.validate.check import Bench, Observed

LEVEL = 0.975
SEED = 20_260
"""All simulations are seeded: the same version on the same machine draws the same numbers."""
ERRORS = 4
"""Standard errors by which a simulated share may miss what it must reach."""
COMPUTED = 5
"""Corpora of a scenario whose limits are computed, too."""
Rng = np.random.Generator


def share_coverage(bench: Bench) -> Observed:
    """Exact coverage of both limits of a share, by summing binomial probabilities."""
    sizes = (10, 41, 120, 220, 500) if bench.full else (10, 41, 120, 220)
    chances = np.concatenate([np.linspace(0.001, 0.2, 40), np.linspace(0.21, 0.99, 40)])
    least = 1.0
    for size in sizes:
        leaks = np.arange(size + 1)
        ends = np.array([ObservedRisk.of_share(int(k), size).limits(LEVEL) for k in leaks])
        weight = binom.pmf(leaks[:, None], size, chances)
        above = (weight * (ends[:, 1, None] >= chances - 1e-12)).sum(axis=0)
        below = (weight * (ends[:, 0, None] <= chances + 1e-12)).sum(axis=0)
        least = min(least, float(above.min()), float(below.min()))
    points = len(sizes) * chances.size
    text = f"The least coverage at {points} combinations of documents and true shares is {least:.4f}."
    return Observed(least >= LEVEL - 1e-9, text)


LAWS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "most documents at 0, some at 0.27": ((0.0, 0.27, 1.0), (0.95, 0.04, 0.01)),
    "values of recognized pairs": ((0.0, 0.0729, 0.18, 0.31, 1.0), (0.75, 0.15, 0.06, 0.03, 0.01)),
    "half at 0, half spread": ((0.0, 0.1, 0.5, 0.9), (0.5, 0.3, 0.15, 0.05)),
    "rare and complete": ((0.0, 1.0, 0.5), (0.97, 0.02, 0.01)),
}
"""Observed risks of a document and their probabilities, between 0 and 1."""


def mean_coverage(bench: Bench) -> Observed:
    """Draw corpora whose true risk is known, and count how often each limit is right."""
    draws = bench.draws(1000, full=8000)
    rows = []
    for name, (values, chances) in LAWS.items():
        truth = float(np.dot(values, chances))
        for documents in (30, 120):
            rng = np.random.default_rng([SEED, documents, len(values)])
            corpora = _corpora(values, rng.multinomial(documents, chances, size=draws))
            rows.append(_covered(f"{name}, {documents} documents", truth, draws, corpora))
    return _coverage(rows)


def _corpora(values: Sequence[float], counts: Ints) -> Iterator[tuple[ObservedRisk, int]]:
    """Each distinct corpus, and how often it was drawn."""
    for row, number in zip(*np.unique(counts, axis=0, return_counts=True), strict=True):
        yield ObservedRisk.of_values(np.array(values), row.astype(float)), int(number)


def cluster_coverage(bench: Bench) -> Observed:
    """The same for documents that come in clusters that leak alike."""
    draws = bench.draws(500, full=4000)
    rows = []
    for correlation in (0.3, 0.9):
        rng = np.random.default_rng([SEED, round(10 * correlation)])
        found = ((_clusters(0.05, correlation, rng), 1) for _ in range(draws))
        rows.append(_covered(f"clusters, correlation {correlation}", 0.05, draws, found))
    return _coverage(rows)


def _clusters(
    share: float, correlation: float, rng: Rng, *, number: int = 40, size: int = 10
) -> ObservedRisk:
    precision = 1 / correlation - 1
    rates = rng.beta(share * precision, (1 - share) * precision, number)
    cluster = np.repeat(np.arange(number), size)
    leaks = (rng.random(cluster.size) < rates[cluster]).astype(np.int64)
    return ObservedRisk(*SampleDesign(cluster).units(leaks, np.ones(2), np.array([[0.0, 1.0]])))


def _covered(
    name: str, truth: float, draws: int, corpora: Iterator[tuple[ObservedRisk, int]]
) -> dict[str, Any]:
    """The share of corpora whose limits are on the right side of the truth.

    An upper limit is above the truth if the distribution behind it gives the truth at most the level. This
    takes a tenth of the time that the limit takes. For some corpora the limits are computed, too: both ways
    must agree.
    """
    above = below = 0
    agree = True
    for place, (risk, number) in enumerate(corpora):
        high = risk.chance(truth, upper=True) <= LEVEL + 1e-9
        low = risk.chance(truth, upper=False) >= 1 - LEVEL - 1e-9
        above, below = above + number * high, below + number * low
        if place < COMPUTED:
            lower, upper = risk.limits(LEVEL)
            agree &= (upper >= truth - 1e-9) == high and (lower <= truth + 1e-9) == low
    least = LEVEL - ERRORS * sqrt(LEVEL * (1 - LEVEL) / draws)
    seen = min(above, below) / draws
    source = "Seeded simulation; the limits promise 0.975"
    expected = f"at least {LEVEL}, less {ERRORS} standard errors: {least:.4f}"
    return {
        "id": name,
        "source": source,
        "expected": expected,
        "seen": seen,
        "holds": agree and seen >= least,
    }


def _coverage(rows: Sequence[dict[str, Any]]) -> Observed:
    worst = min(rows, key=lambda row: row["seen"])
    text = f"The least share of right limits in {len(rows)} scenarios is {worst['seen']:.4f} ({worst['id']})."
    return Observed(all(row["holds"] for row in rows), text, tuple(rows))


def birthdays(bench: Bench) -> Observed:
    """Spread people over bins at random, and compare with the expected numbers of the formulas."""
    draws = 4000 if bench.full else 600
    rng = np.random.default_rng([SEED, 365])
    rows = []
    for people, bins in ((50, 365), (200, 365), (400, 365), (30, 12)):
        held = rng.multinomial(people, np.full(bins, 1 / bins), size=draws)
        alike = {g: (held * (held <= g)).sum(axis=1) for g in (1, 2, 5)}
        found = {f"{g}-distinct": (alike[g], float(distinct_people(g, people, bins))) for g in alike}
        found["nonempty bins"] = ((held > 0).sum(axis=1), float(occupied_bins(people, bins)))
        for name, (drawn, expected) in found.items():
            error = ERRORS * (float(drawn.std()) / sqrt(draws) + people / bins / draws)
            rows.append(_near(f"{name}, {people} people in {bins} bins", drawn.mean(), expected, error))
    wrong = [row["id"] for row in rows if not row["holds"]]
    text = f"{len(rows) - len(wrong)} of {len(rows)} expected numbers are those of the simulation."
    return Observed(not wrong, text, tuple(rows))


def _near(name: str, seen: float, expected: float, error: float) -> dict[str, Any]:
    return {
        "id": name,
        "source": "Seeded simulation",
        "expected": expected,
        "seen": float(seen),
        "difference": abs(float(seen) - expected),
        "holds": abs(float(seen) - expected) <= error,
    }


def unsafe_samples(bench: Bench) -> Observed:
    """Draw samples from known populations: is an unsafe one accepted, and do the intervals hold?"""
    repeats = max(1, bench.draws(2, full=10))
    unsafe = accepted = covered = total = 0
    for population in (_independent, _dependent):
        codes = population(np.random.default_rng([SEED, 17]))
        for fraction in (0.01, 0.1):
            rng = np.random.default_rng([SEED, round(1000 * fraction)])
            for _ in range(repeats):
                is_unsafe, was_accepted, inside = _sampled(codes, fraction, rng)
                unsafe, accepted = unsafe + is_unsafe, accepted + (is_unsafe and was_accepted)
                covered, total = covered + inside, total + 1
    least = int(np.floor(0.95 * total - ERRORS * sqrt(0.95 * 0.05 * total)))
    text = (
        f"{accepted} of {unsafe} unsafe samples were accepted; the interval of unique people contains the "
        f"truth in {covered} of {total} samples (at least {least})."
    )
    return Observed(unsafe > 0 and accepted == 0 and covered >= least, text)


def _independent(rng: Rng) -> Ints:
    shares = [rng.dirichlet(np.full(size, 0.7)) for size in (30, 2, 16, 8)]
    return np.stack([rng.choice(share.size, 20_000, p=share) for share in shares], axis=1)


def _dependent(rng: Rng) -> Ints:
    latent = rng.normal(size=(20_000, 3))
    latent[:, 1:] = 0.55 * latent[:, :1] + 0.835 * latent[:, 1:]
    edges = [
        np.linspace(-2.5, 2.5, 40),
        np.array([-1.0, 0.3, 1.2, 2.0, 2.6]),
        np.array([-0.5, 0.5, 1.6, 2.4]),
    ]
    return np.stack([np.searchsorted(edge, one) for edge, one in zip(edges, latent.T, strict=True)], axis=1)


def _sampled(codes: Ints, fraction: float, rng: Rng) -> tuple[bool, bool, bool]:
    """Whether a sample is unsafe at a cell size of 5, was accepted, and its interval is right."""
    _, of, whole = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    chosen = rng.choice(len(codes), round(fraction * len(codes)), replace=False)
    part = np.bincount(of[chosen], minlength=len(whole))
    sizes, number = np.unique(part[part > 0], return_counts=True)
    tuples, counts = np.unique(codes[chosen], axis=0, return_counts=True)
    ordinal = (True,) + (False,) * (codes.shape[1] - 1)
    fit = fit_copula(_renumbered(tuples), counts, len(codes), ordinal=ordinal)
    measure = SampledMeasure(Sampling(population_size=len(codes)), len(codes), copula=fit)
    pairs = ClassSizes(tuple(zip(sizes.tolist(), number.tolist(), strict=True)))
    found = estimate_population(measure, pairs, cell_size=5)
    five = Threshold.from_cell_size(5, "validation")
    return (
        bool(whole[part > 0].min() < 5),
        found.acceptable(five, "maximum"),
        _holds_people(found, int((whole == 1).sum())),
    )


def _renumbered(tuples: Ints) -> Ints:
    columns = [np.unique(column, return_inverse=True)[1] for column in tuples.T]
    return np.stack(columns, axis=1)


def _holds_people(found: PopulationEstimate, truth: int) -> bool:
    people = None if found.risk is None else found.risk.people
    return people is not None and people.low - 1e-9 <= truth <= people.high + 1e-9
