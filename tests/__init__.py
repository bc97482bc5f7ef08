"""A package for the sake of the folders in it: see full/book and full/jupyterlab."""
