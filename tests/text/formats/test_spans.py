"""The quick way and the careful way to read an annotation agree."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation
from reidrisk.text.formats import spans
from reidrisk.text.formats.jsonl import GOLD

ODD = st.one_of(st.none(), st.booleans(), st.floats(), st.text(max_size=2), st.just([]), st.just({}))
SPANS = st.fixed_dictionaries(
    {
        "start": st.integers(-1, 5) | ODD,
        "end": st.integers(0, 9) | ODD,
        "type": st.sampled_from(["NAME", "DATE"]) | ODD,
    },
    optional={
        "id_type": st.sampled_from(["DIRECT", "QUASI", "NO_MASK"]) | ODD,
        "entity_id": st.integers() | ODD,
        "text": ODD,
        "score": ODD,
        "id": ODD,
    },
)


def careful(item: Any) -> tuple[Annotation, str | None] | None:
    try:
        return spans._any_span(item, GOLD, set())
    except BadData:
        return None


@settings(max_examples=200)
@given(SPANS)
def test_what_is_read_quickly_is_what_is_read_carefully(item: dict[str, Any]) -> None:
    quick = spans._usual_span(item, GOLD)
    assert quick is None or quick == careful(item)


def test_the_usual_annotation_is_read_quickly_and_completely() -> None:
    item = {
        "start": 1,
        "end": 5,
        "type": "NAME",
        "id_type": "QUASI",
        "entity_id": "e",
        "score": 0.5,
        "text": "x",
    }
    annotation = Annotation(1, 5, "NAME", "quasi", "e", (), 0.5)
    assert spans._usual_span(item, GOLD) == (annotation, "x")
    assert repr(spans._usual_span(item, GOLD)) == repr((annotation, "x"))
