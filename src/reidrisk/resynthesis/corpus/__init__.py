"""Texts to de-identify, wherever they lie: read one after the other, written back in the same place."""
