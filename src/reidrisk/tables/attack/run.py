"""Attack a release as an adversary would, and count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from reidrisk.tables.attack.data import read_tables
from reidrisk.tables.attack.inference import infer
from reidrisk.tables.attack.linkability import link_sources
from reidrisk.tables.attack.linkage import link
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.probabilistic import link_probably
from reidrisk.tables.attack.result import TableAttack
from reidrisk.tables.attack.singling import single_out
from reidrisk.tables.attack.truth import find_truth
from reidrisk.tables.hierarchy.hierarchy import Hierarchy


def attack_table(
    released: Any,
    against: Any,
    plan: AttackPlan,
    *,
    control: Any = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    seed: int = 7,
) -> TableAttack:
    """Link, single out and infer, and tell how often it succeeds beside the predicted risk.

    `against` is the original, or a table of identified people; `control` are people like them who are not
    in the release. Generalized values match what they stand for: by their hierarchy, if there is one, and
    otherwise by the way they are written (20-29, 531**, 2019-Q1, {a, b}, *). Tables are files, folders,
    database tables or data frames.
    """
    tables = read_tables(released, against, control, plan, hierarchies or {})
    truth = find_truth(tables, plan)
    # Each attack draws for itself, so that adding one does not change the others.
    draws = [np.random.default_rng([seed, at]) for at in range(3 + len(plan.secret))]
    linkage = link(tables, plan, truth, draws[0])
    names = ("released", "against", "control")
    return TableAttack(
        plan=plan,
        records=len(tables.released),
        people=tables.persons.number,
        control_records=None if tables.control_persons is None else tables.control_persons.number,
        truth=truth.by,
        is_known=truth.person is not None,
        sizes=linkage.sizes,
        expected=linkage.expected,
        unmatched=linkage.unmatched,
        exact=linkage.exact,
        nearest=linkage.nearest,
        probabilistic=link_probably(tables, plan, truth, np.random.default_rng([seed, 0, 1])),
        singling=single_out(tables, plan, truth, draws[1]),
        linkability=link_sources(tables, plan, truth, draws[2]),
        inference=tuple(
            infer(tables, plan, secret, truth, rng)
            for secret, rng in zip(plan.secret, draws[3:], strict=True)
        ),
        inputs=(
            *zip(names, tables.sources, strict=False),
            ("hierarchies", sorted(hierarchies) if hierarchies else None),
        ),
        seed=seed,
        doubts=tables.doubts,
        notes=tables.notes,
    )
