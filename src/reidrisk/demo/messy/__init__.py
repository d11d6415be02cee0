"""Twelve messy tables, as hospitals, insurers and researchers export them, with answer keys.

An answer key says which columns hold direct identifiers and which must not leave at full detail;
`leaks` checks a released file against it. The generator knows nothing about how reidrisk reads tables.
"""

from __future__ import annotations

import numpy as np

from reidrisk.demo.messy import tables
from reidrisk.demo.messy.key import AnswerKey, FullDetail, KeyedIdentifier, MessyTable
from reidrisk.demo.messy.leaks import KeyLeak, leaks

__all__ = ["AnswerKey", "FullDetail", "KeyLeak", "KeyedIdentifier", "MessyTable", "leaks", "messy_tables"]

_MAKERS = (
    *(tables.admissions, tables.claims, tables.lab_results, tables.survey, tables.registry, tables.pharmacy),
    *(tables.sas_export, tables.german, tables.french, tables.spanish, tables.medicaid, tables.appointments),
)


def messy_tables(seed: int) -> tuple[MessyTable, ...]:
    """Twelve tables; names of columns, layouts and people depend on the seed, and on nothing else."""
    several = np.random.default_rng(seed).spawn(len(_MAKERS))
    return tuple(make(rng) for make, rng in zip(_MAKERS, several, strict=True))
