from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.detect.model.layout import (
    LONGEST_CHAIN,
    TokenLayout,
    cues,
    lay_out,
    lay_out_many,
    spellings,
    styles,
)
from reidrisk.detect.model.lexicon import TokenIndex


def laid(text: str) -> TokenLayout:
    return lay_out(text, TokenIndex())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_every_line_end_counts_once(end: str) -> None:
    layout = laid(f"Name: Ann{end}Born: 1946{end}{end}Plan")
    assert layout.line.tolist() == [1, 1, 1, 2, 2, 2, 3]
    assert layout.glue.tolist() == [3, 0, 1, 2, 0, 1, 3]


def test_a_sentence_ends_at_a_stop_but_not_after_a_title() -> None:
    layout = laid("Seen by Dr. Ruiz today. He left.")
    assert layout.chain.tolist() == [1] * 7 + [2] * 3


def test_no_chain_is_endless() -> None:
    layout = laid("word " * 1000)
    assert np.bincount(layout.chain).max() == LONGEST_CHAIN


def test_the_label_before_a_colon_reaches_to_the_end_of_the_line_or_over_an_empty_value() -> None:
    layout = laid("Name: Ann Lee\nWard 3\nDoctor:\nRuiz\nPlan")
    colon, way = cues(layout)
    assert colon.tolist() == [-1, -1, 1, 1, -1, -1, -1, -1, 7, -1]
    assert way.tolist() == [-1, -1, 1, 2, -1, -1, -1, -1, 1, -1]


def test_spelling_tells_names_from_words_that_begin_a_sentence() -> None:
    layout = laid("Graves came. Pain in graves. Ruiz left 12")
    by_word = dict(zip(["Graves", "came"], spellings(layout)[:2].tolist(), strict=True))
    ruiz = spellings(layout).tolist()[-3]
    assert by_word["Graves"] != ruiz
    assert spellings(layout).tolist()[-1] == 0


def test_capitals_say_nothing_where_all_words_have_them_or_none() -> None:
    texts = ("seen by ruiz 12", "Seen by Ruiz today", "SEEN BY RUIZ ON THE WARD", "")
    assert [set(styles(laid(text)).tolist()) for text in texts] == [{0}, {1}, {2}, set()]


@pytest.mark.parametrize("text", ["", " \r\n\t ", "\ufeff"])
def test_texts_without_words_have_a_layout(text: str) -> None:
    layout = laid(text)
    assert layout.size == len("".join(text.split()))
    assert cues(layout)[0].size == spellings(layout).size == layout.size


PIECES = (
    "Name:",
    "Ann",
    "RUIZ",
    "ruiz",
    ".",
    "Dr.",
    "12/03",
    ":",
    "\n",
    "\r\n",
    "\n\n",
    "\t",
    " ",
    "Plan",
    "\r",
)


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join), max_size=6))
def test_texts_that_are_laid_out_together_do_not_see_each_other(texts: list[str]) -> None:
    lexicon = TokenIndex()
    together = lay_out_many(texts, lexicon)
    for number, text in enumerate(texts):
        alone, own = lay_out(text, lexicon), together.text == number
        for name in ("start", "end", "word", "normal", "kind", "chunk", "glue"):
            assert getattr(together, name)[own].tolist() == getattr(alone, name).tolist()
        for name in ("line", "chain"):
            assert np.diff(getattr(together, name)[own]).tolist() == np.diff(getattr(alone, name)).tolist()
        assert cues(together)[1][own].tolist() == cues(alone)[1].tolist()
        assert spellings(together)[own].tolist() == spellings(alone).tolist()
        assert styles(together)[own].tolist() == styles(alone).tolist()


def test_a_new_text_begins_a_new_line_and_chain() -> None:
    layout = lay_out_many(("Seen by", "", "Ruiz"), TokenIndex())
    assert layout.text.tolist() == [0, 0, 2]
    assert layout.opening.tolist() == [0, 0, 2]
    assert layout.line.tolist() == layout.chain.tolist() == [1, 1, 2]
