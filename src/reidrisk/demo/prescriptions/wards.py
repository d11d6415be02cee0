"""Services of the hospital, the wards where they have their beds, and who prescribes there (ours)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ward:
    """Where a service works."""

    name: str
    """As the extract writes the service."""
    location: str
    prescribers: str
    """Code of the group of prescribers."""


WARDS = {
    "neonatal": Ward("Neonatal intensive care", "NICU", "NEO"),
    "critical": Ward("Pediatric intensive care", "PICU", "CRIT"),
    "medicine": Ward("Pediatric medicine", "Ward A", "PED"),
    "cardiology": Ward("Cardiology", "Ward A", "CARD"),
    "neurology": Ward("Neurology", "Ward B", "NEUR"),
    "neurosurgery": Ward("Neurosurgery", "Ward B", "SURG"),
    "respirology": Ward("Respirology", "Ward B", "RESP"),
    "gastroenterology": Ward("Gastroenterology", "Ward B", "GAST"),
    "nephrology": Ward("Nephrology", "Ward B", "NEPH"),
    "oncology": Ward("Hematology and oncology", "Ward C", "ONC"),
    "rheumatology": Ward("Rheumatology", "Day unit", "RHEU"),
    "surgery": Ward("General and plastic surgery", "Ward D", "SURG"),
    "orthopedics": Ward("Orthopedic surgery", "Ward D", "SURG"),
    "otolaryngology": Ward("Otolaryngology", "Day surgery", "SURG"),
    "dentistry": Ward("Dentistry", "Day surgery", "DENT"),
    "psychiatry": Ward("Mental health", "Ward E", "PSYC"),
}
