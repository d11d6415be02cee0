"""The shape that was published: how many records, visits and patients, in which months.

Can J Hosp Pharm 2009;62(4):307-319: prescriptions dispensed by the pharmacy of one medium-sized
children's hospital in Ottawa. Everything else about the data is drawn from what is generally known
of children in hospital; each table in this package says where its numbers are from. "Ours" marks a
number that we chose as plausible without a source. None was chosen by looking at class sizes.
"""

from __future__ import annotations

import numpy as np

PRESCRIPTIONS = 94_100
VISITS = 10_364
PATIENTS = 6_970
FIRST_DAY = np.datetime64("2007-01-01")
LAST_DAY = np.datetime64("2008-06-30")
DAYS = int((LAST_DAY - FIRST_DAY).astype(np.int64)) + 1
"""Days of admission are counted from the first day, 0 to DAYS - 1."""
YEAR = 365.25
