"""Other tools that search for identifiers in addition to our own parts: a program, Presidio, spaCy."""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
from typing import IO, Any

from reidrisk.core.plugins import check_parts, is_plugin, load_plugin, plugin_errors
from reidrisk.core.shell import shell_word
from reidrisk.detect.finding import Detector, Finding
from reidrisk.errors import BadData, InvalidSetting, MissingPackage


def build_plugin(name: str) -> Detector:
    """The detector for `presidio`, `spacy:MODEL`, `command:ARGV` or `plugin:NAME`."""
    kind, _, rest = name.partition(":")
    if kind == "presidio" and not rest:
        return PresidioDetector()
    if kind == "spacy":
        return SpacyDetector(rest)
    if kind == "command":
        return CommandDetector(rest)
    if is_plugin(name):
        return PluggedDetector(name)
    raise InvalidSetting.among("A plug-in", name, ("presidio", "spacy:MODEL", "command:ARGV", "plugin:NAME"))


class PluggedDetector:
    """Runs a detector of another package that declares it as an entry point; its errors show no text."""

    def __init__(self, given: str) -> None:
        self._name = given
        self._detector = load_plugin("detectors", given)
        check_parts(given, self._detector, "find")

    def find(self, text: str) -> list[Finding]:
        """The findings in one text; those outside of it are an error of the plug-in."""
        with plugin_errors(self._name):
            found = list(self._detector.find(text))
        if any(not isinstance(one, Finding) or one.end > len(text) for one in found):
            raise BadData(
                f"{self._name} gave a finding that is not in the text.",
                hint="Ask the author of the plug-in; docs/guides/plug-ins.md says what it must give.",
            )
        return found


LIMIT = 60.0
"""Maximum seconds that a program may take for one text."""
_HINT = (
    'It reads lines {"id", "text"} and answers {"id", "findings": [{"start", "end", "type", "score"}]}. '
    "Its other output is not shown, because it could quote a text. To see it, run the program by hand on a "
    "harmless text."
)


class CommandDetector:
    """Runs any program that reads and writes JSON lines, as one process that gets text after text."""

    def __init__(self, command: str, *, limit: float = LIMIT) -> None:
        self._process: subprocess.Popen[str] | None = None
        try:
            self._argv = shlex.split(command)
        except ValueError:
            raise InvalidSetting(
                "The command of a plug-in has an unclosed quotation mark.", hint=_HINT
            ) from None
        if not self._argv:
            raise InvalidSetting(
                "The plug-in `command:` does not name a program.", hint="Write command:PROGRAM ARGUMENTS."
            )
        self._limit = limit
        self._asked = 0
        self._answers: queue.Queue[str] = queue.Queue()

    def find(self, text: str) -> list[Finding]:
        """The findings of the program in one text."""
        process = self._start()
        self._asked += 1
        line = json.dumps({"id": str(self._asked), "text": text}) + "\n"
        writer = threading.Thread(target=_write, args=(process.stdin, line), daemon=True)
        writer.start()
        try:
            answer = self._answers.get(timeout=self._limit)
        except queue.Empty:
            self.close()
            raise BadData(
                f"The plug-in {self._argv[0]!r} took longer than {self._limit:g} s for one text.", hint=_HINT
            ) from None
        if not answer:
            code = process.wait()
            self.close()
            raise BadData(
                f"The plug-in {self._argv[0]!r} exited with code {code} and did not answer.", hint=_HINT
            )
        return self._read(answer, len(text))

    def close(self) -> None:
        """Stop the program."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    try:
                        stream.close()
                    except OSError:
                        continue

    def __del__(self) -> None:
        self.close()

    def _start(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                    self._argv,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    encoding="utf-8",
                )
            except OSError:
                raise BadData(f"The plug-in {self._argv[0]!r} cannot be started.", hint=_HINT) from None
            self._answers = queue.Queue()
            reader = threading.Thread(
                target=_read_lines, args=(self._process.stdout, self._answers), daemon=True
            )
            reader.start()
        return self._process

    def _read(self, answer: str, length: int) -> list[Finding]:
        try:
            record = json.loads(answer)
            if record["id"] != str(self._asked):
                raise ValueError
            return [self._finding(item, length) for item in record["findings"]]
        except (ValueError, TypeError, KeyError):
            self.close()
            raise BadData(
                f"The plug-in {self._argv[0]!r} gave an answer that cannot be used.", hint=_HINT
            ) from None

    def _finding(self, item: dict[str, Any], length: int) -> Finding:
        start, end, kind = item["start"], item["end"], item["type"]
        if type(start) is not int or type(end) is not int or not isinstance(kind, str) or end > length:
            raise ValueError
        return Finding(start, end, kind, float(item.get("score", 1.0)), "command")


def _write(stream: IO[str], line: str) -> None:
    try:
        stream.write(line)
        stream.flush()
    except (OSError, ValueError):
        return  # the program has exited; waiting for the answer reports this


def _read_lines(stream: IO[str], answers: queue.Queue[str]) -> None:
    try:
        for line in stream:
            answers.put(line)
    except (OSError, ValueError):
        pass
    answers.put("")


PRESIDIO_TYPES = {
    "PERSON": "NAME",
    "LOCATION": "LOCATION-OTHER",
    "DATE_TIME": "DATE",
    "PHONE_NUMBER": "PHONE",
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IPADDR",
    "US_SSN": "SSN",
    "CREDIT_CARD": "ACCOUNT",
    "IBAN_CODE": "ACCOUNT",
    "US_BANK_NUMBER": "ACCOUNT",
    "US_DRIVER_LICENSE": "LICENSE",
    "MEDICAL_LICENSE": "LICENSE",
    "US_PASSPORT": "IDNUM",
    "UK_NHS": "HEALTHPLAN",
    "US_MBI": "HEALTHPLAN",
    "ORGANIZATION": "ORGANIZATION",
    "NRP": "OTHER",
    "AGE": "AGE",
}


class PresidioDetector:
    """Runs Presidio with its defaults for English."""

    def __init__(self) -> None:
        try:
            from presidio_analyzer import AnalyzerEngine
        except ImportError:
            raise MissingPackage(
                "The plug-in presidio needs the presidio-analyzer package.",
                hint="Run pip install presidio-analyzer, and install a spaCy model for English.",
            ) from None
        self._engine = AnalyzerEngine()

    def find(self, text: str) -> list[Finding]:
        """The findings of Presidio, with our type names."""
        return [
            Finding(
                found.start,
                found.end,
                PRESIDIO_TYPES.get(found.entity_type, found.entity_type),
                min(found.score, 1.0),
                "presidio",
            )
            for found in self._engine.analyze(text, language="en")
            if found.start < found.end
        ]


SPACY_TYPES = {
    "PERSON": "NAME",
    "PER": "NAME",
    "GPE": "CITY",
    "LOC": "LOCATION-OTHER",
    "FAC": "LOCATION-OTHER",
    "ORG": "ORGANIZATION",
    "DATE": "DATE",
    "TIME": "DATE",
    "NORP": "OTHER",
}
SPACY_CONFIDENCE = 0.7
"""spaCy reports no confidence. This is about the share of its entities that identify in clinical text."""


class SpacyDetector:
    """Runs the entity recognizer of an installed spaCy model."""

    def __init__(self, model: str) -> None:
        if not model:
            raise InvalidSetting(
                "The plug-in `spacy:` does not name a model.",
                hint="Write, for example, spacy:en_core_web_sm.",
            )
        try:
            import spacy
        except ImportError:
            raise MissingPackage(
                "The plug-in spacy needs the spacy package.", hint="Run pip install spacy."
            ) from None
        try:
            self._pipeline = spacy.load(model)
        except OSError:
            raise MissingPackage(
                f"The spaCy model {model!r} is not installed.",
                hint=f"Run python -m spacy download {shell_word(model)}",
            ) from None

    def find(self, text: str) -> list[Finding]:
        """Entities that can identify a person, with our type names; amounts and the like are left out."""
        return [
            Finding(
                entity.start_char,
                entity.end_char,
                SPACY_TYPES.get(entity.label_, entity.label_),
                SPACY_CONFIDENCE,
                "spacy",
            )
            for entity in self._pipeline(text).ents
            if entity.label_
            not in (
                "CARDINAL",
                "ORDINAL",
                "QUANTITY",
                "MONEY",
                "PERCENT",
                "PRODUCT",
                "LANGUAGE",
                "LAW",
                "WORK_OF_ART",
                "EVENT",
            )
        ]
