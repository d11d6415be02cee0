"""A text part: the leaks of a tool are counted once, the risk follows in any context."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.parts.part import Part, Work
from reidrisk.context.recognition import Recognition
from reidrisk.context.release import Treatment
from reidrisk.text.evaluate import READING, TextFiles, gather_evidence, named_inputs
from reidrisk.text.evidence import evidence_to_dict
from reidrisk.text.roles import TypeMap
from reidrisk.text.settings import TextSettings, settings
from reidrisk.text.tally import Counting

COUNTED = ("gold", "tool", "gold_format", "tool_format", "types", "ignore_words", "patient")
WORD_LISTS = ("none", "default")


class TextPart(Part):
    """Documents, a gold standard and what a tool marked in them."""

    kind: ClassVar[str] = "text"

    @property
    def settings(self) -> TextSettings:
        """How the risk is computed."""
        said = dict(self.given.get("settings") or {})
        return settings(str(said.pop("profile", "recommended")), said)

    @property
    def treatment(self) -> Treatment:
        """What is done to caught identifiers."""
        found: Treatment = self.given.get("treatment") or "redaction"
        return found

    @property
    def recognition(self) -> object:
        """As a release takes it; None where nothing is said."""
        return recognition_of(self.given.get("recognition"))

    @property
    def counting(self) -> Counting:
        """By which rules documents are counted."""
        types, words = self.given.get("types"), str(self.given.get("ignore_words") or "default")
        chosen = Counting.choose(
            types=self._types_path(types) if isinstance(types, str) else None,
            ignore_words=words if words in WORD_LISTS else self.path(words),
            patient=self.given.get("patient"),
        )
        if not isinstance(types, Mapping):
            return chosen
        return Counting(
            TypeMap.from_dict(dict(types), source=f"{self.name}.types"), chosen.ignored, chosen.patient
        )

    def _types_path(self, types: str) -> str:
        return types if "=" in types else self.path(types)

    def sources(self) -> tuple[str, ...]:
        """Both sides, and lists of types and words where they are files."""
        types, words = self.given.get("types"), self.given.get("ignore_words")
        files = [str(self.given["gold"]), str(self.given["tool"])]
        files += [types] if isinstance(types, str) and "=" not in types else []
        files += [str(words)] if words and words not in WORD_LISTS else []
        return tuple(files)

    def counted(self) -> Mapping[str, Any]:
        """What is read, and the few settings that reading depends on."""
        chosen = self.settings
        said = {name: self.given.get(name) for name in COUNTED}
        return {**said, "settings": {name: getattr(chosen, name) for name in READING}}

    def measure(self, work: Work) -> dict[str, Any]:
        """Count leaks; nothing of any text is kept."""
        gold, tool = (self._files(side) for side in ("gold", "tool"))
        counting = self.counting

        def count(number: int) -> None:
            if work.progress is not None and number % 100 == 0:
                work.progress(self.name, "documents", number, 0)

        evidence = gather_evidence(gold, tool, settings=self.settings, counting=counting, progress=count)
        inputs = self.told([list(pair) for pair in named_inputs(gold, tool, counting)])
        return {"evidence": evidence_to_dict(evidence), "inputs": inputs}

    def _files(self, side: str) -> TextFiles:
        return TextFiles(Path(self.path(self.given[side])), self.given.get(f"{side}_format"))


def recognition_of(given: Any) -> object:
    """A number, three of them, a text as on the command line, or one a type."""
    if given is None or isinstance(given, int | float):
        return given
    if isinstance(given, Mapping) and set(given) == {"beta"}:
        return Recognition.parse([_text(given)])
    if isinstance(given, Mapping):
        pairs = [(name, _text(value)) for name, value in given.items()]
        return Recognition.parse(text if name == "default" else f"{name}={text}" for name, text in pairs)
    return Recognition.parse([_text(given)])


def _text(given: Any) -> str:
    if isinstance(given, Mapping) and "beta" in given:
        return f"beta:{','.join(str(number) for number in given['beta'])}"
    return ",".join(str(number) for number in given) if isinstance(given, list) else str(given)
