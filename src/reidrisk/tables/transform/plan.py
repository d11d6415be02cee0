"""The steps of a transformation, as read from YAML and in the order they are applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from reidrisk.core.reading import NAMES as READING_NAMES
from reidrisk.core.reading import read_reading
from reidrisk.core.spec import Spec
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting, ReidRiskError, UnknownColumn
from reidrisk.tables.transform.keyed import Pseudonyms, ShiftDates
from reidrisk.tables.transform.perturb import Noise, Pram, RankSwap
from reidrisk.tables.transform.reduce import Sample, Tails
from reidrisk.tables.transform.step import TransformStep

KINDS: dict[str, Any] = {
    one.kind: one for one in (Sample, Tails, Noise, RankSwap, Pram, ShiftDates, Pseudonyms)
}
EXAMPLES = {
    "sample": "{kind: sample, share: 0.5, person: patient_id}",
    "tails": "{kind: tails, column: income, top: 0.01, bottom: 0.01}",
    "noise": "{kind: noise, columns: [income], share: 0.05}",
    "rank_swap": "{kind: rank_swap, columns: [income], within: 0.05}",
    "pram": "{kind: pram, column: region, keep: 0.9}",
    "shift_dates": "{kind: shift_dates, dates: [admitted], person: patient_id, days: 180, release: study-1}",
    "pseudonyms": "{kind: pseudonyms, columns: [patient_id], release: study-1}",
}
"""By kind: a step as one line of a file. `release` is a name of yours: another one gives other values."""
HINT = f"Write `steps:` and under it a list, for example: - {EXAMPLES['sample']}"
SHAPES: dict[str, tuple[type, ...]] = {
    "float": (int, float),
    "int": (int,),
    "bool": (bool,),
    "str": (str,),
    "str | None": (str,),
    "tuple[str, ...]": (list,),
}
"""YAML types for the type of a setting; a mapping is checked by its step."""


def read_steps(path: str | Path) -> tuple[tuple[str, TransformStep], ...]:
    """Read a file: the place of each step and the step; every error names the place."""
    return steps_from(_step_file(path))


def step_reading(path: str | Path) -> dict[str, Any]:
    """Return what a file of steps says about how the table is read."""
    return read_reading(_step_file(path))


def _step_file(path: str | Path) -> Spec:
    file = Path(path)
    content = read_yaml(file)
    if not isinstance(content, Mapping):
        raise InvalidSetting(f"{path_text(file)} is not a mapping of settings.", hint=HINT)
    spec = Spec.of(content, place=path_text(file))
    spec.allow(["steps", *READING_NAMES])
    return spec


def steps_from(spec: Spec) -> tuple[tuple[str, TransformStep], ...]:
    """Read the list under `steps`, each with its place."""
    return tuple((place, step_from(entry, place)) for place, entry in spec.items("steps", hint=HINT))


def step_from(content: Any, place: str) -> TransformStep:
    """Build one step from the mapping in a file."""
    if not isinstance(content, Mapping):
        raise InvalidSetting(f"{place} is not a mapping of settings.", hint=HINT)
    spec = Spec.of(content, place=place)
    kind = spec.need("kind", hint=f"Known kinds: {', '.join(KINDS)}.")
    if str(kind) not in KINDS:
        raise InvalidSetting.among(f"{place}: a transformation", str(kind), KINDS)
    known = fields(KINDS[kind])
    spec.allow(["kind", *(field.name for field in known)])
    given = {}
    for field in known:
        if field.name in spec.content:
            given[field.name] = _check_type(spec.content[field.name], str(field.type), spec.at(field.name))
        elif field.default is MISSING and field.default_factory is MISSING:
            spec.need(field.name, hint=f"For example: {EXAMPLES[kind]}")
    try:
        step: TransformStep = KINDS[kind](**given)
    except InvalidSetting as error:
        raise InvalidSetting(f"{place}: {error.problem}", hint=error.hint) from None
    return step


def _check_type(value: Any, type_name: str, place: str) -> Any:
    shapes = SHAPES.get(type_name)
    if shapes is None:
        return _matrix(value, place)
    fits = isinstance(value, shapes) and (bool in shapes or not isinstance(value, bool))
    names = list(value) if fits and list in shapes else []
    if not fits or not all(isinstance(name, str) for name in names):
        raise InvalidSetting(f"{place} has the wrong type.", hint=f"The type is: {type_name}.")
    return tuple(names) if list in shapes else value


def _matrix(value: Any, place: str) -> dict[str, dict[str, float]]:
    fits = isinstance(value, Mapping) and all(
        isinstance(row, Mapping) and all(isinstance(chance, int | float) for chance in row.values())
        for row in value.values()
    )
    if not fits:
        raise InvalidSetting(
            f"{place} is not a matrix.", hint="Write for each value a mapping of values to probabilities."
        )
    return {
        str(name): {str(other): float(chance) for other, chance in row.items()} for name, row in value.items()
    }


KEYED = ("shift_dates", "pseudonyms")
"""Kinds that need a key."""
DRAWN = ("sample", "noise", "rank_swap", "pram")
"""Kinds that use random numbers."""
BY_CHANCE = ("noise", "rank_swap", "pram", "shift_dates")
"""Kinds after which a value may no longer be true."""
KEY_HINT = "Make one with: reidrisk table key FILE; name it with --key, or as key in a release file."
GivenSteps = str | Path | Sequence[Any]
"""A file, or a list of steps, of mappings as in a file, or of `PlanStep`."""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step and its place, for messages."""

    step: TransformStep
    place: str

    @contextmanager
    def named(self) -> Iterator[None]:
        """Add the place to every error."""
        try:
            yield
        except ReidRiskError as error:
            raise type(error)(f"{self.place} ({self.step.kind}): {error.problem}", hint=error.hint) from None

    def check(self, columns: Sequence[str], source: str, *, unit: str | None = None) -> None:
        """Refuse unknown and repeated columns, and steps that change the unit."""
        own = self.step.columns
        with self.named():
            for name in own:
                if name not in columns:
                    raise UnknownColumn.among(name, columns, source=source)
            if len(set(own)) < len(own):
                raise InvalidSetting("A column is named twice.", hint="Name each column once.")
            if unit is not None and unit in self.step.changes:
                raise InvalidSetting(
                    f"It changes {unit!r}, which identifies the unit of a row.",
                    hint="Leave the unit unchanged, or replace it by pseudonyms.",
                )

    def settings(self) -> dict[str, Any]:
        """Return the settings as JSON types; a matrix, which contains values, is not shown."""
        found: dict[str, Any] = {"kind": self.step.kind}
        step: Any = self.step  # a dataclass, as every step is
        for field in fields(step):
            value = getattr(step, field.name)
            if isinstance(value, Mapping):
                value = "as given"
            found[field.name] = list(value) if isinstance(value, tuple) else value
        return found


def plan_steps(given: GivenSteps) -> tuple[PlanStep, ...]:
    """Build and check all steps, as far as possible without a table."""
    if isinstance(given, str | Path):
        return tuple(PlanStep(step, place) for place, step in read_steps(given))
    return tuple(_plan_step(one, f"steps[{at}]") for at, one in enumerate(given))


def _plan_step(one: Any, place: str) -> PlanStep:
    if isinstance(one, PlanStep):
        return one
    return PlanStep(one if hasattr(one, "apply") else step_from(one, place), place)


def needs_key(steps: Sequence[PlanStep], key: bytes | None) -> None:
    """Refuse steps that need a key if there is none."""
    for one in steps:
        if one.step.kind in KEYED and not key:
            raise InvalidSetting(
                f"{one.place} ({one.step.kind}) needs a key.",
                hint=KEY_HINT,
            )


def guessable_notes(steps: Sequence[PlanStep], key: bytes | None) -> tuple[str, ...]:
    """Warn if random numbers depend on the seed alone, because anyone who guesses it can undo them."""
    kinds = dict.fromkeys(one.step.kind for one in steps if one.step.kind in DRAWN)
    if key or not kinds:
        return ()
    return (
        f"{', '.join(kinds)}: random numbers depend on the seed alone; anyone who guesses it can undo much "
        "of this; use a key to prevent that",
    )
