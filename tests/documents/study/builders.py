"""A trial of four people at two sites, written as files."""

from __future__ import annotations

from pathlib import Path

ADSL = """\
STUDYID,USUBJID,SUBJID,SITEID,AGE,SEX,RACE,COUNTRY,RFSTDTC,BRTHDTC,ARM
DEMO-301,DEMO-301-01-0104,0104,01,54,F,WHITE,DEU,2019-03-12,1964-08,Active
DEMO-301,DEMO-301-01-0105,0105,01,71,M,ASIAN,DEU,2019-04-02,1947-11-30,Placebo
DEMO-301,DEMO-301-02-0201,0201,02,54,M,WHITE,USA,2019-03-29,1964-12-24,Active
DEMO-301,DEMO-301-02-0202,0202,02,33,F,BLACK OR AFRICAN AMERICAN,USA,2019-05-06,1985,Placebo
"""
AE = """\
USUBJID,AESEQ,AETERM,AEDECOD,AESTDTC,AEENDTC
DEMO-301-01-0104,1,chest pain on exertion,Angina pectoris,2019-04-20,2019-04-22
DEMO-301-02-0201,1,headache,Headache,2019-04-01,2019-04
DEMO-301-02-0202,1,fall from stairs,Fall,2019-06-11,
DEMO-301-09-0999,1,headache,Headache,2019-06-12,
"""
YAML = """\
study: DEMO-301
subject: USUBJID
ipd:
  adsl: adsl.csv
  ae: ae.csv
schema:
  direct: [SUBJID]
  quasi: [AGE, SEX, RACE, COUNTRY, SITEID]
  dates: [RFSTDTC, BRTHDTC]
  events: {ae: [AETERM, AEDECOD, AESTDTC, AEENDTC]}
documents: [csr.txt]
deidentified:
  key: study.key
  recode: [USUBJID, SUBJID, SITEID]
  shift: {days: 365}
  hierarchies:
    AGE: {kind: age, unit: years, levels: [5 years, 10 years]}
  levels: {AGE: 5 years}
sections: {"16.2": leave_out, "14.3.3": redact}
threshold: {cell_size: 11}
review: {findings: reviewed.json}
qualitative: {identifiers: high, population: moderate, participants: moderate, centres: moderate}
"""


def write_study(folder: Path, *, yaml: str = YAML) -> Path:
    """The files of the trial, and the path of its study.yaml."""
    (folder / "adsl.csv").write_text(ADSL, encoding="utf-8")
    (folder / "ae.csv").write_text(AE, encoding="utf-8")
    (folder / "csr.txt").write_text("Nothing to see.", encoding="utf-8")
    path = folder / "study.yaml"
    path.write_text(yaml, encoding="utf-8")
    return path
