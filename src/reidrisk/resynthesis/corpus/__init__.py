"""Read texts from files, folders and tables one by one, and write them back in the same form."""
