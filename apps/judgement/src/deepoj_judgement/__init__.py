"""Judges submissions in the sandbox."""
