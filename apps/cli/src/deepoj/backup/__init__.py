"""Backups: what a system holds, in a directory, and back."""
