"""An attack on released texts."""

from __future__ import annotations

from functools import partial

from reidrisk.report.blocks.settings import versions
from reidrisk.report.blocks.text_counts import ROLES
from reidrisk.report.charts import effects
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.effects import Effects, draw_effects
from reidrisk.report.charts.intervals import Interval
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.kinds.text_deidentification import HIDING_IN_PLAIN_SIGHT
from reidrisk.report.numbers import count, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict

MEANINGS = {
    "precision": "the smallest share of right flags that an adversary accepts",
    "folds": "parts of the documents; limits are learnt on the others",
    "level": "of the intervals",
}


def name_of(result: ResultDict) -> str:
    """The texts that were attacked."""
    return str(result["settings"]["deidentified"])


def about(result: ResultDict) -> str:
    """What was attacked."""
    return (
        f"{count(result['documents'])} documents by {result['method']}, "
        f"{count(result['instances'])} identifiers, {count(result['leaks'])} of them "
        "leaked."
    )


def verdict(result: ResultDict) -> Verdict:
    """The recognition; nothing is decided by it alone."""
    found = result["recognition"]
    said = "Nothing to recognise" if found is None else f"Recognition {probability(found['value'])}"
    return Verdict(None, reasons_of(result), said)


def recognition(result: ResultDict) -> Facts:
    """The number for job 1."""
    found = result["recognition"]
    if found is None:
        facts = [Fact("recognition", "n/a", str(result["undefined"]))]
    else:
        facts = [
            Fact(
                "recognition",
                probability(found["value"]),
                "share of leaked originals that were recognised",
            ),
            Fact(
                "interval",
                span(found),
                f"{level(found['level'])}, Jeffreys",
            ),
        ]
    if result["bootstrap"] is not None:
        low, high = result["bootstrap"]
        facts.append(
            Fact(
                "by resampled documents",
                f"{probability(low)} to {probability(high)}",
                "as a check",
            )
        )
    if result["recognition_option"]:
        facts.append(Fact("for text evaluate", f"--recognition {result['recognition_option']}"))
    return Facts("Recognition", "How often a leaked original is told from the surrogates.", tuple(facts))


def attacks(result: ResultDict) -> Table | None:
    """What every attack did."""
    if not result["attacks"]:
        return None
    rows = tuple(
        (
            one["attack"],
            count(one["right"]),
            count(one["wrong"]),
            percent(one["recognition"]),
            percent(one["precision"]),
        )
        for one in result["attacks"]
    )
    best = next(at for at, one in enumerate(result["attacks"]) if one["attack"] == result["best"])
    return Table(
        "Attacks",
        ("Flags are right if the value is an original. The attack that recognises most counts."),
        (
            Column("attack"),
            Column("right flags", is_number=True),
            Column("wrong flags", is_number=True),
            Column("recognition", is_number=True),
            Column("precision", is_number=True),
        ),
        rows,
        f"Best: {result['best']}. n/a: no flag at all.",
        marked=(best,),
    )


def trade(result: ResultDict) -> Table | None:
    """Adversaries who accept more or fewer wrong flags."""
    if not result["trade"]:
        return None
    rows = tuple(
        (percent(one["accepted_precision"]), percent(one["recognition"]), percent(one["precision"]))
        for one in result["trade"]
    )
    return Table(
        "Other adversaries",
        "Who accepts more wrong flags recognises more, and must check more of them in vain.",
        (
            Column("accepted precision"),
            Column("recognition", is_number=True),
            Column(
                "precision in documents not learnt from",
                is_number=True,
                short="precision held",
            ),
        ),
        rows,
    )


def by_type(result: ResultDict) -> Table:
    """The best attack on each type."""
    rows = tuple(
        (
            one["type"],
            one["role"],
            count(one["instances"]),
            count(one["leaks"]),
            count(one["flagged"]),
            percent(one["flagged"] / one["leaks"] if one["leaks"] else None),
        )
        for one in result["by_type"]
    )
    return Table(
        "By type",
        ("Identifiers of the gold standard, those that leaked, and those of them that were recognised."),
        (
            Column("type"),
            Column("role"),
            Column("identifiers", is_number=True),
            Column("leaked", is_number=True),
            Column("recognised", is_number=True),
            Column("recognition", is_number=True),
        ),
        rows,
    )


def risks(result: ResultDict) -> Table:
    """The same texts under every recognition."""
    rows = tuple(
        (
            one["name"],
            probability(one["recognition"]),
            *(_risk(one[role]) for role in ("direct", "quasi")),
        )
        for one in result["risks"]
    )
    return Table(
        "What it does to the risk",
        "The probability of re-identification of a public release, with its interval.",
        (
            Column("recognition"),
            Column("value", is_number=True),
            Column("direct identifiers", is_number=True),
            Column("quasi-identifiers", is_number=True),
        ),
        rows,
        (
            "Recognition counts only where recall is high enough for certain (0.9 direct, 0.7 "
            "quasi); elsewhere every leak counts as recognised."
        ),
    )


def settings(result: ResultDict) -> Facts:
    """What repeats the attack."""
    facts = [Fact(name, str(value), MEANINGS.get(name, "")) for name, value in result["settings"].items()]
    facts.append(Fact("seed", str(result["seed"]), "of the folds and of the documents drawn again"))
    return Facts("Settings", "With these, the same texts give the same answer.", tuple(facts))


def _risk(estimate: ResultDict | None) -> str:
    return "n/a" if estimate is None else f"{probability(estimate['value'])} ({span(estimate)})"


MEASURED = "measured here"


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The risk under every recognition; the measured one stands out."""
    groups = [
        Effects(title, tuple(_interval(row, role) for row in result["risks"] if row[role] is not None))
        for role, title in ROLES.items()
    ]
    shown = [group for group in groups if group.rows]
    last = result["risks"][-1]
    return (
        Chart(
            "effect",
            "What recognition does to the risk",
            (
                "The same texts, if every leak is recognised, as measured here, and with published "
                "recognitions. Where recall is too low, recognition does not count and nothing "
                "changes."
            ),
            (
                f"{len(result['risks'])} recognitions, the last "
                f"{probability(last['recognition'])}. The table below has every number."
            ),
            effects.height(shown),
            partial(draw_effects, groups=shown) if shown else None,
        ),
    )


def _interval(row: ResultDict, role: str) -> Interval:
    risk = row[role]
    name = f"{row['name']}, {probability(row['recognition'])}"
    return Interval(name, risk["value"], risk["low"], risk["high"], decides=row["name"] == MEASURED)


GUIDE = Guide(
    terms=(
        Fact("Recognition", "The share of leaked originals that an adversary tells from surrogates; 1: all."),
        Fact(
            "Precision", "The share of flags that are right. An adversary who is mostly wrong gains little."
        ),
        Fact("Frequency", "Flags values that the texts seldom hold."),
        Fact("Consistency", "Flags a name of no other mention, or a date far from all others of its text."),
        Fact("Dictionary", "Flags words that public lists lack, or that are common outside."),
        Fact("Parrot", "Flags what a tagger does not find that was learnt from the released texts."),
        Fact("All together", "Flags by all of these, weighed by what was right in other documents."),
    ),
    limits=(
        ("An attack that is not among these may do better; people may know more than the texts say."),
        "It speaks for these texts, this tool and this key only.",
        ("Limits are learnt where the answers are known, which an adversary seldom has: rather too high."),
    ),
    sources=(
        HIDING_IN_PLAIN_SIGHT,
        Source(
            "Carrell DS, Cronkite DJ, Li M, et al. The machine giveth and the machine taketh away: a parrot "
            "attack on clinical text deidentified with hiding in plain sight. Journal of the American "
            "Medical Informatics Association 26 (2019) 1536–1544."
        ),
        Source(
            "Carrell DS, Malin BA, Cronkite DJ, et al. Resilience of clinical text de-identified with hiding "
            "in plain sight to hostile reidentification attacks by human readers. Journal of the American "
            "Medical Informatics Association 27 (2020) 1374–1382."
        ),
    ),
)


def _recognition_value(result: ResultDict) -> str:
    found = result["recognition"]
    return probability(found["value"] if found else None)


KIND = Kind(
    title="Attack on released texts",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Attack on {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(recognition),
        Show(attacks),
        Show(by_type),
        Show(trade),
        Show(risks),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "How often leaked originals were recognised.",
        "texts",
        (
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("leaks", is_number=True), lambda result: count(result["leaks"])),
            (Column("recognition", is_number=True), _recognition_value),
            (Column("interval", is_number=True), lambda result: span(result["recognition"])),
        ),
    ),
)
