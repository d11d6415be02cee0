"""How many people are unique in a population of which only a sample is at hand."""
