"""Texts in which identifiers were replaced."""

from __future__ import annotations

from functools import partial

from reidrisk.core.wording import plural
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict

MODES = {
    "redact": "a mark that says nothing",
    "label": "the type in brackets",
    "mask": "blocks of the same length",
    "surrogate": "an invented value that looks real",
}
MEANINGS = {
    "date_days": "dates of a person move by one number of days, at most so many",
    "keep_weekday": "whether dates move by whole weeks",
    "date_order": "how 03/04/2019 is read",
    "age_years": "ages of a person move by so many years at most",
    "age_top": "nobody is older than this afterwards",
    "places": "whether states, countries and postal codes stay in their region",
    "names": "whether a name has one surrogate in the whole set, or one for each person",
    "detector": "who found the identifiers",
    "threshold": "how sure a finding must be",
    "key": "the secret that surrogates follow from",
}
SURROGATES_ONLY = (
    "date_days",
    "keep_weekday",
    "date_order",
    "age_years",
    "age_top",
    "places",
    "names",
    "key",
)


def name_of(result: ResultDict) -> str:
    """The texts."""
    return str(result["source"])


def about(result: ResultDict) -> str:
    """What was done to what."""
    return (
        f"{plural(result['documents'], 'text')}, {count(result['characters'])} characters; "
        f"in the place of each identifier stands {MODES[result['mode']]}."
    )


def verdict(result: ResultDict) -> Verdict:
    """That it is done, which says nothing of the risk."""
    return Verdict(None, reasons_of(result), "Written")


def by_type(result: ResultDict) -> Table:
    """What was replaced, the most frequent types first."""
    rows = tuple(
        (
            one["type"],
            one["role"] or "not known",
            count(one["replaced"]),
            percent(one["replaced"] / result["replaced"]),
        )
        for one in result["by_type"]
    )
    return Table(
        "Replaced, by type",
        "Direct identifiers name a person, quasi-identifiers single one out in combination.",
        (
            Column("type"),
            Column("role"),
            Column("identifiers", is_number=True),
            Column("share", is_number=True),
        ),
        rows,
        "" if rows else "Nothing was found.",
    )


def by_source(result: ResultDict) -> Table:
    """Which part of the detector found them."""
    rows = tuple((one["source"], count(one["replaced"])) for one in result["by_source"])
    return Table(
        "Found by",
        "Where several parts found the same, the surest is named.",
        (
            Column("part of the detector"),
            Column("identifiers", is_number=True),
        ),
        rows,
        "" if rows else "Nothing was found.",
    )


def settings(result: ResultDict) -> Facts:
    """What repeats the run."""
    surrogates = result["mode"] == "surrogate"
    facts = [
        Fact(name, _said(value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if surrogates or name not in SURROGATES_ONLY
    ]
    facts.append(
        Fact(
            "texts without findings",
            count(result["documents_without_findings"]),
        )
    )
    if result["resumed"]:
        facts.append(Fact("written by an earlier run", count(result["resumed"])))
    return Facts(
        "Settings",
        "The same settings and the same key give the same texts.",
        tuple(facts),
    )


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


MOST = 20
"""Bars; the table shows all types."""


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The share of every type; direct identifiers are dark."""
    found = result["by_type"]
    if not found:
        return (
            Chart(
                "types",
                "What was replaced",
                "Nothing was found.",
                "Nothing was found.",
                0.0,
                None,
            ),
        )
    rows = tuple(
        (one["type"], one["replaced"] / result["replaced"], one["role"] == "direct") for one in found[:MOST]
    )
    bars = Bars(rows, "share of what was replaced; dark: direct identifiers")
    left = len(found) - len(rows)
    return (
        Chart(
            "types",
            "What was replaced",
            "Frequent types first." + ((" " + f"{count(left)} more are in the table below.") if left else ""),
            f"{count(len(found))} types; most often {found[0]['type']}, {percent(rows[0][1])}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


HIDING_IN_PLAIN_SIGHT = Source(
    "Carrell D, Malin B, Aberdeen J, et al. Hiding in plain sight: use of realistic surrogates to reduce "
    "exposure of protected health information in clinical text. Journal of the American Medical "
    "Informatics Association 20 (2013) 342–348."
)

GUIDE = Guide(
    terms=(
        Fact("Surrogate", "An invented value of the same kind and form, in the place of a real one."),
        Fact(
            "Key",
            ("The secret from which surrogates follow. Whoever has it can test guesses: keep it apart."),
        ),
        Fact("Person", "Whose dates move together; without being told, each text is a person of its own."),
        Fact("Leak", "An identifier that was not found and stands in the text as it was."),
    ),
    limits=(
        ("What was not found is still there; only a sample that people annotated shows how much."),
        "Names of files, ids and columns other than those named are written as they were.",
        (
            "Dates, ages, states, countries and trades come from small ranges: a surrogate is "
            "never the original but may be what is real for somebody else."
        ),
    ),
    sources=(HIDING_IN_PLAIN_SIGHT,),
)

KIND = Kind(
    title="De-identified texts",
    name_of=name_of,
    about=about,
    headline=lambda result: f"De-identified {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(by_type),
        Show(by_source),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "What was written.",
        "texts",
        (
            (Column("mode"), lambda result: str(result["mode"])),
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("identifiers", is_number=True), lambda result: count(result["replaced"])),
        ),
    ),
)
