"""How well annotators agree, and how their conflicts were settled."""

from __future__ import annotations

from functools import partial

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import pairs
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.pairs import Group, Pair, draw_pairs
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, reasons_of
from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.text.conflicts import KINDS

SCORES = ("f1", "f1_overlap", "kappa", "gamma")
SETTLED = {
    "majority": "more than half of the annotators agree",
    "union": "annotated if any annotator annotated it",
    "first": "as the first annotator annotated it",
    "decision": "as a person decided",
    "open": "a tie; annotated, to be safe, until a person decides",
}
MOST_TYPES = 25
"""Types in the chart; the table shows all."""


def name_of(result: ResultDict) -> str:
    """The annotators."""
    return " / ".join(one["name"] for one in result["annotators"])


def about(result: ResultDict) -> str:
    """What was compared, in a sentence."""
    marks = ", ".join(f"{one['name']} {count(one['annotations'])}" for one in result["annotators"])
    return f"{count(result['documents'])} documents, {count(result['words'])} words. Annotations: {marks}."


def verdict(result: ResultDict) -> Verdict:
    """Whether all conflicts are settled."""
    done = result["acceptable"]
    if not result["places"]["in_conflict"]:
        word = "No conflicts"
    else:
        word = "All conflicts are settled" if done else "Some conflicts are open"
    return Verdict(None if done else False, reasons_of(result), word)


def agreement(result: ResultDict) -> Table:
    """Every measure, for all types together and by type."""
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
            "1 is perfect agreement. F1 counts annotations that are identical, or that overlap and have "
            "the same type. Kappa (words) and gamma (spans) correct for agreement by chance."
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
        "n/a: there is nothing to compare, or chance alone would give perfect agreement.",
        marked=(0,),
    )


def pair_scores(result: ResultDict) -> Table | None:
    """The scores of each pair of annotators, if there are more than two annotators."""
    if len(result["pairs"]) < 2:
        return None
    return Table(
        "Pairs of annotators",
        "An annotator with low scores in all pairs may have understood the guideline differently.",
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


def _scores(row: ResultDict) -> tuple[str, ...]:
    return tuple(MISSING if row[name] is None else f"{row[name]:.3f}" for name in SCORES)


def by_type(result: ResultDict) -> list[ResultDict]:
    """The types, the lowest exact F1 first."""
    return sorted(result["by_type"], key=lambda one: (one["f1"] is None, one["f1"] or 0.0, one["type"]))


def conflicts(result: ResultDict) -> Table:
    """How the annotations differ."""
    every = result["places"]["agreed"] + result["places"]["in_conflict"]
    meanings = {str(kind): meaning for kind, meaning in KINDS.items()}
    rows = tuple(
        (kind, count(number), percent(number / every), meanings.get(kind, ""))
        for kind, number in result["conflicts"].items()
    )
    return Table(
        "Conflicts",
        (
            f"Of {count(every)} places with an annotation, "
            f"{count(result['places']['agreed'])} were annotated identically by everyone."
        ),
        (
            Column("kind"),
            Column("places", is_number=True),
            Column("share", is_number=True),
            Column("meaning", is_prose=True),
        ),
        rows,
        "" if rows else "There are no conflicts.",
    )


def merged_standard(result: ResultDict) -> Facts:
    """How the merged gold standard was made."""
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


def settings(result: ResultDict) -> Facts:
    """The settings that reproduce the result, and the definitions of the measures."""
    facts = [Fact(name, str(value)) for name, value in result["settings"].items()]
    facts.append(
        Fact(
            "seed",
            str(result["seed"]),
            "seed of the random annotations that gamma is compared with",
        )
    )
    facts += [Fact(name, text) for name, text in result["definitions"].items()]
    return Facts(
        "Settings and definitions",
        "The rules used, and how each measure is defined.",
        tuple(facts),
    )


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Exact and overlapping F1 of each type, the lowest first."""
    shown = by_type(result)[:MOST_TYPES]
    rows = [_pair(one["type"], one, one["conflicts"]) for one in shown]
    rows.append(
        _pair(
            "all types",
            result["overall"],
            result["places"]["in_conflict"],
            is_total=True,
        )
    )
    group = Group("Types (conflicts)", None, is_cutoff_for_total=False, pairs=tuple(rows))
    return (
        Chart(
            "agreement",
            "Agreement by type",
            (
                "F1 of overlapping annotations (ring) and of identical annotations (diamond, with its "
                "value on the right). The lowest comes first. In parentheses: the number of conflicts."
            ),
            (
                f"F1 of {len(result['by_type'])} types. Exact F1 of all types together: "
                f"{percent(result['overall']['f1'])}. The table below has every number."
            ),
            pairs.height([group]),
            partial(
                draw_pairs,
                groups=[group],
                names=("F1, overlapping", "F1, exact"),
            ),
        ),
    )


def _pair(name: str, row: ResultDict, conflicts: int, *, is_total: bool = False) -> Pair:
    return Pair(name, count(conflicts), row["f1_overlap"], row["f1"], is_total)


GUIDE = Guide(
    terms=(
        Fact(
            "F1",
            "Twice the number of shared annotations, divided by the number of annotations of both "
            "annotators. It does not matter which of them is taken as correct.",
        ),
        Fact("Kappa", "Agreement on words, corrected for chance. Most words are annotated by nobody."),
        Fact(
            "Gamma",
            (
                "Agreement on spans. The annotations of both annotators are paired as well as possible "
                "and compared with random annotations. A small offset counts as a small disagreement."
            ),
        ),
        Fact("Place", "A set of overlapping annotations, whoever made them."),
        Fact(
            "Open",
            "The rule could not settle the conflict, because equally many annotators are for and against it.",
        ),
    ),
    limits=(
        "High agreement does not mean that the annotations are correct: all annotators may have missed the "
        "same name.",
        "If people never review the conflicts, the gold standard contains the errors of the rule that "
        "settled them.",
    ),
    sources=(
        Source(
            "Hripcsak G, Rothschild AS. Agreement, the F-measure, and reliability in information retrieval. "
            "Journal of the American Medical Informatics Association 12 (2005) 296–298.",
            "10.1197/jamia.M1733",
        ),
        Source(
            "Cohen J. A coefficient of agreement for nominal scales. Educational and Psychological "
            "Measurement "
            "20 (1960) 37–46.",
            "10.1177/001316446002000104",
        ),
        Source(
            "Fleiss JL. Measuring nominal scale agreement among many raters. Psychological Bulletin 76 "
            "(1971) "
            "378–382.",
            "10.1037/h0031619",
        ),
        Source(
            "Mathet Y, Widlöcher A, Métivier JP. The unified and holistic method gamma for inter-annotator "
            "agreement measure and alignment. Computational Linguistics 41 (2015) 437–479.",
            "10.1162/COLI_a_00227",
        ),
    ),
)
KIND = Kind(
    title="Agreement between annotators",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Agreement between {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(agreement),
        Show(pair_scores),
        Show(conflicts),
        Show(merged_standard),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "How well each set of annotators agrees.",
        "annotators",
        (
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("F1, exact", is_number=True), lambda result: percent(result["overall"]["f1"])),
            (Column("conflicts", is_number=True), lambda result: count(result["places"]["in_conflict"])),
        ),
    ),
)
