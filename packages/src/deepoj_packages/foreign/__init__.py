"""Formats of other judges, each read into the one ProblemSpec."""
