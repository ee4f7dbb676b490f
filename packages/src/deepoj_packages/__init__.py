"""Reads problem packages into one neutral ProblemSpec."""
