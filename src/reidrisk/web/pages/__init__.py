"""One module per page, each with a `router`; the list is `PAGES` in `web/app.py`."""
