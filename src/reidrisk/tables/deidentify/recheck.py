"""What a written file tells of secret columns, measured anew before anybody gets it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reidrisk.engine.collapse import collapse
from reidrisk.engine.release import ReleasePlan
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import distinct_tuples
from reidrisk.errors import FailedCheck
from reidrisk.tables.deidentify.methods import Releasable
from reidrisk.tables.deidentify.prepare import Prepared
from reidrisk.tables.deidentify.secrets import NamedSecret
from reidrisk.tables.secrets import SecretFound, found_in, secret_classes

TEXT = "VARCHAR"


def secret_types(found: Releasable, prepared: Prepared) -> dict[str, str]:
    """The types of the secret columns, which a file of texts does not hold."""
    opened, table = prepared.opened.types, prepared.table.types
    names = [one.column for one in found.problem.secrets]
    return {name: table[name] if table[name] != TEXT else opened.get(name, TEXT) for name in names}


def refuse_telling(
    found: Releasable, release: ReleasePlan, written: Table, types: Mapping[str, str], what: str
) -> None:
    """Refuse a file whose classes break a limit; what cannot be counted in it is not.

    That is a secret whose values have an order that the file's spelling hides, as of odd dates.
    """
    broken = list(_broken(found, release, written, types))
    if broken:
        raise FailedCheck(
            f"{what}: classes of it would tell more than is allowed of {', '.join(broken)}.",
            hint="This is a fault of reidrisk: please report it with the settings, without the data.",
        )


def _broken(
    found: Releasable, release: ReleasePlan, written: Table, types: Mapping[str, str]
) -> Iterator[str]:
    for one in found.problem.secrets:
        if written.types.get(one.column) == TEXT != types.get(one.column, TEXT):
            continue
        records = _records(found.problem.layout.quasi, release, one, written)
        told = None if records is None else _told(found.problem.layout.quasi, one, records)
        if told is not None and not told.acceptable:
            yield one.column


def _records(quasi: Sequence[str], release: ReleasePlan, one: NamedSecret, written: Table) -> Table | None:
    """One record a unit; None where the file no longer has what that takes."""
    if one.column not in written.columns:
        return None
    if release.unit is None:
        return written
    is_mixed = one.rule == "first" and release.order == "content"
    if release.unit not in written.columns or is_mixed:
        return None
    rules: dict[str, Any] = {} if one.rule is None else {one.column: one.rule}
    return collapse(written, release.unit, (*quasi, one.column), rules)


def _told(quasi: Sequence[str], one: NamedSecret, records: Table) -> SecretFound | None:
    """What the classes tell; None if there is no row, or a hierarchy that some values have left."""
    tuples, levels = distinct_tuples(records, (*quasi, one.column)), one.secret.levels
    if not len(tuples) or (levels and len(tuples.values[-1]) != len(levels[0])):
        return None
    return found_in(one.column, secret_classes(tuples, len(quasi)), one.secret.limits, levels)
