"""Invented prescription records of a children's hospital, in the shape of a published study."""

from reidrisk.demo.prescriptions.layout import LAYOUT
from reidrisk.demo.prescriptions.table import COLUMNS, prescription_records, write_prescriptions

__all__ = ["COLUMNS", "LAYOUT", "prescription_records", "write_prescriptions"]
