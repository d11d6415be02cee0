"""The inventory of documents: what leaves with them, and whether it was measured."""

from __future__ import annotations

from collections.abc import Iterable

from reidrisk.core.inventory import Inventory, InventoryItem
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.scenarios import REVIEW
from reidrisk.documents.risk.settings import DocumentSettings

TREATMENTS = {"redacted": "redacted", "qualitative": "redacted or replaced"}


def documents_inventory(
    measured: DocumentMeasure, settings: DocumentSettings, unmeasured: Iterable[InventoryItem]
) -> Inventory:
    """Identifiers of participants, their events, and what nobody found."""
    done = TREATMENTS.get(measured.scenario, "replaced by the released values")
    counted = "counted in the classes"
    if measured.scenario in TREATMENTS:
        counted = "removed where it was found; the risk counts what was missed"
    quasi = ", ".join(measured.inputs["quasi"])
    items = [InventoryItem(quasi, "quasi-identifier", done, "measured", counted)]
    events = measured.everybody_events
    if events is not None:
        items.append(_events(", ".join(events.tables), done, settings))
    stopping = tuple(unmeasured)
    if not stopping and (measured.review is not None or measured.evidence is not None):
        items.append(InventoryItem(REVIEW, "documents", "reviewed", "measured", _reviewed(measured)))
    return Inventory((*items, *stopping))


def _events(tables: str, done: str, settings: DocumentSettings) -> InventoryItem:
    item = f"events of {tables}"
    if settings.known_reason is not None:
        return InventoryItem(item, "events", done, "accepted", settings.known_reason)
    return InventoryItem(item, "events", done, "measured", f"{settings.known} known to the adversary")


def _reviewed(measured: DocumentMeasure) -> str:
    if measured.is_reviewed:
        return "people read every page"
    if measured.review is None:
        return "recall was given as figures"
    return measured.review.sentence()
