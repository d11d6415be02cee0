"""The inventory of a release: everything that leaves, and whether it was measured.

A verdict can only be acceptable if each item was measured, removed, or accepted by name with a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from reidrisk.core.reason import Reason
from reidrisk.core.wording import plural
from reidrisk.errors import InvalidSetting

Status = Literal["measured", "removed", "accepted", "unmeasured"]
NO_SIGN = "no sign of an identifier found"
"""The reason for an item that nobody mentioned and that looks harmless."""
ORDER_OF_ROWS = "order of the rows"
METADATA = "metadata of the file"
ROLES = "roles of the columns"
SHOWN = 6
"""How many items a sentence names."""
COLUMNS = ("direct identifier", "quasi-identifier", "free text")
"""What a column without a role seems to be."""


@dataclass(frozen=True, slots=True)
class InventoryItem:
    """One thing that leaves with a release, such as a column, free text or the order of the rows."""

    item: str
    """The name of the column, or what it is."""
    role: str
    treatment: str
    """What happens to it before the release, such as `generalized` or `kept`."""
    status: Status
    """Whether the verdict covers it: only `unmeasured` stops a verdict."""
    reason: str

    def __post_init__(self) -> None:
        if self.status not in get_args(Status):
            raise InvalidSetting.among(f"The status of {self.item!r}", self.status, get_args(Status))
        if not self.reason.strip():
            raise InvalidSetting(
                f"{self.item!r} is in the inventory without a reason.",
                hint="Say in one sentence why it may be released.",
            )

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything that leaves with a table, a text or a set of documents."""

    items: tuple[InventoryItem, ...] = ()

    @classmethod
    def from_list(cls, given: Iterable[Mapping[str, Any]]) -> Inventory:
        """Read what `to_dict` wrote under `inventory`."""
        return cls(tuple(InventoryItem(**one) for one in given))

    def of_status(self, status: Status) -> tuple[InventoryItem, ...]:
        """Return the items with a status."""
        return tuple(one for one in self.items if one.status == status)

    @property
    def unmeasured(self) -> tuple[InventoryItem, ...]:
        """The items that stop the verdict."""
        return self.of_status("unmeasured")

    @property
    def is_complete(self) -> bool:
        """Whether every item is measured, removed or accepted."""
        return not self.unmeasured

    def with_items(self, *items: InventoryItem) -> Inventory:
        """Return the inventory with more items."""
        return Inventory((*self.items, *items))

    def reasons(self) -> tuple[Reason, ...]:
        """Return the sentence that stops a verdict; nothing if the inventory is complete."""
        return () if self.is_complete else (Reason(self.objection, holds=False),)

    @property
    def objection(self) -> str:
        """Why the verdict cannot be acceptable, in one sentence; empty if the inventory is complete."""
        found = self.unmeasured
        if not found:
            return ""
        if all(one.item == ROLES for one in found):
            return "Nobody has confirmed the suggested roles of the columns: not acceptable."
        named = ", ".join(f"{one.item} ({one.role})" for one in found[:SHOWN])
        rest = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        which = "it" if len(found) == 1 else "each"
        role = f"Give {which} a role (quasi, direct, sensitive or text), remove it"
        ways = role if any(one.role in COLUMNS for one in found) else f"Remove {which}"
        return (
            f"{plural(len(found), 'item')} would leave without being measured: {named}{rest}. "
            f"{ways}, or accept it by name with a reason (other): not acceptable."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the keys `inventory` and `unmeasured` of a result, as JSON types."""
        return {
            "inventory": [one.to_dict() for one in self.items],
            "unmeasured": [
                {"item": one.item, "role": one.role, "reason": one.reason} for one in self.unmeasured
            ],
        }
