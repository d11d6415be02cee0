"""Released texts without offsets: where in the original something was masked or replaced."""
