"""What is required of the program, and the checks that show it."""

from __future__ import annotations

from reidrisk.validate import documents, installation, repeat, simulations, tables, texts
from reidrisk.validate.check import Check, Requirement
from reidrisk.validate.values import checker

SCAIANO = "Scaiano et al. 2016 (doi:10.1016/j.jbi.2016.07.015)"
REQUIREMENTS = (
    Requirement(
        "R1",
        "The program is installed as it was delivered, on a supported Python, with suitable packages.",
        "21 CFR 11.10(a); GAMP 5 (installation qualification)",
    ),
    Requirement("R2", "The risk from text follows the published equations.", SCAIANO),
    Requirement(
        "R3",
        "The limits that decide are right in at least 97.5 % of corpora.",
        "Clopper and Pearson 1934; Gaffke 2005; docs/concepts/uncertainty.md",
    ),
    Requirement(
        "R4",
        "The risk of a table is counted exactly, and compared with a threshold as a cell size.",
        "El Emam et al. 2009 (Can J Hosp Pharm 62(4):307); Kniola 2016",
    ),
    Requirement(
        "R5",
        "The number of people whom a policy exposes follows the published equations.",
        "Benitez and Malin 2010 (doi:10.1136/jamia.2009.000026)",
    ),
    Requirement(
        "R6",
        "A population estimated from a sample does not make an unsafe table acceptable.",
        "Skinner and Shlomo 2008; Hoshino 2001; docs/concepts/population-from-a-sample.md",
    ),
    Requirement(
        "R7",
        "A released table has no class below the cell size, and loses no more than it must.",
        "El Emam et al. 2009 (JAMIA 16(5):670); Aggarwal et al. 2005",
    ),
    Requirement(
        "R8",
        "An attack succeeds as often as was predicted.",
        "Article 29 Working Party, Opinion 05/2014; Giomi et al. 2023",
    ),
    Requirement(
        "R9",
        "Nobody can recover a redacted value from a document, wherever it was.",
        "EMA Policy 0070; Health Canada, Public Release of Clinical Information",
    ),
    Requirement("R10", "Identifiers in clinical text are found.", "45 CFR 164.514(b)(2)"),
    Requirement(
        "R11",
        "The context of a release and its thresholds follow the published tables.",
        "Information and Privacy Commissioner of Ontario 2016; Kniola 2016; Kumar and Sareen 2017",
    ),
    Requirement(
        "R12",
        "The same data, settings and seed give the same bytes.",
        "21 CFR 11.10(a) (consistent intended performance)",
    ),
)

AGREE = "Every value agrees within its tolerance."
COUNTED = ("duckdb", "numba")


def _values(number: int, title: str, requirement: str, group: str, what: str) -> Check:
    """A check of reference values, which are listed one by one in the certificate."""
    test = f"Compute {what}, and compare with publications, other programs and exact computations."
    compiled = group in ("lattice", "suppression", "classes")
    return Check(
        f"OQ-{number:02}",
        "OQ",
        title,
        (requirement,),
        test,
        AGREE,
        checker(group),
        packages=("numba",) if compiled else (),
        extra="tables" if compiled else "",
    )


INSTALLATION = (
    Check(
        "IQ-01",
        "IQ",
        "Version of Python",
        ("R1",),
        "Compare the version of Python with the range that the program declares.",
        "It is within the range.",
        installation.supported_python,
    ),
    Check(
        "IQ-02",
        "IQ",
        "Versions of packages",
        ("R1",),
        "Compare every package that the program names with what is installed.",
        "Required packages are there, and no installed version is outside of its range.",
        installation.suitable_packages,
    ),
    Check(
        "IQ-03",
        "IQ",
        "The program's own files",
        ("R1",),
        "Compare the SHA-256 of every file with the list that was made when the wheel was built.",
        "No file was changed, removed or added.",
        installation.unchanged_files,
    ),
)
VALUES = (
    _values(1, "Recall and total risk", "R2", "text_recall", "recall, precision and equations 1 to 8"),
    _values(2, "Direct identifiers in text", "R2", "text_direct", "equations 10, 11, 14, 16 and 18"),
    _values(3, "Quasi-identifiers in text", "R2", "text_quasi", "equations 12, 15, 17 and 19"),
    _values(4, "Uncertainty of the text model", "R2", "text_uncertainty", "equations 20 to 22"),
    _values(5, "Intervals and gates", "R2", "proportions", "intervals of proportions and gates"),
    _values(6, "Limits that decide", "R3", "limits", "limits, gates, decisions and sample sizes"),
    _values(7, "Classes of a table", "R4", "classes", "prosecutor, journalist and marketer risk"),
    _values(8, "Thresholds", "R4", "thresholds", "the cell size of each threshold"),
    _values(9, "People in bins", "R5", "population", "g-distinct people and total risk"),
    _values(10, "Population from a sample", "R6", "sample", "estimators of population uniques"),
    _values(11, "Generalization", "R7", "lattice", "minimal nodes and losses of a published table"),
    _values(12, "Cell suppression", "R7", "suppression", "suppressed cells of published tables"),
    _values(13, "Rates of attacks", "R8", "attack", "rates and residual risks of attacks"),
    _values(14, "Context", "R11", "context", "chances of an attempt, and the rule in words"),
    _values(
        15, "Leaks and catches in documents", "R2", "documents", "the risk of redacted and replaced values"
    ),
)
SIMULATIONS = (
    Check(
        "OQ-16",
        "OQ",
        "Coverage of a share's limits",
        ("R3",),
        "Sum the binomial probabilities of all numbers of leaking documents whose limits are right.",
        "At least 0.975 for every true share.",
        simulations.share_coverage,
    ),
    Check(
        "OQ-17",
        "OQ",
        "Coverage of a mean's limits",
        ("R3",),
        "Draw corpora with risks between 0 and 1 and a known mean (seeded).",
        "Right in at least 97.5 % of corpora, less four standard errors of the simulation.",
        simulations.mean_coverage,
    ),
    Check(
        "OQ-18",
        "OQ",
        "Coverage with clusters",
        ("R3",),
        "Draw corpora whose documents leak alike within clusters (seeded).",
        "Right in at least 97.5 % of corpora, less four standard errors of the simulation.",
        simulations.cluster_coverage,
    ),
    Check(
        "OQ-19",
        "OQ",
        "People in bins, simulated",
        ("R5",),
        "Spread people over bins at random (seeded), and count g-distinct people and nonempty bins.",
        "The means are those of the equations, within four standard errors.",
        simulations.birthdays,
    ),
    Check(
        "OQ-20",
        "OQ",
        "Samples of known populations",
        ("R6",),
        "Draw samples from simulated populations (seeded), and decide about them at a cell size of 5.",
        "No unsafe sample is accepted, and the intervals contain the truth about as often as promised.",
        simulations.unsafe_samples,
    ),
)
TABLES = (
    Check(
        "OQ-21",
        "OQ",
        "Classes counted by hand",
        ("R4",),
        "Measure generated tables, and count their classes again with a dictionary.",
        "The same class sizes, and the same highest risk.",
        tables.classes_by_hand,
        packages=("duckdb",),
        extra="tables",
    ),
    Check(
        "OQ-22",
        "OQ",
        "k-anonymity of releases",
        ("R7",),
        "De-identify generated tables, and count the classes of the written files again.",
        "No class is below the cell size or the reported one; equal if no cell was empty before.",
        tables.k_anonymity,
        packages=COUNTED,
        extra="tables",
    ),
    Check(
        "OQ-23",
        "OQ",
        "Optimum of the search",
        ("R7",),
        "Search random lattices, and evaluate all their nodes in plain Python.",
        "No node is better than the one that was found.",
        tables.search_optimum,
        packages=("numba",),
        extra="tables",
    ),
    Check(
        "OQ-24",
        "OQ",
        "Optimum of cell suppression",
        ("R7",),
        "Suppress cells of random tables of seven records, and try every way to group the records.",
        "No grouping suppresses fewer cells.",
        tables.suppression_optimum,
        packages=("numba",),
        extra="tables",
    ),
    Check(
        "OQ-25",
        "OQ",
        "Attack against prediction",
        ("R8", "R4"),
        "Link generated releases with their originals, and compare with the average risk of the classes.",
        "The predicted risk is inside the 99 % interval of each attack.",
        tables.attack_and_prediction,
        packages=("duckdb",),
        extra="tables",
    ),
)
WHOLE = (
    Check(
        "OQ-26",
        "OQ",
        "Published case study",
        ("R2",),
        "Evaluate the generated notes and tool of the case study from end to end.",
        "The frequencies of table 5 and the recalls of table 6.",
        texts.case_study,
    ),
    Check(
        "OQ-27",
        "OQ",
        "Detector on generated notes",
        ("R10",),
        "Find identifiers in generated clinical notes whose identifiers are known.",
        "At least 95 % of the letters and digits of identifiers are masked.",
        texts.detector,
        packages=("ahocorasick_rs",),
        extra="text",
    ),
    Check(
        "OQ-28",
        "OQ",
        "Redaction of a trap PDF",
        ("R9",),
        "Redact a PDF with values in visible and hidden places, and read it with a reader of its own.",
        "The reader sees every value before and none after; harmless text stays.",
        documents.redacted_pdf,
        packages=("pikepdf", "pdfminer", "pypdfium2"),
        extra="documents",
    ),
    Check(
        "OQ-29",
        "OQ",
        "Redaction of a trap Word document",
        ("R9",),
        "Redact a DOCX with values in text, revisions, notes, fields and parts, and read it again.",
        "The reader sees every value before and none after; harmless text stays.",
        documents.redacted_docx,
        packages=("lxml",),
        extra="documents",
    ),
    Check(
        "OQ-30",
        "OQ",
        "Same seed, same bytes",
        ("R12",),
        "De-identify a table and a note and evaluate texts, twice, in two processes.",
        "All files are equal, byte by byte.",
        repeat.same_bytes,
        packages=(*COUNTED, "ahocorasick_rs"),
        extra="all",
        is_slow=True,
    ),
    Check(
        "OQ-31",
        "OQ",
        "Equality of engines",
        ("R12", "R4"),
        "Measure a generated table with DuckDB and with Spark.",
        "All figures are equal.",
        repeat.equal_engines,
        packages=("duckdb",),
        extra="tables",
        is_slow=True,
    ),
)
CHECKS: tuple[Check, ...] = (*INSTALLATION, *VALUES, *SIMULATIONS, *TABLES, *WHOLE)
