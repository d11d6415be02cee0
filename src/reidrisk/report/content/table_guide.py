"""How to read the risk of a table: its words, its assumptions and its sources."""

from __future__ import annotations

from reidrisk.report.parts import Fact, Guide, Source
from reidrisk.report.words.book import say

GUIDE = Guide(
    terms=(
        Fact(
            say("content.table_guide.quasi_identifier"),
            say("content.table_guide.a_column_that"),
        ),
        Fact(
            say("content.table_guide.equivalence_class"),
            say("content.table_guide.records_with_the"),
        ),
        Fact(say("content.table_guide.cell_size"), say("content.table_guide.the_smallest_class")),
        Fact(
            say("content.table_guide.prosecutor_risk"),
            say("content.table_guide.the_adversary_knows"),
        ),
        Fact(
            say("content.table_guide.journalist_risk"),
            say("content.table_guide.the_adversary_knows_only"),
        ),
        Fact(say("content.table_guide.marketer_risk"), say("content.table_guide.the_share_of")),
        Fact(say("content.table_guide.unit_of_analysis"), say("content.table_guide.the_person_or")),
        Fact(say("content.table_guide.known_events"), say("content.table_guide.some_events_of")),
    ),
    limits=(
        say("content.table_guide.the_quasi_identifiers"),
        say("content.table_guide.two_values_are"),
        say("content.table_guide.this_page_is"),
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
