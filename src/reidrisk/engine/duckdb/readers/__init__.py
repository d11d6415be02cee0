"""One file for each kind of source; each turns it into something the database can scan."""
