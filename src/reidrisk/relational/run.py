"""Linked tables from files to a release, as users call it."""

from __future__ import annotations

from pathlib import Path

from reidrisk.core.key import read_key
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.relational.attack import RelationalAttack
from reidrisk.relational.attack_run import TARGETS, attack_release
from reidrisk.relational.config import Orphans, RelationalConfig, read_relational
from reidrisk.relational.database import Database
from reidrisk.relational.plan import config_for
from reidrisk.relational.protect import ProtectLimits
from reidrisk.relational.protected import ProtectedRelease, protected_release
from reidrisk.relational.release import RelationalRelease, release_database
from reidrisk.relational.suggest import (
    RelationalSuggestion,
    config_for_search,
    recognized,
    suggest_database,
)
from reidrisk.relational.verify import RelationalProof, verify_release
from reidrisk.tables.deidentify.settings import MAX_EVENT_SUPPRESSION, MAX_SUPPRESSION


def suggest_relational(source: str | Path, *, profile: str | None = None) -> RelationalSuggestion:
    """Draft the settings for a folder with a file per table, a DuckDB file or a PostgreSQL URL.

    Without a profile, the standard is recognized by its table of people; if none is, keys are found by
    looking.
    """
    with Database.open(source) as database:
        return suggest_database(database, profile)


def deidentify_relational(
    source: str | Path,
    out: str | Path,
    *,
    key: str | Path | bytes,
    config: RelationalConfig | str | Path | None = None,
    profile: str | None = None,
    orphans: Orphans | None = None,
) -> RelationalRelease:
    """Write the tables into a new folder, all or none, and prove on the written files what was promised.

    `config` are settings or the file with them; a profile alone is enough for tables of its standard.
    `orphans` says what becomes of rows whose parent is not there: refuse, drop or detach.
    """
    if config is not None and profile is not None:
        raise InvalidSetting(
            "Settings and a profile exclude each other.", hint="The settings name their profile."
        )
    own = key if isinstance(key, bytes) else read_key(key)
    with Database.open(source) as database:
        chosen = _settings(database, config, profile)
        if orphans is not None:
            chosen = chosen.changed(orphans=orphans)
        return release_database(database, chosen, out, key=own)


def protect_relational(  # noqa: PLR0913 - the tables, where to write, what is known, and what may be lost
    source: str | Path,
    out: str | Path,
    *,
    key: str | Path | bytes,
    config: RelationalConfig | str | Path | None = None,
    profile: str | None = None,
    orphans: Orphans | None = None,
    threshold: Threshold | None = None,
    known: int | None = None,
    max_suppression: float = MAX_SUPPRESSION.default,
    max_event_suppression: float = MAX_EVENT_SUPPRESSION.default,
) -> ProtectedRelease:
    """Write the tables so that the risk of people over all of them is at most the threshold.

    Values are generalized by the hierarchies of the settings, and rows and people are left out, up to the
    limits given. With a profile alone, hierarchies are drafted as `suggest_relational` does. The risk is
    measured again on the written files.
    """
    MAX_SUPPRESSION.check(max_suppression)
    MAX_EVENT_SUPPRESSION.check(max_event_suppression)
    own = key if isinstance(key, bytes) else read_key(key)
    with Database.open(source) as database:
        chosen = _settings(database, config, profile, searches=True)
        if orphans is not None:
            chosen = chosen.changed(orphans=orphans)
        limits = ProtectLimits(max_suppression, max_event_suppression)
        return protected_release(
            database, chosen, out, key=own, threshold=threshold, known=known, limits=limits
        )


def verify_relational(
    released: str | Path, *, against: str | Path, key: str | Path | bytes
) -> RelationalProof:
    """Check the files of a release against the originals, by plain SQL."""
    return verify_release(released, against=against, key=key if isinstance(key, bytes) else read_key(key))


def attack_relational(  # noqa: PLR0913 - what is attacked, the truth, and what is known
    released: str | Path,
    *,
    against: str | Path,
    config: RelationalConfig | str | Path,
    key: str | Path | bytes,
    known: int | None = None,
    targets: int = TARGETS,
    threshold: Threshold | None = None,
    seed: int = 7,
) -> RelationalAttack:
    """Attack a release: link people by what is known of them, recover offsets, find shared ids and orders.

    `known` is the number of true events of a target that the adversary knows; otherwise the settings decide.
    The originals and the key tell who was right. The success is shown beside the predicted risk.
    """
    own = key if isinstance(key, bytes) else read_key(key)
    with Database.open(against) as database:
        return attack_release(
            released,
            database,
            _settings(database, config, None),
            key=own,
            known=known,
            targets=targets,
            threshold=threshold,
            seed=seed,
        )


def _settings(
    database: Database,
    config: RelationalConfig | str | Path | None,
    profile: str | None,
    *,
    searches: bool = False,
) -> RelationalConfig:
    """The settings as given, or those of a profile; for a search with the hierarchies of its draft."""
    if isinstance(config, RelationalConfig):
        return config
    if config is not None:
        return read_relational(config)
    name = profile or recognized(database)
    if name is None:
        raise InvalidSetting(
            "These tables follow no standard that is known.",
            hint="Draft the settings with `reidrisk relational suggest`, and give them with --config.",
        )
    return config_for_search(database, name) if searches else config_for(database, name)
