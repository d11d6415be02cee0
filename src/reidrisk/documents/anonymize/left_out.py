"""Sections of a report that are left out: their lines go, their headings stay."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reidrisk.documents.anonymize.plan import Planned, Rules
from reidrisk.documents.anonymize.taken import Taken
from reidrisk.documents.detection.flow import flows
from reidrisk.documents.detection.sections import Sections
from reidrisk.documents.document import Block, Change

LABEL, MORE = "left out", "–"
"""What stands in the box of the first line, and in those of the others."""
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_WRAPPED = (".pdf", ".txt", ".md")


def lines_left_out(blocks: Sequence[Block], rules: Rules, *, suffix: str) -> list[Change]:
    """Changes that take out all lines of sections that are left out."""
    if "leave_out" not in rules.sections.values():
        return []
    sections = Sections()
    changes: list[Change] = []
    first = True
    for flow in flows(blocks, is_wrapped=suffix in _WRAPPED):
        if not flow.goes_on:
            continue
        lines = list(_LINE.finditer(flow.text[: flow.own]))
        for number, line in enumerate(lines):
            after = lines[number + 1][0] if number + 1 < len(lines) else ""
            heading = sections.heading(line[0], after)
            if heading is not None:
                sections.open(heading)
                first = True
            elif rules.of(sections.section) == "leave_out":
                for block, start, end in flow.places(line.start(), line.end()):
                    changes.append(Change(block.name, start, end, None, LABEL if first else MORE))
                    first = False
    return changes


def without_left_out(planned: Sequence[Planned], lines: Sequence[Change]) -> list[Planned]:
    """Findings in lines that go as a whole need no change of their own."""
    taken = Taken((one.block, one.start, one.end) for one in lines)
    return [Planned(one.finding, "left_out") if taken.meets(one.finding.place) else one for one in planned]
