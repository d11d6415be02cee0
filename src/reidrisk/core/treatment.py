"""What happens to a column that names people or units."""

from __future__ import annotations

from typing import Literal, get_args

Treatment = Literal["drop", "pseudonym", "number", "keep"]
"""Left out; replaced by a keyed pseudonym; by 1, 2, 3 in order of appearance; or kept on purpose."""
TREATMENTS: tuple[str, ...] = get_args(Treatment)
