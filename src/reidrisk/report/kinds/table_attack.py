"""An attack on a released table, beside the risk that was predicted."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import effects
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.effects import Effects, draw_effects
from reidrisk.report.charts.intervals import Axis, Interval
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import MISSING, count, expected, level, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict

MEANINGS = {
    "guesses": "of each attack, if there are so many records",
    "together": "columns in a predicate",
    "level": "of the intervals",
    "tolerance": "how far a guess of a secret number may be off",
    "neighbours": "nearest records of linkability of which both sources must share one",
    "confidence": "from which on a probable link is claimed",
    "id": "tells who is who; no attack sees it",
    "unit": "which rows are one person",
}
ANSWERS = {True: "yes", False: "no"}
LINKAGES = {
    "exact": "exact linkage, measured",
    "nearest": "nearest person, measured",
    "probabilistic": "probabilistic linkage, measured",
}
AGREEMENT = {"agrees": "agree", "near": "are near", "far": "differ"}
QUESTIONS = ("singling out", "linkability", "inference")
WHOLE = Axis(0.0, 1.0, is_log=False)
GUIDE = Guide(
    terms=(
        Fact(
            "linkage",
            (
                "Each released record is held against a table of people; one of those whom it fits, or the "
                "nearest, is taken to be the person."
            ),
        ),
        Fact(
            "probabilistic linkage",
            (
                "Each agreement and disagreement of a column is weighed by how often it happens to a "
                "record and its own person, and to a record and anybody; the person with the greatest sum "
                "is taken. The adversary learns these shares from the two tables, without knowing who is "
                "who. It survives typing errors."
            ),
        ),
        Fact(
            "singling out",
            (
                "Statements true of exactly one released record, such as age at least 97 and sex F, are "
                "tried on people; a success is true of exactly one of them."
            ),
        ),
        Fact(
            "linkability",
            (
                "Two sources know different things of a target. They are linked if the same released "
                "record is nearest to both."
            ),
        ),
        Fact(
            "inference",
            (
                "The secret of the released record nearest to what is known of a target is taken for the "
                "target's secret."
            ),
        ),
        Fact(
            "control group",
            (
                "People like those of the release who are not in it. What an attack achieves on them it "
                "owes to general knowledge."
            ),
        ),
        Fact(
            "guessing",
            (
                "The same attack without looking at the release. An attack that does no better is too weak "
                "to show safety."
            ),
        ),
        Fact(
            "marketer risk",
            (
                "The share of records that an adversary who links all of them gets right, predicted from "
                "the sizes of classes."
            ),
        ),
    ),
    limits=(
        "The attacks know what was named as quasi-identifier, and no more. Another adversary may know more.",
        (
            "A success is an average over guesses: single records may be more exposed. The highest "
            "prosecutor risk speaks for them."
        ),
        "Without a control group a success may be due to what is true of everybody, not to the release.",
        (
            "Generalized values are read from the way they are written unless hierarchies are given. What "
            "cannot be read matches nobody and is named in a note."
        ),
        "This page is a measurement, not legal advice. People who answer for it decide on a release.",
    ),
    sources=(
        Source(
            "Article 29 Data Protection Working Party. Opinion 05/2014 on anonymisation techniques. WP216."
        ),
        Source(
            "European Medicines Agency. External guidance on the implementation of Policy 0070. "
            "EMA/90915/2016."
        ),
        Source(
            "Giomi M, Boenisch F, Wehmeyer C, Tasnádi B. A unified framework for quantifying privacy risk in "
            "synthetic data. Proceedings on Privacy Enhancing Technologies 2023."
        ),
        Source(
            "Fellegi IP, Sunter AB. A theory for record linkage. Journal of the American Statistical "
            "Association 1969;64:1183-1210.",
            "10.1080/01621459.1969.10501049",
        ),
        Source("Cohen A, Nissim K. Towards formalizing the GDPR's notion of singling out. arXiv:1904.06009."),
    ),
)


def name_of(result: ResultDict) -> str:
    """The table that was attacked."""
    return str(result["settings"]["released"])


def about(result: ResultDict) -> str:
    """What was attacked with what."""
    control = result["control_records"]
    return (
        f"{count(result['records'])} released records against {count(result['people'])} "
        f"people of {result['settings']['against']}; control group: "
        f"{'none' if control is None else count(control)}."
    )


def verdict(result: ResultDict) -> Verdict:
    """Whether a threshold is kept, if one was given; a success alone decides nothing."""
    if not result["decided"]:
        return Verdict(None, reasons_of(result), "Attacked")
    return Verdict(result["acceptable"], reasons_of(result))


def predicted(result: ResultDict) -> Table:
    """Risks from classes beside what linking achieved."""
    foreseen, linkage = result["predicted"], result["linkage"]
    rows = (
        _foreseen("prosecutor risk, highest, predicted", foreseen["prosecutor"]["highest"]),
        _foreseen("prosecutor risk, average, predicted", foreseen["prosecutor"]["average"]),
        _foreseen("marketer risk, predicted", foreseen["marketer"]["average"]),
        _linked(LINKAGES["exact"], linkage["exact"]),
        _linked(LINKAGES["nearest"], linkage["nearest"]),
        _foreseen("probabilistic linkage, as it expects itself", result["probabilistic_linkage"]["expected"]),
        _linked(LINKAGES["probabilistic"], linkage["probabilistic"]),
    )
    return Table(
        "Predicted and measured",
        ("The risk that follows from classes, and how often a record was linked with the right person."),
        (
            Column("what"),
            Column("probability", is_number=True),
            Column("interval", is_number=True),
            Column("right of guesses", is_number=True),
        ),
        rows,
        _prediction(result),
        marked=(3,),
    )


def _prediction(result: ResultDict) -> str:
    """Whether the prediction came true."""
    exact = result["linkage"]["exact"]
    if result["prediction_holds"] is None:
        return str(exact["reason"] or "")
    if result["prediction_holds"]:
        return "The predicted marketer risk lies inside the interval of the exact linkage."
    if result["predicted"]["marketer"]["average"] > exact["main"]["high"]:
        return (
            "The predicted marketer risk lies above the interval of the exact linkage, on the safe "
            "side. It counts a suppressed cell as a value of its own, while such a cell fits "
            "everybody; changed values fit nobody."
        )
    return (
        "The predicted marketer risk lies below the interval of the exact linkage: it is too low. "
        "Look at the notes, and at who is who."
    )


def _foreseen(name: str, risk: float) -> tuple[str, ...]:
    return name, probability(risk), "", ""


def _linked(name: str, outcome: dict[str, Any]) -> tuple[str, ...]:
    main = outcome["main"]
    if main is None:
        return name, MISSING, MISSING, MISSING
    return name, probability(main["value"]), span(main), _of(main)


def attacks(result: ResultDict) -> Table:
    """Singling out, linkability, inference: on the release, on the control, by guessing."""
    made = (*result["singling_out"], result["linkability"], *result["inference"])
    rows = tuple(
        (
            one["attack"],
            *(probability(one[name]["value"]) if one[name] else MISSING for name in ("main", "control")),
            probability(one["baseline"]["value"]) if one["baseline"] else MISSING,
            probability(one["risk"]["value"]) if one["risk"] else MISSING,
            span(one["risk"]),
            _of(one["main"]) if one["main"] else MISSING,
        )
        for one in made
    )
    return Table(
        "Singling out, linkability, inference",
        (
            "The success on people of the release, on people who are not in it (control), and "
            "by guessing. The risk is what the release adds to the control."
        ),
        (
            Column("attack"),
            Column("success", is_number=True),
            Column("control", is_number=True),
            Column("guessing", is_number=True),
            Column("risk", is_number=True),
            Column("interval", is_number=True),
            Column("right of guesses", is_number=True),
        ),
        rows,
        " ".join(f"{one['attack']}: {one['reason']}" for one in made if one["reason"]),
    )


def criteria(result: ResultDict) -> Table:
    """The questions of European guidance and their answers."""
    rows = tuple(
        (
            one["question"],
            ANSWERS.get(one["possible"], "not measured"),
            one["answer"],
        )
        for one in result["criteria"]
    )
    return Table(
        "Three questions of European guidance",
        (
            "European guidance calls data anonymous if all three answers are no. Otherwise the "
            "risk is to be evaluated."
        ),
        (
            Column("question"),
            Column("possible"),
            Column("by which attack", is_prose=True),
        ),
        rows,
        ("An answer holds for these attacks and these columns. Another adversary may know more."),
    )


def weights(result: ResultDict) -> Table:
    """What the agreement of each column is worth."""
    rows = []
    last = None
    for one in result["probabilistic_linkage"]["levels"]:
        rows.append(
            (
                one["column"] if one["column"] != last else "",
                AGREEMENT[one["level"]],
                probability(one["m"]),
                probability(one["u"]),
                f"{one['weight']:+.1f}",
            )
        )
        last = one["column"]
    return Table(
        "What agreement is worth",
        (
            "How often a record agrees with its own person (m) and with anybody (u), learned "
            "without knowing who is who. The weight is log2(m/u); the person with the greatest "
            "sum of weights is taken. Near means within a tenth of the standard deviation."
        ),
        (
            Column("column"),
            Column("record and person"),
            Column("own person (m)", is_number=True),
            Column("anybody (u)", is_number=True),
            Column("weight", is_number=True),
        ),
        tuple(rows),
    )


def claims(result: ResultDict) -> Facts:
    """Of which links the adversary was sure, and how rightly."""
    found = result["probabilistic_linkage"]
    main = result["linkage"]["probabilistic"]["main"]
    facts = [
        Fact("records tried", count(found["records"])),
        Fact("records believed to be there", probability(found["present"]), found["reason"] or ""),
        Fact(
            "right links expected",
            (
                f"{expected(found['expected_matches'])} "
                f"({count(main['successes']) if main else MISSING} were right)"
            ),
        ),
        Fact(
            "links claimed",
            count(found["claimed"]),
            f"of which the adversary is sure to {probability(found['confidence'])} or more",
        ),
        Fact("precision", _share(found["precision"]), "of the claimed links, the share that is right"),
        Fact(
            "recall",
            _share(found["recall"]),
            "of the records whose person is there, the share that is claimed rightly",
        ),
    ]
    return Facts(
        "Probabilistic linkage",
        ("What an adversary who reckons with typing errors expects, and of which links it is sure."),
        tuple(facts),
    )


def _share(found: dict[str, Any] | None) -> str:
    return MISSING if found is None else f"{probability(found['value'])} ({span(found)})"


def matching(result: ResultDict) -> Facts:
    """How records and people were held against each other."""
    marketer = result["predicted"]["marketer"]
    return Facts(
        "Matching",
        "How released records and people were held against each other.",
        (
            Fact("who is who is known", result["truth"]["how"]),
            Fact("records that nobody fits", count(result["unmatched_records"])),
            Fact("right links predicted", expected(marketer["expected_matches"])),
        ),
    )


def settings(result: ResultDict) -> Facts:
    """What repeats the attack."""
    facts = [
        Fact(name, _written(name, value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if value not in (None, [])
    ]
    facts.append(Fact("seed", str(result["seed"])))
    return Facts("Settings", "With these, the same tables give the same answer.", tuple(facts))


def _written(name: str, value: Any) -> str:
    if name == "sets":
        return "; ".join(", ".join(part) for part in value)
    if name == "level":
        return level(value)
    return ", ".join(value) if isinstance(value, list) else str(value)


def _of(tally: dict[str, Any]) -> str:
    return f"{count(tally['successes'])} of {count(tally['guesses'])}"


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Linkage beside its prediction, then what the release adds to every other attack."""
    groups = [one for one in (_linkage(result), _others(result)) if one.rows]
    marketer = result["predicted"]["marketer"]["average"]
    main = result["linkage"]["exact"]["main"]
    return (
        Chart(
            "attacks",
            "What was predicted, and what attacks achieved",
            ("Lines are intervals. A prediction is right if it lies on the line of the exact linkage."),
            (f"Predicted {probability(marketer)}, measured {probability(main['value'] if main else None)}."),
            effects.height(groups),
            partial(draw_effects, groups=groups, axis=WHOLE, label="share of guesses that are right"),
        ),
    )


def _linkage(result: ResultDict) -> Effects:
    marketer = result["predicted"]["marketer"]["average"]
    rows = [Interval("predicted marketer risk", marketer, marketer, marketer, decides=False)]
    for name in ("exact", "nearest", "probabilistic"):
        main = result["linkage"][name]["main"]
        if main is not None:
            title = LINKAGES[name]
            rows.append(_interval(title, main, decides=name == "exact"))
    return Effects("Linkage: records linked with the right person", tuple(rows))


def _others(result: ResultDict) -> Effects:
    made = (*result["singling_out"], result["linkability"], *result["inference"])
    has_control = result["control_records"] is not None
    title = (
        "What the release adds to other attacks"
        if has_control
        else "Success of other attacks, without a control"
    )
    rows = [_interval(one["attack"], one["risk"], decides=True) for one in made if one["risk"]]
    return Effects(title, tuple(rows))


def _interval(name: str, found: dict[str, Any], *, decides: bool) -> Interval:
    return Interval(name, found["value"], found["low"], found["high"], decides=decides)


def _measured(result: ResultDict) -> dict[str, Any] | None:
    """What the exact linkage achieved."""
    main: dict[str, Any] | None = result["linkage"]["exact"]["main"]
    return main


def _linked_share(result: ResultDict) -> str:
    main = _measured(result)
    return probability(main["value"] if main else None)


def _answer(place: int, result: ResultDict) -> str:
    return ANSWERS.get(result["criteria"][place]["possible"], MISSING)


KIND = Kind(
    title="Attack on a released table",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Attack on {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(predicted),
        # In the terminal the answers to the three questions are among the reasons of the verdict.
        Show(criteria, terminal=False),
        Show(attacks),
        Show(claims),
        Show(weights),
        Show(matching),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "What was predicted, and what the attacks achieved.",
        "release",
        (
            (Column("records", is_number=True), lambda result: count(result["records"])),
            (
                Column("predicted", is_number=True),
                lambda result: probability(result["predicted"]["marketer"]["average"]),
            ),
            (Column("linked", is_number=True), _linked_share),
            (Column("interval", is_number=True), lambda result: span(_measured(result))),
            *((Column(name), partial(_answer, place)) for place, name in enumerate(QUESTIONS)),
        ),
    ),
)
