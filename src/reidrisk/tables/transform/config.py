"""A list of transformations in a YAML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from reidrisk.core.spec import Spec
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting
from reidrisk.tables.transform.dates import ShiftDates
from reidrisk.tables.transform.noise import Noise
from reidrisk.tables.transform.pram import Pram
from reidrisk.tables.transform.pseudonyms import Pseudonyms
from reidrisk.tables.transform.sample import Sample
from reidrisk.tables.transform.step import Step
from reidrisk.tables.transform.swap import RankSwap
from reidrisk.tables.transform.tails import Tails

KINDS: dict[str, Any] = {
    one.kind: one for one in (Sample, Tails, Noise, RankSwap, Pram, ShiftDates, Pseudonyms)
}
HINT = "Write steps: and under it a list, each with kind: and its settings."
SHAPES: dict[str, tuple[type, ...]] = {
    "float": (int, float),
    "int": (int,),
    "bool": (bool,),
    "str": (str,),
    "str | None": (str,),
    "tuple[str, ...]": (list,),
}
"""What YAML holds for the type of a setting; a mapping is looked at by its step."""


def read_steps(path: str | Path) -> tuple[tuple[str, Step], ...]:
    """Read a file: the place of each step and the step; every complaint names the place."""
    file = Path(path)
    content = read_yaml(file)
    if not isinstance(content, Mapping):
        raise InvalidSetting(f"{path_text(file)} is no mapping of settings.", hint=HINT)
    spec = Spec.of(content, place=path_text(file))
    spec.allow(["steps"])
    return listed_steps(spec)


def listed_steps(spec: Spec) -> tuple[tuple[str, Step], ...]:
    """What stands under `steps`, each with its place."""
    return tuple((place, step_from(entry, place)) for place, entry in spec.items("steps", hint=HINT))


def step_from(content: Any, place: str) -> Step:
    """One step from the mapping that a file holds."""
    if not isinstance(content, Mapping):
        raise InvalidSetting(f"{place} is no mapping of settings.", hint=HINT)
    spec = Spec.of(content, place=place)
    kind = spec.need("kind", hint=f"Known are: {', '.join(KINDS)}.")
    if str(kind) not in KINDS:
        raise InvalidSetting.among(f"{place}: a transformation", str(kind), KINDS)
    known = fields(KINDS[kind])
    spec.allow(["kind", *(field.name for field in known)])
    given = {}
    for field in known:
        if field.name in spec.content:
            given[field.name] = _shaped(spec.content[field.name], str(field.type), spec.at(field.name))
        elif field.default is MISSING and field.default_factory is MISSING:
            spec.need(field.name, hint=f"It is a setting of every {kind}.")
    try:
        step: Step = KINDS[kind](**given)
    except InvalidSetting as error:
        raise InvalidSetting(f"{place}: {error.problem}", hint=error.hint) from None
    return step


def _shaped(value: Any, type_name: str, place: str) -> Any:
    shapes = SHAPES.get(type_name)
    if shapes is None:
        return _matrix(value, place)
    fits = isinstance(value, shapes) and (bool in shapes or not isinstance(value, bool))
    names = list(value) if fits and list in shapes else []
    if not fits or not all(isinstance(name, str) for name in names):
        raise InvalidSetting(f"{place} is not of the right kind.", hint=f"It is: {type_name}.")
    return tuple(names) if list in shapes else value


def _matrix(value: Any, place: str) -> dict[str, dict[str, float]]:
    fits = isinstance(value, Mapping) and all(
        isinstance(row, Mapping) and all(isinstance(chance, int | float) for chance in row.values())
        for row in value.values()
    )
    if not fits:
        raise InvalidSetting(
            f"{place} is no matrix.", hint="Write for each value a mapping of values to chances."
        )
    return {
        str(name): {str(other): float(chance) for other, chance in row.items()} for name, row in value.items()
    }
