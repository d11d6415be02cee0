from __future__ import annotations

from typing import Any

import pytest

from reidrisk.report.parts import Column
from reidrisk.report.plain_text import WIDTH, bar, grid, width_of, wrap
from reidrisk.report.views import draw


def test_every_line_fits_and_is_plain_text(any_result: dict[str, Any]) -> None:
    text = draw(any_result, "terminal")
    assert max(width_of(line) for line in text.splitlines()) <= WIDTH
    assert all(line == line.rstrip() and line.isprintable() for line in text.splitlines())


def test_the_verdict_comes_first(of_case: Any) -> None:
    assert draw(of_case("redaction"), "terminal").splitlines()[2] == "TOO FEW DOCUMENTS TO DECIDE"
    assert draw(of_case("everything leaks"), "terminal").splitlines()[2] == "NOT ACCEPTABLE"
    assert draw(of_case("acceptable"), "terminal").splitlines()[2] == "ACCEPTABLE"


def test_it_is_about_one_screen_and_a_half(any_result: dict[str, Any]) -> None:
    assert len(draw(any_result, "terminal").splitlines()) <= 95


@pytest.mark.parametrize(
    ("case", "role"), [("no direct", "direct identifier"), ("no quasi", "quasi-identifier")]
)
def test_what_was_not_evaluated_is_said_with_its_reason(of_case: Any, case: str, role: str) -> None:
    text = draw(of_case(case), "terminal")
    assert "n/a" in text
    assert f"The gold standard marks no {role}: not evaluated." in " ".join(text.split())


def test_gates_are_shown_only_where_recognition_counts(of_case: Any) -> None:
    assert "open/closed" in draw(of_case("resynthesis"), "terminal")
    assert "GATE RULES" in draw(of_case("resynthesis"), "terminal")
    assert "open/" not in draw(of_case("redaction"), "terminal")
    assert "GATE RULES" not in draw(of_case("redaction"), "terminal")


def test_only_what_differs_from_the_profile_is_listed(of_case: Any) -> None:
    assert "needed (changed) 1" in draw(of_case("other options"), "terminal")
    assert "(changed)" not in draw(of_case("paper"), "terminal")
    assert "all other settings as in the profile" in draw(of_case("paper"), "terminal").replace("\n ", "")


def test_both_intervals_are_named_in_words(of_case: Any) -> None:
    text = draw(of_case("paper"), "terminal")
    assert "risk of a random document" in text
    assert "uncertainty of the mean risk" in text


def test_many_types_are_cut_to_the_worst_of_each_role(of_case: Any) -> None:
    result = dict(of_case("redaction"))
    row = next(row for row in result["by_type"] if row["role"] == "direct")
    result["by_type"] = result["by_type"] + [row | {"type": f"MORE_{number}"} for number in range(30)]
    text = draw(result, "terminal")
    assert "more types; none has a lower recall in its role" in text.replace("\n ", "")
    assert "CITY" in text
    assert len(text.splitlines()) <= 95


def test_numbers_are_aligned_to_the_right() -> None:
    lines = grid((Column("name"), Column("n", is_number=True)), (("a", "1"), ("b", "100")))
    assert lines == ["  name        n", "  a           1", "  b         100"]


def test_a_number_keeps_its_sign() -> None:
    lines = wrap("x" * 92 + " 12.5 % of all")
    assert lines[1] == "  12.5 % of all"


def test_bars_keep_within_their_line() -> None:
    assert len(bar(0.0, 0.5, 1.0, limit=1.0, top=1.0)) == 44
    assert bar(0.0, 0.0, 0.0, limit=None, top=1.0)[0] == "o"


@pytest.mark.parametrize("width", [80, 110])
def test_a_result_fits_the_terminal(of_any_kind: dict[str, Any], width: int) -> None:
    lines = draw(of_any_kind, "terminal", width=width).splitlines()
    indented = [
        line for line in lines if not line.startswith(("  reidrisk ", "  rr."))
    ]  # commands are not broken
    assert max(width_of(line) for line in indented) <= width
