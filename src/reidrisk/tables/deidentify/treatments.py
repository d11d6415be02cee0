"""What happens to columns that are not searched: nothing that names people stays by omission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reidrisk.core.schema import Schema, Treatment
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.stats.suppress.table import MOST_COLUMNS
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.direct_names import looks_direct


def check_columns(columns: Sequence[str], schema: Schema, options: DeidentifyOptions, *, source: str) -> None:
    """Every column that is named exists, has one role, and nobody was forgotten."""
    made = {one.name for one in options.derived}
    events = () if options.events is None else options.events.columns
    wanted = [*schema.columns, *events, *(name for layout in options.layouts for name in layout.quasi)]
    for name in [*wanted, *options.treatments]:
        if name not in columns and name not in made:
            raise UnknownColumn.among(name, [*columns, *made], source=source)
    quasi = all_quasi(schema, options)
    if len(quasi) > MOST_COLUMNS:
        raise InvalidSetting(
            f"{len(quasi)} quasi-identifiers are more than the {MOST_COLUMNS} that can be searched.",
            hint="Choose those that an intruder can really know.",
        )
    _check_events(schema, options, quasi)
    for name in options.treatments:
        if name in quasi:
            raise InvalidSetting(
                f"{name!r} is a quasi-identifier, and treated as a direct identifier too.",
                hint="Name it in one of the two roles.",
            )
    said = {*wanted, *options.treatments, *_sources(options), *_pseudonyms(options)}
    _refuse_forgotten(columns, said, source)


def _check_events(schema: Schema, options: DeidentifyOptions, quasi: Sequence[str]) -> None:
    """Events stay events, and whose they are stays to be seen."""
    if options.events is None:
        return
    options.events.check(replace(schema, quasi=tuple(quasi), reduce={}))
    treated = [name for name in options.events.columns if name in options.treatments]
    if treated or options.treatments.get(schema.unit or "") == "drop":
        what = ", ".join(treated) or schema.unit
        raise InvalidSetting(
            f"{what} is treated as a direct identifier, but events need it.",
            hint="Without the column of people no rows are linked: measure them without --events then.",
        )
    _check_secrets_of_events(schema, options)
    hidden = [name for name in options.events.columns if name in _sources(options)]
    if hidden:
        raise InvalidSetting(
            f"A variable is derived from {', '.join(hidden)}, which would not go out then, but makes events.",
            hint="Leave the derived variable out: beside the events it would tell their dates.",
        )


def _check_secrets_of_events(schema: Schema, options: DeidentifyOptions) -> None:
    """What is left out of the rows of a person must not change the person's secret."""
    varying = [name for name in schema.sensitive if name in schema.reduce]
    if varying and options.max_event_suppression > 0:
        raise InvalidSetting(
            f"The secret {', '.join(varying)} varies within a person, and rows of events may be left out: "
            "what is told of it would no longer be what was counted.",
            hint="Leave no rows out (--max-event-suppression 0), or name a secret that is the same in all.",
        )


def _refuse_forgotten(columns: Sequence[str], said: set[str], source: str) -> None:
    forgotten = {name: words for name in columns if name not in said and (words := looks_direct(name))}
    if forgotten:
        listed = ", ".join(f"{name!r} ({words})" for name, words in forgotten.items())
        first = next(iter(forgotten))
        raise BadData(
            f"{source}: nothing is said about columns that seem to name people: {listed}.",
            hint=f"Say what happens to them: --direct {first}=drop, or {first}=keep if it names nobody.",
        )


def all_quasi(schema: Schema, options: DeidentifyOptions) -> tuple[str, ...]:
    """The quasi-identifiers of all layouts, each once."""
    if not options.layouts:
        return schema.quasi
    return tuple(dict.fromkeys(name for layout in options.layouts for name in layout.quasi))


def treatments_of(
    columns: Sequence[str], schema: Schema, options: DeidentifyOptions, quasi: Sequence[str]
) -> dict[str, Treatment]:
    """What is done to every column that is neither released as a quasi-identifier nor left alone.

    Variables of the layouts that were not chosen, and dates that a derived variable replaces, go.
    """
    found: dict[str, Treatment] = {}
    for name in columns:
        if name in quasi:
            continue
        if name in options.treatments:
            found[name] = options.treatments[name]
        elif name in {*schema.direct, *schema.quasi, *all_quasi(schema, options), *_sources(options)}:
            found[name] = "drop"
        elif name == schema.unit and name not in _pseudonyms(options):
            found[name] = "number"
    return found


def _pseudonyms(options: DeidentifyOptions) -> set[str]:
    """Columns that a transformation has made pseudonyms of."""
    return {name for one in options.steps if one.step.kind == "pseudonyms" for name in one.step.columns}


def _sources(options: DeidentifyOptions) -> set[str]:
    """Columns that derived variables are made from, and those variables themselves."""
    return {name for one in options.derived for name in (one.start, one.end, one.name)}
