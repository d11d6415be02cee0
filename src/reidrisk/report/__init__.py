"""From a result's dictionary to what people read: terminal, notebook, page and figure."""
