"""Attack released texts and measure the recognition against the gold standard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from reidrisk.context.settings import Treatment
from reidrisk.core.estimate import Estimate
from reidrisk.core.plugins import load_plugin, plugin_errors
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.resynthesis.attack import scores
from reidrisk.resynthesis.attack.instances import AttackedTexts, InstanceFinder
from reidrisk.resynthesis.attack.parrot import combine_scores, parrot
from reidrisk.resynthesis.attack.result import AttackRow, TextAttack, TypeRow, effect_on_risk
from reidrisk.resynthesis.attack.scores import Flags, flag, folds_of
from reidrisk.resynthesis.attack.settings import AttackSettings
from reidrisk.resynthesis.corpus.note import SourceOptions
from reidrisk.resynthesis.corpus.plain_text import TextFolder
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.proportion import interval
from reidrisk.stats.uncertain import Beta
from reidrisk.text.alignment.marks import shows_marks
from reidrisk.text.corpus import Annotation, Document, Misaligned, ReleasedText
from reidrisk.text.evaluate import Source, TextFiles, documents_of, gather_evidence
from reidrisk.text.evidence import Evidence
from reidrisk.text.matching import WordCounter
from reidrisk.text.misaligned import misaligned_warnings
from reidrisk.text.read import read_documents
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting

ATTACKS = {
    "frequency": scores.frequency,
    "consistency": scores.consistency,
    "dictionary, unlisted": scores.unlisted,
    "dictionary, common": scores.common,
}
ACCEPTED = (0.9, 0.75, 0.5, 0.25, 0.1)
"""Accepted precisions for which the recognition is also shown."""
RESAMPLES = 2000


def attack_text(  # noqa: PLR0913 - inputs, and how to attack and count
    deidentified: str | Path | Iterable[Document],
    gold: Source,
    *,
    settings: AttackSettings | None = None,
    counting: Counting | None = None,
    method: Treatment | None = None,
    misaligned: Misaligned = "refuse",
    seed: int = 7,
) -> TextAttack:
    """Measure how often an adversary distinguishes a leaked original from the surrogates around it.

    `gold` contains the originals with their annotations, `deidentified` the same documents as they would be
    released. The attacks use only the released texts; the gold standard then shows which flags were right.
    Without `method`, it is inferred from the texts. If redaction marks are visible, recognition is 1.
    """
    settings = settings or AttackSettings()
    counting = counting or Counting()
    released = {one.id: _text_of(one) for one in _read_released(deidentified)}
    originals = list(documents_of(gold, TextSettings(misaligned=misaligned)))
    method = method or _method(originals, released)
    evidence, attacked = _evidence(originals, released, method, counting)
    attempt = _Attempt(attacked, settings, seed) if method == "resynthesis" else None
    return _result(attacked, evidence, attempt, (_input_names(deidentified, gold), method, settings, seed))


def _notes(attacked: AttackedTexts, evidence: Evidence) -> Iterator[str]:
    if attacked.removed:
        yield f"{plural(attacked.removed, 'identifier')} left no trace in the texts."
    yield from misaligned_warnings(evidence.misaligned, "The attacks do not see skipped ones.")


@dataclass(frozen=True, slots=True)
class _Attempt:
    """Runs all attacks on the same texts."""

    attacked: AttackedTexts
    settings: AttackSettings
    seed: int

    def flags(self) -> tuple[list[Flags], dict[str, Floats], Ints]:
        """What each attack flags, with its scores and the folds."""
        rng = np.random.default_rng(self.seed)
        folds = folds_of(len(self.attacked.texts), folds=self.settings.folds, rng=rng)
        found = {name: score(self.attacked) for name, score in ATTACKS.items()}
        found |= {name: self._plugged(name) for name in self.settings.attacks}
        found["parrot"] = parrot(self.attacked, folds)
        found["all together"] = combine_scores(self.attacked, list(found.values()), folds)
        accepted = self.settings.precision
        return (
            [flag(name, self.attacked, one, folds, precision=accepted) for name, one in found.items()],
            found,
            folds,
        )

    def _plugged(self, name: str) -> Floats:
        """The scores of a plug-in, which sees what an adversary sees: not which values are originals."""
        score = load_plugin("attacks", name)
        hidden = tuple(replace(one, leaked=False) for one in self.attacked.instances)
        with plugin_errors(name):
            found = np.asarray(score(replace(self.attacked, instances=hidden)), dtype=np.float64)
        if found.shape != (len(hidden),) or not np.isfinite(found).all():
            raise BadData(
                f"{name} did not give one finite score for each of {plural(len(hidden), 'value')}.",
                hint="Ask the author of the plug-in; docs/guides/plug-ins.md says what it must give.",
            )
        return found


def _result(
    attacked: AttackedTexts,
    evidence: Evidence,
    attempt: _Attempt | None,
    about: tuple[tuple[tuple[str, str], ...], Treatment, AttackSettings, int],
) -> TextAttack:
    inputs, method, settings, seed = about
    leaks = sum(one.leaked for one in attacked.instances)
    empty = TextAttack(
        inputs=inputs,
        method=method,
        documents=len(attacked.texts),
        instances=len(attacked.instances),
        leaks=leaks,
        recognition=Estimate(1.0, 1.0, 1.0, settings.level) if method == "redaction" else None,
        bootstrap=None,
        best=None,
        attacks=(),
        by_type=_by_type(attacked, None, every=method == "redaction"),
        trade=(),
        risks=(),
        settings=settings.to_dict(),
        seed=seed,
        notes=tuple(_notes(attacked, evidence)),
    )
    if attempt is None or not leaks:
        return replace(empty, risks=tuple(effect_on_risk(evidence, None, _text_settings(method), seed=seed)))
    every, found, folds = attempt.flags()
    best = max(every, key=lambda one: one.right)
    right = best.right
    low, high = interval(right, leaks, method="jeffreys_modified", level=settings.level)
    measured = (right / leaks, Beta(right + 0.5, leaks - right + 0.5))
    return replace(
        empty,
        recognition=Estimate(right / leaks, low, high, settings.level),
        bootstrap=_bootstrap(attacked, best, settings, seed=seed),
        best=best.attack,
        attacks=tuple(
            AttackRow(one.attack, one.recognition, one.precision, one.right, one.wrong) for one in every
        ),
        by_type=_by_type(attacked, best),
        trade=tuple(_trade_off(attacked, found, folds)),
        risks=tuple(effect_on_risk(evidence, measured, _text_settings(method), seed=seed)),
    )


def _trade_off(
    attacked: AttackedTexts, found: dict[str, Floats], folds: Ints
) -> Iterator[tuple[float, float | None, float | None]]:
    """Recognition of the best attack for adversaries who accept more or fewer wrong flags."""
    for accepted in ACCEPTED:
        every = [flag(name, attacked, one, folds, precision=accepted) for name, one in found.items()]
        best = max(every, key=lambda one: one.right)
        yield accepted, best.recognition, best.precision


def _bootstrap(
    attacked: AttackedTexts, best: Flags, settings: AttackSettings, *, seed: int
) -> tuple[float, float]:
    """Confidence limits by resampling documents."""
    documents = np.array([one.document for one in attacked.instances], dtype=np.int64)
    size = len(attacked.texts)
    leaks = np.bincount(documents, weights=best.leaked, minlength=size)
    right = np.bincount(documents, weights=best.leaked & best.flagged, minlength=size)
    drawn = np.random.default_rng(seed).integers(size, size=(RESAMPLES, size))
    totals = leaks[drawn].sum(axis=1)
    shares = right[drawn].sum(axis=1)[totals > 0] / totals[totals > 0]
    tail = (1 - settings.level) / 2
    low, high = np.quantile(shares, [tail, 1 - tail])
    return float(low), float(high)


def _by_type(attacked: AttackedTexts, best: Flags | None, *, every: bool = False) -> tuple[TypeRow, ...]:
    rows: dict[tuple[str, str], list[int]] = {}
    for at, one in enumerate(attacked.instances):
        row = rows.setdefault((one.type, one.role), [0, 0, 0])
        flagged = every or (best is not None and bool(best.flagged[at]))
        for place, counts in enumerate((True, one.leaked, one.leaked and flagged)):
            row[place] += counts
    return tuple(TypeRow(*names, *numbers) for names, numbers in sorted(rows.items()))


def _text_settings(method: Treatment) -> TextSettings:
    """Count as `text evaluate` does: a surrogate may share a word, such as a year, with the original."""
    survivors = replace(TextSettings(), survivors="instance")
    return survivors if method == "resynthesis" else TextSettings()


def _evidence(
    originals: list[Document], released: dict[str, str], method: Treatment, counting: Counting
) -> tuple[Evidence, AttackedTexts]:
    how = "redacted" if method == "redaction" else "surrogate"
    finder = InstanceFinder(counting.types, WordCounter(counting.ignored))

    def look(document: Document, marks: tuple[Annotation, ...], _lost: object) -> None:
        finder.add(document, released[document.id], marks)

    tool = [Document(name, (), released=ReleasedText(text, how)) for name, text in released.items()]  # type: ignore[arg-type]
    settings = _text_settings(method)
    evidence = gather_evidence(originals, tool, settings=settings, counting=counting, others=[look])
    return evidence, finder.finish()


def _read_released(source: str | Path | Iterable[Document]) -> Iterator[Document]:
    """The released texts of a folder and its subfolders, of a JSON lines file, or in memory."""
    if not isinstance(source, str | Path):
        yield from source
        return
    if Path(source).is_dir():
        for note in TextFolder(Path(source), SourceOptions()).notes():
            yield Document(note.id, (), released=ReleasedText(note.text, "surrogate"))
        return
    yield from read_documents(source, format="surrogate")


def _text_of(document: Document) -> str:
    text = document.released.text if document.released is not None else document.text
    if text is None:
        raise BadData(
            f"{document.shown.capitalize()} has no text.", hint="Provide the texts as they would be released."
        )
    return text


def _method(originals: list[Document], released: dict[str, str]) -> Treatment:
    """Redaction if most texts with identifiers show marks that their originals do not have."""
    marked = [
        shows_marks(released[one.id]) and not shows_marks(one.text or "")
        for one in originals
        if one.annotations and one.id in released
    ]
    if not marked:
        raise InvalidSetting(
            "No document with annotations has a released text.",
            hint="Ids must match: the file NAME.txt belongs to the document NAME of the gold standard.",
        )
    return "redaction" if 2 * sum(marked) > len(marked) else "resynthesis"


def _input_names(*sources: object) -> tuple[tuple[str, str], ...]:
    paths = (one.path if isinstance(one, TextFiles) else one for one in sources)
    names = (path_text(Path(one).name) if isinstance(one, str | Path) else "in memory" for one in paths)
    formats = [one.format for one in sources if isinstance(one, TextFiles) and one.format]
    return (*zip(("deidentified", "gold"), names, strict=True), *(("gold_format", one) for one in formats))
