from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from reidrisk.errors import BadData, InvalidSetting, MissingPackage
from reidrisk.report.page import page
from reidrisk.report.views import KINDS, draw, kind_of


def test_every_kind_is_declared_in_a_file_of_its_name() -> None:
    for kind in KINDS:
        assert kind_of({"kind": kind}).title


@pytest.mark.parametrize("how", ["terminal", "html", "figure"])
def test_an_unknown_kind_is_refused(how: Any) -> None:
    with pytest.raises(BadData, match="'horoscope' cannot be shown"):
        draw({"kind": "horoscope"}, how)
    with pytest.raises(BadData, match="None cannot be shown"):
        draw({}, how)


def test_an_unknown_view_is_refused(of_case: Any) -> None:
    with pytest.raises(InvalidSetting, match="terminal"):
        draw(of_case("redaction"), "terminel")  # type: ignore[arg-type]


@pytest.mark.parametrize("how", ["terminal", "html"])
def test_a_result_read_back_from_json_looks_the_same(any_result: dict[str, Any], how: Any) -> None:
    assert draw(json.loads(json.dumps(any_result)), how) == draw(any_result, how)


def test_views_do_not_change_the_result(any_result: dict[str, Any]) -> None:
    before = json.dumps(any_result)
    draw(any_result, "terminal")
    page([any_result])
    assert json.dumps(any_result) == before


@pytest.mark.parametrize(
    ("package", "how"), [("matplotlib", "figure"), ("matplotlib", "html"), ("jinja2", "html")]
)
def test_a_missing_package_is_named_with_its_extra(
    of_case: Any, monkeypatch: pytest.MonkeyPatch, package: str, how: Any
) -> None:
    from reidrisk.report.charts.svg import draw_once
    from reidrisk.report.page import environment

    environment.cache_clear()
    draw_once.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackage, match=rf"{package}(.|\n)*reidrisk\[report\]"):
        draw(of_case("redaction"), how)


def test_the_terminal_needs_no_optional_package(of_case: Any) -> None:
    program = (
        "import json, sys; sys.modules.update(matplotlib=None, jinja2=None)\n"
        "from reidrisk.report.views import draw\n"
        "print(draw(json.load(sys.stdin), 'terminal')[:4])"
    )
    given = json.dumps(of_case("redaction"))
    done = subprocess.run(
        [sys.executable, "-c", program], input=given, capture_output=True, text=True, check=True
    )
    assert done.stdout == "Re-i\n"
