"""Attacks on rows of codes: who may be meant, who is nearest, whom a predicate singles out."""
