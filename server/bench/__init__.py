"""Measures: the rules by themselves, and tables on a running server. Compares in one run and quotes ratios."""
