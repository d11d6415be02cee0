"""How the parts of a release move dates: all parts about a person by the same number of days."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.key import read_key
from reidrisk.core.place import SettingPlace

BY_PERSON = "key and person"
"""Linked tables, texts and documents draw the number of days from the key and the person alone."""
WHY = "who knows one of two dates of the same event learns how far the other one was moved"
SAME_RANGE = (
    "Write the same range in all of them, such as dates: {{offset: {days}}} of linked tables, "
    "date_days: {days} of texts and shift: {{days: {days}}} of a study, and make the released files "
    "again with one key."
)
SAME_KEY = "Name one key file in all of them, and make the released files again with it."
NO_ANCHOR = "Write dates: {offset: 365} in place of anchor: an anchor depends on the dates of its own part."
BY_STEP = (
    "The step shift_dates draws another number of days than linked tables, texts and documents do. Make the "
    "table one of the linked tables, or leave its dates out."
)
STAYS = "Leave out offset: none, so that dates move in all parts, or move them in none."


@dataclass(frozen=True, slots=True)
class MovedDates:
    """How a part moves the dates of a person, as far as the release file says it."""

    setting: str
    """The setting that says it."""
    days: int | None
    """At most so many days forward or back; None if dates stay, or move to an anchor."""
    key: Path | None = None
    """The key file that decides on the number of days; None if it is not named."""
    by: str = BY_PERSON
    """What the number of days follows from, besides the key."""
    anchored: bool = False
    """Whether the first date of each person in this part becomes a fixed day."""

    @property
    def words(self) -> str:
        """How far dates move."""
        if self.anchored:
            return "to an anchor"
        return "not at all" if self.days is None else f"by at most {self.days:,} days"

    def differs_from(self, other: MovedDates) -> str | None:
        """What to do if a person would have two numbers of days; None if it is the same, or not known."""
        if self.anchored or other.anchored:
            return NO_ANCHOR
        if self.days is None or other.days is None:
            return STAYS if self.days != other.days else None
        if self.by != other.by:
            return BY_STEP
        if self.days != other.days:
            return SAME_RANGE.format(days=max(self.days, other.days))
        return None

    def has_other_key(self, other: MovedDates) -> bool:
        """Whether both name a key, and not the same one."""
        if self.days is None or self.key is None or other.key is None:
            return False
        if self.key.resolve() == other.key.resolve():
            return False
        there = self.key.is_file() and other.key.is_file()
        return not there or read_key(self.key) != read_key(other.key)


def check_one_offset(parts: Iterable[tuple[str, MovedDates | None]], place: SettingPlace) -> None:
    """Refuse parts of the same people, given with their names, that move dates differently."""
    known = [(name, moved) for name, moved in parts if moved is not None]
    for at, (name, moved) in enumerate(known):
        _check_others(name, moved, known[:at], place)


def _check_others(
    name: str, moved: MovedDates, others: Sequence[tuple[str, MovedDates]], place: SettingPlace
) -> None:
    for first, other in others:
        hint = other.differs_from(moved)
        if hint is not None:
            raise place.wrong(
                f"names parts that move the dates of one person differently: {first} {other.words} "
                f"({other.setting}), {name} {moved.words} ({moved.setting}); {WHY}.",
                hint=hint,
            )
        with place.names_line():
            has_other_key = other.has_other_key(moved)
        if has_other_key:
            raise place.wrong(
                f"names parts that move the dates of one person by different keys: {first} and {name}; "
                f"{WHY}.",
                hint=SAME_KEY,
            )
