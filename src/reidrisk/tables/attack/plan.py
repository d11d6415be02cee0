"""The plan of an attack: what the adversary knows, wants to learn and tries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reidrisk.core.schema import Roles, Schema
from reidrisk.core.settings import check_settings
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.tables.attack.settings import (
    CONFIDENCE,
    GUESSES,
    LEVEL,
    NEIGHBOURS,
    PLAN_NUMBERS,
    ROWS,
    TOGETHER,
    TOLERANCE,
)


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """Columns by their role in the attacks, and the number of guesses."""

    quasi: tuple[str, ...]
    """Columns that the adversary may know about people; used by linkage and singling out."""
    secret: tuple[str, ...] = ()
    """The former name of `sensitive`; both always have the same value."""
    known: tuple[str, ...] | None = None
    """Columns that inference starts from; None for the quasi-identifiers."""
    sets: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    """Two sources whose records are linked through the release; None splits the quasi-identifiers in half."""
    id: str | None = None
    """A column of both tables that identifies people, to judge the guesses; no attack sees it."""
    unit: str | None = None
    """A column of the other table that shows which rows belong to one person; None if each row is one."""
    guesses: int = GUESSES.default
    """Largest number of guesses per attack; exact linkage tries every record."""
    together: int = TOGETHER.default
    """Number of columns in a predicate."""
    level: float = LEVEL.default
    """Confidence level of the intervals."""
    tolerance: float = TOLERANCE.default
    """Largest error of a correct guess of a number, as a share of the number."""
    neighbours: int = NEIGHBOURS.default
    """For linkability: number of nearest records of each source, one of which both must share."""
    confidence: float = CONFIDENCE.default
    """Smallest probability at which the adversary of a probabilistic linkage claims a link."""
    threshold: Threshold | None = None
    """The largest acceptable success of any attack; without it, nothing is decided."""
    sensitive: tuple[str, ...] = ()
    """Columns whose values the adversary wants to infer."""
    present: float | None = None
    """Share of released records whose person is in the other table; None if unknown."""
    rows: int = ROWS.default
    """Largest number of rows of a table; of a larger one, whole persons are sampled."""

    def __post_init__(self) -> None:
        Threshold.check(self.threshold)
        object.__setattr__(self, "quasi", _names(self.quasi, "quasi"))
        self._unite_sensitive()
        if self.known is not None:
            object.__setattr__(self, "known", _names(self.known, "known"))
        if self.sets is not None:
            object.__setattr__(self, "sets", _two(self.sets))
        if not self.quasi:
            raise InvalidSetting(
                "An attack needs at least one quasi-identifier.", hint="Which columns may an intruder know?"
            )
        check_settings(PLAN_NUMBERS, self)
        self._one_part_each()

    def _unite_sensitive(self) -> None:
        """Give `sensitive` and its former name `secret` the same value."""
        former, columns = _names(self.secret, "secret"), _names(self.sensitive, "sensitive")
        if former and columns and former != columns:
            raise InvalidSetting(
                "sensitive and its former name, secret, have different values.", hint="Give only sensitive."
            )
        object.__setattr__(self, "sensitive", columns or former)
        object.__setattr__(self, "secret", columns or former)

    def _one_part_each(self) -> None:
        both = [name for name in self.sensitive if self.known is not None and name in self.known]
        if both:
            raise InvalidSetting(
                f"{', '.join(both)} cannot be both known and sensitive.", hint="Leave it out of one of them."
            )
        for name in (self.id, self.unit):
            if name is not None and name in self.columns:
                raise InvalidSetting(
                    f"{name} identifies people and cannot be used in an attack.",
                    hint="Leave it out of the other lists of columns.",
                )

    @classmethod
    def of(
        cls,
        given: AttackPlan | Roles | None,
        *,
        quasi: Iterable[str] | None = None,
        sensitive: Iterable[str] = (),
        unit: str | None = None,
        threshold: Threshold | None = None,
    ) -> AttackPlan:
        """Build from what a function was given: a plan, a schema, or columns by role.

        >>> AttackPlan.of(["age", "sex"], sensitive=["diagnosis"]).quasi
        ('age', 'sex')
        """
        if isinstance(given, AttackPlan):
            if quasi is not None or sensitive or unit is not None or threshold is not None:
                raise InvalidSetting(
                    "A plan already names the columns and the threshold.",
                    hint="Give either an AttackPlan, or quasi=, sensitive=, unit= and threshold=.",
                )
            return given
        roles = Schema.of(given, quasi=quasi, sensitive=sensitive, unit=unit)
        return cls(roles.quasi, sensitive=roles.sensitive, unit=roles.unit, threshold=threshold)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that an attack uses."""
        sets = self.sets or ((), ())
        return tuple(dict.fromkeys((*self.quasi, *self.sensitive, *(self.known or ()), *sets[0], *sets[1])))

    @property
    def linked_sets(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The two sources; the second is empty if there is only one quasi-identifier."""
        return self.sets or (self.quasi[::2], self.quasi[1::2])

    def known_for(self, sensitive: str) -> tuple[str, ...]:
        """Return the columns that the inference of a sensitive column starts from."""
        return tuple(name for name in self.known or self.quasi if name != sensitive)


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
            "Linkability needs two sets of columns that do not overlap.",
            hint="Write for example sets=[['age', 'sex'], ['zip', 'admitted']].",
        )
    return parts[0], parts[1]
