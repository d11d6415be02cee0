"""Layers (optional content): which are switched off when the document is opened."""

from __future__ import annotations

from typing import Any


class Layers:
    """The layers of a document."""

    def __init__(self, root: Any) -> None:
        self._off: set[tuple[int, int]] = set()
        properties = root.get("/OCProperties")
        setting = properties.get("/D") if properties is not None else None
        if setting is None:
            return
        if setting.get("/BaseState") == "/OFF":
            shown = {group.objgen for group in setting.get("/ON") or []}
            self._off = {group.objgen for group in properties.get("/OCGs") or []} - shown
        self._off |= {group.objgen for group in setting.get("/OFF") or []}

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
