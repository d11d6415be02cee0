"""Values that are changed by chance: randomised categories, swapped ranks, added noise."""
