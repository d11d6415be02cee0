"""An attack on released texts: how often leaked originals are recognized among surrogates."""

from __future__ import annotations

from functools import partial

from reidrisk.report.blocks.settings import meanings, versions
from reidrisk.report.blocks.text_counts import ROLES
from reidrisk.report.charts import effects
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.effects import Effects, draw_effects
from reidrisk.report.charts.intervals import Interval
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.kinds.text_deidentification import HIDING_IN_PLAIN_SIGHT
from reidrisk.report.numbers import count, level, percent, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.resynthesis.attack.settings import ATTACK_SETTINGS

MEANINGS = meanings(ATTACK_SETTINGS)
MEASURED = "measured here"


def name_of(result: ResultDict) -> str:
    """The texts that were attacked."""
    return str(result["settings"]["deidentified"])


def about(result: ResultDict) -> str:
    """What was attacked, in a sentence."""
    return (
        f"{count(result['documents'])} documents, de-identified by {result['method']}. "
        f"{count(result['leaks'])} of {count(result['instances'])} identifiers leaked."
    )


def verdict(result: ResultDict) -> Verdict:
    """The recognition; nothing is decided by it alone."""
    found = result["recognition"]
    word = "Nothing to recognize" if found is None else f"Recognition {probability(found['value'])}"
    return Verdict(None, reasons_of(result), word)


def recognition(result: ResultDict) -> Facts:
    """The recognition with its interval, for use in a text evaluation."""
    found = result["recognition"]
    if found is None:
        facts = [Fact("recognition", "n/a", str(result["undefined"]))]
    else:
        facts = [
            Fact(
                "recognition",
                probability(found["value"]),
                "share of leaked originals that were recognized",
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
                "interval from resampled documents",
                f"{probability(low)} to {probability(high)}",
                "as a check",
            )
        )
    if result["recognition_option"]:
        facts.append(Fact("option for text evaluate", f"--recognition {result['recognition_option']}"))
    return Facts(
        "Recognition", "How often a leaked original is recognized among the surrogates.", tuple(facts)
    )


def attacks(result: ResultDict) -> Table | None:
    """The results of each attack."""
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
        "A flag is correct if the value is an original. The attack that recognizes most originals counts.",
        (
            Column("attack"),
            Column("correct flags", is_number=True),
            Column("wrong flags", is_number=True),
            Column("recognition", is_number=True),
            Column("precision", is_number=True),
        ),
        rows,
        f"Best attack: {result['best']}. n/a: the attack flagged nothing.",
        marked=(best,),
    )


def by_type(result: ResultDict) -> Table:
    """The results of the best attack for each type."""
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
        "Identifiers in the gold standard, how many leaked, and how many of the leaks were recognized.",
        (
            Column("type"),
            Column("role"),
            Column("identifiers", is_number=True),
            Column("leaked", is_number=True),
            Column("recognized", is_number=True),
            Column("recognition", is_number=True),
        ),
        rows,
    )


def other_adversaries(result: ResultDict) -> Table | None:
    """The recognition by adversaries who accept more or fewer wrong flags."""
    if not result["trade"]:
        return None
    rows = tuple(
        (percent(one["accepted_precision"]), percent(one["recognition"]), percent(one["precision"]))
        for one in result["trade"]
    )
    return Table(
        "Other adversaries",
        "An adversary who accepts more wrong flags recognizes more originals, but wastes more effort.",
        (
            Column("accepted precision"),
            Column("recognition", is_number=True),
            Column(
                "precision in other documents",
                is_number=True,
                short="actual precision",
            ),
        ),
        rows,
    )


def risks(result: ResultDict) -> Table:
    """The risk of the same texts with each recognition."""
    rows = tuple(
        (
            one["name"],
            probability(one["recognition"]),
            *(_risk(one[role]) for role in ("direct", "quasi")),
        )
        for one in result["risks"]
    )
    return Table(
        "Effect on the risk",
        "The probability of re-identification in a public release, with its interval.",
        (
            Column("recognition"),
            Column("value", is_number=True),
            Column("direct identifiers", is_number=True),
            Column("quasi-identifiers", is_number=True),
        ),
        rows,
        (
            "Recognition is used only where recall is significantly above the cutoff (0.9 for direct, 0.7 "
            "for quasi-identifiers). Elsewhere every leak counts as recognized."
        ),
    )


def _risk(estimate: ResultDict | None) -> str:
    return "n/a" if estimate is None else f"{probability(estimate['value'])} ({span(estimate)})"


def settings(result: ResultDict) -> Facts:
    """The settings that reproduce the attack."""
    facts = [Fact(name, str(value), MEANINGS.get(name, "")) for name, value in result["settings"].items()]
    facts.append(Fact("seed", str(result["seed"]), "seed of the folds and of the resampled documents"))
    return Facts("Settings", "The same texts and settings give the same result.", tuple(facts))


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The risk with each recognition; the measured one is bold."""
    groups = [
        Effects(title, tuple(_interval(row, role) for row in result["risks"] if row[role] is not None))
        for role, title in ROLES.items()
    ]
    shown = [group for group in groups if group.rows]
    last = result["risks"][-1]
    return (
        Chart(
            "effect",
            "Effect of recognition on the risk",
            (
                "The risk of the same texts if every leak is recognized, with the recognition measured "
                "here, and with published values. Where recall is too low, recognition is not used and "
                "the risk stays the same."
            ),
            (
                f"{len(result['risks'])} values of recognition, the last one "
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


def _recognition_value(result: ResultDict) -> str:
    found = result["recognition"]
    return probability(found["value"] if found else None)


GUIDE = Guide(
    terms=(
        Fact(
            "Recognition",
            "The share of leaked originals that an adversary recognizes among surrogates. 1 means all.",
        ),
        Fact(
            "Precision", "The share of flags that are correct. An adversary who is mostly wrong gains little."
        ),
        Fact("Frequency", "Flags values that are rare in the texts."),
        Fact(
            "Consistency", "Flags names that occur only once, and dates far from all other dates in the text."
        ),
        Fact("Dictionary", "Flags words that are not in public lists, or that are common elsewhere."),
        Fact("Parrot", "Flags what is missed by a tagger that was trained on the released texts."),
        Fact("All together", "Combines all of these, weighted by their success in other documents."),
    ),
    limits=(
        "Other attacks may do better, and people may know more than what is in the texts.",
        "The result applies only to these texts, this tool and this key.",
        "Limits are learned with known answers, which an adversary rarely has. Recognition is more likely "
        "too high than too low.",
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
        Show(other_adversaries),
        Show(risks),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "How often leaked originals were recognized.",
        "texts",
        (
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("leaks", is_number=True), lambda result: count(result["leaks"])),
            (Column("recognition", is_number=True), _recognition_value),
            (Column("interval", is_number=True), lambda result: span(result["recognition"])),
        ),
    ),
)
