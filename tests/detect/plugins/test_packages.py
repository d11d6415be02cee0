from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from reidrisk.detect.finding import Finding
from reidrisk.detect.plugins import build_plugin
from reidrisk.errors import MissingPackage


@pytest.mark.parametrize(
    ("name", "package"), [("presidio", "presidio_analyzer"), ("spacy:some_model", "spacy")]
)
def test_a_package_that_is_missing_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackage, match="pip install"):
        build_plugin(name)


def test_presidios_types_get_our_names(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("presidio_analyzer")
    result = SimpleNamespace(start=0, end=4, entity_type="PERSON", score=0.85)
    module.AnalyzerEngine = lambda: SimpleNamespace(analyze=lambda *_, **__: [result])
    monkeypatch.setitem(sys.modules, "presidio_analyzer", module)
    assert build_plugin("presidio").find("John") == [Finding(0, 4, "NAME", 0.85, "presidio")]


def test_spacys_amounts_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("spacy")
    entities = [
        SimpleNamespace(start_char=0, end_char=4, label_="PERSON"),
        SimpleNamespace(start_char=5, end_char=6, label_="CARDINAL"),
    ]
    module.load = lambda _model: lambda _text: SimpleNamespace(ents=entities)
    monkeypatch.setitem(sys.modules, "spacy", module)
    assert build_plugin("spacy:any").find("John 5") == [Finding(0, 4, "NAME", 0.7, "spacy")]


def test_a_model_that_spacy_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("spacy")

    def load(model: str) -> None:
        raise OSError

    module.load = load
    monkeypatch.setitem(sys.modules, "spacy", module)
    with pytest.raises(MissingPackage, match="no_model"):
        build_plugin("spacy:no_model")
