"""The anonymisation report for EMA Policy 0070 and for Health Canada's public release (PRCI)."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Document, Prose, Signature
from reidrisk.report.documents import closing, course, opening, practices, robustness, setting
from reidrisk.report.documents.figures import judged_word
from reidrisk.report.documents.outline import Outline, made
from reidrisk.report.numbers import MISSING, one_in, probability
from reidrisk.report.parts import Column, Source, Table
from reidrisk.report.words.book import phrases

LIMIT = 1 / 11
"""The cell size behind the printed 0.09."""
LITERAL = 0.09
TOLERANCE = 1e-9


def methodology(case: dict[str, Any]) -> tuple[Block, ...]:
    """What was released, and what was done to it."""
    return (
        Prose(
            (
                (
                    "Anonymity was established by an analysis of the risk of re-identification, not by "
                    "showing that singling out, linking and inference are impossible. What was done to "
                    "each part stands below."
                ),
            )
        ),
        *setting.release(case),
        *course.measures(case),
    )


def variables(case: dict[str, Any]) -> tuple[Block, ...]:
    """Direct and quasi-identifiers of every part."""
    return (
        Prose(
            (
                (
                    "Which variables name a person by themselves, which could do so together with "
                    "others, and what was done to each."
                ),
            )
        ),
        *course.by_part(case, "identifiers"),
    )


def adversaries(case: dict[str, Any]) -> tuple[Block, ...]:
    """Who could try, and how likely that is."""
    return (
        Prose(
            (
                (
                    "Three adversaries are considered: one who knows that a person is in the data, one "
                    "who knows only that the person belongs to the population, and one who matches as "
                    "many as possible. How likely an attempt is depends on who can get the data."
                ),
            )
        ),
        *setting.context(case),
    )


def utility(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the data are still good for."""
    return (
        Prose(
            (
                (
                    "Every measure costs detail. What was lost is said for each part, so that those "
                    "who use the data can judge whether they still serve their purpose."
                ),
            )
        ),
        *course.by_part(case, "utility"),
    )


def threshold(case: dict[str, Any]) -> tuple[Block, ...]:
    """The limit, and who else uses which."""
    if not case["context"]:
        return (
            Prose(
                (
                    (
                        "No context was given. The threshold of each result is the one that it was "
                        "measured with."
                    ),
                )
            ),
        )
    return (
        Prose(
            (
                (
                    "For public release both agencies name a highest acceptable probability of 0.09. A "
                    "cell size of 11 is the whole number behind it: one in eleven is a little above "
                    "0.09. Which of the two was taken is said here."
                ),
            )
        ),
        setting.threshold(case),
        *setting.precedents(case),
    )


def deviations(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the guidance expects and what this release does, side by side."""
    words = phrases("ema.deviation")
    columns = tuple(
        Column(words[name], is_prose=name != "verdict") for name in ("what", "expected", "here", "verdict")
    )
    rows = tuple(_compared(name, *given) for name, given in _checks(case).items())
    table = Table(words["title"], words["explanation"], columns, rows)
    return (table, Prose((words["others"],)))


def _checks(case: dict[str, Any]) -> dict[str, tuple[str, bool | None]]:
    """What this release has, and whether it is as expected."""
    context = case["context"] or {}
    access, limit = context.get("access"), (context.get("threshold") or {})
    number, statistic = limit.get("probability"), context.get("statistic")
    strict = None if number is None else number <= max(LIMIT, LITERAL) + TOLERANCE
    return {
        "access": (phrases("context.access").get(str(access), MISSING), _same(access, "public")),
        "limit": (MISSING if number is None else _limit_text(number, limit), strict),
        "statistic": (phrases("context.statistic").get(str(statistic), MISSING), _same(statistic, "highest")),
    }


def _same(value: Any, expected: str) -> bool | None:
    return None if value is None else value == expected


def _limit_text(number: float, limit: dict[str, Any]) -> str:
    return f"{one_in(number, limit.get('cell_size'))} ({probability(number)})"


def _compared(name: str, here: str, as_expected: bool | None) -> tuple[str, ...]:  # noqa: FBT001
    words = phrases("ema.deviation")
    outcome = {True: words["same"], False: words["deviates"], None: words["unknown"]}[as_expected]
    return (words[f"{name}_what"], words[f"{name}_expected"], here, outcome)


def conclusion(case: dict[str, Any]) -> tuple[Block, ...]:
    """The verdict, and who confirms it."""
    said = (
        f"Outcome of this assessment: {judged_word(case['acceptable'])}. Whoever signs "
        "confirms that the report is complete and describes what was done to the data that "
        "are published."
    )
    return (opening.verdict(case), Prose((said,)), Signature(("For the applicant",)))


def references(case: dict[str, Any]) -> tuple[Block, ...]:
    """With the guidance that the headings are from."""
    return closing.references(case, more=tuple(map(Source, phrases("ema.source").values())))


CHAPTERS: Outline = (
    ("summary", opening.summary),
    ("methodology", methodology),
    ("variables", variables),
    ("adversaries", adversaries),
    ("utility", utility),
    ("threshold", threshold),
    ("initial", course.initial),
    ("residual", course.final),
    ("deviations", deviations),
    ("conclusion", conclusion),
    ("references", references),
)
APPENDICES: Outline = (
    ("sensitivity", robustness.sensitivity),
    ("methods", closing.methods),
    ("limits", closing.limits),
    ("remedies", closing.remedies),
    ("checklist", practices.checklist),
    ("settings", closing.appendix),
)


def document(case: dict[str, Any]) -> Document:
    """All chapters in their order."""
    return made("ema", case, CHAPTERS, APPENDICES)
