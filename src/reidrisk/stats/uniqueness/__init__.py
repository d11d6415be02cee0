"""Number of people who are unique in a population, estimated from a sample."""
