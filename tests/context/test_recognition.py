from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reidrisk.context.recognition import Recognition, parse_probability, read_recognition
from reidrisk.errors import InvalidSetting
from reidrisk.stats.uncertain import Beta, Triangular


def test_a_recognition_in_each_of_its_forms() -> None:
    assert parse_probability("0.27", "recognition") == Triangular.constant(0.27)
    assert parse_probability("0.1,0.2,0.4", "recognition") == Triangular(0.1, 0.2, 0.4)
    assert parse_probability("beta:211.5,99.5", "recognition") == Beta(211.5, 99.5)
    for wrong in ("", "x", "0.1,0.2", "beta:1", "beta:1,2,3", "1.5"):
        with pytest.raises(InvalidSetting):
            parse_probability(wrong, "recognition")


def test_types_may_have_their_own() -> None:
    found = Recognition.parse(["NAME=0.2", "0.5", " DATE =beta:3,4"])
    assert found.of("NAME") == Triangular.constant(0.2)
    assert found.of("DATE") == Beta(3, 4)
    assert found.of("CITY") == found.default == Triangular.constant(0.5)
    assert Recognition.from_json(json.loads(json.dumps(found.to_json()))) == found
    plain = Recognition.parse(["0.1,0.2,0.4"])
    assert Recognition.from_json(plain.to_json()) == plain
    assert Recognition.certain().of("NAME").mean == 1
    with pytest.raises(InvalidSetting, match="some types only"):
        Recognition.parse(["NAME=0.2"])


def test_the_recognition_that_an_attack_measured(tmp_path: Path) -> None:
    path = tmp_path / "attack.json"

    def written(content: Any) -> str:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    attack = {"kind": "text_attack", "recognition_option": "beta:11.5,9.5"}
    assert read_recognition(written(attack)) == Beta(11.5, 9.5)
    assert Recognition.parse([written(attack)]).default == Beta(11.5, 9.5)
    with pytest.raises(InvalidSetting, match="has no recognition"):
        read_recognition(written({**attack, "recognition_option": None}))
    others: tuple[Any, ...] = ({**attack, "kind": "text_risk"}, {"kind": "text_attack"}, [], "{")
    for other in others:
        with pytest.raises(InvalidSetting, match="not the result of an attack"):
            read_recognition(written(other))
