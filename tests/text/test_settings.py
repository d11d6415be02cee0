from __future__ import annotations

from typing import Any

import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.text.settings import TextSettings, settings


def test_the_profiles_differ_where_the_specification_says() -> None:
    paper, recommended = settings("paper"), settings()
    assert recommended == TextSettings()
    differing = {name for name, value in paper.to_dict().items() if value != recommended.to_dict()[name]}
    assert differing == {
        *(
            "profile",
            "limit",
            "uncertainty",
            "gate",
            "values",
            "repeats",
            "interval",
            "share_method",
            "plain_count",
        )
    }
    assert (recommended.uncertainty, recommended.gate, recommended.interval) == (
        *("jeffreys_modified", "significant", "parameter"),
    )
    assert (paper.uncertainty, paper.gate, paper.values, paper.repeats) == (
        *("normal_clip", "observed", "poisson", "poisson"),
    )
    with pytest.raises(InvalidSetting, match="text_settings"):
        TextSettings(profile="paper")


def test_texts_are_read_as_the_option_s_own_type() -> None:
    chosen = settings(options={"needed": "1", "level": "0.9", "crosscheck": "no", "gate": "never"})
    assert (chosen.needed, chosen.level, chosen.crosscheck, chosen.gate) == (1, 0.9, False, "never")


def test_limits_are_two_sided_unless_one_sided_is_chosen() -> None:
    assert settings().levels == pytest.approx((0.025, 0.975))
    assert settings(options={"sided": "one"}).levels == pytest.approx((0.05, 0.95))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"gat": "draw"}, "Did you mean 'gate'"),
        ({"gate": "drawn"}, "Did you mean 'draw'"),
        ({"needed": "two"}, "whole number"),
        ({"needed": 0}, "Give a whole number, 1 to 1000"),
        ({"needed": True}, "whole number"),
        ({"level": 1.0}, r"level cannot be 1\.\n\nHint: Give a number from 0\.5 to less than 1\. Write 95 %"),
        ({"level": 0.05}, "number from 0.5 to less than 1"),
        ({"engine": "bootstrap", "include_absent": True}, "cannot use a prior"),
        ({"recall_support": "cluster", "unit": "token_level"}, "instances, not in words"),
        ({"level": "nan"}, "cannot be nan"),
        ({"level": "high"}, "takes a number from 0.5 to less than 1, not 'high'"),
        ({"level": None}, "takes a number from 0.5 to less than 1, not None"),
        ({"level": True}, "takes a number"),
        ({"crosscheck": 1}, "takes yes or no, not 1"),
        ({"annotator": 3}, "takes a name, not 3"),
        ({"direct_cutoff": 1.5}, "Give a number from 0 to 1"),
        ({"crosscheck": "perhaps"}, "yes or no"),
        ({"values": "zero_truncated"}, "Choose one of: poisson, fixed, empirical, negative_binomial"),
        ({"repeats": "negative_binomial"}, "The setting repeats cannot be 'negative_binomial'"),
        ({"rate_uncertainty": "gamma"}, "values=poisson"),
        ({"profile": "paper"}, "'profile' is not"),
        ({"draws": 10}, "whole number, 1024 to 4,194,304"),
        ({"gate": "draw"}, "needs the limits of the model"),
        ({"release_shares": "a=1"}, "but no strata"),
        ({"strata": "folder", "release_shares": "a=0.5,b=0.4"}, "sum to 0.9"),
        ({"strata": "folder", "release_shares": "a=half"}, "takes NAME=SHARE"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        settings(options=options)


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="recommended, paper"):
        settings("papers")
