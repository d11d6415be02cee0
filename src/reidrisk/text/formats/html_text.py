"""The text of an HTML page as Label Studio counts it: text nodes, and one character for each <br>."""

from __future__ import annotations

from html.parser import HTMLParser


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag == "br":
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def html_text(page: str) -> str:
    """What remains of a page without its tags; a line break counts as one character."""
    parser = _Text()
    try:
        parser.feed(page)
        parser.close()
    except AssertionError:  # the parser's own way to refuse a declaration that it cannot make sense of
        return ""
    return "".join(parser.parts)
