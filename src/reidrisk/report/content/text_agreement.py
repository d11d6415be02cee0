"""Agreement of annotators, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.text.conflicts import KINDS

SCORES = ("f1", "f1_overlap", "kappa", "gamma")
SETTLED = {
    "majority": "more than half of the annotators marked it so, or not at all",
    "union": "whatever anybody marked is marked",
    "first": "as the first annotator has it",
    "decision": "as somebody decided",
    "open": "a tie; marked, to be careful, until somebody decides",
}


def name_of(result: dict[str, Any]) -> str:
    """The annotators."""
    return " / ".join(one["name"] for one in result["annotators"])


def about(result: dict[str, Any]) -> str:
    """What was compared."""
    marks = ", ".join(f"{one['name']} {count(one['annotations'])}" for one in result["annotators"])
    return f"{count(result['documents'])} documents, {count(result['words'])} words. Annotations: {marks}."


def verdict(result: dict[str, Any]) -> Verdict:
    """Whether conflicts are left."""
    done = result["acceptable"]
    reasons = tuple(Reason(text, done if at else None) for at, text in enumerate(result["reasons"]))
    if not result["places"]["in_conflict"]:
        said = "No conflict"
    else:
        said = "All conflicts are settled" if done else "Conflicts are open"
    return Verdict(None if done else False, reasons, said)


def agreement(result: dict[str, Any]) -> Table:
    """Every measure for all types together, by type and by pair."""
    rows = [
        (
            "All types",
            *_scores(result["overall"]),
            count(result["places"]["in_conflict"]),
        )
    ]
    rows += [(one["type"], *_scores(one), count(one["conflicts"])) for one in by_type(result)]
    return Table(
        "Agreement",
        (
            "1 is perfect. F1: marks that are the same, or that overlap under the same type. "
            "Kappa on words and gamma on spans leave out what chance alone would give."
        ),
        (
            Column("type"),
            Column("F1, exact", is_number=True),
            Column(
                "F1, overlapping",
                is_number=True,
                short="F1, overlap",
            ),
            Column("kappa", is_number=True),
            Column("gamma", is_number=True),
            Column("conflicts", is_number=True),
        ),
        tuple(rows),
        "n/a: nothing to compare, or chance alone would always agree.",
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
        "Every two annotators",
        "Somebody who agrees with nobody may have read the guideline differently.",
        (
            Column("annotators"),
            Column("F1, exact", is_number=True),
            Column(
                "F1, overlapping",
                is_number=True,
                short="F1, overlap",
            ),
            Column("kappa", is_number=True),
            Column("gamma", is_number=True),
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
        "Conflicts",
        (
            f"Of {count(every)} places that anybody marked, "
            f"{count(result['places']['agreed'])} were marked alike."
        ),
        (
            Column("kind"),
            Column("places", is_number=True),
            Column("share", is_number=True),
            Column("what it is", is_prose=True),
        ),
        rows,
        "" if rows else "There is none.",
    )


def merged(result: dict[str, Any]) -> Facts:
    """The gold standard that follows."""
    facts = [
        Fact(
            "annotations",
            count(result["merged"]["annotations"]),
            "in the merged gold standard",
        )
    ]
    facts += [
        Fact(f"settled: {how}", count(number), SETTLED[how]) for how, number in result["settled"].items()
    ]
    return Facts(
        "Merged gold standard",
        "How each conflict was settled.",
        tuple(facts),
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the result, and what the measures mean."""
    facts = [Fact(name, str(value)) for name, value in result["settings"].items()]
    facts.append(
        Fact(
            "seed",
            str(result["seed"]),
            "of the chance that gamma is held against",
        )
    )
    facts += [Fact(name, text) for name, text in result["definitions"].items()]
    return Facts(
        "Settings and definitions",
        "Rules, and what each measure is.",
        tuple(facts),
    )


def _scores(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(MISSING if row[name] is None else f"{row[name]:.3f}" for name in SCORES)
