"""UIMA CAS, as JSON or XMI: which feature structures mark identifiers, and what they contain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import convert_offsets
from reidrisk.text.formats.annotation_sets import annotation_of
from reidrisk.text.formats.location import ErrorsAt, Location, make_numbered, unreadable
from reidrisk.text.formats.rulers import utf16_ruler

SOFA = "uima.cas.Sofa"
METADATA = "DocumentMetaData"
NAMED_ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type."
LINGUISTIC = (
    "de.tudarmstadt.ukp.dkpro.core.",
    "de.tudarmstadt.ukp.clarin.webanno.",
    "org.dkpro.core.",
    "uima.",
)
"""Packages of types that mark words, sentences and other things, but not identifiers."""
LABELS = ("kind", "value", "label", "type", "category", "entityType")
"""Features that may hold the type of an identifier, in order of preference."""
TEXT_SUFFIX = ".txt"
_CHAINS = "coreference chains were not read"


@dataclass(frozen=True, slots=True)
class FeatureStructure:
    """A feature structure."""

    id: str
    type: str
    """Its full name, such as webanno.custom.PHI."""
    features: Mapping[str, Any]


@dataclass(slots=True)
class Cas:
    """The feature structures of a file."""

    structures: list[FeatureStructure] = field(default_factory=list)

    def document(self, place: Location) -> Document:
        """The document, named by its metadata or its file."""
        with ErrorsAt(place):
            sofa = self._sofa()
            text = sofa.features.get("sofaString")
            if type(text) is not str:
                raise unreadable("the CAS contains no text", hint="Export it with its sofaString.")
        place = place.of(self._name() or place.document or "")
        marks = [one for one in self.structures if _marks_identifier(one)]
        inside = [one for one in marks if one.features.get("sofa", sofa.id) == sofa.id]
        annotations = make_numbered(inside, place, _annotation)
        notes = tuple(self._notes(len(marks) - len(inside)))
        document = Document(place.document or "", tuple(annotations), text, place.source, notes)
        done = convert_offsets(document, [None] * len(annotations), utf16_ruler(text))
        return replace(done, notes=notes)

    def _sofa(self) -> FeatureStructure:
        """The view with the text; the initial view if there are several."""
        views = [one for one in self.structures if one.type == SOFA]
        initial = [one for one in views if one.features.get("sofaID") == "_InitialView"]
        if len(initial) > 1 or not (initial or len(views) == 1):
            hint = "A CAS must have one view, or several views of which one is _InitialView."
            raise unreadable(f"the CAS has {len(views)} views and {len(initial)} initial ones", hint=hint)
        return (initial or views)[0]

    def _name(self) -> str | None:
        """The title of the document without .txt, if it is usable."""
        for one in self.structures:
            if one.type.rpartition(".")[2] == METADATA:
                title = one.features.get("documentTitle")
                if type(title) is str and fields.looks_like_name(title.removesuffix(TEXT_SUFFIX)):
                    return title.removesuffix(TEXT_SUFFIX)
        return None

    def _notes(self, elsewhere: int) -> Iterable[str]:
        if elsewhere:
            yield f"{elsewhere} annotations of other views were left out"
        if any(one.type.endswith(".CoreferenceChain") for one in self.structures):
            yield _CHAINS


def _marks_identifier(structure: FeatureStructure) -> bool:
    name = structure.type
    if "begin" not in structure.features and "end" not in structure.features:
        return False
    return name.startswith(NAMED_ENTITY) or not name.startswith(LINGUISTIC)


def _annotation(structure: FeatureStructure) -> Annotation:
    features = structure.features
    kind = structure.type.rpartition(".")[2]
    for name in LABELS:
        label = features.get(name)
        if type(label) is str and label:
            kind = label
            break
    return annotation_of(features.get("begin", 0), features.get("end"), kind, features)
