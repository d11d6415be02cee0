from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from reidrisk.errors import BadData, InvalidSetting, MisalignedOffsets, NothingToMeasure, UnknownType
from reidrisk.text.corpus import Annotation, Document, MisalignedMark
from reidrisk.text.evidence import Evidence, LeakedValues
from reidrisk.text.matching import IgnoredWords, WordCounter
from reidrisk.text.settings import settings
from reidrisk.text.tally import Counting, EvidenceTally, _may_be_clusters, words_stored
from tests.text.builders import document, found


def tally(
    pairs: list[tuple[Document, Document]], counting: Counting | None = None, **options: object
) -> Evidence:
    counter = EvidenceTally(counting or Counting(), settings(options=options))
    for gold, tool in pairs:
        counter.add(gold, tool.annotations)
    return counter.finish()


def test_partial_masking_is_a_leak() -> None:
    gold = document("Seen by [NAMEd:Jane Doe] today")
    (name,) = tally([(gold, found(gold, "Jane"))]).types
    assert (name.instances, name.caught, name.words, name.masked_words) == (1, 0, 2, 1)
    assert name.all_or_nothing_recall == 0


def test_one_leaked_instance_makes_the_document_leak() -> None:
    gold = document("[NAMEd:Jane] and [NAMEd:Jill] and [NAMEd:Joan]")
    evidence = tally([(gold, found(gold, "Jane", "Jill"))])
    assert evidence.types[0].micro_recall == pytest.approx(2 / 3)
    assert evidence.types[0].all_or_nothing_recall == 0
    assert evidence.direct_leaks.tolist() == [1]


def test_values_are_told_apart_by_entity_or_by_their_text() -> None:
    gold = document(
        "[DATEq#a:March 14, 2019] [DATEq#a:3/14/2019] [DATEq#b:2019-03-15] [CITYq:Graz] [CITYq:GRAZ]"
    )
    by_entity = tally([(gold, found(gold))])
    assert by_entity.values.tolist() == [3]
    assert sorted(by_entity.repeats.tolist()) == [1, 2, 2]
    by_value = tally([(gold, found(gold))], distinct="value")
    assert by_value.values.tolist() == [3]


def test_a_value_leaks_with_any_of_its_instances() -> None:
    gold = document("[CITYq:Graz] x [CITYq:Graz] x [STATEq:Styria] x [ZIPq:8010]")
    evidence = tally([(gold, found(gold, "Graz", "Styria"))])
    assert evidence.leaked_values.tolist() == [2]
    assert evidence.documents_with_leaks(2) == 1
    assert evidence.quasi_recall == pytest.approx(0.5)


def test_same_label_demands_the_right_label() -> None:
    gold = document("[NAMEd:Jane] went to [CITYq:Graz]")
    tool = Document("doc", (Annotation(0, 4, "NAME"), Annotation(13, 17, "NAME")))
    assert tally([(gold, tool)]).quasi_recall == 1
    assert tally([(gold, tool)], label="same_label").quasi_recall == 0
    labels = {label.type: label for label in tally([(gold, tool)]).labels}
    assert (labels["NAME"].recall, labels["NAME"].precision) == (1, 0.5)
    assert labels["CITY"].recall == 0
    assert np.isnan(labels["CITY"].precision)


@pytest.mark.parametrize(
    ("gold", "tool", "found", "wanted", "marked"),
    [
        (((0, 8),), ((0, 8),), 1, 1, 1),
        (((0, 8),), ((0, 4), (5, 8)), 0, 1, 2),  # two halves are not the annotation
        (((0, 4), (5, 8)), ((0, 8),), 0, 2, 1),
        (((0, 8),), ((0, 9),), 1, 1, 1),  # punctuation does not count
        (((10, 13),), ((9, 13),), 1, 1, 1),  # nor does white space
        (((14, 21),), ((18, 21),), 1, 1, 1),  # nor a title
        (((0, 8), (0, 8)), ((0, 8),), 1, 2, 1),
        (((0, 8),), ((0, 8), (0, 8), (0, 9)), 1, 1, 3),
        (((0, 8), (0, 9)), ((0, 9), (0, 8)), 2, 2, 2),
    ],
)
def test_recall_and_precision_by_label_count_the_same_true_positives(
    gold: tuple[tuple[int, int], ...],
    tool: tuple[tuple[int, int], ...],
    found: int,
    wanted: int,
    marked: int,
) -> None:
    text = "Jane Doe, Bo, Dr. Cho"
    sides = [
        Document("d", tuple(Annotation(*place, "NAME", "direct") for place in side), text)
        for side in (gold, tool)
    ]
    (label,) = tally([(sides[0], sides[1])]).labels
    assert (label.found, label.wanted, label.marked) == (found, wanted, marked)
    assert label.recall * wanted == pytest.approx(label.precision * marked)


def test_labels_and_groups_of_a_types_file() -> None:
    from reidrisk.text.roles import TypeMap

    types = TypeMap.from_dict(
        {
            "direct": ["PATIENT", "DOCTOR"],
            "groups": {"NAMES": ["PATIENT", "DOCTOR"]},
            "labels": {"PERSON": "NAMES"},
        }
    )
    gold = document("[PATIENT:Jane] saw [DOCTOR:Jill]")
    tool = found(gold, "Jane", "Jill", label="PERSON")
    evidence = tally([(gold, tool)], Counting(types=types), label="same_label")
    (names,) = evidence.types
    assert (names.type, names.instances, names.caught) == ("NAMES", 2, 2)
    assert [mapping.counted_as for mapping, _ in evidence.mapping] == ["NAMES", "NAMES"]


def test_how_often_each_type_of_the_gold_standard_occurs() -> None:
    first = document("[NAMEd:Jane] and [NAMEd:Jill] in [CITYq:Graz]", "a")
    second = document("[NAMEd:Joan], [MISCi:a cat]", "b")
    mapping = tally([(first, found(first)), (second, found(second))]).mapping
    assert {one.type: times for one, times in mapping} == {"CITY": 1, "MISC": 1, "NAME": 3}


def test_a_label_of_the_tool_may_mean_several_types() -> None:
    """The types are counted one by one; only where labels are compared do they have the tool's label."""
    from reidrisk.text.roles import TypeMap

    types = TypeMap.from_dict({"labels": {"LOCATION": ["CITY", "ZIP"], "PERSON": "NAME"}})
    gold = document("[NAMEd:Jane] from [CITYq:Graz] [ZIPq:8010], [STATEq:Styria]")
    tool = Document(
        "doc",
        (
            *found(gold, "Jane", label="PERSON").annotations,
            *found(gold, "Graz", "8010", "Styria", label="LOCATION").annotations,
        ),
    )
    evidence = tally([(gold, tool)], Counting(types=types))
    assert [kind.type for kind in evidence.types] == ["CITY", "NAME", "STATE", "ZIP"]
    labels = {one.type: (one.found, one.wanted, one.marked) for one in evidence.labels}
    assert labels == {"LOCATION": (2, 2, 3), "NAME": (1, 1, 1), "STATE": (0, 1, 0)}
    strict = tally([(gold, tool)], Counting(types=types), label="same_label")
    assert {kind.type: kind.caught for kind in strict.types} == {"CITY": 1, "NAME": 1, "STATE": 0, "ZIP": 1}
    with pytest.raises(InvalidSetting, match="mapped twice"):
        TypeMap.from_dict({"labels": {"PLACE": ["CITY"], "LOCATION": ["CITY"]}})
    assert types.to_dict()["wide_labels"] == {"CITY": "LOCATION", "ZIP": "LOCATION"}


def test_grouping_can_raise_the_all_or_nothing_recall() -> None:
    """Ten documents with half of them leaking, and a hundred with none: 0.5 becomes 0.95."""
    from reidrisk.text.roles import TypeMap

    grouped = TypeMap.from_dict({"direct": ["A", "B"], "groups": {"AB": ["A", "B"]}})
    pairs = []
    for number in range(100):
        gold = document("[A:one] [B:two]" if number < 10 else "[B:two]", str(number))
        pairs.append(
            (
                gold,
                found(gold, "two") if number < 5 else found(gold, *(["one"] if number < 10 else []), "two"),
            )
        )
    alone = {
        kind.type: kind for kind in tally(pairs, Counting(types=TypeMap.choose("A=direct,B=direct"))).types
    }
    assert alone["A"].all_or_nothing_recall == pytest.approx(0.5)
    assert tally(pairs, Counting(types=grouped)).types[0].all_or_nothing_recall == pytest.approx(0.95)


def test_precision_counts_masked_words() -> None:
    gold = document("[NAMEd:Jane Doe] has asthma and [MISCi:a cat]")
    evidence = tally([(gold, found(gold, "Jane Doe", "has asthma", "cat"))])
    assert evidence.precision == pytest.approx(2 / 5)
    assert evidence.word_recall() == 1


def test_documents_of_one_patient_are_one() -> None:
    one = document("[NAMEd:Jane] in [CITYq#e1:Graz]", "110-01")
    two = document("[NAMEd:Jane] in [CITYq#e1:Linz] near [CITYq#e2:Graz]", "110-02")
    other = document("[NAMEd:Jill]", "111-01")
    pairs = [
        (one, found(one, "Jane", "Graz")),
        (other, found(other, "Jill")),
        (two, found(two, "Linz", "Graz")),
    ]
    merged = tally(pairs, Counting.choose(patient=r"^(\d+)-"))
    assert merged.documents == 2
    assert merged.records == 3
    names = next(kind for kind in merged.types if kind.type == "NAME")
    assert (names.documents, names.leaking_documents, names.instances) == (2, 1, 3)
    # Entity ids of two documents do not mean the same: Graz and Linz, not e1 and e2.
    assert merged.values.tolist() == [2, 0]
    assert merged.repeats.tolist() == [2, 1]
    assert tally(pairs).documents == 3


def test_a_patient_pattern_must_fit_and_be_a_pattern() -> None:
    gold = document("[NAMEd:Jane]", "x")
    with pytest.raises(BadData, match="does not fit document 'x'"):
        tally([(gold, found(gold))], Counting.choose(patient=r"^(\d+)-"))
    with pytest.raises(InvalidSetting, match="not a regular expression"):
        Counting.choose(patient="(")


def test_every_unknown_type_is_named_once_with_its_number() -> None:
    gold = document("[SHOE:42] [SHOE:43] [HAT:7]")
    with pytest.raises(UnknownType, match=r"SHOE \(2\), HAT \(1\)"):
        tally([(gold, found(gold))])


def test_nothing_to_measure_is_said() -> None:
    with pytest.raises(NothingToMeasure, match="no document"):
        tally([])
    gold = document("nothing here")
    with pytest.raises(NothingToMeasure, match="neither direct identifiers nor quasi"):
        tally([(gold, found(gold))])


def test_a_gold_standard_needs_texts() -> None:
    with pytest.raises(BadData, match="has no text"):
        tally([(Document("d", (Annotation(0, 1, "NAME"),)), Document("d", ()))])


def test_a_prediction_beyond_the_text_is_an_error_that_shows_no_text() -> None:
    gold = document("[NAMEd:Jane]")
    with pytest.raises(MisalignedOffsets, match="annotation 1 of document 'doc'") as caught:
        tally([(gold, Document("doc", (Annotation(0, 5, "X"),)))])
    assert "Jane" not in str(caught.value)


def test_types_named_and_absent_are_listed() -> None:
    gold = document("[NAMEd:Jane]")
    evidence = tally([(gold, found(gold))], Counting.choose(types="NAME=direct,SSN=direct,HAT=ignored"))
    assert evidence.absent == (("SSN", "direct"),)


def test_clusters_widen_the_spread_of_the_recall() -> None:
    """Against the ratio estimator's formula, written out."""
    pairs = []
    for number, (caught, all_of) in enumerate([(1, 2), (3, 3), (0, 2), (4, 4)]):
        gold = document(" ".join(f"[CITYq:c{place}]" for place in range(all_of)), str(number))
        pairs.append((gold, found(gold, *(f"c{place}" for place in range(caught)))))
    evidence = tally(pairs)
    r = 8 / 11
    off = [(1 - 2 * r) ** 2, (3 - 3 * r) ** 2, (0 - 2 * r) ** 2, (4 - 4 * r) ** 2]
    assert evidence.quasi_cluster_spread == pytest.approx((4 / 3 * sum(off)) ** 0.5 / 11)


FIRST = document("[NAMEd:Jane Doe] of [CITYq#a:Graz] and [CITYq#a:Graz], [DATEq:2019-03-14]", "p1-1")
SECOND = document("Dr. [DOCTORd:Jill] saw [NAMEd:Joan] in [CITYq#b:Linz] near [STATEq:Styria]", "p2-1")
THIRD = document("[NAMEd:Jane] again, from [STATEq:Styria] or [CITYq:Graz]", "p1-2")
TOOLS = {
    "p1-1": found(FIRST, "Jane", "2019-03-14", label="NAME"),
    "p2-1": found(SECOND, "Jill", "Styria", "near"),
    "p1-2": found(THIRD, "Jane", "Graz"),
}


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
@pytest.mark.parametrize("patient", [None, "^(p[0-9])"])
@pytest.mark.parametrize("cluster", [None, "p([0-9])-[12]", "p([1])-1"])
def test_counts_of_two_halves_are_those_of_the_whole(
    cut: int, patient: str | None, cluster: str | None
) -> None:
    """Counted apart and added; documents of a merged patient may be in both halves."""
    counting = Counting.choose(patient=patient, cluster=cluster)
    chosen = settings(options={"strata": "-([12])"})
    whole, left, right = (EvidenceTally(counting, chosen) for _ in range(3))
    for at, gold in enumerate((FIRST, SECOND, THIRD)):
        for one in (whole, left if at < cut else right):
            one.add(gold, TOOLS[gold.id].annotations)
    joined = EvidenceTally(counting, chosen)
    for half in (left, right):
        joined.add_state(half.state(lambda value: value))
    expected, evidence = whole.finish(), joined.finish()
    assert evidence.gold is None
    for name in (one.name for one in fields(Evidence) if one.name not in ("gold", "leaked")):
        np.testing.assert_array_equal(getattr(evidence, name), getattr(expected, name), err_msg=name)
    for name in (one.name for one in fields(LeakedValues)):
        np.testing.assert_array_equal(getattr(evidence.leaked, name), getattr(expected.leaked, name))


def test_counts_by_hand() -> None:
    """Two documents; of the first the name leaks by half, and one city twice."""
    evidence = tally([(FIRST, TOOLS["p1-1"]), (SECOND, TOOLS["p2-1"])])
    assert evidence.direct_types == ("NAME", "DOCTOR")
    assert evidence.holds.tolist() == [[True, False], [True, True]]
    assert evidence.leaks.tolist() == [[True, False], [True, False]]
    assert evidence.direct_leaks.tolist() == [1, 1]
    assert evidence.values.tolist() == [2, 2]
    assert evidence.leaked_values.tolist() == [1, 1]
    assert evidence.instances.tolist() == [3, 2]
    assert evidence.caught.tolist() == [1, 1]
    assert evidence.repeats.tolist() == [2, 1, 1, 1]
    documents, leaked = evidence.leaked.of_type("CITY")
    assert (documents.tolist(), leaked.tolist()) == ([0, 1], [2, 1])
    assert evidence.leaked.of_type("STATE")[1].size == 0
    assert (evidence.masked_words, evidence.masked_identifier_words) == (1 + 3 + 3, 1 + 3 + 2)
    types = {kind.type: kind for kind in evidence.types}
    city = types["CITY"]
    assert (city.documents, city.leaking_documents, city.instances, city.caught) == (2, 2, 3, 0)
    assert (city.words, city.masked_words, city.values) == (3, 0, 2)
    assert (types["DATE"].instances, types["DATE"].caught, types["DATE"].values) == (1, 1, 1)
    assert evidence.records == 2


def test_documents_without_a_cluster_are_counted() -> None:
    counting = Counting.choose(cluster="p([1])-")
    evidence = tally([(FIRST, TOOLS["p1-1"]), (SECOND, TOOLS["p2-1"]), (THIRD, TOOLS["p1-2"])], counting)
    assert evidence.clusters is not None
    assert evidence.clusters.tolist() == [0, 1, 0]
    assert evidence.cluster_gaps == {"without_cluster": 1}
    assert evidence.likely_clusters is None


@pytest.mark.parametrize(
    ("groups", "may_be"),
    [([0, 0, 1, 1], True), ([0, 0, 1], False), ([0, 0, 0], False), ([], False), ([0, 1, 2, 2, 1, 0], True)],
)
def test_groups_that_may_be_clusters(groups: list[int], *, may_be: bool) -> None:
    """At least two, with two documents each on average."""
    assert _may_be_clusters(np.array(groups, dtype=np.int64)) is may_be


def test_skipped_annotations_are_leaks_with_values_of_their_own() -> None:
    """By entity, by their stored text, or each for itself; white space is no text."""

    def skipped(text: str | None, entity: str | None = None) -> MisalignedMark:
        return MisalignedMark(Annotation(900, 910, "CITY", "quasi", entity), None, text)

    lost = (
        skipped("Graz"), skipped("GRAZ"), skipped(None), skipped(" "),
        skipped("New York City", "a"), skipped("x", "a"),
        MisalignedMark(Annotation(900, 910, "NAME", "direct"), None, None),
        MisalignedMark(Annotation(900, 910, "CITY", "quasi"), Annotation(0, 4, "CITY", "quasi"), "Graz"),
    )  # fmt: skip
    gold = replace(document("[CITYq:Graz] x"), misaligned=lost)
    evidence = tally([(gold, found(gold, "Graz"))])
    assert evidence.values.tolist() == [4]  # Graz, two without a text, and the entity
    assert evidence.leaked_values.tolist() == [4]
    assert sorted(evidence.leaked.instances.tolist()) == [1, 1, 2, 2]
    assert (evidence.instances.tolist(), evidence.caught.tolist()) == ([7], [1])
    assert sorted(evidence.repeats.tolist()) == [1, 1, 2, 3]
    assert evidence.direct_leaks.tolist() == [1]
    city = next(kind for kind in evidence.types if kind.type == "CITY")
    assert (city.instances, city.caught, city.masked_words) == (7, 1, 1)
    assert city.words == 1 + 1 + 1 + 1 + 1 + 3 + 1
    by_text = tally([(gold, found(gold, "Graz"))], distinct="value")
    assert by_text.values.tolist() == [5]


def test_words_of_a_text_that_fits_nowhere() -> None:
    counter = WordCounter(IgnoredWords.default())
    for text, words in ((None, 1), ("", 1), ("Graz", 1), ("New York", 2), ("Dr. Jill", 1), ("...", 1)):
        assert words_stored(MisalignedMark(Annotation(0, 1, "CITY"), None, text), counter) == words


def test_annotations_at_the_end_of_a_text_are_read_and_those_beyond_are_not() -> None:
    gold = Document("d", (Annotation(5, 9, "NAME", "direct"),), "from Jane")
    assert tally([(gold, gold)]).types[0].caught == 1
    for beyond in (Annotation(5, 10, "NAME", "direct"), Annotation(4, 5, "NAME", "direct")):
        with pytest.raises(MisalignedOffsets, match="beyond the end"):
            tally([(replace(gold, annotations=(beyond,)), gold)])
    with pytest.raises(MisalignedOffsets, match="ends at 10"):
        tally([(gold, Document("d", (Annotation(5, 10, "NAME"),)))])
