"""Reviewers look at findings: sheets to fill in, decisions, agreement, and what follows from them."""
