"""What the kinds of results about documents share: names, settings and guides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.names import file_name
from reidrisk.report.numbers import count, more, probability
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table
from reidrisk.report.traced import size

OUTSIDE = "outside any section"
NOTHING_FOUND = "No identifiers were found."


def name_of_documents(result: dict[str, Any]) -> str:
    """The first document, and how many more there are."""
    names = [row["document"] for row in result["documents"]]
    more = size(names) - 1
    return f"{names[0]} +{more}" if more else str(names[0])


def more_in_json(left: int) -> str:
    """A note below a list that was cut; empty if nothing was left out."""
    return more(left, "in the JSON file") if left else ""


def known_events(result: dict[str, Any]) -> Table | None:
    """The risk by the number of events that an adversary knows, from none; the last row decides."""
    known = result["known"]
    if known is None or not known["by_known"]:
        return None
    rows = tuple(
        (
            "quasi-identifiers alone" if not one["known"] else f"and {plural(one['known'], 'event')}",
            probability(one["highest"]),
            probability(one["average"]),
            count(one["below_cell_size"]),
            count(one["unique"]),
        )
        for one in known["by_known"]
    )
    tables = "; ".join(f"{name}: {', '.join(columns)}" for name, columns in known["tables"].items())
    reason = f" Events do not count: {known['reason']}." if known["reason"] else " The last row decides."
    numbers = ("highest risk", "average risk", f"below {result['threshold']['cell_size']}", "unique")
    return Table(
        "Known events",
        "The risk if an adversary knows the quasi-identifiers, and then events of the participant too.",
        (Column("what the adversary knows"), *(Column(name, is_number=True) for name in numbers)),
        rows,
        f"An event is a combination of these variables, as released: {tables}.{reason}",
    )


def setting_text(value: object) -> str:
    """The value of a setting, as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {one}" for name, one in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(file_name(str(one)) for one in value) or "none"
    return "none" if value in (None, "") else file_name(str(value))


def document_settings(settings: Mapping[str, Any], explanation: str, meanings: Mapping[str, str]) -> Facts:
    """Settings by name, each with its meaning."""
    facts = tuple(Fact(name, setting_text(value), meanings.get(name, "")) for name, value in settings.items())
    return Facts("Settings", explanation, facts)


_POLICY = Source(
    "European Medicines Agency. External guidance on the implementation of the European Medicines Agency "
    "policy on the publication of clinical data for medicinal products for human use (Policy 0070)."
)
_KAPPA = (
    Source(
        "Cohen J. A coefficient of agreement for nominal scales. Educational and Psychological Measurement "
        "20 (1960) 37–46.",
        "10.1177/001316446002000104",
    ),
    Source(
        "Fleiss JL. Measuring nominal scale agreement among many raters. Psychological Bulletin 76 (1971) "
        "378–382.",
        "10.1037/h0031619",
    ),
)
_PROPORTION = Source(
    "Brown LD, Cai TT, DasGupta A. Interval estimation for a binomial proportion. Statistical Science 16 "
    "(2001) 101–133.",
    "10.1214/ss/1009213286",
)
_SEARCH = Fact(
    "Search",
    "The new file is read by programs that did not write it. Its objects, streams and bytes are searched "
    "for the values.",
)
_MISSED = (
    "These figures cannot show what was missed. Review a sample of pages, then measure the risk with "
    "reidrisk document risk."
)
_PICTURES = "Pictures and drawings are searched only where text was recognized in them."

DETECTION_GUIDE = Guide(
    (Fact("Attributed", "Linked to the participant whom the text describes at this place."),),
    (
        _MISSED,
        "An identifier is linked to the participant named by its narrative, its table row or its sentence. "
        "A value that several participants share is linked to nobody unless a participant is named with it.",
        _PICTURES,
    ),
    (_POLICY,),
)
ANONYMIZATION_GUIDE = Guide(
    (
        Fact("Redacted", "Removed from the file, with a box in its place."),
        Fact("Replaced", "Removed from the file, with the value of the released data in its place."),
        _SEARCH,
    ),
    (_MISSED, _PICTURES),
    (_POLICY,),
)
PROOF_GUIDE = Guide(
    (
        _SEARCH,
        Fact("Covered", "Words with a box drawn over them. They are still in the file."),
        Fact(
            "Not searched", "A part of the file in which a value could be, but which no program could read."
        ),
    ),
    (
        "Only the given values were searched for, as whole words in their usual spellings.",
        "Text in pictures is read by OCR, which can miss words.",
    ),
    (_POLICY,),
)
REVIEW_GUIDE = Guide(
    (
        Fact("Recall", "Share of the identifiers on pages read in full that the detector had found."),
        Fact("Page recall", "Share of pages on which nothing was missed."),
        Fact("Kappa", "Agreement beyond chance: 1 is full agreement, 0 is what chance alone would give."),
    ),
    (
        "The figures apply to all pages only if the pages that were read were drawn at random.",
        "Where reviewers disagree, a place counts as an identifier if any reviewer marked it as one, unless "
        "you asked for the majority.",
    ),
    (*_KAPPA, _PROPORTION),
)
