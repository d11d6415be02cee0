"""nervaluate: gold and predicted spans of documents, from a JSON file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from clock import say, timed
from nervaluate import Evaluator

given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
evaluator = Evaluator(given["gold"], given["tool"], tags=given["types"], loader="dict")
took, _ = timed(evaluator.evaluate)
say(time=took)
