"""Column names of Summary File 1, 2000 and 2010.

data.census.gov and the Bureau's interface call the cells PCT012A001 to PCT012A209. American FactFinder,
closed in 2020, called them VD01 to VD209 (2000) or D001 to D209 (2010) in files named by their table, such
as DEC_10_SF1_PCT12A_with_ann.csv, with GEO.id, GEO.id2 and GEO.display-label before them.
"""

from __future__ import annotations

import re

CODES = re.compile(r"PCT012([A-O]?)(\d{3})")
FACTFINDER = re.compile(r"(?:HD01_)?(?:VD|D|S)(\d{2,3})")
NAMED = re.compile(r"PCT0?12([A-O]?)(?![0-9A-Z])", re.IGNORECASE)


def sf1_cell(column: str, file_name: str) -> tuple[str, int] | None:
    """The letter of the table and the number of the cell from 1 on; None for any other column.

    >>> sf1_cell("PCT012A002", "x.csv"), sf1_cell("D107", "DEC_10_SF1_PCT12C_with_ann.csv")
    (('A', 2), ('C', 107))
    """
    code = CODES.fullmatch(column)
    if code:
        return code[1], int(code[2])
    old, table = FACTFINDER.fullmatch(column), NAMED.search(file_name)
    return (table[1].upper(), int(old[1])) if old and table else None
