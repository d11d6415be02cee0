"""Clean a whole Word document before its texts are read, so that reading and writing see the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache

from reidrisk.documents.docx.fields import accept_revisions, unlink_fields
from reidrisk.documents.docx.names import (
    CX,
    MC,
    SPACE,
    W14,
    A,
    C,
    Element,
    M,
    O,
    R,
    V,
    W,
    having,
    local,
    named,
    take_out,
    unwrap,
)
from reidrisk.documents.docx.package import Package, Part
from reidrisk.documents.docx.places import clean_media
from reidrisk.documents.docx.reading import DESCRIBING
from reidrisk.documents.docx.standard import is_standard_style
from reidrisk.documents.words import words

_TELLING = (f"{W}t", f"{A}t", f"{M}t", f"{V}textpath", f"{W}instrText", f"{W}delText")
_BOX = f"{W}txbxContent"
_CONTROL = named(W, "rPr id lock text richText group picture") | {f"{W14}checkbox"}
_FORM = named(W, "name enabled calcOnExit checkBox textInput ddList")
_SETTINGS = (
    named(W, "mirrorMargins alignBordersAndEdges bordersDoNotSurroundHeader bordersDoNotSurroundFooter")
    | named(W, "defaultTabStop autoHyphenation consecutiveHyphenLimit hyphenationZone doNotHyphenateCaps")
    | named(
        W, "evenAndOddHeaders bookFoldRevPrinting bookFoldPrinting drawingGridHorizontalSpacing gutterAtTop"
    )
    | named(W, "drawingGridVerticalSpacing characterSpacingControl footnotePr endnotePr compat themeFontLang")
    | named(W, "clrSchemeMapping decimalSymbol listSeparator displayBackgroundShape")
    | {f"{M}mathPr"}
)
_STYLED = named(W, "pStyle rStyle tblStyle basedOn next link numStyleLink styleLink")
_HEADING = re.compile(r"Heading\d|Title")
"""Styles that say something even where they are not defined."""
_THEME = named(A, "theme clrScheme fontScheme fmtScheme")
_STAYING = named(A, "blip hlinkClick hlinkHover hlinkMouseOver") | {f"{W}hyperlink"}
_UNWRAPPED = named(W, "object")
_KNOWN = re.compile(
    r"\{(?:http://schemas\.(?:openxmlformats\.org|microsoft\.com/office)/|urn:schemas-microsoft-com:)"
)
_TEXTS = named(W, "t instrText") | {f"{M}t", f"{A}t", f"{C}v", f"{CX}v", f"{CX}pt"}
_FORMULAS = frozenset((f"{C}f", f"{CX}f"))
_MEASURES = words("posOffset align pctWidth pctHeight pctPosHOffset pctPosVOffset")
_WORD = re.compile(r"\s*[A-Za-z0-9.+\-]{0,24}\s*")
_OFFSET = re.compile(r"-?\d{1,12}")
"""A position, as the text of an element. It is rounded, so that it is not a number that was to be removed."""
_RANGE = re.compile(r".*!(\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)")
_DROPPED = (
    named(W, "proofErr permStart permEnd lastRenderedPageBreak subDoc altChunk altName attr smartTagPr")
    | named(W, "customXmlPr listItem date dropDownList comboBox dataBinding placeholder alias tag docPart")
    | named(W, "helpText statusText docVars")
    | named(C, "externalData pivotSource printSettings pivotFmts")
    | {f"{CX}externalData", f"{O}signatureline", f"{O}ink"}
)
_NAMED = ("docPr", "cNvPr")
_UNSAID = (
    named(W, "docLocation tgtFrame date initials")
    | named(O, "href gfxdata spid relid althref")
    | words("href target src phldrT macro textlink equationxml action invalidUrl")
)
_VML_ID = re.compile(r"_x0000_[a-z]\d+(?:_\d+)?")
_OBJECTS = (
    "oleObject",
    "package",
    "control",
    "activeXControlBinary",
    "ink",
    "model3d",
    "video",
    "audio",
    "media",
)


def keep_one_choice(root: Element) -> None:
    """Keep the first choice, and one for old programs where it says nothing else.

    Text boxes of the latter are emptied: `repeat_choices` puts in what the first choice has in the end.
    """
    for both in list(root.iter(f"{MC}AlternateContent")):
        choices = both.findall(f"{MC}Choice")
        for other in choices[1:]:
            take_out(other)
        fallback = both.find(f"{MC}Fallback")
        if not choices and fallback is not None:
            unwrap(both, fallback)
        elif not choices:
            take_out(both)
        elif fallback is not None and _told(choices[0]) == _told(fallback):
            _empty(fallback)
        elif fallback is not None and next(fallback.iter(*_TELLING), None) is not None:
            take_out(fallback)


def _empty(fallback: Element) -> None:
    for box in list(fallback.iter(_BOX)):
        del box[:]
        for shape in box.iterancestors():
            if shape is fallback:
                break
            for name in DESCRIBING.intersection(shape.attrib):
                del shape.attrib[name]


def _told(choice: Element) -> list[list[str | None]]:
    """What stands in each text box; then what stands beside them, which old programs write as attributes."""
    boxes = [[one.text for one in box.iter(*_TELLING)] for box in choice.iter(_BOX)]
    inside = {one for box in choice.iter(_BOX) for one in box.iter(*_TELLING)}
    return [*boxes, [one.text for one in choice.iter(*_TELLING) if one not in inside]]


def repeat_choices(root: Element) -> None:
    """Text boxes for old programs say what those for new ones do."""
    for both in reversed(list(root.iter(f"{MC}AlternateContent"))):
        choice, fallback = both.find(f"{MC}Choice"), both.find(f"{MC}Fallback")
        if choice is not None and fallback is not None:
            for old, new in zip(list(fallback.iter(_BOX)), list(choice.iter(_BOX)), strict=False):
                old[:] = [deepcopy(child) for child in new]


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


def settle_definitions(package: Package) -> None:
    """Keep what gives the document its look."""
    for part in package.of_kind("settings"):
        for child in list(part.tree):
            if child.tag not in _SETTINGS:
                take_out(child)
    for part in package.of_kind("theme", "themeOverride"):
        for element in list(part.tree.iter()):
            if element.tag in _THEME and element.get("name"):
                element.set("name", "Office")
            elif local(element) in ("extraClrSchemeLst", "custClrLst"):
                take_out(element)
    for part in package.of_kind("numbering"):
        for name in list(part.tree.iter(f"{W}name", f"{W}nsid", f"{W}tmpl")):
            take_out(name)
    for part in package.of_kind("diagramLayout", "diagramQuickStyle", "diagramColors"):
        for element in part.tree.iter():
            if local(element) in ("title", "desc") and element.get("val"):
                element.set("val", "")
    _rename_styles(package)


def _rename_styles(package: Package) -> None:
    """Styles that somebody made, or whose ids are words of another language, get ids by number.

    The names that somebody gave can be read and changed like a text.
    """
    names: dict[str, str] = {}
    defined: set[str] = set()
    trees = [part.tree for part in package.parts.values() if part.tree is not None]
    for part in package.of_kind("styles"):
        for style in part.tree.iter(f"{W}style"):
            for told in style.findall(f"{W}aliases") + style.findall(f"{W}rsid"):
                take_out(told)
            old = style.get(f"{W}styleId", "")
            defined.add(old)
            if _is_own(style):
                style.set(f"{W}customStyle", "1")
                names[old] = f"custom{len(names) + 1}"
            elif not is_standard_style(old):
                names[old] = f"style{len(names) + 1}"
            style.set(f"{W}styleId", names.get(old, old))
    for tree in trees:
        for element in list(tree.iter(*_STYLED)):
            if element.get(f"{W}val") in names:
                element.set(f"{W}val", names[element.get(f"{W}val")])
            elif element.get(f"{W}val") not in defined and not _HEADING.fullmatch(element.get(f"{W}val", "")):
                take_out(element)


def _is_own(style: Element) -> bool:
    """Whether somebody made a style; not all programs say so."""
    name = style.find(f"{W}name")
    told = style.get(f"{W}customStyle") in ("1", "true", "on")
    return told or not is_standard_style("" if name is None else name.get(f"{W}val", ""))


def settle_references(part: Part) -> None:
    """Rename the ids of relationships; an element whose target was left out goes too."""
    names = {key: f"rId{number}" for number, key in enumerate(part.relations, 1)}
    part.relations = {names[key]: relation for key, relation in part.relations.items()}
    for element in having(part.tree, lambda name: name.startswith(R) or name == "relId"):
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


def remove_traces(root: Element, bookmarks: Mapping[str, str], *, extensions: bool) -> None:
    """Take traces out of a part; `extensions` says whether additions of newer programs are needed.

    A size of 0 % is none, and a text besides.
    """
    for tag in {element.tag for element in root.iter()}:
        if _is_dropped(tag, extensions=extensions):
            for element in [one for one in root.iter(tag) if one is not root]:
                take_out(element)
    _contents(root)
    for element in having(root, _may_tell):
        _attributes(element, bookmarks)
    for size in list(root.iter("{*}pctWidth", "{*}pctHeight")):
        if (size.text or "").strip() == "0":
            take_out(size.getparent())
    for number, element in enumerate(root.iter(*(f"{{*}}{name}" for name in _NAMED)), 1):
        element.set("name", f"Object {number}")


@lru_cache(maxsize=4096)
def _is_dropped(tag: str, *, extensions: bool) -> bool:
    return tag in _DROPPED or not _KNOWN.match(tag) or (tag.endswith("}extLst") and not extensions)


def _contents(root: Element) -> None:
    """Text stands only where text belongs."""
    for element in root.iter(*_TEXTS):
        for child in list(element):
            take_out(child)
    for text in root.xpath("descendant::text()[not(parent::w:t)]", namespaces={"w": W[1:-1]}):
        element = text.getparent()
        if text.is_tail:
            element.tail = None
        elif element.tag not in _TEXTS and element.text:
            _content(element, element.text)


def _content(element: Element, text: str) -> None:
    if element.tag in _FORMULAS:
        place = _RANGE.fullmatch(text)
        element.text = f"Sheet1!{place[1] if place else '$A$1'}"
    elif element.tag == f"{C}formatCode":
        element.text = text if not re.search('["\\\\]', text) and len(text) < 40 else "General"
    elif element.tag == f"{C}separator":
        element.text = text[:2] if not text[:2].isalnum() else " "
    elif local(element) not in _MEASURES or not _WORD.fullmatch(text):
        element.text = None
    elif local(element) == "posOffset" and _OFFSET.fullmatch(text.strip()):
        element.text = str(round((int(text) - 7) / 100) * 100 + 7)


def _attributes(element: Element, bookmarks: Mapping[str, str]) -> None:
    for name, value in element.items():
        if name in _UNSAID or name.startswith(f"{W}rsid") or not _is_known(name):
            del element.attrib[name]
        elif name == "formatCode" and re.search('["\\\\]', value):
            element.set(name, "General")
        elif name == f"{W}author":
            element.set(name, "Author")
        elif (element.tag, name) in ((f"{W}bookmarkStart", f"{W}name"), (f"{W}hyperlink", f"{W}anchor")):
            if value in bookmarks:
                element.set(name, bookmarks[value])
            else:
                del element.attrib[name]
        elif element.tag.startswith(V) and name == "id" and not _VML_ID.fullmatch(value):
            del element.attrib[name]


def _may_tell(name: str) -> bool:
    """Whether an attribute is looked at; most only say how something looks."""
    return (
        name in _UNSAID
        or name in ("formatCode", "id", f"{W}author", f"{W}name", f"{W}anchor")
        or name.startswith(f"{W}rsid")
        or not _is_known(name)
    )


@lru_cache(maxsize=4096)
def _is_known(name: str) -> bool:
    return not name.startswith("{") or name == SPACE or _KNOWN.match(name) is not None


def tidy_namespaces(root: Element) -> None:
    """Declare only the namespaces that are used."""
    from lxml import etree

    asked = {name for name in ("Ignorable", "ProcessContent", "MustUnderstand") if root.get(f"{MC}{name}")}
    known = {prefix for prefix, space in root.nsmap.items() if prefix and _KNOWN.match(f"{{{space}")}
    kept: set[str] = set()
    for name in asked:
        words = [word for word in root.get(f"{MC}{name}").split() if word.partition(":")[0] in known]
        kept |= {word.partition(":")[0] for word in words}
        root.set(f"{MC}{name}", " ".join(words))
    choices = [choice.get("Requires", "").split() for choice in root.iter(f"{MC}Choice")]
    kept |= {prefix for words in choices for prefix in words if prefix in known}
    etree.cleanup_namespaces(root, keep_ns_prefixes=sorted(kept))


def bookmark_names(roots: list[Element]) -> dict[str, str]:
    """New names for all bookmarks; those that Word makes by itself stay what they are."""
    names: dict[str, str] = {}
    for root in roots:
        for mark in root.iter(f"{W}bookmarkStart"):
            old = mark.get(f"{W}name", "")
            usual = re.fullmatch(r"(_Toc|_Ref|_Hlk|_Hlt)\d{1,12}|_GoBack", old)
            kind = "place" if usual is None else usual[1]
            names.setdefault(old, f"{kind}{len(names) + 1}" if kind else old)
    return names


def clean(package: Package) -> tuple[str, ...]:
    """Accept what was tracked and take out all that is not needed to show the document.

    Gives, in words, what its owner should know.
    """
    parts = [part for part in package.parts.values() if part.tree is not None]
    accepted = 0
    for part in parts:
        keep_one_choice(part.tree)
        accepted += accept_revisions(part.tree)
        forget_controls(part.tree)
    bookmarks = bookmark_names([part.tree for part in parts])
    for part in parts:
        unlink_fields(part.tree, bookmarks)
        remove_traces(part.tree, bookmarks, extensions=part.kind.startswith("diagram"))
        settle_references(part)
        tidy_namespaces(part.tree)
    settle_definitions(package)
    comments = sum(len(part.tree) for part in package.of_kind("comments"))
    return tuple(_notes(package.left_out, accepted, comments, clean_media(package)))


def _notes(left_out: Mapping[str, int], accepted: int, comments: int, pictures: int) -> list[str]:
    objects = sum(left_out.get(kind, 0) for kind in _OBJECTS)
    documents = left_out.get("aFChunk", 0) + left_out.get("subDocument", 0)
    said = {
        f"{_count(accepted, 'tracked change')} accepted; the history was left out": accepted,
        f"{_count(objects, 'embedded object')} left out": objects,
        f"{_count(documents, 'inserted document')} left out: the text is missing": documents,
        f"{_count(comments, 'comment')} kept without the author": comments,
        f"{_count(pictures, 'picture')} kept, which nobody searched for text": pictures,
    }
    return [note for note, count in said.items() if count]


def _count(number: int, what: str) -> str:
    return f"1 {what} was" if number == 1 else f"{number} {what}s were"
