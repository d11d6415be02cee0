"""Presidio with its patterns alone: the models of its language pipeline are not on the package index."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import spacy
from clock import say, timed
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

texts = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
with tempfile.TemporaryDirectory() as folder:
    blank = Path(folder) / "blank"
    spacy.blank("en").to_disk(blank)
    engine = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": str(blank)}]}
    analyzer = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=engine).create_engine())
analyzer.analyze(texts[0], language="en")
took, found = timed(lambda: sum(len(analyzer.analyze(text, language="en")) for text in texts))
say(time=took, found=found)
