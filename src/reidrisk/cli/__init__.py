"""The command line: parse, call the public function, show. Nothing is computed here."""
