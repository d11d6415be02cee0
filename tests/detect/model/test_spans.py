from __future__ import annotations

import numpy as np

from reidrisk.detect.finding import Finding
from reidrisk.detect.model.layout import lay_out
from reidrisk.detect.model.lexicon import TokenIndex
from reidrisk.detect.model.spans import LabelColumns, findings, masses

LABELS = ("O", "B-DATE", "B-NAME", "I-DATE", "I-NAME", "B-~ORG")


def found(text: str, *labels: str) -> list[str]:
    """The text of the findings where each token has one label for certain."""
    layout = lay_out(text, TokenIndex())
    probabilities = np.array([[float(own == label) for own in LABELS] for label in labels])
    columns = LabelColumns.of(LABELS)
    every = findings(layout, probabilities, masses(columns, probabilities), columns, 0.5)
    assert all(isinstance(one, Finding) and one.source == "model" and one.confidence == 1 for one in every)
    return [f"{one.type} {text[one.start : one.end]}" for one in every]


def test_signs_between_belong_to_it_and_signs_at_the_ends_do_not() -> None:
    labels = ("B-DATE", "I-DATE", "O", "I-DATE", "I-DATE", "I-DATE", "I-DATE")
    assert found("(12/03/46.", *labels) == ["DATE 12/03/46"]


def test_neighbours_are_two_where_one_begins_anew_or_the_line_ends() -> None:
    assert found("Ann Lee", "B-NAME", "B-NAME") == ["NAME Ann", "NAME Lee"]
    assert found("Ann\nLee", "B-NAME", "I-NAME") == ["NAME Ann", "NAME Lee"]
    assert found("Ann Lee 1946", "B-NAME", "I-NAME", "I-DATE") == ["NAME Ann Lee", "DATE 1946"]


def test_a_word_is_found_whole() -> None:
    assert found("id AB12cd", "O", "O", "B-NAME", "O") == ["NAME AB12cd"]


def test_what_is_kept_and_signs_alone_are_no_findings() -> None:
    assert found("WHO -", "B-~ORG", "B-NAME") == []
    assert LabelColumns.of(LABELS).types == ("DATE", "NAME")
