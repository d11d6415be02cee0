"""What a transformation is worth, in a sentence made of its figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reidrisk.core.wording import plural, probability

Figures = Mapping[str, Any]


def worth(kind: str, figures: Figures) -> str:
    """For people; the figures themselves stand beside it."""
    return SENTENCES[kind](figures)


def together(linkage: Mapping[str, Any] | None) -> str | None:
    """What all of them are worth against somebody who has the originals; None if no value was changed."""
    if linkage is None:
        return None
    return (
        f"Of {plural(linkage['guesses'], 'changed record')}, {_percent(linkage['value'])} "
        f"({_percent(linkage['low'])} to {_percent(linkage['high'])}) are nearest to their own original in "
        f"{', '.join(linkage['columns'])}; guessing would be right in {probability(linkage['guessing'])}."
    )


def _sample(figures: Figures) -> str:
    share = figures["rows_after"] / max(1, figures["rows_before"])
    rows = " if every row is a person" if figures["person"] is None else ""
    return (
        f"{_percent(share)} of the rows go out: who does not know who was drawn faces the journalist risk, "
        f"with a sampling fraction of {figures['share']:g}{rows}."
    )


def _tails(figures: Figures) -> str:
    [row] = figures["by_column"]
    return (
        f"{_percent(row['share_top'])} of the values coded at the top, {_percent(row['share_bottom'])} "
        f"at the bottom; variance {_ratio(row['variance_ratio'])} of what it was."
    )


def _noise(figures: Figures) -> str:
    said = [
        f"{row['column']} keeps {_ratio(row['variance_ratio'])} of its variance and a correlation of "
        f"{_ratio(row['correlation'])} with itself"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(said)}{_correlations(figures)}."


def _swap(figures: Figures) -> str:
    said = [
        f"{row['column']} moved by {_percent(row['mean_rank_shift'])} of the ranks on average and keeps a "
        f"correlation of {_ratio(row['correlation'])} with itself"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(said)}{_correlations(figures)}."


def _pram(figures: Figures) -> str:
    [row] = figures["by_column"]
    corrects = (
        "the shares of the original values follow from the released ones and the matrix"
        if row["correctable"]
        else "the matrix has no inverse that is worth anything: nobody can correct for it"
    )
    return (
        f"{_percent(row['expected_changed'])} were to change, {_percent(row['share_changed'])} did; "
        f"{corrects}; a released value is the true one with a chance of "
        f"{probability(figures['least_certain'])} or more."
    )


def _dates(figures: Figures) -> str:
    kept = (
        "checked: what lies between two dates of a person is as it was"
        if figures["intervals_kept"]
        else "what lies between two dates of a person is NOT as it was"
    )
    size = (
        f"; moved by {figures['mean_shift']:.0f} days on average, at most {figures['largest_shift']:.0f}"
        if figures["mean_shift"] is not None
        else ""
    )
    lost = sum(row["dates_lost"] for row in figures["by_column"])
    gone = f"; {plural(lost, 'date')} of nobody left out" if lost else ""
    return f"{kept}{size}{gone}."


def _pseudonyms(figures: Figures) -> str:
    said = [
        f"{row['column']}: {plural(row['distinct_before'], 'value')}, {plural(row['distinct'], 'pseudonym')}"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(said)}."


def _correlations(figures: Figures) -> str:
    change = figures["largest_correlation_change"]
    return "" if change is None else f"; correlations between them changed by at most {change:.3f}"


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f} %"


def _ratio(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


SENTENCES: dict[str, Callable[[Figures], str]] = {
    "sample": _sample,
    "tails": _tails,
    "noise": _noise,
    "rank_swap": _swap,
    "pram": _pram,
    "shift_dates": _dates,
    "pseudonyms": _pseudonyms,
}
