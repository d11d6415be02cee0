"""References of a part: ids that say nothing, and no reference to what was left out."""

from __future__ import annotations

from reidrisk.documents.docx.names import A, Element, R, V, W, named, take_out, unwrap
from reidrisk.documents.docx.package import Part

_STAYING = named(A, "blip hlinkClick hlinkHover hlinkMouseOver") | {f"{W}hyperlink"}
_UNWRAPPED = named(W, "object")


def settle_references(part: Part) -> None:
    """Rename the ids of relationships; an element whose target was left out goes too."""
    names = {key: f"rId{number}" for number, key in enumerate(part.relations, 1)}
    part.relations = {names[key]: relation for key, relation in part.relations.items()}
    for element in list(part.tree.iter()):
        for attribute, value in list(element.items()):
            if attribute.startswith(R) or (attribute == "relId" and value in names):
                _settle(element, attribute, names.get(value))
    for wrapper in list(part.tree.iter(*_UNWRAPPED)):
        if not len(wrapper) or wrapper.find(f".//{V}imagedata") is None:
            take_out(wrapper)


def _settle(element: Element, attribute: str, name: str | None) -> None:
    if name is not None:
        element.set(attribute, name)
    elif element.tag in _STAYING:
        del element.attrib[attribute]
        if element.tag == f"{W}hyperlink" and element.get(f"{W}anchor") is None:
            unwrap(element)
        elif element.tag.startswith(f"{A}hlink"):
            take_out(element)
    elif element.getparent() is not None:
        take_out(element)
