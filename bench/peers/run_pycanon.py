"""pycanon: k alone, and every figure of its report, of a table in memory."""

from __future__ import annotations

import sys

import pandas as pd
from clock import say, timed
from pycanon import anonymity, report

table, quasi, sensitive, rows = sys.argv[1], sys.argv[2].split(","), sys.argv[3], int(sys.argv[4])
frame = pd.read_csv(table, sep=";")
small = frame[:rows]
anonymity.k_anonymity(small[:500], quasi)
k_time, k = timed(lambda: anonymity.k_anonymity(frame, quasi), runs=3)
all_time, _ = timed(lambda: report.base.get_report_values(small, quasi, [sensitive]))
say(k=int(k), k_time=k_time, all_time=all_time)
