"""Measure recognition: attack released texts and try to distinguish leaked originals from surrogates."""
