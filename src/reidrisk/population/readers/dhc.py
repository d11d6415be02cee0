"""Column names of the Demographic and Housing Characteristics File, 2020: PCT12A_001N to PCT12A_209N.

Between them data.census.gov puts annotations, PCT12A_001NA and so on, which are passed over.
"""

from __future__ import annotations

import re

CODES = re.compile(r"PCT12([A-O]?)_(\d{3})N")


def dhc_cell(column: str) -> tuple[str, int] | None:
    """The letter of the table and the number of the cell from 1 on; None for any other column.

    >>> dhc_cell("PCT12G_209N"), dhc_cell("PCT12G_209NA")
    (('G', 209), None)
    """
    code = CODES.fullmatch(column)
    return (code[1], int(code[2])) if code else None
