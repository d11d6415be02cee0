from __future__ import annotations

import pytest

import reidrisk as rr
from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.errors import InvalidSetting
from reidrisk.text.corpus import Corpus, Document
from tests.text.builders import document

BY_KIND = rr.Counting.choose(by=r"^([a-z-]+)-\d")


@pytest.fixture(scope="module")
def notes() -> Corpus:
    return clinical_notes(seed=7)


def test_a_group_is_judged_as_if_it_were_the_corpus(notes: Corpus) -> None:
    tool = case_study_tool(notes, seed=7)
    whole = rr.evaluate_text(notes, tool, counting=BY_KIND)
    assert [(group.name, group.documents) for group in whole.groups] == [
        (name, 30) for name in ("history-physical", "progress", "random", "social-work")
    ]
    own = [note for note in notes if note.id.startswith("progress")]
    alone = rr.evaluate_text(own, [one for one in tool if one.id.startswith("progress")])
    found = whole.to_dict()["document_groups"][1]
    assert found["direct"] == alone.to_dict()["direct"]
    assert found["quasi"] == alone.to_dict()["quasi"]


def test_groups_do_not_change_the_whole(notes: Corpus) -> None:
    tool = case_study_tool(notes, seed=7)
    plain = rr.evaluate_text(notes, tool).to_dict()
    grouped = rr.evaluate_text(notes, tool, counting=BY_KIND).to_dict()
    assert plain["document_groups"] == []
    assert grouped["settings"].pop("by") == r"id:^([a-z-]+)-\d"
    assert grouped | {"document_groups": []} == plain


def test_a_group_without_identifiers_is_not_evaluated() -> None:
    gold = [document("[NAMEd:Ann]", "a-1"), document("nothing", "b-1")]
    tool = [Document("a-1", ()), Document("b-1", ())]
    risk = rr.evaluate_text(gold, tool, counting=rr.Counting.choose(by="^(.)-"))
    empty = risk.to_dict()["document_groups"][1]
    assert (empty["group"], empty["direct"]) == ("b", None)
    assert "no identifier" in empty["reason"]


def test_a_recognition_of_a_type_that_a_group_lacks_is_no_obstacle() -> None:
    gold = [document("[NAMEd:Ann]", "a-1"), document("[PHONEd:555]", "b-1")]
    tool = [Document("a-1", ()), Document("b-1", ())]
    release = rr.Release.public("resynthesis", recognition={"default": 0.3, "PHONE": 0.2})
    counting = rr.Counting.choose(by="^(.)-")
    assert len(rr.evaluate_text(gold, tool, release=release, counting=counting).groups) == 2


def test_too_many_groups_are_refused() -> None:
    gold = [document("[NAMEd:Ann]", f"{number}-x") for number in range(201)]
    tool = [Document(one.id, ()) for one in gold]
    with pytest.raises(InvalidSetting, match="more than 200 groups"):
        rr.evaluate_text(gold, tool, counting=rr.Counting.choose(by="^(.+)-"))
