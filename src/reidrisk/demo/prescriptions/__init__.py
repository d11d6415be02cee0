"""Synthetic prescription records of a children's hospital, modeled on a published study."""

from reidrisk.demo.prescriptions.table import (
    COLUMNS,
    CONFIG,
    KEY,
    LAYOUT,
    RECORDS,
    demo_key,
    prescription_records,
    write_case,
    write_prescriptions,
)

__all__ = [
    "COLUMNS",
    "CONFIG",
    "KEY",
    "LAYOUT",
    "RECORDS",
    "demo_key",
    "prescription_records",
    "write_case",
    "write_prescriptions",
]
