"""Usefulness of a released table: distances of distributions, propensity scores, models."""
