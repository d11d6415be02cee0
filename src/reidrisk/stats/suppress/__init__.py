"""Cell suppression: suppress the fewest quasi-identifier cells that leave every class at least k records."""
