"""What the adversary knows, seeks and tries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting

MOST_NEIGHBOURS = 100
MOST_LEVEL = 0.9999
"""Beyond it intervals have no end."""


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """Columns by their part in the attacks, and how many guesses are made."""

    quasi: tuple[str, ...]
    """Columns that the adversary may know of people: linkage and singling out use them."""
    secret: tuple[str, ...] = ()
    """Columns whose values the adversary wants to infer."""
    known: tuple[str, ...] | None = None
    """Columns that inference starts from; None for the quasi-identifiers."""
    sets: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    """Two sources whose records are to be linked through the release; None halves the quasi-identifiers."""
    id: str | None = None
    """A column of both tables that tells who is who, by which guesses are judged; no attack sees it."""
    unit: str | None = None
    """A column of the other table that tells which of its rows are one person; None if every row is one."""
    guesses: int = 2000
    """Of each attack, if there are so many records; exact linkage tries every record."""
    together: int = 3
    """Columns in a predicate."""
    level: float = 0.95
    """Of the intervals."""
    tolerance: float = 0.05
    """How far from a secret number a guess is still right, as a share of it."""
    neighbours: int = 1
    """Of linkability: so many nearest records of either source may be the one that both share."""
    confidence: float = 0.9
    """How sure the adversary of a probabilistic linkage is of the links that it claims."""
    threshold: Threshold | None = None
    """The largest acceptable success of any attack; without one nothing is decided."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "quasi", _names(self.quasi, "quasi"))
        object.__setattr__(self, "secret", _names(self.secret, "secret"))
        if self.known is not None:
            object.__setattr__(self, "known", _names(self.known, "known"))
        if self.sets is not None:
            object.__setattr__(self, "sets", _two(self.sets))
        if not self.quasi:
            raise InvalidSetting(
                "An attack needs at least one quasi-identifier.", hint="Which columns may an intruder know?"
            )
        self._numbers()
        self._one_part_each()

    def _numbers(self) -> None:
        whole = self.guesses >= 1 and self.together >= 1
        if not whole or not 0 < self.level <= MOST_LEVEL or not 0 <= self.tolerance < 1:
            raise InvalidSetting(
                "Guesses and columns of a predicate are at least 1, a tolerance is below 1, a level above 0 "
                f"and at most {MOST_LEVEL:g}.",
                hint="The defaults are 2000 guesses, 3 columns, level 0.95 and tolerance 0.05.",
            )
        if not 1 <= self.neighbours <= MOST_NEIGHBOURS:
            raise InvalidSetting(
                f"The neighbours of linkability are 1 to {MOST_NEIGHBOURS}.",
                hint="The default is 1: both sources must have the same nearest record.",
            )
        if not 0 < self.confidence <= 1:
            raise InvalidSetting(
                "The confidence of a claim is greater than 0 and at most 1.", hint="The default is 0.9."
            )

    def _one_part_each(self) -> None:
        told = [name for name in self.secret if self.known is not None and name in self.known]
        if told:
            raise InvalidSetting(
                f"{', '.join(told)} cannot be both known and secret.", hint="Leave it out of one of them."
            )
        for name in (self.id, self.unit):
            if name is not None and name in self.columns:
                raise InvalidSetting(
                    f"{name} tells who is who and cannot take part in an attack.",
                    hint="Leave it out of the other lists of columns.",
                )

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that an attack looks at."""
        sets = self.sets or ((), ())
        return tuple(dict.fromkeys((*self.quasi, *self.secret, *(self.known or ()), *sets[0], *sets[1])))

    @property
    def linked_sets(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The two sources; the second is empty if there is only one quasi-identifier."""
        return self.sets or (self.quasi[::2], self.quasi[1::2])

    def known_for(self, secret: str) -> tuple[str, ...]:
        """What inference of a secret starts from."""
        return tuple(name for name in self.known or self.quasi if name != secret)


def _names(given: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(given, str):
        raise InvalidSetting(
            f"{what} takes several column names, not one text.", hint=f'Write {what}=["{given}"].'
        )
    names = tuple(given)
    if len(set(names)) < len(names):
        raise InvalidSetting(f"A column is named twice in {what}.", hint="Name each once.")
    return names


def _two(sets: Sequence[Iterable[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    parts = tuple(_names(part, "sets") for part in sets)
    if len(parts) != 2 or not all(parts) or set(parts[0]) & set(parts[1]):
        raise InvalidSetting(
            "Linkability needs two sets of columns that share none.",
            hint="Write for example sets=[['age', 'sex'], ['zip', 'admitted']].",
        )
    return parts[0], parts[1]
