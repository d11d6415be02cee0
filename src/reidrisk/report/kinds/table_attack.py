"""An attack on a released table: what was predicted, and what the attack achieved."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.blocks.settings import cells_read, meanings, versions
from reidrisk.report.charts import effects
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.effects import Effects, draw_effects
from reidrisk.report.charts.intervals import Axis, Interval
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import MISSING, count, expected_people, level, probability, span
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.tables.attack.settings import ID, PLAN_NUMBERS, SENSITIVE, UNIT

MEANINGS = meanings((ID, UNIT, *PLAN_NUMBERS))
LABELS = {SENSITIVE.former: "sensitive column", "read_as": "how the files were read"}
"""Settings whose name in the result file is not the word of the field."""
ANSWERS = {True: "yes", False: "no"}
LINKAGES = {
    "exact": "exact linkage, measured",
    "nearest": "nearest-person linkage, measured",
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
                "Each released record is compared with a table of people. One of the people who match, or "
                "the nearest person, is assumed to be the right one."
            ),
        ),
        Fact(
            "probabilistic linkage",
            (
                "Each agreement or disagreement of a column has a weight: it compares how often it occurs "
                "between a record and the right person with how often it occurs between a record and "
                "anyone. The person with the largest sum of weights is chosen. The adversary estimates "
                "the weights from the two tables, without knowing the true matches. The method tolerates "
                "typing errors."
            ),
        ),
        Fact(
            "singling out",
            (
                "Statements that are true for exactly one released record, such as age at least 97 and sex "
                "F, are tried on people. A statement succeeds if it is true for exactly one person."
            ),
        ),
        Fact(
            "linkability",
            (
                "Two sources know different facts about a target. They are linked if the same released "
                "record is nearest to both."
            ),
        ),
        Fact(
            "inference",
            (
                "The adversary finds the released record nearest to what is known about a target, and "
                "assumes that the target has the sensitive value of that record."
            ),
        ),
        Fact(
            "control group",
            (
                "Similar people who are not in the release. What an attack achieves on them comes from "
                "general knowledge, not from the release."
            ),
        ),
        Fact(
            "guessing",
            (
                "The same attack without the release. An attack that does no better than guessing is too "
                "weak to show that the release is safe."
            ),
        ),
        Fact(
            "marketer risk",
            (
                "The share of correct links if an adversary links every record, predicted from the sizes "
                "of the equivalence classes."
            ),
        ),
    ),
    limits=(
        "The attacks use only the columns named as quasi-identifiers. Another adversary may know more.",
        (
            "The success rate is an average over guesses; single records may be more exposed. See the "
            "highest prosecutor risk for them."
        ),
        "Without a control group, a success may come from general knowledge and not from the release.",
        (
            "Unless hierarchies are given, generalized values are interpreted by the way they are written. "
            "Values that cannot be interpreted match nobody and are mentioned in a note."
        ),
        "This page is a measurement, not legal advice. The people responsible decide about a release.",
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
    """Which tables were used."""
    control = result["control_records"]
    return (
        f"{count(result['records'])} released records compared with "
        f"{count(result['people'])} people in {result['settings']['against']}; control group: "
        f"{'none' if control is None else count(control)}."
    )


def verdict(result: ResultDict) -> Verdict:
    """Whether the threshold is met, if one was given; a success alone decides nothing."""
    if not result["decided"]:
        return Verdict(None, reasons_of(result), "Attacked")
    return Verdict(result["acceptable"], reasons_of(result))


def predicted_risk(result: ResultDict) -> Table:
    """The risk predicted from classes, and the success of the linkages."""
    risk, linkage = result["predicted"], result["linkage"]
    rows = (
        _predicted_row("prosecutor risk, highest, predicted", risk["prosecutor"]["highest"]),
        _predicted_row("prosecutor risk, average, predicted", risk["prosecutor"]["average"]),
        _predicted_row("marketer risk, predicted", risk["marketer"]["average"]),
        _linkage_row(LINKAGES["exact"], linkage["exact"]),
        _linkage_row(LINKAGES["nearest"], linkage["nearest"]),
        _predicted_row("probabilistic linkage, own estimate", result["probabilistic_linkage"]["expected"]),
        _linkage_row(LINKAGES["probabilistic"], linkage["probabilistic"]),
    )
    return Table(
        "Predicted and measured",
        "The risk predicted from equivalence classes, and how often a record was linked to the right person.",
        (
            Column("measure"),
            Column("probability", is_number=True),
            Column("interval", is_number=True),
            Column("correct guesses", is_number=True),
        ),
        rows,
        " ".join(one for one in (_prediction(result), _estimate_condition(result)) if one),
        marked=(3,),
    )


def _prediction(result: ResultDict) -> str:
    """Whether the measured success agrees with the prediction."""
    exact = result["linkage"]["exact"]
    if result["prediction_holds"] is None:
        return str(exact["reason"] or "")
    if result["prediction_holds"]:
        return "The predicted marketer risk is within the interval of the exact linkage."
    if result["predicted"]["marketer"]["average"] > exact["main"]["high"]:
        return (
            "The predicted marketer risk is above the interval of the exact linkage, which is the safe "
            "side. The prediction treats a suppressed cell as a value of its own, but in the attack such "
            "a cell matches everybody; changed values match nobody."
        )
    return (
        "The predicted marketer risk is below the interval of the exact linkage: it is too low. "
        "Check the notes and how the true matches are known."
    )


def _predicted_row(name: str, risk: float) -> tuple[str, ...]:
    return name, probability(risk), "", ""


def _linkage_row(name: str, attack: dict[str, Any]) -> tuple[str, ...]:
    main = attack["main"]
    if main is None:
        return name, MISSING, MISSING, MISSING
    return name, probability(main["value"]), span(main), _of(main)


def attacks(result: ResultDict) -> Table:
    """The success of each attack on the release, on the control group, and by guessing."""
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
            "The success rate on people in the release, on people who are not in it (control), and by "
            "guessing. The risk is what the release adds to the success on the control group."
        ),
        (
            Column("attack"),
            Column("success", is_number=True),
            Column("control", is_number=True),
            Column("guessing", is_number=True),
            Column("risk", is_number=True),
            Column("interval", is_number=True),
            Column("correct guesses", is_number=True),
        ),
        rows,
        " ".join(f"{one['attack']}: {one['reason']}" for one in made if one["reason"]),
    )


def criteria(result: ResultDict) -> Table:
    """The three questions of European guidance and their answers."""
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
            "Under European guidance, data are anonymous if all three answers are no. Otherwise, the "
            "risk must be evaluated."
        ),
        (
            Column("question"),
            Column("possible"),
            Column("attack", is_prose=True),
        ),
        rows,
        "The answers hold for these attacks and these columns. Another adversary may know more.",
    )


def weights(result: ResultDict) -> Table:
    """The weight of agreement and disagreement in each column."""
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
        "Weights of agreement",
        (
            "How often a record agrees with the right person (m) and with anyone (u), estimated without "
            "knowing the true matches. The weight is log2(m/u), here for the average value: a rare value "
            "weighs more. The person with the largest sum of weights "
            "is chosen. Near means within a tenth of the standard deviation."
        ),
        (
            Column("column"),
            Column("record and person"),
            Column("right person (m)", is_number=True),
            Column("anyone (u)", is_number=True),
            Column("weight", is_number=True),
        ),
        tuple(rows),
    )


def _assumed_share(found: dict[str, Any]) -> Fact:
    """The share of records with a match that the expectation rests on."""
    if found.get("present_is_given", True):
        return Fact("records with a match", probability(found["present"]), found["reason"] or "")
    if found["present"] is None:
        return Fact("records with a match", MISSING, found["reason"] or "")
    return Fact(
        "records with a match",
        "all, by assumption",
        f"learned from the tables: {probability(found['present'])}, which they do not determine well; set "
        "present if you know the share",
    )


def _estimate_condition(result: ResultDict) -> str:
    condition = _condition(result["probabilistic_linkage"])
    return f"The own estimate of probabilistic linkage is right{condition}." if condition else ""


def _condition(found: dict[str, Any]) -> str:
    """The condition under which the expectation holds."""
    return f" {found['condition']}" if found.get("condition") else ""


def claims(result: ResultDict) -> Facts:
    """The links that the adversary claims, and how many of them are correct."""
    found = result["probabilistic_linkage"]
    main = result["linkage"]["probabilistic"]["main"]
    facts = [
        Fact("records tried", count(found["records"])),
        _assumed_share(found),
        Fact(
            "correct links expected",
            (
                f"{expected_people(found['expected_matches'])}{_condition(found)} "
                f"({count(main['successes']) if main else MISSING} were correct)"
            ),
        ),
        Fact(
            "links claimed",
            count(found["claimed"]),
            f"links with an estimated probability of at least {probability(found['confidence'])}",
        ),
        Fact("precision", _share(found["precision"]), "share of the claimed links that are correct"),
        Fact(
            "recall",
            _share(found["recall"]),
            "share of the records with a true match that are claimed correctly",
        ),
    ]
    return Facts(
        "Probabilistic linkage",
        "What an adversary who allows for typing errors expects, and which links the adversary claims.",
        tuple(facts),
    )


def _share(found: dict[str, Any] | None) -> str:
    return MISSING if found is None else f"{probability(found['value'])} ({span(found)})"


def matching(result: ResultDict) -> Facts:
    """How records and people were compared."""
    marketer = result["predicted"]["marketer"]
    return Facts(
        "Matching",
        "How released records and people were compared.",
        (
            Fact("true matches known", result["truth"]["how"]),
            Fact("records that match nobody", count(result["unmatched_records"])),
            Fact("correct links predicted", expected_people(marketer["expected_matches"])),
        ),
    )


def settings(result: ResultDict) -> Facts:
    """The settings that reproduce the attack."""
    facts = [
        Fact(LABELS.get(name, name), _written(name, value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if value not in (None, []) and (name != "read_as" or cells_read(value))
    ]
    facts.append(Fact("seed", str(result["seed"])))
    return Facts("Settings", "With these settings, the same tables give the same result.", tuple(facts))


def _written(name: str, value: Any) -> str:
    if name == "sets":
        return "; ".join(", ".join(part) for part in value)
    if name == "level":
        return level(value)
    if name == "read_as":
        return cells_read(value)
    return ", ".join(value) if isinstance(value, list) else str(value)


def _of(tally: dict[str, Any]) -> str:
    return f"{count(tally['successes'])} of {count(tally['guesses'])}"


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Linkage and its prediction, then what the release adds to the other attacks."""
    groups = [one for one in (_linkage(result), _others(result)) if one.rows]
    marketer = result["predicted"]["marketer"]["average"]
    main = result["linkage"]["exact"]["main"]
    return (
        Chart(
            "attacks",
            "Predicted and measured success",
            "Lines are intervals. The prediction is correct if it is within the line of the exact linkage.",
            (f"Predicted {probability(marketer)}, measured {probability(main['value'] if main else None)}."),
            effects.height(groups),
            partial(draw_effects, groups=groups, axis=WHOLE, label="share of correct guesses"),
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
    return Effects("Linkage: records linked to the right person", tuple(rows))


def _others(result: ResultDict) -> Effects:
    made = (*result["singling_out"], result["linkability"], *result["inference"])
    has_control = result["control_records"] is not None
    title = (
        "What the release adds to the success of other attacks"
        if has_control
        else "Success of other attacks, without a control group"
    )
    rows = [_interval(one["attack"], one["risk"], decides=True) for one in made if one["risk"]]
    return Effects(title, tuple(rows))


def _interval(name: str, found: dict[str, Any], *, decides: bool) -> Interval:
    return Interval(name, found["value"], found["low"], found["high"], decides=decides)


def _exact_linkage(result: ResultDict) -> dict[str, Any] | None:
    """The success of the exact linkage."""
    main: dict[str, Any] | None = result["linkage"]["exact"]["main"]
    return main


def _linked_share(result: ResultDict) -> str:
    main = _exact_linkage(result)
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
        Show(predicted_risk),
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
            (Column("interval", is_number=True), lambda result: span(_exact_linkage(result))),
            *((Column(name), partial(_answer, place)) for place, name in enumerate(QUESTIONS)),
        ),
    ),
)
