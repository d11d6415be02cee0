"""What an adversary who knows some events of a person learns: supports of subsets of events."""
