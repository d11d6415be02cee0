"""The proof of a relational release."""

from __future__ import annotations

from reidrisk.core.wording import plural
from reidrisk.report.blocks.relational import GUIDE, checks_of, proof_reasons
from reidrisk.report.blocks.settings import versions
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Table, Verdict
from reidrisk.report.traced import size


def name_of(result: ResultDict) -> str:
    """The folder that was checked."""
    return str(result["database"])


def about(result: ResultDict) -> str:
    """How much was checked."""
    people = f"{count(result['people_released'])} of {count(result['people'])} people are in it"
    return f"{plural(size(result['checks']), 'check')} of the written files; {people}."


def verdict(result: ResultDict) -> Verdict:
    """Whether everything that was promised holds."""
    word = "Proved" if result["acceptable"] else "NOT proved"
    return Verdict(result["acceptable"], proof_reasons(result["checks"]), word)


def checks(result: ResultDict) -> Table:
    """What was checked."""
    return checks_of(result["checks"])


KIND = Kind(
    title="Proof of a relational release",
    name_of=name_of,
    about=about,
    verdict=verdict,
    shows=(Show(checks), Show(versions, terminal=False)),
    guide=GUIDE,
    comparison=Comparison(
        "The proofs side by side.",
        "release",
        (
            (Column("checks", is_number=True), lambda result: count(len(result["checks"]))),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
)
