"""A table part that is attacked: what our own adversary achieves against the release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from reidrisk.assess.parts.part import Part, Work
from reidrisk.assess.parts.table import given_hierarchies, hierarchy_files
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.run import attack_table

NUMBERS = ("guesses", "neighbours", "confidence")
"""Settings of a plan that are taken as they are."""
COLUMNS = ("quasi", "secret", "known", "sets", "id", "unit")
COUNTED = ("table", "against", "control", *COLUMNS, *NUMBERS, "hierarchies")


class AttackPart(Part):
    """A table as it would go out, and the people it is held against."""

    kind: ClassVar[str] = "table"
    task: ClassVar[str] = "attack"

    @property
    def plan(self) -> AttackPlan:
        """What the adversary knows, seeks and tries."""
        given, known, sets = self.given, self.given.get("known"), self.given.get("sets")
        more = {name: given[name] for name in NUMBERS if given.get(name) is not None}
        return AttackPlan(
            quasi=tuple(given["quasi"]),
            secret=tuple(given.get("secret") or ()),
            known=None if known is None else tuple(known),
            sets=sets,
            id=given.get("id"),
            unit=given.get("unit"),
            **more,
        )

    def sources(self) -> tuple[str, ...]:
        """The tables, and every file of hierarchies."""
        names = [self.given.get(name) for name in ("table", "against", "control")]
        return (*(name for name in names if name), *hierarchy_files(self.given.get("hierarchies")))

    def counted(self) -> Mapping[str, Any]:
        """Columns, tables and the number of guesses."""
        return {name: self.given.get(name) for name in COUNTED}

    def measure(self, work: Work) -> dict[str, Any]:
        """Attack, and count."""
        if work.progress is not None:
            work.progress(self.name, "attacks", 0, 0)
        control = self.given.get("control")
        found = attack_table(
            self.path(self.given["table"]),
            self.path(self.given["against"]),
            self.plan,
            control=None if control is None else self.path(control),
            hierarchies=given_hierarchies(self.given.get("hierarchies"), self.folder, place=self.name),
            seed=work.seed,
        )
        told: dict[str, Any] = self.told(found.to_dict())
        return told
