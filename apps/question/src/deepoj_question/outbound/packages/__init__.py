"""Problem packages, read and written."""
