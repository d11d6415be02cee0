"""The limits that decide: observed risk per document, clusters, strata, gates, undecided, counts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.context.recognition import Recognition
from reidrisk.core.wording import UNDECIDED
from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.stats.observed_limit import ObservedRisk, SampleDesign
from reidrisk.stats.sample_size import BENCHMARK_UPPER
from reidrisk.stats.uncertain import Beta, Triangular
from reidrisk.text.assess import Provenance, RiskOnly, assess, assess_only
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evaluate import gather_evidence
from reidrisk.text.evidence import Evidence, evidence_from_dict, evidence_to_dict
from reidrisk.text.gates import direct_gates
from reidrisk.text.observed import (
    benchmark_share,
    design_among,
    direct_documents,
    direct_leak_share,
    quasi_documents,
    quasi_leak_share,
    sample_design,
)
from reidrisk.text.tally import Counting
from tests.cli.running import Run
from tests.text.test_models import evidence

LENIENT = {"unevaluated": "accept", "crosscheck": False}
HIDDEN = rr.Release.public("resynthesis", recognition=0.27)
Corpora = tuple[list[Document], list[Document]]


def corpus(leaking: int, documents: int, *, types: int = 1, name: str = "doc{:04}") -> Corpora:
    """Each document holds one annotation of each type; those of the first `leaking` documents leak."""
    text = " ".join(f"Name{place}" for place in range(types))
    marks = tuple(
        Annotation(start := text.index(f"Name{place}"), start + len(f"Name{place}"), f"T{place}", "direct")
        for place in range(types)
    )
    golds = [Document(name.format(number), marks, text) for number in range(documents)]
    tools = [
        replace(gold, annotations=marks[1:] if number < leaking else marks, text=None)
        for number, gold in enumerate(golds)
    ]
    return golds, tools


def evaluate(corpora: Corpora, **options: Any) -> rr.TextRisk:
    cluster = options.pop("cluster", None)
    release = options.pop("release", None)
    return rr.evaluate_text(
        *corpora,
        release=release,
        settings=rr.text_settings(options=LENIENT | options),
        counting=Counting.choose(cluster=cluster),
    )


def decide(corpora: Corpora) -> RiskOnly:
    """The verdict alone, without the figures of the model: redaction, the default threshold."""
    settings = rr.text_settings(options=LENIENT)
    evidence = gather_evidence(*corpora, settings=settings, counting=Counting())
    release, threshold = rr.Release.public("redaction"), rr.Threshold.from_cell_size(5, "test")
    return assess_only(evidence, release, threshold, settings, seed=7)


def test_a_perfect_tool_on_120_documents_passes_with_any_number_of_types() -> None:
    for types in (1, 4, 10, 25):
        risk = decide(corpus(0, 120, types=types))
        assert risk.acceptable
        assert risk.direct is not None
        assert risk.direct.estimate.high == pytest.approx(0.03027297, abs=1e-8)


@hypothesis_settings(max_examples=12, deadline=None)
@given(st.integers(0, 20), st.integers(20, 60), st.integers(1, 6))
def test_with_redaction_types_without_leaks_leave_the_limit_unchanged(
    leaking: int, documents: int, more: int
) -> None:
    one, many = (decide(corpus(leaking, documents, types=types)) for types in (1, 1 + more))
    assert one.direct is not None
    assert many.direct is not None
    assert one.direct.estimate == many.direct.estimate
    assert one.decision == many.decision


@pytest.mark.parametrize(
    ("leaking", "decision", "needed"),
    [(4, "accepted", None), (5, "undecided", (130, 161, 375)), (25, "refused", None)],
)
def test_the_decision_and_the_documents_needed(
    leaking: int, decision: str, needed: tuple[int, ...] | None
) -> None:
    risk = evaluate(corpus(leaking, 120))
    result = risk.to_dict()
    assert (result["decision"], result["direct"]["decision"]) == (decision, decision)
    assert result["acceptable"] is (decision == "accepted")
    assert result["direct"]["interval"] == "observed"
    assert result["direct"]["value"] == pytest.approx(leaking / 120)
    assert result["direct"]["threshold"] == pytest.approx(BENCHMARK_UPPER)
    assert (result["documents_needed"] is None) == (needed is None)
    if needed:
        for part in (result, result["direct"]):
            found = part["documents_needed"]
            names = ("if_nothing_more_leaks", "if_share_stays", "with_chance")
            assert tuple(found[name] for name in names) == needed
            assert (found["unit"], found["examined"], found["chance"]) == ("documents", 120, 0.9)
        assert str(risk).splitlines()[2].startswith("TOO FEW DOCUMENTS TO DECIDE: 130 WOULD DO")


def test_undecided_above_the_threshold_promises_nothing() -> None:
    result = evaluate(corpus(12, 120)).to_dict()
    assert result["decision"] == "undecided"
    assert result["documents_needed"]["if_nothing_more_leaks"] is None
    assert "is above it too" in result["reasons"][0]


def test_the_model_stands_beside_and_decides_only_if_asked() -> None:
    corpora = corpus(5, 120)
    observed, model = evaluate(corpora).to_dict(), evaluate(corpora, limit="model").to_dict()
    beside = observed["direct"]["model"]
    assert {**beside, "decision": None, "documents_needed": None} == {
        **model["direct"],
        "decision": None,
        "documents_needed": None,
    }
    assert model["direct"]["interval"] == "parameter"
    assert model["direct"]["decision"] in ("accepted", "refused")
    assert "model" not in model["direct"]


def test_the_attempt_cannot_change_the_verdict_on_direct_identifiers() -> None:
    rare = rr.Release.non_public("redaction", attempt=(0.3, 0.4, 0.5))
    public, known = evaluate(corpus(5, 120)), evaluate(corpus(5, 120), release=rare)
    assert public.direct is not None
    assert known.direct is not None
    assert public.direct.estimate == known.direct.estimate
    assert public.direct.threshold == known.direct.threshold
    assert known.direct.with_attempt is not None
    estimate, threshold = known.direct.with_attempt
    assert estimate.high == pytest.approx(0.03876016, abs=1e-6)
    assert threshold == pytest.approx(0.03628294, abs=1e-6)
    assert known.to_dict()["benchmark"]["with_attempt"]["high"] == pytest.approx(0.03628294, abs=1e-6)


@pytest.mark.parametrize(
    ("documents", "leaking", "is_open"),
    [
        (35, 0, False),
        (36, 0, True),
        (100, 4, True),
        (100, 5, False),
        (118, 5, True),
        (220, 13, True),
        (220, 14, False),
        (500, 36, True),
        (500, 37, False),
    ],
)
def test_the_gate_opens_by_the_upper_limit_of_the_leaks(
    documents: int,
    leaking: int,
    is_open: bool,
) -> None:
    settings = rr.text_settings(options=LENIENT)
    golds, tools = corpus(leaking, documents)
    evidence = gather_evidence(golds, tools, settings=settings, counting=Counting())
    assert direct_gates(evidence, HIDDEN.recognition, settings, "significant") == {"T0": is_open}


def test_recognition_counts_behind_an_open_gate_and_the_closed_gate_is_shown() -> None:
    hidden = rr.Release.public("resynthesis", recognition=0.1)
    result = evaluate(corpus(4, 120), release=hidden).to_dict()
    assert result["direct"]["high"] == pytest.approx(0.00831487, abs=1e-8)
    assert result["gates"][0]["upper_leak"] == pytest.approx(0.08314872, abs=1e-8)
    closed = result["gate_comparison"]["never"]["direct"]["high"]
    assert closed == pytest.approx(0.08314872, abs=1e-8)


def test_a_named_type_that_is_absent_could_leak_everything() -> None:
    hidden = rr.Release.public("resynthesis", recognition=0.1)
    golds, tools = corpus(1, 120)
    settings = rr.text_settings(options=LENIENT)
    limits = [
        rr.evaluate_text(
            golds, tools, release=hidden, settings=settings, counting=Counting.choose(types=types)
        ).direct.estimate.high  # type: ignore[union-attr]
        for types in (None, "EMAIL=direct")
    ]
    assert limits[1] > 3 * limits[0]


def clustered(leaks: dict[int, int], clusters: int, size: int, name: str) -> Corpora:
    """Clusters of one size, of which some leak in the first so many documents."""
    ids = [(at, place) for at in range(clusters) for place in range(size)]
    golds, _ = corpus(0, len(ids))
    golds = [
        replace(gold, id=name.format(at, place), about=(("author", f"a{at}"),))
        for gold, (at, place) in zip(golds, ids, strict=True)
    ]
    tools = [
        Document(gold.id, () if place < leaks.get(at, 0) else gold.annotations)
        for gold, (at, place) in zip(golds, ids, strict=True)
    ]
    return golds, tools


LEAKS = {0: 1, 1: 1, 2: 2, 3: 6}


@pytest.mark.parametrize(
    ("cluster", "name"),
    [("^(\\d+)-", "{}-{}"), ("author", "d{}x{}"), ("field:author", "d{}x{}"), ("folder", "f{}/d{}")],
)
def test_clusters_by_pattern_field_or_folder(cluster: str, name: str) -> None:
    """20 clusters of 10: the reference value, whatever names the clusters."""
    risk = evaluate(clustered(LEAKS, 20, 10, name), cluster=cluster)
    result = risk.to_dict()
    assert result["direct"]["high"] == pytest.approx(0.22223808, abs=1e-8)
    assert result["direct"]["value"] == pytest.approx(0.05)
    assert (result["clusters"]["number"], result["clusters"]["largest"]) == (20, 10)
    assert result["clusters"]["needed_without_leaks"]["direct"] == 41
    assert result["direct"]["documents_needed"]["unit"] == "clusters"
    assert any("Too few clusters: 20. At least 41 (the benchmark)" in text for text in result["warnings"])
    assert result["likely_clusters"] is None


def test_cluster_settings() -> None:
    corpora = clustered(LEAKS, 20, 10, "{}-{}")
    plain, larger, equal = (
        evaluate(corpora, cluster="^(\\d+)-", **options).direct.estimate.high  # type: ignore[union-attr]
        for options in ({}, {"cluster_max": 40}, {"cluster_weight": "equal"})
    )
    assert equal == pytest.approx(plain), "clusters of equal size count the same anyway"
    assert larger > plain + 0.1


def test_documents_without_a_cluster_are_clusters_of_their_own_with_a_warning() -> None:
    golds, tools = clustered(LEAKS, 20, 10, "{}-{}")
    stray = [replace(golds[0], id=f"stray{number}", about=()) for number in range(3)]
    golds, tools = [*golds, *stray], [*tools, *(replace(one, text=None) for one in stray)]
    result = evaluate((golds, tools), cluster="author").to_dict()
    assert result["clusters"]["number"] == 23
    assert any(
        "3 documents without a cluster count as clusters of their own" in w for w in result["warnings"]
    )


@pytest.mark.parametrize("name", ["author{}-{:02}", "author{}/note{:02}"])
def test_likely_clusters_are_found_in_the_ids(name: str) -> None:
    result = evaluate(clustered({0: 9, 1: 8}, 20, 10, name)).to_dict()
    likely = result["likely_clusters"]
    assert likely["groups"] == 20
    assert likely["direct"]["p"] <= 0.01
    limit = likely["direct"]["limits"]["high"]
    assert limit > result["direct"]["high"]
    assert any("--cluster" in text and f"{limit:.4f}" in text for text in result["warnings"])
    spread = evaluate(clustered(dict.fromkeys(range(20), 1), 20, 10, name)).to_dict()
    assert spread["likely_clusters"]["direct"]["limits"] is None
    assert not any("--cluster" in text for text in spread["warnings"])
    assert evaluate(corpus(5, 60)).to_dict()["likely_clusters"] is None, "one group is none"


def test_strata_with_shares_of_the_release() -> None:
    golds, tools = clustered({0: 3, 1: 10}, 2, 60, "{}-{}")
    shares = {"strata": "^(\\d)-", "release_shares": {"0": 0.9, "1": 0.1}}
    result = evaluate((golds, tools), **shares).to_dict()
    assert result["direct"]["high"] == pytest.approx(0.14258182, abs=1e-8)
    assert result["direct"]["value"] == pytest.approx(0.9 * 0.05 + 0.1 / 6)
    assert [(one["stratum"], one["documents"], one["share"]) for one in result["strata"]] == [
        ("0", 60, 0.9),
        ("1", 60, 0.1),
    ]
    pooled = evaluate((golds, tools), strata="^(\\d)-").to_dict()
    assert pooled["direct"]["value"] == pytest.approx(13 / 120)
    assert pooled["strata"][1]["direct"]["value"] == pytest.approx(1 / 6)
    warned = evaluate(clustered({0: 1, 1: 40}, 2, 60, "{}-{}"), strata="^(\\d)-").to_dict()
    assert any("In the stratum 1 alone, even the lower limit" in text for text in warned["warnings"])
    with pytest.raises(InvalidSetting, match="the strata of the sample are 0, 1"):
        evaluate((golds, tools), strata="^(\\d)-", release_shares={"0": 0.5, "2": 0.5})


def test_stored_evidence_keeps_clusters_and_strata_but_no_order() -> None:
    settings = rr.text_settings(options=LENIENT | {"strata": "^(\\d)"})
    golds, tools = clustered(LEAKS, 20, 10, "{}-{}")
    counting = Counting.choose(cluster="author")
    risks = []
    for order in (1, -1):
        evidence = gather_evidence(golds[::order], tools, settings=settings, counting=counting)
        stored = evidence_to_dict(evidence)
        assert json.loads(json.dumps(stored)) == stored
        back = evidence_from_dict(stored)
        assert np.bincount(back.clusters).tolist() == [10] * 20  # type: ignore[arg-type]
        assert back.strata_names == evidence.strata_names
        release, threshold = rr.Release.public("redaction"), rr.Threshold.from_cell_size(5, "test")
        provenance = Provenance(7)
        risks.append(assess(back, release, threshold, settings, provenance=provenance))
    assert risks[0].to_dict()["direct"] == risks[1].to_dict()["direct"]
    assert risks[0].direct is not None
    assert risks[0].direct.estimate.high == pytest.approx(0.22223808, abs=1e-8)


def test_merged_patients_take_the_cluster_of_their_first_document() -> None:
    golds, tools = clustered({}, 4, 3, "{}-{}")
    counting = Counting.choose(patient="-(\\d)", cluster="author")
    settings = rr.text_settings(options=LENIENT)
    result = rr.evaluate_text(golds, tools, settings=settings, counting=counting).to_dict()
    assert (result["documents"], result["clusters"]["number"]) == (3, 1)
    assert any("9 documents of merged patients" in text for text in result["warnings"])


def test_quasi_identifiers_by_their_leaked_values() -> None:
    """K = 0:90 1:12 2:9 3:5 5:3 8:1 with an open gate and a recognition of 0.27: the reference value."""
    golds, tools = [], []
    values = [f"Value{place}" for place in range(8)]
    text = " ".join(values) + " x" * 60
    marks = [Annotation(text.index(value), text.index(value) + 6, "CITY", "quasi") for value in values]
    spread = [0] * 90 + [1] * 12 + [2] * 9 + [3] * 5 + [5] * 3 + [8]
    for number, leaked in enumerate(spread):
        golds.append(Document(f"d{number}", tuple(marks), text))
        tools.append(Document(f"d{number}", tuple(marks[leaked:])))
    hidden = rr.Release.public("resynthesis", recognition=0.27)
    risk = evaluate((golds, tools), release=hidden)
    assert risk.quasi is not None
    assert risk.gates[0].applied
    assert risk.quasi.estimate.high == pytest.approx(0.06425920, abs=1e-8)
    certain = evaluate((golds, tools))
    assert certain.quasi is not None
    assert certain.quasi.estimate.value == pytest.approx(0.15)


@pytest.mark.parametrize("limit", ["observed", "model"])
def test_improvements_under_either_limit(limit: str) -> None:
    notes = clinical_notes(seed=7)
    release = rr.Release.public("resynthesis", recognition=rr.Triangular(0.1, 0.2, 0.4))
    settings = rr.text_settings(options={"limit": limit, "crosscheck": False})
    risk = rr.evaluate_text(notes, case_study_tool(notes, seed=7), release=release, settings=settings)
    found = risk.improvements.direct
    assert found is not None
    assert not found.acceptable
    assert [one.high_if_perfect for one in found.by_type] == sorted(
        one.high_if_perfect for one in found.by_type
    )
    assert all(step[2] > step[1] for step in found.together)


def test_the_comparison_of_tools_says_which_are_undecided() -> None:
    golds, tools = corpus(5, 120)
    _, worse = corpus(40, 120)
    settings = rr.text_settings(options=LENIENT)
    compared = rr.compare_tools(golds, {"good": tools, "bad": worse}, settings=settings)
    result = compared.to_dict()
    assert result["reasons"][0].endswith(
        "130 would do if nothing more leaks, 375 with a probability of 90 %."
    )
    assert f"{UNDECIDED.upper()} ON GOOD" in str(compared)
    difference = result["differences"][0]["direct"]
    assert difference["value"] == pytest.approx(-35 / 120)
    assert difference["lower"] == "a"


COUNTS = """type,role,documents,leaking_documents,instances,caught,values
corpus,all,120,,,,
NAME,direct,118,2,1332,1320,
ID,direct,105,1,438,430,
PHONE,direct,34,1,,,
places and dates,quasi,120,,957,930,476
"""


def test_risk_from_published_counts(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(COUNTS, encoding="utf-8")
    result = rr.evaluate_counts(path).to_dict()
    assert result["direct"]["high"] == pytest.approx(0.08314872, abs=1e-8)
    assert result["direct"]["value"] == pytest.approx(4 / 120)
    assert result["decision"] == "accepted"
    assert result["quasi"]["interval"] == "parameter"
    assert result["quasi_model"] == {
        "recall": pytest.approx(930 / 957),
        "values_per_document": pytest.approx(476 / 120),
        "instances_per_value": pytest.approx(957 / 476),
        "documents": 120,
        "values": 476,
    }
    assert (result["settings"]["values"], result["settings"]["repeats"]) == ("poisson", "shifted_poisson")
    assert any("computed by the model" in text for text in result["warnings"])
    assert result["observed"]["share_with_needed_quasi_leaks"] is None
    overlapping = COUNTS.replace("NAME,direct,118,2", "NAME,direct,118,90").replace("105,1", "105,60")
    path.write_text(overlapping, encoding="utf-8")
    assert rr.evaluate_counts(path).to_dict()["direct"]["value"] == 1, "k is at most n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("corpus,all,120,,,,\n", "", "0 rows with the role `all`"),
        ("NAME,direct,118,2", "NAME,direct,118,119", "row 3: leaking_documents is more than documents"),
        ("NAME,direct,118", "NAME,direct,121", "row 3: documents is 0, or more than the 120"),
        ("957,930", "957,958", "row 6: caught is more than instances"),
        ("NAME,direct,118,2", "NAME,direct,118,two", "row 3: leaking_documents is not a whole number"),
        ("NAME,direct", "NAME,name", "row 3: the role is not direct, quasi or all"),
        ("ID,direct,105,1", "ID,direct,105,", "row 4: leaking_documents is missing"),
        ("ID,direct", "NAME,direct", "has a type twice"),
    ],
)
def test_counts_that_make_no_sense_are_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(COUNTS.replace(old, new), encoding="utf-8")
    with pytest.raises(BadData, match=said):
        rr.evaluate_counts(path)
    path.write_text(COUNTS.replace("caught", "found"), encoding="utf-8")
    with pytest.raises(UnreadableFile, match="does not know the column 'found'"):
        rr.evaluate_counts(path)


def test_the_command_line_is_undecided_with_exit_code_3(command: Run, tmp_path: Path) -> None:
    from reidrisk.text.formats.jsonl import write_jsonl

    golds, tools = clustered(LEAKS, 20, 10, "ward{}-{}")
    gold, tool = tmp_path / "gold.jsonl", tmp_path / "tool.jsonl"
    write_jsonl(golds, gold)
    write_jsonl([replace(one, text=golds[0].text) for one in tools], tool)
    options = ("--set", "unevaluated=accept", "--set", "crosscheck=no")
    code, output, error = command("text", "evaluate", str(gold), str(tool), *options)
    assert code == 3, error
    assert output.splitlines()[2].startswith("TOO FEW DOCUMENTS TO DECIDE: ")
    code, output, error = command(
        "text", "evaluate", str(gold), str(tool), "--cluster", "^ward(\\d+)-", *options
    )
    assert code == 3, error
    assert "Too few clusters: 20." in " ".join(output.split())
    counts = tmp_path / "counts.csv"
    counts.write_text(COUNTS, encoding="utf-8")
    code, output, error = command("text", "evaluate", "--counts", str(counts))
    assert code == 0, error
    assert "RISK FROM THE COUNTS" in output.upper()
    for wrong in (("--counts", str(counts), str(gold)), ("--counts", str(counts), "--by", "folder"), ()):
        code, _, error = command("text", "evaluate", *wrong)
        assert code == 2, wrong


def small(**changed: Any) -> Evidence:
    """Five documents of three authors and two strata; of four with a name, one leaks."""
    return evidence(
        clusters=np.array([0, 0, 1, 2, 2]),
        strata=np.array([0, 1, 1, 1, 0]),
        strata_names=("a", "b"),
        **changed,
    )


def units(risk: ObservedRisk) -> list[tuple[float, ...]]:
    return sorted(zip(risk.sizes, *risk.sums, risk.counts, strict=True))


def test_documents_without_a_type_say_nothing_about_its_leaks() -> None:
    plain = SampleDesign()
    name, doctor = (direct_leak_share(small(), kind, plain) for kind in ("NAME", "DOCTOR"))
    assert units(name) == [(1, 0, 3), (1, 1, 1)]
    assert units(doctor) == [(1, 0, 2), (1, 1, 0)]
    chosen = rr.text_settings(options=LENIENT)
    by_author = direct_leak_share(small(), "NAME", sample_design(small(), chosen))
    assert units(by_author) == [(1, 0, 2), (2, 1, 1)]
    assert by_author.largest == 2
    assert sample_design(small(), replace(chosen, cluster_max=6, cluster_weight="equal")).cluster_max == 6
    assert sample_design(small(), replace(chosen, cluster_weight="equal")).equal


def test_leaked_instances_by_document() -> None:
    """Of 8, 3 and 1 instances, 2, 1 and 0 leaked; two documents have none."""
    assert units(quasi_leak_share(small(), SampleDesign())) == [(1, 0, 1), (3, 1, 1), (8, 2, 1)]
    by_author = quasi_leak_share(small(), SampleDesign(small().clusters))
    assert units(by_author) == [(1, 0, 1), (11, 3, 1)]


def test_strata_count_by_their_share_of_the_release() -> None:
    """Two documents of the stratum a stand for 0.7 of the release, three of b for the rest."""
    chosen = rr.text_settings(options={**LENIENT, "strata": "^(.)", "release_shares": "a=0.7,b=0.3"})
    design = sample_design(small(), chosen)
    assert design.weight is not None
    assert design.weight == pytest.approx(np.array([0.7, 0.3, 0.3, 0.3, 0.7]) * 5 / [2, 3, 3, 3, 2])
    assert design.weight.mean() == pytest.approx(1)
    assert sample_design(small(), rr.text_settings(options=LENIENT)).weight is None
    some = design_among(design, np.array([3, 4, 2]))
    assert some.weight is None
    assert some.cluster is not None
    assert some.cluster.tolist() == [1, 1, 0]
    assert design_among(SampleDesign(), np.array([1])).cluster is None


def test_risks_of_documents_by_what_leaked_in_them() -> None:
    leaks = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 0]], dtype=bool)
    hidden = rr.Release.public("resynthesis", recognition={"default": 0.5, "DOCTOR": 0.2})
    found = direct_documents(small(leaks=leaks), hidden, {"NAME": True, "DOCTOR": True})
    assert found.values == pytest.approx([0.5, 0.6, 0.2, 0.0, 0.5])
    assert found.tops == pytest.approx([0.6])
    assert found.among(np.array([1, 3])).values == pytest.approx([0.6, 0.0])
    closed = direct_documents(small(leaks=leaks), hidden, {"NAME": True, "DOCTOR": False})
    assert closed.values == pytest.approx([0.5, 1.0, 1.0, 0.0, 0.5])
    absent = small(leaks=leaks, absent=(("PHONE", "direct"),))
    assert direct_documents(absent, hidden, {"NAME": True, "DOCTOR": True}).tops.tolist() == [1.0]
    risk = found.risk(SampleDesign(), given_catch=0.1)
    assert risk.estimate == pytest.approx(0.1 + 0.9 * 1.8 / 5)


def test_several_uncertain_recognitions_are_high_or_low_together() -> None:
    both = rr.Release.public(
        "resynthesis", recognition=Recognition(Beta(3, 5), {"DOCTOR": Triangular(0.1, 0.2, 0.6)})
    )
    leaks = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [0, 0]], dtype=bool)
    found = direct_documents(small(leaks=leaks), both, {"NAME": True, "DOCTOR": True})
    assert found.values[[0, 2, 3]] == pytest.approx([3 / 8, 0.3, 0.0], abs=1e-4)
    u = (np.arange(4000) + 0.5) / 4000
    one, two = Beta(3, 5).quantiles(u), Triangular(0.1, 0.2, 0.6).quantiles(u)
    assert found.values[1] == pytest.approx(np.mean(1 - (1 - one) * (1 - two)), abs=1e-4)
    single = rr.Release.public(
        "resynthesis", recognition=Recognition(Beta(3, 5), {"DOCTOR": Triangular.constant(0.2)})
    )
    mixed = direct_documents(small(leaks=leaks), single, {"NAME": True, "DOCTOR": True})
    assert mixed.values[:3] == pytest.approx([3 / 8, 1 - 5 / 8 * 0.8, 0.2], abs=1e-4)


def test_enough_leaked_values_must_be_recognized() -> None:
    found = quasi_documents(small(leaked_values=np.array([3, 2, 1, 0, 2])), Triangular.constant(0.5), 2)
    assert found.values == pytest.approx([3 * 0.125 + 0.125, 0.25, 0.0, 0.0, 0.25])
    assert found.tops.tolist() == [1.0]


def test_the_benchmark_as_a_share_of_documents() -> None:
    plain = rr.text_settings(options=LENIENT)
    assert units(benchmark_share(HIDDEN, plain)) == [(1, 0, 209), (1, 1, pytest.approx(11))]
    same = benchmark_share(HIDDEN, replace(plain, benchmark_recognition="same"))
    assert same.estimate == pytest.approx(0.05 * 0.27)
    assert same.upper(0.975) == pytest.approx(0.27 * BENCHMARK_UPPER)
