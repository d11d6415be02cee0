"""anjana: k-anonymity with hierarchies; writes the released table."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
from anjana.anonymity import k_anonymity
from clock import say, timed

table, quasi, folder, percent, out = (
    sys.argv[1],
    sys.argv[2].split(","),
    Path(sys.argv[3]),
    float(sys.argv[4]),
    sys.argv[5],
)
frame = pd.read_csv(table, sep=";", dtype=str)
hierarchies = {}
for name in quasi:
    levels = pd.read_csv(folder / f"adult_hierarchy_{name}.csv", sep=";", header=None, dtype=str)
    hierarchies[name] = {level: levels[level].to_numpy() for level in levels.columns}
took, released = timed(lambda: k_anonymity(frame.copy(), [], quasi, 5, percent, hierarchies))
released.to_csv(out, index=False)
say(time=took, rows=len(released))
