"""What each kind of result has to say in each chapter; one file a kind."""
