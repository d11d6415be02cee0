"""Does the 97.5 % limit hold? Share of corpora whose upper limit covers the true risk, by profile and model.

First exactly, for one identifier that every document holds: all possible numbers of leaking
documents with their probabilities. Then by simulation, for three types of different frequency.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import binom

from reidrisk.context.release import Release
from reidrisk.stats.exact import exact_direct
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.settings import TextSettings, settings

SIZES = (20, 25, 30, 40, 50, 80, 100, 120, 150, 220, 300, 500)
SHARES = (0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1)
SURE = Triangular.constant(1.0)
CHOICES = {
    "paper": settings("paper"),
    "recommended": settings(),
    "jeffreys, unmodified": settings(options={"uncertainty": "jeffreys"}),
    "wilson": settings(options={"uncertainty": "wilson"}),
    "clopper_pearson": settings(options={"uncertainty": "clopper_pearson"}),
}


def upper_limit(counts: tuple[tuple[int, int], ...], documents: int, chosen: TextSettings) -> float:
    """The limit of equation 20 for types held by `s` documents of which `l` leak, all recognised."""
    model = chosen.uncertainty
    types = tuple(
        DirectType(
            ObservedProportion(s, documents, model), ObservedProportion(s - leaking, s, model), gate=False
        )
        for s, leaking in counts
        if s
    )
    if not types:
        return 0.0
    return exact_direct(DirectModel(types, SURE, Release.public().attempt), (0.975,)).quantiles[0]


def exact_coverage(chosen: TextSettings) -> dict[tuple[int, float], float]:
    found = {}
    for size in SIZES:
        most = int(binom.isf(1e-9, size, max(SHARES))) + 1
        limits = np.array(
            [upper_limit(((size, leaking),), size, chosen) for leaking in range(min(size, most) + 1)]
        )
        for share in SHARES:
            covered = limits >= share - 1e-12
            found[size, share] = float(binom.pmf(np.arange(limits.size), size, share)[covered].sum())
    return found


def simulated_coverage(chosen: TextSettings, *, size: int, share: float, rng: np.random.Generator) -> float:
    """Three types in all, half and a tenth of the documents; the true risk is split between them."""
    weights = np.array([1.0, 0.5, 0.1])
    each = 1 - (1 - share) ** (1 / 3)
    leak = np.minimum(each / weights, 1.0)
    truth = 1 - float(np.prod(1 - weights * leak))
    corpora: dict[tuple[tuple[int, int], ...], int] = {}
    for _ in range(400):
        present = rng.binomial(size, weights)
        leaking = rng.binomial(present, leak)
        key = tuple((int(s), int(number)) for s, number in zip(present, leaking, strict=True))
        corpora[key] = corpora.get(key, 0) + 1
    covered = sum(times for key, times in corpora.items() if upper_limit(key, size, chosen) >= truth)
    return covered / 400


def main() -> None:
    print("One type in every document, exact")
    for name, chosen in CHOICES.items():
        found = exact_coverage(replace(chosen, crosscheck=False))
        worst = min(found, key=lambda place: found[place])
        below = sum(value < 0.975 for value in found.values())
        print(
            f"  {name:<22} mean {np.mean(list(found.values())):.4f}  least {found[worst]:.4f} "
            f"at {worst[0]} documents, {100 * worst[1]:.1f} %  below nominal in {below} of {len(found)}"
        )
    print("Three types, 400 corpora each")
    rng = np.random.default_rng(7)
    for name in ("paper", "recommended", "clopper_pearson"):
        cells = {
            (size, share): simulated_coverage(CHOICES[name], size=size, share=share, rng=rng)
            for size in (20, 50, 120, 500)
            for share in (0.01, 0.05, 0.1)
        }
        worst = min(cells, key=lambda place: cells[place])
        print(
            f"  {name:<22} mean {np.mean(list(cells.values())):.4f}  least {cells[worst]:.4f} "
            f"at {worst[0]} documents, {100 * worst[1]:.0f} %"
        )


if __name__ == "__main__":
    main()
