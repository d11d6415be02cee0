"""What readers of a proof give besides plain texts."""

from __future__ import annotations


class Names(str):
    """Names that programs choose for parts of a file, such as fonts, styles and resources.

    They are made of ordinary words: a value that is one such word is not looked for in them.
    """

    __slots__ = ()


class Unread(str):
    """Stands for a text that a reader could not read, and says why in our own words."""

    __slots__ = ()


class Again(str):
    """A text that was given before, with its words in another order: it is searched, and not counted."""

    __slots__ = ()
