"""How to read what was replaced in texts, and what an attack on them found."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

_CARRELL = (
    Source(
        "Carrell D, Malin B, Aberdeen J, et al. Hiding in plain sight: use of realistic surrogates to reduce "
        "exposure of protected health information in clinical text. Journal of the American Medical "
        "Informatics Association 20 (2013) 342–348."
    ),
    Source(
        "Carrell DS, Cronkite DJ, Li M, et al. The machine giveth and the machine taketh away: a parrot "
        "attack on clinical text deidentified with hiding in plain sight. Journal of the American Medical "
        "Informatics Association 26 (2019) 1536–1544."
    ),
    Source(
        "Carrell DS, Malin BA, Cronkite DJ, et al. Resilience of clinical text de-identified with hiding in "
        "plain sight to hostile reidentification attacks by human readers. Journal of the American Medical "
        "Informatics Association 27 (2020) 1374–1382."
    ),
)

DEIDENTIFICATION_GUIDE = Guide(
    terms=(
        Fact(say("content.resynthesis_guide.surrogate"), say("content.resynthesis_guide.an_invented_value")),
        Fact(say("content.resynthesis_guide.key"), say("content.resynthesis_guide.the_secret_from")),
        Fact(say("content.resynthesis_guide.person"), say("content.resynthesis_guide.whose_dates_move")),
        Fact(say("content.resynthesis_guide.leak"), say("content.resynthesis_guide.an_identifier_that")),
    ),
    limits=(
        say("content.resynthesis_guide.what_was_not"),
        say("content.resynthesis_guide.names_of_files"),
        say("content.resynthesis_guide.dates_ages_states"),
    ),
    sources=_CARRELL[:1],
)

ATTACK_GUIDE = Guide(
    terms=(
        Fact(say("content.resynthesis_guide.recognition"), say("content.resynthesis_guide.the_share_of")),
        Fact(say("content.resynthesis_guide.precision"), say("content.resynthesis_guide.the_share_of_flags")),
        Fact(say("content.resynthesis_guide.frequency"), say("content.resynthesis_guide.flags_values_that")),
        Fact(say("content.resynthesis_guide.consistency"), say("content.resynthesis_guide.flags_a_name")),
        Fact(say("content.resynthesis_guide.dictionary"), say("content.resynthesis_guide.flags_words_that")),
        Fact(say("content.resynthesis_guide.parrot"), say("content.resynthesis_guide.flags_what_a")),
        Fact(say("content.resynthesis_guide.all_together"), say("content.resynthesis_guide.flags_by_all")),
    ),
    limits=(
        say("content.resynthesis_guide.an_attack_that"),
        say("content.resynthesis_guide.it_speaks_for"),
        say("content.resynthesis_guide.limits_are_learnt"),
    ),
    sources=_CARRELL,
)
