"""How to read what training gave."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

TRAINING_GUIDE = Guide(
    terms=(
        Fact(
            say("content.training_guide.cross_validation"),
            say("content.training_guide.the_documents_are"),
        ),
        Fact(say("content.training_guide.caught"), say("content.training_guide.every_word_of")),
        Fact(say("content.training_guide.all_caught"), say("content.training_guide.the_share_of")),
        Fact(
            say("content.training_guide.confidence"),
            say("content.training_guide.the_share_of_such"),
        ),
        Fact(say("content.training_guide.threshold"), say("content.training_guide.words_of_at")),
    ),
    limits=(
        say("content.training_guide.the_figures_hold"),
        say("content.training_guide.the_model_can"),
        say("content.training_guide.nothing_is_said"),
    ),
    sources=(
        Source(
            "Lafferty J, McCallum A, Pereira F. Conditional random fields: probabilistic models for "
            "segmenting and labeling sequence data. Proceedings of ICML 2001, 282–289."
        ),
        Source(
            "Platt J. Probabilistic outputs for support vector machines and comparisons to regularized "
            "likelihood methods. Advances in Large Margin Classifiers, 1999, 61–74."
        ),
    ),
)
