"""Content controls, form fields and smart tags: what they show stays, what they remember goes."""

from __future__ import annotations

from reidrisk.documents.docx.names import W14, Element, W, named, take_out, unwrap

_CONTROL = named(W, "rPr id lock text richText group picture") | {f"{W14}checkbox"}
_FORM = named(W, "name enabled calcOnExit checkBox textInput ddList")


def forget_controls(root: Element) -> None:
    """Names, bindings, placeholders, lists and dates are taken out; a list to choose from becomes a text."""
    for wrapper in list(root.iter(f"{W}smartTag", f"{W}customXml")):
        for told in wrapper.findall(f"{W}smartTagPr") + wrapper.findall(f"{W}customXmlPr"):
            take_out(told)
        unwrap(wrapper)
    for settings in list(root.iter(f"{W}sdtPr")):
        for child in list(settings):
            if child.tag not in _CONTROL:
                take_out(child)
    for form in list(root.iter(f"{W}ffData")):
        _forget_form(form)


def _forget_form(form: Element) -> None:
    for child in list(form):
        if child.tag not in _FORM:
            take_out(child)
        elif child.tag == f"{W}name":
            child.set(f"{W}val", "")
        elif child.tag == f"{W}textInput":
            for item in list(child):
                take_out(item)
