"""An adversary of our own: link, single out and infer, and count how often it succeeds."""
