"""What a released table is good for: distances of distributions, propensity scores, models."""
