"""Traces of people and of work in a part: authors, ids of sessions, names of objects, foreign contents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from reidrisk.documents.docx.names import CX, MC, SPACE, A, C, Element, M, O, V, W, local, named, take_out
from reidrisk.documents.words import words

_KNOWN = re.compile(
    r"\{(?:http://schemas\.(?:openxmlformats\.org|microsoft\.com/office)/|urn:schemas-microsoft-com:)"
)
_TEXTS = named(W, "t instrText") | {f"{M}t", f"{A}t", f"{C}v", f"{CX}v", f"{CX}pt"}
_FORMULAS = frozenset((f"{C}f", f"{CX}f"))
_MEASURES = words("posOffset align pctWidth pctHeight pctPosHOffset pctPosVOffset")
_WORD = re.compile(r"\s*[A-Za-z0-9.+\-]{0,24}\s*")
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


def remove_traces(root: Element, bookmarks: Mapping[str, str], *, extensions: bool) -> None:
    """Take traces out of a part; `extensions` says whether additions of newer programs are needed."""
    for element in list(root.iter()):
        if element.getparent() is None and element is not root:
            continue
        if element is not root and _is_dropped(element.tag, extensions=extensions):
            take_out(element)
            continue
        _content(element)
        _attributes(element, bookmarks)
    for number, element in enumerate((one for one in root.iter() if local(one) in _NAMED), 1):
        element.set("name", f"Object {number}")


@lru_cache(maxsize=4096)
def _is_dropped(tag: str, *, extensions: bool) -> bool:
    return tag in _DROPPED or not _KNOWN.match(tag) or (tag.endswith("}extLst") and not extensions)


def _content(element: Element) -> None:
    """Text stands only where text belongs."""
    element.tail = None
    text = element.text
    if element.tag in _TEXTS:
        for child in list(element):
            take_out(child)
        return
    if not text:
        return
    if element.tag in _FORMULAS:
        place = _RANGE.fullmatch(text)
        element.text = f"Sheet1!{place[1] if place else '$A$1'}"
    elif element.tag == f"{C}formatCode":
        element.text = text if not re.search('["\\\\]', text) and len(text) < 40 else "General"
    elif element.tag == f"{C}separator":
        element.text = text[:2] if not text[:2].isalnum() else " "
    elif local(element) not in _MEASURES or not _WORD.fullmatch(text):
        element.text = None


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
    """New names for all bookmarks; those that Word makes by itself keep theirs."""
    names: dict[str, str] = {}
    for root in roots:
        for mark in root.iter(f"{W}bookmarkStart"):
            old = mark.get(f"{W}name", "")
            usual = re.fullmatch(r"_(?:Toc|Ref|Hlk|Hlt)\d{5,12}|_GoBack", old)
            names.setdefault(old, old if usual else f"place{len(names) + 1}")
    return names
