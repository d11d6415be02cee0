"""From what was measured and a context to a judgement; nothing is read here."""
