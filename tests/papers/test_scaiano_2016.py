"""Numbers printed in Scaiano et al. 2016, doi:10.1016/j.jbi.2016.07.015."""

from __future__ import annotations

import pytest

from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.stats.exact import exact_quasi
from reidrisk.stats.leak import direct_risk, quasi_leak, value_leak
from reidrisk.stats.recall import all_or_nothing_recall, recall
from reidrisk.text.corpus import Annotation, Corpus, Document
from reidrisk.text.evaluate import evaluate_text
from reidrisk.text.settings import settings
from reidrisk.validate.formulas import quasi_model

TABLE_5 = {
    "ID": (105, 438),
    "PHONE": (34, 78),
    "STREET": (10, 14),
    "NAME": (118, 1332),
    "DATE": (111, 703),
    "ORGANIZATION": (50, 110),
    "AGE": (2, 3),
    "ZIP": (9, 13),
    "COUNTRY": (2, 3),
    "STATE": (32, 47),
    "CITY": (43, 78),
}


def test_230_of_250_names_hide_20_of_100_patients() -> None:
    caught = [3] * 70 + [2] * 10
    assert recall(230, 20) == pytest.approx(0.92)
    assert all_or_nothing_recall([*caught, *[1] * 20], [*[0] * 80, *[1] * 20]) == pytest.approx(0.8)


def test_the_same_through_the_whole_evaluation() -> None:
    """Documents with names of one letter each: 80 with all caught, 20 with their one name leaked."""
    gold, tool = [], []
    for number, names in enumerate([3] * 70 + [2] * 10 + [1] * 20):
        marks = tuple(Annotation(2 * place, 2 * place + 1, "NAME", "direct") for place in range(names))
        gold.append(Document(str(number), marks, "x " * names))
        tool.append(Document(str(number), () if names == 1 else marks))
    risk = evaluate_text(Corpus(tuple(gold)), Corpus(tuple(tool))).to_dict()
    (names_row,) = risk["by_type"]
    assert names_row["micro_recall"] == pytest.approx(0.92)
    assert names_row["all_or_nothing_recall"] == pytest.approx(0.8)
    assert risk["direct"]["plug_in"] == pytest.approx(0.2)


def test_nine_caught_of_ten_is_nothing() -> None:
    assert all_or_nothing_recall([10], [1]) == 0


def test_an_organization_masked_by_three_labels_is_masked() -> None:
    """Table 2: the expert marks one organization, the tool a name, a state and an organization."""
    text = "Thompson's Ohio Children's Hospital"
    gold = Document("d", (Annotation(0, len(text), "ORG", "quasi"),), text)
    marks = (Annotation(0, 10, "NAME"), Annotation(11, 15, "STATE"), Annotation(16, 35, "ORG"))
    tool = Document("d", marks)
    risk = evaluate_text([gold], [tool], settings=settings(options={"unevaluated": "accept"})).to_dict()
    assert risk["by_type"][0]["micro_recall"] == 1
    strict = settings(options={"unevaluated": "accept", "label": "same_label"})
    assert evaluate_text([gold], [tool], settings=strict).to_dict()["by_type"][0]["micro_recall"] == 0


def test_pooling_first_and_last_names_hides_the_last() -> None:
    assert recall(999 + 2, 1 + 8) == pytest.approx(0.99, abs=0.005)
    assert direct_risk([1.0, 0.01], [0.999, 0.2]) == pytest.approx(0.008992)


def test_low_recall_must_not_pass_by_recognition_alone() -> None:
    assert direct_risk([1.0], [0.4], recognition=0.1) == pytest.approx(0.06)


def test_the_i2b2_example_of_equation_12() -> None:
    leak = float(value_leak(0.847, 2.7283))
    assert quasi_leak(4.031, leak) == pytest.approx(0.467, abs=5e-4)
    model = quasi_model({"n_q": 4.031, "m": 2.7283, "r_q": 0.847, "s_q": 889, "h": 1.0, "A": [1, 1, 1]})
    assert exact_quasi(model, (0.975,)).mean == pytest.approx(0.388, abs=5e-4)


@pytest.fixture(scope="module")
def case_study() -> dict[str, dict[str, float]]:
    notes = clinical_notes(seed=7)
    risk = evaluate_text(notes, case_study_tool(notes, seed=7)).to_dict()
    return {row["type"]: row for row in risk["by_type"]} | {row["group"]: row for row in risk["by_group"]}


@pytest.mark.parametrize("kind", TABLE_5)
def test_the_demo_corpus_has_the_frequencies_of_table_5(
    case_study: dict[str, dict[str, float]], kind: str
) -> None:
    assert (case_study[kind]["documents"], case_study[kind]["instances"]) == TABLE_5[kind]


def test_the_demo_tool_has_the_recalls_of_table_6(case_study: dict[str, dict[str, float]]) -> None:
    assert case_study["direct"]["micro_recall"] == pytest.approx(0.9758, abs=5e-5)
    assert case_study["quasi"]["micro_recall"] == pytest.approx(0.8757, abs=5e-5)
