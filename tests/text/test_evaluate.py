from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.demo import case_study_tool, clinical_notes, simulate_tool
from reidrisk.errors import InvalidSetting, MisalignedOffsets, UnmatchedDocuments
from reidrisk.stats.exact import exact_direct
from reidrisk.text.corpus import Annotation, Corpus, Document
from tests.text.builders import document, found

KNOWN_RECIPIENT = rr.Release.non_public("resynthesis", recognition=0.1, attempt=(0.3, 0.4, 0.5))
FIVE = rr.Threshold.from_cell_size(5, "hospital release policy")


def evaluate(gold: Any, tool: Any, profile: str = "recommended", **options: Any) -> dict[str, Any]:
    chosen = rr.text_settings(profile, {"crosscheck": False} | options)
    return rr.evaluate_text(gold, tool, release=KNOWN_RECIPIENT, threshold=FIVE, settings=chosen).to_dict()


@pytest.fixture(scope="module")
def notes() -> Corpus:
    return clinical_notes(seed=7)


@pytest.fixture(scope="module")
def tool(notes: Corpus) -> Corpus:
    return case_study_tool(notes, seed=7)


def test_the_worked_example_through_the_whole_way(notes: Corpus, tool: Corpus) -> None:
    """8, 2, 1 and 9 leaking documents of 105, 34, 10 and 118: the reference corpus of equation 20."""
    risk = evaluate(notes, tool, "paper")
    assert risk["direct"]["plug_in"] == pytest.approx(0.006632002287, rel=1e-9)
    assert risk["direct"]["value"] == pytest.approx(0.00666931, rel=2e-3)
    assert risk["direct"]["low"] == pytest.approx(0.00375989, rel=2e-3)
    assert risk["direct"]["high"] == pytest.approx(0.00993625, rel=2e-3)
    assert risk["acceptable"] is True


def test_the_significant_gate_turns_the_verdict(notes: Corpus, tool: Corpus) -> None:
    risk = evaluate(notes, tool, uncertainty="jeffreys", limit="model")
    assert risk["direct"]["high"] == pytest.approx(0.10023871, rel=2e-3)
    assert risk["acceptable"] is False
    both = risk["gate_comparison"]
    assert both["observed"]["direct"]["high"] == pytest.approx(0.010755371, rel=2e-3)
    assert both["observed"]["acceptable"] is True
    assert any("not significantly" in warning for warning in risk["warnings"])


def test_the_gate_decided_in_every_draw(notes: Corpus, tool: Corpus) -> None:
    risk = evaluate(notes, tool, gate="draw", uncertainty="jeffreys", limit="model")
    assert risk["direct"]["high"] == pytest.approx(0.08610663, rel=5e-3)
    assert all(gate["applied"] is None for gate in risk["gates"])


@pytest.mark.parametrize("profile", ["paper", "recommended"])
@pytest.mark.parametrize("engine", ["sobol", "montecarlo"])
def test_engines_agree_on_the_published_shape(notes: Corpus, tool: Corpus, profile: str, engine: str) -> None:
    exact = evaluate(notes, tool, profile, limit="model", crosscheck=engine == "sobol")
    other = evaluate(notes, tool, profile, limit="model", engine=engine)
    for part in ("direct", "quasi"):
        allowed = 0.01 * exact[part]["high"]
        if engine == "montecarlo":
            allowed = 3 * other[part]["drawing_error"]
        assert abs(other[part]["high"] - exact[part]["high"]) <= allowed
    assert len(exact["crosschecks"]) == (2 if engine == "sobol" else 0)
    assert all(abs(check["difference"]) < 0.01 for check in exact["crosschecks"])


def test_resampling_says_where_it_sees_too_little(notes: Corpus, tool: Corpus) -> None:
    risk = evaluate(notes, tool, engine="bootstrap")
    assert risk["direct"]["low"] < risk["direct"]["value"] < risk["direct"]["high"]
    perfect = simulate_tool(notes, recall=1.0, seed=1)
    said = evaluate(notes, perfect, engine="bootstrap")
    assert any("too few for resampling" in warning for warning in said["warnings"])
    assert said["direct"]["high"] > 0


def test_a_perfect_tool_on_few_documents_passes_only_under_the_paper_profile() -> None:
    golds = [document("[NAMEd:Jane] in [CITYq:Graz]", str(number)) for number in range(3)]
    tools = [found(gold, "Jane", "Graz") for gold in golds]
    assert evaluate(golds, tools, "paper")["acceptable"] is True
    risk = evaluate(golds, tools)
    assert risk["acceptable"] is False
    assert risk["direct"]["low"] < 0.01 < risk["direct"]["high"]


def test_every_result_carries_what_the_contract_names(notes: Corpus, tool: Corpus) -> None:
    risk = evaluate(notes, tool)
    assert {"kind", "version", "acceptable", "settings", "seed"} <= set(risk)
    for part in ("direct", "quasi"):
        names = {"value", "plug_in", "low", "high", "level", "interval", "threshold", "acceptable"}
        assert names <= set(risk[part])
    assert {"type", "recall", "observed", "significant"} <= set(risk["gates"][0])
    by_type = {"type", "role", "documents", "instances", "weight"}
    assert by_type | {"micro_recall", "masking_recall", "all_or_nothing_recall"} <= set(risk["by_type"][0])
    assert {"recall", "values_per_document", "instances_per_value", "documents"} <= set(risk["quasi_model"])
    assert risk["observed"]["documents_with_direct_leak"] == 17
    assert risk["documents"] == 120
    assert risk["precision"] == pytest.approx(0.92, abs=0.05)
    assert risk["quasi"]["threshold"] == 0.2
    assert risk["direct"]["threshold"] == risk["benchmark"]["high"]
    json.dumps(risk, allow_nan=False)


def test_no_word_of_a_note_is_in_the_result(notes: Corpus, tool: Corpus) -> None:
    text = json.dumps(evaluate(notes, tool))
    for note in notes:
        assert note.text is not None
        for mark in note.annotations:
            if mark.type in ("NAME", "STREET", "PHONE"):
                assert f'"{note.text[mark.start : mark.end]}"' not in text
    assert notes.documents[0].id not in text


def test_same_seed_same_bytes(notes: Corpus, tool: Corpus) -> None:
    for engine in ("exact", "montecarlo", "bootstrap"):
        one = evaluate(notes, tool, engine=engine, resamples=400, draws=20_000)
        exact_direct.cache_clear()
        two = evaluate(notes, tool, engine=engine, resamples=400, draws=20_000)
        assert json.dumps(one) == json.dumps(two)


def test_files_and_memory_give_the_same(notes: Corpus, tool: Corpus, tmp_path: Path) -> None:
    from reidrisk.text.formats.jsonl import write_jsonl

    write_jsonl(notes, tmp_path / "gold.jsonl")
    write_jsonl(tool, tmp_path / "tool.jsonl")
    from_files = evaluate(tmp_path / "gold.jsonl", str(tmp_path / "tool.jsonl"))
    in_memory = evaluate(notes, tool)
    for name in ("direct", "quasi", "by_type", "observed", "precision"):
        assert from_files[name] == in_memory[name]


def test_what_cannot_be_evaluated_is_null_with_a_reason_and_no_pass() -> None:
    golds = [document("[NAMEd:Jane]", str(number)) for number in range(60)]
    tools = [found(gold, "Jane") for gold in golds]
    risk = evaluate(golds, tools)
    assert risk["quasi"]["value"] is None
    assert "not evaluated" in risk["quasi"]["reason"]
    assert risk["acceptable"] is False
    assert evaluate(golds, tools, unevaluated="accept")["acceptable"] is True


def test_one_leaked_value_suffices_for_a_rare_disease() -> None:
    golds = [document("[NAMEd:Jane] [CITYq:Graz] [ZIPq:8010]", str(number)) for number in range(60)]
    tools = [found(gold, "Jane", "Graz", *(["8010"] if int(gold.id) % 10 else [])) for gold in golds]
    two, one = evaluate(golds, tools), evaluate(golds, tools, needed=1)
    assert one["quasi"]["value"] > 5 * two["quasi"]["value"]
    assert one["observed"]["documents_with_needed_quasi_leaks"] == 6


def test_caught_values_that_identify_raise_the_risk(notes: Corpus, tool: Corpus) -> None:
    """Only quasi-identifiers: a caught direct identifier tells nothing."""
    plain, raised = evaluate(notes, tool), evaluate(notes, tool, given_catch=0.05)
    for name in ("value", "plug_in"):
        expected = 0.4 * 0.05 + plain["quasi"][name] * 0.95
        assert raised["quasi"][name] == pytest.approx(expected, rel=1e-9)
    assert raised["quasi"]["model"]["plug_in"] == pytest.approx(
        0.4 * 0.05 + plain["quasi"]["model"]["plug_in"] * 0.95, rel=1e-9
    )
    assert raised["quasi"]["high"] > plain["quasi"]["high"] + 0.01
    assert raised["direct"] == plain["direct"]
    paper = [evaluate(notes, tool, "paper", given_catch=catch)["direct"] for catch in (0.0, 0.05)]
    assert paper[0] == paper[1]


@pytest.mark.parametrize(
    "options",
    [
        {"uncertainty": "clopper_pearson"},
        {"uncertainty": "laplace", "sided": "one"},
        {"values": "poisson", "repeats": "shifted_poisson", "rate_uncertainty": "gamma"},
        {"values": "negative_binomial", "repeats": "zero_truncated"},
        {"values": "fixed", "repeats": "fixed", "mode": "interpolate"},
        {"denominator": "present", "recall_support": "cluster"},
        {"recall_support": "instances", "unit": "token_level"},
        {"independent_instances": False, "mode": "poisson"},
        {"benchmark_recognition": "same", "gate": "always"},
        {"gate": "never", "interval": "per_document"},
        {"gate_method": "clopper_pearson", "gate_level": 0.9},
    ],
)
def test_every_option_runs_and_the_engines_agree(
    notes: Corpus, tool: Corpus, options: dict[str, Any]
) -> None:
    risk = evaluate(notes, tool, crosscheck=True, **options)
    assert len(risk["crosschecks"]) == 2
    for check in risk["crosschecks"]:
        assert abs(check["difference"]) < 0.02
    for part in ("direct", "quasi"):
        assert 0 <= risk[part]["low"] <= risk[part]["high"] <= 1


def test_clopper_pearson_is_never_below_jeffreys(notes: Corpus, tool: Corpus) -> None:
    assert (
        evaluate(notes, tool, uncertainty="clopper_pearson")["direct"]["model"]["high"]
        > evaluate(notes, tool, uncertainty="jeffreys")["direct"]["model"]["high"]
    )


def test_a_type_that_is_absent_adds_its_prior_only_if_asked(notes: Corpus, tool: Corpus) -> None:
    counting = rr.Counting.choose(types="EMAIL=direct")
    without, with_prior = (
        rr.evaluate_text(
            notes,
            tool,
            counting=counting,
            settings=rr.text_settings(options={"include_absent": chosen, "crosscheck": False}),
        ).to_dict()
        for chosen in (False, True)
    )
    assert without["not_evaluated"] == [{"type": "EMAIL", "role": "direct"}]
    assert with_prior["direct"]["model"]["high"] > without["direct"]["model"]["high"]
    assert with_prior["direct"]["high"] == without["direct"]["high"], "the observed limit needs no prior"


def test_recognition_by_type(notes: Corpus, tool: Corpus) -> None:
    by_type = rr.Release.public("resynthesis", recognition={"default": 0.27, "NAME": 0.23, "DATE": 0.32})
    plain = rr.Release.public("resynthesis", recognition=0.27)
    chosen = rr.text_settings(options={"gate": "always", "crosscheck": False})
    one, other = (
        rr.evaluate_text(notes, tool, release=release, settings=chosen).to_dict()
        for release in (plain, by_type)
    )
    assert other["direct"]["plug_in"] < one["direct"]["plug_in"]
    assert other["quasi"]["plug_in"] > one["quasi"]["plug_in"]
    assert other["settings"]["release"]["recognition"] == {
        "default": 0.27,
        "by_type": {"NAME": 0.23, "DATE": 0.32},
    }


def test_an_experiment_s_posterior_widens_the_interval(notes: Corpus, tool: Corpus) -> None:
    uncertain = rr.Release.public("resynthesis", recognition=rr.Triangular(0.05, 0.1, 0.4))
    known = rr.Release.public("resynthesis", recognition=(0.05 + 0.1 + 0.4) / 3)
    chosen = rr.text_settings(options={"gate": "always"})
    wide, narrow = (
        rr.evaluate_text(notes, tool, release=release, settings=chosen).to_dict()
        for release in (uncertain, known)
    )
    assert wide["direct"]["value"] == pytest.approx(narrow["direct"]["value"], rel=0.01)
    assert wide["direct"]["high"] > narrow["direct"]["high"]
    assert all(abs(check["difference"]) < 0.01 for check in wide["crosschecks"])


PERFECT = [document("[NAMEd:Jane] in [CITYq:Graz]", str(number)) for number in range(120)]


def test_a_mark_that_masks_nothing_catches_nothing() -> None:
    """A tool may mark what it leaves visible: by its own role, or by a label that you name."""
    tools = []
    for gold in PERFECT:
        marks = [Annotation(mark.start, mark.end, "SEEN", "ignored") for mark in gold.annotations]
        tools.append(Document(gold.id, tuple(marks)))
    assert evaluate(PERFECT, tools)["observed"]["documents_with_direct_leak"] == 120
    labelled = [found(gold, "Jane", "Graz", label="SEEN") for gold in PERFECT]
    types = rr.TypeMap.from_dict({"unmasked": ["SEEN"]})
    risk = rr.evaluate_text(PERFECT, labelled, counting=rr.Counting(types=types)).to_dict()
    assert risk["observed"]["documents_with_direct_leak"] == 120


@pytest.mark.parametrize("span", [(100, 110), (4, 5)])
def test_gold_that_could_never_leak_is_refused(span: tuple[int, int]) -> None:
    gold = Document("d", (Annotation(*span, "PATIENT"),), "Jane Doe.")
    with pytest.raises(
        MisalignedOffsets, match="annotation 1, is beyond the end of the text or covers only white space"
    ):
        evaluate([gold], [Document("d", ())])


@pytest.mark.parametrize("fragments", [((3, 3),), ((5, 8), (0, 3)), ((0, 3), (5, 9))])
def test_pieces_lie_in_order_within_their_annotation(fragments: Any) -> None:
    with pytest.raises(MisalignedOffsets, match="in order"):
        Annotation(0, 8, "NAME", fragments=fragments)


def test_stored_surfaces_of_a_tool_are_checked_against_the_gold_text() -> None:
    gold = document("[NAMEd:Jane] in [CITYq:Graz]")
    fitting = Document("doc", (Annotation(0, 4, "X"),), surfaces=("Jane",))
    assert evaluate([gold], [fitting])["observed"]["documents_with_direct_leak"] == 0
    shifted = Document("doc", (Annotation(2, 6, "X"),), surfaces=("Jane",))
    with pytest.raises(MisalignedOffsets) as caught:
        evaluate([gold], [shifted])
    assert "Jane" not in str(caught.value)


def test_too_many_leaking_documents_are_not_argued_away() -> None:
    """Every fourth document leaks both of its values; the model that pools them expects 8 %."""
    golds, tools = [], []
    for number in range(500):
        golds.append(document("[NAMEd:Jane] [CITYq:Graz] [ZIPq:8010]", str(number)))
        tools.append(found(golds[-1], "Jane", *([] if number % 4 == 0 else ["Graz", "8010"])))
    model = rr.text_settings(options={"limit": "model"})
    public = rr.evaluate_text(golds, tools, threshold=FIVE, settings=model)
    quasi = public.to_dict()["quasi"]
    assert quasi["high"] < 0.2
    assert quasi["plain_count_exceeds"] is True
    assert public.acceptable is False
    assert any("already too many" in reason for reason in public.reasons)
    observed = rr.evaluate_text(golds, tools, threshold=FIVE).to_dict()
    assert observed["quasi"]["value"] == 0.25
    assert observed["quasi"]["decision"] == "refused"
    assert observed["quasi"]["model"]["high"] == quasi["high"]
    warned = rr.text_settings(options={"plain_count": "warn", "limit": "model"})
    assert rr.evaluate_text(golds, tools, threshold=FIVE, settings=warned).acceptable is True


def test_a_perfect_tool_gets_no_false_alarm() -> None:
    tools = [found(gold, "Jane", "Graz") for gold in PERFECT]
    warnings = evaluate(PERFECT, tools)["warnings"]
    assert not any("underestimates" in warning for warning in warnings)
    assert any("Is it a copy" in warning for warning in warnings)


def test_a_recognition_for_a_type_that_is_not_counted_is_refused(notes: Corpus, tool: Corpus) -> None:
    typo = rr.Release.public("resynthesis", recognition={"default": 0.1, "NAMES": 1.0})
    with pytest.raises(InvalidSetting, match="NAMES, but the gold standard has no such type"):
        rr.evaluate_text(notes, tool, release=typo)


def test_the_same_recognition_said_by_type_changes_nothing(notes: Corpus, tool: Corpus) -> None:
    wide = rr.Triangular(0.0, 0.1, 0.6)
    chosen = rr.text_settings(options={"gate": "always", "crosscheck": False})
    plain, split = (
        rr.evaluate_text(
            notes, tool, release=rr.Release.public("resynthesis", recognition=h), settings=chosen
        )
        for h in (wide, rr.Recognition(wide, {"STATE": wide}))
    )
    assert split.quasi is not None
    assert plain.quasi is not None
    assert split.quasi.estimate.high == pytest.approx(plain.quasi.estimate.high, rel=1e-6)
    by_model = plain.quasi.by_model.estimate.high
    assert split.quasi.by_model.estimate.high == pytest.approx(by_model, rel=1e-9)


def test_an_attempt_that_never_happens_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="zero chance of an attempt"):
        rr.Release.non_public(attempt=0)


def test_a_prior_alone_evaluates_nothing() -> None:
    golds = [document("[CITYq:Graz]", str(number)) for number in range(60)]
    tools = [found(gold, "Graz") for gold in golds]
    risk = rr.evaluate_text(
        golds,
        tools,
        counting=rr.Counting.choose(types="PATIENT=direct"),
        settings=rr.text_settings(options={"include_absent": True}),
    ).to_dict()
    assert risk["direct"]["value"] is None
    assert risk["observed"]["share_with_direct_leak"] is None
    assert risk["acceptable"] is False
    assert "direct" in " ".join(risk["undefined"])


def test_the_mean_does_not_depend_on_the_engine() -> None:
    tools = [found(gold, "Jane", "Graz") for gold in PERFECT]
    means = [evaluate(PERFECT, tools, engine=engine)["direct"]["value"] for engine in ("exact", "sobol")]
    assert means[1] == pytest.approx(means[0], rel=0.01)


def test_same_label_holds_for_words_too() -> None:
    tools = [found(gold, "Jane", "Graz", label="NAME") for gold in PERFECT]
    risk = evaluate(PERFECT, tools, label="same_label", unit="token_level")
    assert risk["quasi_model"]["recall"] == 0


def test_where_a_recall_is_near_its_cutoff_open_and_closed_gates_are_shown(
    notes: Corpus, tool: Corpus
) -> None:
    both = evaluate(notes, tool)["gate_comparison"]
    assert list(both) == ["observed", "significant", "always", "never"]
    assert both["always"]["direct"]["high"] < both["never"]["direct"]["high"]


def test_under_the_paper_profile_the_assumed_release_is_named(notes: Corpus, tool: Corpus) -> None:
    risk = rr.evaluate_text(notes, tool, settings=rr.text_settings("paper")).to_dict()
    assert risk["settings"]["release"]["recognition"] == 0.1
    assert any("No release was specified" in warning for warning in risk["warnings"])


def test_what_the_user_said_of_types_can_be_repeated(notes: Corpus, tool: Corpus) -> None:
    counting = rr.Counting.choose(types="AGE=ignored")
    risk = rr.evaluate_text(notes, tool, counting=counting).to_dict()
    assert risk["settings"]["types"]["roles"] == {"AGE": "ignored"}


def test_a_tool_that_masks_nothing_has_no_precision() -> None:
    risk = evaluate(PERFECT, [Document(gold.id, ()) for gold in PERFECT])
    assert risk["precision"] is None
    assert "masked nothing" in " ".join(risk["undefined"].values())
    assert risk["direct"]["model"]["plug_in"] == pytest.approx(0.4)
    assert risk["direct"]["value"] == 1
    assert risk["direct"]["with_attempt"]["value"] == pytest.approx(0.4)


def test_documents_on_one_side_only() -> None:
    gold = [document("[NAMEd:Jane] [CITYq:Graz]", name) for name in ("a", "b")]
    tools = [found(gold[0], "Jane", "Graz"), Document("c", ())]
    with pytest.raises(UnmatchedDocuments, match="lacks document 'b'"):
        evaluate(gold, tools)
    with pytest.raises(UnmatchedDocuments, match="the first is 'c'"):
        evaluate(gold[:1], tools)
    allowed = evaluate(gold, tools, unmatched="allow")
    assert allowed["unmatched"] == {"only_gold": 1, "only_tool": 1}
    assert allowed["observed"]["documents_with_direct_leak"] == 1
    assert any("count as unmasked" in warning for warning in allowed["warnings"])


def test_a_document_twice_on_either_side() -> None:
    gold = document("[NAMEd:Jane]")
    with pytest.raises(UnmatchedDocuments, match="gold standard contains document 'doc' twice"):
        evaluate([gold, gold], [found(gold)])
    with pytest.raises(UnmatchedDocuments, match="tool output contains document 'doc' twice"):
        evaluate([gold], [found(gold), found(gold)])


def test_a_tool_that_read_another_text_is_refused() -> None:
    gold = document("[NAMEd:Jane] Doe")
    other = Document("doc", (Annotation(0, 4, "X"),), "Jane  Doe")
    with pytest.raises(MisalignedOffsets, match="different texts for document 'doc'") as caught:
        evaluate([gold], [other])
    assert "Jane" not in str(caught.value)


def test_claiming_resynthesis_without_a_value_lists_the_evidence() -> None:
    with pytest.raises(InvalidSetting, match="Carrell") as caught:
        rr.Release.public("resynthesis")
    for value in ("0.1", "0.27", "0.68"):
        assert value in str(caught.value)


def test_redaction_hides_no_leak() -> None:
    with pytest.raises(InvalidSetting, match="every leak is obvious"):
        rr.Release.public("redaction", recognition=0.1)


def test_the_model_that_expects_too_little_is_named() -> None:
    """All leaks in few documents: equation 12 averages them away."""
    golds, tools = [], []
    for number in range(200):
        marked = " ".join(f"[CITYq:c{place}]" for place in range(8)) if number < 20 else "[CITYq:c0]"
        golds.append(document(f"[NAMEd:Jane] {marked}", str(number)))
        caught = [f"c{place}" for place in range(6 if number < 14 else 8 if number < 20 else 1)]
        tools.append(found(golds[-1], "Jane", *caught))
    risk = evaluate(golds, tools, values="fixed", repeats="fixed")
    assert any("underestimates the leaks of quasi-identifiers" in warning for warning in risk["warnings"])


marks = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8), st.sampled_from("ABC")), max_size=8)


@given(st.lists(st.tuples(marks, marks), min_size=1, max_size=5))
@hypothesis_settings(max_examples=15)
def test_any_annotations_give_a_probability(corpus: list[tuple[list[Any], list[Any]]]) -> None:
    text = "ab c de 12/3 fgh ij, k lmn opq rstu vw x y z"
    gold, tool = [], []
    for number, (wanted, marked) in enumerate(corpus):
        kinds = [Annotation(a, a + n, t) for a, n, t in wanted if text[a : a + n].strip()]
        gold.append(Document(str(number), (Annotation(0, 2, "A"), *kinds), text))
        tool.append(Document(str(number), tuple(Annotation(a, a + n, t) for a, n, t in marked)))
    counting = rr.Counting.choose(types="A=direct,B=quasi,C=quasi")
    chosen = rr.text_settings(options={"crosscheck": False})
    risk = rr.evaluate_text(gold, tool, counting=counting, settings=chosen).to_dict()
    for part in ("direct", "quasi"):
        if risk[part]["value"] is not None:
            assert 0 <= risk[part]["low"] <= risk[part]["high"] <= 1


@pytest.mark.parametrize(("corpus", "direct", "two"), [("tab144", 0.153, 0.604), ("asq_phi_800", 0.744, 0.0)])
def test_presidio_on_public_corpora(shared: Path, corpus: str, direct: float, two: float) -> None:
    """Shares of documents with every direct identifier caught, and with two quasi-identifiers leaked."""
    gold, tool = shared / f"corpora/{corpus}.jsonl", shared / f"predictions/{corpus}/presidio_md.jsonl"
    risk = rr.evaluate_text(gold, tool).to_dict()
    caught = 1 - risk["observed"]["documents_with_direct_leak"] / risk["documents"]
    assert caught == pytest.approx(direct, abs=5e-4)
    share = risk["observed"]["documents_with_two_quasi_leaks"] / risk["documents"]
    assert share == pytest.approx(two, abs=1e-3)
    assert all(abs(check["difference"]) < 0.01 for check in risk["crosschecks"])
    assert risk["acceptable"] is False
