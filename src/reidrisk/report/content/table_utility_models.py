"""Models of users before and after: their scores, and the conclusions of their coefficients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reidrisk.report.numbers import MISSING, count, percent, three_digits, three_places
from reidrisk.report.parts import Column, Table

MOST_TERMS = 40
TWO = 2
SAYS = {True: "changes", False: "same"}


def models(result: dict[str, Any]) -> Table | None:
    """How well each model foretells; None without any."""
    if not result["models"]:
        return None
    rows = tuple(
        (
            numbered(result, one["model"]),
            one["score"] or MISSING,
            *(three_places(one[name]) for name in ("before", "after", "transfer", "loss")),
            percent(one["overlap"]),
            _changed(one),
        )
        for one in result["models"]
    )
    return Table(
        "Your models, before and after",
        (
            "R squared of models of a number, AUC (chance is 0.5) of models of a category, "
            "cross-validated on each table; learned on the release and tested on the original; "
            "and the loss against the lower of them."
        ),
        (
            Column("model"),
            Column("score"),
            Column("before", is_number=True),
            Column("after", is_number=True),
            Column(
                "learned on release, tested on original",
                is_number=True,
                short="transfer",
            ),
            Column("loss", is_number=True),
            Column(
                "overlap of intervals",
                is_number=True,
                short="overlap",
            ),
            Column(
                "conclusions that change",
                is_number=True,
                short="changed",
            ),
        ),
        rows,
        " ".join(f"{one['model']}: {one['reason']}" for one in result["models"] if one["reason"]),
    )


def numbered(result: dict[str, Any], model: str) -> str:
    """A model with its number, by which its coefficients name it."""
    return f"{[one['model'] for one in result['models']].index(model) + 1}: {model}"


def _outcomes(model: dict[str, Any]) -> list[str]:
    """The categories that a model foretells; none if it foretells a number."""
    return list(dict.fromkeys(term["outcome"] for term in model["terms"] if term["outcome"] is not None))


def terms(result: dict[str, Any]) -> Table | None:
    """Coefficients, those whose conclusion changes first; None without any."""
    found = [(one["model"], term) for one in result["models"] for term in one["terms"]]
    if not found:
        return None
    found.sort(key=lambda row: (not row[1]["changes"], row[1]["overlap"] is None, row[1]["overlap"] or 0.0))
    shown = found[:MOST_TERMS]
    several = len(result["models"]) > 1
    rows = tuple(
        (_term(result, *row), *([_number(result, row[0])] * several), *_sides(row[1])) for row in shown
    )
    return Table(
        "Conclusions, before and after",
        (
            "Of one unit, or against the most frequent category, with intervals. A conclusion "
            "changes if the sign does, or whether the interval leaves out 0."
        ),
        (
            Column("coefficient"),
            *([Column("model")] * several),
            Column("before", is_number=True),
            Column("after", is_number=True),
            Column(
                "overlap of intervals",
                is_number=True,
                short="overlap",
            ),
            Column("conclusion"),
        ),
        rows,
        " ".join(_of_terms(result, [term for _, term in found])),
        tuple(at for at, (_, term) in enumerate(shown) if term["changes"]),
    )


def _term(result: dict[str, Any], model: str, term: dict[str, Any]) -> str:
    """With what is foretold, if that is not the same for all coefficients of the model."""
    outcomes = next(_outcomes(one) for one in result["models"] if one["model"] == model)
    return term["term"] if len(outcomes) < TWO else f"{term['term']} ({term['outcome']})"


def _sides(term: dict[str, Any]) -> tuple[str, ...]:
    says = SAYS.get(term["changes"], MISSING)
    return _estimate(term, "before"), _estimate(term, "after"), percent(term["overlap"]), says


def _of_terms(result: dict[str, Any], found: list[dict[str, Any]]) -> Iterator[str]:
    """What a model foretells, how many coefficients are left, and why some have no interval."""
    for one in result["models"]:
        if len(outcomes := _outcomes(one)) == 1:
            number = _number(result, one["model"])
            yield f"Model {number} foretells {outcomes[0]}."
    if (left := len(found) - MOST_TERMS) > 0:
        yield f"{count(left)} more coefficients are in the JSON file."
    yield from dict.fromkeys(term["reason"] for term in found if term["reason"])


def _number(result: dict[str, Any], model: str) -> str:
    return numbered(result, model).partition(":")[0]


def _changed(one: dict[str, Any]) -> str:
    if not one["compared"]:
        return MISSING
    return f"{count(one['changed'])} of {count(one['compared'])}"


def _estimate(term: dict[str, Any], side: str) -> str:
    value, ends = term[side], term[f"{side}_ends"]
    if value is None or ends is None:
        return MISSING
    return f"{three_digits(value)} ({three_digits(ends[0])} to {three_digits(ends[1])})"
