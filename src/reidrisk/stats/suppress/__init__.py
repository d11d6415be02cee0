"""Cell suppression: the fewest starred quasi-identifier cells that leave every class at least k records."""
