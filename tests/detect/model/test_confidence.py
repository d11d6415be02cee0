from __future__ import annotations

import numpy as np

from reidrisk.detect.model.confidence import COLUMNS, Confidence, evidence
from reidrisk.detect.model.layout import lay_out
from reidrisk.detect.model.lexicon import TokenIndex


def test_without_learning_the_chain_is_believed() -> None:
    layout = lay_out("Dr. Ruiz met Ruiz", TokenIndex())
    masses = np.array([0.2, 0.01, 0.9, 0.3, 0.5])
    np.testing.assert_allclose(Confidence().of(layout, masses), masses)


def test_the_same_word_elsewhere_is_seen() -> None:
    layout = lay_out("Dr. Ruiz met Ruiz and RUIZ", TokenIndex())
    masses = np.array([0.5, 0.5, 0.9, 0.5, 0.4, 0.5, 0.6])
    elsewhere = evidence(layout, masses)[:, -1]
    odds = np.log(masses / (1 - masses))
    np.testing.assert_allclose(elsewhere, [0, 0, odds[6], 0, odds[2], 0, odds[2]], atol=1e-12)


def test_learnt_confidences_are_the_shares_that_were_right() -> None:
    rng = np.random.default_rng(1)
    layout = lay_out("ab cd ef gh " * 3000, TokenIndex())
    truth = rng.uniform(0.05, 0.95, layout.size)
    overconfident = 1 / (1 + (1 / truth - 1) ** 3)
    wanted = rng.uniform(size=layout.size) < truth
    rule = Confidence.learn([evidence(layout, overconfident)], [wanted])
    assert np.abs(rule.of(layout, overconfident) - truth).mean() < 0.02


def test_nothing_to_learn_from_leaves_the_rule_as_it_is() -> None:
    layout = lay_out("no name here", TokenIndex())
    nothing = np.zeros(3, dtype=bool)
    assert Confidence.learn([evidence(layout, np.full(3, 0.1))], [nothing]) == Confidence()
    assert len(Confidence().coefficients) == COLUMNS


def test_complete_separation_stays_finite() -> None:
    layout = lay_out("one two three four", TokenIndex())
    masses, wanted = np.array([0.01, 0.01, 0.99, 0.99]), np.array([False, False, True, True])
    rule = Confidence.learn([evidence(layout, masses)], [wanted])
    assert max(abs(value) for value in rule.coefficients) < 20
