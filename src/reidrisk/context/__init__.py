"""The context of a release: who gets it, how it is protected, how likely an attempt is."""
