"""The local web app: `reidrisk serve`. It parses, calls the library and renders; it computes nothing."""
