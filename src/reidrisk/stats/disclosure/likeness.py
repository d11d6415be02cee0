"""What a class tells about single values: beta-likeness (Cao and Karras 2012, doi:10.14778/2350229.2350255)
and delta-disclosure (Brickell and Shmatikov 2008, doi:10.1145/1401890.1401904). The smaller, the less."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.disclosure.classes import SensitiveClasses


def basic_beta(classes: SensitiveClasses) -> Floats:
    """By class: the largest relative gain of a value over its share in the whole table."""
    overall = classes.overall[classes.value]
    return np.maximum(classes.largest((classes.share - overall) / overall), 0.0)


def enhanced_beta(classes: SensitiveClasses) -> Floats:
    """The same; infinite where a frequent value gains more than minus the logarithm of its share.

    Frequent values are so kept from becoming nearly certain, which the basic form allows.
    """
    overall = classes.overall[classes.value]
    gain = (classes.share - overall) / overall
    too_sure = gain > -np.log(overall) * (1 + 1e-12) + 1e-12
    return np.maximum(classes.largest(np.where(too_sure, np.inf, gain)), 0.0)


def present_delta(classes: SensitiveClasses) -> Floats:
    """By class: the largest doubling or halving (logarithm to base 2) of a value that the class has.

    Strictly a value that a class lacks makes it infinite: `lacking` counts those.
    """
    return classes.largest(np.abs(np.log2(classes.share / classes.overall[classes.value])))


def lacking(classes: SensitiveClasses) -> Floats:
    """By class: how many values of the table it lacks."""
    there = float(np.count_nonzero(classes.overall))
    return there - classes.added(np.ones(classes.of.size))
