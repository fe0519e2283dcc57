"""`texedo evaluate ...`: how good it all is, one command for each figure.

docs/evaluation.md defines the figures.
"""
