"""How to read the risk of a table: its words, its assumptions and its sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source

GUIDE = Guide(
    terms=(
        Fact(
            "Quasi-identifier",
            "A column that an intruder may know of a person: an age, a sex, a place, a date.",
        ),
        Fact(
            "Equivalence class",
            "Records with the same values in all quasi-identifiers. An empty cell is a value.",
        ),
        Fact("Cell size", "The smallest class that is accepted; the threshold is its inverse, 1/5 for five."),
        Fact(
            "Prosecutor risk",
            "The adversary knows that the person is in the data: one in the size of the class.",
        ),
        Fact(
            "Journalist risk",
            ("The adversary knows only that the person is in the population: one in the class size there."),
        ),
        Fact("Marketer risk", "The share of records that an adversary who matches everybody gets right."),
        Fact(
            "Unit of analysis", "The person or visit that several rows belong to; the risk is counted for it."
        ),
        Fact(
            "Known events",
            (
                "In a table of events (claims, visits, prescriptions) an adversary may know some "
                "events of a person. The risk is 1 divided by the number of people of the same "
                "class who have these events too."
            ),
        ),
    ),
    limits=(
        (
            "The quasi-identifiers are those that were named; a column that was forgotten is "
            "not in the figures."
        ),
        "Two values are alike only if they are written alike.",
        ("This page is a measurement, not legal advice. People who answer for it decide on a release."),
    ),
    sources=(
        Source(
            "El Emam K. et al. Evaluating the risk of re-identification of patients from hospital "
            "prescription records. Canadian Journal of Hospital Pharmacy 62(4) (2009) 307–319.",
        ),
        Source(
            "Dankar F. K. et al. Estimating the re-identification risk of clinical data sets. BMC Medical "
            "Informatics and Decision Making 12 (2012) 66.",
            "10.1186/1472-6947-12-66",
        ),
        Source(
            "Skinner C., Shlomo N. Assessing identification risk in survey microdata using log-linear "
            "models. Journal of the American Statistical Association 103 (2008) 989–1001.",
            "10.1198/016214507000001328",
        ),
        Source(
            "Machanavajjhala A. et al. L-diversity: privacy beyond k-anonymity. ACM Transactions on "
            "Knowledge Discovery from Data 1(1) (2007) 3.",
            "10.1145/1217299.1217302",
        ),
        Source(
            "Li N., Li T., Venkatasubramanian S. t-Closeness: privacy beyond k-anonymity and l-diversity. "
            "IEEE 23rd International Conference on Data Engineering (2007) 106–115.",
            "10.1109/ICDE.2007.367856",
        ),
        Source(
            "El Emam K. et al. De-identification methods for open health data: the case of the Heritage "
            "Health Prize claims dataset. Journal of Medical Internet Research 14(1) (2012) e33.",
            "10.2196/jmir.2001",
        ),
        Source(
            "Terrovitis M., Mamoulis N., Kalnis P. Privacy-preserving anonymization of set-valued data. "
            "Proceedings of the VLDB Endowment 1(1) (2008) 115–125.",
            "10.14778/1453856.1453874",
        ),
    ),
)
