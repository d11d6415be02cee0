"""The chapters of ICD-10 by their ranges of categories."""

from __future__ import annotations

CHAPTERS = (
    "A00-B99",
    "C00-D48",
    "D50-D89",
    "E00-E90",
    "F00-F99",
    "G00-G99",
    "H00-H59",
    "H60-H95",
    "I00-I99",
    "J00-J99",
    "K00-K93",
    "L00-L99",
    "M00-M99",
    "N00-N99",
    "O00-O99",
    "P00-P96",
    "Q00-Q99",
    "R00-R99",
    "S00-T98",
    "U00-U99",
    "V01-Y98",
    "Z00-Z99",
)
"""In the order of the alphabet. The ranges are the WHO's; national editions add a few categories."""
