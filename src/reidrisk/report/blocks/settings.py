"""Settings and versions, as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from reidrisk.core.settings import Setting
from reidrisk.report.names import file_name
from reidrisk.report.numbers import count
from reidrisk.report.parts import Fact, Facts


def versions(result: dict[str, Any]) -> Facts:
    """The versions of the packages that the result was computed with."""
    facts = tuple(Fact(name, version) for name, version in result["versions"].items())
    return Facts("Versions", "Other versions may change the last digits.", facts)


def meanings(settings: Iterable[Setting]) -> dict[str, str]:
    """What settings mean, by name.

    >>> from reidrisk.core.shared_settings import SEED, THRESHOLD
    >>> meanings((SEED, THRESHOLD))["threshold"]
    'threshold as a probability, such as 0.09'
    """
    return {one.name: one.meaning for one in settings}


def cells_read(notes: Iterable[str]) -> str:
    """How the cells of tables were read, without what every text file has.

    >>> cells_read(["a.csv: delimiter: ,", "a.csv: column 'born': dates read as %d.%m.%Y"])
    "a.csv: column 'born': dates read as %d.%m.%Y"
    """
    return "; ".join(note for note in notes if re.search(r"(^|: )(column |texts that mean )", note))


def plain(value: Any) -> str:
    """A setting's value as people write it.

    >>> plain([0.3, 0.4, 0.5]), plain(True), plain({"beta": [211.5, 99.5]})
    ('0.3 to 0.5, most likely 0.4', 'yes', 'Beta(211.5, 99.5)')
    """
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and len(value) == 3:
        return f"{value[0]:g} to {value[2]:g}, most likely {value[1]:g}"
    if isinstance(value, dict):
        return _structured_value(value)
    if isinstance(value, float):
        return f"{value:g}"
    return count(value) if isinstance(value, int) else file_name(str(value))


def _structured_value(value: dict[str, Any]) -> str:
    """A distribution, or one value per type."""
    if "beta" in value:
        return f"Beta({value['beta'][0]:g}, {value['beta'][1]:g})"
    parts = [f"{name} {plain(one)}" for name, one in value.get("by_type", {}).items()]
    return "; ".join([*parts, f"others {plain(value.get('default'))}"])


def setting_text(value: Any) -> str:
    """A setting's value as people write it.

    >>> setting_text(["sex", "age"]), setting_text({"age": "week"}), setting_text(0.15)
    ('sex, age', 'age: week', '0.15')
    """
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {setting_text(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list):
        parts = [setting_text(one) for one in value]
        return ("; " if any("," in part for part in parts) else ", ").join(parts) or "none"
    return f"{value:g}" if isinstance(value, float) else file_name(str(value))
