"""How far annotators agree."""

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
    "majority": "more than half of the annotators marked it so, or not at all",
    "union": "whatever anybody marked is marked",
    "first": "as the first annotator has it",
    "decision": "as somebody decided",
    "open": "a tie; marked, to be careful, until somebody decides",
}


def name_of(result: ResultDict) -> str:
    """The annotators."""
    return " / ".join(one["name"] for one in result["annotators"])


def about(result: ResultDict) -> str:
    """What was compared."""
    marks = ", ".join(f"{one['name']} {count(one['annotations'])}" for one in result["annotators"])
    return f"{count(result['documents'])} documents, {count(result['words'])} words. Annotations: {marks}."


def verdict(result: ResultDict) -> Verdict:
    """Whether conflicts are left."""
    done = result["acceptable"]
    if not result["places"]["in_conflict"]:
        said = "No conflict"
    else:
        said = "All conflicts are settled" if done else "Conflicts are open"
    return Verdict(None if done else False, reasons_of(result), said)


def agreement(result: ResultDict) -> Table:
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


def by_type(result: ResultDict) -> list[ResultDict]:
    """The types, the worst exact F1 first."""
    return sorted(result["by_type"], key=lambda one: (one["f1"] is None, one["f1"] or 0.0, one["type"]))


def pair_scores(result: ResultDict) -> Table | None:
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


def conflicts(result: ResultDict) -> Table:
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


def merged(result: ResultDict) -> Facts:
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


def settings(result: ResultDict) -> Facts:
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


def _scores(row: ResultDict) -> tuple[str, ...]:
    return tuple(MISSING if row[name] is None else f"{row[name]:.3f}" for name in SCORES)


MOST = 25
"""Types; the table shows all."""


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """Exact and overlapping F1 of every type, the worst first."""
    shown = by_type(result)[:MOST]
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
                "F1 of overlapping marks (ring) and of marks that are the same to the letter "
                "(diamond, written at the right), the worst first; in brackets the places in "
                "conflict."
            ),
            (
                f"F1 of {len(result['by_type'])} types; all together "
                f"{percent(result['overall']['f1'])} exact. The table below has every number."
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
        Fact("F1", ("Twice the marks in common over all marks of both: the same whoever is taken as right.")),
        Fact("Kappa", "Agreement on words, less what chance would give. Most words are unmarked by all."),
        Fact(
            "Gamma",
            (
                "Agreement on spans: marks of both are paired so that they fit best, and compared "
                "with marks put there by chance. A mark that is a little off counts a little."
            ),
        ),
        Fact("Place", "Marks that overlap, of whomever."),
        Fact("Open", "No rule settles it: as many annotators speak for it as against it."),
    ),
    limits=(
        "High agreement is not truth: all may have missed the same name.",
        "A gold standard that was never settled by people carries the errors of its rule.",
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
    title="Agreement of annotators",
    name_of=name_of,
    about=about,
    headline=lambda result: f"Agreement of {name_of(result)}: {about(result)}",
    verdict=verdict,
    charts=charts,
    shows=(
        Show(agreement),
        Show(pair_scores),
        Show(conflicts),
        Show(merged),
        Show(settings),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "How far each set of annotators agrees.",
        "annotators",
        (
            (Column("documents", is_number=True), lambda result: count(result["documents"])),
            (Column("F1, exact", is_number=True), lambda result: percent(result["overall"]["f1"])),
            (Column("conflicts", is_number=True), lambda result: count(result["places"]["in_conflict"])),
        ),
    ),
)
