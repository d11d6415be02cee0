"""Read a YAML file that says which margins to fit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from reidrisk.core.spec import Spec, whole
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting
from reidrisk.population.fit import FitSettings, fit_population
from reidrisk.population.people import Population
from reidrisk.population.read import read_population

KNOWN = ("margins", "start", "open_band_years", "rescale")
OF_A_MARGIN = ("file", "areas", "fields", "open_band_years", "year")
HINT = "Write margins: and below it a list of files in long form, one per line."


def fit_from_file(path: str | Path, *, progress: Callable[[int, int], None] | None = None) -> Population:
    """Fit the margins listed in a YAML file; paths are relative to that file."""
    place = path_text(path)
    content = read_yaml(Path(path))
    if not isinstance(content, dict):
        raise InvalidSetting(f"{place} is not a mapping of settings.", hint=HINT)
    spec = Spec.of(content, place=place)
    spec.allow(KNOWN)
    margins = [_margin(spec, entry, at, Path(path).parent) for at, entry in spec.items("margins", hint=HINT)]
    start = []
    if spec.content.get("start") is not None:
        start = [_margin(spec, entry, at, Path(path).parent) for at, entry in spec.items("start", hint=HINT)]
    settings = FitSettings(rescale=spec.flag("rescale", default=False))
    return fit_population(margins, start=start, settings=settings, source=place, progress=progress)


def _margin(spec: Spec, entry: Any, place: str, folder: Path) -> Population:
    own = Spec.of({"file": entry} if isinstance(entry, str) else entry, place=place)
    own.allow(OF_A_MARGIN)
    own.need("file", hint=HINT)
    return read_population(
        folder / own.text("file", ""),
        areas=_names(own, "areas"),
        fields=_names(own, "fields"),
        open_band_years=_years(own) or _years(spec),
        year=own.content.get("year"),
    )


def _names(spec: Spec, key: str) -> list[str] | None:
    found = spec.content.get(key)
    if found is None:
        return None
    names = [found] if isinstance(found, str) else found
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InvalidSetting(f"{spec.at(key)} is not a list of columns.", hint="Write [state, county].")
    return names


def _years(spec: Spec) -> int | None:
    found = spec.content.get("open_band_years")
    return None if found is None else whole(found, spec.at("open_band_years"))
