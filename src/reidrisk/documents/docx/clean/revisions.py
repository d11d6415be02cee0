"""Accept tracked changes: what was deleted goes with its history, what was inserted is plain text."""

from __future__ import annotations

from reidrisk.documents.docx.names import W14, Element, W, named, take_out, unwrap

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
