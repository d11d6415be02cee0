"""Layers (optional content): which are switched off when the document is opened."""

from __future__ import annotations

from typing import Any


def _groups(listed: Any) -> set[tuple[int, int]]:
    import pikepdf

    found: list[Any] = list(listed) if isinstance(listed, pikepdf.Array) else []
    return {group.objgen for group in found if isinstance(group, pikepdf.Dictionary)}


class Layers:
    """The layers of a document."""

    def __init__(self, root: Any) -> None:
        self._off: set[tuple[int, int]] = set()
        properties = root.get("/OCProperties")
        setting = properties.get("/D") if properties is not None else None
        if setting is None:
            return
        if setting.get("/BaseState") == "/OFF":
            self._off = _groups(properties.get("/OCGs")) - _groups(setting.get("/ON"))
        self._off |= _groups(setting.get("/OFF"))

    def off(self, group: Any) -> bool:
        """Whether a layer, or a rule over layers, hides what it holds."""
        import pikepdf

        if group is None or not self._off:
            return False
        if group.get("/Type") != "/OCMD":
            return group.objgen in self._off
        members = group.get("/OCGs")
        if members is None:
            return False
        listed = list(members) if isinstance(members, pikepdf.Array) else [members]
        hidden = [member.objgen in self._off for member in listed]
        policy = str(group.get("/P", "/AnyOn"))
        visible = {
            "/AllOn": not any(hidden),
            "/AnyOff": any(hidden),
            "/AllOff": all(hidden),
        }.get(policy, not all(hidden))
        return bool(hidden) and not visible
