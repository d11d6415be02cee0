"""Fields and tracked changes of a Word document become the plain text that they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reidrisk.documents.docx.names import W14, Element, W, drop_leaf, named, take_out, unwrap
from reidrisk.documents.words import words

_TOKEN = re.compile(r'\\[^\s\\"]{1,2}|"[^"]*"|[^\s"\\]+')
_BARE = frozenset(("PAGE", "NUMPAGES", "SECTION", "SECTIONPAGES", "FORMTEXT", "FORMCHECKBOX", "FORMDROPDOWN"))
_TO_BOOKMARKS = frozenset(("REF", "PAGEREF", "NOTEREF", "HYPERLINK"))
_SERIES = words(
    "table figure equation listing appendix tabelle abbildung tableau tabla tabela figura rysunek tabella"
)
_HARMLESS = re.compile(r"[\d\-.,;:]*|[aA]rabic|ARABIC|[rR]oman|ROMAN|[aA]lphabetic")
_UNNEEDED = re.compile(r"\\\*\s*(?:MERGEFORMAT|CHARFORMAT)\b", re.IGNORECASE)
"""Parts of a code that only matter when Word makes the result anew."""
_DRAWING = re.compile(r"\s*EQ\b(.*)", re.IGNORECASE | re.DOTALL)
_FRACTION = re.compile(r"\\f\s*(?=\()", re.IGNORECASE)
_SWITCH = re.compile(r'\\\*\s*(?:"[^"]*"|[^\s\\]+)|\\[a-z]{1,2}\s*\d*', re.IGNORECASE)
_MARKS = named(W, "rPr trPr tcPr pPr ctrlPr numPr sectPr tblPr")
_INSERTED = named(W, "ins moveTo") | {f"{W14}conflictIns"}
_DELETED = named(W, "del moveFrom") | {f"{W14}conflictDel"}
_FORGOTTEN = (
    named(W, "rPrChange pPrChange sectPrChange tblPrChange tblGridChange trPrChange tcPrChange tblPrExChange")
    | named(
        W, "moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd numberingChange cellMerge"
    )
    | named(
        W, "customXmlInsRangeStart customXmlInsRangeEnd customXmlDelRangeStart customXmlDelRangeEnd cellIns"
    )
    | named(W, "customXmlMoveFromRangeStart customXmlMoveFromRangeEnd customXmlMoveToRangeStart")
    | named(W, "customXmlMoveToRangeEnd delText delInstrText")
    | named(W14, "customXmlConflictInsRangeStart customXmlConflictInsRangeEnd")
    | named(W14, "customXmlConflictDelRangeStart customXmlConflictDelRangeEnd")
)


@dataclass(slots=True)
class _WordField:
    begin: Element
    marks: list[Element] = field(default_factory=list)
    code: list[Element] = field(default_factory=list)
    """What stands between its begin and its result: never seen."""
    in_code: bool = True
    nested: bool = False


def unlink_fields(root: Element, bookmarks: Mapping[str, str]) -> None:
    """Keep harmless fields, with the new names of bookmarks; take the codes of all others out."""
    for data in list(root.iter(f"{W}fldData")):
        take_out(data)
    for simple in list(root.iter(f"{W}fldSimple")):
        code = harmless(simple.get(f"{W}instr", ""), bookmarks)
        if code is None:
            unwrap(simple)
        else:
            simple.set(f"{W}instr", code)
    if next(root.iter(f"{W}fldChar", f"{W}instrText"), None) is not None:
        _complex(root, bookmarks)


def _complex(root: Element, bookmarks: Mapping[str, str]) -> None:
    open_fields: list[_WordField] = []
    done: list[_WordField] = []
    for run in root.iter(f"{W}r"):
        for leaf in run:
            if leaf.tag == f"{W}rPr":
                continue
            kind = leaf.get(f"{W}fldCharType") if leaf.tag == f"{W}fldChar" else None
            if kind == "begin":
                for outer in open_fields:
                    outer.nested = outer.nested or outer.in_code
                _in_code(open_fields, leaf)
                open_fields.append(_WordField(leaf, [leaf]))
            elif kind and open_fields:
                open_fields[-1].marks.append(leaf)
                open_fields[-1].in_code = False
                if kind == "end":
                    done.append(open_fields.pop())
                _in_code(open_fields, leaf)
            elif kind:
                done.append(_WordField(leaf, [leaf]))
            else:
                _in_code(open_fields, leaf)
    for one in done:
        _settle(one, bookmarks)
    for one in open_fields:
        _remove(one.marks)
    _remove([code for code in root.iter(f"{W}instrText") if code.get("kept") is None])
    for code in root.iter(f"{W}instrText"):
        del code.attrib["kept"]


def _in_code(open_fields: list[_WordField], leaf: Element) -> None:
    for one in open_fields:
        if one.in_code:
            one.code.append(leaf)


def _settle(one: _WordField, bookmarks: Mapping[str, str]) -> None:
    only_code = bool(one.code) and all(leaf.tag == f"{W}instrText" for leaf in one.code)
    text = "".join(leaf.text or "" for leaf in one.code if leaf.tag == f"{W}instrText")
    kept = harmless(text, bookmarks) if only_code and not one.nested else None
    if kept is None:
        shown = drawn(text) if only_code and len(one.marks) == 2 else ""
        if shown:
            _show(one.begin, shown)
        _remove([*one.marks, *one.code])
        return
    one.code[0].text = kept
    one.code[0].set("kept", "")
    _remove(one.code[1:])


def _remove(leaves: list[Element]) -> None:
    for leaf in leaves:
        if leaf.getparent() is not None:
            drop_leaf(leaf)


def harmless(code: str, bookmarks: Mapping[str, str]) -> str | None:
    """The code of a field with new names of bookmarks; None if it could tell something.

    >>> harmless(' REF John \\\\h ', {"John": "place1"})
    ' REF place1 \\\\h '
    >>> harmless(' MERGEFIELD Patient ', {}) is None
    True
    """
    tokens = _TOKEN.findall(_UNNEEDED.sub(" ", code))
    if not tokens:
        return None
    kind, new = tokens[0].upper(), [tokens[0]]
    if kind not in _BARE | _TO_BOOKMARKS | {"SEQ", "TOC", "STYLEREF"}:
        return None
    for token in tokens[1:]:
        plain = token.strip('"')
        if token.startswith("\\") or _HARMLESS.fullmatch(plain):
            new.append(token)
        elif kind in _TO_BOOKMARKS and plain in bookmarks:
            new.append(token.replace(plain, bookmarks[plain]))
        elif kind in ("SEQ", "TOC") and plain.casefold() in _SERIES:
            new.append(token)
        else:
            return None
    return f" {' '.join(new)} "


def drawn(code: str) -> str:
    """What a field shows that has no result because its code says how to draw it; nothing for others.

    >>> drawn(r" EQ \\o\\ac(○,印) "), drawn(r" EQ \\f(1,2) "), drawn(" PAGE ")
    ('○印', '1/2', '')
    """
    found = _DRAWING.fullmatch(code)
    if found is None:
        return ""
    between = "/" if _FRACTION.search(found[1]) else ""
    parts = re.split(r"[,;]", _SWITCH.sub("", found[1]))
    return between.join(" ".join(re.sub("[()]", " ", part).split()) for part in parts)


def _show(mark: Element, text: str) -> None:
    """Put a text before the mark of a field, in its run."""
    from lxml import etree

    shown = etree.Element(f"{W}t")
    shown.text = text
    mark.addprevious(shown)


def unlink_emptied(roots: Iterable[Element]) -> None:
    """Take out fields whose codes lost something: what they show stays as plain text."""
    trees = list(roots)
    if not any(_is_emptied(code) for root in trees for code in root.iter(f"{W}instrText", f"{W}fldSimple")):
        return
    marks = {mark.get(f"{W}name") for root in trees for mark in root.iter(f"{W}bookmarkStart")}
    for root in trees:
        unlink_fields(root, {mark: mark for mark in marks if mark})


def _is_emptied(code: Element) -> bool:
    text = code.get(f"{W}instr") if code.tag == f"{W}fldSimple" else code.text
    return not text


def code_words(code: str) -> list[str]:
    """The words of the code of a harmless field, without switches, numbers and names of bookmarks.

    >>> code_words(" SEQ Table \\\\* ARABIC "), code_words(" PAGEREF _Toc7 \\\\h ")
    (['SEQ', 'Table', 'ARABIC'], ['PAGEREF'])
    """
    tokens = [token.strip('"') for token in _TOKEN.findall(code)]
    named = tokens[:1] and tokens[0].upper() in _TO_BOOKMARKS
    return [token for token in (tokens[:1] if named else tokens) if token.isalpha()]


def accept_revisions(root: Element) -> int:
    """Accept all tracked changes of a part; gives their number."""
    count = _drop_rows_and_cells(root)
    ended = [
        mark.getparent().getparent().getparent() for mark in root.iter(*_DELETED) if _ends_paragraph(mark)
    ]
    for element in list(root.iter(*_DELETED)):
        count += 1
        take_out(element)
    for element in list(root.iter(*_INSERTED)):
        count += 1
        if element.getparent().tag in _MARKS:
            take_out(element)
        else:
            unwrap(element)
    for element in list(root.iter(*_FORGOTTEN)):
        count += 1
        take_out(element)
    for paragraph in reversed(ended):
        _join_next(paragraph)
    return count


def _ends_paragraph(mark: Element) -> bool:
    """Whether the mark says that the end of a paragraph was deleted."""
    look = mark.getparent()
    return (
        look.tag == f"{W}rPr"
        and look.getparent().tag == f"{W}pPr"
        and look.getparent().getparent() is not None
    )


def _drop_rows_and_cells(root: Element) -> int:
    dropped = 0
    for mark in list(root.iter(f"{W}cellDel")):
        _drop(mark.getparent().getparent(), f"{W}tc")
        dropped += 1
    for mark in list(root.iter(f"{W}del")):
        if mark.getparent() is not None and mark.getparent().tag == f"{W}trPr":
            _drop(mark.getparent().getparent(), f"{W}tr")
            dropped += 1
    return dropped


def _drop(element: Element, kind: str) -> None:
    """Take out a cell or a row, and what is empty without it."""
    parent = element.getparent()
    if parent is None or element.tag != kind:
        return
    take_out(element)
    if kind == f"{W}tc" and parent.tag == f"{W}tr" and parent.find(f".//{W}tc") is None:
        _drop(parent, f"{W}tr")
    elif kind == f"{W}tr" and parent.tag == f"{W}tbl" and parent.find(f".//{W}tr") is None:
        take_out(parent)


def _join_next(paragraph: Element) -> None:
    """The paragraph goes on in the next one, which keeps its own look."""
    following = paragraph.getnext()
    while following is not None and following.tag != f"{W}p" and following.tag.startswith(f"{W}bookmark"):
        following = following.getnext()
    if following is None or following.tag != f"{W}p" or paragraph.getparent() is None:
        return
    if paragraph.find(f"{W}pPr/{W}sectPr") is not None:
        return
    place = 1 if len(following) and following[0].tag == f"{W}pPr" else 0
    for child in reversed([child for child in paragraph if child.tag != f"{W}pPr"]):
        following.insert(place, child)
    take_out(paragraph)
