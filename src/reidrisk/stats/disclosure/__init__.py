"""What classes give away of a secret column, whether or not anybody is told from the others."""
