"""Charts of every kind of the demo's results, as a page of the app has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reidrisk.web.page import assessment_of, part_names, part_result, result_view
from tests.web.conftest import DEMO


@pytest.mark.parametrize("at", range(5))
def test_no_chart_has_a_style_and_each_has_a_table(demo_releases: Path, at: int) -> None:
    folder = demo_releases / DEMO
    names = part_names(folder)
    result = assessment_of(folder) if at == 0 else part_result(folder, names[at - 1])
    assert result is not None
    view = result_view(result, folder=folder)
    cards = [*view.cards, *(card for block in view.blocks for card in getattr(block, "cards", ()))]
    drawn = [card for card in cards if card.svg]
    assert drawn
    for card in drawn:
        assert not re.search(r"<style|\sstyle=|<script|\son\w+=", card.svg)
        assert 'fill="' in card.svg or 'stroke="' in card.svg
        assert card.table is not None, card.chart.name
        assert card.table.rows
