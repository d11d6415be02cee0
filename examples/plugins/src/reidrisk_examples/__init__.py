"""One example of each kind of plug-in; docs/guides/plug-ins.md explains them."""
