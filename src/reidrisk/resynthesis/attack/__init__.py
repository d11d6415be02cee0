"""Trying to tell leaked originals from surrogates, as an adversary would: the recognition is measured."""
