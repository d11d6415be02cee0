"""`reidrisk demo`: run every job on generated data, and assess the results as one release."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from reidrisk.cli import output
from reidrisk.cli.help import OTHER, OVERWRITE, StepwiseCommand, option, section
from reidrisk.cli.options import SEED
from reidrisk.cli.overwriting import guard
from reidrisk.core.shell import pip_install, shell_word, shell_words

ATTEMPT = (0.3, 0.4, 0.5)
RECOGNITION = 0.1
TARGET = 0.01
"""The total risk that the exploration of policies accepts."""
TABLE, POPULATION, STUDY, RELEASE, ASSESSMENT = "table", "population", "study", "release.yaml", "assessment"
HOSPITAL = "hospital"
VALIDATION = "validation"
"""Where the files of each part are in the folder of the demo; those of the text part have no folder."""
TEXT_FILES = ("gold.jsonl", "tool.jsonl", "types.yaml", "result.json", "report.html")
TABLE_FILES = {
    "--out": "released.csv",
    "--codebook": "released.codebook.md",
    "--json": "result.json",
    "--html": "report.html",
}
STATE, FIGURE = "state.csv", "figure-1"
COMPARE_FILES = {"--json": "result.json", "--html": "report.html"}
EXPLORE_FILES = {"--json": "explored.json", "--html": "explored.html"}
"""The files that a command writes, by option."""
FINDINGS, REVIEWED, COPIES, STUDY_PAGE = (
    "findings.json",
    "findings.reviewed.json",
    "replaced",
    "report.html",
)
PLANNED, LESS, FINAL = "risk-planned.json", "risk-less-detail.json", "risk.json"
RELEASED = "released"
"""The folder with the released tables of the trial."""
AGAIN, KEYS, SIGNING_KEY = "assessment-again", "keys", "reviewer.key"
SIGNATURES, LOGS = "signatures", ".reidrisk"
SIGNER, MEANING = "Robin Reviewer", "I have reviewed this assessment"


@click.command(name="demo", cls=StepwiseCommand)
@click.argument("folder", type=click.Path(file_okay=False), default="demo-output")
@section(
    OTHER,
    option(
        "--quick",
        is_flag=True,
        help="Run only job 1, clinical notes. This takes seconds and needs no extra package.",
    ),
    SEED,
    OVERWRITE,
)
def command(folder: str, seed: int, *, quick: bool) -> None:
    """Run every job on generated data.

    \b
    1. Clinical notes: a simulated tool masks 120 documents in four groups, as in
       the published case study. Its output is evaluated.
    2. Prescriptions: 94,100 records of 10,364 hospital visits are de-identified.
    3. Population: two sharing policies are compared in a state of 12 counties.
    4. Trial: 60 participants are anonymized in a study report of 30 pages.
    5. Hospital: linked tables of 900 patients; the notes are about 120 of them.

    At the end, all of this is assessed as one release, which is signed and verified, and the program is
    validated. All files are written to FOLDER. The exit code is 0 whatever the verdicts.
    """
    if quick:
        _run_quickly(Path(folder), seed=seed)
        return
    output.check_report_packages()
    output.check_packages(
        ("duckdb", "tables"),
        ("numba", "tables"),
        ("pikepdf", "documents"),
        ("lxml", "documents"),
        ("pyreadstat", "io"),
        ("typst", "report"),
        ("cryptography", "sign"),
    )
    target = Path(folder)
    _check_files(target)
    text = show_text(target, seed=seed)
    table = show_table(target / TABLE, seed=seed)
    state = show_population(target / POPULATION, seed=seed)
    trial = show_study(target / STUDY, seed=seed)
    show_hospital(target / HOSPITAL, seed=seed)
    release = show_assessment(target, seed=seed)
    validation = show_validation(target / VALIDATION)
    report = target / ASSESSMENT / "report"
    click.echo(
        "\nVerdicts, and where to find the reports:\n"
        f"Text:    {text}; {target / 'report.html'}\n"
        f"Table:   {table}; {target / TABLE / 'report.html'}\n"
        f"State:   {state}; {target / POPULATION / 'report.html'}\n"
        f"Trial:   {trial}; {target / STUDY / STUDY_PAGE}; {target / STUDY / COPIES}\n"
        f"People:  {show_people(target / ASSESSMENT)}\n"
        f"Release: {release}; {report.with_suffix('.html')}; {report.with_suffix('.pdf')}\n"
        f"Program: {validation}; {target / VALIDATION / 'certificate.pdf'}\n"
        f"To open the app on this release, run: reidrisk serve {shell_word(target)}"
    )


def _run_quickly(target: Path, *, seed: int) -> None:
    """The first job; it has a page if the packages for pages are installed."""
    from reidrisk.core.files import writable

    has_pages = all(find_spec(package) is not None for package in ("jinja2", "matplotlib"))
    target.mkdir(parents=True, exist_ok=True)
    guard(writable(target / name) for name in TEXT_FILES)
    show_text(target, seed=seed, with_page=has_pages)
    if not has_pages:
        click.echo(f"For pages with charts and for the other jobs: {pip_install('all')}")
    click.echo(f"The whole demo: {shell_words(['reidrisk', 'demo', target])}")


def _check_files(target: Path) -> None:
    """Check that every file of the demo can be written, before any of it is."""
    from reidrisk.core.files import writable
    from reidrisk.demo import hospital, study
    from reidrisk.demo import prescriptions as table

    tables = target / HOSPITAL / hospital.TABLES
    for place in (target / TABLE, target / POPULATION / FIGURE, target / STUDY, tables):
        place.mkdir(parents=True, exist_ok=True)
    by_folder: dict[Path, Sequence[str]] = {
        target: (*TEXT_FILES, RELEASE),
        target / TABLE: (
            *(table.RECORDS, table.CONFIG.name, table.LAYOUT.name, table.KEY),
            *TABLE_FILES.values(),
        ),
        target / POPULATION: (STATE, *COMPARE_FILES.values(), *EXPLORE_FILES.values()),
        target / POPULATION / FIGURE: ("people.csv", "released.csv"),
        target / STUDY: (
            *(*study.REPORTS, study.ANSWERS, study.CONFIG.name, study.STRICT.name, study.MASKED.name),
            *(FINDINGS, REVIEWED, PLANNED, LESS, FINAL, STUDY_PAGE),
        ),
        target / HOSPITAL: (hospital.KEY,),
        tables: hospital.FILES,
    }
    guard(writable(folder / name) for folder, names in by_folder.items() for name in names)


def show_text(target: Path, *, seed: int, with_page: bool = True) -> str:
    """Write the notes, evaluate the tool, write the page; return the verdict."""
    from reidrisk.context.release import Release
    from reidrisk.core.file_set import together
    from reidrisk.core.files import write_text
    from reidrisk.core.threshold import Threshold
    from reidrisk.core.wording import UNDECIDED
    from reidrisk.demo import case_study_tool, clinical_notes
    from reidrisk.text.evaluate import evaluate_text
    from reidrisk.text.formats.jsonl import write_jsonl
    from reidrisk.text.tally import Counting

    click.echo("== Job 1, text: does a de-identification tool protect the patients?\n")
    gold, tool, types, figures, page = (target / name for name in TEXT_FILES)
    notes = clinical_notes(seed=seed)
    with together():
        write_jsonl(notes, gold, about=True)
        write_jsonl(case_study_tool(notes, seed=seed), tool)
        write_text(types, _label_map())
    result = evaluate_text(
        str(gold),
        str(tool),
        release=Release.non_public("resynthesis", recognition=RECOGNITION, attempt=ATTEMPT),
        threshold=Threshold.from_cell_size(5, "cell size of five, as in the case study"),
        counting=Counting.choose(types=str(types)),
        seed=seed,
    )
    with together():
        write_text(figures, result.to_json())
        if with_page:
            from reidrisk.report.page import write_page

            write_page(result, page)
    output.Output(None, quiet=False).result(result.to_dict(), acceptable=result.acceptable)
    low, mode, high = ATTEMPT
    click.echo(
        f"\nTo repeat this, run:\n  reidrisk text evaluate {shell_words([gold, tool])} --types "
        f"{shell_word(types)} --recognition {RECOGNITION} --attempt {low},{mode},{high}"
        f"{f' --html {shell_word(page)}' if with_page else ''}"
    )
    words = {"accepted": "acceptable", "refused": "NOT acceptable", "undecided": UNDECIDED.lower()}
    verdict = words[result.decision]
    click.echo(f"\nVerdict: {verdict}")
    if with_page:
        click.echo(f"Report:  {page}")
    return verdict


def _label_map() -> str:
    """The types file of the demo: what the labels of the tool mean in the gold standard."""
    from reidrisk.demo import label_map

    means = {
        label: kinds if isinstance(kinds, str) else f"[{', '.join(kinds)}]"
        for label, kinds in label_map().items()
    }
    lines = (f"  {label}: {kinds}" for label, kinds in means.items())
    return "\n".join(["# What the labels of the tool mean in the gold standard", "labels:", *lines, ""])


def show_table(folder: Path, *, seed: int) -> str:
    """Write the records, run the command that de-identifies them, summarize; return the verdict."""
    from reidrisk.demo.prescriptions import CONFIG, KEY, RECORDS, write_case

    click.echo("\n\n== Job 2, tables: may a hospital release its prescription records?\n")
    write_case(folder, seed=seed)
    read = [str(folder / RECORDS), "--config", str(folder / CONFIG.name), "--key", str(folder / KEY)]
    words = [*read, *_file_options(folder, TABLE_FILES), "--seed", str(seed)]
    click.echo(
        "These invented records are like those in Can J Hosp Pharm 62(4):307. Their key is not random, so "
        "that\nyou can repeat this. To make a real key, run: reidrisk table key FILE\n\n"
        f"To repeat this, run:\n  reidrisk table deidentify {shell_words(words)}\n"
    )
    _run("table", "deidentify", *words)
    result = _read(folder / TABLE_FILES["--json"])
    click.echo(f"\n{_table_story(result)}")
    if not result["acceptable"]:
        return "no solution"
    conditions = ", under conditions" if result["conditions"] else ""
    return f"acceptable at 1/{result['threshold']['cell_size']}{conditions}"


def _table_story(result: dict[str, Any]) -> str:
    """From the request to the release, one line per step."""
    requested, rungs = result["named_solutions"][0], result["threshold_ladder"]
    first, limit = rungs[0]["cell_size"], f"{100 * result['settings']['max_suppression']:.0f} %"
    lines = [
        f"As requested: {100 * requested['shares'][str(first)]:.0f} % of {result['before']['records']:,} "
        f"visits have a risk above 1/{first}."
    ]
    for rung in rungs:
        share = rung["suppressed_share"]
        verb = "have" if rung["outcome"] == "solution" else "would have"
        needed = (
            ""
            if share is None
            else f"; {100 * share:.1f} % of visits {verb} a suppressed value, and the limit is {limit}"
        )
        lines.append(f"At 1/{rung['cell_size']}: {rung['outcome']}{needed}.")
    return "\n".join(lines)


def show_population(folder: Path, *, seed: int) -> str:
    """Write the state, run the commands that measure it, summarize; return the main finding."""
    from reidrisk.demo.population import write_figure_one, write_population

    click.echo("\n\n== Job 3, population: whom does a sharing policy expose?\n")
    write_population(folder / STATE, seed=seed)
    write_figure_one(folder / FIGURE)
    state = str(folder / STATE)
    policies = ("--policy", "limited", "--policy", "safe", "--by", "county")
    compare = [state, *policies, *_file_options(folder, COMPARE_FILES)]
    explore = [state, "--target", str(TARGET), *_file_options(folder, EXPLORE_FILES)]
    click.echo(
        "This is an invented state of twelve counties. To repeat this, run:\n"
        f"  reidrisk population compare {shell_words(compare)}\n"
        f"  reidrisk population explore {shell_words(explore)}\n"
    )
    _run("population", "compare", *compare)
    _run("population", "explore", *explore, "--quiet")
    comparison, exploration = (_read(folder / files["--json"]) for files in (COMPARE_FILES, EXPLORE_FILES))
    click.echo(f"\n{_population_story(comparison, exploration)}")
    click.echo(f"Page: {folder / EXPLORE_FILES['--html']}")
    limited, safe = (risk["policy"]["name"] for risk in comparison["risks"])
    times = comparison["trust_differential"]["total"]
    return f"{limited} exposes {times:,.0f} times as many people as {safe}"


def _population_story(comparison: dict[str, Any], exploration: dict[str, Any]) -> str:
    """What the figures show, one line each."""
    from reidrisk.report.numbers import brief_percent

    limited, safe = comparison["risks"]
    worst = max(limited["by_area"], key=lambda row: row["total_risk"]["share"])
    under = [policy for policy in exploration["policies"] if policy["under_target"]]
    most = max(under, key=lambda policy: (policy["detail"], -policy["risk"]))
    return "\n".join(
        [
            f"Unique people: {brief_percent(limited['g_distinct']['1'])} under the "
            f"{limited['policy']['name']}, {brief_percent(safe['g_distinct']['1'])} under "
            f"{safe['policy']['name']}.",
            f"The same policy has different effects in different places: in {worst['area']} county, with "
            f"{worst['people']:,} people,\n{brief_percent(worst['total_risk']['share'])} would be "
            f"re-identified under the {limited['policy']['name']}.",
            f"With a total risk of at most {brief_percent(exploration['target'])} you could share "
            f"{most['name']} ({brief_percent(most['risk'])}).",
        ]
    )


def show_study(folder: Path, *, seed: int) -> str:
    """Write the study, run the commands that anonymize its report; return the verdict."""
    from reidrisk.demo.study import ANSWERS, write_study
    from reidrisk.demo.study.review import write_review

    click.echo("\n\n== Job 4, documents: may the report of a trial be published?\n")
    write_study(folder, seed=seed)
    _remove_copies(folder)
    commands = _study_commands(folder)
    listed = "\n".join(f"  reidrisk document {verb} {shell_words(words)}" for verb, words in commands)
    click.echo(
        "This is an invented trial of 60 participants: data, a report of 30 pages as PDF and DOCX, and an "
        "answer\nkey. The key for its pseudonyms is not random, so that you can repeat this. After the "
        "detection, an\ninvented reader who knows the answers reviews every page.\n\n"
        f"To repeat this, run:\n{listed}\n"
    )
    for verb, words in commands:
        _run("document", verb, *words)
        if verb == "detect":
            write_review(folder / FINDINGS, folder / ANSWERS, folder / REVIEWED)
    planned, less, final = (_read(folder / name) for name in (PLANNED, LESS, FINAL))
    click.echo(
        f"\nAs planned: highest risk {planned['highest']:.2f}. With less detail: "
        f"{less['known']['static']['highest']:.3f} by age and sex, but {less['highest']:.2f} if somebody "
        f"knows one event.\nWithout events: {final['highest']:.3f}."
    )
    return "acceptable" if final["acceptable"] else "NOT acceptable"


def _remove_copies(folder: Path) -> None:
    """Remove the documents and tables of an earlier demo, and nothing else."""
    from reidrisk.demo.study import DATA, REPORTS
    from reidrisk.documents.released_tables import CODEBOOK

    for name in REPORTS:
        (folder / COPIES / name).unlink(missing_ok=True)
    for name in (*DATA, CODEBOOK):
        (folder / RELEASED / Path(name).name).unlink(missing_ok=True)


def _study_commands(folder: Path) -> list[tuple[str, list[str]]]:
    """Detect, measure the planned release and two with less detail, replace, and release the tables."""
    from reidrisk.demo.study import CONFIG, MASKED, REPORTS, STRICT

    reports = [str(folder / name) for name in REPORTS]
    planned, strict, masked = (str(folder / path.name) for path in (CONFIG, STRICT, MASKED))
    findings, reviewed = str(folder / FINDINGS), str(folder / REVIEWED)
    measure = ["--scenario", "ipd_mentioned", "--findings", reviewed, "--json"]
    replace = ["--findings", reviewed, "--mode", "replace", "--out", str(folder / COPIES)]
    return [
        ("detect", [*reports, "--study", planned, "--out", findings]),
        ("risk", ["--study", planned, *measure, str(folder / PLANNED), "--quiet"]),
        ("risk", ["--study", strict, *measure, str(folder / LESS), "--quiet"]),
        ("risk", ["--study", masked, *measure, str(folder / FINAL), "--html", str(folder / STUDY_PAGE)]),
        ("anonymize", [*reports, "--study", masked, *replace]),
        ("tables", ["--study", masked, "--out", str(folder / RELEASED), "--quiet"]),
    ]


def show_hospital(folder: Path, *, seed: int) -> None:
    """Write linked tables about the patients of the notes and others; the assessment judges them."""
    from reidrisk.demo.hospital import TABLES, write_hospital

    click.echo(
        "\n\n== Job 5, linked tables: what do a database and notes of the same patients tell together?\n"
    )
    sizes = write_hospital(folder, seed=seed)
    listed = ", ".join(f"{rows:,} {name}" for name, rows in sizes.items())
    drafted = shell_words([str(folder / TABLES), "--out", str(folder / "drafted.yaml")])
    click.echo(
        f"This is the database of an invented hospital: {listed}.\nThe notes of job 1 are about some of "
        "these patients. The release below says what becomes of every column,\nand how patients and notes "
        f"are linked. To draft such settings from the tables, run:\n  reidrisk relational suggest {drafted}"
    )


def show_people(folder: Path) -> str:
    """Return what the database and the notes tell about patients, alone and together."""
    from reidrisk.report.numbers import percent

    parts = {one["name"]: one for one in _read(folder / "assessment.json")["parts"]}
    found = next((one["result"] for one in parts.values() if one["kind"] == "joint"), None)
    if found is None:
        return "could not be judged"
    words = [
        f"{'with ' if place else ''}{row['part']} {percent(row['up_to_here']['share_above_threshold'])}"
        for place, row in enumerate(found["parts"])
    ]
    return f"above 1/{found['threshold']['cell_size']} by {', '.join(words)} of {found['people']:,} patients"


def show_assessment(folder: Path, *, seed: int) -> str:
    """Write the release file and run the command that assesses it; return the verdict."""
    from reidrisk.demo.release import write_release

    click.echo("\n\n== One decision: may all of this be released to this recipient?\n")
    write_release(folder / RELEASE, seed=seed)
    _remove_signed(folder)
    words = [str(folder / RELEASE), "--out", str(folder / ASSESSMENT)]
    again = shell_words([str(folder / RELEASE), "--out", str(folder / AGAIN)])
    click.echo(
        "A release file lists the parts of a release and its context.\n\n"
        f"To repeat this, run:\n  reidrisk assess {again}\n"
        f"To see the verdict if anyone could get the data:\n  reidrisk assess {shell_words(words)} "
        "--set context.access=public\n"
    )
    _run("assess", *words)
    sign_assessment(folder)
    result = _read(folder / ASSESSMENT / "assessment.json")
    return "acceptable" if result["acceptable"] else "NOT acceptable"


def show_validation(folder: Path) -> str:
    """Validate the program on this machine, without its slowest checks; return the result."""
    click.echo("\n\n== And the program: does it compute as it should on this machine?\n")
    words = ["--quick", "--out", str(folder)]
    click.echo(
        f"To repeat this, run:\n  reidrisk validate {shell_words(words)}\nWithout --quick, it does more.\n"
    )
    _run("validate", *words)
    counts = _read(folder / "certificate.json")["counts"]
    return f"{counts['pass']} checks passed, {counts['fail']} failed, {counts['not_run']} not run"


def sign_assessment(folder: Path) -> None:
    """Sign the assessment with a new key, which is outside of its folder, and verify it."""
    key, made = str(folder / KEYS / SIGNING_KEY), str(folder / ASSESSMENT)
    signing = [made, "--as", SIGNER, "--role", "reviewer", "--meaning", MEANING, "--key", key]
    commands = (
        ("key", ["new", key, "--for", "signing", "--name", SIGNER, "--no-passphrase"]),
        ("sign", signing),
        ("verify", [made, "--trusted", f"{key}.pub"]),
    )
    listed = "\n".join(f"  reidrisk {name} {shell_words(words)}" for name, words in commands)
    click.echo(
        "\nThe assessment is signed by an invented reviewer, with a key that was just made and is outside\n"
        "of the folder. Then the assessment is verified with the public key: it is run again, and its\n"
        f"reports are drawn again.\n\nThese commands were run:\n{listed}\n"
    )
    for name, words in commands:
        _run(name, *words)
        click.echo()


def _remove_signed(folder: Path) -> None:
    """Remove the signatures, the log and the key of an earlier demo, and nothing else."""
    for name in (SIGNING_KEY, f"{SIGNING_KEY}.pub"):
        (folder / KEYS / name).unlink(missing_ok=True)
    (folder / KEYS).mkdir(exist_ok=True)
    for place, pattern in ((SIGNATURES, "*.json"), (LOGS, "log.jsonl")):
        for path in (folder / ASSESSMENT / place).glob(pattern):
            path.unlink()


def _file_options(folder: Path, files: dict[str, str]) -> list[str]:
    return [word for option, name in files.items() for word in (option, str(folder / name))]


def _run(name: str, *words: str) -> None:
    """Run a command as if it had been typed. The exit code is ignored: the result contains the verdict."""
    called: click.Command = import_module(f"reidrisk.cli.{name}").command
    with suppress(SystemExit):
        called.main(
            list(words),
            prog_name=f"reidrisk {name}",
            standalone_mode=False,
            parent=click.get_current_context(silent=True),
        )


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))
