"""The options that give a role to what would leave a table without being measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reidrisk.core.shell import shell_word

KINDS = ("table_risk", "table_deidentified")
"""The results of commands that have these options."""


def role_options(result: Mapping[str, Any]) -> str:
    """Options to paste, with the roles that the columns seem to have; empty if nothing is unmeasured.

    >>> missing = [{"item": "zip", "role": "quasi-identifier"}, {"item": "notes", "role": "free text"}]
    >>> print(role_options({"kind": "table_risk", "settings": {"quasi": ["age"]}, "unmeasured": missing}))
    To give them the roles that they seem to have, use these options:
      --quasi age,zip --text notes=drop
    To accept one as it is, for a reason that is printed:
      --other zip=REASON
    """
    found = result.get("unmeasured") or ()
    if result.get("kind") not in KINDS or not found:
        return ""
    roles = " ".join(_roles(result, found))
    other = f"--other {shell_word(str(found[0]['item']) + '=REASON')}"
    lines = (
        ["To give them the roles that they seem to have, use these options:", f"  {roles}"] if roles else []
    )
    return "\n".join([*lines, "To accept one as it is, for a reason that is printed:", f"  {other}"])


def _roles(result: Mapping[str, Any], found: Any) -> Iterator[str]:
    of_role: dict[str, list[str]] = {}
    for one in found:
        of_role.setdefault(one["role"], []).append(one["item"])
    direct = of_role.get("direct identifier", [])
    if direct:
        yield f"--direct {shell_word(','.join(direct))}"
    quasi = of_role.get("quasi-identifier", [])
    if quasi:
        yield f"--quasi {shell_word(','.join([*result['settings']['quasi'], *quasi]))}"
    for name in of_role.get("free text", []):
        yield f"--text {shell_word(f'{name}=drop')}"
