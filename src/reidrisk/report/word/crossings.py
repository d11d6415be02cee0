"""Cross-references: where the text names a chapter, an appendix or a table, the reader can follow it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from reidrisk.report.document import ReportDocument
from reidrisk.report.parts import Facts, Table
from reidrisk.report.word.markup import field, link_within, run


@dataclass(frozen=True, slots=True)
class CrossTarget:
    """A chapter or a table that can be referred to."""

    bookmark: str
    title: str
    number: str = ""
    """As a reference shows it, such as 3 or Appendix B; empty for tables."""


@dataclass(frozen=True, slots=True)
class CrossReferences:
    """The chapters and tables of a document, and how texts name them."""

    chapters: tuple[CrossTarget, ...]
    tables: tuple[CrossTarget, ...]
    """Tables whose title no other table has."""
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, document: ReportDocument) -> CrossReferences:
        """The targets of a document. A document of one chapter has nothing to refer to by number."""
        chapters = tuple(
            CrossTarget(
                f"_Ref{place:03}", chapter.title, f"Appendix {number}" if chapter.is_appendix else number
            )
            for place, (chapter, number) in enumerate(
                zip(document.chapters, document.numbers, strict=True), start=1
            )
        )
        titles = [
            block.title
            for chapter in document.chapters
            for block in chapter.blocks
            if (isinstance(block, Table) and block.rows) or (isinstance(block, Facts) and block.facts)
        ]
        counts = Counter([*titles, *(chapter.title for chapter in chapters)])
        tables = tuple(
            CrossTarget(f"_RefTable{place:03}", title)
            for place, title in enumerate(titles, start=1)
            if counts[title] == 1
        )
        return cls(chapters, tables, _pattern((*chapters, *tables)))

    def bookmark(self, title: str) -> str | None:
        """The bookmark of a table; None if its title does not tell it from others."""
        return next((one.bookmark for one in self.tables if one.title == title), None)

    def runs(self, text: str, *, style: str = "") -> list[ET.Element]:
        """A text with fields and links where it names another place of the document."""
        made, done = [], 0
        for found in self.pattern.finditer(text):
            for start, end, parts in self._referred(found, style):
                if start > done:
                    made.append(run(text[done:start], style=style))
                made += parts
                done = end
        if done < len(text) or not made:
            made.append(run(text[done:], style=style))
        return made

    def _referred(self, found: re.Match[str], style: str) -> Iterator[tuple[int, int, list[ET.Element]]]:
        """Where the reference starts and ends in the text, and what stands there instead."""
        last = next((one for one in reversed(self.chapters) if one.number.startswith("Appendix")), None)
        if found["last"] and last is not None:
            yield (*found.span("last"), _by_number(last, style))
        elif found["number"]:
            wanted = found["number"]
            is_appendix = found["word"].lower() == "appendix"
            number = f"Appendix {wanted}" if is_appendix else wanted
            for target in self.chapters:
                if target.number == number:
                    start = found.start("word" if is_appendix else "number")
                    yield (start, found.end("number"), _by_number(target, style))
        elif found["title"]:
            target = self._named(found["title"])
            yield (*found.span("title"), field(f"REF {target.bookmark} \\h", target.title, style=style))
        elif found["loose"]:
            target = self._named(found["loose"])
            yield (
                *found.span("loose"),
                [link_within([run(found["loose"], style="Hyperlink")], target.bookmark)],
            )

    def _named(self, title: str) -> CrossTarget:
        every = (*self.chapters, *self.tables)
        return next(one for one in every if one.title.lower() == title.lower())


def _by_number(target: CrossTarget, style: str) -> list[ET.Element]:
    return field(f"REF {target.bookmark} \\r \\h", target.number, style=style)


def _pattern(targets: tuple[CrossTarget, ...]) -> re.Pattern[str]:
    """A number of a chapter elsewhere, such as chapter 3 of a guidance, is not ours."""
    titles = sorted({one.title for one in targets}, key=lambda title: (-len(title), title))
    named = "|".join(re.escape(title) for title in titles) or r"(?!)"
    return re.compile(
        r"(?P<last>\bthe last appendix\b)"
        r"|\b(?P<word>[Cc]hapter|[Aa]ppendix) (?P<number>\d{1,2}|[A-Z])\b(?!\.?\d)(?! of\b)"
        rf"|(?<=[\"“‘'])(?P<title>{named})(?=[\"”’'])"
        rf"|\b(?:chapter|appendix) (?:on|about) (?P<loose>(?i:{named}))\b"
    )
