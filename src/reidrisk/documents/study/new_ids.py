"""The new ids of all participants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reidrisk.documents.study.cdisc import SITE
from reidrisk.documents.study.data import StudyData
from reidrisk.documents.study.ids import IdForm, NewId, Role, folded_piece, new_pieces
from reidrisk.errors import UnknownColumn
from reidrisk.resynthesis.keyed_draw import KeyedDraw

Split = list[list[tuple[str, Role]]]


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
        books["number"] = new_pieces(keyed, pieces["number"], taken, "number")
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
