"""Risk from an adversary who knows some events of a person: supports of subsets of events."""
