"""What a result says, as tables and facts that every view draws in its own way; one file a kind."""
