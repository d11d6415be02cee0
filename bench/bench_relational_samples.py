"""Public databases from files to a release with one command each: risk, loss, seconds, and what others find.

Each is released by its profile alone, in a process of its own. The result is read by DuckDB and pyreadstat,
and by `xport` and `fhir.resources` if they are installed; none of these readers is ours.

    python bench/bench_relational_samples.py ../shared/data [--only gibleed]
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from tests.relational.independent import files_of, lines_of, look, look_at_resources

from reidrisk.errors import ReidRiskError
from reidrisk.relational.database import Database
from reidrisk.relational.plan import config_for
from reidrisk.relational.risk import relational_risk
from reidrisk.relational.run import deidentify_relational, protect_relational

SAMPLES: dict[str, tuple[str, str, Any]] = {
    "sdtm": ("cdisc_pilot/sdtm", "sdtm", None),
    "adam": ("cdisc_pilot/adam", "adam", None),
    "gibleed": ("omop_sample/gibleed", "omop", "detach"),
    "synthea27": ("omop_sample/synthea27_v54", "omop", None),
    "fhir": ("fhir_sample/bulk100", "fhir", "detach"),
    "redcap trial": ("redcap_sample/clinical-trial-1", "redcap", None),
    "redcap longitudinal": ("redcap_sample/longitudinal", "redcap", None),
    "redcap repeating": ("redcap_sample/repeating-instruments", "redcap", None),
}
KEY = bytes(range(32))
MOST = 6
"""Variables whose loss is shown."""


def spent() -> float:
    """CPU seconds of the process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def risk_of(folder: Path, source: Path, profile: str) -> dict[str, Any] | None:
    """Two known events over all tables; None if the profile names nothing to know."""
    with Database.open(source) as database:
        config = config_for(database, profile)
    if not config.quasi and not config.events:
        return None
    return relational_risk(folder, config, known=2, drivers=False).to_dict()


def words(risk: dict[str, Any] | None) -> str:
    if risk is None:
        return "not measured: the profile names no quasi-identifiers and no events"
    last = risk["by_known"][-1]
    return (
        f"highest {last['highest']:.3f}, average {last['average']:.3f}, "
        f"{last['share_above_threshold']:.1%} of people above {risk['threshold']['probability']:.3g}, "
        f"{last['subsets']:,} sets ({last['method']})"
    )


def measure(name: str, data: Path) -> None:
    """Release one database and print what is known of it."""
    place, profile, orphans = SAMPLES[name]
    source = data / place
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "released"
        start = spent()
        result = deidentify_relational(source, out, key=KEY, profile=profile, orphans=orphans)
        cpu, memory = spent() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        told = result.to_dict()
        print(f"\n== {name}: {told['people']:,} people, {len(told['tables'])} tables, profile {profile}")
        print(
            f"released in {cpu:.1f} CPU s ({told['proof']['checks'].__len__()} checks hold), {memory:.0f} MB"
        )
        print(f"risk before: {words(risk_of(source, source, profile))}")
        print(f"risk after:  {words(risk_of(out, source, profile))}")
        lost = [one for one in told["variables"] if one["loss"]]
        lost.sort(key=lambda one: (one["treatment"] in ("removed", "emptied"), -one["loss"]))
        gone = sum(one["loss"] >= 1 for one in lost)
        print(f"loss: {gone} of {len(told['variables'])} variables gone; of others the most:")
        for one in [one for one in lost if one["loss"] < 1][:MOST]:
            print(f"   {one['table']}.{one['variable']}: {one['loss']:.1%} ({one['treatment']})")
        found = look_at_resources(source, out) if profile == "fhir" else look(source, out)
        print(f"looked at by others: {found}")
        print(f"   {read_by_others(out, profile)}")
        for warning in told["warnings"]:
            print(f"   {warning}")
        if profile != "fhir":
            print(f"with --cell-size 5: {limited(source, Path(folder) / 'limited', profile, orphans)}")


def limited(source: Path, out: Path, profile: str, orphans: Any) -> str:
    """The same with a limit for the risk of people: acceptable, or the reason."""
    start = spent()
    try:
        done = protect_relational(source, out, key=KEY, profile=profile, orphans=orphans, known=1)
    except ReidRiskError as error:
        return f"{str(error).splitlines()[0]} ({spent() - start:.1f} CPU s)"
    risk = done.after.to_dict()
    return f"acceptable with one known event, highest {risk['highest']:.3f} ({spent() - start:.1f} CPU s)"


def read_by_others(out: Path, profile: str) -> str:
    """Read the files by packages that we did not write."""
    if profile == "fhir":
        if importlib.util.find_spec("fhir") is None:
            return "fhir.resources is not installed"
        models = importlib.import_module("fhir.resources.R4B")
        bad = number = 0
        for path in files_of(out).values():
            for line in lines_of(path):
                content, number = json.loads(line), number + 1
                try:
                    models.get_fhir_model_class(content["resourceType"]).model_validate(content)
                except ValueError:
                    bad += 1
        return f"fhir.resources: {number:,} resources, {bad:,} not valid"
    transports = [path for path in files_of(out).values() if path.name.endswith(".xpt")]
    if not transports:
        return "DuckDB read all files"
    if importlib.util.find_spec("xport") is None:
        return "xport is not installed"
    reader = importlib.import_module("xport.v56")
    rows = 0
    for path in transports:
        with path.open("rb") as file:
            try:
                rows += sum(len(one) for one in reader.load(file).values())
            except TypeError:
                return "xport does not run with the pandas that is installed"
    return f"xport: {len(transports)} transport files, {rows:,} rows"


def main() -> None:
    """Measure all samples, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", choices=SAMPLES)
    given = parser.parse_args()
    if given.only:
        measure(given.only, given.data)
        return
    for name in SAMPLES:
        subprocess.run([sys.executable, __file__, str(given.data), "--only", name], check=False)


if __name__ == "__main__":
    main()
