"""Ids of participants and sites get others of the same form, piece by piece, so that fragments agree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reidrisk.documents.study.data import StudyData
from reidrisk.documents.study.schema import SITE
from reidrisk.errors import UnknownColumn
from reidrisk.resynthesis.codes import surrogate_code
from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.resynthesis.keyed_draw import KeyedDraw

PIECE = re.compile(r"[^\W\d_]+|\d+")
"""A run of letters or of digits."""
Role = Literal["kept", "site", "number"]
LONGER = 3
"""Digits by which a piece may grow where all numbers of its length are taken."""
Split = list[list[tuple[str, Role]]]


def folded_piece(piece: str) -> str:
    """A piece as it is compared: one case, no zeros before a number."""
    return (piece.lstrip("0") or "0") if piece.isdigit() else piece.casefold()


def pieces_of(value: str) -> list[str]:
    """The pieces of an id, in order."""
    return PIECE.findall(value)


def kept_pieces(ids: Iterable[str]) -> frozenset[int]:
    """Places of pieces that all ids share, such as the study's number; the last tells people apart."""
    split = [pieces_of(value) for value in dict.fromkeys(ids)]
    if len(split) < 2:
        return frozenset()
    shortest = min(len(pieces) for pieces in split)
    same = len({len(pieces) for pieces in split}) == 1
    found = set()
    for at in range(shortest - 1):
        if len({folded_piece(pieces[at]) for pieces in split}) == 1:
            found.add(at)
        elif not same:
            break
    return frozenset(found)


def new_pieces(keyed: KeyedDraw, pieces: Iterable[str], taken: Iterable[str], role: str) -> dict[str, str]:
    """Another piece of the same form for each, by its folded form; none is taken, no two are the same."""
    used = {folded_piece(piece) for piece in taken}
    found: dict[str, str] = {}
    for piece in sorted({folded_piece(one): one for one in sorted(pieces)}.values()):
        new = _free(keyed, piece, used, role)
        used.add(folded_piece(new))
        found[folded_piece(piece)] = new
    return found


def _free(keyed: KeyedDraw, piece: str, used: set[str], role: str) -> str:
    for more in range(LONGER + 1):
        new = surrogate_code(
            keyed, piece + "0" * more, role, accepts=lambda code: folded_piece(code) not in used
        )
        if new is not None:
            return new
    raise AssertionError("a number of three more digits is free")  # pragma: no cover


@dataclass(frozen=True, slots=True)
class NewId:
    """An id and the one that stands for it, piece by piece."""

    old: Sequence[str] = field(repr=False)
    new: Sequence[str] = field(repr=False)

    def rewritten(self, written: str) -> str | None:
        """The id, or a fragment of it, in the same writing; None if it is no part of the id.

        >>> NewId(["DEMO", "301", "01", "0104"], ["DEMO", "301", "77", "5832"]).rewritten("01/104")
        '77/5832'
        """
        tokens = PIECE.findall(written)
        at = self._place([folded_piece(token) for token in tokens])
        if at is not None:
            fresh = iter(self.new[at : at + len(tokens)])
            return PIECE.sub(lambda match: _like(match[0], next(fresh)), written)
        return self._joined("".join(tokens))

    def _place(self, tokens: list[str]) -> int | None:
        """Where the pieces stand in the id; the last place, as numbers of people are at its end."""
        folded = [folded_piece(piece) for piece in self.old]
        places = range(len(folded) - len(tokens), -1, -1)
        return next((at for at in places if tokens and folded[at : at + len(tokens)] == tokens), None)

    def _joined(self, text: str) -> str | None:
        """Pieces that are written without anything between them."""
        for start in range(len(self.old) - 1, -1, -1):
            for end in range(start + 1, len(self.old) + 1):
                if "".join(self.old[start:end]).casefold() == text.casefold():
                    return "".join(self.new[start:end])
        return None


def _like(old: str, new: str) -> str:
    if old.isdigit():
        return new if old.startswith("0") or not new.startswith("0") else new.lstrip("0") or "0"
    return in_case_of(old, new) if old.isupper() or old.islower() else new


@dataclass(frozen=True, slots=True)
class IdForm:
    """Which pieces of an id are the same for all, which are the site's, and which are the participant's."""

    kept: frozenset[int]
    is_fused: bool
    """Whether a number begins with that of the site, as 1010104 with 101."""

    @classmethod
    def of(cls, ids: Sequence[tuple[str, str | None]]) -> IdForm:
        """From all ids, each with the site of its participant."""
        shared = kept_pieces(value for value, _ in ids)
        of_site = {at for at in shared if all(_is_site(pieces_of(value)[at], site) for value, site in ids)}
        kept = shared - of_site
        fused = [
            site is not None and any(_begins(piece, site) for piece in _free_pieces(value, kept))
            for value, site in ids
        ]
        return cls(kept, bool(fused) and all(fused))

    def split(self, value: str, site: str | None) -> list[list[tuple[str, Role]]]:
        """The pieces with what they stand for; a fused one has two parts."""
        found: list[list[tuple[str, Role]]] = []
        of_site = {folded_piece(piece) for piece in pieces_of(site or "")}
        for at, piece in enumerate(pieces_of(value)):
            if at in self.kept:
                found.append([(piece, "kept")])
            elif folded_piece(piece) in of_site:
                found.append([(piece, "site")])
            elif self.is_fused and site is not None and _begins(piece, site):
                found.append([(piece[: len(site)], "site"), (piece[len(site) :], "number")])
            else:
                found.append([(piece, "number")])
        return found


def _free_pieces(value: str, kept: frozenset[int]) -> list[str]:
    return [piece for at, piece in enumerate(pieces_of(value)) if at not in kept]


def _is_site(piece: str, site: str | None) -> bool:
    return folded_piece(piece) in {folded_piece(one) for one in pieces_of(site or "")}


def _begins(piece: str, site: str) -> bool:
    return len(site) > 1 and site.isdigit() and len(piece) > len(site) and piece.startswith(site)


@dataclass(frozen=True, slots=True)
class NewIds:
    """New ids by participant and variable."""

    variables: frozenset[str]
    by_subject: Mapping[tuple[int, str], tuple[NewId, ...]] = field(repr=False)

    @classmethod
    def of(
        cls, data: StudyData, variables: Iterable[str], keyed: KeyedDraw | None, *, hides_site: bool
    ) -> NewIds:
        """Draw them; `hides_site`: numbers of sites are not released, so that ids do not tell them."""
        names = tuple(variables)
        if keyed is None or not names:
            return cls(frozenset(), {})
        split = {key: parts for name in names for key, parts in _split(data, name).items()}
        pieces: dict[Role, set[str]] = {"site": set(), "number": set(), "kept": set()}
        for parts in split.values():
            for part, role in (one for piece in parts for one in piece):
                pieces[role].add(part)
        taken = set().union(*pieces.values())
        books: dict[Role, dict[str, str]] = {"kept": {}, "site": {}}
        if SITE in names or hides_site:
            books["site"] = new_pieces(keyed, pieces["site"], taken, "site")
        if SITE not in names and hides_site and _are_apart_without_sites(split.values()):
            alike = {len(old): new for old, new in sorted(books["site"].items())}
            books["site"] = {old: alike[len(old)] for old in books["site"]}
        # A participant's number can be written like a site's: W-07 of site 07 gets the new piece of the site.
        books["number"] = new_pieces(keyed, pieces["number"], taken.union(books["site"].values()), "number")
        found: dict[tuple[int, str], tuple[NewId, ...]] = {}
        for (subject, name, _), parts in split.items():
            one = NewId(
                tuple("".join(part for part, _ in piece) for piece in parts),
                tuple(
                    "".join(books[role].get(folded_piece(part), part) for part, role in piece)
                    for piece in parts
                ),
            )
            found[subject, name] = (*found.get((subject, name), ()), one)
        return cls(frozenset(names), found)

    def rewritten(self, subject: int, variable: str, written: str) -> str | None:
        """An id or a fragment of one in the same writing; None if it is no id of the participant."""
        for one in self.by_subject.get((subject, variable), ()):
            new = one.rewritten(written)
            if new is not None:
                return new
        return None


def _are_apart_without_sites(ids: Iterable[Split]) -> bool:
    """Whether no number is given at two sites: then all sites can have the same."""
    owners: dict[str, set[str]] = {}
    for parts in ids:
        both: dict[Role, str] = {"site": "", "number": "", "kept": ""}
        for part, role in (one for piece in parts for one in piece):
            both[role] += part
        if both["site"]:
            owners.setdefault(both["number"], set()).add(both["site"])
    return all(len(sites) == 1 for sites in owners.values())


def _split(data: StudyData, name: str) -> dict[tuple[int, str, str], Split]:
    """The pieces of all values of a variable."""
    if data.table_of(name) is None:
        raise UnknownColumn.among(name, data.participants.columns, source="The study")
    sites = dict(data.participants.values(SITE)) if SITE in data.participants.columns else {}
    values = [(subject, value) for subject in range(1, len(data) + 1) for value in data.of(subject, name)]
    form = IdForm.of([(value, sites.get(subject)) for subject, value in values])
    return {(subject, name, value): form.split(value, sites.get(subject)) for subject, value in values}
