"""Where links and bookmarks lead: only to places on pages, never by a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pikepdf import Pdf

_KINDS = ("/XYZ", "/Fit", "/FitH", "/FitV", "/FitR", "/FitB", "/FitBH", "/FitBV")


class Destinations:
    """The named destinations of a document, read before the names are dropped."""

    def __init__(self, pdf: Pdf) -> None:
        import pikepdf

        self._named: dict[str, Any] = {}
        old = pdf.Root.get("/Dests")
        if isinstance(old, pikepdf.Dictionary):
            self._named |= dict(old.items())
        names = pdf.Root.get("/Names")
        tree = names.get("/Dests") if isinstance(names, pikepdf.Dictionary) else None
        if isinstance(tree, pikepdf.Dictionary):
            self._named |= {str(name): place for name, place in pikepdf.NameTree(tree).items()}
        self._pages = {page.obj.objgen for page in pdf.pages}

    def of(self, item: Any) -> Any:
        """The explicit destination of a link or bookmark; None where it does not lead to a page."""
        import pikepdf

        place = item.get("/Dest")
        action = item.get("/A")
        if place is None and isinstance(action, pikepdf.Dictionary) and action.get("/S") == "/GoTo":
            place = action.get("/D")
        if isinstance(place, pikepdf.Name | pikepdf.String):
            place = self._named.get(str(place))
        if isinstance(place, pikepdf.Dictionary):
            place = place.get("/D")
        return self._explicit(place)

    def _explicit(self, place: Any) -> Any:
        import pikepdf

        if not isinstance(place, pikepdf.Array) or len(place) < 2 or str(place[1]) not in _KINDS:
            return None
        if not isinstance(place[0], pikepdf.Dictionary) or place[0].objgen not in self._pages:
            return None
        numbers = [part if not isinstance(part, pikepdf.Object) else None for part in list(place)[2:6]]
        return pikepdf.Array([place[0], place[1], *numbers])
