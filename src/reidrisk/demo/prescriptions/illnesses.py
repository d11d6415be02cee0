"""Reasons for admission by age and season, with length of stay and service."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from reidrisk.stats.arrays import Floats


@dataclass(frozen=True, slots=True)
class PediatricIllness:
    """One reason for admission."""

    code: str
    """ICD-10."""
    service: str
    by_age: tuple[float, ...]
    """Relative frequency among visits of each age band; see `BANDS` in `visits`."""
    peak: float
    """Month of the peak; 0.5 is the middle of January."""
    swing: float
    """Amplitude of the seasonal change relative to the mean; 0 for none."""
    stay: float
    """Median stay in days."""
    spread: float
    """Standard deviation of the logarithm of the stay."""
    chronic: bool
    """Whether it leads to further admissions of the same child."""
    drugs: tuple[str, ...]
    """Drug groups in addition to the general ones."""


_TABLE = """
P07.3 neonatal         22  1  0  0  0  0   -    18.0 0.8 -  neonatal,antibiotic
P22.0 neonatal         14  0  0  0  0  0   -     7.0 0.8 -  neonatal,antibiotic
P36.9 neonatal         12  0  0  0  0  0   -     6.0 0.6 -  neonatal,antibiotic
P59.9 medicine         16  0  0  0  0  0   -     1.8 0.5 -  neonatal
P92.9 medicine          8  2  0  0  0  0   -     3.0 0.7 -  neonatal,gut
Q21.0 cardiology        5  5  2  1  1  1   -     5.0 0.8 c  heart
Q40.0 surgery           6  6  0  0  0  0   -     2.5 0.5 -  operation
J21.9 medicine         10 30  8  0  0  0  1:0.8  2.8 0.7 -  breathing
J45.9 medicine          0  2 14 14  6  4  8:0.4  2.0 0.6 c  breathing
J18.9 medicine          1  6 12  9  4  3  1:0.5  2.8 0.7 -  breathing,antibiotic
J05.0 medicine          0  4  6  1  0  0 10:0.5  1.2 0.5 -  breathing
A08.4 medicine          1  8  9  3  1  1  2:0.5  1.7 0.6 -  fluid,gut
N39.0 medicine          3  6  2  2  1  2   -     2.5 0.6 -  antibiotic
R56.0 medicine          0  2  5  1  0  0  1:0.3  1.2 0.5 -  nerves
L03.1 medicine          1  2  3  3  3  3  7:0.2  2.5 0.6 -  antibiotic,skin
R50.9 medicine          6  6  3  1  1  1  1:0.3  2.0 0.5 -  antibiotic
K59.0 medicine          0  1  2  2  1  0   -     1.2 0.6 -  gut
R10.4 medicine          0  0  1  4  4  4   -     1.2 0.6 -  gut
T50.9 medicine          0  0  1  0  3  7   -     1.6 0.6 -  poison
E10.1 medicine          0  0  1  3  6  6   -     2.5 0.5 c  sugar,fluid
D57.0 oncology          0  0  2  3  3  3   -     3.0 0.6 c  blood,antibiotic
C91.0 oncology          0  1  8  6  4  3   -     2.5 1.0 c  cancer
C71.9 oncology          0  1  2  2  2  2   -     3.0 1.0 c  cancer,nerves
D70   oncology          0  1  4  4  3  2   -     4.0 0.7 c  cancer,antibiotic
Z51.1 oncology          0  1  8  6  5  4   -     1.5 0.9 c  cancer
G40.9 neurology         1  4  5  5  4  4   -     2.0 0.8 c  nerves
G80.9 neurology         0  0  2  3  3  2  1:0.3  3.0 0.9 c  nerves,gut
E84.0 respirology       0  1  1  2  3  5   -     9.0 0.6 c  lungs
K50.9 gastroenterology  0  0  0  2  6  7   -     3.5 0.8 c  immune,gut
K21.9 gastroenterology  2  5  1  0  0  0   -     2.0 0.6 -  gut
N04.9 nephrology        0  0  3  3  2  1   -     3.5 0.7 c  immune
M08.9 rheumatology      0  0  1  2  3  3   -     0.6 0.3 c  immune
K35.9 surgery           0  0  2 10 14 11   -     2.5 0.7 -  operation,antibiotic
K40.9 surgery           1  4  3  1  0  0   -     0.9 0.5 -  operation
Q35.9 surgery           0  3  2  1  1  1   -     1.6 0.5 -  operation
T30.0 surgery           0  1  3  1  1  1   -     3.0 0.8 -  operation,skin
S42.4 orthopedics       0  0  5 10  5  1  6:0.4  1.1 0.6 -  operation
S72.3 orthopedics       0  1  3  3  3  3  6:0.2  4.0 0.7 -  operation
M41.1 orthopedics       0  0  0  1  7  8   -     5.0 0.4 -  operation
S06.0 neurosurgery      0  2  2  2  3  4  6:0.3  1.1 0.6 -  nerves
G91.9 neurosurgery      2  3  2  1  1  1   -     4.0 0.8 c  operation,nerves
J35.3 otolaryngology    0  0 10  7  3  2   -     0.9 0.5 -  operation
K02.9 dentistry         0  0  4  3  1  0   -     0.6 0.4 -  operation
F32.9 psychiatry        0  0  0  1  8 22   -     6.0 0.9 -  mind
F43.2 psychiatry        0  0  0  1  5  9   -     4.0 0.8 -  mind
F50.0 psychiatry        0  0  0  0  5  8   -    21.0 0.7 c  mind
A41.9 critical          2  2  2  1  1  1   -     7.0 0.7 -  antibiotic,heart
J96.0 critical          2  4  2  1  1  1  1:0.4  6.0 0.8 -  breathing,heart
"""
"""Code, service, frequency in six age bands, month:amplitude, median stay, spread, chronic, drugs.

Which illnesses lead at which age follows HCUP Statistical Briefs 118 and 299: disorders of newborns,
then bronchiolitis, pneumonia, asthma and seizures, then appendicitis and fractures, then depression.
Bronchiolitis peaks in late winter, asthma in September, croup in autumn, gastroenteritis in spring:
textbook knowledge. Stays are short except for newborns and mental illness: at least half of children who
are readmitted stay one or two days (CIHI, Your Health System, 2018); the overall mean is about four
(HCUP 118). The numbers themselves are our own.
"""


@cache
def illnesses() -> tuple[PediatricIllness, ...]:
    """All reasons for admission."""
    return tuple(_illness(line.split()) for line in _TABLE.strip().splitlines())


def _illness(words: list[str]) -> PediatricIllness:
    code, service, *by_age, season, stay, spread, chronic, drugs = words
    month, swing = (0.0, 0.0) if season == "-" else map(float, season.split(":"))
    return PediatricIllness(
        code,
        service,
        tuple(map(float, by_age)),
        month + 0.5,
        swing,
        float(stay),
        float(spread),
        chronic == "c",
        tuple(drugs.split(",")),
    )


def frequencies() -> Floats:
    """Share of each illness (row) in each age band (column)."""
    table = np.array([illness.by_age for illness in illnesses()])
    return np.asarray(table / table.sum(axis=0), dtype=np.float64)


def seasons(months: Floats) -> Floats:
    """Frequency of each illness (column) at a time of the year (row), relative to its mean."""
    peaks = np.array([illness.peak for illness in illnesses()])
    swings = np.array([illness.swing for illness in illnesses()])
    angle = (months[:, None] - peaks) * (2 * np.pi / 12)
    return np.asarray(1 + swings * np.cos(angle), dtype=np.float64)
