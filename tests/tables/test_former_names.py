"""Former names that contain `secret` stay as aliases of the new ones."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting

TABLE = pa.table({"sex": ["M", "M", "M", "F", "F", "F"], "drug": ["a", "a", "a", "a", "b", "c"]})
SCHEMA = rr.Schema(quasi=("sex",), sensitive=("drug",))
LIMITS = rr.SensitiveLimits(l=2)


def test_limits_have_their_former_name() -> None:
    assert rr.SecretLimits is rr.SensitiveLimits


def test_table_risk_takes_limits_by_both_names() -> None:
    new = rr.table_risk(TABLE, SCHEMA, sensitive_limits=LIMITS)
    old = rr.table_risk(TABLE, SCHEMA, secrets=LIMITS)
    assert not new.disclosure[0].acceptable
    assert old.to_dict() == new.to_dict()
    assert old.secrets == old.disclosure == new.disclosure


def test_options_take_limits_by_both_names() -> None:
    new, old = rr.DeidentifyOptions(sensitive_limits=LIMITS), rr.DeidentifyOptions(secrets=LIMITS)
    assert old == new
    assert old.secrets == old.sensitive_limits == LIMITS
    assert old.settings()["secrets"]["l"] == 2
    assert replace(old, order="keep").sensitive_limits == LIMITS
    with pytest.raises(InvalidSetting, match="different values"):
        rr.DeidentifyOptions(sensitive_limits=LIMITS, secrets=rr.SensitiveLimits(l=3))


def test_an_attack_takes_sensitive_columns_by_both_names() -> None:
    new, old = rr.AttackPlan(("age",), sensitive=("drug",)), rr.AttackPlan(("age",), secret=("drug",))
    assert old == new
    assert old.secret == old.sensitive == ("drug",)
    assert old.columns == ("age", "drug")
    with pytest.raises(InvalidSetting, match="different values"):
        rr.AttackPlan(("age",), secret=("drug",), sensitive=("dose",))
