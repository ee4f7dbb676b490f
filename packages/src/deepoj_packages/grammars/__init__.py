"""Languages that describe test data. Their interpreters run in a box, as the validators of a package do.

What lies here is copied into the box, so it uses the standard library of Python 3.10 and nothing else.
"""
