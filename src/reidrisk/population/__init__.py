"""Job 3: population. What a sharing policy exposes, to which attacker, at what price."""
