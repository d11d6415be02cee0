"""The parts of a release: what each reads, and how it is measured."""
