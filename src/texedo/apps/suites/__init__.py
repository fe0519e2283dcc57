"""`texedo evaluate best-of-n`, `selection`, `ood`, ...: the paper's tables, into one folder.

docs/evaluation_suites.md says what each of them measures.
"""
