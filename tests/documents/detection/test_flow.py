"""Pages as they are searched: torn values are whole, running lines are apart, places are right."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.detection.flow import flows
from reidrisk.documents.document import Block


def page(number: int, body: str) -> Block:
    return Block(f"page {number}", f"Report DEMO-301\tSecret\n\n{body}\n\nFinal\tPage {number} of 9")


def test_lines_that_run_through_pages_stand_apart() -> None:
    one, *rest = flows([page(1, "The dose of DEMO-301-01-"), page(2, "0104 was low.")], is_wrapped=True)
    assert one.text.strip() == "The dose of DEMO-301-01-0104 was low."
    assert [flow.text for flow in rest if flow.block.name == "page 1"] == [
        "Report DEMO-301\tSecret",
        "Final\tPage 1 of 9",
    ]


def test_a_value_over_two_pages_has_a_place_on_each() -> None:
    blocks = [page(1, "Subject DEMO-301-01-"), page(2, "0104 left.")]
    flow = next(iter(flows(blocks, is_wrapped=True)))
    start = flow.text.index("DEMO-301-01")
    places = list(flow.places(start, start + len("DEMO-301-01-0104")))
    assert [block.text[first:last] for block, first, last in places] == ["DEMO-301-01-", "0104"]


@given(st.text(alphabet="ab1-/ \n\t", max_size=80))
def test_every_character_stands_where_the_flow_says(text: str) -> None:
    (flow,) = flows([Block("text", text)], is_wrapped=True)
    assert len(flow.text) == len(flow.low) == len(flow.offsets)
    for at, sign in enumerate(flow.text):
        if not sign.isspace():
            assert text[flow.offsets[at]] == sign
    assert list(flow.offsets) == sorted(flow.offsets)
    assert "".join(flow.text.split()).replace("-", "") == "".join(text.split()).replace("-", "")
    assert flow.own == len(flow.text)
