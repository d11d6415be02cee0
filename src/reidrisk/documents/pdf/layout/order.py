"""The order in which pieces are read: as they were drawn, unless that jumps about."""

from __future__ import annotations

from itertools import pairwise

from reidrisk.documents.pdf.layout.pieces import Piece

_JUMPS = 0.3
"""Share of steps upward in the same column from which on the drawing order is not believed."""


def in_reading_order(pieces: list[Piece]) -> list[Piece]:
    """The pieces from first to last."""
    if len(pieces) < 3:
        return pieces
    steps = list(pairwise(pieces))
    jumps = sum(_jumps_up(before, after) for before, after in steps)
    return pieces if jumps <= _JUMPS * len(steps) else _by_place(pieces)


def _jumps_up(before: Piece, after: Piece) -> bool:
    """Whether the next piece stands above in the same column, or before it in the same line."""
    if before.angle != after.angle:
        return False
    if after.follows(before):
        return after.end <= before.start
    overlap = min(before.end, after.end) - max(before.start, after.start)
    return after.base > before.base and overlap > 0


def _by_place(pieces: list[Piece]) -> list[Piece]:
    """Line by line from the top, each line from its start."""
    ordered: list[Piece] = []
    for angle in dict.fromkeys(piece.angle for piece in pieces):
        rest = sorted((piece for piece in pieces if piece.angle == angle), key=lambda piece: -piece.base)
        row: list[Piece] = []
        for piece in rest:
            if row and not piece.follows(row[0]):
                ordered += sorted(row, key=lambda one: one.start)
                row = []
            row.append(piece)
        ordered += sorted(row, key=lambda one: one.start)
    return ordered
