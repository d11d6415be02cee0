"""What is said about an estimated population: names and accuracy of models, figures, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reidrisk.stats.uniqueness.estimated_risk import EstimatedRisk
from reidrisk.stats.uniqueness.model_limits import LARGEST_CHANCE

NAMES = {
    "copula": "calibrated copula",
    "whole": "everybody is in the table",
    "weights": "survey weights",
    "plug_in": "copula, not calibrated",
    "loglinear": "log-linear model",
    "pitman": "Pitman",
    "pitman_asymptotic": "Pitman, asymptotic",
    "snb": "slide negative binomial",
    "zayatz": "Zayatz",
}
"""In the order of their accuracy."""
ACCURACY = {
    "copula": "Number of unique people: typical error a factor of 1.3, on other tables 1.4. Too low where "
    "columns depend on each other in an unusual way (0.6 to 0.7 of the truth for county and race), and where "
    "most values of a column are rare.",
    "whole": "Exact: nobody is outside the table.",
    "weights": "Not validated: the weights are taken as they are.",
    "plug_in": "Number of unique people: typical error a factor of 1.5.",
    "loglinear": "Number of unique people: typical error a factor of 1.7, on other tables 2.0.",
    "pitman": "Number of unique people: typical error a factor of 2.3; between 0.08 and 8.6 times the truth.",
    "pitman_asymptotic": "As in other programs: too high if alpha is near 0.",
    "snb": "Number of unique people: typical error a factor of 2.9, on other tables 4.4.",
    "zayatz": "Number of unique people: typical error a factor of 2.7, on other tables 3.3.",
}
"""SPEC 14.4, over 61 combinations of a table and a share sampled, and 44 of other tables."""
WHY = {
    "copula": "Of all models compared it has the smallest error. Its limits also cover its other fits and "
    "Pitman's model.",
    "whole": "Everybody is in the table, so its classes are those of the population.",
    "weights": "Survey weights are given. Their estimate was not validated: the table is acceptable only if "
    "every class in it reaches the cell size.",
    "none": "The model could not be fitted, so nothing was estimated: the table is acceptable only if every "
    "class in it reaches the cell size.",
}
REMEDIES = (
    "a table of the population (population), so that classes are counted and not estimated",
    "fewer quasi-identifiers",
    "larger classes by coarser values: if every class in the table reaches the cell size, it is acceptable",
)
REFUSALS = (
    "The rule is strict: of tables without such a record, about half were refused too, because a sample "
    "cannot show that there is none."
)


def chance_words(chance: float) -> str:
    """A chance as a percentage, without digits that an estimate does not have.

    >>> [chance_words(chance) for chance in (0.99999, 0.05, 0.1234, 0.0004, 0.0)]
    ['over 99 %', '5 %', '12 %', 'under 0.1 %', '0 %']
    """
    if chance > 0.99:
        return "over 99 %"
    if chance == 0:
        return "0 %"
    return "under 0.1 %" if chance < 0.001 else f"{100 * chance:.2g} %"


def people_words(value: float) -> str:
    """An expected number of people: whole, or less than one.

    >>> [people_words(value) for value in (36.4, 1234.5, 0.3, 0.0)]
    ['36', '1,234', 'fewer than 1', '0']
    """
    return "fewer than 1" if 0 < value < 0.5 else f"{value:,.0f}"


def small_class_text(chance: float, cell_size: int) -> str:
    """The chance that decides, with its limit."""
    what = f"Chance that some record is in a population class smaller than {cell_size}"
    return f"{what}: {chance_words(chance)} (limit {chance_words(LARGEST_CHANCE)})"


def figures_text(found: EstimatedRisk, records: int, where: str = "") -> str:
    """How many records are in small classes, and how many are unique."""
    unique = found.unique
    return (
        f"About {people_words(found.small_records.value)} of {records:,} records are{where}; "
        f"{people_words(unique.value)} ({unique.low:,.0f} to {unique.high:,.0f}) are unique in the "
        "population."
    )


def match_text(found: EstimatedRisk) -> str:
    """The average risk with its upper limit."""
    return (
        f"A match is right with a probability of {found.average.value:.2g} on average "
        f"(upper limit {found.average.high:.2g})."
    )


def unique_text(found: EstimatedRisk, *, is_accepted: bool) -> str:
    """How many people are unique, for a rule that does not look at them."""
    unique = f"About {people_words(found.unique.value)} people are unique"
    return f"{unique} nevertheless." if is_accepted else f"{unique} in the population."
