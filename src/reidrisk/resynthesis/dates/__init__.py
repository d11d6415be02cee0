"""Read dates in any common form, shift them, and write them back in the same form."""
