"""How to read what was replaced in texts, and what an attack on them found."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source

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
        Fact("Surrogate", "An invented value of the same kind and form, in the place of a real one."),
        Fact(
            "Key",
            ("The secret from which surrogates follow. Whoever has it can test guesses: keep it apart."),
        ),
        Fact("Person", "Whose dates move together; without being told, each text is a person of its own."),
        Fact("Leak", "An identifier that was not found and stands in the text as it was."),
    ),
    limits=(
        ("What was not found is still there; only a sample that people annotated shows how much."),
        "Names of files, ids and columns other than those named are written as they were.",
        (
            "Dates, ages, states, countries and trades come from small ranges: a surrogate is "
            "never the original but may be what is real for somebody else."
        ),
    ),
    sources=_CARRELL[:1],
)

ATTACK_GUIDE = Guide(
    terms=(
        Fact("Recognition", "The share of leaked originals that an adversary tells from surrogates; 1: all."),
        Fact(
            "Precision", "The share of flags that are right. An adversary who is mostly wrong gains little."
        ),
        Fact("Frequency", "Flags values that the texts seldom hold."),
        Fact("Consistency", "Flags a name of no other mention, or a date far from all others of its text."),
        Fact("Dictionary", "Flags words that public lists lack, or that are common outside."),
        Fact("Parrot", "Flags what a tagger does not find that was learnt from the released texts."),
        Fact("All together", "Flags by all of these, weighed by what was right in other documents."),
    ),
    limits=(
        ("An attack that is not among these may do better; people may know more than the texts say."),
        "It speaks for these texts, this tool and this key only.",
        ("Limits are learnt where the answers are known, which an adversary seldom has: rather too high."),
    ),
    sources=_CARRELL,
)
