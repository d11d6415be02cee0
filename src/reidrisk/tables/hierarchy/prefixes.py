"""The first characters of codes, such as postal codes."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.core.spec import Spec, whole
from reidrisk.core.wording import plural
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.chain import Chain, Step, Values, objects
from reidrisk.tables.hierarchy.matching import written


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Levels that keep fewer and fewer characters; a shorter code stays whole."""

    lengths: tuple[int, ...]
    normalise: bool = False
    """Whether k1h 8l1 is K1H8L1."""

    lists_missing = False

    def chain(self, values: Values) -> Chain:
        """The first characters of each value."""
        texts = [written(value) for value in values.present.tolist()]
        if self.normalise:
            texts = ["".join(text.split()).upper() for text in texts]
        steps = [
            Step(plural(length, "character"), objects([text[:length] for text in texts]))
            for length in self.lengths
        ]
        return Chain(tuple(steps))


def prefix_rule(spec: Spec) -> Prefixes:
    """Lengths, longest first."""
    hint = "Write for example lengths: [3, 2, 1]."
    lengths = [whole(entry, place) for place, entry in spec.items("lengths", hint=hint)]
    if lengths != sorted(set(lengths), reverse=True):
        raise InvalidSetting(f"{spec.at('lengths')} does not descend.", hint=hint)
    return Prefixes(tuple(lengths), spec.flag("normalise", default=False))
