"""The context as charts: the three risks, the threshold among those in use, the practices."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts import cell_sizes, chances, practices
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import context_score as content

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SPREAD = "The line is the spread of an attempt, which is ours."


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The charts that this context has something to show on."""
    sheet = (_practices(result),) if result["controls"]["checklist"] else ()
    among = (_threshold(result),) if result["rule"] == "cell_size" else ()
    return (_risks(result), *among, *sheet)


def figure(result: dict[str, Any]) -> Figure:
    """All charts in one figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.name_of(result)}: {content.verdict(result).word.lower()}", charts(result))


def _risks(result: dict[str, Any]) -> Chart:
    spread = result["deliberate"]
    known = {name: risk for name, risk in result["risks"].items() if risk is not None}
    largest = max(known, key=lambda name: known[name])
    rows = [
        chances.Chance(
            content.RISKS[name][0],
            risk,
            spread["low"] if name == "deliberate" else risk or 0.0,
            spread["high"] if name == "deliberate" else risk or 0.0,
            name == largest,
        )
        for name, risk in result["risks"].items()
    ]
    said = "; ".join(f"{row.name} {row.label}" for row in rows)
    return Chart(
        "risks",
        "How somebody may come to be recognised",
        (f"The largest is the risk of the context.{' ' + SPREAD if spread['low'] < spread['high'] else ''}"),
        f"Probabilities: {said}.",
        chances.height(rows),
        partial(chances.draw_chances, rows=rows),
    )


def _threshold(result: dict[str, Any]) -> Chart:
    threshold, after = result["threshold"], result["next_threshold"]
    own = f"this context: {content.limit(result)}"
    marks = [cell_sizes.Mark(threshold["probability"], own, True)]  # noqa: FBT003
    if after is not None:
        state = "allowed" if after["allowed"] else "not yet"
        name = f"next: 1/{after['cell_size']}, {state}"
        marks.append(cell_sizes.Mark(after["probability"], name, is_chosen=False))
    known = [one["cell_size"] for one in result["precedents"]]
    return Chart(
        "threshold",
        "The threshold among those in use",
        ("Small dots are cell sizes with a precedent; filled is this context's, open the next higher."),
        (f"{'; '.join(mark.name for mark in marks)}; in use: {', '.join(f'1/{size}' for size in known)}."),
        cell_sizes.HEIGHT,
        partial(cell_sizes.draw_cell_sizes, known=known, marks=marks),
    )


def _practices(result: dict[str, Any]) -> Chart:
    listed = result["controls"]["checklist"]
    groups = [
        practices.Group(name, _counts([one for one in listed if one["group"] == name]))
        for name in dict.fromkeys(one["group"] for one in listed)
    ]
    total = _counts(listed)
    said = ", ".join(f"{number} {name}" for number, (name, *_) in zip(total, practices.PARTS, strict=True))
    return Chart(
        "practices",
        "Practices of the recipient",
        (f"Of {len(listed)} practices: {said}. They make controls of level {result['controls']['level']}."),
        f"Practices: {said}.",
        practices.height(groups),
        partial(practices.draw_practices, groups=groups),
    )


def _counts(listed: list[dict[str, Any]]) -> tuple[int, int, int, int]:
    return (
        sum(one["answer"] == "yes" and bool(one["evidence"]) for one in listed),
        sum(one["answer"] == "yes" and not one["evidence"] for one in listed),
        sum(one["answer"] == "not_applicable" for one in listed),
        sum(one["answer"] in ("no", None) for one in listed),
    )
