"""A package for the sake of the folders book and jupyterlab."""
