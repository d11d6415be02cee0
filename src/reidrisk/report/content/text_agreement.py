"""Agreement of annotators, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say
from reidrisk.text.conflicts import KINDS

SCORES = ("f1", "f1_overlap", "kappa", "gamma")
SETTLED = {
    "majority": say("content.text_agreement.more_than_half"),
    "union": say("content.text_agreement.whatever_anybody_marked"),
    "first": say("content.text_agreement.as_the_first"),
    "decision": say("content.text_agreement.as_somebody_decided"),
    "open": say("content.text_agreement.a_tie_marked"),
}


def name_of(result: dict[str, Any]) -> str:
    """The annotators."""
    return " / ".join(one["name"] for one in result["annotators"])


def about(result: dict[str, Any]) -> str:
    """What was compared."""
    marks = ", ".join(f"{one['name']} {count(one['annotations'])}" for one in result["annotators"])
    return say(
        "content.text_agreement.documents_words_annotations",
        documents=count(result["documents"]),
        words=count(result["words"]),
        marks=marks,
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether conflicts are left."""
    done = result["acceptable"]
    reasons = tuple(Reason(text, done if at else None) for at, text in enumerate(result["reasons"]))
    if not result["places"]["in_conflict"]:
        said = say("content.text_agreement.no_conflict")
    else:
        said = (
            say("content.text_agreement.all_conflicts_are")
            if done
            else say("content.text_agreement.conflicts_are_open")
        )
    return Verdict(None if done else False, reasons, said)


def agreement(result: dict[str, Any]) -> Table:
    """Every measure for all types together, by type and by pair."""
    rows = [
        (
            say("content.text_agreement.all_types"),
            *_scores(result["overall"]),
            count(result["places"]["in_conflict"]),
        )
    ]
    rows += [(one["type"], *_scores(one), count(one["conflicts"])) for one in by_type(result)]
    return Table(
        say("content.text_agreement.agreement"),
        say("content.text_agreement.n1_is_perfect"),
        (
            Column(say("content.text_agreement.type")),
            Column(say("content.text_agreement.f1_exact"), is_number=True),
            Column(
                say("content.text_agreement.f1_overlapping"),
                is_number=True,
                short=say("content.text_agreement.f1_overlap"),
            ),
            Column(say("content.text_agreement.kappa"), is_number=True),
            Column(say("content.text_agreement.gamma"), is_number=True),
            Column(say("content.text_agreement.conflicts"), is_number=True),
        ),
        tuple(rows),
        say("content.text_agreement.n_a_nothing"),
        marked=(0,),
    )


def by_type(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The types, the worst exact F1 first."""
    return sorted(result["by_type"], key=lambda one: (one["f1"] is None, one["f1"] or 0.0, one["type"]))


def pairs(result: dict[str, Any]) -> Table | None:
    """Every two annotators, where there are more than two."""
    if len(result["pairs"]) < 2:
        return None
    return Table(
        say("content.text_agreement.every_two_annotators"),
        say("content.text_agreement.somebody_who_agrees"),
        (
            Column(say("content.text_agreement.annotators")),
            Column(say("content.text_agreement.f1_exact"), is_number=True),
            Column(
                say("content.text_agreement.f1_overlapping"),
                is_number=True,
                short=say("content.text_agreement.f1_overlap"),
            ),
            Column(say("content.text_agreement.kappa"), is_number=True),
            Column(say("content.text_agreement.gamma"), is_number=True),
        ),
        tuple((f"{one['a']} / {one['b']}", *_scores(one)) for one in result["pairs"]),
    )


def conflicts(result: dict[str, Any]) -> Table:
    """How the annotators differ."""
    every = result["places"]["agreed"] + result["places"]["in_conflict"]
    meanings = {str(kind): meaning for kind, meaning in KINDS.items()}
    rows = tuple(
        (kind, count(number), percent(number / every), meanings.get(kind, ""))
        for kind, number in result["conflicts"].items()
    )
    return Table(
        say("content.text_agreement.conflicts_2"),
        say(
            "content.text_agreement.of_places_that",
            every=count(every),
            agreed=count(result["places"]["agreed"]),
        ),
        (
            Column(say("content.text_agreement.kind")),
            Column(say("content.text_agreement.places"), is_number=True),
            Column(say("content.text_agreement.share"), is_number=True),
            Column(say("content.text_agreement.what_it_is"), is_prose=True),
        ),
        rows,
        "" if rows else say("content.text_agreement.there_is_none"),
    )


def merged(result: dict[str, Any]) -> Facts:
    """The gold standard that follows."""
    facts = [
        Fact(
            say("content.text_agreement.annotations"),
            count(result["merged"]["annotations"]),
            say("content.text_agreement.in_the_merged"),
        )
    ]
    facts += [
        Fact(say("content.text_agreement.settled", how=how), count(number), SETTLED[how])
        for how, number in result["settled"].items()
    ]
    return Facts(
        say("content.text_agreement.merged_gold_standard"),
        say("content.text_agreement.how_each_conflict"),
        tuple(facts),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the result, and what the measures mean."""
    facts = [Fact(name, str(value)) for name, value in result["settings"].items()]
    facts.append(
        Fact(
            say("content.text_agreement.seed"),
            str(result["seed"]),
            say("content.text_agreement.of_the_chance"),
        )
    )
    facts += [Fact(name, text) for name, text in result["definitions"].items()]
    return Facts(
        say("content.text_agreement.settings_and_definitions"),
        say("content.text_agreement.rules_and_what"),
        tuple(facts),
    )


def _scores(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(MISSING if row[name] is None else f"{row[name]:.3f}" for name in SCORES)
