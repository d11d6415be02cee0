"""The schemas promise what DESIGN promises, and results keep it: a field that goes or changes is seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import reidrisk as rr
from reidrisk.errors import InvalidSetting
from reidrisk.report.schemas import result_schema, schema_kinds
from reidrisk.report.views import KINDS
from tests.cli.running import runner
from tests.report.kinds import KINDS as MADE
from tests.results.compare import stored
from tests.results.schemas import complete, nested
from tests.text.test_scenario import evaluated

RISK = "value plug_in low high level interval threshold acceptable"
EVERY = "kind version acceptable settings seed"
PRINCIPAL = {
    "text_risk": {
        "": "direct quasi gates benchmark documents by_type quasi_model observed precision",
        "direct": RISK,
        "quasi": RISK,
        "gates[]": "type recall observed significant",
        "benchmark": "value low high",
        "by_type[]": "type role documents instances weight micro_recall masking_recall all_or_nothing_recall",
        "quasi_model": "recall values_per_document instances_per_value documents",
        "observed": "documents_with_direct_leak documents_with_two_quasi_leaks",
    },
    "table_risk": {
        "": "records classes smallest_class prosecutor journalist marketer unique_share risk_curve",
        "prosecutor": "highest average share_above_threshold",
        "risk_curve[]": "risk share_of_records",
    },
    "table_deidentified": {
        "": "solution candidates lattice before after threshold_ladder",
        "solution": "levels suppressed_records suppressed_cells by_column utility",
        "solution.utility": "precision discernibility entropy loss",
        "lattice": "nodes evaluated",
    },
    "population_risk": {
        "": "population policy attacker fields g_distinct total_risk cost_per_reidentification",
        "total_risk": "expected share",
    },
    "population_comparison": {"": "trust_differential"},
    "document_risk": {
        "": "scenario leak catch highest subjects threshold qualitative",
        "leak": "direct quasi",
    },
    "assessment": {"": "release parts verdict reasons remedies"},
}
"""The names that DESIGN promises, by the place in the result."""


@cache
def checker(kind: str) -> Draft202012Validator:
    return Draft202012Validator(result_schema(kind))


def problems(result: dict[str, Any]) -> list[str]:
    """What is wrong with a result and the results inside it, without their values."""
    return [
        f"{one['kind']}: {'.'.join(map(str, error.absolute_path))}: {error.validator}"
        for one in nested(result)
        for error in checker(one["kind"]).iter_errors(one)
    ]


def place(schema: dict[str, Any], path: str) -> dict[str, Any]:
    for name in path.split(".") if path else ():
        schema = schema["properties"][name.removesuffix("[]")]
        schema = schema["items"] if name.endswith("[]") else schema
    return schema


def test_every_kind_has_a_valid_schema_that_allows_more() -> None:
    assert schema_kinds() == tuple(sorted(KINDS))
    for kind in KINDS:
        schema = result_schema(kind)
        Draft202012Validator.check_schema(schema)
        assert schema["additionalProperties"] is True
        assert set(EVERY.split()) <= set(schema["required"]), kind


@pytest.mark.parametrize("kind", PRINCIPAL)
def test_principal_names_are_required(kind: str) -> None:
    schema = result_schema(kind)
    for path, names in PRINCIPAL[kind].items():
        assert set(names.split()) <= set(place(schema, path)["required"]), path


def test_the_stored_results_of_every_kind_are_valid() -> None:
    found = {name: problems(complete(result)) for name, result in stored().items()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "kind", ["text_risk", "table_risk", "table_hipaa", "table_suggestion", "population_risk", "joint_risk"]
)
def test_results_of_this_version_are_valid(kind: str) -> None:
    made = json.loads(json.dumps(MADE[kind]()))
    assert problems(made) == []
    assert problems(made | {"a_new_field": 1}) == []


def test_other_options_do_not_change_the_names() -> None:
    new, old = evaluated(20, (2,) * 9), evaluated(30, recognition=None, limit="model")
    for result in (new.compared_with(evaluated(10, (2,) * 3)), old, evaluated(3, recognition=0.27)):
        assert problems(json.loads(result.to_json())) == []
    rows = {"sex": list("FMFM"), "age": [30, 30, 40, 40]}
    import pyarrow as pa

    found = rr.table_risk(pa.table(rows), rr.Schema(quasi=("sex",), sensitive=("age",)))
    assert problems(json.loads(found.to_json())) == []


def test_the_results_of_the_demo_are_valid(demo_folder: Callable[[], Path]) -> None:
    files = [path for path in demo_folder().rglob("*.json") if path.parent.name != "signatures"]
    found = {path.name: problems(json.loads(path.read_text(encoding="utf-8"))) for path in files}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("kind", PRINCIPAL)
def test_a_removed_renamed_or_changed_field_is_seen(kind: str) -> None:
    result = complete(next(one for one in stored().values() if one.get("kind") == kind))
    assert problems(result) == []
    for path, names in PRINCIPAL[kind].items():
        if "[]" in path:
            continue
        for name in names.split():
            for change in ("removed", "changed"):
                changed = deepcopy(result)
                inner = changed
                for step in path.split(".") if path else ():
                    inner = inner[step] or {}
                if name not in inner:
                    continue
                if change == "removed":
                    del inner[name]
                elif inner[name] is None:
                    continue
                else:
                    inner[name] = "words" if not isinstance(inner[name], str) else 1
                assert problems(changed), f"{path}.{name} {change}"


def test_the_command_prints_schemas_and_lists_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    run = runner(capsys)
    assert tuple(run("schema")[1].split()) == schema_kinds()
    code, out, _ = run("schema", "table_risk")
    assert (code, json.loads(out)) == (0, rr.result_schema("table_risk"))
    code, _, error = run("schema", "table_risc")
    assert code == 2
    assert "Did you mean 'table_risk'?" in error


def test_kinds_that_do_not_exist_have_no_schema() -> None:
    with pytest.raises(InvalidSetting, match="is not a kind of result"):
        rr.result_schema("../table_risk")
